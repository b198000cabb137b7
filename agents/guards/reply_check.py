"""The verification of one reply: direct matches and critical fields first, then calculations, then what is left."""

from __future__ import annotations

import re
from typing import Final

from agents.guards.aggregate_words import speaks_of
from agents.guards.analogies import Analogies
from agents.guards.beside import Beside
from agents.guards.bounds import bounded, is_limit
from agents.guards.calendar_days import CalendarDays
from agents.guards.concepts import says_any
from agents.guards.critical import Binding, CriticalFields, satisfies
from agents.guards.cues import has_cue
from agents.guards.derivations import Derivations, Derived
from agents.guards.direct import direct_matches, meets, tolerance
from agents.guards.elsewhere import Elsewhere
from agents.guards.equations import Equation, find_equations, holds, is_constant
from agents.guards.evidence.book import EvidenceBook
from agents.guards.evidence.fact import AVERAGED, COUNTED, SUMMED, TEXT, Fact
from agents.guards.field_words import DIFFERENCES, TOTALS
from agents.guards.lists_named import ListsNamed
from agents.guards.operands import Operand, Operands
from agents.guards.own_numbers import OwnNumbers
from agents.guards.quantities.fold import fold
from agents.guards.quantities.quantity import Quantity
from agents.guards.quantities.reader import read_quantities
from agents.guards.quantities.units import same_kind, unit_table
from agents.guards.quotations import Quotations
from agents.guards.reply.layout import Layout, Spot
from agents.guards.signs import Signs
from agents.guards.steps import Steps
from agents.guards.unit_algebra import unit_of_price
from agents.guards.verdict import Grounding, NumberVerdict, Source

_PLACES: Final = frozenset({"ordinal", "page"})
_CLAUSE: Final = re.compile(r"[，,；;]")
_WORKDAY_HOURS: Final = 8
_NEAR: Final = 10
_MOST_DERIVED: Final = 400  # the rest of a text with more unexplained numbers stays unexplained
_CALCULATED: Final = frozenset({Grounding.DERIVED, Grounding.EQUATION, Grounding.AGGREGATE})


