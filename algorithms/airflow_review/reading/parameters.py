"""Parameters of a place: from sentences, symbol lists, 式中 and parameter tables into `basis` and `attributes`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Final

from algorithms.airflow_review.documents.document import Table
from algorithms.airflow_review.evidence import Evidence, Method, Printed
from algorithms.airflow_review.reading.grid import joined
from algorithms.airflow_review.reading.headers import split_header, word_table
from algorithms.airflow_review.reading.methods import methods_in
from algorithms.airflow_review.reading.numbers import (
    NUMBER_PATTERN,
    Quantity,
    convert,
    missing_mark,
    parse_number,
    parse_quantity,
    unit_at,
)
from algorithms.airflow_review.reading.place_in_source import of_cell
from algorithms.airflow_review.reading.text import fold_mapped, squeeze
from algorithms.airflow_review.value_class import dataclass

UNIT_OF: Final = {
    "_m3_min": "m3/min",
    "_kg_m3": "",
    "_kj_kg_k": "",
    "_m_s": "m/s",
    "_m2": "m2",
    "_m3": "m3",
    "_kw": "kW",
    "_kg": "kg",
    "_m": "m",
    "_c": "C",
    "people": "1",
    "count": "1",
}
_CODES: Final = re.compile(r"CO2|CH4|H2|№\s*[\d./×x]+|FBD\S*?(?=kW|[,，、;；\s]|$)|No\.?\s*\d+|PM\d+", re.IGNORECASE)
_NUMBER: Final = re.compile(rf"(?:(?<![A-Za-z\d.])|(?<=Δt)|(?<=ΔT))[+-]?{NUMBER_PATTERN}")
_SYMBOL: Final = re.compile(r"([A-Za-zΔΣ∑θρ][A-Za-z\d₂₄Δ\u4e00-\u9fff]{0,6}?)\s*(?:取|为|=|:|是|按|值)*\s*$")
_VALUE_LINK: Final = re.compile(r"(?:取值为|取值|取|为|约为|约|=|:|是|按|最多|共|达|不超过|计|合|-|\(|\s)*$")
_OPERATOR_NEXT: Final = re.compile(r"\s*[~×÷*·∙•]")
_BOUNDARY: Final = re.compile(r"[。;；,，]|、(?!回)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One value found, with the printed words it goes by."""

    key: str
    printed: Printed
    label: str


def unit_of(key: str) -> str:
    """Unit of a basis key, from its name; "" for dimensionless ones."""
    return next((unit for suffix, unit in UNIT_OF.items() if key.endswith(suffix)), "")


def parameters_in_text(text: str, evidence: tuple[Evidence, ...], method: Method | None = None) -> Iterator[Parameter]:
    """Values a sentence gives: `采高3.2m、面长215m`, `K取1.4`, `S采——平均有效净断面积，11.3m²`.

    `method` tells what bare K and q mean where the sentence itself does not name a method.
    """
    folded = fold_mapped(_CODES.sub(lambda m: _mask(m.group()), text))
    named = methods_in(text)
    context = next((m for m in named if m in {Method.CO2, Method.HYDROGEN, Method.GAS}), None) or method
    before = 0
    last: Parameter | None = None
    for match in _NUMBER.finditer(folded.text):
        lead, end = folded.text[before : match.start()], match.end()
        found_unit = unit_at(folded.text, end)
        unit, stop = found_unit or ("", end)
        if end < len(folded.text) and folded.text[end] == "%":
            unit, stop = "%", end + 1
        if _OPERATOR_NEXT.match(folded.text, stop) or re.search(r"[×÷*·∙•+~]\s*$", lead):
            before = stop
            continue  # part of an expression or of a range
        if unit == "" and re.match(r"[\u4e00-\u9fffA-Za-z=≥≤]", folded.text[stop : stop + 1]):
            continue  # the code of a place, the number of a symbol
        if unit == "1" and re.match(r"[\d组班次/每]", folded.text[stop : stop + 1]):
            before = stop
            continue  # 4人1组
        printed = folded.printed(match.start(), stop)
        more = _one_more_vehicle(last, lead, match.group(), unit, printed) if last is not None else None
        parameter = more or _parameter(lead, match.group(), unit, printed, evidence, context)
        if last is not None and more is None:
            yield last
        last, before = parameter, stop
    if last is not None:
        yield last


