"""Sessions: each belongs to one user, and to everybody else it does not exist."""

from __future__ import annotations

import base64
import binascii
from datetime import datetime
from typing import TypedDict

from sqlalchemy import ColumnElement, Connection, delete, or_, select, update
from typing_extensions import Unpack

from db.db_conn import Database
from db.errors import BadCursorError, NotFoundError
from db.guard_tables import GUARD_VERDICT, RECEIPT
from db.records import Page, Session
from db.rows import columns_of, insert_records, to_record
from db.schema import SESSION
from db.stamp import fmt_dt, parse_dt, utc_now


class SessionChanges(TypedDict, total=False):
    """What may change when a session is used."""

    title: str
    permission_mode: str
    plan_mode: str


class SessionStore:
    """Keeps sessions."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def create(self, session: Session) -> None:
        """Add a session.

        Raises:
            DuplicateError: The id is taken, by whomever.
        """
        what = f"session {session.session_id!r}"
        await self._db.write(lambda connection: insert_records(connection, SESSION, [session], what))

    async def get(self, session_id: str, user_name: str) -> Session:
        """The user's session.

        Raises:
            NotFoundError: There is none, or it is somebody else's.
        """
        query = select(*columns_of(SESSION, Session)).where(*_owned(session_id, user_name))
        row = await self._db.read(lambda connection: connection.execute(query).one_or_none())
        if row is None:
            raise NotFoundError(f"no session {session_id!r}")
        return to_record(Session, row)

    async def list(
        self, user_name: str, limit: int = 30, cursor: str | None = None, query: str | None = None
    ) -> Page[Session]:
        """The user's sessions, latest use first; `query` is looked for in titles, whatever the case.

        A session that is used while one pages moves to the front and can then be missed, but none comes twice.

        Raises:
            BadCursorError: The cursor is not the `next_cursor` of such a list.
        """
        wanted = select(*columns_of(SESSION, Session)).where(SESSION.c.user_name == user_name)
        if query:
            wanted = wanted.where(SESSION.c.title.icontains(query, autoescape=True))
        if cursor is not None:
            used_at, session_id = _read_cursor(cursor)
            # The first condition alone says nothing new; with it every database finds its place in the index.
            wanted = wanted.where(
                SESSION.c.updated_at <= used_at,
                or_(SESSION.c.updated_at < used_at, SESSION.c.session_id < session_id),
            )
        wanted = wanted.order_by(SESSION.c.updated_at.desc(), SESSION.c.session_id.desc()).limit(limit + 1)
        rows = await self._db.read(lambda connection: connection.execute(wanted).all())
        items = [to_record(Session, row) for row in rows[:limit]]
        return Page(items=items, next_cursor=_write_cursor(items[-1]) if len(rows) > limit else None)

    async def rename(self, session_id: str, user_name: str, title: str) -> None:
        """Give the user's session another title; its place in the list stays.

        Raises:
            NotFoundError: There is none, or it is somebody else's.
        """
        change = update(SESSION).where(*_owned(session_id, user_name)).values(title=title)
        await self._db.write(lambda connection: _one(connection.execute(change).rowcount, session_id))

    async def touch(self, session_id: str, **changes: Unpack[SessionChanges]) -> None:
        """Mark the session as used now, and change what is given.

        Raises:
            NotFoundError: There is no such session.
        """
        change = update(SESSION).where(SESSION.c.session_id == session_id).values(updated_at=utc_now(), **changes)
        await self._db.write(lambda connection: _one(connection.execute(change).rowcount, session_id))

    async def delete(self, session_id: str, user_name: str) -> None:
        """Delete the user's session with its messages, files, runs, events, receipts and guards' texts.

        The usage ledger, the audit and the queue for people keep their rows.

        Raises:
            NotFoundError: There is none, or it is somebody else's.
        """
        removal = delete(SESSION).where(*_owned(session_id, user_name))  # foreign keys take along what refers to it

        def remove(connection: Connection) -> None:
            _one(connection.execute(removal).rowcount, session_id)
            # These have no foreign key: a call may end after its session is gone, and that must not fail.
            for table in (RECEIPT, GUARD_VERDICT):
                connection.execute(delete(table).where(table.c.session_id == session_id))

        await self._db.write(remove)


def _owned(session_id: str, user_name: str) -> tuple[ColumnElement[bool], ...]:
    return SESSION.c.session_id == session_id, SESSION.c.user_name == user_name


def _one(rows: int, session_id: str) -> None:
    if rows == 0:
        raise NotFoundError(f"no session {session_id!r}")


def _write_cursor(last: Session) -> str:
    return base64.urlsafe_b64encode(f"{fmt_dt(last.updated_at)} {last.session_id}".encode()).decode()


def _read_cursor(cursor: str) -> tuple[datetime, str]:
    try:
        moment, _, session_id = base64.b64decode(cursor, altchars=b"-_", validate=True).decode().partition(" ")
        return parse_dt(moment), session_id
    except (binascii.Error, ValueError) as error:
        raise BadCursorError(f"cursor {cursor!r} is not of this list") from error
