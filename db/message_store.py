"""Messages of sessions, in one total order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, select, update

from db.db_conn import Database
from db.errors import NotFoundError
from db.records import Message
from db.rows import columns_of, insert_records, require_session, to_record
from db.schema import MESSAGE


class MessageStore:
    """Keeps messages."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def add(self, message: Message) -> None:
        """Add a message behind those of the same moment.

        Raises:
            NotFoundError: The session is gone.
            DuplicateError: The id is taken.
        """

        def insert(connection: Connection) -> None:
            require_session(connection, message.session_id)
            insert_records(connection, MESSAGE, [message], f"message {message.message_id!r}")

        await self._db.write(insert)

    async def list(self, session_id: str) -> Sequence[Message]:
        """All messages of a session by time, those of one microsecond in the order they were added."""
        return await self._in_order(MESSAGE.c.session_id == session_id)

    async def of_run(self, run_id: str) -> Sequence[Message]:
        """The messages of one run: the user's, then the answer."""
        return await self._in_order(MESSAGE.c.run_id == run_id)

    async def replace(self, message_id: str, content: str, parts: Sequence[dict[str, Any]], status: str) -> None:
        """Change what a message says; its place and time stay.

        Raises:
            NotFoundError: There is no such message.
        """
        change = (
            update(MESSAGE)
            .where(MESSAGE.c.message_id == message_id)
            .values(content=content, parts=[*parts], status=status)
        )
        if await self._db.write(lambda connection: connection.execute(change).rowcount) == 0:
            raise NotFoundError(f"no message {message_id!r}")

    async def _in_order(self, condition: ColumnElement[bool]) -> Sequence[Message]:
        query = select(*columns_of(MESSAGE, Message)).where(condition)
        ordered = query.order_by(MESSAGE.c.created_at, MESSAGE.c.position)
        rows = await self._db.read(lambda connection: connection.execute(ordered).all())
        return [to_record(Message, row) for row in rows]
