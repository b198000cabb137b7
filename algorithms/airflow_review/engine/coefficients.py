"""Which values a coefficient may have: the plan's own tables and ranges first, the library's where the plan prints none."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

from algorithms.airflow_review.engine.issue import show, span
from algorithms.airflow_review.engine.place_facts import PlaceFacts
from algorithms.airflow_review.evidence import Evidence
from algorithms.airflow_review.extract import Bracket
from algorithms.airflow_review.messages.catalogue import Text, as_printed, listed, rule_words, say
from algorithms.airflow_review.rules.records import Origin, Span, Table
from algorithms.airflow_review.rules.vocabulary import fits
from algorithms.airflow_review.value_class import dataclass

_CHECK = "calc.bracket"


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowed:
    """The interval a coefficient may lie in; None is an open end."""

    low: Decimal | None
    high: Decimal | None
    rule: str  # id of the rule behind it
    reason: Text  # why this interval: 进风流气温 24.5℃ 对应 …
    from_plan: bool
    deviation: str = "coefficient_out_of_bracket"
    evidence: tuple[Evidence, ...] = ()
    family: tuple[Bracket, ...] = ()  # of the library: every bracket of the coefficient, whatever it is matched with
    is_advice: bool = False  # the plan follows another family: the library is told as a note

    def decides(self, value: Fraction) -> bool:
        """Whether a value outside breaks a rule of this plan.

        The library's families serve only a plan that follows them. A value none of them can give comes from a table
        of the mine that the plan does not print or that could not be read.
        """
        if self.from_plan or not self.family:
            return not self.is_advice
        return not self.is_advice and any(b.value_low <= value <= b.value_high for b in self.family)

    def holds(self, value: Fraction) -> bool:
        """Both ends belong to the interval."""
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)

    def nearest(self, value: Fraction) -> Fraction:
        """`value` moved into the interval."""
        if self.low is not None and value < self.low:
            return Fraction(self.low)
        if self.high is not None and value > self.high:
            return Fraction(self.high)
        return value

    @property
    def text(self) -> Text:
        """The interval for a message."""
        if self.low is None or self.high is None:
            return as_printed(f"≤{self.high}" if self.low is None else f"≥{self.low}")
        return as_printed(str(self.low)) if self.low == self.high else span(self.low, self.high)


def allowed_values(facts: PlaceFacts, coefficient: str) -> Allowed | None:
    """The interval of `coefficient` at this place; None where neither plan nor library has one."""
    return (
        _from_plan_tables(facts, coefficient)
        or _from_statements(facts, coefficient)
        or _from_library(facts, coefficient)
    )


def brackets_at(brackets: Iterable[Bracket], value: Fraction) -> tuple[Bracket, ...]:
    """All brackets that hold `value`; an edge belongs to both neighbours."""
    return tuple(b for b in brackets if (b.low is None or value >= b.low) and (b.high is None or value <= b.high))


def _from_plan_tables(facts: PlaceFacts, coefficient: str) -> Allowed | None:
    """The brackets of all the plan's tables of this coefficient; two tables for two ways of mining are both its own."""
    found: list[Bracket] = []
    evidence: list[Evidence] = []
    field, value = "", Fraction(0)
    for table in facts.plan.tables:
        stated = facts.known.get(table.match_field)
        if table.coefficient != coefficient or stated is None:
            continue
        held = brackets_at(table.brackets, stated)
        if held:
            found.extend(held)
            evidence.extend(table.evidence)
            field, value = table.match_field, stated
    if not found:
        return None
    return _union(facts, tuple(found), field, value, from_plan=True, rule=_CHECK, evidence=tuple(evidence))


def _from_statements(facts: PlaceFacts, coefficient: str) -> Allowed | None:
    statements = tuple(s for s in facts.statements(coefficient) if s.low is not None or s.high is not None)
    if not statements:
        return None
    lows, highs = [s.low for s in statements], [s.high if s.high is not None else s.low for s in statements]
    scopes = tuple(dict.fromkeys(s.scope for s in statements if s.scope))
    return Allowed(
        low=min((low for low in lows if low is not None), default=None) if None not in lows else None,
        high=max((high for high in highs if high is not None), default=None),
        rule=_CHECK,
        reason=say("bracket.own_rule_for", scopes=listed(scopes)) if scopes else say("bracket.own_rule"),
        from_plan=True,
        evidence=tuple(e for s in statements for e in s.evidence),
    )


