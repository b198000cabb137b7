"""Main fans of the plan: what their systems need against what they can do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction

from algorithms.airflow_review.engine.hierarchy import SystemSums
from algorithms.airflow_review.engine.issue import Subject, cause_of, make_finding, show
from algorithms.airflow_review.engine.names import NameWords
from algorithms.airflow_review.engine.rounding import accepted
from algorithms.airflow_review.extract import FanCapacityExtract, PlanExtract
from algorithms.airflow_review.messages.catalogue import Text, say
from algorithms.airflow_review.model import Finding, FindingKind, Severity
from algorithms.airflow_review.reading.text import normal_name
from algorithms.airflow_review.rules.library import RuleSet


def check_fans(plan: PlanExtract, sums: Sequence[SystemSums], rules: RuleSet) -> tuple[Finding, ...]:
    """`fan_capacity` where need or duty is beyond the fan; a need printed otherwise elsewhere is a conflict."""
    words = NameWords.of(rules.data["names"])
    found: list[Finding] = []
    for fan in plan.fans:
        system = _system_of(fan, sums, words)
        found.extend(_fan_findings(fan, system, rules))
    return tuple(found)


def _system_of(fan: FanCapacityExtract, sums: Sequence[SystemSums], words: NameWords) -> SystemSums | None:
    for name in (fan.system, fan.name):
        if not name:
            continue
        for one in sums:
            if normal_name(one.subject.name) == normal_name(name):
                return one
        core = words.system_core(name)
        found = [one for one in sums if core and words.system_core(one.subject.name) == core]
        if len(found) == 1:
            return found[0]
    return sums[0] if len(sums) == 1 else None


def _fan_findings(fan: FanCapacityExtract, system: SystemSums | None, rules: RuleSet) -> Iterator[Finding]:
    subject = system.subject if system is not None else Subject(id=fan.name, name=fan.name)
    required = system.printed("required") if system is not None else None
    if fan.need is not None and required is not None and accepted(Fraction(required.value), fan.need.value) is None:
        yield make_finding(
            rules,
            FindingKind.CONFLICTING_VALUES,
            subject,
            rule="plan.conflict",
            stated=fan.need.value,
            expected=required.value,
            unit="m3/min",
            evidence=(*fan.need.evidence, *fan.evidence, *required.evidence),
            message=say("fan.need_differs", fan=fan.name, need=show(fan.need.value), required=show(required.value)),
            clears_when=say("fan.need_differs.clear"),
        )
    need = max((printed.value for printed in (required, fan.need) if printed is not None), default=None)
    if need is not None and fan.capacity is not None and need > fan.capacity.value:
        text = say("fan.too_small", fan=fan.name, need=show(need), capacity=show(fan.capacity.value))
        cause = _cause_in_places(system, need, fan.capacity.value) if system is not None else None
        yield _capacity(fan, subject, rules, "fan.capacity", need, fan.capacity.value, "m3/min", text, cause=cause)
    yield from _duty(fan, subject, rules)


def _cause_in_places(system: SystemSums, need: Decimal, capacity: Decimal) -> str | None:
    """The finding at the one place whose need is printed too large, where the fan suffices with what it really needs."""
    factor = system.printed("coefficient")
    for member in system.members:
        stated, real = member.place.stated_required_m3_min, member.place.required_m3_min
        told = next((f for f in member.findings if f.severity is not Severity.NOTE and f.cause is None), None)
        if told is None or stated is None or real is None or real >= stated:
            continue
        if need - (stated - real) * (factor.value if factor is not None else 1) <= capacity:
            return cause_of(told.kind, member.facts.subject)
    return None


def _duty(fan: FanCapacityExtract, subject: Subject, rules: RuleSet) -> Iterator[Finding]:
    if fan.pressure is not None and fan.pressure_max is not None:
        limit = rules.constant("fan.pressure_share").value * fan.pressure_max.value
        if fan.pressure.value > limit:
            text = say("fan.near_stall", fan=fan.name, pressure=show(fan.pressure.value), limit=show(limit))
            yield _capacity(fan, subject, rules, "fan.pressure_share", fan.pressure.value, limit, "Pa", text)
    if fan.efficiency is not None:
        least = rules.constant("fan.efficiency_min_pct").value
        if fan.efficiency.value < least:
            text = say("fan.inefficient", fan=fan.name, efficiency=show(fan.efficiency.value), least=show(least))
            yield _capacity(
                fan, subject, rules, "fan.efficiency_min_pct", fan.efficiency.value, least, "%", text, note=True
            )


def _capacity(
    fan: FanCapacityExtract,
    subject: Subject,
    rules: RuleSet,
    rule: str,
    stated: Decimal,
    expected: Decimal,
    unit: str,
    text: Text,
    *,
    note: bool = False,
    cause: str | None = None,
) -> Finding:
    return make_finding(
        rules,
        FindingKind.FAN_CAPACITY,
        subject,
        rule=rule,
        severity=Severity.NOTE if note else None,
        stated=stated,
        expected=expected,
        unit=unit,
        cause=cause,
        evidence=fan.evidence,
        message=text,
        clears_when=say("fan.capacity.clear"),
    )
