"""The fields of the review's results that an answer must state right, and where they stand in the tools' payloads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Any, Final

from tools.registry import CriticalField, FieldValue

_READ: Final = frozenset({"airflow_plan_preprocess", "airflow_plan_validate"})
_REPORT: Final = frozenset({"airflow_report_parse"})
_REVIEW: Final = frozenset({"airflow_plan_verify", "airflow_measure_compare", "airflow_value_settle"})
_ANY: Final = _READ | _REPORT | _REVIEW
_NAMES: Final = ("name", "station", "place", "subject")
_MINE: Final = ("全矿", "全矿井", "矿井", "mine", "whole mine")
_MONITORED: Final = ("latest", "highest")


def _keyed(*keys: str, under: str = "") -> Callable[[Any], Iterator[FieldValue]]:
    """Finds the values of some field names anywhere in a payload, or in the rows of one list, each with its row's names."""

    def extract(data: Any) -> Iterator[FieldValue]:
        for path, row in _mappings(data, ""):
            if under and not path.startswith(f"{under}["):
                continue
            for key in keys:
                if (value := _number(row.get(key))) is not None:
                    yield FieldValue(_join(path, key), value, objects=_objects(path, row))

    return extract


def _monitored(quantity: str, *keys: str) -> Callable[[Any], Iterator[FieldValue]]:
    """Finds what the monitoring system measured of one quantity, and the same quantity among the report's readings."""
    readings = _keyed(*keys)

    def extract(data: Any) -> Iterator[FieldValue]:
        yield from readings(data)
        for path, row in _mappings(data, ""):
            if row.get("quantity") == quantity:
                for key in _MONITORED:
                    if (value := _number(row.get(key))) is not None:
                        yield FieldValue(_join(path, key), value, str(row.get("unit", "")), _objects(path, row))

    return extract


def _counted(parent: str, key: str) -> Callable[[Any], Iterator[FieldValue]]:
    """Finds a count of `statistics`."""

    def extract(data: Any) -> Iterator[FieldValue]:
        counts = data.get("statistics", {}).get(parent, {}) if isinstance(data, Mapping) else {}
        if isinstance(counts, Mapping) and (value := _number(counts.get(key))) is not None:
            yield FieldValue(f"statistics.{parent}.{key}", value)

    return extract


def _messages(data: Any) -> Iterator[str]:
    """What the findings say; the sentences are ours, not a document's."""
    found = data.get("findings") if isinstance(data, Mapping) else None
    items = found.get("items") if isinstance(found, Mapping) else None
    for item in items if isinstance(items, (list, tuple)) else ():
        if isinstance(item, Mapping) and isinstance(item.get("message"), str):
            yield item["message"]


def _mappings(node: Any, path: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if isinstance(node, Mapping):
        yield path, node
        for key, value in node.items():
            yield from _mappings(value, _join(path, str(key)))
    elif isinstance(node, (list, tuple)):
        for index, value in enumerate(node):
            yield from _mappings(value, f"{path}[{index}]")


def _join(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key


def _objects(path: str, row: Mapping[str, Any]) -> tuple[str, ...]:
    """How a row may be called; the mine as a whole has names of its own."""
    if not path.endswith("]"):
        return ()
    names = [str(row[key]) for key in _NAMES if isinstance(row.get(key), str) and row[key]]
    if row.get("subject") == "mine":
        names.extend(_MINE)
    return tuple(dict.fromkeys(names))


def _number(value: object) -> float | Decimal | None:
    if isinstance(value, Decimal) or (isinstance(value, (int, float)) and not isinstance(value, bool)):
        return value
    if isinstance(value, str):
        try:
            return Decimal(value)
        except ArithmeticError:
            return None
    if isinstance(value, Mapping):  # a printed value with its evidence
        return _number(value.get("value"))
    return None


def _field(
    name: str,
    labels: Iterable[str],
    extract: Callable[[Any], Iterator[FieldValue]],
    tools: frozenset[str] = _ANY,
) -> CriticalField:
    return CriticalField(name=f"airflow.{name}", labels=tuple(labels), source_tools=tools, extract=extract)


def _findings(severity: str, labels: tuple[str, ...]) -> CriticalField:
    """The count of findings of one severity."""
    return CriticalField(
        name=f"airflow.findings_{severity}",
        labels=labels,
        source_tools=_REVIEW,
        extract=_counted("findings", severity),
        is_count=True,
        statements=_messages,
    )


CRITICAL_FIELDS: Final = (
    _field(
        "required",
        ("需风量", "需风", "需要风量", "required airflow", "requirement", "required"),
        _keyed("required_m3_min", "mine_required_m3_min"),
    ),
    _field("planned", ("计划风量", "计划配风", "配风量", "planned airflow", "planned"), _keyed("planned_m3_min")),
    _field("measured", ("实测风量", "实测", "measured airflow", "measured"), _keyed("measured_m3_min")),
    _field("subtotal", ("小计", "subtotal"), _keyed("subtotal_m3_min"), _READ),
    _field("total_intake", ("总进风量", "总进风", "total intake"), _keyed("total_intake_m3_min")),
    _field("total_return", ("总回风量", "总回风", "total return"), _keyed("total_return_m3_min")),
    _field(
        "fan_flow",
        ("主扇风量", "主通风机风量", "风机风量", "fan airflow", "fan flow"),
        _keyed("flow_m3_min", under="fans"),
        _REPORT,
    ),
    _field("speed", ("风速", "air speed"), _monitored("speed_m_s", "speed_m_s")),
    _field("temperature", ("温度", "气温", "temperature"), _monitored("temperature_c", "temperature_c", "temperature")),
    _field("methane", ("瓦斯", "甲烷", "ch4", "methane"), _monitored("ch4_pct", "ch4_pct", "ch4")),
    _field("leakage", ("外部漏风率", "漏风率", "leakage"), _keyed("external_leakage", "external_leakage_pct")),
    _field("effective_rate", ("有效风量率", "effective rate"), _keyed("effective_rate", "effective_rate_pct")),
    _findings("blocking", ("阻断", "blocking")),
    _findings("error", ("错误", "errors")),
    _findings("warning", ("警告", "warnings")),
    _findings("manual", ("人工复核", "人工核对", "manual checks")),
    _findings("note", ("提示项", "提示类", "notes")),
)