def _one_more_vehicle(last: Parameter, lead: str, number: str, unit: str, printed: str) -> Parameter | None:
    """`75kW、55kW`: the powers of several vehicles are one value, their sum."""
    value = parse_number(number)
    if last.key != "diesel_kw" or unit != "kW" or value is None or not re.fullmatch(r"\s*[、,+和及]?\s*", lead):
        return None
    text = f"{last.printed.text}、{printed}"
    return replace(last, printed=Printed(value=last.printed.value + value, text=text, evidence=last.printed.evidence))


def _mask(code: str) -> str:
    """Keep the letters of CO2 and CH4 but hide their digit, hide fan types wholly."""
    if code[:2].upper() in {"CO", "CH", "H2"} and len(code) <= 3:  # noqa: PLR2004 - CO2, CH4, H2
        return code[:-1] + ("₂" if code[-1] == "2" else "₄")
    return re.sub(r"\d", "_", code)


def _parameter(
    lead: str, number: str, unit: str, printed: str, evidence: tuple[Evidence, ...], context: Method | None
) -> Parameter | None:
    value = parse_number(number)
    if value is None:
        return None
    keys, label = _keys(lead, unit, context)
    for key in keys:
        wanted = unit_of(key)
        fits = unit in {"", "1"} if wanted == "" else True
        converted = convert(value, unit, wanted) if fits and wanted else value if fits else None
        if converted is not None:
            return Parameter(key=key, label=label, printed=Printed(value=converted, text=printed, evidence=evidence))
    if printed.endswith(("人", "名")) and not re.search(r"[每增减余按]", lead[-6:]):
        return Parameter(key="people", label=label, printed=Printed(value=value, text=printed, evidence=evidence))
    return None


def _keys(lead: str, unit: str, context: Method | None) -> tuple[tuple[str, ...], str]:
    """Keys the words before a number may mean: those since the last boundary, or across it for `…，取1.2`."""
    parts = _BOUNDARY.split(lead)
    near = parts[-1]
    if len(parts) > 1 and not _VALUE_LINK.sub("", near).strip():
        near = parts[-2] + near
    near = re.sub(r"[(（][^()（）]*[)）]", "", near).strip()
    label = _VALUE_LINK.sub("", near).strip()
    explained = re.match(r"^(.*?)\s*--+\s*(.*)$", label)
    words = word_table("parameters", "plan_words").key_of(explained[2] if explained is not None else label)
    if explained is not None:
        symbol, label = re.sub(r"^(?:式中|其中)?[:(\s]*", "", explained[1]).strip(), explained[2]
    else:
        found = _SYMBOL.search(near)
        symbol = found.group(1) if found is not None else ""
    if words in {"area_max_m2", "area_min_m2"} and (unit != "m2" or re.search(r"人|风速|风量", label)):
        words = None  # 最大 alone is a section only where square metres follow
    by_symbol = _symbol_keys(symbol, context)
    if words is not None and words.startswith("k_"):
        return (words, *by_symbol), label  # 采高系数K1: what the words say, K1 only abbreviates
    return (*by_symbol, *((words,) if words is not None else ())), label


def _symbol_keys(symbol: str, context: Method | None) -> tuple[str, ...]:
    plain = squeeze(symbol).casefold()
    if symbol[:1] == "Q":
        return tuple(key for key in _exact_symbols(plain) if key == "fan_flow_m3_min")
    if re.fullmatch(r"k(?:[a-z0-9]?|[chmr][gc]|[采掘备瓦通均不衡其他碳二]*(?:co2)?)", plain):
        unbalance = {Method.CO2: "co2_unbalance", Method.GAS: "gas_unbalance"}.get(context) if context else None
        exact = _exact_symbols(plain) if unbalance is None else ()
        return (unbalance,) if unbalance is not None else exact
    if re.fullmatch(r"q[chmr][gc]", plain):  # MT/T 634: the second letter tells the gas
        return ("co2_m3_min" if plain.endswith("c") else "gas_m3_min",)
    if re.fullmatch(r"q(?:[a-z]|采|掘|备|瓦)?", plain):
        by_method = {Method.CO2: "co2_m3_min", Method.GAS: "gas_m3_min", Method.HYDROGEN: "hydrogen_m3_min"}
        key = by_method.get(context) if context else None
        return (key,) if key is not None else _exact_symbols(plain)
    return _exact_symbols(plain)


def _exact_symbols(plain: str) -> tuple[str, ...]:
    return tuple(key for word, key in word_table("symbols", "plan_words").words if plain == word)


def attributes_in_text(text: str) -> Iterator[tuple[str, str]]:
    """Attributes whose words a sentence holds: drive method, kind of roadway, zone, grade of explosive."""
    seen: set[str] = set()
    for _, keyed in word_table("attribute_values", "plan_words").contained(squeeze(text).casefold()):
        key, _, value = keyed.partition(":")
        if key not in seen:
            seen.add(key)
            yield key, value


