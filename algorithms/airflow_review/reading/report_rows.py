"""The rows of the measurement tables: readings, fans, totals, stated rates, and the text between them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from decimal import Decimal

from algorithms.airflow_review.documents.document import Document, Doubt, Line, Row, Table
from algorithms.airflow_review.evidence import Evidence, Printed
from algorithms.airflow_review.extract import FanExtract, ReadingExtract
from algorithms.airflow_review.messages.catalogue import say
from algorithms.airflow_review.reading.headers import word_table
from algorithms.airflow_review.reading.numbers import MissingMark, missing_mark, parse_number, parse_quantity
from algorithms.airflow_review.reading.place_in_source import of_cell
from algorithms.airflow_review.reading.report_columns import (
    WORDS,
    Column,
    Layout,
    first_value_row,
    is_column_numbers,
    is_other_header,
    read_header,
)
from algorithms.airflow_review.reading.report_station import (
    block_kind,
    is_at_face,
    is_bare_kind,
    is_code,
    is_numbered,
    is_ordinal,
    is_side_only,
    kind_of_name,
)
from algorithms.airflow_review.reading.report_text import Passage, fan_facts, rate_key
from algorithms.airflow_review.reading.report_values import is_unreadable, read_value, to_unit
from algorithms.airflow_review.reading.text import squeeze
from algorithms.airflow_review.reading.turned_table import turned
from algorithms.airflow_review.value_class import dataclass

_NUMBER_AND_NAME = 2  # cells of a row that holds no value
_KINDS = frozenset({"intake", "return"})
_VALUE_ROLES = ("area", "speed", "flow_measured", "flow", "temperature", "ch4", "co2")


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedTotal:
    """A sum row or a stated total; `rank` orders 合计 before 总进风 before 小计."""

    kind: str  # intake | return
    value: Printed
    rank: int


@dataclass(slots=True, kw_only=True)
class ReportRows:
    """What has been read so far, in document order."""

    readings: list[ReadingExtract] = field(default_factory=list)
    fans: list[FanExtract] = field(default_factory=list)
    totals: list[StatedTotal] = field(default_factory=list)
    rates: list[tuple[str, Printed]] = field(default_factory=list)
    passages: list[Passage] = field(default_factory=list)
    days: list[tuple[str, Evidence]] = field(default_factory=list)
    doubts: list[Doubt] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class _Place:
    """Where the walk stands."""

    layouts: tuple[Layout, ...] = ()
    width: int = 0
    block: str = ""
    kind: str | None = None
    name: str = ""  # the first name of the row above


def read_rows(document: Document) -> ReportRows:
    """Walk the document once; headings apply to the rows below them, headers to the tables of their width."""
    rows = ReportRows()
    place = _Place()
    for block in document.blocks:
        if isinstance(block, Line):
            _read_line(document.file, block, rows, place)
        else:
            _read_table(document.file, block, rows, place)
    return rows


def _read_line(file: str, line: Line, rows: ReportRows, place: _Place) -> None:
    where = Evidence(file=file, page=line.page, line=line.line, bbox=line.bbox, quote=line.text)
    rows.passages.append(Passage(text=line.text, evidence=where))
    kind = block_kind(line.text)
    if kind is not None or is_numbered(line.text):
        place.block, place.kind = line.text.strip(), kind


def _read_table(file: str, table: Table, rows: ReportRows, place: _Place) -> None:
    start = first_value_row(table.rows)
    if start is not None:
        for above in range(start):
            _read_row(file, table, above, rows, place)
        table = turned(table)
    width = len(table.rows[0].cells) if table.rows else 0
    if table.sheet is not None:
        place.block, place.kind = table.sheet, block_kind(table.sheet)
    if width != place.width:
        place.layouts, place.width = (), width
    at = 0
    while at < len(table.rows):
        row = table.rows[at]
        header = read_header(table.rows, at)
        if header is not None:
            place.layouts = header.layouts
            at += header.height
            continue
        if place.layouts and is_other_header(row):
            place.layouts = ()
        if not is_column_numbers(row):
            _read_row(file, table, at, rows, place)
        at += 1


def _read_row(file: str, table: Table, at: int, rows: ReportRows, place: _Place) -> None:
    row = table.rows[at]
    own = {
        cell.key: (column, cell.text.strip())
        for column, cell in reversed(list(enumerate(row.cells)))
        if cell.text.strip()
    }
    if not own:
        return
    named = {key: value for key, value in own.items() if not is_ordinal(value[1])}
    if len(named) == 1 and len(own) > 1:
        (column, text), *_ = named.values()
        if block_kind(text) is not None and not re.search(r"[A-Za-z\d#]", text):
            _read_heading(file, table, at, column, rows, place)  # 三 | 采煤工作面
            return
    if len(own) == 1:
        (column, text), *_ = own.values()
        if not _is_lone_station(row, column, text, place):
            _read_heading(file, table, at, column, rows, place)
            return
    if not place.layouts:
        text = " ".join(text for _, text in sorted(own.values()))
        rows.passages.append(Passage(text=text, evidence=_row_evidence(file, table, at, text)))
        _read_pairs(file, table, at, rows)
        return
    for layout in place.layouts:
        _read_layout(file, table, at, layout, rows, place)


def _is_lone_station(row: Row, column: int, text: str, place: _Place) -> bool:
    """A row that holds a station's name and nothing else: not measured, not a heading."""
    spans = sum(cell.key == row.cells[column].key for cell in row.cells)
    stations = {name.index for layout in place.layouts for name in layout.names}
    return bool(spans == 1 and column in stations and column > 0 and block_kind(text) is None and len(text) < 30)  # noqa: PLR2004 - a longer text is a sentence


