"""Runs: their state, their log, their end."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Header, Response

from api.errors import RefusedError
from api.identity import UserName
from api.run_hub import Started
from api.run_stream import stream_run
from api.services import ServicesDep
from api.session_lookup import find_run
from api.session_routes import run_view
from db.records import Run, RunStatus

router = APIRouter(prefix="/api/runs", tags=["runs"])

_CURSOR_DIGITS = 19
_STILL = frozenset({RunStatus.QUEUED, RunStatus.RUNNING, RunStatus.CANCELLING})


@router.get("/{run_id}")
async def show_run(run_id: str, services: ServicesDep, user_name: UserName) -> dict[str, Any]:
    """State of a run."""
    return run_view(await find_run(services, run_id, user_name))


@router.get("/{run_id}/events", response_model=None)
async def follow_run(
    run_id: str,
    services: ServicesDep,
    user_name: UserName,
    after: str = "0",
    last_event_id: Annotated[str | None, Header()] = None,
) -> Response:
    """Frames behind number `after`, then those that follow; 204 if nothing can come any more, or not before a decision."""
    run = await find_run(services, run_id, user_name)
    seq = _read_cursor(last_event_id if last_event_id is not None else after, run)
    if seq >= run.last_seq and run.status not in _STILL:
        return Response(status_code=204)
    started = Started(run_id=run_id, after=seq)
    return stream_run(services, started, session_id=run.session_id, with_ids=True, stops_at_pause=False)


@router.post("/{run_id}/cancel", status_code=202)
async def cancel_run(run_id: str, services: ServicesDep, user_name: UserName) -> dict[str, Any]:
    """Stop a run; asking again, or after its end, changes nothing."""
    await services.hub.cancel(await find_run(services, run_id, user_name))
    return run_view(await find_run(services, run_id, user_name))


def _read_cursor(text: str, run: Run) -> int:
    # Digits of ASCII only, and not thousands of them: `isdigit` takes what `int` refuses.
    if text.isascii() and text.isdigit() and len(text) <= _CURSOR_DIGITS and int(text) <= run.last_seq:
        return int(text)
    raise RefusedError("bad_cursor", cursor=text[:40])
