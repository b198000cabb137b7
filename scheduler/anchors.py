"""Anchors of the audit chains: their heads, kept in a file of their own, where the database's owner may not reach."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Final

from db.audit_chain import Anchor

_RETIRED: Final = "retired"


class AnchorFile:
    """A file that only grows, one JSON object a line; put it on another disk, or copy it to another machine."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._last: dict[str, int] = {}

    def add(self, heads: Sequence[Anchor], *, is_retired: bool = False) -> int:
        """Append the heads that have moved since the last time; how many there were. They are on disk when this returns.

        With `is_retired` they are the last rows that retention took away.
        """
        moved = [
            head for head in heads if head.seq and (is_retired or self._last.get(head.organization_id) != head.seq)
        ]
        if not moved:
            return 0
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a", encoding="utf-8") as file:
            for head in moved:
                file.write(json.dumps({**asdict(head), **({_RETIRED: True} if is_retired else {})}) + "\n")
            file.flush()
            os.fsync(file.fileno())
        if not is_retired:
            self._last |= {head.organization_id: head.seq for head in moved}
        return len(moved)

    def read(self) -> tuple[list[Anchor], dict[str, Anchor]]:
        """All anchors, and by organization the last row that retention took away.

        A last line that was cut off while it was written is left out; it vouched for nothing yet.

        Raises:
            ValueError: Another line is no anchor; the message names it.
        """
        if not self._path.is_file():
            return [], {}
        anchors: list[Anchor] = []
        retired: dict[str, Anchor] = {}
        lines = self._path.read_text(encoding="utf-8").split("\n")
        for number, line in enumerate(lines, start=1):
            if not line:
                continue
            try:
                values = json.loads(line)
                is_retired = bool(values.pop(_RETIRED, False))
                anchor = Anchor(**values)
            except (ValueError, TypeError, AttributeError) as error:
                if number == len(lines):
                    continue
                raise ValueError(f"{self._path.name}, line {number}: no anchor") from error
            if is_retired:
                retired[anchor.organization_id] = anchor
            else:
                anchors.append(anchor)
        return [
            a for a in anchors if a.seq > (retired[a.organization_id].seq if a.organization_id in retired else 0)
        ], retired
