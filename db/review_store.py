"""The queue for people: what code wants a person to judge, and what they said."""

from __future__ import annotations

from sqlalchemy import select, update

from db.db_conn import Database
from db.errors import ConflictError, NotFoundError
from db.guard_tables import REVIEW_ITEM
from db.records import Page, ReviewItem
from db.rows import columns_of, insert_records, to_record
from db.stamp import utc_now


class ReviewStore:
    """Keeps items; a verdict is given once."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def add(self, item: ReviewItem) -> None:
        """Put an item into the queue.

        Raises:
            DuplicateError: It is there already.
        """
        await self._db.write(lambda connection: insert_records(connection, REVIEW_ITEM, [item], item.review_id))

    async def page(
        self, *, is_open: bool | None = None, kind: str | None = None, before: str | None = None, limit: int = 50
    ) -> Page[ReviewItem]:
        """Items, newest first; `before` is the id behind which the stretch begins."""
        wanted = select(*columns_of(REVIEW_ITEM, ReviewItem))
        if is_open is not None:
            wanted = wanted.where(REVIEW_ITEM.c.verdict.is_(None) if is_open else REVIEW_ITEM.c.verdict.is_not(None))
        if kind is not None:
            wanted = wanted.where(REVIEW_ITEM.c.kind == kind)
        if before is not None:
            wanted = wanted.where(REVIEW_ITEM.c.review_id < before)
        wanted = wanted.order_by(REVIEW_ITEM.c.review_id.desc()).limit(limit + 1)
        rows = await self._db.read(lambda connection: connection.execute(wanted).all())
        items = [to_record(ReviewItem, row) for row in rows[:limit]]
        return Page(items=items, next_cursor=items[-1].review_id if len(rows) > limit else None)

    async def decide(self, review_id: str, *, verdict: str, note: str, decided_by: str) -> ReviewItem:
        """Give the verdict; the same one again changes nothing.

        Raises:
            NotFoundError: There is no such item.
            ConflictError: It has another verdict.
        """
        mine = REVIEW_ITEM.c.review_id == review_id
        change = update(REVIEW_ITEM).where(mine, REVIEW_ITEM.c.verdict.is_(None))
        values = {"verdict": verdict, "note": note, "decided_by": decided_by, "decided_at": utc_now()}
        await self._db.write(lambda connection: connection.execute(change.values(values)))
        query = select(*columns_of(REVIEW_ITEM, ReviewItem)).where(mine)
        row = await self._db.read(lambda connection: connection.execute(query).first())
        if row is None:
            raise NotFoundError(f"no review {review_id!r}")
        item = to_record(ReviewItem, row)
        if item.verdict != verdict:
            raise ConflictError(f"review {review_id!r} has the verdict {item.verdict!r}")
        return item

    async def sampled_tools(self, run_id: str) -> frozenset[str]:
        """The tools of a run whose actions are in the queue as a sample."""
        query = select(REVIEW_ITEM.c.tool).where(REVIEW_ITEM.c.run_id == run_id, REVIEW_ITEM.c.kind == "sample")
        return frozenset(await self._db.read(lambda connection: connection.execute(query).scalars().all()))

    async def outcomes(self, *, kind: str, model: str) -> list[ReviewItem]:
        """Judged items of a kind and a model version, oldest first: what a calibration is computed from."""
        query = select(*columns_of(REVIEW_ITEM, ReviewItem)).where(
            REVIEW_ITEM.c.kind == kind, REVIEW_ITEM.c.model == model, REVIEW_ITEM.c.verdict.is_not(None)
        )
        rows = await self._db.read(lambda connection: connection.execute(query.order_by(REVIEW_ITEM.c.review_id)).all())
        return [to_record(ReviewItem, row) for row in rows]
