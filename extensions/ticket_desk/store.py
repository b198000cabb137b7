"""The desk's own file: orders, refunds, articles and an outbox in SQLite. One method is one transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from functools import cache
from pathlib import Path
from secrets import choice
from typing import Final

from extensions.ticket_desk.money import from_micro, to_micro
from extensions.ticket_desk.records import Article, Email, Order, Refund, Seed

DEMO_SEED: Final = Path(__file__).parent / "demo_seed.json"
_BUSY_S: Final = 15.0
_DIGITS: Final = "0123456789"
_CONSONANTS: Final = "BCDFGHJKLMNPQRSTVWXZ"
_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS shop_order (
  order_id TEXT PRIMARY KEY COLLATE NOCASE, customer TEXT NOT NULL, total_micro INTEGER NOT NULL, eligible INTEGER NOT NULL,
  refundable_micro INTEGER NOT NULL, reason TEXT NOT NULL, issue_refund_fails_with TEXT);
CREATE TABLE IF NOT EXISTS refund (
  confirmation_id TEXT PRIMARY KEY, call_key TEXT NOT NULL UNIQUE, run_id TEXT NOT NULL, order_id TEXT NOT NULL COLLATE NOCASE
  REFERENCES shop_order, amount_micro INTEGER NOT NULL CHECK (amount_micro > 0), issued_by TEXT NOT NULL, issued_at TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS outbox (
  message_id TEXT PRIMARY KEY, call_key TEXT NOT NULL UNIQUE, run_id TEXT NOT NULL, recipient TEXT NOT NULL, subject TEXT NOT NULL,
  body TEXT NOT NULL, written_by TEXT NOT NULL, written_at TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS article (article_id TEXT PRIMARY KEY, title TEXT NOT NULL, text TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS seeded (seeded_at TEXT NOT NULL);
"""


