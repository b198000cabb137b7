"""Making findings: one place where kinds get their severity and subjects their names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Final

from algorithms.airflow_review.engine.rounding import to_decimal
from algorithms.airflow_review.evidence import Evidence
from algorithms.airflow_review.model import Finding, FindingKind, Severity
from algorithms.airflow_review.rules.library import RuleSet

# Contract §4; every kind that is not named here is a warning.
_SEVERITY: Final[Mapping[FindingKind, Severity]] = {
    FindingKind.PLANNED_BELOW_REQUIRED: Severity.ERROR,
    FindingKind.FAN_CAPACITY: Severity.ERROR,
    FindingKind.GAS_OR_HEAT_LIMIT: Severity.ERROR,
    FindingKind.MEASURED_SERIOUS: Severity.ERROR,
    FindingKind.UNPARSABLE_EFFECTIVE_WINDOW: Severity.MANUAL,
    FindingKind.WINDOW_MISMATCH: Severity.MANUAL,
    FindingKind.ALIAS_UNCERTAIN: Severity.MANUAL,
    FindingKind.ROUNDED_DOWN: Severity.NOTE,
    FindingKind.MEASURED_EXCESS: Severity.NOTE,
    FindingKind.EXTRACTION_DOUBT: Severity.NOTE,
}
_MAX_EVIDENCE: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What a finding is about: id and name."""

    id: str
    name: str


MINE: Final = Subject(id="矿井", name="矿井")


def cause_of(kind: FindingKind, subject: Subject) -> str:
    """How a consequence names its cause before findings have ids."""
    return f"{kind.value}:{subject.id}"


def make_finding(
    rules: RuleSet,
    kind: FindingKind,
    subject: Subject,
    *,
    rule: str,
    message: str,
    clears_when: str,
    stated: Decimal | Fraction | str | None = None,
    expected: Decimal | Fraction | str | None = None,
    unit: str | None = None,
    evidence: Iterable[Evidence] = (),
    severity: Severity | None = None,
    cause: str | None = None,
) -> Finding:
    """A finding without an id; a consequence (with `cause`) is a note."""
    fallback = Severity.NOTE if cause is not None else _SEVERITY.get(kind, Severity.WARNING)
    return Finding(
        id="",
        kind=kind,
        severity=severity or fallback,
        subject=subject.id,
        subject_name=subject.name,
        stated=_shown(stated),
        expected=_shown(expected),
        unit=unit,
        rule=rules.ref(rule),
        message=message,
        clears_when=clears_when,
        cause=cause,
        evidence=tuple(dict.fromkeys(evidence))[:_MAX_EVIDENCE],
    )


def _shown(value: Decimal | Fraction | str | None) -> Decimal | str | None:
    return to_decimal(value) if isinstance(value, Fraction) else value


def show(value: Fraction | Decimal | None) -> str:
    """A number for a message: exact where it is short, else cut to four decimals."""
    if value is None:
        return "—"
    if isinstance(value, Decimal):
        value = Fraction(value)
    text = f"{to_decimal(value):f}"
    whole, _, decimals = text.partition(".")
    short = decimals[:4].rstrip("0")
    return f"{whole}.{short}" if short else whole
