"""Sessions: list, search, show, rename, delete; their messages and files."""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Query, Request
from fastapi.responses import FileResponse, Response
from pydantic import BaseModel, ConfigDict, Field

from api.errors import RefusedError
from api.history import clean_title, fold, text_of
from api.identity import UserName, user_of
from api.services import Services, ServicesDep
from api.session_lookup import find_session
from api.sse_events import EventType
from api.uploads import media_type_of
from db.db_conn import fmt_dt
from db.records import ACTIVE_STATUSES, File, Message, Run, Session

router = APIRouter(prefix="/api/sessions", tags=["sessions"])

_TITLE_CHARS = 200


class RenameBody(BaseModel):
    """A session's new title."""

    model_config = ConfigDict(extra="ignore")

    title: str = Field(min_length=1, max_length=_TITLE_CHARS)
    user_name: str | None = None


@router.get("")
async def list_sessions(
    services: ServicesDep,
    user_name: UserName,
    limit: Annotated[int, Query(ge=1, le=100)] = 30,
    cursor: str | None = None,
    query: Annotated[str | None, Query(max_length=_TITLE_CHARS)] = None,
) -> dict[str, Any]:
    """The user's sessions, latest use first; `query` is looked for in titles."""
    page = await services.sessions.list(user_name, limit=limit, cursor=cursor, query=query)
    return {"items": [_session_view(session) for session in page.items], "next_cursor": page.next_cursor}


@router.get("/{session_id}")
async def show_session(session_id: str, services: ServicesDep, user_name: UserName) -> dict[str, Any]:
    """One session, with the run that is under way or waits for a person."""
    session = await find_session(services, session_id, user_name)
    run = await services.runs.active_of(session_id)
    return {**_session_view(session), "active_run": None if run is None else run_view(run)}


@router.patch("/{session_id}")
async def rename_session(session_id: str, body: RenameBody, request: Request, services: ServicesDep) -> dict[str, Any]:
    """Give a session another title."""
    user_name = user_of(request, body.user_name)
    session = await find_session(services, session_id, user_name)
    title = clean_title(body.title)
    if not title:
        raise RefusedError("bad_field", field="title", value=body.title, allowed="1～200 个可见字符")
    await services.sessions.rename(session.session_id, user_name, title)
    return _session_view(await find_session(services, session_id, user_name))


@router.delete("/{session_id}", status_code=204)
async def delete_session(session_id: str, services: ServicesDep, user_name: UserName) -> Response:
    """Delete a session with its graph state, log, history and files; what it used stays in the ledger."""
    session = await find_session(services, session_id, user_name)
    await services.hub.end_session(session)
    await services.agents[session.agent].delete(session_id)
    await services.sessions.delete(session_id, user_name)
    await services.workspace.delete(user_name, session_id)
    return Response(status_code=204)


@router.get("/{session_id}/messages")
async def list_messages(session_id: str, services: ServicesDep, user_name: UserName) -> dict[str, Any]:
    """The history in order. An assistant's `parts` are the frames of its run, tokens folded into `message` frames."""
    session = await find_session(services, session_id, user_name)
    messages = await services.messages.list(session_id)
    waiting = await services.hub.pending(session)
    return {
        "items": [await _message_view(services, message) for message in messages],
        "pending": waiting.items,
    }


@router.get("/{session_id}/files")
async def list_files(
    session_id: str,
    services: ServicesDep,
    user_name: UserName,
    role: Annotated[str | None, Query(pattern="^(upload|output)$")] = None,
) -> dict[str, Any]:
    """Files of a session, uploaded and produced, oldest first."""
    await find_session(services, session_id, user_name)
    return {"items": [_file_view(file) for file in await services.files.list(session_id, role)]}


@router.get("/{session_id}/files/{path:path}", response_class=FileResponse)
async def load_file(session_id: str, path: str, services: ServicesDep, user_name: UserName) -> FileResponse:
    """A file of the session's workspace as a download; `path` is the virtual one, with or without `/workspace/`."""
    await find_session(services, session_id, user_name)
    inside = path.removeprefix("/").removeprefix("workspace/")
    real = await services.workspace.locate(user_name, session_id, f"/workspace/{inside}")
    if real is None:
        raise RefusedError("file_not_found", path=path)
    disposition = f"attachment; filename*=UTF-8''{quote(real.name, safe='')}"
    return FileResponse(
        real,
        media_type=media_type_of(real.name),
        headers={"Content-Disposition": disposition, "Cache-Control": "private, no-cache"},
    )


def run_view(run: Run) -> dict[str, Any]:
    """A run as a client sees it."""
    return {
        "run_id": run.run_id,
        "session_id": run.session_id,
        "agent": run.agent,
        "status": run.status.value,
        "is_final": run.status not in ACTIVE_STATUSES,
        "stop_reason": run.stop_reason,
        "outcome": run.outcome,
        "error_code": run.error_code,
        "last_seq": run.last_seq,
        "created_at": fmt_dt(run.created_at),
        "started_at": None if run.started_at is None else fmt_dt(run.started_at),
        "finished_at": None if run.finished_at is None else fmt_dt(run.finished_at),
    }


def _session_view(session: Session) -> dict[str, Any]:
    return {
        "session_id": session.session_id,
        "thread_id": session.session_id,
        "title": session.title,
        "agent": session.agent,
        "permission_mode": session.permission_mode,
        "plan_mode": session.plan_mode,
        "created_at": fmt_dt(session.created_at),
        "updated_at": fmt_dt(session.updated_at),
    }


async def _message_view(services: Services, message: Message) -> dict[str, Any]:
    parts, content = message.parts, message.content
    if message.role == "assistant" and not parts and message.run_id is not None:
        # Still running: what it has said so far stands in its log only.
        parts = fold(await services.records.frames(message.run_id))
        content = text_of(parts)
    return {
        "message_id": message.message_id,
        "run_id": message.run_id,
        "role": message.role,
        "content": content,
        "status": message.status,
        "created_at": fmt_dt(message.created_at),
        "files": [part for part in parts if part["type"] == EventType.FILE] if message.role == "user" else [],
        "parts": parts,
    }


def _file_view(file: File) -> dict[str, Any]:
    return {
        "path": file.path,
        "name": file.name,
        "role": file.role,
        "media_type": file.media_type,
        "size": file.size,
        "run_id": file.run_id,
        "created_at": fmt_dt(file.created_at),
    }
