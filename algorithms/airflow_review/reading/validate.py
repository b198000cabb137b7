"""Checks a filled template: what a model says counts only where the document prints it (R-AIR-2, R-PIT-21)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, replace
from decimal import Decimal, InvalidOperation
from typing import Any, Final

from algorithms.airflow_review.documents.document import Document, Table
from algorithms.airflow_review.evidence import Evidence, Method, PlaceType, Printed, Window, WindowStatus
from algorithms.airflow_review.extract import BASIS_KEYS, CalculationExtract, PlaceExtract, PlanExtract, SystemExtract
from algorithms.airflow_review.reading.grid import joined
from algorithms.airflow_review.reading.numbers import NUMBER_PATTERN, parse_number, parse_quantity
from algorithms.airflow_review.reading.place_in_source import of_cell, of_line
from algorithms.airflow_review.reading.plan import read_plan
from algorithms.airflow_review.reading.shapes import as_mapping, as_window, mappings
from algorithms.airflow_review.reading.template import PLACE_TYPES
from algorithms.airflow_review.reading.text import fold, normal_name
from algorithms.airflow_review.value_class import dataclass

_PER_MINUTE: Final = (Decimal(1), Decimal(60))  # a flow may be printed in m³/min or in m³/s


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidationIssue:
    """One thing wrong with a filled template; nothing is repaired silently."""

    path: str  # places[3].required_m3_min
    code: str  # wrong_type unknown_word not_in_source missing_name left_out no_places unparsable_effective_window
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidationResult:
    """The extract made from the template, and every issue met on the way."""

    extract: PlanExtract
    issues: tuple[ValidationIssue, ...]

    @property
    def ok(self) -> bool:
        """True when nothing had to be refused."""
        return not self.issues


def validate_plan_extraction(filled: Any, document: Document) -> ValidationResult:
    """Turn a filled template into an extract.

    Names, systems, types, values, basis and calculations come from the template; a value that the document does not
    print is dropped and listed, so that its place goes to a manual check. Rules of the principles chapter, fans and
    mentions are read from the document itself.
    """
    checker = _Checker(document=document, read=read_plan(document))
    return checker.check(as_mapping(filled))


@dataclass(slots=True, kw_only=True)
class _Checker:
    """Walks the filled template once."""

    document: Document
    read: PlanExtract
    issues: list[ValidationIssue] = field(default_factory=list)
    sources: dict[Decimal, Evidence] = field(default_factory=dict)
    text: str = ""

    def check(self, filled: Mapping[str, Any]) -> ValidationResult:
        self._index_source()
        body = as_mapping(filled.get("candidates")) or filled
        items = mappings(body.get("places"))
        places = tuple(self._places(items))
        if not items:
            self._issue("places", "no_places", "没有用风地点：places 应为列表，每项至少有 name。")
        extract = replace(
            self.read,
            mine=str(body["mine"]) if body.get("mine") else self.read.mine,
            period=self._period(body.get("period")),
            places=places,
            systems=tuple(self._systems(mappings(body.get("systems")))) or self.read.systems,
            mine_total=self._flow(body, "mine_total_m3_min", "", self.read.mine_total),
        )
        return ValidationResult(extract=extract, issues=tuple(self.issues))

    def _index_source(self) -> None:
        """Every number the document prints, with the first place it stands at."""
        texts: list[str] = []
        for block in self.document.blocks:
            if isinstance(block, Table):
                for row_index, row in enumerate(block.rows):
                    for column, cell in enumerate(row.cells):
                        texts.append(joined(cell.text))
                        self._index(cell.text, of_cell(self.document.file, block, row_index, column))
            else:
                texts.append(block.text)
                self._index(block.text, of_line(self.document.file, block))
        self.text = normal_name("".join(texts))

    def _index(self, text: str, evidence: Evidence) -> None:
        for token in re.findall(NUMBER_PATTERN, fold(text)):
            number = parse_number(token)
            if number is not None:
                self.sources.setdefault(number.normalize(), evidence)

    def _issue(self, path: str, code: str, message: str) -> None:
        self.issues.append(ValidationIssue(path=path, code=code, message=message))

    def _period(self, value: Any) -> Window:
        if value is None:
            return self.read.period
        window = as_window(value)
        if window.status is not WindowStatus.OK:
            self._issue(
                "period",
                "unparsable_effective_window",
                f"计划执行期“{window.text or value}”读不出起止日期，转人工复核；写法如 2024-12-01 ~ 2024-12-31。",
            )
            return replace(window, status=WindowStatus.UNPARSABLE)
        return (
            self.read.period if (window.start, window.end) == (self.read.period.start, self.read.period.end) else window
        )

    def _places(self, items: Iterable[Mapping[str, Any]]) -> Iterator[PlaceExtract]:
        """Filled places in their order; a place the document prints is never lost, equal names count apart."""
        left = list(self.read.places)
        for index, item in enumerate(items):
            path = f"places[{index}]"
            name = str(item.get("name") or "").strip()
            if not name:
                self._issue(path, "missing_name", "缺少 name（用风地点名称）。")
                continue
            if normal_name(name) not in self.text:
                self._issue(f"{path}.name", "not_in_source", f"文件中没有“{name}”，该地点不采用。")
                continue
            known = self._taken(left, name, item.get("system"))
            yield self._place(path, name, item, known or PlaceExtract(name=name, type=None))
        for place in left:
            self._issue("places", "left_out", f"配风表中的“{place.name}”没有填写，按文件中读出的值保留。")
            yield place

    @staticmethod
    def _taken(left: list[PlaceExtract], name: str, system: Any) -> PlaceExtract | None:
        """Take the place as read: the one of the same system first, then the next of that name."""
        same = [place for place in left if normal_name(place.name) == normal_name(name)]
        place = next((place for place in same if place.system == system), same[0] if same else None)
        if place is not None:
            left.remove(place)
        return place

    def _place(self, path: str, name: str, item: Mapping[str, Any], known: PlaceExtract) -> PlaceExtract:
        basis = as_mapping(item.get("basis"))
        return replace(
            known,
            name=name,
            type=self._type(item.get("type"), f"{path}.type"),
            system=str(item["system"]) if item.get("system") else known.system,
            required=self._flow(item, "required_m3_min", path, known.required),
            planned=self._flow(item, "planned_m3_min", path, known.planned),
            table_area=self._printed(item.get("area_m2"), f"{path}.area_m2", known.table_area),
            series_after=str(item["series_after"]) if item.get("series_after") else None,
            stopped=item.get("stopped") is True,
            no_station=item.get("no_station") is True,
            attributes={key: str(value) for key, value in as_mapping(item.get("markers")).items()},
            basis={
                key: printed
                for key in basis
                if self._is_basis_key(key, path)
                and (printed := self._printed(basis[key], f"{path}.basis.{key}", known.basis.get(key))) is not None
            },
            calculations=tuple(self._calculations(mappings(item.get("calculations")), path, known)),
        )

    def _is_basis_key(self, key: str, path: str) -> bool:
        if key in BASIS_KEYS:
            return True
        self._issue(f"{path}.basis.{key}", "unknown_word", f"不认识的参数名“{key}”，可用的见 vocabulary.basis。")
        return False

    def _type(self, value: Any, path: str) -> PlaceType | None:
        if value is None:
            return None
        if str(value) in PLACE_TYPES:
            return PlaceType(str(value))
        self._issue(path, "unknown_word", f"不认识的类别“{value}”，只能是 {'、'.join(PLACE_TYPES)}。")
        return None

    def _flow(self, item: Mapping[str, Any], key: str, path: str, known: Printed | None) -> Printed | None:
        return self._printed(
            item.get(key, item.get(key.removesuffix("_m3_min"))), f"{path}.{key}", known, factors=_PER_MINUTE
        )

    def _printed(
        self, value: Any, path: str, known: Printed | None, factors: tuple[Decimal, ...] = (Decimal(1),)
    ) -> Printed | None:
        """The value as read where both agree, else with the evidence found; None and an issue when it is not printed."""
        if value is None or value == "":
            return None
        number = self._number(value)
        if number is None:
            self._issue(path, "wrong_type", f"“{value}”不是数字。")
            return None
        if known is not None and known.value == number:
            return known
        evidence = next((self.sources[n] for f in factors if (n := (number / f).normalize()) in self.sources), None)
        if evidence is None:
            self._issue(path, "not_in_source", f"文件中没有 {number}，该值不采用，转人工复核。")
            return None
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
        self, items: Iterable[Mapping[str, Any]], path: str, known: PlaceExtract
    ) -> Iterator[CalculationExtract]:
        for index, item in enumerate(items):
            where = f"{path}.calculations[{index}]"
            expression = str(item.get("expression") or "").strip()
            stated = self._number(item.get("stated_m3_min", item.get("stated")))
            same = next((c for c in known.calculations if c.expression == expression and c.stated == stated), None)
            method = str(item.get("method") or (same.method if same is not None else Method.OTHER))
            if method not in {one.value for one in Method}:
                self._issue(
                    f"{where}.method", "unknown_word", f"不认识的计算方法“{method}”，可用的见 vocabulary.method。"
                )
                method = Method.OTHER
            if same is not None:
                yield replace(same, method=Method(method))
            elif stated is None or not expression or normal_name(expression) not in self.text:
                self._issue(where, "not_in_source", f"文件中没有算式“{expression}”，该计算不采用。")
            elif (
                printed := self._printed(str(stated), f"{where}.stated_m3_min", None, factors=_PER_MINUTE)
            ) is not None:
                yield CalculationExtract(
                    method=Method(method),
                    label=str(item.get("label") or ""),
                    expression=expression,
                    parts=(expression, printed.text),
                    stated=printed.value,
                    evidence=printed.evidence,
                )

    def _systems(self, items: Iterable[Mapping[str, Any]]) -> Iterator[SystemExtract]:
        known = {system.name: system for system in self.read.systems}
        for index, item in enumerate(items):
            path = f"systems[{index}]"
            name = str(item.get("name") or "").strip()
            if not name or normal_name(name) not in self.text:
                self._issue(
                    f"{path}.name",
                    "missing_name" if not name else "not_in_source",
                    f"回风系统名称“{name}”缺失或文件中没有。",
                )
                continue
            read = known.get(name, SystemExtract(name=name))
            yield replace(
                read,
                subtotal=self._flow(item, "subtotal_m3_min", path, read.subtotal),
                planned_subtotal=self._flow(item, "planned_subtotal_m3_min", path, read.planned_subtotal),
                coefficient=self._printed(item.get("coefficient"), f"{path}.coefficient", read.coefficient),
                required=self._flow(item, "required_m3_min", path, read.required),
            )
