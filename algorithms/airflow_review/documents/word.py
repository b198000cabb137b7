"""Reads docx files by walking their XML: paragraphs, tables, nested tables, text boxes, equations.

Object models of the format drop equations, raised text, text boxes, automatic numbers and tracked changes; the XML has them all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import Final

from algorithms.airflow_review.documents import refusal
from algorithms.airflow_review.documents.cell_text import join_lines, raised, tidy
from algorithms.airflow_review.documents.continued import join_continued
from algorithms.airflow_review.documents.document import Block, Doubt, Line, Row, Table
from algorithms.airflow_review.documents.equations import linear_form
from algorithms.airflow_review.documents.layout import Placed, lay_out, plain_table
from algorithms.airflow_review.documents.word_numbering import Numbering
from algorithms.airflow_review.documents.word_package import MC, Element, M, W, WordPackage
from algorithms.airflow_review.messages.catalogue import say
from algorithms.airflow_review.value_class import dataclass

_PARAGRAPH, _TABLE, _RUN, _BOX = f"{W}p", f"{W}tbl", f"{W}r", f"{W}txbxContent"
_PICTURES: Final = (
    "{http://schemas.openxmlformats.org/drawingml/2006/main}blip",
    "{urn:schemas-microsoft-com:vml}imagedata",
)
# Deleted and moved-away text, properties: nothing of it is on the page.
_SKIPPED: Final = frozenset(
    f"{W}{name}"
    for name in ("del", "moveFrom", "rPr", "pPr", "instrText", "delText", "sectPr", "tblPr", "trPr", "tcPr")
)
_SWITCHED_OFF: Final = frozenset({"0", "false", "off"})
_CHARACTERS: Final = {f"{W}noBreakHyphen": "-", f"{W}tab": "\t", f"{W}cr": "\n", f"{W}ptab": "\t"}


def parse_word(data: bytes, file: str) -> tuple[tuple[Block, ...], tuple[Doubt, ...]]:
    """Paragraphs and tables in order, and embedded objects that hide text; `Line.line` counts paragraphs outside tables.

    Raises:
        InputError: the package or its main part cannot be read, or it holds pictures only.
    """
    package = WordPackage(data, file)
    body = package.body()
    walk = _Walk(Numbering.of(package))
    walk.blocks_of(body)
    walk.flush()
    if not walk.blocks and next(body.iter(*_PICTURES), None) is not None:
        raise refusal.no_text(file, say("refusal.only_pictures"))
    return join_continued(walk.blocks), tuple(walk.doubts)


@dataclass(slots=True)
class _Walk:
    numbering: Numbering
    blocks: list[Block] = field(default_factory=list)
    paragraphs: int = 0
    tables: int = 0
    doubts: list[Doubt] = field(default_factory=list)
    aligned: list[tuple[int, str]] = field(default_factory=list)  # paragraphs aligned by tabs, not yet placed

    def blocks_of(self, parent: Element) -> None:
        """Appends what stands in a body, a content control, a text box or a frame cell."""
        for node in parent.iterchildren("*"):
            if node.tag == _PARAGRAPH:
                self._paragraph(node)
            elif node.tag == _TABLE:
                self._table(node)
            elif node.tag not in _SKIPPED:
                self.blocks_of(node)

    def _paragraph(self, node: Element) -> None:
        self.paragraphs += 1
        if node.find(f".//{W}object") is not None:
            message = say("doubt.embedded_object", number=self.paragraphs)
            self.doubts.append(Doubt.of(message, tidy(_text(node))))
        label, text = self.numbering.label(node), _text(node).strip("\n")
        if text.strip().count("\t") > 1 and "\n" not in text:
            self.aligned.append((self.paragraphs, label + text))
        else:
            self.flush()
            self._lines(label + text if text.strip() else "", is_formula=_is_formula(node))
        for box in _boxes(node):
            self.blocks_of(box)

    def _lines(self, text: str, *, is_formula: bool) -> None:
        for part in map(tidy, text.replace("\t", " ").split("\n")):
            if part:
                self.blocks.append(Line(text=part, line=self.paragraphs, is_formula=is_formula))

    def flush(self) -> None:
        """Places the paragraphs aligned by tabs: two and more below each other are a table."""
        if len(self.aligned) > 1:
            self.tables += 1
            texts = [[tidy(cell) for cell in text.split("\t")] for _, text in self.aligned]
            self.blocks.append(plain_table(self.tables, texts, lines=[line for line, _ in self.aligned]))
        else:
            self.blocks += [Line(text=tidy(text.replace("\t", " ")), line=line) for line, text in self.aligned]
        self.aligned = []

    def _table(self, node: Element) -> None:
        self.flush()
        rows = [_cells(row) for row in _descend(node, f"{W}tr")]
        if len(rows) == 1 and len(rows[0]) == 1:  # a frame around text, not a table
            self.blocks_of(rows[0][0].node)
            return
        placed, width = _place(rows, self.numbering)
        if width and any(item.text for item in placed):
            self.tables += 1
            grid = lay_out(placed, len(rows), width)
            self.blocks.append(Table(index=self.tables, rows=tuple(Row(cells=tuple(cells)) for cells in grid)))
        for cell in (cell for row in rows for cell in row):
            for inner in _nested(cell.node):
                self._table(inner) if inner.tag == _TABLE else self.blocks_of(inner)


@dataclass(frozen=True, slots=True, kw_only=True)
class _WordCell:
    node: Element
    column: int
    columns: int
    continues: bool  # the cell continues a vertical merge


def _cells(row: Element) -> list[_WordCell]:
    column = _number(row, f"{W}trPr/{W}gridBefore", 0)
    cells = []
    for node in _descend(row, f"{W}tc"):
        columns = _number(node, f"{W}tcPr/{W}gridSpan", 1)
        merge = node.find(f"{W}tcPr/{W}vMerge")
        continues = merge is not None and merge.get(f"{W}val", "continue") == "continue"
        cells.append(_WordCell(node=node, column=column, columns=columns, continues=continues))
        column += columns
    return cells


def _place(rows: list[list[_WordCell]], numbering: Numbering) -> tuple[list[Placed], int]:
    """Cells with their spans; a merge runs down as long as cells at its column continue it."""
    starts = [{cell.column: cell for cell in row} for row in rows]
    placed = []
    for at, row in enumerate(rows):
        for cell in row:
            if cell.continues and at and cell.column in starts[at - 1]:
                continue
            end = at + 1
            while end < len(rows) and (below := starts[end].get(cell.column)) and below.continues:
                end += 1
            text = join_lines(_cell_lines(cell.node, numbering))
            placed.append(Placed(row=at, column=cell.column, rows=end - at, columns=cell.columns, text=text))
    return placed, max((cell.column + cell.columns for row in rows for cell in row), default=0)


def _number(node: Element, path: str, default: int) -> int:
    found = node.find(path)
    text = "" if found is None else found.get(f"{W}val", "")
    return min(int(text), 1000) if text.isdecimal() else default


def _descend(node: Element, tag: str) -> Iterator[Element]:
    """Rows of a table or cells of a row, also those wrapped in content controls or tracked insertions."""
    for child in node.iterchildren("*"):
        if child.tag == tag:
            if not _is_deleted(child):
                yield child
        elif child.tag not in _SKIPPED and child.tag not in {_TABLE, _PARAGRAPH}:
            yield from _descend(child, tag)


def _is_deleted(row: Element) -> bool:
    return row.find(f"{W}trPr/{W}del") is not None or row.find(f"{W}tcPr/{W}cellDel") is not None


def _cell_lines(cell: Element, numbering: Numbering) -> list[str]:
    """The lines of a cell's own paragraphs; nested tables and text boxes come after the table."""
    lines: list[str] = []
    for node in cell.iterchildren("*"):
        if node.tag == _PARAGRAPH:
            lines += (numbering.label(node) + _text(node)).replace("\t", " ").split("\n")
        elif node.tag not in _SKIPPED and node.tag != _TABLE:
            lines += _cell_lines(node, numbering)
    return lines


