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
    Parsed,
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

_FULL_PICTURE: Final = 0.3  # of the page: a picture this large may be a scanned page or table
_FEW_GLYPHS: Final = 50
_MAX_BLANK: Final = 0.3


def parse_pdf(data: bytes, file: str, limits: Limits, *, second_engine: bool = False) -> Parsed:
    """All lines and tables of a pdf file; with a `second_engine` their digits are compared with what that one reads.

    Scanned pages are recognised where the limits allow it.

    Raises:
        InputError: encrypted, damaged, too large, or without a text layer.
    """
    check = CrossCheck()
    with opened_document(data, file, limits) as (document, count), ExitStack() as stack:
        second = stack.enter_context(closing(SecondEngine(data, count))) if second_engine else None
        pages = _with_scans(document, list(_pages(document, count, file, limits, check, second)), file, limits)
    doubts = _page_doubts(pages, file)
    drop_furniture(pages)
    blocks, numbers, repairs = stitch(pages)
    finished = tuple(_finished(blocks, numbers))
    return Parsed(
        pages=count,
        blocks=finished,
        doubts=(
            *doubts,
            *repairs,
            *_loose_labels(blocks),
            *check.doubts(blocks, numbers),
            *_recognition_doubts(pages, finished),
        ),
        scanned_pages=tuple(page.number for page in pages if page.recognized is None and is_scan(page)),
        recognized_pages=tuple(page.number for page in pages if page.recognized is not None or is_traced(page)),
        straightenings=tuple(page.straightening for page in pages if page.straightening is not None),
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


def _with_scans(document: object, pages: list[Page], file: str, limits: Limits) -> list[Page]:
    """The pages with scanned ones as recognised, where the limits allow recognition."""
    if not limits.ocr_pages or not any(map(is_scan, pages)):
        return pages
    from algorithms.airflow_review.documents.scan.scans import read_scans  # an extra that may not be installed

    return read_scans(document, pages, is_scan, file, limits)


def is_scan(page: Page) -> bool:
    """A picture with next to no text: what it shows is not in the text layer."""
    return page.picture_share > _FULL_PICTURE and page.glyphs < _FEW_GLYPHS


def is_traced(page: Page) -> bool:
    """A picture under text that a recognition program has left unseen."""
    return page.picture_share > _FULL_PICTURE and page.is_invisible and page.glyphs >= _FEW_GLYPHS


def _recognition_doubts(pages: Sequence[Page], blocks: Sequence[Block]) -> Sequence[Doubt]:
    if not any(page.recognized for page in pages):
        return ()
    from algorithms.airflow_review.documents.scan.doubts import recognition_doubts  # only scans need it

    return recognition_doubts(pages, blocks)


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
        if page.recognized is not None:
            continue
        if is_traced(page):
            message = say("doubt.scanned_page")
        elif is_scan(page):
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
