"""Chat: a message in, a stream out; approvals answered; what is pending."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, ConfigDict, Field

from agents.profiles import AgentProfile
from agents.session_agent import UserInput
from api.chat_form import CHAT_FORM_DOCS, ChatForm, open_chat_form, read_chat_form
from api.decisions import DecisionBody
from api.errors import RefusedError
from api.history import make_title
from api.identity import user_of
from api.resume import take_decisions
from api.run_hub import Started
from api.run_stream import stream_run
from api.services import Services, ServicesDep
from api.session_lookup import MAX_ID_CHARS, find_session
from api.uploads import Upload, check_uploads
from db.db_conn import new_id, utc_now
from db.records import File, Session

router = APIRouter(prefix="/api/chat", tags=["chat"])


class ResumeBody(BaseModel):
    """Answers to pending approvals; `remember` is accepted and has no effect."""

    model_config = ConfigDict(extra="ignore")

    session_id: str = Field(max_length=MAX_ID_CHARS)
    user_name: str | None = None
    decisions: list[DecisionBody] = Field(min_length=1, max_length=100)
    remember: bool = False


class InterruptBody(BaseModel):
    """Whose pending approvals are asked for."""

    model_config = ConfigDict(extra="ignore")

    session_id: str = Field(max_length=MAX_ID_CHARS)
    user_name: str | None = None


@router.post("", openapi_extra=CHAT_FORM_DOCS, response_class=StreamingResponse)
async def chat(request: Request, services: ServicesDep, stream_ids: Annotated[str, Query()] = "") -> StreamingResponse:
    """Send a message, with files or without; the answer is the run's event stream."""
    max_files = services.configuration.settings.tfagents_max_upload_files
    async with open_chat_form(request, max_files=max_files) as raw:
        form = read_chat_form(raw)
        user_name = user_of(request, form.user_name)
        uploads = check_uploads(form.files, limit=max_files)
        if not form.message and not uploads:
            raise RefusedError("empty_message")
        session, is_new = await _init_session(services, form, user_name, uploads)
        async with services.hub.admit(session, form.on_conflict):
            if is_new:
                await services.sessions.create(session)
            started = await _start(services, session, form.message, uploads)
        with_ids = "1" in {stream_ids, raw.get("stream_ids")}
    return stream_run(services, started, session_id=session.session_id, with_ids=with_ids)


@router.post("/resume", response_class=StreamingResponse)
async def resume(body: ResumeBody, request: Request, services: ServicesDep) -> StreamingResponse:
    """Answer pending approvals and go on with the stream; the same answer again gives the same stream again."""
    user_name = user_of(request, body.user_name)
    session = await find_session(services, body.session_id, user_name)
    started = await take_decisions(services, session, body.decisions, decided_by=user_name)
    return stream_run(services, started, session_id=session.session_id)


@router.get("/interrupt")
async def get_interrupt(session_id: str, request: Request, services: ServicesDep) -> dict[str, Any]:
    """What of a session waits for a person; survives restarts."""
    return await _interrupts(services, session_id, user_of(request))


@router.post("/interrupt")
async def post_interrupt(body: InterruptBody, request: Request, services: ServicesDep) -> dict[str, Any]:
    """The same for clients that ask with a body."""
    return await _interrupts(services, body.session_id, user_of(request, body.user_name))


async def _interrupts(services: Services, session_id: str, user_name: str) -> dict[str, Any]:
    session = await find_session(services, session_id, user_name)
    waiting = await services.hub.pending(session)
    return {
        "session_id": session_id,
        "thread_id": session_id,
        "run_id": None if waiting.run is None else waiting.run.run_id,
        "interrupts": waiting.items,
    }


async def _init_session(
    services: Services, form: ChatForm, user_name: str, uploads: tuple[Upload, ...]
) -> tuple[Session, bool]:
    """The session of a message, and whether it is new. The thread is the session: another thread id finds nothing."""
    if form.thread_id and form.thread_id != form.session_id:
        raise RefusedError("thread_not_found", thread_id=form.thread_id)
    known = services.profiles
    if form.agent and form.agent not in known:
        raise RefusedError("agent_not_found", agent=form.agent, known="、".join(known))
    if form.session_id:
        session = await find_session(services, form.session_id, user_name)
        if form.agent and form.agent != session.agent:
            raise RefusedError("bad_field", field="agent", value=form.agent, allowed=session.agent)
        return _with_modes(session, form, known[session.agent]), False
    now = utc_now()
    session = Session(
        session_id=new_id(),
        user_name=user_name,
        agent=form.agent or services.configuration.settings.default_agent,
        title=make_title(form.message, (upload.name for upload in uploads)),
        permission_mode="default",
        plan_mode="off",
        created_at=now,
        updated_at=now,
    )
    return _with_modes(session, form, known[session.agent]), True


def _with_modes(session: Session, form: ChatForm, profile: AgentProfile) -> Session:
    """The session under the modes of this message: what the client states, else as before; never looser than the profile."""
    permission = form.permission_mode or session.permission_mode
    plan = form.plan_mode or session.plan_mode
    return replace(
        session,
        permission_mode="read_only" if "read_only" in {permission, profile.permission_mode} else "default",
        plan_mode="required" if "required" in {plan, profile.plan_mode} else "off",
    )


async def _start(services: Services, session: Session, text: str, uploads: tuple[Upload, ...]) -> Started:
    stored = await services.workspace.store(session.user_name, session.session_id, uploads) if uploads else ()
    await services.files.add_many(
        [
            File(
                file_id=new_id(),
                session_id=session.session_id,
                run_id=None,
                role="upload",
                path=file.path,
                name=file.name,
                media_type=file.media_type,
                size=file.size,
                created_at=utc_now(),
            )
            for file in stored
        ]
    )
    ask = UserInput(text=text, files=tuple(file.path for file in stored), message_id=new_id())
    return await services.hub.start(session, ask, [asdict(file) for file in stored])
