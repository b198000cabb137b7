"""The door for files that may be scans: as any file, and only where text is missing once more with recognition."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from algorithms.airflow_review.documents import refusal
from algorithms.airflow_review.documents.document import Document, Doubt, InputError, InputProblem
from algorithms.airflow_review.documents.limits import DEFAULT_LIMITS, OCR_LIMITS, Limits
from algorithms.airflow_review.documents.reader import read_document
from algorithms.airflow_review.documents.scan.packages import missing_packages
from algorithms.airflow_review.messages.catalogue import listed, say


def read_recognizing(path: str | Path, *, limits: Limits = DEFAULT_LIMITS, ocr_limits: Limits = OCR_LIMITS) -> Document:
    """A file like `read_document`; the scanned pages of a pdf are recognised, in a process with limits of its own.

    Raises:
        InputError: the file cannot be read, or it is a scan and the recognition packages are missing.
    """
    try:
        document = read_document(path, limits=limits)
    except InputError as error:
        if error.problem is not InputProblem.NO_TEXT or Path(path).suffix.lower() != ".pdf":
            raise
        if missing_packages():
            raise refusal.no_recognizer(error.file, missing_packages()) from error
    else:
        if not document.scanned_pages:
            return document
        if missing_packages():
            return replace(document, doubts=(*document.doubts, _not_recognized(document)))
    return read_document(path, limits=ocr_limits)


def _not_recognized(document: Document) -> Doubt:
    pages = listed(map(str, document.scanned_pages))
    message = say("doubt.not_recognized", packages=listed(missing_packages()), pages=pages)
    return Doubt.of(message, "", page=document.scanned_pages[0], needs_check=True)


def read_all_recognizing(paths: Sequence[str | Path]) -> list[Document]:
    """Several files one after the other: recognition keeps all processors busy.

    Raises:
        InputError: the first file that cannot be read.
    """
    return [read_recognizing(path) for path in paths]
