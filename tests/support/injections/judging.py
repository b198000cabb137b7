"""What two reviews say beside where they read it: verdicts, numbers and findings, without quotes and positions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any, Final

from algorithms.airflow_review.documents.reader import read_documents
from algorithms.airflow_review.extract import PlanExtract, ReportExtract
from algorithms.airflow_review.model import Finding, Review, Severity, Verdict
from algorithms.airflow_review.pipeline import review_extracts
from algorithms.airflow_review.reading.plan import read_plan
from algorithms.airflow_review.reading.report import read_report
from algorithms.airflow_review.rules.library import load_rules
from tests.support.injections.corpus import Papers

PASSES: Final = frozenset({Verdict.OK, Verdict.WATCH, Verdict.EXCESS})
_RANK: Final = {"conclusive": 0, "conclusive_with_errors": 1, "blocked": 2, "manual": 3}

_WHERE: Final = frozenset(
    {"evidence", "inputs", "id", "cause", "message", "message_en", "clears_when", "clears_when_en"}
)


def said(value: Any) -> Any:
    """A value of a review as plain data, without what tells of the document: evidence, digests, positions."""
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: said(getattr(value, f.name)) for f in fields(value) if f.name not in _WHERE}
    if isinstance(value, Mapping):
        return {key: said(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [said(item) for item in value]
    return value.value if isinstance(value, Enum) else value


def finding_key(finding: Finding) -> str:
    """What a finding is about; the place in the document is not part of it."""
    return repr(sorted(said(finding).items(), key=lambda item: item[0]))


@cache
def _clean_plan(path: Path) -> PlanExtract:
    return read_plan(read_documents((path,))[0])


@cache
def _clean_report(path: Path) -> ReportExtract:
    return read_report(read_documents((path,))[0])


def reviewed(papers: Papers, clean: Papers) -> Review:
    """The review of papers of which one is the clean pair's: that one is read once for all."""
    plan = _clean_plan(papers.plan) if papers.plan == clean.plan else _clean_plan.__wrapped__(papers.plan)
    report = _clean_report(papers.report) if papers.report == clean.report else _clean_report.__wrapped__(papers.report)
    return review_extracts(plan, report, load_rules(), ())


@cache
def reviewed_clean(papers: Papers) -> Review:
    """The review of the clean pair."""
    return reviewed(papers, papers)


def losses(clean: Review, injected: Review) -> list[str]:
    """Where the injected document is judged better than the clean one: what no document may ever bring about."""
    return list(_losses(clean, injected))


def _losses(clean: Review, injected: Review) -> Iterator[str]:
    asked = {f.subject_name for f in injected.findings if f.severity is Severity.MANUAL}
    found = Counter((f.kind, f.subject_name, f.stated, f.expected) for f in clean.findings)
    found -= Counter((f.kind, f.subject_name, f.stated, f.expected) for f in injected.findings)
    yield from (f"lost finding: {key}" for key in found if key[1] not in asked)
    if _RANK[injected.summary.verdict] < _RANK[clean.summary.verdict]:
        yield f"verdict: {clean.summary.verdict} became {injected.summary.verdict}"
    after = Counter((row.subject_name, row.basis, row.verdict in PASSES) for row in injected.comparisons)
    before = Counter((row.subject_name, row.basis, row.verdict in PASSES) for row in clean.comparisons)
    yield from (f"passes now: {key}" for key in after - before if key[2])
    lost = Counter((row.subject_name, row.basis) for row in clean.comparisons)
    lost -= Counter((row.subject_name, row.basis) for row in injected.comparisons)
    yield from (f"lost comparison: {key}" for key in lost)


def differences(clean: Review, injected: Review) -> list[str]:
    """What the injected document changed in the review, in words; empty where it changed nothing."""
    return list(_differences(clean, injected))


def _differences(clean: Review, injected: Review) -> Iterator[str]:
    before, after = (Counter(map(finding_key, review.findings)) for review in (clean, injected))
    yield from (f"lost finding: {key}" for key in (before - after).elements())
    yield from (f"new finding: {key}" for key in (after - before).elements())
    for name in ("summary", "alignment", "comparisons", "plan", "report", "settled"):
        yield from _unequal(name, said(getattr(clean, name)), said(getattr(injected, name)))


def _unequal(path: str, clean: Any, injected: Any) -> Iterator[str]:
    if isinstance(clean, dict) and isinstance(injected, dict):
        for key in clean.keys() | injected.keys():
            yield from _unequal(f"{path}.{key}", clean.get(key), injected.get(key))
    elif isinstance(clean, list) and isinstance(injected, list) and len(clean) == len(injected):
        for at, (one, other) in enumerate(zip(clean, injected, strict=True)):
            yield from _unequal(f"{path}[{at}]", one, other)
    elif clean != injected:
        yield f"{path}: {clean!r} became {injected!r}"
