"""Sums: places → return-air system → mine. Rows are summed as printed; a duplicate is summed twice (R-PIT-15)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction

from algorithms.airflow_review.engine.issue import MINE, Subject, cause_of, make_finding, show
from algorithms.airflow_review.engine.place_review import PlaceReview
from algorithms.airflow_review.engine.rounding import accepted, to_decimal
from algorithms.airflow_review.evidence import Evidence, Method, Printed
from algorithms.airflow_review.extract import PlanExtract, SystemExtract
from algorithms.airflow_review.messages.catalogue import say
from algorithms.airflow_review.model import CheckStatus, Finding, FindingKind, MineTotal, Severity, System
from algorithms.airflow_review.reading.text import normal_name
from algorithms.airflow_review.rules.library import RuleSet
from algorithms.airflow_review.value_class import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemSums:
    """The printed sums of one system: its table first, then its row of the summary."""

    subject: Subject
    table: SystemExtract | None
    summary: SystemExtract | None
    members: tuple[PlaceReview, ...]

    def printed(self, field: str) -> Printed | None:
        """A printed sum by its field name, from the table if it has it."""
        for source in (self.table, self.summary):
            value: Printed | None = getattr(source, field) if source is not None else None
            if value is not None:
                return value
        return None

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """Rows that print the sums."""
        return tuple(e for source in (self.table, self.summary) if source is not None for e in source.evidence)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hierarchy:
    """All sums and what is wrong with them."""

    systems: tuple[System, ...]
    mine_total: MineTotal
    sums: tuple[SystemSums, ...]
    findings: tuple[Finding, ...]


def system_names(plan: PlanExtract) -> tuple[str, ...]:
    """Names of all systems in document order: tables, places, summary; one spelling each.

    A summary row that bears a place's name repeats that place and is no system.
    """
    names: dict[str, str] = {}
    places = {normal_name(place.name) for place in plan.places}
    listed = (
        *(s.name for s in plan.systems),
        *(p.system for p in plan.places if p.system),
        *(s.name for s in plan.summary if normal_name(s.name) not in places),
    )
    for name in listed:
        names.setdefault(normal_name(name), name)
    return tuple(names.values())


def check_hierarchy(plan: PlanExtract, places: Sequence[PlaceReview], rules: RuleSet) -> Hierarchy:
    """Judge subtotals, coefficients and totals against the printed rows below them."""
    sums = tuple(_sums_of(plan, name, index, places) for index, name in enumerate(system_names(plan), start=1))
    findings: list[Finding] = []
    systems = []
    for one in sums:
        found = (*_subtotal_findings(one, rules), *_total_findings(one, plan, rules), *_summary_findings(one, rules))
        findings.extend(found)
        systems.append(_system(one, plan, found))
    mine_total, found_mine = _mine(plan, sums, rules)
    return Hierarchy(systems=tuple(systems), mine_total=mine_total, sums=sums, findings=(*findings, *found_mine))


def _sums_of(plan: PlanExtract, name: str, index: int, places: Sequence[PlaceReview]) -> SystemSums:
    key = normal_name(name)
    return SystemSums(
        subject=Subject(id=f"S{index}", name=name),
        table=next((s for s in plan.systems if normal_name(s.name) == key), None),
        summary=next((s for s in plan.summary if normal_name(s.name) == key), None),
        members=tuple(
            p for p in places if p.facts.extract.system is not None and normal_name(p.facts.extract.system) == key
        ),
    )


def _column(one: SystemSums, field: str) -> list[Decimal]:
    """The printed values of a column that its sum counts: a series row is left out where the sum leaves it out."""
    return [
        value.value
        for member in one.members
        if (value := _cell(member, field)) is not None and member.place.id not in uncounted(one)
    ]


def _cell(member: PlaceReview, field: str) -> Printed | None:
    value: Printed | None = getattr(member.facts.extract, field)
    return value


def uncounted(one: SystemSums) -> frozenset[str]:
    """Ids of series places whose air is printed in their row and left out of the printed subtotal."""
    printed = one.printed("subtotal")
    behind = [m for m in one.members if m.facts.extract.series_after is not None and _cell(m, "required") is not None]
    if printed is None or not behind:
        return frozenset()
    rows = [(m.place.id, value.value) for m in one.members if (value := _cell(m, "required")) is not None]
    ids = frozenset(m.place.id for m in behind)
    fresh = sum((value for identity, value in rows if identity not in ids), Decimal(0))
    everything = sum((value for _, value in rows), Decimal(0))
    if accepted(Fraction(everything), printed.value) is None and accepted(Fraction(fresh), printed.value) is not None:
        return ids
    return frozenset()


def _subtotal_findings(one: SystemSums, rules: RuleSet) -> Iterator[Finding]:
    for field, column, what in (
        ("subtotal", "required", say("quantity.required_subtotal")),
        ("planned_subtotal", "planned", say("quantity.planned_subtotal")),
    ):
        printed = one.printed(field)
        values = _column(one, column)
        if printed is None or not values:
            continue
        exact = Fraction(sum(values))
        if accepted(exact, printed.value) is None and not _is_cell_unread(one, column, exact, printed.value):
            yield make_finding(
                rules,
                FindingKind.SUBTOTAL_MISMATCH,
                one.subject,
                rule="sum.subtotal",
                stated=printed.value,
                expected=exact,
                unit="m3/min",
                evidence=(*printed.evidence, *one.evidence),
                cause=_cause_in_rows(one, column, Fraction(printed.value) - exact),
                message=say(
                    "sum.subtotal_differs",
                    system=one.subject.name,
                    what=what,
                    stated=show(printed.value),
                    count=len(values),
                    total=show(exact),
                    difference=show(Fraction(printed.value) - exact),
                ),
                clears_when=say("sum.subtotal_differs.clear"),
            )


def _is_cell_unread(one: SystemSums, column: str, exact: Fraction, printed: Decimal) -> bool:
    """Whether the sum is right with the results of the calculations for rows whose cell is empty."""
    open_rows = [
        member.facts.extract.chapter_required.value
        for member in one.members
        if column == "required"
        and member.facts.extract.required is None
        and member.facts.extract.chapter_required is not None
    ]
    return bool(open_rows) and accepted(exact + Fraction(sum(open_rows)), printed) is not None


def _cause_in_rows(one: SystemSums, column: str, difference: Fraction) -> str | None:
    """A row whose own finding explains the difference: another printed value, or a value in another unit."""
    for member in one.members:
        printed = getattr(member.facts.extract, column)
        if printed is None:
            continue
        chapter = member.facts.extract.chapter_required
        for finding in member.findings:
            if finding.severity is Severity.NOTE:
                continue
            # A slip of unit in one column says nothing about the sum of the other.
            if finding.kind is FindingKind.UNIT_SUSPECT and finding.stated == printed.value:
                return cause_of(finding.kind, member.facts.subject)
            other = chapter.value if chapter is not None and column == "required" else None
            if (
                finding.kind is FindingKind.CONFLICTING_VALUES
                and other is not None
                and Fraction(other - printed.value) == difference
            ):
                return cause_of(finding.kind, member.facts.subject)
    return None


def stated_coefficient(plan: PlanExtract) -> Printed | None:
    """The reserve coefficient of the principles chapter, where it names one value."""
    for statement in plan.statements:
        if (
            statement.key == "reserve_coefficient"
            and statement.low is not None
            and statement.high in {None, statement.low}
        ):
            return Printed(value=statement.low, text=statement.text, evidence=statement.evidence)
    return None


def coefficient_of(one: SystemSums, plan: PlanExtract) -> Decimal | None:
    """K通 of a system: its table, the summary, else the principles chapter."""
    printed = one.printed("coefficient") or stated_coefficient(plan)
    return printed.value if printed is not None else None


def _total_findings(one: SystemSums, plan: PlanExtract, rules: RuleSet) -> Iterator[Finding]:
    required, subtotal = one.printed("required"), one.printed("subtotal")
    base = subtotal.value if subtotal is not None else sum(_column(one, "required"))
    coefficient = coefficient_of(one, plan)
    if required is None or not base or coefficient is None:
        return
    exact = Fraction(base) * Fraction(coefficient)
    if accepted(exact, required.value) is not None or accepted(
        Fraction(sum(_column(one, "required"))) * Fraction(coefficient), required.value
    ):
        return
    twice = accepted(exact * Fraction(coefficient), required.value) is not None
    none = Fraction(required.value) == base
    kind = FindingKind.COEFFICIENT_INCONSISTENT if twice or none else FindingKind.TOTAL_MISMATCH
    key = "sum.reserve_twice" if twice else ("sum.reserve_left_out" if none else "sum.total_differs")
    yield make_finding(
        rules,
        kind,
        one.subject,
        rule="calc.coefficient_once" if twice or none else "sum.total",
        stated=required.value,
        expected=exact,
        unit="m3/min",
        evidence=(*required.evidence, *one.evidence),
        message=say(
            key,
            system=one.subject.name,
            stated=show(required.value),
            subtotal=show(Fraction(base)),
            coefficient=coefficient,
            total=show(exact),
        ),
        clears_when=say("sum.total_differs.clear"),
    )


def _summary_findings(one: SystemSums, rules: RuleSet) -> Iterator[Finding]:
    if one.table is None or one.summary is None:
        return
    for field, what in (
        ("subtotal", say("quantity.required_subtotal")),
        ("required", say("quantity.required_total")),
        ("planned_subtotal", say("quantity.planned_subtotal")),
    ):
        table, summary = getattr(one.table, field), getattr(one.summary, field)
        if table is not None and summary is not None and accepted(Fraction(table.value), summary.value) is None:
            yield make_finding(
                rules,
                FindingKind.CONFLICTING_VALUES,
                one.subject,
                rule="plan.conflict",
                stated=summary.value,
                expected=table.value,
                unit="m3/min",
                evidence=(*summary.evidence, *table.evidence),
                message=say(
                    "sum.summary_differs",
                    system=one.subject.name,
                    what=what,
                    table=show(table.value),
                    summary=show(summary.value),
                ),
                clears_when=say("sum.summary_differs.clear"),
            )


def _system(one: SystemSums, plan: PlanExtract, findings: Sequence[Finding]) -> System:
    coefficient = coefficient_of(one, plan)
    left_out = uncounted(one)
    required = [m.place.required_m3_min for m in one.members if _counts(m) and m.place.id not in left_out]
    needed = sum((value for value in required if value is not None), Decimal(0))
    values, planned = _column(one, "required"), _column(one, "planned")
    loud = any(finding.severity is not Severity.NOTE for finding in findings)
    subtotal, planned_subtotal, total = (
        one.printed("subtotal"),
        one.printed("planned_subtotal"),
        one.printed("required"),
    )
    return System(
        id=one.subject.id,
        name=one.subject.name,
        members=tuple(member.place.id for member in one.members),
        subtotal_stated=_value(subtotal),
        subtotal_recomputed=sum(values, Decimal(0)) if values else None,
        planned_subtotal_stated=_value(planned_subtotal),
        planned_subtotal_recomputed=sum(planned, Decimal(0)) if planned else None,
        coefficient=_value(one.printed("coefficient")),
        required_stated=_value(total),
        required_recomputed=to_decimal(Fraction(needed) * Fraction(coefficient))
        if values and coefficient is not None
        else None,
        status=CheckStatus.MISMATCH
        if loud
        else (CheckStatus.OK if subtotal is not None or total is not None else CheckStatus.MANUAL),
        evidence=one.evidence,
    )


def _counts(member: PlaceReview) -> bool:
    """Whether a row takes part in its system's sum: it prints a required airflow (a series place prints none)."""
    return member.facts.extract.required is not None


