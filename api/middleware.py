"""What surrounds every request: its id, the browser's safety rules, the size of its body. Plain ASGI, for streams."""

from __future__ import annotations

import re
from typing import Final
from uuid import uuid4

import structlog
from fastapi.responses import JSONResponse
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.errors import FAULT, REFUSALS, error_body
from obs.logs import log_context

log = structlog.get_logger(__name__)

CONTENT_SECURITY_POLICY: Final = (
    "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; frame-ancestors 'self'"
)
_SAFE_HEADERS: Final = {
    "content-security-policy": CONTENT_SECURITY_POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
}
_REQUEST_ID: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")
_MIB: Final = 1024 * 1024


class RequestIdMiddleware:
    """Bind a `request_id` to the logs and the answer; a proxy's own id is kept if it is harmless."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        given = Headers(scope=scope).get("x-request-id", "")
        request_id = given if _REQUEST_ID.fullmatch(given) else uuid4().hex
        scope.setdefault("state", {})["request_id"] = request_id

        async def send_with_id(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)["x-request-id"] = request_id
            await send(message)

        with log_context(request_id=request_id):
            await self.app(scope, receive, send_with_id)


class SafeHeadersMiddleware:
    """Add the headers that keep a browser from running or guessing anything we did not serve."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _SAFE_HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self.app(scope, receive, send_safely)


class FaultMiddleware:
    """Answer 500 in the one shape for a fault of ours, and log it once.

    Inside the other layers, so that this answer too carries the request's id and the safe headers.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        started = False

        async def send_noted(message: Message) -> None:
            nonlocal started
            started = started or message["type"] == "http.response.start"
            await send(message)

        try:
            await self.app(scope, receive, send_noted)
        except ClientDisconnect:
            raise
        except Exception:
            if started or scope["type"] != "http":
                raise  # the answer is cut; the server logs it
            log.exception("request_failed", path=scope["path"])
            body = error_body(*FAULT, request_id=scope.get("state", {}).get("request_id", ""))
            await JSONResponse(body, 500)(scope, receive, send)


class HeadMiddleware:
    """Answer HEAD as GET would be answered, without the body; routes need not know."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self.app(scope, receive, send)
            return
        is_answered = False

        async def receive_until_answered() -> Message:
            # A stream would go on for nobody.
            return {"type": "http.disconnect"} if is_answered else await receive()

        async def send_head(message: Message) -> None:
            nonlocal is_answered
            if message["type"] == "http.response.start":
                await send(message)
                await send({"type": "http.response.body", "body": b"", "more_body": False})
                is_answered = True

        await self.app({**scope, "method": "GET"}, receive_until_answered, send_head)


class BodyLimitMiddleware:
    """Answer 413 before a body over the limit is parsed, whether its length is announced or not."""

    def __init__(self, app: ASGIApp, *, limit_mb: int) -> None:
        self.app = app
        self._limit_mb = limit_mb
        self._limit = limit_mb * _MIB

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        announced = Headers(scope=scope).get("content-length", "0")
        if announced.isdigit() and int(announced) > self._limit:
            await self._refuse(scope, receive, send)
            return
        count = 0
        exceeded = started = False

        async def receive_counted() -> Message:
            nonlocal count, exceeded
            message = await receive()
            count += len(message.get("body", b""))
            if count > self._limit:
                exceeded = True
                return {"type": "http.disconnect"}
            return message

        async def send_unless_exceeded(message: Message) -> None:
            nonlocal started
            if exceeded and not started:
                return  # whatever the application makes of the broken body, the client is told the reason below
            started = True
            await send(message)

        try:
            await self.app(scope, receive_counted, send_unless_exceeded)
        except ClientDisconnect:
            if not exceeded:
                # Nobody is there to be answered, and nothing is wrong here.
                log.info("client_left", path=scope["path"])
                return
        if exceeded and not started:
            await self._refuse(scope, receive, send)

    async def _refuse(self, scope: Scope, receive: Receive, send: Send) -> None:
        row = REFUSALS["body_too_large"]
        request_id = scope.get("state", {}).get("request_id", "")
        body = error_body(
            "body_too_large", row.message.format(limit_mb=self._limit_mb), row.hint, request_id=request_id
        )
        await JSONResponse(body, row.status)(scope, receive, send)