def _read_heading(file: str, table: Table, at: int, column: int, rows: ReportRows, place: _Place) -> None:
    text = table.rows[at].cells[column].text
    kind = block_kind(text)
    if kind is not None or (place.layouts and len(squeeze(text)) < 20 and not re.search(r"\d{2}|[,，;；。:：]", text)):  # noqa: PLR2004 - a heading is short
        place.block, place.kind = text.strip(), kind
        return
    rows.passages.append(Passage(text=text, evidence=of_cell(file, table, at, column)))


def _row_evidence(file: str, table: Table, at: int, text: str) -> Evidence:
    row = table.rows[at]
    quote = next((cell.text for cell in row.cells if cell.text.strip()), text)
    return Evidence(
        file=file,
        page=row.page,
        sheet=table.sheet,
        line=row.line,
        table=table.index,
        row=at + 1,
        bbox=row.bbox,
        quote=quote,
    )


def _read_pairs(file: str, table: Table, at: int, rows: ReportRows) -> None:
    """Key–value rows: 有效风量率 | 90.9%, several pairs a row."""
    cells = table.rows[at].cells
    for column, cell in enumerate(cells[:-1]):
        key = rate_key(cell.text) if cell.origin else None
        if key is not None:
            _add_rate(file, table, at, column + 1, key, cell.text, rows)


def _add_rate(file: str, table: Table, at: int, start: int, key: str, label: str, rows: ReportRows) -> None:
    unit = "%" if "%" in squeeze(label) else ""
    for column in range(start, len(table.rows[at].cells)):
        text = table.rows[at].cells[column].text
        quantity = parse_quantity(text, unit)
        if quantity is None:
            if text.strip() and missing_mark(text) is None:
                return
            continue
        target = (
            "%" if key.endswith(("rate", "leakage")) else "m3/min" if "m3" in key or "total" in key else quantity.unit
        )
        value = to_unit(quantity, target)
        if value is not None:
            if target == "%" and not quantity.unit and abs(value) <= 1:
                value *= 100
            rows.rates.append((key, Printed(value=value, text=text, evidence=(of_cell(file, table, at, column),))))
        return


