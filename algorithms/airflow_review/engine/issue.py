"""Making findings: one place where kinds get their severity and subjects their names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Final

from algorithms.airflow_review.engine.rounding import to_decimal
from algorithms.airflow_review.evidence import Evidence
from algorithms.airflow_review.messages.catalogue import Text, as_printed, say
from algorithms.airflow_review.model import MINE_ID, Finding, FindingKind, Severity
from algorithms.airflow_review.rules.library import RuleSet
from algorithms.airflow_review.value_class import dataclass

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

    @property
    def text(self) -> Text:
        """The name for a message."""
        return say("subject.mine") if self.id == MINE_ID else as_printed(self.name)


MINE: Final = Subject(id=MINE_ID, name=MINE_ID)


def cause_of(kind: FindingKind, subject: Subject) -> str:
    """How a consequence names its cause before findings have ids."""
    return f"{kind.value}:{subject.id}"


def make_finding(
    rules: RuleSet,
    kind: FindingKind,
    subject: Subject,
    *,
    rule: str,
    message: Text,
    clears_when: Text,
    stated: Decimal | Fraction | str | Text | None = None,
    expected: Decimal | Fraction | str | Text | None = None,
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
        message=message.zh,
        clears_when=clears_when.zh,
        message_en=message.en,
        clears_when_en=clears_when.en,
        stated_en=stated.en if isinstance(stated, Text) else None,
        expected_en=expected.en if isinstance(expected, Text) else None,
        cause=cause,
        evidence=tuple(dict.fromkeys(evidence))[:_MAX_EVIDENCE],
    )


def _shown(value: Decimal | Fraction | str | Text | None) -> Decimal | str | None:
    if isinstance(value, Text):
        return value.zh
    return to_decimal(value) if isinstance(value, Fraction) else value


def span(low: Decimal | str, high: Decimal | str) -> Text:
    """Both ends of an interval for a message."""
    return say("range", low=low, high=high)


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
