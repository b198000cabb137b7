"""Checks a filled template: what a model says counts only where the document prints it (R-AIR-2, R-PIT-21)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, replace
from decimal import Decimal, InvalidOperation
from typing import Any, Final

from algorithms.airflow_review.documents.document import Document, Line
from algorithms.airflow_review.evidence import Method, PlaceType, Printed, Window, WindowStatus
from algorithms.airflow_review.extract import BASIS_KEYS, CalculationExtract, PlaceExtract, PlanExtract, SystemExtract
from algorithms.airflow_review.reading.dates import parse_window
from algorithms.airflow_review.reading.numbers import parse_quantity
from algorithms.airflow_review.reading.own_passages import NOBODY, OwnPassages
from algorithms.airflow_review.reading.plan import read_plan
from algorithms.airflow_review.reading.recognized import with_recognition
from algorithms.airflow_review.reading.shapes import as_mapping, as_window, mappings
from algorithms.airflow_review.reading.template import PLACE_TYPES
from algorithms.airflow_review.reading.text import normal_name
from algorithms.airflow_review.value_class import dataclass

_METHODS: Final = frozenset(method.value for method in Method)
_MINE: Final = "矿井"


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidationIssue:
    """One thing wrong with a filled template; nothing is repaired silently."""

    path: str  # places[3].required_m3_min
    # wrong_type unknown_word not_in_source missing_name left_out contradicts added no_places
    # unparsable_effective_window
    code: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidationResult:
    """The extract made from the template, and every issue met on the way."""

    extract: PlanExtract
    issues: tuple[ValidationIssue, ...]

    @property
    def ok(self) -> bool:
        """True when nothing had to be refused or asked."""
        return not self.issues


def validate_plan_extraction(filled: Any, document: Document) -> ValidationResult:
    """Turn a filled template into an extract.

    The document has the last word. What was read from it stays, whether the template repeats it, leaves it out or says
    otherwise; a template adds what was not read, where the passages about that very place print it. A refused value, a
    contradiction and an added place are listed and go with the extract (`unproven`), so that the review asks a person
    about that place. Rules of the principles chapter, fans and mentions are read from the document itself.
    """
    return _Checker(document=document, read=read_plan(document)).check(as_mapping(filled))


@dataclass(slots=True, kw_only=True)
class _Checker:
    """Walks the filled template once."""

    document: Document
    read: PlanExtract
    issues: list[ValidationIssue] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)  # of the place, or of the mine, that is being checked
    passages: OwnPassages = field(init=False)

    def check(self, filled: Mapping[str, Any]) -> ValidationResult:
        body = as_mapping(filled.get("candidates")) or filled
        items = mappings(body.get("places"))
        named = (str(item.get("name") or "") for item in items)
        self.passages = OwnPassages(self.document, (*(place.name for place in self.read.places), *named))
        places = tuple(self._places(items))
        if not items:
            self._issue("places", "no_places", "没有用风地点：places 应为列表，每项至少有 name。")
        self.doubts = []
        extract = replace(
            self.read,
            mine=self._word(body.get("mine"), "mine", "矿名", self.read.mine, NOBODY),
            period=self._period(body.get("period")),
            places=places,
            systems=tuple(self._systems(mappings(body.get("systems")))),
            mine_total=self._value(body, "mine_total_m3_min", "", self.read.mine_total, NOBODY),
        )
        extract = replace(extract, unproven=tuple(self.doubts))
        return ValidationResult(extract=with_recognition(extract, self.document), issues=tuple(self.issues))

    def _issue(self, path: str, code: str, message: str) -> None:
        self.issues.append(ValidationIssue(path=path, code=code, message=message))

    def _doubt(self, path: str, code: str, message: str) -> None:
        """An issue a person has to look at."""
        self._issue(path, code, message)
        self.doubts.append(message)

    def _period(self, value: Any) -> Window:
        if value is None:
            return self.read.period
        window, known = as_window(value), self.read.period
        if window.status is not WindowStatus.OK:
            text = f"计划执行期“{window.text or value}”读不出起止日期，转人工复核；写法如 2024-12-01 ~ 2024-12-31。"
            self._issue("period", "unparsable_effective_window", text)
            return replace(window, status=WindowStatus.UNPARSABLE)
        if (window.start, window.end) == (known.start, known.end):
            return known
        days = f"{window.start} 至 {window.end}"
        if known.status is WindowStatus.OK:
            self._doubt("period", "contradicts", f"计划执行期填为 {days}，文件为“{known.text}”，按文件，须人工复核。")
            return known
        printed = (parse_window(line.text) for line in self.document.blocks if isinstance(line, Line))
        if any((one.start, one.end) == (window.start, window.end) for one in printed):
            return window
        self._doubt("period", "not_in_source", f"文件中没有执行期 {days}，该值不采用，转人工复核。")
        return known

    def _places(self, items: Iterable[Mapping[str, Any]]) -> Iterator[PlaceExtract]:
        """The places in the document's order, none lost and equal names apart; then those the template adds."""
        read = self.read.places
        checked: dict[int, PlaceExtract] = {}
        added: list[PlaceExtract] = []
        for index, item in enumerate(items):
            path = f"places[{index}]"
            name = str(item.get("name") or "").strip()
            if not name:
                self._issue(path, "missing_name", "缺少 name（用风地点名称）。")
                continue
            if normal_name(name) not in self.passages.text:
                self._issue(f"{path}.name", "not_in_source", f"文件中没有“{name}”，该地点不采用。")
                continue
            same = [i for i in range(len(read)) if i not in checked and normal_name(read[i].name) == normal_name(name)]
            at = next((i for i in same if read[i].system == item.get("system")), same[0] if same else None)
            if at is None:
                added.append(self._place(path, name, item, None))
            else:
                checked[at] = self._place(path, name, item, read[at])
        for i, place in enumerate(read):
            if i not in checked:
                self._issue("places", "left_out", f"配风表中的“{place.name}”没有填写，按文件中读出的值保留。")
            yield checked.get(i, place)
        yield from added

    def _place(self, path: str, name: str, item: Mapping[str, Any], read: PlaceExtract | None) -> PlaceExtract:
        self.doubts = []
        known = read or PlaceExtract(name=name, type=None)
        if read is None:
            self._doubt(path, "added", f"“{name}”不是从配风表中读出的用风地点，由填写补充，须人工确认。")
        basis = {key: value for key, value in as_mapping(item.get("basis")).items() if self._is_basis_key(key, path)}
        keys = (*known.basis, *(key for key in basis if key not in known.basis))
        values = {key: self._value(basis, key, f"{path}.basis", known.basis.get(key), name) for key in keys}
        found = replace(
            known,
            type=self._type(item.get("type"), f"{path}.type", known.type),
            system=self._word(item.get("system"), f"{path}.system", "回风系统", known.system, None),
            required=self._value(item, "required_m3_min", path, known.required, name),
            planned=self._value(item, "planned_m3_min", path, known.planned, name),
            table_area=self._value(item, "area_m2", path, known.table_area, name),
            series_after=self._word(item.get("series_after"), f"{path}.series_after", "串联", known.series_after, name),
            stopped=self._flag(item, "stopped", path, "停采停掘", known.stopped),
            no_station=self._flag(item, "no_station", path, "不设测点", known.no_station),
            attributes=self._attributes(as_mapping(item.get("markers")), f"{path}.markers", known, name),
            basis={key: value for key, value in values.items() if value is not None},
            calculations=tuple(self._calculations(mappings(item.get("calculations")), path, known, name)),
        )
        return replace(found, unproven=tuple(self.doubts))

    def _is_basis_key(self, key: str, path: str) -> bool:
        if key in BASIS_KEYS:
            return True
        self._issue(f"{path}.basis.{key}", "unknown_word", f"不认识的参数名“{key}”，可用的见 vocabulary.basis。")
        return False

    def _type(self, value: Any, path: str, known: PlaceType | None) -> PlaceType | None:
        if value is None or (known is not None and str(value) == known.value):
            return known
        if str(value) not in PLACE_TYPES:
            self._issue(path, "unknown_word", f"不认识的类别“{value}”，只能是 {'、'.join(PLACE_TYPES)}。")
            return known
        if known is None:
            return PlaceType(str(value))
        self._doubt(path, "contradicts", f"类别填为 {value}，按文件为 {known.value}，须人工复核。")
        return known

    def _flag(self, item: Mapping[str, Any], key: str, path: str, what: str, known: bool) -> bool:  # noqa: FBT001
        """A claim that takes a place out of the judgement is the document's alone."""
        value = item.get(key)
        if value is not None and value != known:
            self._doubt(f"{path}.{key}", "contradicts", f"“{what}”填为 {value}，文件并非如此，按文件，须人工复核。")
        return known

    def _word(self, value: Any, path: str, what: str, known: str | None, owner: str | None) -> str | None:
        """A name as read; where none was read, one that the owner's passages (None: the document) print."""
        if not value or (known is not None and normal_name(str(value)) == normal_name(known)):
            return known
        if known is not None:
            self._doubt(path, "contradicts", f"{what}填为“{value}”，文件为“{known}”，按文件，须人工复核。")
            return known
        is_printed = (
            normal_name(str(value)) in self.passages.text if owner is None else self.passages.says(owner, str(value))
        )
        if is_printed:
            return str(value)
        self._doubt(path, "not_in_source", f"文件中没有{what}“{value}”，不采用，转人工复核。")
        return None

    def _attributes(self, filled: Mapping[str, Any], path: str, known: PlaceExtract, name: str) -> dict[str, str]:
        found = dict(known.attributes)
        for key, value in filled.items():
            word = self._word(value, f"{path}.{key}", f"标记 {key}", known.attributes.get(key), name)
            if word is not None:
                found[key] = word
        return found

    def _value(self, item: Mapping[str, Any], key: str, path: str, known: Printed | None, owner: str) -> Printed | None:
        """The value as read; where none was read, one that the owner's passages print."""
        value = item.get(key, item.get(key.removesuffix("_m3_min")))
        where = f"{path}.{key}"
        if value is None or value == "":
            if known is not None and key in item:
                self._issue(where, "left_out", f"{key} 没有填写，按文件中读出的 {known.text} 保留。")
            return known
        number = self._number(value)
        if number is None:
            self._doubt(where, "wrong_type", f"{key}“{value}”不是数字，不采用。")
            return known
        if known is not None and known.value == number:
            return known
        evidence, subject = self.passages.number(owner, number), owner or _MINE
        if evidence is None:
            text = f"{subject}：文件关于它的段落中没有 {number}（{key}），该值不采用，转人工复核。"
            self._doubt(where, "not_in_source", text)
            return known
        if known is not None:
            text = f"{subject}：{key} 读出 {known.text}，填为 {number}，文件中两数都有，按读出的值，须人工复核。"
            self._doubt(where, "contradicts", text)
            return known
        return Printed(value=number, text=str(as_mapping(value).get("text") or number), evidence=(evidence,))

    @staticmethod
    def _number(value: Any) -> Decimal | None:
        if isinstance(value, Mapping):
            value = value.get("value")
        if isinstance(value, bool) or value is None:
            return None
        if isinstance(value, str):
            quantity = parse_quantity(value)
            return None if quantity is None else quantity.value
        try:
            return Decimal(str(value))
        except InvalidOperation:
            return None

    def _calculations(
        self, items: Iterable[Mapping[str, Any]], path: str, known: PlaceExtract, name: str
    ) -> Iterator[CalculationExtract]:
        """The calculations as read, none lost, then those the template adds from the place's own passages."""
        left = list(known.calculations)
        added: list[CalculationExtract] = []
        for index, item in enumerate(items):
            where = f"{path}.calculations[{index}]"
            expression = str(item.get("expression") or "").strip()
            stated = self._number(item.get("stated_m3_min", item.get("stated")))
            same = next((c for c in left if c.expression == expression and c.stated == stated), None)
            method = self._method(item.get("method"), f"{where}.method", same)
            if same is not None:
                left.remove(same)
            elif stated is None or not self.passages.says(name, expression):
                self._doubt(where, "not_in_source", f"{name}：文件中没有算式“{expression}”，该计算不采用。")
            elif (printed := self._value({"stated": stated}, "stated", where, None, name)) is not None:
                added.append(
                    CalculationExtract(
                        method=method,
                        label=str(item.get("label") or ""),
                        expression=expression,
                        parts=(expression, printed.text),
                        stated=printed.value,
                        evidence=printed.evidence,
                    )
                )
        for one in left:
            text = f"算式“{one.expression}={one.stated}”没有填写，按文件保留。"
            self._issue(f"{path}.calculations", "left_out", text)
        yield from known.calculations
        yield from added

    def _method(self, value: Any, path: str, same: CalculationExtract | None) -> Method:
        """The method as read; a template names it for calculations it adds."""
        known = same.method if same is not None else Method.OTHER
        if value is None or str(value) == known.value:
            return known
        if str(value) not in _METHODS:
            self._issue(path, "unknown_word", f"不认识的计算方法“{value}”，可用的见 vocabulary.method。")
        elif same is None:
            return Method(str(value))
        else:
            self._doubt(path, "contradicts", f"计算方法填为 {value}，文件为 {known.value}，按文件，须人工复核。")
        return known

    def _systems(self, items: Iterable[Mapping[str, Any]]) -> Iterator[SystemExtract]:
        left = {system.name: system for system in self.read.systems}
        for index, item in enumerate(items):
            path = f"systems[{index}]"
            name = str(item.get("name") or "").strip()
            if not name or normal_name(name) not in self.passages.text:
                self._issue(
                    f"{path}.name",
                    "missing_name" if not name else "not_in_source",
                    f"回风系统名称“{name}”缺失或文件中没有。",
                )
                continue
            if name not in left and self.read.systems:
                self._doubt(path, "added", f"“{name}”不是从配风表中读出的回风系统，不采用，须人工确认。")
                continue
            read = left.pop(name, SystemExtract(name=name))
            yield replace(
                read,
                subtotal=self._value(item, "subtotal_m3_min", path, read.subtotal, NOBODY),
                planned_subtotal=self._value(item, "planned_subtotal_m3_min", path, read.planned_subtotal, NOBODY),
                coefficient=self._value(item, "coefficient", path, read.coefficient, NOBODY),
                required=self._value(item, "required_m3_min", path, read.required, NOBODY),
            )
        yield from left.values()