def _read_layout(file: str, table: Table, at: int, layout: Layout, rows: ReportRows, place: _Place) -> None:
    row = table.rows[at]
    name, location = _names(row, layout, place.name)
    label = name or next(
        (cell.text.strip() for cell in row.cells if cell.text.strip() and parse_number(cell.text) is None), ""
    )
    values = {role: read_value(file, table, at, layout.column(role), role) for role in _VALUE_ROLES}
    flow = values["flow_measured"] or values["flow"]
    if not layout.label and _read_total(file, table, at, label, flow, values, layout, rows, place):
        return
    if not name or parse_number(name) is not None or (not any(values.values()) and not _is_blank_station(row, layout)):
        text = " ".join(dict.fromkeys(cell.text.strip() for cell in row.cells if cell.text.strip()))
        rows.passages.append(Passage(text=text, evidence=_row_evidence(file, table, at, text)))
        return
    _note_name(row, layout, place)
    kind = _kind(row, layout, name, place)
    station = name + layout.label if layout.label and is_side_only(layout.label) else name
    reading = ReadingExtract(
        station=station,
        kind=kind,
        location=" ".join(filter(None, [location, "" if station != name else layout.label])),
        area=values["area"],
        speed=values["speed"],
        flow=flow,
        temperature=values["temperature"],
        ch4=values["ch4"],
        co2=values["co2"],
        planned=read_value(file, table, at, layout.column("planned"), "planned"),
        extra=_extra(file, table, at, layout),
        block=_block(row, layout, place),
        remark=_text(row, layout.column("remark")),
        evidence=(of_cell(file, table, at, _name_column(row, layout, name)),),
    )
    _note_day(file, table, at, layout, rows)
    _note_doubts(row, at, table, layout, rows)
    if kind == "fan":
        fan = _fan(file, table, at, layout, reading)
        rows.fans.append(fan)
        if flow is None and fan.pressure is None:
            return
    rows.readings.append(reading)


def _names(row: Row, layout: Layout, above: str) -> tuple[str, str]:
    """Station and location of a row.

    A column that says only the side (进风) completes the name; the number of a station (3#) yields to a real name. A
    side alone belongs to the name `above`; a word that only says the kind (总进风) yields to the name beside it.
    """
    texts = [row.cells[column.index].text.strip() for column in layout.names]
    if len(texts) > 1 and not texts[0] and above and is_side_only(texts[-1]):
        texts[0] = above
    if len(texts) > 1 and is_bare_kind(texts[0]) and texts[1] and not is_side_only(texts[1]):
        texts = [*texts[1:], texts[0]]
    texts = [text for text in dict.fromkeys(texts) if text and missing_mark(text) is None]
    system = _text(row, layout.column("system"))
    if not texts:
        return "", system
    texts.sort(key=is_code)  # stable: the number of a station stands behind its name
    name, rest = texts[0], texts[1:]
    if rest and is_side_only(rest[0]) and not is_at_face(rest[0]):
        name, rest = name + rest[0], rest[1:]
    elif is_side_only(name) and rest:
        name, rest = rest[0] + name, rest[1:]
    return name, " ".join(filter(None, [*rest, system]))


def _note_name(row: Row, layout: Layout, place: _Place) -> None:
    """Remember the first name of a row, and the kind of stations it opens where it says no more than that."""
    first = _text(row, layout.names[0]) if layout.names else ""
    if first and is_bare_kind(first) and len(layout.names) > 1:
        place.block, place.kind = first, block_kind(first)
    place.name = first or place.name


def _name_column(row: Row, layout: Layout, name: str) -> int:
    """The column whose cell begins the station's name."""
    own = [c.index for c in layout.names if (text := row.cells[c.index].text.strip()) and name.startswith(text)]
    return own[0] if own else layout.names[0].index


def _text(row: Row, column: Column | None) -> str:
    return "" if column is None else row.cells[column.index].text.strip()


