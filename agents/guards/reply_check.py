"""The verification of one reply: direct matches and critical fields first, then calculations, then what is left."""

from __future__ import annotations

import re
from typing import Final

from agents.guards.aggregate_words import speaks_of
from agents.guards.analogies import Analogies
from agents.guards.bounds import bounded, is_limit
from agents.guards.concepts import says_any
from agents.guards.critical import Binding, CriticalFields, satisfies
from agents.guards.cues import has_cue
from agents.guards.derivations import Derivations
from agents.guards.direct import direct_matches, meets, tolerance
from agents.guards.elsewhere import Elsewhere
from agents.guards.equations import Equation, find_equations, holds, is_constant
from agents.guards.evidence.book import EvidenceBook
from agents.guards.evidence.fact import AVERAGED, COUNTED, SUMMED, TEXT, Fact
from agents.guards.field_words import DIFFERENCES, TOTALS
from agents.guards.operands import Operand, Operands
from agents.guards.quantities.fold import fold
from agents.guards.quantities.quantity import Quantity
from agents.guards.quantities.reader import read_quantities
from agents.guards.quantities.units import COUNT, same_kind
from agents.guards.quotations import Quotations
from agents.guards.reply.layout import Layout, Spot
from agents.guards.reply.listing import lists_beside
from agents.guards.verdict import Grounding, NumberVerdict, Source

_PLACES: Final = frozenset({"ordinal", "page"})
_CLAUSE: Final = re.compile(r"[，,；;]")
_WORKDAY_HOURS: Final = 8
_REACH: Final = 240
_MOST_DERIVED: Final = 400  # the rest of a text with more unexplained numbers stays unexplained
_MOST_LISTED: Final = 12
_CALCULATED: Final = frozenset({Grounding.DERIVED, Grounding.EQUATION, Grounding.AGGREGATE})


