"""A pdf file to blocks: pages, furniture, stitching, and the refusals that only the content shows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from typing import Final

from algorithms.airflow_review.documents import refusal
from algorithms.airflow_review.documents.document import (
    Block,
    Cell,
    Doubt,
    Line,
    Row,
    Table,
)
from algorithms.airflow_review.documents.limits import Limits
from algorithms.airflow_review.documents.pdf.cross_check import CrossCheck
from algorithms.airflow_review.documents.pdf.furniture import drop_furniture
from algorithms.airflow_review.documents.pdf.glyphs import read_glyphs
from algorithms.airflow_review.documents.pdf.opened import opened_document, opened_page
from algorithms.airflow_review.documents.pdf.page import build_page
from algorithms.airflow_review.documents.pdf.paging import Page, PageCell, PageLine, PageTable
from algorithms.airflow_review.documents.pdf.rules import read_drawing
from algorithms.airflow_review.documents.pdf.second_engine import SecondEngine
from algorithms.airflow_review.documents.pdf.stitch import stitch
from algorithms.airflow_review.messages.catalogue import say
from algorithms.airflow_review.value_class import dataclass

_FULL_PICTURE: Final = 0.3  # of the page: a picture this large may be a scanned page or table
_FEW_GLYPHS: Final = 50
_MAX_BLANK: Final = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedPdf:
    """What a pdf file holds."""

    pages: int
    blocks: tuple[Block, ...]
    doubts: tuple[Doubt, ...]


def parse_pdf(data: bytes, file: str, limits: Limits, *, second_engine: bool = False) -> ParsedPdf:
    """All lines and tables of a pdf file; with a `second_engine` their digits are compared with what that one reads.

    Raises:
        InputError: encrypted, damaged, too large, or without a text layer.
    """
    check = CrossCheck()
    with opened_document(data, file, limits) as (document, count), ExitStack() as stack:
        second = stack.enter_context(closing(SecondEngine(data, count))) if second_engine else None
        pages = list(_pages(document, count, file, limits, check, second))
    doubts = _page_doubts(pages, file)
    drop_furniture(pages)
    blocks, numbers, repairs = stitch(pages)
    return ParsedPdf(
        pages=count,
        blocks=tuple(_finished(blocks, numbers)),
        doubts=(*doubts, *repairs, *_loose_labels(blocks), *check.doubts(blocks, numbers)),
    )


def _pages(
    document: object, count: int, file: str, limits: Limits, check: CrossCheck, second: SecondEngine | None
) -> Iterator[Page]:
    for number in range(1, count + 1):
        with opened_page(document, number, file, limits) as (page, text, glyphs):
            shown = read_glyphs(page, text, glyphs)
            yield build_page(number, shown, read_drawing(page, shown.turn))
            if second is not None:
                check.add(number, shown, second.next_page())


def _page_doubts(pages: Sequence[Page], file: str) -> list[Doubt]:
    """Pages whose content is not, or not surely, in the text layer.

    Raises:
        InputError: no page has text, or many pages came out empty, as they do when their content is destroyed.
    """
    if not any(page.glyphs for page in pages):
        if any(page.picture_share > _FULL_PICTURE for page in pages):
            raise refusal.no_text(file, say("refusal.is_scan"))
        raise refusal.damaged(file, say("refusal.nothing_read"))
    blank = [page for page in pages if not page.glyphs and not page.picture_share and not page.has_rules]
    if len(blank) > max(1.0, _MAX_BLANK * len(pages)):
        raise refusal.damaged(file, say("refusal.blank_pages", pages=len(pages), blank=len(blank)))
    doubts = []
    for page in pages:
        if page.picture_share > _FULL_PICTURE and page.is_invisible:
            message = say("doubt.scanned_page")
        elif page.picture_share > _FULL_PICTURE and page.glyphs < _FEW_GLYPHS:
            message = say("doubt.picture_page")
        elif page in blank:
            message = say("doubt.blank_page")
        else:
            continue
        doubts.append(Doubt.of(message, "", page=page.number))
    return doubts


def _loose_labels(blocks: Sequence[PageLine | PageTable]) -> Iterator[Doubt]:
    tables = [block for block in blocks if isinstance(block, PageTable)]
    for index, table in enumerate(tables, start=1):
        if table.has_loose_labels:
            message = say("doubt.loose_labels", index=index)
            quote = "".join(dict.fromkeys(cell.text for cell in table.rows[0].cells))
            yield Doubt.of(message, quote, page=table.rows[0].page, table=index)


def _finished(blocks: Sequence[PageLine | PageTable], numbers: Sequence[int]) -> Iterator[Block]:
    tables = 0
    for block, page in zip(blocks, numbers, strict=True):
        if isinstance(block, PageLine):
            yield Line(text=block.text, page=page, bbox=block.bbox, size=block.size)
        else:
            tables += 1
            yield Table(index=tables, rows=tuple(_rows(block)), ruled=block.ruled)


def _rows(table: PageTable) -> Iterator[Row]:
    first_seen: dict[int, tuple[int, int]] = {}
    for at, row in enumerate(table.rows):
        cells = tuple(_cell(cell, (at, column), first_seen) for column, cell in enumerate(row.cells))
        yield Row(cells=cells, page=row.page, bbox=row.bbox)


def _cell(cell: PageCell, place: tuple[int, int], first_seen: dict[int, tuple[int, int]]) -> Cell:
    key = first_seen.setdefault(id(cell), place)
    return Cell(text=cell.text, key=key, origin=key == place, bbox=cell.bbox)