def _block(row: Row, layout: Layout, place: _Place) -> str:
    return _text(row, layout.column("block")) or place.block


def _kind(row: Row, layout: Layout, name: str, place: _Place) -> str:
    by_name = kind_of_name(name)
    if by_name == "fan":
        return "fan"
    column = block_kind(_text(row, layout.column("block")))
    by_block = column or place.kind
    if (
        by_block == "fan"
        and not layout.fields.keys() & {"pressure_static", "pressure_total"}
        and by_name in {"face", "heading", "chamber"}
    ):
        return by_name
    if by_block is None or (by_block == "other" and column is None and by_name in {"chamber", "face", "heading"}):
        return by_name
    return by_block


def _is_blank_station(row: Row, layout: Layout) -> bool:
    """Whether the row is a station without values: missing marks all over, or nothing behind number and name."""
    others = ("pressure_static", "pressure_total", "fan_intake", "duct_outlet")
    if any(parse_quantity(row.cells[c.index].text, c.unit) for c in _columns(layout, others)):
        return True
    marks = [missing_mark(row.cells[column.index].text) for column in _columns(layout, _VALUE_ROLES)]
    if not marks or None in marks:
        return False
    filled = {cell.key for cell in row.cells if cell.text.strip()}
    return any(mark is not MissingMark.EMPTY for mark in marks) or len(filled) <= _NUMBER_AND_NAME


def _columns(layout: Layout, roles: Sequence[str]) -> list[Column]:
    return [column for role in roles if (column := layout.column(role)) is not None]


def _extra(file: str, table: Table, at: int, layout: Layout) -> Mapping[str, Printed]:
    found: dict[str, Printed] = {}
    for role, key in (
        ("fan_intake", "fan_intake_m3_min"),
        ("duct_outlet", "duct_outlet_m3_min"),
        ("required", "required_m3_min"),
    ):
        value = read_value(file, table, at, layout.column(role), role)
        if value is not None:
            found[key] = value
    return found


def _note_day(file: str, table: Table, at: int, layout: Layout, rows: ReportRows) -> None:
    column = layout.column("date")
    if column is not None and table.rows[at].cells[column.index].text.strip():
        rows.days.append((table.rows[at].cells[column.index].text, of_cell(file, table, at, column.index)))


def _note_doubts(row: Row, at: int, table: Table, layout: Layout, rows: ReportRows) -> None:
    for role in _VALUE_ROLES:
        column = layout.column(role)
        if is_unreadable(row, column) and column is not None:
            text = row.cells[column.index].text
            rows.doubts.append(
                Doubt.of(
                    say("doubt.column_unreadable", column=column.text, text=text),
                    text,
                    page=row.page,
                    table=table.index,
                    row=at + 1,
                )
            )


def _read_total(
    file: str,
    table: Table,
    at: int,
    label: str,
    flow: Printed | None,
    values: Mapping[str, Printed | None],
    layout: Layout,
    rows: ReportRows,
    place: _Place,
) -> bool:
    """Sum rows and stated rates among the rows; True when the row is one and no reading."""
    text = squeeze(label)
    key = rate_key(label)
    grand = word_table("totals", WORDS).key_of(text)
    if key is None and grand is None:
        return False
    if key in {"total_intake", "total_return"} or grand is not None:
        block = block_kind(_block(table.rows[at], layout, place))
        kind = _total_kind(text, key, block or place.kind)
        measured = values["area"] is not None or values["speed"] is not None
        value = flow or (None if measured else _only_number(file, table, at, layout))
        if kind is not None and value is not None:
            rank = 1 if grand is None else 0 if grand == "grand" else 2
            rows.totals.append(StatedTotal(kind=kind, value=value, rank=rank))
            _adopt_parts(rows, kind, value.value)
        return not (measured and grand is None)
    _read_pairs(file, table, at, rows)
    return True