def is_parameter_table(table: Table) -> bool:
    """True for 参数|数值 tables and for tables whose header row is parameter names."""
    head = [squeeze(cell.text) for cell in table.rows[0].cells] if table.rows else []
    if sum(text in {"参数", "参数名称", "项目", "名称", "指标"} for text in head) and any(
        text in {"数值", "取值", "数据", "值", "参数值"} for text in head
    ):
        return True
    return sum(_label_key(text) is not None for text in head if text) > 1


def parameters_in_table(file: str, table: Table) -> Iterator[Parameter | tuple[str, str]]:
    """Values of a parameter table, in either layout; attributes come as (key, text) pairs."""
    head = [squeeze(cell.text) for cell in table.rows[0].cells]
    known = sum(_label_key(text) is not None for text in head if text)
    if known > 1 and len(table.rows) > 1:
        for index in range(1, len(table.rows)):
            yield from parameters_in_row(file, table, index, head)
        return
    for index, row in enumerate(table.rows):
        for column, cell in enumerate(row.cells[:-1]):
            label = squeeze(cell.text)
            if label and cell.origin and parse_number(label) is None:
                value_column = column + 1
                if _unit_cell(row.cells[value_column].text) and column + 2 < len(row.cells):
                    label, value_column = f"{label}({squeeze(row.cells[value_column].text)})", column + 2
                yield from _cell_parameter(file, table, index, value_column, label)


def parameters_in_row(file: str, table: Table, row: int, head: Sequence[str]) -> Iterator[Parameter | tuple[str, str]]:
    """Values of one row below a header of parameter names."""
    for column, label in enumerate(head):
        if label:
            yield from _cell_parameter(file, table, row, column, label)


def _unit_cell(text: str) -> bool:
    return split_header(f"x({text})").unit != "" and parse_quantity(text) is None


def _label_key(label: str) -> str | None:
    header = split_header(label)
    plain = re.sub(r"\([^()]*\)", "", header.label)
    return (
        word_table("parameters", "plan_words").key_of(plain)
        or word_table("attributes", "plan_words").key_of(plain)
        or next(iter(_symbol_keys(plain, None)), None)
    )


def _cell_parameter(
    file: str, table: Table, row: int, column: int, label: str
) -> Iterator[Parameter | tuple[str, str]]:
    header = split_header(label)
    plain = re.sub(r"\([^()]*\)", "", header.label)
    text = joined(table.rows[row].cells[column].text)
    if not text or missing_mark(text) is not None:
        return
    evidence = (of_cell(file, table, row, column),)
    key = word_table("parameters", "plan_words").key_of(plain) or next(iter(_symbol_keys(plain, None)), None)
    attribute = word_table("attributes", "plan_words").key_of(plain)
    quantity = parse_quantity(text, header.unit)
    if key in {"area_max_m2", "area_min_m2"} and not _is_section(plain, quantity):
        key = None
    if key is not None and quantity is not None:
        wanted = unit_of(key)
        value = convert(quantity.value, quantity.unit, wanted) if wanted else quantity.value
        if value is None:
            return  # a column of another quantity that only shares a word
        yield Parameter(key=key, label=plain, printed=Printed(value=value, text=text, evidence=evidence))
        yield from attributes_in_text(label)
        return
    if attribute is not None and parse_number(text) is None:
        yield attribute, text
    found = tuple(parameters_in_text(f"{plain}{text}", evidence)) or tuple(parameters_in_text(text, evidence))
    yield from found
    yield from attributes_in_text(text)


def _is_section(label: str, quantity: Quantity | None) -> bool:
    """最大 alone heads a column of sections only in square metres; 最大值 is the largest method."""
    return re.search("断面|面积|控顶", label) is not None or (quantity is not None and quantity.unit == "m2")


def first_values(parameters: Sequence[Parameter]) -> tuple[dict[str, Printed], tuple[tuple[str, Printed], ...]]:
    """The first value of each key, and the later ones that differ from it."""
    first: dict[str, Printed] = {}
    again: list[tuple[str, Printed]] = []
    for parameter in parameters:
        known = first.setdefault(parameter.key, parameter.printed)
        if known.value != parameter.printed.value and Decimal(parameter.printed.value) not in {
            p.value for k, p in again if k == parameter.key
        }:
            again.append((parameter.key, parameter.printed))
    return first, tuple(again)
