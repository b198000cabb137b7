"""Takes a person's answers to what waits, from the session's own user or from an approver, and goes on with the run."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from agents.errors import DecisionError
from api.approval_expiry import EXPIRED, is_expired
from api.decisions import DecisionBody, sort_answers, to_decisions, to_record
from api.errors import RefusedError
from api.run_hub import Started
from api.services import Services
from api.waiting import asked_under
from db.records import Run, RunStatus, Session


async def take_decisions(
    services: Services, session: Session, answers: Sequence[DecisionBody], *, decided_by: str
) -> Started:
    """Check the answers as a whole, keep them, go on; the same answer again gives the same segment again.

    Args:
        services: The server's parts.
        session: Whose run waits.
        answers: What was decided, one at a time or several.
        decided_by: Who decided, from the server's own knowledge.

    Raises:
        RefusedError: An answer fits nothing that waits, contradicts one that was given, its arguments do not fit the tool, it
            comes too late, the policy is no longer the one under which a person was asked, or it wants somebody else to
            decide than the session's own user.
    """
    if not services.profiles[session.agent].policy.self_approval and _is_same(decided_by, session.user_name):
        raise RefusedError("self_approval")
    run = await services.runs.active_of(session.session_id)
    if run is not None and run.status is RunStatus.INTERRUPTED:
        await _require_in_time(services, session, run)
        await _require_unchanged_policy(services, session, run)
    async with services.hub.deciding(session) as turn:
        agent = services.agents[session.agent]
        pending = () if turn is None else asked_under(await agent.pending(turn.identity), turn.policy.version)
        run_id = turn.run_id if turn is not None else await _latest_run_id(services, session)
        found = sort_answers(answers, pending=pending, frames=await services.records.frames(run_id))
        if not found.open:
            return Started(run_id=run_id, after=found.taken_after or 0)
        decisions = to_decisions(found.open)
        if turn is not None:
            try:
                await agent.check(turn.identity, decisions.by_interrupt)
            except DecisionError as error:
                raise RefusedError("bad_decision", interrupt_id=error.interrupt_id, reason=error.reason) from error
            await services.approvals.decide(turn, found.open, decided_by=decided_by)
        return await services.hub.resume(session, decisions, to_record(found.open, user_name=decided_by))


def _is_same(one: str, other: str) -> bool:
    """Whether two names are one person's: a name that only looks different is no second person."""
    return (
        unicodedata.normalize("NFKC", one).strip().casefold() == unicodedata.normalize("NFKC", other).strip().casefold()
    )


async def _require_in_time(services: Services, session: Session, run: Run) -> None:
    if is_expired(run):
        await services.expiry.end(session, run)
        raise RefusedError(EXPIRED)


async def _require_unchanged_policy(services: Services, session: Session, run: Run) -> None:
    """Void what waits since before the server started with another policy: it is asked again, under another digest.

    A call that needs no approval any more would run whatever the answer is, with arguments nobody edited: its run ends.
    """
    policy = services.profiles[session.agent].policy
    if run.policy_hash == policy.version:
        return
    waiting = await services.hub.pending(session)
    if all(item.name in policy.approval for item in waiting.approvals):
        await services.hub.ask_again(session, run)
    else:
        await services.hub.cancel(run, "policy_changed")
    raise RefusedError("policy_changed")


async def _latest_run_id(services: Services, session: Session) -> str:
    run = await services.runs.latest_of(session.session_id)
    if run is None:
        raise RefusedError("nothing_pending")
    return run.run_id
