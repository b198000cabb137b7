"""From papers to a review: the steps of `review`, without a process for each file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from algorithms.airflow_review.documents.parsing import parse_document
from algorithms.airflow_review.model import InputFile, Review, Severity
from algorithms.airflow_review.pipeline import review_extracts
from algorithms.airflow_review.reading.plan import read_plan
from algorithms.airflow_review.reading.report import read_report
from algorithms.airflow_review.rules.library import RuleSet, load_rules
from tests.support.papers.plan_paper import PlanPaper, part
from tests.support.papers.survey_paper import SurveyPaper

Pair = tuple[PlanPaper | str, SurveyPaper | str | None]


@dataclass(frozen=True, kw_only=True)
class Found:
    """A document that has a fault, the kind it must earn and the subject it must be told at."""

    kind: str
    subject: str
    papers: Callable[[], Pair]
    severity: str = "warning"


@dataclass(frozen=True, kw_only=True)
class Near:
    """A sound document that looks as if it had a fault of this kind."""

    kind: str
    papers: Callable[[], Pair]
    loud: tuple[tuple[str, str], ...] = ()
    """(kind, subject) of what it earns instead, where the nearest document has another fault."""


@lru_cache(maxsize=1)
def rules() -> RuleSet:
    return load_rules()


def judged(plan: PlanPaper | str, report: SurveyPaper | str | None = None) -> Review:
    """Both papers written to files, parsed, read and reviewed."""
    with TemporaryDirectory() as folder:
        files = written(Path(folder), plan, report)
        documents = [parse_document(file) for file in files]
    inputs = tuple(
        InputFile(role=role, file=d.file, sha256=d.sha256, pages=d.pages)
        for role, d in zip(("plan", "report"), documents, strict=False)
    )
    measured = None if report is None else read_report(documents[1])
    return review_extracts(read_plan(documents[0]), measured, rules(), inputs)


def written(folder: Path, plan: PlanPaper | str, report: SurveyPaper | str | None) -> list[Path]:
    """The papers as files: plan.txt and, if there is one, report.csv."""
    texts = {"plan.txt": plan, "report.csv": report}
    files = []
    for name, paper in texts.items():
        if paper is not None:
            files.append(folder / name)
            files[-1].write_text(paper if isinstance(paper, str) else paper.text(), encoding="utf-8")
    return files


def told(review: Review) -> list[tuple[str, str, str]]:
    """(kind, severity, subject name) of every finding."""
    return [(f.kind.value, f.severity.value, f.subject_name) for f in review.findings]


def loud(review: Review) -> list[tuple[str, str]]:
    """(kind, subject name) of every finding above a note."""
    return [(f.kind.value, f.subject_name) for f in review.findings if f.severity is not Severity.NOTE]


def needing(
    plan: PlanPaper, name: str, need: str, swaps: dict[str, str], planned: str | None = None, **fields: Any
) -> PlanPaper:
    """A place of the plan with other calculations, and the need they lead to wherever it is printed."""
    own = part(name)
    swaps = {**swaps, f"需风量为{own.need}": f"需风量为{need}"}
    if any(f"≤{own.need}≤" in line for line in own.lines):
        swaps[f"≤{own.need}≤"] = f"≤{need}≤"
    planned = planned or need
    if own.area != "—" and "speed" not in fields:
        speed = Decimal(planned) / 60 / Decimal(fields.get("area", own.area))
        fields["speed"] = str(speed.quantize(Decimal("0.01"), ROUND_HALF_UP))
    return plan.changed(name, swaps, need=need, planned=planned, **fields)
