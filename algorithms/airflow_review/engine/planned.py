"""The figures of a distribution row: units, planned against required, one quantity with two values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Final

from algorithms.airflow_review.engine.issue import cause_of, make_finding, show
from algorithms.airflow_review.engine.judged import Judged
from algorithms.airflow_review.engine.need import Need, conclusion
from algorithms.airflow_review.engine.place_facts import AREA_BASIS, PlaceFacts
from algorithms.airflow_review.engine.rounding import (
    CHAIN,
    accepted,
    ceil_to,
    decimals_of,
    floor_to,
    half_up_to,
    truncated,
)
from algorithms.airflow_review.evidence import PlaceType, Printed
from algorithms.airflow_review.messages.catalogue import Text, rule_words, say
from algorithms.airflow_review.model import Finding, FindingKind, Severity
from algorithms.airflow_review.rules.library import RuleSet

_S_PER_MIN: Final = 60


def slipped_value(rules: RuleSet, value: Decimal, reference: Decimal | None) -> Fraction | None:
    """`value` in m³/min if it fits `reference` only as m³/s or m³/h; None where it is plausible as printed."""
    if reference is None or reference <= 0 or value <= 0:
        return None
    low, high = rules.constant("unit_slip.ratio_low").value, rules.constant("unit_slip.ratio_high").value
    apart = rules.constant("unit_slip.apart").value
    far = value * apart < reference or value > reference * apart
    for meant in (Fraction(value) * _S_PER_MIN, Fraction(value) / _S_PER_MIN):
        if far and low <= meant / Fraction(reference) <= high:
            return meant
    return None


def check_units(facts: PlaceFacts, need: Need) -> tuple[Finding, ...]:
    """`unit_suspect` for a planned or required value of the row, and for inputs of the calculation."""
    extract = facts.extract
    reference = extract.chapter_required.value if extract.chapter_required is not None else need.printed_max
    found = []
    if extract.required is not None:
        meant = slipped_value(facts.rules, extract.required.value, reference)
        if meant is not None:
            found.append(_unit_finding(facts, say("quantity.required"), extract.required, meant))
    reference = reference if found else (extract.required.value if extract.required is not None else reference)
    if extract.planned is not None:
        meant = slipped_value(facts.rules, extract.planned.value, reference)
        if meant is not None:
            found.append(_unit_finding(facts, say("quantity.planned"), extract.planned, meant))
    return (*found, *_input_units(facts))


def _unit_finding(facts: PlaceFacts, what: Text, printed: Printed, meant: Fraction) -> Finding:
    slip = "m³/s" if meant > printed.value else "m³/h"
    return make_finding(
        facts.rules,
        FindingKind.UNIT_SUSPECT,
        facts.subject,
        rule="calc.unit",
        stated=printed.value,
        expected=meant,
        unit="m3/min",
        evidence=(*printed.evidence, *facts.extract.evidence),
        message=say("unit.slipped", what=what, value=show(printed.value), slip=slip, meant=show(meant)),
        clears_when=say("unit.slipped.clear"),
    )


def _input_units(facts: PlaceFacts) -> Iterator[Finding]:
    for key, printed in facts.extract.basis.items():
        quantity = facts.rules.quantities.get(key)
        if quantity is None or quantity.is_plausible(printed.value):
            continue
        for slip, factor in quantity.slips.items():
            if printed.value > 0 and quantity.is_plausible(printed.value * factor):
                yield make_finding(
                    facts.rules,
                    FindingKind.UNIT_SUSPECT,
                    facts.subject,
                    rule="calc.unit",
                    stated=printed.value,
                    expected=printed.value * factor,
                    unit=quantity.unit,
                    evidence=(*printed.evidence, *facts.extract.evidence),
                    message=say(
                        "unit.implausible",
                        quantity=rule_words(quantity.text),
                        value=show(printed.value),
                        unit=rule_words(quantity.unit),
                        slip=slip,
                    ),
                    clears_when=say("unit.implausible.clear"),
                )
                break


def check_planned(facts: PlaceFacts, need: Need, earlier: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """`planned_below_required`: an error of its own, or a note where another finding at the place is its cause."""
    planned, stated = facts.extract.planned, facts.extract.required or facts.extract.chapter_required
    units = any(one.kind is FindingKind.UNIT_SUSPECT for one in earlier)
    if planned is None or need.required is None or units or facts.extract.stopped or planned.value >= need.required:
        return ()
    direct = stated is not None and planned.value < stated.value
    cause = None if direct else _cause(facts, earlier)
    if cause is None and not direct and need.governing is not None and need.governing.rounded_down:
        return ()  # reported as rounded_down
    evidence = (*planned.evidence, *facts.extract.evidence)
    return (
        make_finding(
            facts.rules,
            FindingKind.PLANNED_BELOW_REQUIRED,
            facts.subject,
            rule="plan.planned",
            stated=planned.value,
            expected=need.required,
            unit="m3/min",
            evidence=evidence,
            cause=cause,
            message=say(
                "planned.below_required",
                planned=show(planned.value),
                required=show(need.required),
                missing=show(need.required - planned.value),
            ),
            clears_when=say("planned.below_required.clear"),
        ),
    )


def _cause(facts: PlaceFacts, earlier: tuple[Finding, ...]) -> str | None:
    loud = [one for one in earlier if one.severity is not Severity.NOTE and one.cause is None]
    return cause_of(loud[0].kind, facts.subject) if loud else None


def check_rounding(facts: PlaceFacts, need: Need, judged: Iterable[Judged]) -> tuple[Finding, ...]:
    """`rounded_down`: the governing result, a warning where the planned air is below the exact value, else a note.

    A result that does not govern is told only where it is rounded more than it shows (298.2 as 298.0), or where the
    plan itself says that results are rounded up.
    """
    governing, planned = need.governing, facts.extract.planned
    rounds_up = any(s.key == "rounding" and s.text == "up" for s in facts.plan.statements)
    found = []
    if governing is not None and governing.exact is not None and governing.rounded_down:
        # a plan below the printed result as well has another cause, told at itself
        is_short = planned is not None and governing.extract.stated <= planned.value < governing.exact
        found.append(_rounded_down(facts, governing, planned if is_short else None))
    for one in judged:
        exact, stated = one.exact, one.extract.stated
        if one is governing or exact is None or not one.rounded_down:
            continue
        is_half_up = Fraction(stated) == half_up_to(exact, decimals_of(stated))
        if one.calculation.rounding != CHAIN and (rounds_up or not is_half_up):
            found.append(_rounded_down(facts, one, None))
    return tuple(found)


def _rounded_down(facts: PlaceFacts, one: Judged, short: Printed | None) -> Finding:
    own = [finding for finding in one.findings if finding.severity is not Severity.NOTE]
    cause = cause_of(own[0].kind, facts.subject) if own else None
    what = {
        "label": one.extract.label,
        "expression": one.extract.expression,
        "exact": show(one.exact),
        "stated": one.extract.stated,
    }
    if short is None:
        message = say("rounding.below_exact", **what)
    else:
        message = say("rounding.planned_below_exact", planned=show(short.value), **what)
    return make_finding(
        facts.rules,
        FindingKind.ROUNDED_DOWN,
        facts.subject,
        rule="calc.rounded_down",
        severity=Severity.WARNING if short is not None and cause is None else Severity.NOTE,
        cause=cause,
        stated=one.extract.stated,
        expected=one.exact,
        unit="m3/min",
        evidence=(*one.extract.evidence, *(short.evidence if short is not None else ())),
        message=message,
        clears_when=say("rounding.below_exact.clear"),
    )


def check_conflicts(facts: PlaceFacts, need: Need, earlier: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """`conflicting_values` between calculation, table and parameters of one place."""
    if any(one.kind is FindingKind.UNIT_SUSPECT for one in earlier):
        return ()
    return (*_required_conflict(facts, need, earlier), *_area_conflict(facts))


def _required_conflict(facts: PlaceFacts, need: Need, earlier: tuple[Finding, ...]) -> Iterator[Finding]:
    chapter, table = facts.extract.chapter_required, facts.extract.required
    if chapter is not None and table is not None and accepted(Fraction(chapter.value), table.value) is None:
        reserve = _reserve_in_row(facts, chapter, table)
        yield _conflict(facts, say("quantity.required"), chapter, table) if reserve is None else reserve
        return
    ends = conclusion(facts)
    loud = any(one.severity is not Severity.NOTE for one in earlier)
    if (
        ends is None
        or need.printed_max is None
        or loud
        or ends.value <= need.printed_max
        or _is_lawful(facts, need, ends.value)
    ):
        return
    governing = need.governing
    yield make_finding(
        facts.rules,
        FindingKind.CONFLICTING_VALUES,
        facts.subject,
        rule="plan.conflict",
        severity=Severity.NOTE if chapter is not None or _is_customary(facts, ends.value) else Severity.WARNING,
        stated=ends.value,
        expected=need.printed_max,
        unit="m3/min",
        evidence=(*ends.evidence, *(governing.extract.evidence if governing is not None else ())),
        message=say("need.above_largest", taken=show(ends.value), largest=show(need.printed_max)),
        clears_when=say("need.above_largest.clear"),
    )


def _reserve_in_row(facts: PlaceFacts, chapter: Printed, table: Printed) -> Finding | None:
    """The row already holds the reserve coefficient that the sums multiply by again; None where it does not."""
    values = {s.low for s in facts.plan.statements if s.key == "reserve_coefficient" and s.low is not None}
    values |= {s.coefficient.value for s in facts.plan.systems if s.coefficient is not None}
    for value in sorted(values - {Decimal(1)}):
        if accepted(Fraction(chapter.value) * Fraction(value), table.value) is not None:
            return make_finding(
                facts.rules,
                FindingKind.COEFFICIENT_INCONSISTENT,
                facts.subject,
                rule="calc.coefficient_once",
                stated=table.value,
                expected=chapter.value,
                unit="m3/min",
                evidence=(*table.evidence, *chapter.evidence, *facts.extract.evidence),
                message=say(
                    "need.reserve_in_row", table=show(table.value), calculated=show(chapter.value), coefficient=value
                ),
                clears_when=say("need.reserve_in_row.clear"),
            )
    return None


def _is_customary(facts: PlaceFacts, taken: Decimal) -> bool:
    """A small chamber gets what small chambers get, whatever its heat asks for."""
    return facts.type is PlaceType.CHAMBER and taken <= facts.rules.constant("plan.small_chamber_flow").value


def _is_lawful(facts: PlaceFacts, need: Need, taken: Decimal) -> bool:
    """Whether a value above the largest method is explained: rounding, a floor, the least speed, a round figure."""
    largest = need.printed_max or Decimal(0)
    if need.floor is not None and taken <= max(need.floor.flow_m3_min, largest):
        return True
    exact = (
        need.governing.exact if need.governing is not None and need.governing.exact is not None else Fraction(largest)
    )
    if accepted(Fraction(largest), taken) is not None or accepted(exact, taken) is not None:
        return True
    least = [check.low_m3_min for check in facts.extract.speed_checks if check.low_m3_min is not None]
    if any(accepted(Fraction(value), taken) is not None for value in least):
        return True
    step = facts.rules.constant("plan.round_up_step").value
    return taken - largest < step and taken % (step / 2) == 0


def _conflict(facts: PlaceFacts, what: Text, one: Printed, other: Printed, unit: str = "m3/min") -> Finding:
    return make_finding(
        facts.rules,
        FindingKind.CONFLICTING_VALUES,
        facts.subject,
        rule="plan.conflict",
        stated=other.value,
        expected=one.value,
        unit=unit,
        evidence=(*other.evidence, *one.evidence, *facts.extract.evidence),
        message=say("row.differs", what=what, calculated=show(one.value), table=show(other.value)),
        clears_when=say("row.differs.clear"),
    )


def _area_conflict(facts: PlaceFacts) -> Iterator[Finding]:
    table, area = facts.extract.table_area, facts.extract.basis.get("area_m2")
    if table is None or area is None:
        return
    share = Fraction(facts.rules.constant("speed.net_area_share").value)
    stated = {facts.known[key] for key in ("area_m2", "area_max_m2", "area_min_m2") if key in facts.known}
    if AREA_BASIS in facts.markers:  # a face may print its net section in one place and 70 % of it in the other
        stated |= {other for value in stated for other in (value * share, value / share)}
    decimals = decimals_of(table.value)
    near = {edge for value in stated for edge in (floor_to(value, decimals), ceil_to(value, decimals))}
    if Fraction(table.value) not in near:
        yield _conflict(facts, say("quantity.area"), area, table, "m2")


def check_table_speed(facts: PlaceFacts, earlier: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """The printed speed of the row against its own flow and section; decimals that were cut off are a note."""
    speed, area = facts.extract.table_speed, facts.extract.table_area
    flows = [p.value for p in (facts.extract.planned, facts.extract.required) if p is not None and p.value > 0]
    if (
        speed is None
        or area is None
        or area.value <= 0
        or not flows
        or any(one.severity is not Severity.NOTE for one in earlier)
    ):
        return ()
    sections = {
        Fraction(area.value),
        *(facts.known[key] for key in ("area_m2", "area_max_m2", "area_min_m2") if facts.known.get(key)),
    }
    sections |= {section * Fraction(facts.rules.constant("speed.net_area_share").value) for section in sections}
    exact = [Fraction(flow) / section / _S_PER_MIN for flow in flows for section in sections]
    if any(accepted(value, speed.value) is not None for value in exact):
        return ()
    cut = any(truncated(value, speed.value) for value in exact)
    wanted = Fraction(flows[0]) / Fraction(area.value) / _S_PER_MIN
    return (
        make_finding(
            facts.rules,
            FindingKind.ROUNDED_DOWN if cut else FindingKind.ARITHMETIC_MISMATCH,
            facts.subject,
            rule="calc.rounded_down" if cut else "calc.arithmetic",
            stated=speed.value,
            expected=wanted,
            unit="m/s",
            evidence=(*speed.evidence, *facts.extract.evidence),
            message=say(
                "row.speed_differs",
                speed=speed.value,
                flow=show(flows[0]),
                area=area.value,
                wanted=show(wanted),
            ),
            clears_when=say("row.speed_differs.clear"),
        ),
    )
