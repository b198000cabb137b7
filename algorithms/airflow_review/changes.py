"""What changed from one review to the next, say from one month to another (R-AIR-12): no judgement, only differences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from enum import StrEnum
from itertools import zip_longest
from typing import Final

from algorithms.airflow_review.engine.names import NameWords
from algorithms.airflow_review.evidence import PlaceType, Window
from algorithms.airflow_review.model import AlignmentStatus, Finding, FindingKind, Review, Severity, Verdict
from algorithms.airflow_review.reading.text import normal_name
from algorithms.airflow_review.same_subjects import Paired, Subject, pair_items, pair_subjects, subjects_of
from algorithms.airflow_review.value_class import dataclass

SCHEMA: Final = "airflow_changes/1"
_PLAN_BASIS: Final = "plan_required"
_MEASURED: Final = "measured"
# A shortage that grew is no shortage that went away.
_SAME_MATTER: Final = {FindingKind.MEASURED_SERIOUS: FindingKind.MEASURED_SHORTAGE}


class Caution(StrEnum):
    """Why a finding may be gone without being mended."""

    OTHER_MINE = "other_mine"
    OTHER_RULES = "other_rules"
    NO_REPORT = "no_report"  # one of the two has no measurement report: nothing measured is compared
    NOT_ALIGNED = "not_aligned"  # the time gate of one of the two failed: its measured verdicts are missing
    SETTLED = "settled"  # one of the two holds values settled by a person


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """One of the two reviews."""

    files: tuple[str, ...]
    mine: str | None
    period: Window
    rules: str
    verdict: str
    short: int | None  # subjects measured below their need; None without a measurement report


@dataclass(frozen=True, slots=True, kw_only=True)
class SubjectEntry:
    """A place or system that only one of the reviews has."""

    name: str
    type: PlaceType
    system: str | None
    required_m3_min: Decimal | None
    planned_m3_min: Decimal | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SubjectChange:
    """A place with another name, type or system; the first of each pair is the old one."""

    name: tuple[str, str]
    type: tuple[PlaceType, PlaceType]
    system: tuple[str | None, str | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueChange:
    """Another required, planned or measured airflow, m³/min."""

    name: str
    type: PlaceType
    system: str | None
    quantity: str  # required | planned | measured
    old: Decimal | None
    new: Decimal | None
    difference: Decimal | None  # new − old; None where one is missing


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictChange:
    """Another verdict of one comparison."""

    name: str
    type: PlaceType
    system: str | None
    basis: str
    old: Verdict | None
    new: Verdict | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingEntry:
    """A finding in one review or in both; ids and severities of the old and the new review."""

    kind: FindingKind  # this, subject and message are those of the newest review that has it
    subject_name: str
    message: str
    message_en: str
    id_old: str | None
    id_new: str | None
    severity_old: Severity | None
    severity_new: Severity | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """Everything that differs between two reviews, and the findings that stayed."""

    old: Edition
    new: Edition
    cautions: tuple[Caution, ...]
    added: tuple[SubjectEntry, ...]
    removed: tuple[SubjectEntry, ...]
    altered: tuple[SubjectChange, ...]
    values: tuple[ValueChange, ...]
    verdicts: tuple[VerdictChange, ...]
    findings_new: tuple[FindingEntry, ...]
    findings_gone: tuple[FindingEntry, ...]
    findings_still: tuple[FindingEntry, ...]
    schema: str = SCHEMA


def find_changes(old: Review, new: Review, names: NameWords) -> Changes:
    """Compare two reviews; `names` tells spellings of one name. The same reviews give the same changes, in the same order."""
    paired = pair_subjects(subjects_of(old), subjects_of(new), names)
    is_measured = old.report is not None and new.report is not None
    findings = _pair_findings(old.findings, new.findings, paired)
    return Changes(
        old=_edition(old),
        new=_edition(new),
        cautions=tuple(_cautions(old, new)),
        added=tuple(_entry(subject) for subject in paired.added if _is_listed(subject)),
        removed=tuple(_entry(subject) for subject in paired.gone if _is_listed(subject)),
        altered=tuple(change for pair in paired.both if (change := _altered(*pair)) is not None),
        values=tuple(v for pair in paired.both for v in _values(*pair, is_measured=is_measured)),
        verdicts=tuple(v for pair in paired.both for v in _verdicts(*pair, is_measured=is_measured)),
        findings_new=tuple(_finding(finding, new=finding) for finding in findings.added),
        findings_gone=tuple(_finding(finding, old=finding) for finding in findings.gone),
        findings_still=tuple(_finding(after, old=before, new=after) for before, after in findings.both),
    )


def _edition(review: Review) -> Edition:
    return Edition(
        files=tuple(item.file for item in review.inputs),
        mine=review.plan.mine,
        period=review.plan.period,
        rules=f"{review.rules.id} {review.rules.edition}",
        verdict=review.summary.verdict,
        short=None if review.report is None else len(review.summary.deficit_m3_min),
    )


def _cautions(old: Review, new: Review) -> Iterator[Caution]:
    mines = [normal_name(review.plan.mine or "") for review in (old, new)]
    if mines[0] != mines[1]:
        yield Caution.OTHER_MINE
    if old.rules.id != new.rules.id:
        yield Caution.OTHER_RULES
    if (old.report is None) != (new.report is None):
        yield Caution.NO_REPORT
    gates = [review.alignment for review in (old, new) if review.alignment is not None]
    if any(gate.status is not AlignmentStatus.ALIGNED for gate in gates):
        yield Caution.NOT_ALIGNED
    if old.settled or new.settled:
        yield Caution.SETTLED


def _is_listed(subject: Subject) -> bool:
    """Fans and the mine come and go with the measurement report; only what the plan lists is added or removed."""
    return subject.is_place or subject.type is PlaceType.RETURN_SYSTEM


def _entry(subject: Subject) -> SubjectEntry:
    return SubjectEntry(
        name=subject.name,
        type=subject.type,
        system=subject.system,
        required_m3_min=subject.figures["required"],
        planned_m3_min=subject.figures["planned"],
    )


def _altered(old: Subject, new: Subject) -> SubjectChange | None:
    change = SubjectChange(name=(old.name, new.name), type=(old.type, new.type), system=(old.system, new.system))
    return None if all(one == other for one, other in (change.name, change.type, change.system)) else change


def _values(old: Subject, new: Subject, *, is_measured: bool) -> Iterator[ValueChange]:
    for quantity, value in new.figures.items():
        before = old.figures[quantity]
        if before == value or (quantity == _MEASURED and not is_measured):
            continue
        yield ValueChange(
            name=new.name,
            type=new.type,
            system=new.system,
            quantity=quantity,
            old=before,
            new=value,
            difference=None if before is None or value is None else value - before,
        )


def _verdicts(old: Subject, new: Subject, *, is_measured: bool) -> Iterator[VerdictChange]:
    for basis in dict.fromkeys((*old.verdicts, *new.verdicts)):
        if basis != _PLAN_BASIS and not is_measured:
            continue
        for before, verdict in zip_longest(old.verdicts.get(basis, ()), new.verdicts.get(basis, ())):
            if before != verdict:
                yield VerdictChange(
                    name=new.name, type=new.type, system=new.system, basis=basis, old=before, new=verdict
                )


def _pair_findings(old: Sequence[Finding], new: Sequence[Finding], paired: Paired[Subject]) -> Paired[Finding]:
    """The same finding is of the same kind about the same subject; several are told apart by message, then by rule."""
    tokens: tuple[Mapping[str, str], Mapping[str, str]] = (
        {before.id: f"{at}" for at, (before, _) in enumerate(paired.both)},
        {after.id: f"{at}" for at, (_, after) in enumerate(paired.both)},
    )
    tagged = [
        [(finding, _token(finding, side)) for finding in findings]
        for findings, side in zip((old, new), tokens, strict=True)
    ]
    result = pair_items(
        tagged[0],
        tagged[1],
        exact=(
            lambda tag: (tag[0].kind, tag[1], tag[0].message),
            lambda tag: (tag[0].kind, tag[1], tag[0].rule.id if tag[0].rule else None),
            lambda tag: (_SAME_MATTER.get(tag[0].kind, tag[0].kind), tag[1]),
        ),
    )
    return Paired(
        both=tuple((one[0], other[0]) for one, other in result.both),
        gone=tuple(finding for finding, _ in result.gone),
        added=tuple(finding for finding, _ in result.added),
    )


def _token(finding: Finding, pairs: Mapping[str, str]) -> tuple[str, str]:
    pair = pairs.get(finding.subject)
    return ("pair", pair) if pair is not None else ("name", normal_name(finding.subject_name))


def _finding(shown: Finding, *, old: Finding | None = None, new: Finding | None = None) -> FindingEntry:
    return FindingEntry(
        kind=shown.kind,
        subject_name=shown.subject_name,
        message=shown.message,
        message_en=shown.message_en,
        id_old=old.id if old else None,
        id_new=new.id if new else None,
        severity_old=old.severity if old else None,
        severity_new=new.severity if new else None,
    )
