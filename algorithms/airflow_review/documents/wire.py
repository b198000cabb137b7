"""A `Document` as JSON text and back, for the way out of the parsing process.

JSON and not pickle: the parsing process reads foreign bytes, and a pickle could make the reader run what it says.
"""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any, Final

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
from algorithms.airflow_review.documents.straightening import Straightening

_DOUBT: Final = tuple(field.name for field in fields(Doubt))


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
            "doubts": [[getattr(doubt, name) for name in _DOUBT] for doubt in outcome.doubts],
            "scanned": outcome.scanned_pages,
            "recognized": outcome.recognized_pages,
            "straightened": [[s.page, s.corner, s.right, s.down] for s in outcome.straightenings],
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
        doubts=tuple(Doubt(**dict(zip(_DOUBT, values, strict=True))) for values in data["doubts"]),
        scanned_pages=tuple(data["scanned"]),
        recognized_pages=tuple(data["recognized"]),
        straightenings=tuple(
            Straightening(page=page, corner=tuple(corner), right=tuple(right), down=tuple(down))
            for page, corner, right, down in data["straightened"]
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
