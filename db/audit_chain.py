"""The chain over audit rows: each hash covers every field of its row and the hash before it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

import orjson

from db.stamp import fmt_dt

FIRST_HASH: Final = "0" * 64
"""What stands before the first row of a chain."""
HASH_FIELD: Final = "hash"


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchor:
    """The head of a chain at a moment, kept where the database is not: `seq` rows ended in `hash`."""

    organization_id: str
    seq: int
    hash: str
    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainReport:
    """What a check of one organization's chain found.

    Attributes:
        rows: Rows there are.
        first_seq: Number of the first one; later than 1 if older rows were retired, None if there are none.
        last_seq: Number of the last one.
        anchored_seq: Up to where anchors vouch for the chain; 0 if there is none.
        faults: What is wrong, in words; empty if nothing is.
    """

    organization_id: str
    rows: int
    first_seq: int | None
    last_seq: int
    anchored_seq: int
    faults: tuple[str, ...]

    @property
    def unanchored(self) -> tuple[int, int] | None:
        """The rows no anchor vouches for yet, first and last number: their loss could not be proven."""
        return (self.anchored_seq + 1, self.last_seq) if self.last_seq > self.anchored_seq else None


def row_hash(values: Mapping[str, Any]) -> str:
    """Hash of a row over all its fields but the hash itself, in canonical JSON (sorted keys, no blanks, moments as text)."""
    # Names of columns are a kind of str that JSON writers refuse.
    said = {str(name): _canonical(value) for name, value in values.items() if name != HASH_FIELD}
    return hashlib.sha256(orjson.dumps(said, option=orjson.OPT_SORT_KEYS)).hexdigest()


def check_chain(
    organization_id: str, rows: Iterable[Mapping[str, Any]], anchors: Sequence[Anchor], *, retired: Anchor | None = None
) -> ChainReport:
    """Check one chain.

    Args:
        organization_id: Whose.
        rows: Its rows in the order of their numbers, all fields.
        anchors: What was kept of its head elsewhere.
        retired: The last row that retention took away. It was written down before the rows went, so they may still be there.
    """
    faults: list[str] = []
    wanted: dict[int, list[Anchor]] = {}
    for anchor in anchors:
        wanted.setdefault(anchor.seq, []).append(anchor)
    previous, seq = FIRST_HASH, 0
    first, count = None, 0
    for row in rows:
        count += 1
        if first is None:
            first = row["seq"]
            if retired is not None and first > retired.seq:
                previous, seq = retired.hash, retired.seq
        if row["seq"] != seq + 1:
            faults.append(
                f"rows {seq + 1} to {row['seq'] - 1} are missing"
                if row["seq"] > seq
                else f"row {row['seq']} stands twice"
            )
        if row["previous_hash"] != previous:
            faults.append(f"row {row['seq']} does not follow the row before it")
        if row_hash(row) != row[HASH_FIELD]:
            faults.append(f"row {row['seq']} was changed")
        seq, previous = row["seq"], row[HASH_FIELD]
        faults += [
            f"row {seq} is not the one that was anchored at {anchor.at}"
            for anchor in wanted.get(seq, ())
            if anchor.hash != previous
        ]
    anchored = max(wanted, default=0)
    if anchored > seq:
        faults.append(f"rows {seq + 1} to {anchored} are missing at the end: they were anchored")
    return ChainReport(
        organization_id=organization_id,
        rows=count,
        first_seq=first,
        last_seq=seq,
        anchored_seq=min(anchored, seq),
        faults=tuple(faults),
    )


def _canonical(value: Any) -> Any:
    if isinstance(value, datetime):
        return fmt_dt(value)
    return list(value) if isinstance(value, tuple) else value