def _from_library(facts: PlaceFacts, coefficient: str) -> Allowed | None:
    if _plan_has_table(facts, coefficient):
        return None
    spans = [one for one in facts.rules.spans(coefficient, facts.type) if fits(one.when, facts.markers)]
    added = [one for one in spans if one.origin is Origin.ADDS]
    general = [one for one in spans if one.origin is not Origin.ADDS]
    allowed = _from_tables(facts, coefficient) or _from_spans(facts, coefficient, general)
    for one in added:
        allowed = _tightened(allowed, one)
    return allowed


def _from_tables(facts: PlaceFacts, coefficient: str) -> Allowed | None:
    found: list[tuple[Table, Bracket]] = []
    for table in facts.rules.tables(facts.type):
        stated = facts.known.get(table.match_field)
        if table.coefficient == coefficient and stated is not None:
            found.extend((table, bracket) for bracket in brackets_at(table.brackets, stated))
    if not found:
        return None
    field = found[-1][0].match_field
    rows = tuple(bracket for _, bracket in found)
    allowed = _union(facts, rows, field, facts.known[field], from_plan=False, rule=_CHECK, evidence=())
    own = [(table, row) for table, row in found if table.origin is not Origin.LIBRARY]
    if own:  # the mine has told its table: a value outside is not taken for one of a table nobody has seen
        used = (t.id for t, row in own if row.value_low == allowed.low or row.value_high == allowed.high)
        return replace(allowed, rule=next(used, _CHECK))
    family = tuple(b for t in facts.rules.tables(facts.type) if t.coefficient == coefficient for b in t.brackets)
    return replace(allowed, family=family, is_advice=coefficient in facts.advice_only)


def _from_spans(facts: PlaceFacts, coefficient: str, spans: list[Span]) -> Allowed | None:
    if not spans:
        return None
    return Allowed(
        low=min((s.low for s in spans if s.low is not None), default=None),
        high=max((s.high for s in spans if s.high is not None), default=None),
        rule=spans[0].id,
        reason=say("bracket.library_range"),
        from_plan=False,
        deviation=spans[0].deviation,
        is_advice=coefficient in facts.advice_only,
    )


def _tightened(allowed: Allowed | None, added: Span) -> Allowed:
    """The interval with a span a mine has added: its ends count where they are stricter."""
    own = Allowed(
        low=added.low,
        high=added.high,
        rule=added.id,
        reason=say("bracket.library_range"),
        from_plan=False,
        deviation=added.deviation,
    )
    if allowed is None:
        return own
    low = max((end for end in (allowed.low, added.low) if end is not None), default=None)
    high = min((end for end in (allowed.high, added.high) if end is not None), default=None)
    if low == allowed.low and high == allowed.high:
        return allowed
    if low is not None and high is not None and low > high:  # nothing in common: the mine's own number counts
        return own
    return replace(own, low=low, high=high)


def _plan_has_table(facts: PlaceFacts, coefficient: str) -> bool:
    return any(table.coefficient == coefficient for table in facts.plan.tables)


def _union(
    facts: PlaceFacts,
    found: tuple[Bracket, ...],
    field: str,
    value: Fraction,
    *,
    from_plan: bool,
    rule: str,
    evidence: tuple[Evidence, ...],
) -> Allowed:
    quantity = facts.rules.quantities.get(field)
    name, unit = (rule_words(quantity.text), quantity.unit) if quantity is not None else (as_printed(field), "")
    key = "bracket.own_table" if from_plan else "bracket.library_table"
    return Allowed(
        low=min(b.value_low for b in found),
        high=max(b.value_high for b in found),
        rule=rule,
        reason=say(key, quantity=name, value=show(value), unit=unit),
        from_plan=from_plan,
        evidence=evidence,
    )