def _adopt_parts(rows: ReportRows, kind: str, total: Decimal) -> None:
    """Stations right above 总进风 or 总回风 whose air adds up to it are its parts, whatever their names say: 矸石井."""
    left = total
    for at in range(len(rows.readings) - 1, -1, -1):
        reading = rows.readings[at]
        if reading.flow is None or reading.kind not in {"other", kind}:
            return
        left -= reading.flow.value
        if left == 0:
            rows.readings[at:] = [replace(part, kind=kind) for part in rows.readings[at:]]
        if left <= 0:
            return


def _total_kind(text: str, key: str | None, block: str | None) -> str | None:
    if key in {"total_intake", "total_return"}:
        return key.removeprefix("total_")
    if "进风" in text or "总进" in text or "入风" in text:
        return "intake"
    if "回风" in text or "总回" in text:
        return "return"
    return block if block in _KINDS else None


def _only_number(file: str, table: Table, at: int, layout: Layout) -> Printed | None:
    """The single number of a sum row whose value stands in another column than the flow."""
    skip = {
        column.index
        for role in ("sequence", "code", "planned", "required")
        if (column := layout.column(role)) is not None
    }
    found = [
        (at_column, quantity.value)
        for at_column, cell in enumerate(table.rows[at].cells)
        if at_column not in skip and cell.origin and (quantity := parse_quantity(cell.text)) is not None
    ]
    if len(found) != 1:
        return None
    at_column, value = found[0]
    text = table.rows[at].cells[at_column].text
    return Printed(value=value, text=text, evidence=(of_cell(file, table, at, at_column),))


def _fan(file: str, table: Table, at: int, layout: Layout, reading: ReadingExtract) -> FanExtract:
    """A main fan from its row: own columns first, then the remark."""
    texts = [cell.text for cell in table.rows[at].cells if cell.origin and cell.text.strip()]
    facts: dict[str, Printed] = {}
    for text in texts:
        column = next(i for i, cell in enumerate(table.rows[at].cells) if cell.text == text)
        for key, printed in fan_facts(Passage(text=text, evidence=of_cell(file, table, at, column))).items():
            facts.setdefault(key, printed)
    for role in ("pressure_static", "pressure_total", "blade_angle", "fan_speed", "power", "efficiency"):
        value = read_value(file, table, at, layout.column(role), role)
        if value is not None:
            facts[role] = value
    system = _text(table.rows[at], layout.column("system")) or None
    return with_facts(
        FanExtract(name=reading.station, system=system, flow=reading.flow, evidence=reading.evidence), facts
    )


def with_facts(fan: FanExtract, facts: Mapping[str, Printed]) -> FanExtract:
    """The fan with facts filled in where it has none; an efficiency below 1 without a percent sign is a fraction."""
    static, total = facts.get("pressure_static"), facts.get("pressure_total")
    kind = fan.pressure_kind or ("static" if static else "total" if total else None)
    efficiency = fan.efficiency or facts.get("efficiency")
    if efficiency is not None and 0 < efficiency.value <= 1 and "%" not in squeeze(efficiency.text):
        efficiency = Printed(value=efficiency.value * 100, text=efficiency.text, evidence=efficiency.evidence)
    return FanExtract(
        name=fan.name,
        system=fan.system,
        flow=fan.flow or facts.get("flow"),
        pressure=fan.pressure or static or total,
        pressure_kind=kind,
        blade_angle=fan.blade_angle or facts.get("blade_angle"),
        speed=fan.speed or facts.get("fan_speed"),
        power=fan.power or facts.get("power"),
        efficiency=efficiency,
        evidence=fan.evidence,
    )


def best_total(totals: Sequence[StatedTotal], kind: str) -> Printed | None:
    """The total of a kind: a 合计 before a row named 总进风 before a lone 小计."""
    own = [total for total in totals if total.kind == kind]
    if not own:
        return None
    best = min(own, key=lambda total: total.rank)
    parts = [total for total in own if total.rank == best.rank]
    return None if best.rank > 1 and len(parts) > 1 else best.value
