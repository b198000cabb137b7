"""Printed equations in running text: `label = expression = … = result unit`, and chains of inequalities.

A text is cut into clauses; every clause with a relation sign becomes groups of pieces. Groups are what stands
between inequality signs, pieces what stands between equals signs. Everything keeps its printed spelling.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from algorithms.airflow_review.reading.numbers import NUMBER_PATTERN, parse_number, parse_unit, unit_at
from algorithms.airflow_review.reading.text import Folded, fold_mapped, fold_operators
from algorithms.airflow_review.value_class import dataclass

_NUMBER: Final = re.compile(NUMBER_PATTERN)
_CLAUSE_END: Final = re.compile(
    r"[。;!?]|,(?!\d{3}(?!\d))|(?<!\d),(?=\d{3})|、|\((?=\s*[^\W\d][^()=,;]{0,12}=)"  # 912m³/min（K1=1.2
)
_RELATION: Final = re.compile(r"[=≈≤≥<>]+")
_OPERATORS: Final = "+-*/^"
_HEAD_END: Final = re.compile(r"[\u4e00-\u9fff:](?=\s*[\d(])")
_BRACKETED: Final = re.compile(r"[（(]([^（()）\d]*[²³23]?[^（()）\d]*)[)）]")
_AFTER_BRACKET: Final = re.compile(r"(?<=[)）])[A-Za-z³²℃/]+")
_TOLD_AGAIN: Final = re.compile(r"\((?:[\u4e00-\u9fff]|[\d.]+\s*m[³3]/)")  # 576 m³/min（9.6m³/s）
_LABEL_STOPS: Final = re.compile(r".*[:,：，]|^.*?\)(?=Q)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """What stands between two relation signs."""

    text: str  # as printed
    is_numeric: bool
    has_operator: bool = False
    value: Decimal | None = None  # where it is one number
    unit: str = ""
    body: str = ""  # as printed, without prose and result unit around a numeric piece


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Pieces joined by equals signs."""

    pieces: tuple[Piece, ...]

    @property
    def label(self) -> str:
        """The words or the symbol before the first equals sign; "" where the chain begins with numbers."""
        return "" if self.pieces[0].is_numeric else label_of(self.pieces[0].text)

    @property
    def expression(self) -> str:
        """The first numeric piece with an operator."""
        return next((p.body for p in self.pieces if p.is_numeric and p.has_operator), "")

    @property
    def formula(self) -> str:
        """The general formula, where the chain holds one: label = symbols = numbers."""
        symbols = [p.text.strip() for p in self.pieces[1:] if not p.is_numeric]
        return f"{self.label}={symbols[0]}" if symbols else ""

    @property
    def result(self) -> Piece | None:
        """The last piece when it is one number."""
        last = self.pieces[-1]
        if not last.is_numeric or last.value is None:
            return None
        before = self.pieces[-2] if len(self.pieces) > 1 else last
        is_same = last.unit == "m3/s" and before.unit == "m3/min" and before.value is not None
        return before if is_same else last  # =1043.8m³/min=17.4m³/s


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """One clause with relation signs; `signs[i]` stands between groups i and i+1 (≤, ≥, <, >)."""

    groups: tuple[Group, ...]
    signs: tuple[str, ...]
    text: str  # the clause as printed
    start: int  # offset of the clause in the folded text
    end: int

    @property
    def equation(self) -> Group | None:
        """The chain of equals signs, where the clause is one; `Q≥4×42=168` counts as one."""
        if len(self.groups) == 1:
            return self.groups[0] if len(self.groups[0].pieces) > 1 else None
        first, second, *more = self.groups
        is_label = len(first.pieces) == 1 and not first.pieces[0].is_numeric
        if is_label and not more and self.signs[0] == "≥":
            return Group(pieces=(*first.pieces, *second.pieces))
        return None


def label_of(text: str) -> str:
    """The symbol at the end of a phrase: `故变电所需风量取Q硐1` gives Q硐1; the phrase itself where there is none."""
    label = _LABEL_STOPS.sub("", text.strip()).strip()
    if label.count("(") > label.count(")") or label.count("（") > label.count("）"):
        label = re.split(r"[(（]", label)[-1]
    at = max(label.rfind("Q"), label.rfind("∑Q"), label.rfind("ΣQ"))
    if at > 0 and label[at - 1] in "Σ∑":
        at -= 1
    return label[at:] if 0 < at < len(label) - 1 else label


def relations_of(text: str) -> tuple[Relation, ...]:
    """All clauses of a text that hold a relation sign, in order."""
    folded = fold_mapped(text)
    operators = fold_operators(text)
    found: list[Relation] = []
    for start, end in _clauses(folded, operators):
        relation = _relation(folded, operators, start, end)
        if relation is not None:
            found.append(relation)
    return tuple(found)


def _clauses(folded: Folded, operators: str) -> Iterator[tuple[int, int]]:
    start = 0
    for match in _CLAUSE_END.finditer(operators):
        if (
            match.group() == ","
            and folded.raw[folded.offsets[match.start()]] == ","
            and _inside_number(operators, match.start())
        ):
            continue
        if match.group() == "(" and not _has_result(operators, start, match.start()):
            continue
        yield start, match.start()
        start = match.end()
    yield start, len(operators)


