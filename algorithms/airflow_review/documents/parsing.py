"""Bytes to a `Document` inside the current process."""

from __future__ import annotations

import hashlib
from pathlib import Path

from algorithms.airflow_review.documents import refusal
from algorithms.airflow_review.documents.document import Document, DocumentKind, Parsed
from algorithms.airflow_review.documents.intake import kind_of
from algorithms.airflow_review.documents.legibility import check_legible
from algorithms.airflow_review.documents.limits import DEFAULT_LIMITS, Limits


def parse_document(path: str | Path, *, limits: Limits = DEFAULT_LIMITS, second_engine: bool = False) -> Document:
    """Read one file here and now, without protection against a parser that crashes.

    With a `second_engine` the digits of a pdf file are compared with what that engine reads; it is forked from this process.

    Raises:
        InputError: the file cannot be read; the message says why and what to do.
    """
    path = Path(path)
    if not path.is_file():
        raise refusal.missing(path.name)
    data = path.read_bytes()
    kind = kind_of(data, path.name, path.suffix, limits)
    parsed = _parse(kind, data, path.name, limits, second_engine=second_engine)
    check_legible(parsed.blocks, path.name)
    return Document(
        file=path.name,
        sha256=hashlib.sha256(data).hexdigest(),
        kind=kind,
        pages=parsed.pages,
        blocks=parsed.blocks,
        doubts=parsed.doubts,
        scanned_pages=parsed.scanned_pages,
        recognized_pages=parsed.recognized_pages,
        straightenings=parsed.straightenings,
    )


def _parse(kind: DocumentKind, data: bytes, file: str, limits: Limits, *, second_engine: bool) -> Parsed:
    # Each parser is imported when its kind of file comes: a csv must not pay for numpy.
    match kind:
        case DocumentKind.TEXT:
            from algorithms.airflow_review.documents.plain_text import parse_text

            return Parsed(blocks=parse_text(data, file))
        case DocumentKind.CSV:
            from algorithms.airflow_review.documents.delimited import parse_delimited

            return Parsed(blocks=parse_delimited(data, file))
        case DocumentKind.DOCX:
            from algorithms.airflow_review.documents.word import parse_word

            blocks, found = parse_word(data, file)
            return Parsed(blocks=blocks, doubts=found)
        case DocumentKind.XLSX | DocumentKind.XLS:
            from algorithms.airflow_review.documents.workbook import parse_workbook

            tables, sheets, found = parse_workbook(data, file, limits)
            return Parsed(blocks=tables, pages=sheets, doubts=found)
        case DocumentKind.PDF:
            from algorithms.airflow_review.documents.pdf.parser import parse_pdf

            return parse_pdf(data, file, limits, second_engine=second_engine)
