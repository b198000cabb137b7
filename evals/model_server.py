"""An OpenAI-compatible server whose answers are written by whoever runs it: for evaluations and tests."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from typing_extensions import override


@dataclass(frozen=True, kw_only=True)
class Reply:
    """One answer of the written server."""

    text: str = ""
    pieces: tuple[str, ...] = ()
    """Text cut exactly so, in place of `text` word by word."""
    reasoning: str = ""
    calls: tuple[tuple[str, dict[str, Any] | str], ...] = ()
    """Tool calls; arguments as text are sent as they stand, well formed or not."""
    usage: dict[str, Any] | None = field(default_factory=lambda: {"prompt_tokens": 11, "completion_tokens": 7})
    status: int = 200
    page: str = ""
    """HTML in place of an answer, as a proxy sends it."""
    is_cut: bool = False
    """Break the connection after the text, without an end."""


Script = Callable[[dict[str, Any]], Reply]


@dataclass(frozen=True, kw_only=True)
class WrittenServer:
    """A running server; `bodies` are the requests it got, oldest first."""

    base_url: str
    bodies: list[dict[str, Any]]


@contextmanager
def written_model(script: Script) -> Iterator[WrittenServer]:
    """Serve `script`'s replies on a free port of this machine."""
    bodies: list[dict[str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            bodies.append(body)
            _answer(self, script(body), body)

        @override
        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield WrittenServer(base_url=f"http://127.0.0.1:{server.server_port}/v1", bodies=bodies)
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _answer(handler: BaseHTTPRequestHandler, reply: Reply, body: dict[str, Any]) -> None:
    if reply.status != HTTPStatus.OK:
        _send(handler, reply.status, "application/json", json.dumps({"error": {"message": "scripted"}}).encode())
        return
    if reply.page:
        _send(handler, 200, "text/html", reply.page.encode())
        return
    if not body.get("stream"):
        message = {"role": "assistant", "content": reply.text, "tool_calls": _calls(reply)}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        answer = {"id": "x", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
        _send(handler, 200, "application/json", json.dumps({**answer, "usage": _usage(reply)}).encode())
        return
    wants_usage = (body.get("stream_options") or {}).get("include_usage")
    handler.send_response(200)
    handler.send_header("Content-Type", "text/event-stream")
    if reply.is_cut:
        # A promised length that is never reached is what a broken connection looks like under HTTP/1.0.
        handler.send_header("Content-Length", "1000000")
    handler.end_headers()
    for event in _events(reply, with_usage=bool(wants_usage)):
        handler.wfile.write(f"data: {event}\n\n".encode())
        handler.wfile.flush()


def _send(handler: BaseHTTPRequestHandler, status: int, media_type: str, content: bytes) -> None:
    handler.send_response(status)
    handler.send_header("Content-Type", media_type)
    handler.send_header("Content-Length", str(len(content)))
    handler.end_headers()
    handler.wfile.write(content)


def _events(reply: Reply, *, with_usage: bool) -> Iterator[str]:
    yield _event({"role": "assistant", "content": ""})
    if reply.reasoning:
        yield _event({"reasoning_content": reply.reasoning})
    for piece in reply.pieces or [f"{word} " for word in reply.text.split(" ")]:
        yield _event({"content": piece})
    if reply.is_cut:
        return
    if reply.calls:
        yield _event({"tool_calls": _calls(reply)})
    yield _event({}, finish="tool_calls" if reply.calls else "stop")
    if with_usage and reply.usage is not None:
        yield json.dumps({**json.loads(_event({})), "choices": [], "usage": _usage(reply)})
    yield "[DONE]"


def _event(delta: dict[str, Any], finish: str | None = None) -> str:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return json.dumps({"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]})


def _calls(reply: Reply) -> list[dict[str, Any]]:
    return [
        {
            "index": index,
            "id": f"call_{time.monotonic_ns()}_{index}",
            "type": "function",
            "function": {"name": name, "arguments": args if isinstance(args, str) else json.dumps(args)},
        }
        for index, (name, args) in enumerate(reply.calls)
    ]


def _usage(reply: Reply) -> dict[str, Any]:
    usage = dict(reply.usage or {"prompt_tokens": 0, "completion_tokens": 0})
    usage.setdefault("total_tokens", usage["prompt_tokens"] + usage["completion_tokens"])
    return usage