def _value(printed: Printed | None) -> Decimal | None:
    return printed.value if printed is not None else None


def _mine(plan: PlanExtract, sums: Sequence[SystemSums], rules: RuleSet) -> tuple[MineTotal, tuple[Finding, ...]]:
    recomputed = _mine_sum(plan, sums)
    stated = plan.mine_total
    if stated is None or recomputed is None:
        status = CheckStatus.MANUAL
        return MineTotal(
            stated=_value(stated), recomputed=_shown(recomputed), status=status, evidence=_proof(stated)
        ), ()
    finding = _mine_finding(plan, sums, stated, recomputed, rules)
    status = CheckStatus.MISMATCH if finding is not None else CheckStatus.OK
    people = _people_total(plan)
    shown = recomputed if people is None else max(recomputed, people)
    total = MineTotal(stated=stated.value, recomputed=_shown(shown), status=status, evidence=stated.evidence)
    return total, (finding,) if finding is not None else ()


def _shown(value: Fraction | None) -> Decimal | None:
    return to_decimal(value) if value is not None else None


def _proof(stated: Printed | None) -> tuple[Evidence, ...]:
    return stated.evidence if stated is not None else ()


def _mine_sum(plan: PlanExtract, sums: Sequence[SystemSums]) -> Fraction | None:
    """Σ of the systems' printed requirements; a system without one counts subtotal × K."""
    parts = []
    for one in sums:
        required, subtotal, coefficient = one.printed("required"), one.printed("subtotal"), coefficient_of(one, plan)
        if required is not None:
            parts.append(Fraction(required.value))
        elif subtotal is not None:
            parts.append(Fraction(subtotal.value) * Fraction(coefficient if coefficient is not None else 1))
    return sum(parts, Fraction(0)) if parts and len(parts) == len(sums) else None


