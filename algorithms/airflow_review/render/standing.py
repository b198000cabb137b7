"""How each object stands: need, plan, measurement and the three verdicts, drawn together from the comparisons.

Nothing is judged here. An object without a comparison of its own is `not_judged`, with the reason the review gives.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Final

from algorithms.airflow_review.evidence import Evidence, PlaceType
from algorithms.airflow_review.model import MINE_ID, AlignmentStatus, Comparison, Review, Verdict
from algorithms.airflow_review.render.words import Words
from algorithms.airflow_review.value_class import dataclass

_WHOLES: Final = (PlaceType.MINE, PlaceType.DISTRICT, PlaceType.RETURN_SYSTEM, PlaceType.MAIN_FAN)
_SEVEREST_FIRST: Final = (
    Verdict.SERIOUS,
    Verdict.SHORTAGE,
    Verdict.NOT_JUDGED,
    Verdict.WATCH,
    Verdict.EXCESS,
    Verdict.OK,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """One line: an object and what the three comparisons say of it."""

    subject: str
    name: str
    type: PlaceType
    system: str | None  # name of its return-air system
    required: Decimal | None  # m³/min
    planned: Decimal | None  # m³/min
    measured: Decimal | None  # m³/min
    measured_to_required: Decimal | None
    measured_to_planned: Decimal | None
    planned_to_required: Decimal | None
    margin_m3_min: Decimal | None  # measured - required
    verdict: Verdict  # measured against required
    planned_verdict: Verdict  # planned against required
    carried_out_verdict: Verdict  # measured against planned
    reason: str
    evidence: tuple[Evidence, ...] = ()

    @property
    def is_whole(self) -> bool:
        """True for mine, district, return-air system and fan."""
        return self.type in _WHOLES

    @property
    def is_short(self) -> bool:
        """True where less than the need was measured."""
        return self.verdict in {Verdict.SHORTAGE, Verdict.SERIOUS}

    @property
    def is_planned_short(self) -> bool:
        """True where the plan gives less than the need."""
        return self.planned_verdict in {Verdict.SHORTAGE, Verdict.SERIOUS}


def standings(review: Review, words: Words) -> tuple[Standing, ...]:
    """Mine, systems, places, then main fans and whatever else was compared, in document order.

    A subject that was judged twice (a system by its printed and by its recomputed need) has two lines.
    """
    groups: dict[str, list[Comparison]] = defaultdict(list)
    for comparison in review.comparisons:
        groups[comparison.subject].append(comparison)
    reason = _reason_for_silence(review, words)
    lines: list[Standing] = []
    for subject in _subjects(review, groups, words):
        rows = groups.get(subject.subject, [])
        heads: list[Comparison | None] = [row for row in rows if row.basis == "measured_required"]
        # A fan has its flow, so "nothing was measured" would be wrong of it.
        silence = words.say("reason.fan") if subject.type is PlaceType.MAIN_FAN else reason
        lines += [_line(subject, head, rows, silence, words) for head in heads or [None]]
    return tuple(lines)


def severest_first(lines: Sequence[Standing]) -> list[Standing]:
    """Short ones first, least margin first, then what the plan alone gives too little; equal ones keep their order."""
    return sorted(lines, key=_severity)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Subject:
    subject: str
    name: str
    type: PlaceType
    system: str | None = None
    required: Decimal | None = None
    planned: Decimal | None = None
    measured: Decimal | None = None
    evidence: tuple[Evidence, ...] = ()


def _subjects(review: Review, groups: dict[str, list[Comparison]], words: Words) -> Iterator[_Subject]:
    plan = review.plan
    names = {system.id: system.name for system in plan.systems}
    total = plan.mine_total
    yield _Subject(
        subject=MINE_ID,
        name=plan.mine or words.subject(MINE_ID),
        type=PlaceType.MINE,
        required=total.recomputed if total.stated is None else total.stated,
        evidence=total.evidence,
    )
    for system in plan.systems:
        yield _Subject(
            subject=system.id,
            name=system.name,
            type=PlaceType.RETURN_SYSTEM,
            required=system.required_recomputed if system.required_stated is None else system.required_stated,
            planned=system.planned_subtotal_stated,
            evidence=system.evidence,
        )
    for place in plan.places:
        yield _Subject(
            subject=place.id,
            name=place.name,
            type=place.type,
            system=names.get(place.system or "", place.system),
            required=place.required_m3_min,
            planned=place.planned_m3_min,
            evidence=place.evidence,
        )
    known = {MINE_ID} | {system.id for system in plan.systems} | {place.id for place in plan.places}
    for subject, rows in groups.items():
        if subject not in known:
            yield _Subject(subject=subject, name=rows[0].subject_name, type=rows[0].type, evidence=rows[0].evidence)
    compared = {row.subject_name for rows in groups.values() for row in rows if row.type is PlaceType.MAIN_FAN}
    needs = {system.id: system.required_stated for system in plan.systems}
    for fan in review.report.fans if review.report else ():
        if fan.name not in compared:
            yield _Subject(
                subject=fan.name,
                name=fan.name,
                type=PlaceType.MAIN_FAN,
                system=names.get(fan.system or "", fan.system),
                required=needs.get(fan.system or ""),
                measured=fan.flow_m3_min,
                evidence=fan.evidence,
            )


def _line(subject: _Subject, head: Comparison | None, rows: list[Comparison], silence: str, words: Words) -> Standing:
    by_basis = {row.basis: row for row in reversed(rows)}
    plan_row, carried_row = by_basis.get("plan_required"), by_basis.get("measured_planned")
    measured = next(
        (row.measured for row in (head, carried_row) if row is not None and row.measured is not None),
        subject.measured,
    )
    planned = next(
        (row.planned for row in (carried_row, plan_row, head) if row is not None and row.planned is not None),
        subject.planned,
    )
    return Standing(
        subject=subject.subject,
        name=subject.name,
        type=subject.type,
        system=subject.system,
        required=subject.required if head is None or head.required is None else head.required,
        planned=planned,
        measured=measured,
        measured_to_required=head.ratio if head else None,
        measured_to_planned=carried_row.ratio if carried_row else None,
        planned_to_required=plan_row.ratio if plan_row else None,
        margin_m3_min=head.margin_m3_min if head else None,
        verdict=head.verdict if head else Verdict.NOT_JUDGED,
        planned_verdict=plan_row.verdict if plan_row else Verdict.NOT_JUDGED,
        carried_out_verdict=carried_row.verdict if carried_row else Verdict.NOT_JUDGED,
        reason=silence if head is None else words.choose(head.reason, head.reason_en),
        evidence=subject.evidence + (head.evidence if head else ()),
    )


def _reason_for_silence(review: Review, words: Words) -> str:
    if review.report is None:
        return words.say("reason.no_report")
    if review.alignment is not None and review.alignment.status is not AlignmentStatus.ALIGNED:
        return words.choose(review.alignment.reason, review.alignment.reason_en) or words.say("reason.no_comparison")
    return words.say("reason.no_comparison")


def _severity(line: Standing) -> tuple[int, bool, Decimal, int, Decimal]:
    """Measured verdict and margin first; what is not measured goes by its plan."""
    hidden = line.is_planned_short and not line.is_short
    return (
        _SEVEREST_FIRST.index(Verdict.SHORTAGE if hidden else line.verdict),
        hidden,
        _relative_margin(line),
        _SEVEREST_FIRST.index(line.planned_verdict),
        Decimal("Infinity") if line.planned_to_required is None else line.planned_to_required,
    )


def _relative_margin(line: Standing) -> Decimal:
    """Margin over need, so that 20 of 100 missing stands before 30 of 1000."""
    if line.margin_m3_min is None:
        return Decimal("Infinity")
    return line.margin_m3_min / line.required if line.required else line.margin_m3_min
