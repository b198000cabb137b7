"""A pdf file to blocks: pages, furniture, stitching, and the refusals that only the content shows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import pypdfium2_raw as pdfium

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
from algorithms.airflow_review.documents.pdf.furniture import drop_furniture
from algorithms.airflow_review.documents.pdf.glyphs import read_glyphs
from algorithms.airflow_review.documents.pdf.page import build_page
from algorithms.airflow_review.documents.pdf.paging import Page, PageCell, PageLine, PageTable
from algorithms.airflow_review.documents.pdf.rules import read_drawing
from algorithms.airflow_review.documents.pdf.stitch import stitch

_FULL_PICTURE: Final = 0.3  # of the page: a picture this large may be a scanned page or table
_FEW_GLYPHS: Final = 50
_MAX_BLANK: Final = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedPdf:
    """What a pdf file holds."""

    pages: int
    blocks: tuple[Block, ...]
    doubts: tuple[Doubt, ...]


def parse_pdf(data: bytes, file: str, limits: Limits) -> ParsedPdf:
    """All lines and tables of a pdf file.

    Raises:
        InputError: encrypted, damaged, too large, or without a text layer.
    """
    pdfium.FPDF_InitLibrary()
    document = pdfium.FPDF_LoadMemDocument64(data, len(data), None)
    if not document:
        is_locked = pdfium.FPDF_GetLastError() == pdfium.FPDF_ERR_PASSWORD
        raise refusal.encrypted(file) if is_locked else refusal.damaged(file)
    try:
        count = pdfium.FPDF_GetPageCount(document)
        if count < 1:
            raise refusal.damaged(file)
        if count > limits.pages:
            raise refusal.too_large(file, f"共 {count} 页，超过 {limits.pages} 页的上限")
        pages = list(_pages(document, count, file, limits))
    finally:
        pdfium.FPDF_CloseDocument(document)
    doubts = _page_doubts(pages, file)
    drop_furniture(pages)
    blocks, numbers, repairs = stitch(pages)
    return ParsedPdf(
        pages=count, blocks=tuple(_finished(blocks, numbers)), doubts=(*doubts, *repairs, *_loose_labels(blocks))
    )


def _pages(document: object, count: int, file: str, limits: Limits) -> Iterator[Page]:
    for at in range(count):
        page = pdfium.FPDF_LoadPage(document, at)
        if not page:
            raise refusal.damaged(file, f"第 {at + 1} 页无法读取")
        text = pdfium.FPDFText_LoadPage(page)
        try:
            glyphs = pdfium.FPDFText_CountChars(text)
            objects = pdfium.FPDFPage_CountObjects(page)
            if glyphs > limits.page_glyphs or objects > limits.page_objects:
                raise refusal.too_large(file, f"第 {at + 1} 页有 {glyphs} 个字符、{objects} 个图形")
            shown = read_glyphs(page, text, max(glyphs, 0))
            yield build_page(at + 1, shown, read_drawing(page, shown.turn))
        finally:
            pdfium.FPDFText_ClosePage(text)
            pdfium.FPDF_ClosePage(page)


def _page_doubts(pages: Sequence[Page], file: str) -> list[Doubt]:
    """Pages whose content is not, or not surely, in the text layer.

    Raises:
        InputError: no page has text, or many pages came out empty, as they do when their content is destroyed.
    """
    if not any(page.glyphs for page in pages):
        if any(page.picture_share > _FULL_PICTURE for page in pages):
            raise refusal.no_text(file, "文件是扫描件或图片")
        raise refusal.damaged(file, "没有读到任何文字和图片")
    blank = [page for page in pages if not page.glyphs and not page.picture_share and not page.has_rules]
    if len(blank) > max(1.0, _MAX_BLANK * len(pages)):
        raise refusal.damaged(file, f"{len(pages)} 页中有 {len(blank)} 页读不到任何内容")
    doubts = []
    for page in pages:
        if page.picture_share > _FULL_PICTURE and page.is_invisible:
            message = "本页是扫描图片，文字来自识别层，数字请对照原图核对。"
        elif page.picture_share > _FULL_PICTURE and page.glyphs < _FEW_GLYPHS:
            message = "本页主要是图片，图片中的文字和表格没有读取，请人工核对。"
        elif page in blank:
            message = "本页没有读到任何内容，请核对原文件是否为空白页。"
        else:
            continue
        doubts.append(Doubt(message=message, quote="", page=page.number))
    return doubts


def _loose_labels(blocks: Sequence[PageLine | PageTable]) -> Iterator[Doubt]:
    tables = [block for block in blocks if isinstance(block, PageTable)]
    for index, table in enumerate(tables, start=1):
        if table.has_loose_labels:
            message = f"第 {index} 个表没有表线，类别等合并单元格所辖的行无法从版面确定，请人工核对。"
            quote = "".join(dict.fromkeys(cell.text for cell in table.rows[0].cells))
            yield Doubt(message=message, quote=quote, page=table.rows[0].page, table=index)


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