class DeskError(Exception):
    """The desk will not do it; `code` says why, `facts` are what the reason is about."""

    def __init__(self, code: str, **facts: object) -> None:
        super().__init__(code)
        self.code = code
        self.facts = facts


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Who asks for an effect, and by which call: the same key twice has the effect once."""

    call_key: str
    run_id: str
    user_id: str


class TicketStore:
    """Orders and what was done about them. May be used by several threads and processes at once."""

    def __init__(self, path: Callable[[], Path], *, seed: Callable[[], Seed] | None = None) -> None:
        """Make a store; the file is opened, and filled with `seed`, when it is first used.

        Args:
            path: Where the file is, asked at every use.
            seed: What an empty store begins with; by default the demo data.
        """
        self._path = path
        self._seed = seed or demo_seed

    def reset(self, seed: Seed) -> None:
        """Forget everything and begin with `seed`."""
        with self._write() as connection:
            for table in ("refund", "outbox", "article", "shop_order"):
                connection.execute(f"DELETE FROM {table}")  # noqa: S608 - names from the line above
            _fill(connection, seed)

    def order(self, order_id: str) -> tuple[str, Order, tuple[Refund, ...]]:
        """An order under its own id, and what was paid back of it, oldest first.

        Raises:
            DeskError: `order_not_found`.
        """
        with self._read() as connection:
            return _order(connection, order_id)

    def pay_refund(self, order_id: str, amount: Decimal, caller: Caller) -> Refund:
        """Pay `amount` back; a call that comes again gets the refund it has had.

        Raises:
            DeskError: `order_not_found`, `not_eligible`, `already_refunded` (by another call of this run), `nothing_left`,
                `amount_too_high`, or `refund_failed` if the payment service says no.
        """
        with self._write() as connection:
            if (paid := _refund_of(connection, caller.call_key)) is not None:
                return paid
            found, order, refunds = _order(connection, order_id)
            _check_refund(connection, found, order, refunds, amount, caller)
            refund = Refund(confirmation_id=_new_id("RF"), order_id=found, amount=amount)
            connection.execute(
                "INSERT INTO refund VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    refund.confirmation_id,
                    caller.call_key,
                    caller.run_id,
                    found,
                    to_micro(amount),
                    caller.user_id,
                    _now(),
                ),
            )
            return refund

    def write_email(self, to: str, subject: str, body: str, caller: Caller) -> Email:
        """Put a message into the outbox; a call that comes again gets the message it has written.

        Raises:
            DeskError: `already_sent`: another call of this run wrote the very same message.
        """
        with self._write() as connection:
            mine = _emails(connection, "call_key = ?", caller.call_key)
            if mine:
                return mine[0]
            same = _emails(
                connection,
                "run_id = ? AND recipient = ? AND subject = ? AND body = ?",
                caller.run_id,
                to,
                subject,
                body,
            )
            if same:
                raise DeskError("already_sent", to=to, message_id=same[0].message_id)
            email = Email(message_id=_new_id("MSG"), to=to, subject=subject, body=body)
            connection.execute(
                "INSERT INTO outbox VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (email.message_id, caller.call_key, caller.run_id, to, subject, body, caller.user_id, _now()),
            )
            return email

    def outbox(self) -> tuple[Email, ...]:
        """Every message, oldest first."""
        with self._read() as connection:
            return _emails(connection, "1 = 1")

    def articles(self) -> dict[str, Article]:
        """The knowledge base by id."""
        with self._read() as connection:
            rows = connection.execute("SELECT article_id, title, text FROM article ORDER BY article_id")
            return {identity: Article(title=title, text=text) for identity, title, text in rows}

    @contextmanager
    def _write(self) -> Iterator[sqlite3.Connection]:
        # IMMEDIATE: two payers must not both read what is left before one of them pays.
        with closing(self._open()) as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
            except BaseException:
                connection.execute("ROLLBACK")
                raise
            connection.execute("COMMIT")

    @contextmanager
    def _read(self) -> Iterator[sqlite3.Connection]:
        with closing(self._open()) as connection:
            yield connection

    def _open(self) -> sqlite3.Connection:
        path = self._path()
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(path, timeout=_BUSY_S, isolation_level=None)
        try:
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("PRAGMA synchronous = FULL")  # a paid refund survives a loss of power
            if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'seeded'").fetchone():
                self._found(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _found(self, connection: sqlite3.Connection) -> None:
        """Make and fill the tables, unless another process was faster."""
        connection.execute("BEGIN IMMEDIATE")
        for statement in _SCHEMA.split(";"):
            connection.execute(statement)
        if not connection.execute("SELECT 1 FROM seeded").fetchone():
            _fill(connection, self._seed())
            connection.execute("INSERT INTO seeded VALUES (?)", (_now(),))
        connection.execute("COMMIT")


@cache
def demo_seed() -> Seed:
    """The demo data that ships with the desk."""
    return Seed.model_validate_json(DEMO_SEED.read_text(encoding="utf-8"))


def _check_refund(
    connection: sqlite3.Connection,
    order_id: str,
    order: Order,
    refunds: tuple[Refund, ...],
    amount: Decimal,
    caller: Caller,
) -> None:
    if not order.eligible:
        raise DeskError("not_eligible", order_id=order_id, reason=order.reason)
    left = left_of(order, refunds)
    twin = connection.execute(
        "SELECT confirmation_id FROM refund WHERE run_id = ? AND order_id = ? AND amount_micro = ?",
        (caller.run_id, order_id, to_micro(amount)),
    ).fetchone()
    if twin is not None:
        raise DeskError("already_refunded", order_id=order_id, amount=amount, confirmation_id=twin[0])
    if not left:
        confirmations = "、".join(refund.confirmation_id for refund in refunds)
        raise DeskError("nothing_left", order_id=order_id, confirmations=confirmations or "–")
    if amount > left:
        raise DeskError("amount_too_high", order_id=order_id, amount=amount, left=left)
    if order.issue_refund_fails_with is not None:
        raise DeskError("refund_failed", order_id=order_id, answer=order.issue_refund_fails_with)


def left_of(order: Order, refunds: tuple[Refund, ...]) -> Decimal:
    """What may still be paid back of an order."""
    return max(order.refundable - sum((refund.amount for refund in refunds), Decimal()), Decimal())


def _order(connection: sqlite3.Connection, order_id: str) -> tuple[str, Order, tuple[Refund, ...]]:
    row = connection.execute(
        "SELECT order_id, customer, total_micro, eligible, refundable_micro, reason, issue_refund_fails_with"
        " FROM shop_order WHERE order_id = ?",
        (order_id,),
    ).fetchone()
    if row is None:
        raise DeskError("order_not_found", order_id=order_id)
    found, customer, total, eligible, refundable, reason, fails_with = row
    order = Order(
        customer=customer,
        total=from_micro(total),
        eligible=bool(eligible),
        refundable=from_micro(refundable),
        reason=reason,
        issue_refund_fails_with=fails_with,
    )
    return found, order, _refunds(connection, "order_id = ?", found)


def _refund_of(connection: sqlite3.Connection, call_key: str) -> Refund | None:
    found = _refunds(connection, "call_key = ?", call_key)
    return found[0] if found else None


def _refunds(connection: sqlite3.Connection, condition: str, *values: str) -> tuple[Refund, ...]:
    rows = connection.execute(
        f"SELECT confirmation_id, order_id, amount_micro FROM refund WHERE {condition} ORDER BY rowid",  # noqa: S608 - conditions of this file
        values,
    )
    return tuple(
        Refund(confirmation_id=confirmation, order_id=order_id, amount=from_micro(micro))
        for confirmation, order_id, micro in rows
    )


def _emails(connection: sqlite3.Connection, condition: str, *values: str) -> tuple[Email, ...]:
    rows = connection.execute(
        f"SELECT message_id, recipient, subject, body FROM outbox WHERE {condition} ORDER BY rowid",  # noqa: S608 - as above
        values,
    )
    return tuple(Email(message_id=identity, to=to, subject=subject, body=body) for identity, to, subject, body in rows)


def _fill(connection: sqlite3.Connection, seed: Seed) -> None:
    connection.executemany(
        "INSERT INTO shop_order VALUES (?, ?, ?, ?, ?, ?, ?)",
        [
            (
                order_id,
                order.customer,
                to_micro(order.total),
                order.eligible,
                to_micro(order.refundable),
                order.reason,
                order.issue_refund_fails_with,
            )
            for order_id, order in seed.orders.items()
        ],
    )
    connection.executemany(
        "INSERT INTO article VALUES (?, ?, ?)",
        [(identity, article.title, article.text) for identity, article in seed.articles.items()],
    )


def _new_id(prefix: str) -> str:
    """A number nobody can guess. Digits alone could be taken for a phone's and hidden; consonants spell no word."""
    return f"{prefix}-{''.join(choice(_DIGITS) for _ in range(4))}{''.join(choice(_CONSONANTS) for _ in range(5))}"


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds")
