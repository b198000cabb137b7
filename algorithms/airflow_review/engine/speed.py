"""Air speed of a place: the printed check (风速验算) and the planned air against the limits of its airway."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Final

from algorithms.airflow_review.engine.arithmetic import judge_chain
from algorithms.airflow_review.engine.formula import FormulaError
from algorithms.airflow_review.engine.issue import make_finding, show
from algorithms.airflow_review.engine.place_facts import AREA_BASIS, PlaceFacts
from algorithms.airflow_review.engine.rounding import to_decimal
from algorithms.airflow_review.engine.speed_bounds import SpeedBounds, is_added, tightened, widest
from algorithms.airflow_review.engine.terms import terms_of
from algorithms.airflow_review.evidence import PlaceType
from algorithms.airflow_review.extract import SpeedCheckExtract
from algorithms.airflow_review.messages.catalogue import Text, chained, say
from algorithms.airflow_review.model import CheckStatus, Finding, FindingKind, SpeedCheck
from algorithms.airflow_review.rules.vocabulary import asserts, fits
from algorithms.airflow_review.value_class import dataclass

_S_PER_MIN: Final = 60
_FACES: Final = frozenset({PlaceType.COAL_FACE, PlaceType.STANDBY_FACE})
_RULE: Final = "speed.limits"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """One side of a printed check, e.g. 60×0.25×11.6: speed and section taken apart."""

    speed: Fraction
    area: Fraction
    section: Fraction  # as printed, before 70 %


def speed_limits(facts: PlaceFacts) -> SpeedBounds:
    """The limits that hold: ours, and every one a mine has added that the documents do not exclude."""
    added = (one for one in facts.rules.speed_limits(facts.type) if is_added(one) and fits(one.when, facts.markers))
    return tightened(_general_limits(facts), added)


def _general_limits(facts: PlaceFacts) -> SpeedBounds:
    """Ours: a special record whose facts are stated, else the general one, else the widest possible."""
    records = [record for record in facts.rules.speed_limits(facts.type) if not is_added(record)]
    special = [record for record in records if record.when and asserts(record.when, facts.markers)]
    general = [record for record in records if not record.when]
    chosen = special[:1] or general or [record for record in records if fits(record.when, facts.markers)]
    return widest(chosen, _RULE)


def judge_speed(facts: PlaceFacts, required: Decimal | None) -> tuple[SpeedCheck | None, tuple[Finding, ...]]:
    """The speed of the planned air, and what is wrong with it or with the printed check; at most one finding a cause."""
    limits = speed_limits(facts)
    planned = facts.extract.planned
    flow = planned.value if planned is not None and planned.value > 0 else required
    findings = list(_printed_checks(facts, limits))
    area = _sections(facts)
    if not findings and flow is not None and facts.type_known:
        findings.extend(_flow_findings(facts, limits, flow, area))
    return _record(facts, limits, flow, failed=bool(findings)), tuple(findings)


def _record(facts: PlaceFacts, limits: SpeedBounds, flow: Decimal | None, *, failed: bool) -> SpeedCheck | None:
    area = facts.extract.table_area or facts.extract.basis.get("area_m2")
    if area is None and not facts.extract.speed_checks:
        return None
    has_both = area is not None and flow is not None and area.value > 0
    speed = (
        Fraction(flow) / Fraction(area.value) / _S_PER_MIN
        if has_both and area is not None and flow is not None
        else None
    )
    status = (
        CheckStatus.MISMATCH
        if failed
        else (CheckStatus.MANUAL if speed is None and not facts.extract.speed_checks else CheckStatus.OK)
    )
    return SpeedCheck(
        area_m2=area.value if area is not None else None,
        v_m_s=to_decimal(speed) if speed is not None else None,
        min=limits.low,
        max=limits.high,
        status=status,
    )


def _printed_checks(facts: PlaceFacts, limits: SpeedBounds) -> Iterator[Finding]:
    for check in _whole_checks(facts.extract.speed_checks):
        low, high = _bound(facts, check.low_expression), _bound(facts, check.high_expression)
        yield from _bound_arithmetic(facts, check, check.low_expression, check.low_m3_min)
        yield from _bound_arithmetic(facts, check, check.high_expression, check.high_m3_min)
        wrong = tuple(_wrong_bounds(facts, check, limits, low, high))
        yield from wrong
        if not wrong:
            yield from _inequality(facts, check, limits, low, high)


def _whole_checks(checks: Iterable[SpeedCheckExtract]) -> Iterator[SpeedCheckExtract]:
    """The checks; a minimum and the maximum told right behind it are one."""
    open_low: SpeedCheckExtract | None = None
    for check in checks:
        if open_low is not None and not check.low_expression and check.low_m3_min is None:
            both = replace(check, low_expression=open_low.low_expression, low_m3_min=open_low.low_m3_min)
            yield replace(both, evidence=(*open_low.evidence, *check.evidence))
            open_low = None
            continue
        if open_low is not None:
            yield open_low
        is_low = not check.high_expression and check.high_m3_min is None and check.flow_m3_min is None
        open_low = check if is_low else None
        if not is_low:
            yield check
    if open_low is not None:
        yield open_low


def _bound_arithmetic(
    facts: PlaceFacts, check: SpeedCheckExtract, expression: str, stated: Decimal | None
) -> Iterator[Finding]:
    if not expression or stated is None:
        return
    result = judge_chain((expression, str(stated)), stated)
    if result.exact is not None and not result.follows:
        yield make_finding(
            facts.rules,
            FindingKind.ARITHMETIC_MISMATCH,
            facts.subject,
            rule="calc.arithmetic",
            stated=stated,
            expected=result.exact,
            unit="m3/min",
            evidence=check.evidence,
            message=say("speed.check_differs", expression=expression, exact=show(result.exact), stated=show(stated)),
            clears_when=say("speed.check_differs.clear"),
        )


def is_speed_bound(facts: PlaceFacts, expression: str) -> bool:
    """Whether the expression is a speed limit times a section, and its speed not the one the plan states for the place."""
    bound = _bound(facts, expression)
    if bound is None or bound.speed == facts.known.get("speed_m_s"):
        return False
    # A plan may print the limit of the law beside a stricter one of the mine.
    return any(bound.speed in {limits.low, limits.high} for limits in (speed_limits(facts), _general_limits(facts)))


def _bound(facts: PlaceFacts, expression: str) -> Bound | None:
    """Speed and section of one side; the section is a value the plan states, else the greater number."""
    if not expression:
        return None
    try:
        terms = terms_of(expression)
    except FormulaError:
        return None
    if len(terms) != 1 or any(factor.inverse or factor.value is None for factor in terms[0].factors):
        return None
    values = [factor.value for factor in terms[0].factors if factor.value is not None]
    scale = Fraction(1)
    if _S_PER_MIN in values and len(values) > 2:  # noqa: PLR2004 - 60, speed, section
        values.remove(Fraction(_S_PER_MIN))
    else:
        scale = Fraction(1, _S_PER_MIN)  # 15×S, 240×S
    share = Fraction(facts.rules.constant("speed.net_area_share").value)
    if len(values) == 3 and share in values:  # noqa: PLR2004 - section printed as net section × 70 %
        values.remove(share)
        return _split(facts, values, scale, share)
    return _split(facts, values, scale, Fraction(1)) if len(values) == 2 else None  # noqa: PLR2004 - speed and section


def _split(facts: PlaceFacts, values: list[Fraction], scale: Fraction, share: Fraction) -> Bound:
    one, other = values
    areas = _areas(facts)
    if scale != 1:  # 15×S: the rule's number stands first
        return Bound(speed=one * scale, area=other * share, section=other)
    if (one in areas and other not in areas) or (other not in areas and one > other):
        one, other = other, one
    return Bound(speed=one, area=other * share, section=other)


def _areas(facts: PlaceFacts) -> set[Fraction]:
    keys = ("area_m2", "area_max_m2", "area_min_m2")
    found = {facts.known[key] for key in keys if key in facts.known}
    return found | ({Fraction(facts.extract.table_area.value)} if facts.extract.table_area is not None else set())


def _wrong_bounds(
    facts: PlaceFacts, check: SpeedCheckExtract, limits: SpeedBounds, low: Bound | None, high: Bound | None
) -> Iterator[Finding]:
    """One finding for all that is wrong with the bounds of one check."""
    wrong = (*_wrong_speeds(facts, limits, low, high), *_wrong_sections(facts, low, high))
    if wrong:
        yield make_finding(
            facts.rules,
            FindingKind.SPEED_CHECK_FAILED,
            facts.subject,
            rule=wrong[0].rule,
            stated=wrong[0].stated,
            expected=wrong[0].expected,
            evidence=check.evidence,
            message=say("speed.wrong_bounds", bounds=chained(one.text for one in wrong)),
            clears_when=say("speed.wrong_bounds.clear"),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wrong:
    stated: Fraction
    expected: Fraction
    text: Text
    rule: str = _RULE


def _wrong_speeds(facts: PlaceFacts, limits: SpeedBounds, low: Bound | None, high: Bound | None) -> Iterator[_Wrong]:
    if low is not None and limits.low is not None and low.speed < limits.low:
        text = say("speed.least_too_low", speed=show(low.speed), limit=limits.low)
        yield _Wrong(stated=low.speed, expected=Fraction(limits.low), text=text, rule=limits.low_rule)
    if high is not None and limits.high is not None and high.speed > limits.high:
        is_by_sprays = facts.type is PlaceType.COAL_FACE and limits.high_rule == _RULE
        key = "speed.greatest_without_sprays" if is_by_sprays else "speed.greatest_too_high"
        text = say(key, speed=show(high.speed), limit=limits.high)
        yield _Wrong(stated=high.speed, expected=Fraction(limits.high), text=text, rule=limits.high_rule)


def _wrong_sections(facts: PlaceFacts, low: Bound | None, high: Bound | None) -> Iterator[_Wrong]:
    """The minimum asks for the largest section, the maximum for the smallest; only stated sections are compared."""
    largest, smallest = facts.known.get("area_max_m2"), facts.known.get("area_min_m2")
    if largest is None or smallest is None or largest <= smallest:
        return
    if low is not None and low.section < largest and low.section in _areas(facts):
        text = say("speed.least_section", used=show(low.section), largest=show(largest))
        yield _Wrong(stated=low.section, expected=largest, text=text)
    if high is not None and high.section > smallest and high.section in _areas(facts):
        text = say("speed.greatest_section", used=show(high.section), smallest=show(smallest))
        yield _Wrong(stated=high.section, expected=smallest, text=text)


def _inequality(
    facts: PlaceFacts, check: SpeedCheckExtract, limits: SpeedBounds, low: Bound | None, high: Bound | None
) -> Iterator[Finding]:
    flow = check.flow_m3_min
    if flow is None:
        return
    least = _value(check.low_m3_min, low)
    most = _value(check.high_m3_min, high)
    if least is not None and flow < least:
        yield _flow_finding(facts, flow, least, limits, "speed.flow_too_low", check)
    if most is not None and flow > most:
        yield _flow_finding(facts, flow, most, limits, "speed.flow_too_high", check)


def _value(printed: Decimal | None, bound: Bound | None) -> Fraction | None:
    if bound is not None:
        return bound.speed * bound.area * _S_PER_MIN
    return Fraction(printed) if printed is not None else None


def _flow_findings(
    facts: PlaceFacts, limits: SpeedBounds, flow: Decimal, area: tuple[Fraction | None, Fraction | None]
) -> Iterator[Finding]:
    largest, smallest = area
    if largest is not None and limits.low is not None and flow < Fraction(limits.low) * largest * _S_PER_MIN:
        yield _flow_finding(
            facts, flow, Fraction(limits.low) * largest * _S_PER_MIN, limits, "speed.flow_too_low", None
        )
    if smallest is not None and limits.high is not None and flow > Fraction(limits.high) * smallest * _S_PER_MIN:
        yield _flow_finding(
            facts, flow, Fraction(limits.high) * smallest * _S_PER_MIN, limits, "speed.flow_too_high", None
        )


def _sections(facts: PlaceFacts) -> tuple[Fraction | None, Fraction | None]:
    """The sections open to air for the minimum (the largest) and the maximum (the smallest).

    As the printed check takes them; else as stated, a face's net section only to 70 %.
    """
    lows = [bound.area for c in facts.extract.speed_checks if (bound := _bound(facts, c.low_expression)) is not None]
    highs = [bound.area for c in facts.extract.speed_checks if (bound := _bound(facts, c.high_expression)) is not None]
    return max(lows, default=_stated(facts, "area_max_m2")), min(highs, default=_stated(facts, "area_min_m2"))


def _stated(facts: PlaceFacts, key: str) -> Fraction | None:
    """A stated section; one that is near the net section of a face is net as well."""
    section, area = facts.known.get(key), facts.known.get("area_m2")
    if section is None:
        return _open_area(facts)
    share = Fraction(facts.rules.constant("speed.net_area_share").value)
    is_net = facts.type in _FACES and facts.markers.get(AREA_BASIS) == "net"
    if is_net and area is not None and section > area * (1 + share) / 2:
        return section * share
    return section


def _open_area(facts: PlaceFacts) -> Fraction | None:
    area = facts.known.get("area_m2")
    table = facts.extract.table_area
    value = area if area is not None else (Fraction(table.value) if table is not None else None)
    if value is None or facts.type not in _FACES:
        return value
    basis = facts.markers.get(AREA_BASIS)
    if basis is None:
        return None
    return value * Fraction(facts.rules.constant("speed.net_area_share").value) if basis == "net" else value


def _flow_finding(
    facts: PlaceFacts, flow: Decimal, bound: Fraction, limits: SpeedBounds, key: str, check: SpeedCheckExtract | None
) -> Finding:
    is_low = key == "speed.flow_too_low"
    speed = limits.low if is_low else limits.high
    return make_finding(
        facts.rules,
        FindingKind.SPEED_CHECK_FAILED,
        facts.subject,
        rule=limits.low_rule if is_low else limits.high_rule,
        stated=flow,
        expected=bound,
        unit="m3/min",
        evidence=(*(check.evidence if check is not None else ()), *facts.extract.evidence),
        message=say(key, flow=show(flow), bound=show(bound), speed=speed),
        clears_when=say("speed.flow.clear"),
    )
