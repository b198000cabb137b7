"""A `Document` as JSON text and back, for the way out of the parsing process.

JSON and not pickle: the parsing process reads foreign bytes, and a pickle could make the reader run what it says.
"""

from __future__ import annotations

import json
from typing import Any

from algorithms.airflow_review.documents.document import (
    BBox,
    Block,
    Cell,
    Document,
    DocumentKind,
    Doubt,
    InputError,
    InputProblem,
    Line,
    Row,
    Table,
)


def to_text(outcome: Document | InputError) -> str:
    """A document or a refusal as one JSON text."""
    if isinstance(outcome, InputError):
        _, parts = outcome.__reduce__()
        return json.dumps({"error": parts})
    return json.dumps(
        {
            "file": outcome.file,
            "sha256": outcome.sha256,
            "kind": outcome.kind,
            "pages": outcome.pages,
            "blocks": [_packed(block) for block in outcome.blocks],
            "doubts": [[d.message, d.message_en, d.quote, d.page, d.table, d.row, d.other] for d in outcome.doubts],
        },
        separators=(",", ":"),
    )


def from_text(text: str | bytes) -> Document | InputError:
    """What `to_text` was given."""
    data = json.loads(text)
    if "error" in data:
        return refusal_of(data)
    return Document(
        file=data["file"],
        sha256=data["sha256"],
        kind=DocumentKind(data["kind"]),
        pages=data["pages"],
        blocks=tuple(map(_unpacked, data["blocks"])),
        doubts=tuple(
            Doubt(message=message, message_en=message_en, quote=quote, page=page, table=table, row=row, other=other)
            for message, message_en, quote, page, table, row, other in data["doubts"]
        ),
    )


def refusal_of(data: dict[str, Any]) -> InputError:
    """The refusal that `to_text` packed as `error`."""
    problem, *texts = data["error"]
    return InputError(InputProblem(problem), *texts)


def _packed(block: Block) -> list[Any]:
    if isinstance(block, Line):
        return [block.text, block.page, block.bbox, block.line, block.size, block.is_formula]
    rows = [
        [row.page, row.bbox, row.line, [[cell.text, *cell.key, cell.origin, cell.bbox] for cell in row.cells]]
        for row in block.rows
    ]
    return [block.index, block.sheet, block.ruled, rows]


def _unpacked(data: list[Any]) -> Block:
    if isinstance(data[0], str):
        text, page, bbox, line, size, is_formula = data
        return Line(text=text, page=page, bbox=_box(bbox), line=line, size=size, is_formula=is_formula)
    index, sheet, ruled, rows = data
    return Table(index=index, sheet=sheet, ruled=ruled, rows=tuple(map(_row, rows)))


def _row(data: list[Any]) -> Row:
    page, bbox, line, cells = data
    return Row(
        page=page,
        bbox=_box(bbox),
        line=line,
        cells=tuple(
            Cell(text=text, key=(row, column), origin=origin, bbox=_box(box))
            for text, row, column, origin, box in cells
        ),
    )


def _box(data: list[float] | None) -> BBox | None:
    if data is None:
        return None
    x0, top, x1, bottom = data
    return (x0, top, x1, bottom)