class ReplyCheck:
    """The verification of one text."""

    def __init__(self, book: EvidenceBook, text: str) -> None:
        self.book = book
        self.text = text
        folded = fold(text)
        self.quantities = read_quantities(folded)
        self.layout = Layout(folded, self.quantities)
        self.beside = Beside(self.layout)
        self.critical = CriticalFields(book, self.layout)
        self.operands = Operands(book, self.layout, self.critical)
        self.elsewhere = Elsewhere(book, self.layout, self.operands)
        self.signs = Signs(self.layout, self.critical)
        self.lists = ListsNamed(book, self.layout, self.operands)
        self.steps = Steps(self.layout, self.operands, book.user_text)
        self.own = OwnNumbers(self.layout, self.beside, self.lists)
        self.calendar = CalendarDays(book, self.layout.lowered)
        self.analogies = Analogies(book, self.layout, self.operands)
        self.derivations = Derivations(self.layout, self.operands)
        self.verdicts: dict[int, NumberVerdict] = {}
        self.bindings: dict[int, Binding] = {}
        self.equations: list[Equation] = []
        self.inside_equation: set[int] = set()
        self.results: set[int] = set()
        self.calculated: set[int] = set()
        self.calculated_ones: list[int] = []
        self.workday = False

    def run(self) -> list[NumberVerdict]:
        """One verdict per number, in order."""
        self.equations = list(find_equations(self.layout.text, self.quantities))
        for equation in self.equations:
            self.inside_equation.update(equation.operands, equation.chained)
            self.results.add(equation.result)
        self.workday = self._find_workday()
        claims = [n for n, quantity in enumerate(self.quantities) if quantity.is_claim and n not in self.verdicts]
        quotations = Quotations(self.book, self.layout.text, self.critical.objects, self.operands.row_hits)
        for number in claims:
            quantity = self.quantities[number]
            if quotations.is_in_name(quantity):
                self._exempt(number, "name")
            elif (fact := quotations.source_of(quantity)) is not None:
                self._accept(number, Grounding.EXACT, "quoted", (fact,))
            else:
                self._first_look(number)
        self._solve_equations()
        for _ in range(2):  # a derived number may be the operand of one before it
            open_ones = [number for number in claims if number not in self.verdicts]
            for number in open_ones[:_MOST_DERIVED]:
                self._second_look(number)
            self._solve_equations()
        for number, quantity in enumerate(self.quantities):
            if number not in self.verdicts:
                self._last_look(number, quantity)
        return [self.verdicts[number] for number in range(len(self.quantities))]

    # -- single facts ------------------------------------------------------------------------------------------------

    def _first_look(self, number: int) -> None:
        quantity = self.quantities[number]
        if (
            quantity.unit is None
            and not quantity.exempt
            and self._is_name(quantity)
            and not direct_matches(quantity, self.book)
        ):
            self._exempt(number, "name")
            return
        if joint := self.critical.joint(number):
            total = sum(value.fact.value for value in joint)
            if abs(quantity.value - total) <= tolerance(quantity) * (1 + 1e-9):
                self._accept(number, Grounding.DERIVED, "sum", tuple(value.fact for value in joint))
                return
        unbound = number in self.inside_equation or (quantity.exempt and quantity.exempt not in _PLACES)
        binding = None if unbound else self.critical.binding(number)
        if binding is not None:
            self.bindings[number] = binding
            plain = binding.plain if not binding.is_strong or binding.label.start > quantity.start else []
            met = satisfies(quantity, binding.expected) or satisfies(quantity, plain)
            if met and not met[0].fact.stale:
                self._accept(number, met[1], str(met[1]), (met[0].fact,))
                return
        matches = [
            match for match in direct_matches(quantity, self.book) if not self.elsewhere.is_of_other(match.fact, number)
        ]
        if not matches or (matches[0].fact.stale and not self.beside.says("past", number)):
            return
        if quantity.exempt and quantity.exempt not in _PLACES:
            return
        facts = [match.fact for match in matches]
        if binding is not None and not self._may_be_other(number, binding, facts):
            return
        if binding is None and self._is_calculated(number, facts):
            self.calculated.add(number)
            return
        best = matches[0]
        self._accept(number, best.how, str(best.how), (best.fact,))

    def _is_calculated(self, number: int, facts: list[Fact]) -> bool:
        """Whether the number is stated as a sum or difference of values before it, and meets a field that nobody names.

        With many fields a wrong difference meets one of them by chance; such a number has to be derived.
        """
        quantity, spot = self.quantities[number], self.layout.spots[number]
        if any(fact.kind == TEXT for fact in facts):
            return False
        words = self.layout.words(max(spot.left, quantity.start - 8), quantity.start)
        if has_cue("said_sum", words):
            own, least = TOTALS, 2
        elif has_cue("said_diff", words):
            own, least = DIFFERENCES, 1
        else:
            return False
        sentence = self.layout.sentences[spot.sentence]
        listed = [m for m in sentence.quantities if m < number and self.quantities[m].is_claim]
        alike = [m for m in listed if same_kind(self.quantities[m].unit, quantity.unit)]
        stated = any(own.intersection((*fact.words, *fact.scope)) or self._is_named(fact, spot) for fact in facts)
        return len(alike) >= least and not stated

    def _is_named(self, fact: Fact, spot: Spot) -> bool:
        """Whether the words beside a number name a field, and its row where it has one."""
        if not self.operands.is_named(fact, spot.left, spot.right):
            return False
        return not fact.is_row or any(name.lower() in self.layout.words(spot.left, spot.right) for name in fact.names)

    def _may_be_other(self, number: int, binding: Binding, facts: list[Fact]) -> bool:
        """Whether a number under a critical label may state another field that it equals."""
        expected = [value.fact for value in binding.expected]
        return any(
            self._may_be_same_field(number, binding, fact, expected)
            if any(fact.words == other.words for other in expected)
            else self._may_be_field(number, binding, fact, expected)
            for fact in facts
        )

    def _may_be_same_field(self, number: int, binding: Binding, fact: Fact, expected: list[Fact]) -> bool:
        """The same field elsewhere: of another period, of the whole, or of any row where none is named."""
        if binding.has_row:
            return self._is_whole(number, binding, fact)
        return not binding.is_strong or fact.scope != expected[0].scope or fact.is_row != expected[0].is_row

    def _may_be_field(self, number: int, binding: Binding, fact: Fact, expected: list[Fact]) -> bool:
        """Another field: where the words beside the number name it, or the label stands far off."""
        if binding.is_strong:
            if (
                not binding.has_row
                and not fact.is_row
                and TOTALS.intersection(fact.words)
                and all(v.objects for v in binding.expected)
            ):
                return True  # no row is named, and the whole is no row: 1364 件工单
            if self._is_of_named_row(number, fact, expected):
                return True
            return self._names_better(number, binding, fact, expected)
        other_row = binding.has_row and fact.is_row and fact.names != expected[0].names
        return not other_row

    def _is_whole(self, number: int, binding: Binding, fact: Fact) -> bool:
        """A total that the words call so, and no row named since the number before: 占总实测风量 3768.2."""
        spot, start = self.layout.spots[number], self.quantities[number].start
        if spot.cell is not None or fact.is_row or not TOTALS.intersection((*fact.words, *fact.scope)):
            return False
        said = self.layout.words(max(spot.left, min(binding.label.start, start) - 3), start)
        return has_cue("whole", said) and not self.critical.objects.between(spot.left, start)

    def _is_of_named_row(self, number: int, fact: Fact, expected: list[Fact]) -> bool:
        """The number of a row that is named, under a label that belongs to no row: two of the students got an F."""
        if not fact.is_row or any(other.is_row for other in expected):
            return False
        spot, quantity = self.layout.spots[number], self.quantities[number]
        behind = self.layout.text[quantity.end : spot.right]
        return any(re.search(rf"(?<![A-Za-z0-9]){re.escape(name)}(?![A-Za-z0-9])", behind) for name in fact.names)

    def _names_better(self, number: int, binding: Binding, fact: Fact, expected: list[Fact]) -> bool:
        """Whether the words beside the number name this fact by what it does not share with the critical one."""
        own = tuple(word for word in fact.words if all(word not in other.words for other in expected))
        if not own or not fact.words:
            return False
        quantity, spot = self.quantities[number], self.layout.spots[number]
        if spot.cell is not None:
            stretches = [spot.cell.header, spot.cell.label]
        elif any(
            set(other.words) < set(fact.words) for other in expected
        ):  # 184 trips ran late: late_trips beside trips
            stretches = [(self.critical.free_left(number), self.layout.sentences[spot.sentence].end)]
        elif binding.label.start < quantity.start:
            stretches = [(self.critical.free_left(number), quantity.start)]
        else:
            stretches = [(self.critical.free_left(number), quantity.start), (quantity.end, spot.right)]
        return any(says_any(self.layout.words(*stretch), own) for stretch in stretches)

    # -- calculations ------------------------------------------------------------------------------------------------

    def _solve_equations(self) -> None:
        for equation in self.equations:
            for number in (*equation.operands, *equation.chained):
                quantity = self.quantities[number]
                if number not in self.verdicts and is_constant(quantity):
                    self._exempt(number, "constant")
            result = self.quantities[equation.result]
            if equation.result in self.verdicts and not self.verdicts[equation.result].is_flagged:
                continue
            if equation.value is None or not holds(result, equation.value):
                continue
            operands = [n for n in equation.operands if n not in self.verdicts or self.verdicts[n].is_flagged]
            if operands:
                continue
            facts = tuple(
                fact
                for n in equation.operands
                if n in self.operands.verified
                for fact in self.operands.verified[n].facts
            )
            self._accept(equation.result, Grounding.EQUATION, "equation", facts)

    def _second_look(self, number: int) -> None:
        """User numbers, derivations, aggregates, bounds; in this order."""
        quantity = self.quantities[number]
        if quantity.exempt and number not in self.bindings:
            if quantity.soft and self.calendar.bears_out(quantity):  # the 8 of 前8天 may be calculated with
                self.operands.verified[number] = Operand(quantity.value, quantity.unit, ())
            return
        if self._is_users(number, quantity) or number in self.results:
            return
        if self._is_said_again(number, quantity) or self._is_derived(number, quantity):
            return
        if number not in self.calculated and not self._is_hypothesis(number, quantity):
            self._bound(number, quantity, self.bindings.get(number))

    def _is_said_again(self, number: int, quantity: Quantity) -> bool:
        """A calculated number that stands elsewhere too, or a shown one in another unit."""
        if repeated := self._repeated(number, quantity):
            facts = self.operands.verified[self._at(repeated)].facts
            self._accept(number, repeated.grounding, repeated.operation, facts)
        elif converted := self._converted(number, quantity):
            self._accept(number, Grounding.UNIT, "unit", converted.facts)
        return number in self.verdicts

    def _is_derived(self, number: int, quantity: Quantity) -> bool:
        """A result of calculation or an aggregate of the evidence."""
        binding = self.bindings.get(number)
        hidden = (binding.label.start, binding.label.end) if binding is not None else None
        close = binding is not None and binding.is_strong and (binding.has_row or not binding.expected[0].objects)
        is_of_others = self.lists.is_of_others(number)
        derived = None if is_of_others else self.derivations.derive(number, hidden, close=close)
        if (
            derived is None and not is_of_others and self.operands.precise
        ):  # calculated before it was rounded: 22.9万 of 34.6万
            self.operands.is_precise = True
            derived = self.derivations.derive(number, hidden, close=close)
            self.operands.is_precise = False
        if derived and derived.operation == "diff" and self.signs.contradict(number, derived.facts):
            return False
        if derived:
            self._accept(number, Grounding.DERIVED, derived.operation, derived.facts)
        elif again := (None if close else self._once_more(number)):
            self._accept(number, Grounding.DERIVED, again.operation, again.facts)
        elif binding is None and self.calendar.bears_out(quantity):
            self._accept(number, Grounding.DERIVED, "calendar", ())
            self.operands.verified[number] = Operand(quantity.value, unit_table().units["day"], ())
        elif fact := (None if is_of_others else self._aggregate(number, quantity, hidden)):
            self._accept(number, Grounding.AGGREGATE, fact.kind, (fact,))
        return number in self.verdicts

    def _once_more(self, number: int) -> Derived | None:
        """A calculation made before for something else, one with rows of a list, one of two steps."""
        found = self.analogies.find(number) or self.lists.find(number) or self.steps.find(number)
        if found is None and self.operands.precise:
            self.operands.is_precise = True
            found = self.steps.find(number)
            self.operands.is_precise = False
        return found

    def _repeated(self, number: int, quantity: Quantity) -> NumberVerdict | None:
        """A calculated number that the reply has borne out elsewhere."""
        if number in self.bindings:
            return None
        for other in self.calculated_ones:
            verdict = self.verdicts[other]
            shown = self.quantities[other]
            slack = 1e-9 * abs(shown.base)
            if quantity.hedged and quantity.ulp > shown.ulp and self._is_beside(number, other):
                slack = max(slack, tolerance(quantity) * (quantity.unit.factor if quantity.unit else 1.0))
            if same_kind(shown.unit, quantity.unit) and abs(shown.base - quantity.base) <= slack:
                return verdict
        return None

    def _is_beside(self, number: int, other: int) -> bool:
        return self.layout.spots[number].sentence == self.layout.spots[other].sentence

    def _at(self, verdict: NumberVerdict) -> int:
        return next(number for number, given in self.verdicts.items() if given is verdict)

    def _converted(self, number: int, quantity: Quantity) -> Operand | None:
        """A value shown beside it, in another unit."""
        if quantity.unit is None or number in self.bindings:
            return None
        for operand in self.operands.shown(number):
            if operand.unit is None or operand.unit == quantity.unit:
                continue
            if operand.unit.dimension != quantity.unit.dimension:
                continue
            values = [operand.base / quantity.unit.factor]
            if self.workday and (operand.unit.name, quantity.unit.name) == ("h", "day"):
                values.append(operand.value / _WORKDAY_HOURS)
            if any(abs(abs(quantity.value) - abs(value)) <= tolerance(quantity) * (1 + 1e-9) for value in values):
                return operand
        return None

    def _find_workday(self) -> bool:
        """Whether the reply counts by days of eight hours: 按每天 8 小时; the eight is a constant then."""
        for number, quantity in enumerate(self.quantities):
            is_eight = quantity.value == _WORKDAY_HOURS and quantity.unit is not None and quantity.unit.name == "h"
            near = self.layout.words(max(0, quantity.start - 5), quantity.unit_end + 9)
            if is_eight and not quantity.exempt and has_cue("workday", near):
                self._exempt(number, "constant")
                return True
        return False

    def _is_hypothesis(self, number: int, quantity: Quantity) -> bool:
        """A number that the clause only supposes: 如果目标是 20,000, 按 24 小时连续运行."""
        spot = self.layout.spots[number]
        clause = _CLAUSE.split(self.layout.words(spot.left, quantity.start))[-1]
        is_span = quantity.unit is not None and quantity.unit.dimension == "time" and is_constant(quantity)
        assumed = is_span and has_cue("assumed", clause[-_NEAR:])
        if number in self.bindings or not (assumed or has_cue("hypothesis", clause)):
            return False
        self.operands.verified[number] = Operand(quantity.value, quantity.unit, ())
        self._exempt(number, "hypothesis")
        return True

    def _is_users(self, number: int, quantity: Quantity) -> bool:
        """A number that the user wrote; under a critical label only where the reply says that it is the user's."""
        for fact in self.book.user:
            if not same_kind(quantity.unit, fact.unit) or meets(quantity, fact) not in {
                Grounding.EXACT,
                Grounding.UNIT,
            }:
                continue
            theirs = (
                self.beside.says_in_clause("user", number)
                if number in self.bindings
                else self.beside.says("user", number)
            )
            if theirs or (number not in self.bindings and not self.beside.says("system", number)):
                self._accept(number, Grounding.USER, "user", (fact,))
                return True
        return False

    def _aggregate(self, number: int, quantity: Quantity, hidden: tuple[int, int] | None) -> Fact | None:
        binding = self.bindings.get(number)
        candidates = self.book.aggregate_index.near(quantity.value, tolerance(quantity))
        if not candidates:
            return None
        words = self.derivations.sentence_words(number, hidden)
        around = self.derivations.words_around(number)
        for fact in candidates:
            if binding is not None and binding.is_strong and (fact.kind == COUNTED or binding.has_row):
                continue
            if number in self.inside_equation and fact.kind in {SUMMED, AVERAGED} and meets(quantity, fact):
                return fact
            met = meets(quantity, fact) or (fact.kind == COUNTED and quantity.value == fact.value)
            if met and speaks_of(fact, quantity, words, around):
                return fact
        return None

    def _bound(self, number: int, quantity: Quantity, binding: Binding | None) -> None:
        """超过 20000, under 5 %: true of a field that the sentence names; of the critical one where there is one."""
        if binding is not None and binding.is_strong:
            pool = [Operand(value.fact.value, value.fact.unit, (value.fact,)) for value in binding.expected]
        else:
            sentence = self.layout.sentences[self.layout.spots[number].sentence]
            pool = [*self.operands.shown(number), *self.operands.named(sentence.start, sentence.end)]
        more, less = self.beside.says_near("more_than", number), self.beside.says_near("less_than", number)
        if is_limit(self.layout.words(quantity.unit_end, quantity.unit_end + 8)):
            return
        if quantity.unit is not None and quantity.unit.name in {"fraction", "成"}:
            before = self.layout.words(max(0, quantity.start - 24), quantity.start)
            more, less = more or has_cue("more_than", before), less or has_cue("less_than", before)
            pool = [*pool, *self.derivations.shares_of_shown(number)]
        if (found := bounded(quantity, pool, more=more, less=less)) is not None:
            self._accept(number, Grounding.ROUND, ">" if more else "<", found.facts)

    # -- what is left ------------------------------------------------------------------------------------------------

    def _last_look(self, number: int, quantity: Quantity) -> None:
        binding = self.bindings.get(number)
        if quantity.exempt and (not quantity.soft or binding is None or quantity.exempt in {"name", "id", "date"}):
            self._exempt(number, quantity.exempt)
        elif binding is None and self.own.is_own_count(number, quantity):
            self._exempt(number, "self_count")
        elif binding is None and self.own.is_advice(number, quantity):
            self._exempt(number, "advice")
        elif binding is not None:
            self._flag(number, Grounding.CONTRADICTED, binding)
        else:
            self._flag(number, Grounding.UNGROUNDED, None)

    def _is_name(self, quantity: Quantity) -> bool:
        """Whether the bare digits stand in a name or an id of the evidence (2208 of 2208运输顺槽)."""
        return quantity.text in self.book.name_digits

    def _accept(self, number: int, grounding: Grounding, operation: str, facts: tuple[Fact, ...]) -> None:
        quantity = self.quantities[number]
        self.operands.verified[number] = Operand(
            quantity.value if grounding is not Grounding.EXACT or len(facts) != 1 else facts[0].value,
            unit_of_price(quantity, facts)
            or quantity.unit
            or (facts[0].unit if grounding in {Grounding.EXACT, Grounding.ROUND} and facts else None),
            facts,
        )
        if grounding in {Grounding.ROUND, Grounding.UNIT} and len(facts) == 1 and facts[0].unit == quantity.unit:
            self.operands.precise[number] = Operand(facts[0].value, facts[0].unit, facts)
        self._verdict(number, grounding, operation, facts)
        if grounding in _CALCULATED:
            self.calculated_ones.append(number)
            self.analogies.note(number, operation, facts)

    def _exempt(self, number: int, kind: str) -> None:
        self._verdict(number, Grounding.EXEMPT, kind, ())

    def _flag(self, number: int, grounding: Grounding, binding: Binding | None) -> None:
        expected = tuple(self._source(value.fact) for value in binding.expected) if binding else ()
        self._verdict(number, grounding, "", (), expected)

    def _verdict(
        self,
        number: int,
        grounding: Grounding,
        operation: str,
        facts: tuple[Fact, ...],
        expected: tuple[Source, ...] = (),
    ) -> None:
        quantity = self.quantities[number]
        binding = self.bindings.get(number)
        self.verdicts[number] = NumberVerdict(
            start=quantity.start,
            end=quantity.end,
            text=self.text[quantity.start : quantity.end],
            value=quantity.value,
            unit=quantity.unit.name if quantity.unit else "",
            grounding=grounding,
            operation=operation,
            sources=tuple(self._source(fact) for fact in facts),
            critical=binding.pattern if binding else "",
            expected=expected,
        )

    def _source(self, fact: Fact) -> Source:
        if fact.result < 0:
            return Source("", "", fact.path, fact.value)
        result = self.book.results[fact.result]
        return Source(result.tool, result.call_id, fact.path, fact.value)
