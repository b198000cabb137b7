"""The inbox of approvals: what waits in any session, and what was decided; an approver sees the card and no more."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query
from pydantic import BaseModel, ConfigDict, Field

from api.decisions import DecisionBody
from api.operator_access import require_operator
from api.resume import take_decisions
from api.services import Services, ServicesDep
from api.session_lookup import MAX_ID_CHARS, find_session
from db.db_conn import fmt_dt
from db.records import Approval, Run, RunStatus

router = APIRouter(prefix="/api/approvals", tags=["approvals"], dependencies=[Depends(require_operator)])


class ApproverBody(BaseModel):
    """An approver's answers about one session."""

    model_config = ConfigDict(extra="forbid")

    session_id: str = Field(max_length=MAX_ID_CHARS)
    user_name: str = Field(min_length=1, max_length=64, description="Owner of the session.")
    decided_by: str = Field(min_length=1, max_length=64, description="Who decides.")
    decisions: list[DecisionBody] = Field(min_length=1, max_length=100)


@router.get("")
async def list_approvals(
    services: ServicesDep,
    state: Annotated[Literal["pending", "decided"], Query()] = "pending",
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> dict[str, Any]:
    """What waits for a person, oldest first; or what was decided, newest first."""
    if state == "decided":
        return {"items": [_decided(item) for item in await services.approvals.latest(limit)]}
    waiting = [run for run in await services.runs.unfinished() if run.status is RunStatus.INTERRUPTED]
    items = [item for run in waiting[:limit] for item in await _waiting(services, run)]
    return {"items": items}


@router.post("")
async def decide_approvals(body: ApproverBody, services: ServicesDep) -> dict[str, Any]:
    """Decide; the run goes on under its owner's identity. The answer names the run, its stream is followed elsewhere."""
    session = await find_session(services, body.session_id, body.user_name)
    started = await take_decisions(services, session, body.decisions, decided_by=body.decided_by)
    return {"run_id": started.run_id, "after": started.after}


async def _waiting(services: Services, run: Run) -> list[dict[str, Any]]:
    session = await services.sessions.get(run.session_id, run.user_name)
    waiting = await services.hub.pending(session)
    whose = {"run_id": run.run_id, "session_id": run.session_id, "user_name": run.user_name, "agent": run.agent}
    return [{**item, **whose, "run_created_at": fmt_dt(run.created_at)} for item in waiting.items]


def _decided(item: Approval) -> dict[str, Any]:
    moments = ("decided_at", "expires_at", "consumed_at")
    said = {name: None if getattr(item, name) is None else fmt_dt(getattr(item, name)) for name in moments}
    return {**asdict(item), **said}
