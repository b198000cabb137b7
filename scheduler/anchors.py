"""Anchors of the audit chains: their heads, kept in a file of their own, where the database's owner may not reach."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from db.audit_chain import Anchor
from scheduler.line_file import append_lines

_RETIRED: Final = "retired"
_TEXT_FIELDS: Final = ("organization_id", "hash", "at")


@dataclass(frozen=True, slots=True, kw_only=True)
class AnchorRecord:
    """What the file of anchors says.

    Attributes:
        anchors: Heads that vouch for rows which are still kept.
        retired: By organization the last rows that retention took away, oldest first.
        faults: Lines that are no anchors, or why the file cannot be read, in words.
        notes: What is odd and proves nothing, in words.
    """

    anchors: tuple[Anchor, ...] = ()
    retired: Mapping[str, Sequence[Anchor]]
    faults: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class AnchorFile:
    """A file that only grows, one JSON object a line; put it on another disk, or copy it to another machine."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._last: dict[str, int] = {}

    def add(self, heads: Sequence[Anchor], *, is_retired: bool = False) -> int:
        """Append the heads that have moved since the last time; how many there were. They are on disk when this returns.

        With `is_retired` they are the last rows that retention took away.

        Raises:
            OSError: The file cannot be written.
        """
        moved = [
            head for head in heads if head.seq and (is_retired or self._last.get(head.organization_id) != head.seq)
        ]
        if not moved:
            return 0
        mark = {_RETIRED: True} if is_retired else {}
        append_lines(self._path, [json.dumps({**asdict(head), **mark}) for head in moved])
        if not is_retired:
            self._last |= {head.organization_id: head.seq for head in moved}
        return len(moved)

    def read(self) -> AnchorRecord:
        """All that the file says; whatever is wrong with it is a finding, never an exception."""
        try:
            data = self._path.read_bytes()
        except FileNotFoundError:
            return AnchorRecord(retired={}, notes=(f"there is no anchor file at {self._path}",))
        except OSError as error:
            return AnchorRecord(
                retired={}, faults=(f"the anchor file {self._path} cannot be read: {error.strerror or error}",)
            )
        anchors: list[Anchor] = []
        retired: dict[str, list[Anchor]] = {}
        faults, notes = [], []
        for number, line in enumerate(data.split(b"\n"), start=1):
            if not line.strip():
                continue
            try:
                anchor, is_retired = _parse(line)
            except (ValueError, RecursionError):
                place = f"line {number} of the anchor file {self._path}"
                if line.startswith(b"{") and not line.endswith(b"}"):
                    notes.append(f"{place} was cut off while it was written; it vouches for nothing")
                else:
                    faults.append(f"{place} is no anchor")
                continue
            if is_retired:
                retired.setdefault(anchor.organization_id, []).append(anchor)
            else:
                anchors.append(anchor)
        for ends in retired.values():
            ends.sort(key=lambda end: end.seq)
        gone = {organization: ends[-1].seq for organization, ends in retired.items()}
        return AnchorRecord(
            anchors=tuple(anchor for anchor in anchors if anchor.seq > gone.get(anchor.organization_id, 0)),
            retired=retired,
            faults=tuple(faults),
            notes=tuple(notes),
        )


def _parse(line: bytes) -> tuple[Anchor, bool]:
    """An anchor and whether retention made it.

    Raises:
        ValueError: The line is none.
    """
    values: Any = json.loads(line)
    if not isinstance(values, dict):
        raise ValueError("no object")  # noqa: TRY004 - the one error of this function
    is_retired = values.pop(_RETIRED, False)
    if (
        values.keys() != {*_TEXT_FIELDS, "seq"}
        or not all(isinstance(values[name], str) for name in _TEXT_FIELDS)
        or type(values["seq"]) is not int
        or values["seq"] < 1
    ):
        raise ValueError("no anchor")
    return Anchor(**values), bool(is_retired)
