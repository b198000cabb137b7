"""Between records and rows: their names are the same, so one mapping serves every table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar

from sqlalchemy import Column, Connection, Row, Table, exists, insert, select
from sqlalchemy.exc import IntegrityError

from db.errors import DuplicateError, NotFoundError
from db.schema import SESSION

if TYPE_CHECKING:
    from dataclasses import Field


class Record(Protocol):
    """A dataclass whose fields are columns."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]


RecordT = TypeVar("RecordT", bound=Record)


def to_values(record: Record) -> dict[str, Any]:
    """Column values of a record."""
    return {field.name: getattr(record, field.name) for field in fields(record)}


def columns_of(table: Table, record_type: type[Record]) -> list[Column[Any]]:
    """The columns that a record of this type needs."""
    return [table.c[field.name] for field in fields(record_type)]


def to_record(record_type: type[RecordT], row: Row[Any]) -> RecordT:
    """The record of a row that was selected by `columns_of`."""
    return record_type(**row._mapping)  # noqa: SLF001 - public in spite of its name: SQLAlchemy avoids column names


def insert_records(connection: Connection, table: Table, records: Sequence[Record], what: str) -> None:
    """Insert all records or none.

    Raises:
        DuplicateError: One of them breaks a unique index; `what` names them.
    """
    try:
        connection.execute(insert(table), [to_values(record) for record in records])
    except IntegrityError as error:
        raise DuplicateError(f"{what} exists already") from error


def require_session(connection: Connection, session_id: str) -> None:
    """Make sure that there is a session to write to.

    Raises:
        NotFoundError: There is none.
    """
    if not connection.scalar(select(exists().where(SESSION.c.session_id == session_id))):
        raise NotFoundError(f"no session {session_id!r}")
