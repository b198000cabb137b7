"""The mark of recognition: every value read from a scanned page says so, wherever in an extract it stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from algorithms.airflow_review.documents.document import Document
from algorithms.airflow_review.documents.straightening import Straightening
from algorithms.airflow_review.evidence import Evidence, Recognition
from algorithms.airflow_review.extract import PlanExtract, ReportExtract

_Extract = TypeVar("_Extract", PlanExtract, ReportExtract)


def with_recognition(extract: _Extract, document: Document) -> _Extract:
    """The extract with its evidence on recognised pages marked; unchanged for a document without such pages."""
    if not document.recognized_pages:
        return extract
    straightened = {straightening.page: straightening for straightening in document.straightenings}
    pages = {page: straightened.get(page) for page in document.recognized_pages}
    marked: _Extract = _marked(extract, pages)
    return replace(marked, recognition=Recognition(pages=document.recognized_pages, sha256=document.sha256))


def _marked(value: Any, pages: Mapping[int, Straightening | None]) -> Any:
    if isinstance(value, Evidence):
        return _marked_evidence(value, pages)
    if is_dataclass(value) and not isinstance(value, type):
        changes = {field.name: getattr(value, field.name) for field in fields(value)}
        return replace(value, **{name: _marked(item, pages) for name, item in changes.items()})
    if isinstance(value, tuple):
        return tuple(_marked(item, pages) for item in value)
    if isinstance(value, Mapping):
        return {key: _marked(item, pages) for key, item in value.items()}
    return value


def _marked_evidence(evidence: Evidence, pages: Mapping[int, Straightening | None]) -> Evidence:
    """Marked, and with the box where it lies on the page that people see."""
    if evidence.page is None or evidence.page not in pages:
        return evidence
    straightening = pages[evidence.page]
    if straightening is None or evidence.bbox is None:
        return replace(evidence, recognized=True)
    return replace(evidence, recognized=True, bbox=straightening.box_on_page(evidence.bbox))
