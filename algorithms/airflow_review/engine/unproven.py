"""What a filled template said and the document does not bear out: a question to a person, never a value."""

from __future__ import annotations

from collections.abc import Iterable

from algorithms.airflow_review.engine.issue import Subject, make_finding
from algorithms.airflow_review.evidence import Evidence
from algorithms.airflow_review.messages.catalogue import say
from algorithms.airflow_review.model import Finding, FindingKind, Severity
from algorithms.airflow_review.rules.library import RuleSet


def ask_unproven(
    texts: Iterable[str], subject: Subject, evidence: tuple[Evidence, ...], rules: RuleSet
) -> tuple[Finding, ...]:
    """`extraction_doubt` as a manual check, one for each text."""
    return tuple(
        make_finding(
            rules,
            FindingKind.EXTRACTION_DOUBT,
            subject,
            rule="calc.unproven",
            severity=Severity.MANUAL,
            evidence=evidence,
            message=say("unproven.message", text=text),
            clears_when=say("unproven.clear"),
        )
        for text in texts
    )
