"""The audit for operators: what ran, for whom, under which policy, with what result; and whether the record is whole."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends

from api.audit_filter import PARAMETERS, AuditFilter, audit_filter
from api.operator_access import require_operator
from api.services import ServicesDep
from db.audit_chain import ChainReport
from db.db_conn import fmt_dt
from scheduler.audit_check import check_audit
from tools.context import LOCAL

router = APIRouter(prefix="/api/audit", tags=["audit"], dependencies=[Depends(require_operator)])

_DOCUMENTED: Final = {"parameters": PARAMETERS}


@router.get("", openapi_extra=_DOCUMENTED)
async def list_audit(services: ServicesDep, asked: Annotated[AuditFilter, Depends(audit_filter)]) -> dict[str, Any]:
    """Rows, newest first; a call has a row from before it and one of its end. All moments are in UTC."""
    rows = await services.audit.page(
        organization_id=LOCAL,
        before_seq=asked.before_seq,
        limit=asked.limit + 1,  # one more tells whether there is another page
        equal=asked.equal,
        since=asked.since,
        until=asked.until,
    )
    shown = rows[: asked.limit]
    return {
        "items": [_view(row) for row in shown],
        "next_before_seq": shown[-1]["seq"] if len(rows) > len(shown) else None,
    }


@router.get("/verify")
async def verify_audit(services: ServicesDep) -> dict[str, Any]:
    """Check every chain against its anchors; names what is wrong and what no anchor vouches for yet."""
    checked = await check_audit(services.audit, services.anchors)
    return {
        "ok": checked.is_whole,
        "chains": [report_view(report) for report in checked.chains],
        "anchors": {"faults": list(checked.anchor_faults), "notes": list(checked.anchor_notes)},
    }


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