def _has_result(operators: str, start: int, end: int) -> bool:
    """Whether a clause that goes on in brackets has come to its result: what follows explains it."""
    signs = list(_RELATION.finditer(operators, start, end))
    if not signs:
        return False
    scanned = scan_expression(operators, signs[-1].end(), end)
    return scanned is not None and not scanned[1] and not operators[scanned[0] : end].strip()


def _inside_number(text: str, at: int) -> bool:
    return at > 0 and text[at - 1].isdigit() and re.match(r",\d{3}(?!\d)", text[at:]) is not None


def _relation(folded: Folded, operators: str, start: int, end: int) -> Relation | None:
    signs = list(_RELATION.finditer(operators, start, end))
    if not signs:
        return None
    bounds = [start, *(edge for sign in signs for edge in sign.span()), end]
    pieces = [
        _piece(folded, operators, bounds[i], bounds[i + 1], last=i + 2 == len(bounds)) for i in range(0, len(bounds), 2)
    ]
    head = _split_head(folded, operators, bounds[0], bounds[1]) if not pieces[0].is_numeric else None
    groups: list[list[Piece]] = [head or [pieces[0]]]
    inequalities: list[str] = []
    for sign, piece in zip(signs, pieces[1:], strict=True):
        if sign.group().strip("=≈"):
            inequalities.append("≤" if sign.group()[0] in "≤<" else "≥")
            groups.append([piece])
        else:
            groups[-1].append(piece)
    return Relation(
        groups=tuple(Group(pieces=tuple(group)) for group in groups),
        signs=tuple(inequalities),
        text=folded.printed(start, end).strip(),
        start=start,
        end=end,
    )


def _split_head(folded: Folded, operators: str, start: int, end: int) -> list[Piece] | None:
    """Words and then numbers before the first sign: `总需风量为5644.8+5361.6` is a label and an expression."""
    for match in _HEAD_END.finditer(operators, start, end):
        scanned = scan_expression(operators, match.end(), end)
        if scanned is not None and scanned[1] and not operators[scanned[0] : end].strip():
            label = Piece(text=folded.printed(start, match.end()).strip(), is_numeric=False)
            return [label, _piece(folded, operators, match.end(), end, last=False)]
    return None


def _piece(folded: Folded, operators: str, start: int, end: int, *, last: bool) -> Piece:
    while start < end and operators[start] in " 约":
        start += 1
    text = folded.printed(start, end).strip()
    scanned = scan_expression(operators, start, end)
    if scanned is None:
        return Piece(text=text, is_numeric=False)
    stop, has_operator, unit, number_end = scanned
    rest = operators[stop:end].strip(" )")
    if rest and (not last or (re.match(r"[A-Za-z\d*/+(]", rest) and not _TOLD_AGAIN.match(rest))):
        return Piece(text=text, is_numeric=False)
    body = _without_bracketed_units(folded.printed(start, number_end if unit else stop).strip())
    value = None if has_operator else parse_number(body)
    return Piece(text=text, is_numeric=True, has_operator=has_operator, value=value, unit=unit, body=body)


def _without_bracketed_units(body: str) -> str:
    """`1.0（m/s）×11.3（m²）` is `1.0×11.3`: a unit in brackets is no factor."""
    plain = _BRACKETED.sub(lambda m: "" if parse_unit(m[1]) is not None else m.group(), body)
    return _AFTER_BRACKET.sub(lambda m: "" if parse_unit(m.group()) is not None else m.group(), plain)


def scan_expression(text: str, start: int, end: int) -> tuple[int, bool, str, int] | None:
    """The longest numeric expression from `start` of a text in ASCII operators.

    Units glued to numbers are passed over. Returns its end, whether it holds an operator, the unit after its last
    number ("" where none) and the end without that unit; None where no expression begins there.
    """
    at, depth, has_operator = start, 0, False
    complete: tuple[int, bool, str, int] | None = None
    expects_number, unit = True, ""
    while at < end:
        char = text[at]
        if char == " ":
            at += 1
        elif expects_number:
            match = _NUMBER.match(text, at, end)
            if match is not None:
                at, unit, bare_end = _number_with_unit(text, match.end(), end)
                expects_number = False
                complete = (at, has_operator, unit, bare_end) if depth == 0 else complete
            elif char == "(":
                depth, at = depth + 1, at + 1
            elif char in "+-" and (at == start or text[at - 1] == "("):
                at += 1  # the sign of the first number, of the text or of a bracket
            else:
                break
        elif char == ")" and depth:
            depth, at = depth - 1, at + 1
            at, unit, bare_end = _number_with_unit(text, at, end)
            complete = (at, has_operator, unit, bare_end) if depth == 0 else complete
        elif char in _OPERATORS:
            has_operator, expects_number, at = True, True, at + 1
        elif char == "(" and not unit:
            has_operator, expects_number = True, True  # a factor without its sign: 4(75+55)
        else:
            break
    return complete


def _number_with_unit(text: str, at: int, end: int) -> tuple[int, str, int]:
    """Pass over a unit (a per cent sign belongs to the number); returns the new position, unit and end without it."""
    if at < end and text[at] in "%²³":
        return at + 1, "", at + 1
    opened = re.compile(r"\s*\(").match(text, at, end)
    found = unit_at(text, opened.end() if opened is not None else at)
    if found is not None and found[1] <= end and found[0] != "%":
        if opened is None:
            return found[1], found[0], at
        if text[found[1] : found[1] + 1] == ")":
            return found[1] + 1, found[0], at
    return at, "", at
