"""What a place needs: the largest method, floors, and whether the plan took it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Final

from algorithms.airflow_review.engine.calculation_checks import value_as_explained
from algorithms.airflow_review.engine.issue import make_finding, show
from algorithms.airflow_review.engine.judged import Judged
from algorithms.airflow_review.engine.place_facts import PlaceFacts
from algorithms.airflow_review.engine.rounding import accepted, to_decimal
from algorithms.airflow_review.evidence import Evidence, Method, Printed
from algorithms.airflow_review.messages.catalogue import say
from algorithms.airflow_review.model import Finding, FindingKind, Severity
from algorithms.airflow_review.rules.records import Origin
from algorithms.airflow_review.rules.vocabulary import asserts, fits
from algorithms.airflow_review.value_class import dataclass

RECOMPUTED: Final = "recomputed"
PLAN_STATED: Final = "plan_stated"
MISSING: Final = "missing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Floor:
    """A least airflow that holds for the place."""

    flow_m3_min: Decimal
    rule: str
    raises_need: bool  # the plan's or the mine's own rules; the library's only ask
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """The required airflow of a place and how it came about."""

    required: Decimal | None
    source: str  # recomputed | plan_stated | missing
    printed_max: Decimal | None  # the largest printed method result
    governing: Judged | None  # the calculation behind `printed_max`
    floor: Floor | None
    findings: tuple[Finding, ...] = ()


def find_need(facts: PlaceFacts, judged: Sequence[Judged], absent: Iterable[Fraction] = ()) -> Need:
    """Decide the required airflow of a place and report where the plan did not take the largest method.

    `absent` are results of methods the plan left out although it prints their inputs; they count for the need.
    """
    methods = [one for one in judged if not one.is_step and one.need is not None]
    governing = max(methods, key=lambda one: one.extract.stated, default=None)
    printed_max = governing.extract.stated if governing is not None else None
    floor = _floor(facts, methods)
    corrected = max((one.need for one in methods if one.need is not None), default=None)
    if corrected is not None:
        corrected = max(corrected, *absent, Fraction(0))
    findings = tuple(_maximum_findings(facts, methods, floor))
    required, source = _required(facts, corrected, printed_max, floor)
    return Need(
        required=required, source=source, printed_max=printed_max, governing=governing, floor=floor, findings=findings
    )


def conclusion(facts: PlaceFacts) -> Printed | None:
    """What the calculation ends with; where it does not say so, the distribution table."""
    return facts.extract.chapter_required or facts.extract.required


def _required(
    facts: PlaceFacts, corrected: Fraction | None, printed_max: Decimal | None, floor: Floor | None
) -> tuple[Decimal | None, str]:
    stated = facts.extract.required
    ends = conclusion(facts)
    least = floor.flow_m3_min if floor is not None and floor.raises_need else None
    if corrected is None or printed_max is None:
        taken = stated or ends
        if taken is None:
            return None, MISSING
        return (least, RECOMPUTED) if least is not None and taken.value < least else (taken.value, PLAN_STATED)
    if least is not None:
        corrected = max(corrected, Fraction(least))
    if ends is not None and Fraction(ends.value) > corrected and not _is_explained(facts, ends.value, printed_max):
        # The plan asks for more than the methods that could be read give: never judge against less than it asks for.
        return ends.value, PLAN_STATED
    if ends is not None and Fraction(ends.value) >= corrected and accepted(corrected, ends.value) is not None:
        return ends.value, RECOMPUTED
    return to_decimal(corrected), RECOMPUTED


def _is_explained(facts: PlaceFacts, stated: Decimal, printed_max: Decimal) -> bool:
    """Whether a printed method result is what the plan took, be it right or wrong."""
    return accepted(Fraction(printed_max), stated) is not None and facts.extract.calculations != ()


def _floor(facts: PlaceFacts, methods: Sequence[Judged]) -> Floor | None:
    """The greatest floor of the plan's and the mine's own rules for this place, else the library's."""
    stated = [
        s for s in facts.statements("floor_m3_min") if s.low is not None and (s.place_type is not None or s.scope)
    ]
    own = [
        Floor(flow_m3_min=s.low or Decimal(0), rule="calc.maximum", raises_need=True, evidence=s.evidence)
        for s in (stated if methods else ())
    ]
    records = facts.rules.floors(facts.type)
    own += [
        Floor(flow_m3_min=record.flow_m3_min, rule=record.id, raises_need=True)
        for record in records
        if record.origin is not Origin.LIBRARY and fits(record.when, facts.markers)
    ]
    if own:
        return max(own, key=lambda floor: floor.flow_m3_min)
    floors = [floor for floor in records if floor.when and asserts(floor.when, facts.markers)]
    if floors and methods:
        return Floor(flow_m3_min=floors[0].flow_m3_min, rule=floors[0].id, raises_need=False)
    return None


def _maximum_findings(facts: PlaceFacts, methods: Sequence[Judged], floor: Floor | None) -> Iterator[Finding]:
    ends, table = conclusion(facts), facts.extract.required
    governing = max(methods, key=_credible, default=None)
    if ends is None or governing is None:
        return
    largest = _credible(governing)
    if _is_below(ends.value, largest):
        if table is None or _is_below(table.value, largest):  # else only the sentence is wrong: a conflict
            yield _not_the_maximum(facts, ends, largest, governing)
    elif floor is not None and ends.value < floor.flow_m3_min:
        yield _below_floor(facts, ends, floor)


def _credible(one: Judged) -> Decimal:
    """A printed result, or less where it is wrong and the rules or the explained inputs give less: that is told at itself."""
    explained = value_as_explained(one.choice) if one.choice is not None and one.choice.is_readable else None
    if one.need is None or not one.findings:
        return one.extract.stated
    return min(one.extract.stated, *(to_decimal(value) for value in (one.need, explained) if value is not None))


def _is_below(taken: Decimal, largest: Decimal) -> bool:
    """A result taken over may be rounded as results are; what is below that was not taken."""
    return taken < largest and accepted(Fraction(largest), taken) is None


def _not_the_maximum(facts: PlaceFacts, ends: Printed, largest: Decimal, governing: Judged) -> Finding:
    half = governing.extract.method is Method.STANDBY_HALF
    return make_finding(
        facts.rules,
        FindingKind.NOT_THE_MAXIMUM,
        facts.subject,
        rule="calc.maximum",
        stated=ends.value,
        expected=largest,
        unit="m3/min",
        evidence=(*ends.evidence, *governing.extract.evidence),
        message=say(
            "need.below_half" if half else "need.below_largest",
            taken=show(ends.value),
            largest=show(largest),
            label=governing.extract.label,
            expression=governing.extract.expression,
        ),
        clears_when=say("need.below_largest.clear"),
    )


def _below_floor(facts: PlaceFacts, ends: Printed, floor: Floor) -> Finding:
    return make_finding(
        facts.rules,
        FindingKind.NOT_THE_MAXIMUM,
        facts.subject,
        rule=floor.rule,
        severity=Severity.WARNING if floor.raises_need else Severity.NOTE,
        stated=ends.value,
        expected=floor.flow_m3_min,
        unit="m3/min",
        evidence=(*ends.evidence, *floor.evidence),
        message=say("need.below_floor", taken=show(ends.value), floor=show(floor.flow_m3_min)),
        clears_when=say("need.below_floor.clear"),
    )
