"""Finds what a user may see; what belongs to somebody else does not exist."""

from __future__ import annotations

from typing import Final

from api.errors import RefusedError
from api.services import Services
from db.errors import NotFoundError
from db.records import Run, Session

MAX_ID_CHARS: Final = 200
"""More than any id of ours has; a bound also makes sure that it is text the database can compare."""


async def find_session(services: Services, session_id: str, user_name: str) -> Session:
    """The user's session.

    Raises:
        RefusedError: `session_not_found`, also for one of somebody else.
    """
    try:
        return await services.sessions.get(session_id, user_name)
    except NotFoundError as error:
        raise RefusedError("session_not_found", session_id=session_id) from error


async def find_run(services: Services, run_id: str, user_name: str) -> Run:
    """The user's run.

    Raises:
        RefusedError: `run_not_found`, also for one of somebody else.
    """
    try:
        return await services.runs.get_owned(run_id, user_name)
    except NotFoundError as error:
        raise RefusedError("run_not_found", run_id=run_id) from error