def _people_total(plan: PlanExtract) -> Fraction | None:
    """M1, by people: the greatest printed result of a loose calculation of that method."""
    found = [Fraction(c.stated) for c in plan.loose_calculations if c.method is Method.PEOPLE]
    return max(found, default=None)


def _mine_finding(
    plan: PlanExtract, sums: Sequence[SystemSums], stated: Printed, total: Fraction, rules: RuleSet
) -> Finding | None:
    people = _people_total(plan)
    expected = total if people is None else max(total, people)
    items = Fraction(sum((value for one in sums for value in _column(one, "required")), Decimal(0)))
    coefficient = stated_coefficient(plan)
    lawful = {expected} | (
        {items * Fraction(coefficient.value)} if coefficient is not None and items == _subtotals(sums) else set()
    )
    if any(accepted(value, stated.value) is not None for value in lawful):
        return None
    factor = (
        coefficient.value
        if coefficient is not None
        else next((k for one in sums if (k := coefficient_of(one, plan)) is not None), None)
    )
    twice = factor is not None and factor != 1 and accepted(total * Fraction(factor), stated.value) is not None
    return make_finding(
        rules,
        FindingKind.COEFFICIENT_INCONSISTENT if twice else FindingKind.TOTAL_MISMATCH,
        MINE,
        rule="calc.coefficient_once" if twice else "sum.total",
        stated=stated.value,
        expected=expected,
        unit="m3/min",
        evidence=(*stated.evidence, *(e for one in sums for e in one.evidence)),
        message=say(
            "sum.mine_reserve_twice" if twice else "sum.mine_differs",
            stated=show(stated.value),
            total=show(total if twice else expected),
        ),
        clears_when=say("sum.mine_differs.clear"),
    )


def _subtotals(sums: Sequence[SystemSums]) -> Fraction:
    return Fraction(
        sum((printed.value for one in sums if (printed := one.printed("subtotal")) is not None), Decimal(0))
    )
