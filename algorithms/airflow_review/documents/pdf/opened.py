"""An open pdf file and its open pages, closed again whatever happens in between."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pypdfium2_raw as pdfium

from algorithms.airflow_review.documents import refusal
from algorithms.airflow_review.documents.limits import Limits
from algorithms.airflow_review.messages.catalogue import say


@contextmanager
def opened_document(data: bytes, file: str, limits: Limits) -> Iterator[tuple[object, int]]:
    """The document's handle and its number of pages.

    Raises:
        InputError: encrypted, damaged, or more pages than `limits` allow.
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
            raise refusal.too_large(file, say("refusal.pages", count=count, limit=limits.pages))
        yield document, count
    finally:
        pdfium.FPDF_CloseDocument(document)


@contextmanager
def opened_page(document: object, number: int, file: str, limits: Limits) -> Iterator[tuple[object, object, int]]:
    """The handles of page `number` (1-based) and of its text, and how many characters the text has.

    Raises:
        InputError: the page is damaged, or has more characters or objects than `limits` allow.
    """
    page = pdfium.FPDF_LoadPage(document, number - 1)
    if not page:
        raise refusal.damaged(file, say("refusal.page_unreadable", page=number))
    text = pdfium.FPDFText_LoadPage(page)
    try:
        glyphs = pdfium.FPDFText_CountChars(text)
        objects = pdfium.FPDFPage_CountObjects(page)
        if glyphs > limits.page_glyphs or objects > limits.page_objects:
            raise refusal.too_large(file, say("refusal.page_content", page=number, glyphs=glyphs, objects=objects))
        yield page, text, max(glyphs, 0)
    finally:
        pdfium.FPDFText_ClosePage(text)
        pdfium.FPDF_ClosePage(page)
