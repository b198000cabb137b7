"""Tables that an author cut in two with the word `续表` become one again."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from algorithms.airflow_review.documents.document import Block, Line, Row, Table

CONTINUED: Final = re.compile(r"[（(]?\s*(?:接上[页表]|续\s*表?)[\s\d\-.]*[）)]?|.{0,40}[（(]\s*续\s*表?\s*[）)]")


def join_continued(blocks: Iterable[Block]) -> tuple[Block, ...]:
    """The blocks with each continued part appended to its table, its caption and repeated header gone."""
    result: list[Block] = []
    for block in blocks:
        if isinstance(block, Table) and len(result) > 1 and _goes_on(result[-2], result[-1], block):
            upper = result[-2]
            result[-2:] = [_joined(upper, block)] if isinstance(upper, Table) else []
        else:
            result.append(block)
    index = 0
    for at, block in enumerate(result):
        if isinstance(block, Table):
            index += 1
            result[at] = replace(block, index=index)
    return tuple(result)


def _goes_on(upper: Block, caption: Block, lower: Table) -> bool:
    return (
        isinstance(upper, Table)
        and isinstance(caption, Line)
        and CONTINUED.fullmatch(caption.text) is not None
        and len(upper.rows[0].cells) == len(lower.rows[0].cells)
    )


def _joined(upper: Table, lower: Table) -> Table:
    repeated = lower.rows[0].texts == upper.rows[0].texts
    shift = len(upper.rows) - repeated
    rows = [
        Row(
            cells=tuple(replace(cell, key=(cell.key[0] + shift, cell.key[1])) for cell in row.cells),
            page=row.page,
            bbox=row.bbox,
            line=row.line,
        )
        for row in lower.rows[repeated:]
    ]
    return replace(upper, rows=(*upper.rows, *rows))
