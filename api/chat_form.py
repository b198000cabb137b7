"""The multipart form of `POST /api/chat`: read tolerantly, checked strictly, described for the documentation."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, BinaryIO, Final, cast

from fastapi import Request
from python_multipart.multipart import parse_options_header
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.types import Message, Receive

from api.errors import RefusedError
from api.run_hub import OnConflict

_CONFLICT_CHOICES: Final = ("enqueue", "reject", "interrupt")
_MODES: Final = {"permission_mode": ("default", "read_only"), "plan_mode": ("off", "required")}
_MAX_FIELDS: Final = 50
# Well above any setting of ours: too many files are refused with our words, not the parser's.
_MAX_PARSED_FILES: Final = 200
_MAX_FIELD_BYTES: Final = 1024 * 1024
_TAIL_BYTES: Final = 1024

_TEXT: Final = {"type": "string"}
_FILE: Final = {"type": "string", "format": "binary"}
CHAT_FORM_DOCS: Final[dict[str, Any]] = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "properties": {
                        "message": _TEXT,
                        "user_name": {"type": "string", "default": "default"},
                        "session_id": _TEXT,
                        "thread_id": _TEXT,
                        "file": _FILE,
                        "files": {"type": "array", "items": _FILE},
                        "agent": _TEXT,
                        "permission_mode": {"type": "string", "enum": [*_MODES["permission_mode"]]},
                        "plan_mode": {"type": "string", "enum": [*_MODES["plan_mode"]]},
                        "on_conflict": {"type": "string", "enum": [*_CONFLICT_CHOICES]},
                        "stream_ids": {"type": "string", "enum": ["0", "1"]},
                    },
                }
            }
        },
    }
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatForm:
    """A chat message as it was sent; an empty text means that the field was not given."""

    message: str
    user_name: str
    session_id: str
    thread_id: str
    agent: str
    permission_mode: str
    plan_mode: str
    on_conflict: OnConflict
    files: tuple[tuple[str, BinaryIO], ...]
    """Names and contents of `file` and `files`, in the order they came."""


@asynccontextmanager
async def open_chat_form(request: Request, *, max_files: int) -> AsyncIterator[FormData]:
    """Parse the body; its spool files live inside the block.

    Raises:
        RefusedError: `bad_form`, also for one that breaks off; `too_many_files`, `text_too_long`.
    """
    boundary = _boundary_of(request)
    tail = _Tail(request.receive)
    parsing = Request(request.scope, tail.receive).form(
        max_files=_MAX_PARSED_FILES, max_fields=_MAX_FIELDS, max_part_size=_MAX_FIELD_BYTES
    )
    try:
        form = await parsing
    except HTTPException as error:
        raise _refuse_form(error.detail, max_files) from error
    try:
        if boundary and boundary not in tail.seen:
            # The parser drops a part that has no end without a word: a file would be missing, and nobody told.
            raise RefusedError("bad_form", reason="内容在中途断开。")
        yield form
    finally:
        await form.close()


class _Tail:
    """Passes a body on and remembers its end."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self.seen = b""

    async def receive(self) -> Message:
        message = await self._receive()
        self.seen = (self.seen + message.get("body", b""))[-_TAIL_BYTES:]
        return message


def _boundary_of(request: Request) -> bytes:
    """What ends a multipart body; empty for the other kind of form.

    Raises:
        RefusedError: `bad_form`, for a body that is no form at all.
    """
    kind, options = parse_options_header(request.headers.get("content-type", ""))
    if kind == b"multipart/form-data":
        return b"--" + options.get(b"boundary", b"") + b"--"
    if kind != b"application/x-www-form-urlencoded":
        raise RefusedError("bad_form", reason=f"Content-Type 是 {kind.decode(errors='replace') or '空'}。")
    return b""


def _refuse_form(reason: str, max_files: int) -> RefusedError:
    if reason.startswith("Too many files"):
        return RefusedError(
            "too_many_files", limit=max_files, count=f"超过 {_MAX_PARSED_FILES}", details={"limit": max_files}
        )
    if reason.startswith("Part exceeded maximum size"):
        return RefusedError("text_too_long", limit_kb=_MAX_FIELD_BYTES // 1024)
    return RefusedError("bad_form", reason=reason)


def read_chat_form(form: FormData) -> ChatForm:
    """Take the fields out of a form; files without a name are form fields that were left empty.

    Raises:
        RefusedError: A choice has a value that does not exist.
    """

    def text(name: str) -> str:
        value = form.get(name)
        return value.strip() if isinstance(value, str) else ""

    on_conflict = text("on_conflict") or "enqueue"
    _check_choice("on_conflict", on_conflict, _CONFLICT_CHOICES)
    modes = {name: text(name) for name in _MODES}
    for name, choices in _MODES.items():
        if modes[name]:
            _check_choice(name, modes[name], choices)
    files = [
        (value.filename, value.file)
        for name in ("file", "files", "files[]")
        for value in form.getlist(name)
        if isinstance(value, UploadFile) and value.filename
    ]
    return ChatForm(
        message=text("message"),
        user_name=text("user_name"),
        session_id=text("session_id"),
        thread_id=text("thread_id"),
        agent=text("agent"),
        on_conflict=cast("OnConflict", on_conflict),
        files=tuple(files),
        **modes,
    )


def _check_choice(field: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise RefusedError("bad_field", field=field, value=value, allowed="、".join(allowed))
