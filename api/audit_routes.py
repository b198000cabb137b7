"""The audit for operators: what ran, for whom, under which policy, with what result; and whether the record is whole."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query

from api.operator_access import require_operator
from api.services import ServicesDep
from db.audit_chain import ChainReport
from db.db_conn import fmt_dt
from tools.context import LOCAL

router = APIRouter(prefix="/api/audit", tags=["audit"], dependencies=[Depends(require_operator)])

_Text = Annotated[str | None, Query(max_length=200)]


@router.get("")
async def list_audit(
    services: ServicesDep,
    session_id: _Text = None,
    run_id: _Text = None,
    user_id: _Text = None,
    tool: _Text = None,
    outcome: _Text = None,
    trace_id: _Text = None,
    audit_id: _Text = None,
    before_seq: Annotated[int | None, Query(ge=1)] = None,
    limit: Annotated[int, Query(ge=1, le=500)] = 100,
) -> dict[str, Any]:
    """Rows, newest first; a call has a row from before it and one of its end."""
    stated = {
        "session_id": session_id,
        "run_id": run_id,
        "user_id": user_id,
        "tool": tool,
        "outcome": outcome,
        "trace_id": trace_id,
        "audit_id": audit_id,
    }
    rows = await services.audit.page(
        organization_id=LOCAL,
        before_seq=before_seq,
        limit=limit,
        equal={name: value for name, value in stated.items() if value is not None},
    )
    return {
        "items": [_view(row) for row in rows],
        "next_before_seq": rows[-1]["seq"] if len(rows) == limit else None,
    }


@router.get("/verify")
async def verify_audit(services: ServicesDep) -> dict[str, Any]:
    """Check every chain against its anchors; names what is wrong and what no anchor vouches for yet."""
    anchors, retired = await services.workspace.run(services.anchors.read)
    reports = await services.audit.verify(anchors, retired)
    return {"ok": not any(report.faults for report in reports), "chains": [report_view(report) for report in reports]}


def report_view(report: ChainReport) -> dict[str, Any]:
    """A chain's report as a client reads it."""
    unanchored = report.unanchored
    return {
        **asdict(report),
        "faults": list(report.faults),
        "unanchored": None if unanchored is None else {"first": unanchored[0], "last": unanchored[1]},
    }


def _view(row: dict[str, Any]) -> dict[str, Any]:
    return {name: fmt_dt(value) if isinstance(value, datetime) else value for name, value in row.items()}
