"""Real receivers of audit events on loopback: a web server with answers as told, syslog servers over UDP and TCP."""

from __future__ import annotations

import json
import socket
import socketserver
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from typing_extensions import override

Answer = Callable[[BaseHTTPRequestHandler, dict[str, Any]], None]


@dataclass(kw_only=True)
class WebReceiver:
    """A web server that keeps what it is sent; `answer` may be changed while it runs."""

    answer: Answer
    port: int = 0
    bodies: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)

    def url(self, path: str = "/hook", login: str = "") -> str:
        return f"http://{login}127.0.0.1:{self.port}{path}"

    @property
    def event_ids(self) -> list[str]:
        return [body["event_id"] for body in self.bodies]


def status(code: int, **headers: str) -> Answer:
    """Answer every request with one status."""

    def answer(request: BaseHTTPRequestHandler, _body: dict[str, Any]) -> None:
        request.send_response(code)
        for name, value in headers.items():
            request.send_header(name, value)
        request.send_header("Content-Length", "0")
        request.end_headers()

    return answer


@contextmanager
def web_receiver(answer: Answer | None = None) -> Iterator[WebReceiver]:
    """A web server for the length of a block."""
    receiver = WebReceiver(answer=answer or status(204))

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            receiver.bodies.append(body)
            receiver.headers.append(dict(self.headers))
            receiver.paths.append(self.path)
            receiver.answer(self, body)

        do_GET = do_POST  # noqa: N815 - the library's name

        @override
        def log_message(self, *_arguments: object) -> None: ...

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        @override
        def handle_error(self, *_arguments: object) -> None: ...  # a client that left is nobody's fault

    with Server(("127.0.0.1", 0), Handler) as server:
        receiver.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield receiver
        finally:
            server.shutdown()
            thread.join()


@contextmanager
def udp_receiver() -> Iterator[socket.socket]:
    """A bound socket; read datagrams from it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as receiver:
        receiver.bind(("127.0.0.1", 0))
        receiver.settimeout(10)
        yield receiver


@dataclass(kw_only=True)
class StreamReceiver:
    """A syslog server over TCP: each connection's bytes; with `is_rude` it resets connections instead of reading them."""

    port: int = 0
    is_rude: bool = False
    streams: list[bytes] = field(default_factory=list)


@contextmanager
def stream_receiver(*, is_rude: bool = False) -> Iterator[StreamReceiver]:
    """A syslog server for the length of a block."""
    receiver = StreamReceiver(is_rude=is_rude)

    class Handler(socketserver.BaseRequestHandler):
        @override
        def handle(self) -> None:
            if receiver.is_rude:
                linger = (1).to_bytes(4, "little") + (0).to_bytes(4, "little")
                self.request.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                return
            parts = []
            while part := self.request.recv(65536):
                parts.append(part)
            receiver.streams.append(b"".join(parts))

    class Server(socketserver.ThreadingTCPServer):
        daemon_threads = True

        @override
        def shutdown_request(self, request: Any) -> None:
            # Without the library's own shutdown, which would make a reset look like an orderly end.
            request.close() if receiver.is_rude else super().shutdown_request(request)

    with Server(("127.0.0.1", 0), Handler) as server:
        receiver.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield receiver
        finally:
            server.shutdown()
            thread.join()


def free_port() -> int:
    """A port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