class ReplyCheck:
    """The verification of one text."""

    def __init__(self, book: EvidenceBook, text: str) -> None:
        self.book = book
        self.text = text
        folded = fold(text)
        self.quantities = read_quantities(folded)
        self.layout = Layout(folded, self.quantities)
        self.critical = CriticalFields(book, self.layout)
        self.operands = Operands(book, self.layout, self.critical)
        self.elsewhere = Elsewhere(book, self.layout, self.operands)
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
        quotations = Quotations(self.book, self.layout.text, self.critical.objects)
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
        if not matches or (matches[0].fact.stale and not self._says("past", number)):
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
            self._may_be_same_field(binding, fact, expected)
            if any(fact.words == other.words for other in expected)
            else self._may_be_field(number, binding, fact, expected)
            for fact in facts
        )

    @staticmethod
    def _may_be_same_field(binding: Binding, fact: Fact, expected: list[Fact]) -> bool:
        """The same field elsewhere: of another period, or of any row where none is named."""
        if binding.has_row:
            return False
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
            return self._names_better(number, binding, fact, expected)
        other_row = binding.has_row and fact.is_row and fact.names != expected[0].names
        return not other_row

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
        if derived := self.derivations.derive(number, hidden, close=close):
            self._accept(number, Grounding.DERIVED, derived.operation, derived.facts)
        elif again := (None if close else self.analogies.find(number)):
            self._accept(number, Grounding.DERIVED, again.operation, again.facts)
        elif fact := self._aggregate(number, quantity, hidden):
            self._accept(number, Grounding.AGGREGATE, fact.kind, (fact,))
        return number in self.verdicts

    def _repeated(self, number: int, quantity: Quantity) -> NumberVerdict | None:
        """A calculated number that the reply has borne out elsewhere."""
        if number in self.bindings:
            return None
        for other in self.calculated_ones:
            verdict = self.verdicts[other]
            shown = self.quantities[other]
            if same_kind(shown.unit, quantity.unit) and abs(shown.base - quantity.base) <= 1e-9 * abs(shown.base):
                return verdict
        return None

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
        """A number that the clause only supposes: 如果目标是 20,000."""
        spot = self.layout.spots[number]
        clause = _CLAUSE.split(self.layout.words(spot.left, quantity.start))[-1]
        if number in self.bindings or not has_cue("hypothesis", clause):
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
            theirs = self._says_beside("user", number) if number in self.bindings else self._says("user", number)
            if theirs or (number not in self.bindings and not self._says("system", number)):
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
        more, less = self._says_near("more_than", number), self._says_near("less_than", number)
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
        elif binding is None and self._is_own_count(number, quantity):
            self._exempt(number, "self_count")
        elif binding is None and self._is_advice(number, quantity):
            self._exempt(number, "advice")
        elif binding is not None:
            self._flag(number, Grounding.CONTRADICTED, binding)
        else:
            self._flag(number, Grounding.UNGROUNDED, None)

    def _is_own_count(self, number: int, quantity: Quantity) -> bool:
        """Whether a small count tells how many things the reply itself lists beside it or in the lines below."""
        if (
            quantity.ulp != 1
            or (quantity.unit is not None and quantity.unit.dimension != COUNT)
            or not 1 < quantity.value <= _MOST_LISTED
            or quantity.is_ratio
        ):
            return False
        sentence = self.layout.sentences[self.layout.spots[number].sentence]
        counts = lists_beside(self.layout.text, (sentence.start, sentence.end), (quantity.start, quantity.unit_end))
        behind = self.layout.words(quantity.unit_end, min(sentence.end, quantity.unit_end + 10))
        summed = has_cue("said_sum", behind) and quantity.unit is not None and not quantity.text.isdigit()
        return quantity.value in counts or summed

    def _is_advice(self, number: int, quantity: Quantity) -> bool:
        """A deadline or a threshold that the reply sets: 请在 24 小时内上报, anyone below 75 % should."""
        if quantity.is_ratio and number not in self.bindings and self._says_near("threshold", number):
            sentence = self.layout.sentences[self.layout.spots[number].sentence]
            return has_cue("advised", self.layout.words(quantity.unit_end, sentence.end))
        if quantity.unit is None or quantity.unit.dimension != "time":
            return False
        if self._says("usual", number):
            return True  # 一般 1–2 个工作日: what is usual, no result of a tool
        if not self._says("advice", number):
            return False
        behind = self.layout.words(quantity.unit_end, quantity.unit_end + 14)
        return (
            behind.startswith(("内", "之内", "以内")) or has_cue("within", behind) or self._says_near("within", number)
        )

    def _is_name(self, quantity: Quantity) -> bool:
        """Whether the bare digits stand in a name or an id of the evidence (2208 of 2208运输顺槽)."""
        return quantity.text in self.book.name_digits

    def _says(self, cue: str, number: int) -> bool:
        spot, quantity = self.layout.spots[number], self.quantities[number]
        sentence = self.layout.sentences[spot.sentence]
        start = max(sentence.start, quantity.start - _REACH)
        return has_cue(cue, self.layout.words(start, min(sentence.end, quantity.unit_end + 12)))

    def _says_beside(self, cue: str, number: int) -> bool:
        spot, quantity = self.layout.spots[number], self.quantities[number]
        return has_cue(cue, self.layout.words(spot.left, min(spot.right, quantity.unit_end + 12)))

    def _says_near(self, cue: str, number: int) -> bool:
        spot, quantity = self.layout.spots[number], self.quantities[number]
        left = self.layout.words(max(spot.left, quantity.start - 14), quantity.start)
        return has_cue(cue, f"{left} {self.layout.words(quantity.unit_end, min(spot.right, quantity.unit_end + 4))}")

    def _accept(self, number: int, grounding: Grounding, operation: str, facts: tuple[Fact, ...]) -> None:
        quantity = self.quantities[number]
        self.operands.verified[number] = Operand(
            quantity.value if grounding is not Grounding.EXACT or len(facts) != 1 else facts[0].value,
            quantity.unit or (facts[0].unit if grounding in {Grounding.EXACT, Grounding.ROUND} and facts else None),
            facts,
        )
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
