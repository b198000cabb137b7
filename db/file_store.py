"""Files of sessions, uploaded or produced; the bytes lie in the workspace."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, delete, select

from db.db_conn import Database
from db.errors import NotFoundError
from db.records import File
from db.rows import columns_of, insert_records, require_session, to_record
from db.schema import FILE


class FileStore:
    """Keeps what is known of files."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def add_many(self, files: Sequence[File]) -> None:
        """Add files, all or none; the same path in the same session replaces the older row, also within the call.

        Raises:
            NotFoundError: A session is gone.
            DuplicateError: A file id is taken.
        """
        newest = {(file.session_id, file.path): file for file in files}

        def replace(connection: Connection) -> None:
            for session_id in {file.session_id for file in files}:
                require_session(connection, session_id)
            for session_id, path in newest:
                connection.execute(delete(FILE).where(FILE.c.session_id == session_id, FILE.c.path == path))
            insert_records(connection, FILE, [*newest.values()], f"one of the files {[path for _, path in newest]}")

        if newest:
            await self._db.write(replace)

    async def list(self, session_id: str, role: str | None = None) -> Sequence[File]:
        """The files of a session, oldest first; `role` keeps `upload` or `output` only."""
        query = select(*columns_of(FILE, File)).where(FILE.c.session_id == session_id)
        if role is not None:
            query = query.where(FILE.c.role == role)
        query = query.order_by(FILE.c.created_at, FILE.c.file_id)
        rows = await self._db.read(lambda connection: connection.execute(query).all())
        return [to_record(File, row) for row in rows]

    async def get(self, session_id: str, path: str) -> File:
        """The file at a virtual path.

        Raises:
            NotFoundError: The session has none there.
        """
        query = select(*columns_of(FILE, File)).where(FILE.c.session_id == session_id, FILE.c.path == path)
        row = await self._db.read(lambda connection: connection.execute(query).one_or_none())
        if row is None:
            raise NotFoundError(f"no file {path!r} in session {session_id!r}")
        return to_record(File, row)