def _nested(cell: Element) -> Iterator[Element]:
    for node in cell.iterchildren("*"):
        if node.tag == _TABLE:
            yield node
        elif node.tag == _PARAGRAPH:
            yield from _boxes(node)
        elif node.tag not in _SKIPPED:
            yield from _nested(node)


def _text(node: Element) -> str:
    """Text of a paragraph or of a part of it, as the page shows it."""
    parts = []
    for child in node.iterchildren("*"):
        tag = child.tag
        if tag == _RUN:
            parts.append(_run(child))
        elif tag in {f"{M}oMath", f"{M}oMathPara"}:
            parts.append(linear_form(child))
        elif tag == f"{MC}AlternateContent":
            parts.append("".join(map(_text, child.iterchildren(f"{MC}Choice"))))
        elif tag not in _SKIPPED and tag != _BOX:
            parts.append(_text(child))
    return "".join(parts)


def _run(run: Element) -> str:
    hidden = run.find(f"{W}rPr/{W}vanish")
    # A run may take back what its style hides.
    if hidden is not None and hidden.get(f"{W}val", "true") not in _SWITCHED_OFF:
        return ""
    parts = []
    for child in run.iterchildren("*"):
        if child.tag == f"{W}t":
            parts.append(child.text or "")
        elif child.tag == f"{W}br":
            parts.append("" if child.get(f"{W}type") in {"page", "column"} else "\n")
        elif child.tag == f"{W}sym":
            parts.append(_symbol(child))
        else:
            parts.append(_CHARACTERS.get(child.tag, ""))
    text = "".join(parts)
    align = run.find(f"{W}rPr/{W}vertAlign")
    return raised(text) if align is not None and align.get(f"{W}val") == "superscript" else text


def _symbol(node: Element) -> str:
    """A character of a symbol font; the private-use ones of the Symbol font that formulas use are named."""
    code = int(node.get(f"{W}char", "20"), 16)
    return _SYMBOL_FONT.get(code, chr(code))


_SYMBOL_FONT: Final = {
    0xF000 + code: char
    for code, char in {
        0x44: "Δ", 0x53: "Σ", 0x71: "θ", 0x72: "ρ", 0xA3: "≤", 0xB0: "°",
        0xB1: "±", 0xB3: "≥", 0xB4: "×", 0xB8: "÷", 0xD7: "·",
    }.items()
}  # fmt: skip


def _is_formula(node: Element) -> bool:
    """Whether an equation object is all the paragraph shows."""
    has_text = any(_run(run).strip() for run in node.iter(_RUN))
    return not has_text and node.find(f".//{M}oMath") is not None


def _boxes(node: Element) -> Iterator[Element]:
    """Text boxes anchored in a paragraph, outermost ones only, each once (not its fallback copy)."""
    for child in node.iterchildren("*"):
        if child.tag == _BOX:
            yield child
        elif child.tag == f"{MC}AlternateContent":
            choice = child.find(f"{MC}Choice")
            yield from _boxes(child if choice is None else choice)
        elif child.tag not in _SKIPPED:
            yield from _boxes(child)
