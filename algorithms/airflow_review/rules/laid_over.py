"""A mine's records over the library's: ours give way on the days the mine's cover, and on no other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date, timedelta
from typing import Final

from algorithms.airflow_review.rules.records import Origin, Record

_DAY: Final = timedelta(days=1)


def laid_over(ours: tuple[Record, ...], theirs: tuple[Record, ...]) -> tuple[Record, ...]:
    """The mine's records first, then what is left of ours; a record of ours may be left in several pieces."""
    known = {record.id for record in ours}
    marked = tuple(replace(record, origin=Origin.REPLACES if record.id in known else Origin.ADDS) for record in theirs)
    left = (piece for record in ours for piece in _left_of(record, (own for own in theirs if own.id == record.id)))
    return (*marked, *left)


def _left_of(record: Record, own: Iterable[Record]) -> Iterator[Record]:
    """The record on the days that none of the mine's covers."""
    pieces = [record]
    for one in own:
        pieces = [rest for piece in pieces for rest in _without(piece, one)]
    yield from pieces


def _without(piece: Record, taken: Record) -> Iterator[Record]:
    """Up to two pieces: before the first day taken and after the last."""
    if taken.effective_from is not None and taken.effective_from > date.min:
        before = taken.effective_from - _DAY
        if _is_before(piece.effective_from, before):
            yield replace(piece, effective_to=min(before, piece.effective_to or before))
    if taken.effective_to is not None and taken.effective_to < date.max:
        after = taken.effective_to + _DAY
        if piece.effective_to is None or after <= piece.effective_to:
            yield replace(piece, effective_from=max(after, piece.effective_from or after))


def _is_before(first: date | None, last: date) -> bool:
    return first is None or first <= last
