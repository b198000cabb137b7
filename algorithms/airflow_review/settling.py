"""A person's corrections, laid over what was read before anything is judged (R-AIR-11).

The documents stay as they are. Each entry names a value by its path, what was read there (`old`), what holds (`new`),
who said so and when. An entry whose `old` is not what is read now is stale and refused: it was made about other words.

Paths (a subject is the name as printed, or the id of the review where a name stands twice):

    place/<place>/required_m3_min, planned_m3_min, chapter_required_m3_min, table_area_m2, table_speed_m_s
    place/<place>/basis.<key>        an input of its calculation, key of `extract.BASIS_KEYS`
    place/<place>/type               coal_face, standby_face, heading, chamber, other_roadway
    reading/<station>/flow_m3_min, area_m2, speed_m_s, temperature_c, ch4_pct, co2_pct
    station/<station>/place          the place a station belongs to
    plan/period, report/window       2025-04-01/2025-04-30
    plan/recognition, report/recognition   `confirmed` instead of the scan's sign: its values were compared with the picture
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Any, Final

from algorithms.airflow_review.evidence import Evidence, PlaceType, Printed, Window, WindowStatus
from algorithms.airflow_review.extract import BASIS_KEYS, PlanExtract, ReportExtract
from algorithms.airflow_review.model import Settled
from algorithms.airflow_review.value_class import dataclass

_PLACE_FIELDS: Final = {
    "required_m3_min": "required",
    "planned_m3_min": "planned",
    "chapter_required_m3_min": "chapter_required",
    "table_area_m2": "table_area",
    "table_speed_m_s": "table_speed",
}
_READING_FIELDS: Final = {
    "flow_m3_min": "flow",
    "area_m2": "area",
    "speed_m_s": "speed",
    "temperature_c": "temperature",
    "ch4_pct": "ch4",
    "co2_pct": "co2",
}
_PLACES_OF_USE: Final = ("coal_face", "standby_face", "heading", "chamber", "other_roadway")
_SIGNED: Final = frozenset({"temperature_c", "basis.intake_temperature_c"})
_BASIS: Final = "basis."
_TIE: Final = "station"
_CONFIRMED: Final = "confirmed"


class SettlingError(ValueError):
    """A correction that cannot be applied; the message names the path, the reason and what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """What the documents say, corrections so far included."""

    plan: PlanExtract
    report: ReportExtract | None
    tied: Mapping[int, int]  # reading → place, as the names tie them


@dataclass(frozen=True, slots=True, kw_only=True)
class _Slot:
    """One value that can be settled."""

    current: Any  # None where nothing was read
    parse: Callable[[str], Any]  # raises ValueError with a reason
    show: Callable[[Any], str]
    write: Callable[[Any, str], Read]  # the value and its text


def asks_for_ties(entries: Sequence[Settled]) -> bool:
    """Whether an entry is about a station's place, so that the ties by name must be known first."""
    return any(entry.path.startswith(f"{_TIE}/") for entry in entries)


def apply_settled(entries: Sequence[Settled], read: Read) -> Read:
    """The extracts with every entry applied, in their order: a later one may correct an earlier one.

    Raises:
        SettlingError: A path is unknown or ambiguous, `old` is not what is read, or `new` is no such value.
    """
    for entry in entries:
        read = _apply(entry, read)
    return read


def current_text(path: str, read: Read) -> str | None:
    """What is read at a path now, in the notation of `old`; None where nothing is.

    Raises:
        SettlingError: The path is unknown or ambiguous.
    """
    slot = _slot(path, read)
    return None if slot.current is None else slot.show(slot.current)


def _apply(entry: Settled, read: Read) -> Read:
    slot = _slot(entry.path, read)
    old = None if entry.old is None else _parsed(entry.path, entry.old, slot)
    if old != slot.current:
        found = "没有读出数值" if slot.current is None else f"现在读出的是 {slot.show(slot.current)}"
        given = "空" if entry.old is None else entry.old
        raise SettlingError(f"核定项 {entry.path} 已失效：记录的原值为 {given}，{found}。请对照原文件重新核定。")
    return slot.write(_parsed(entry.path, entry.new, slot), entry.new.strip())


def _parsed(path: str, text: str, slot: _Slot) -> Any:
    try:
        return slot.parse(text.strip())
    except ValueError as error:
        raise SettlingError(f"核定项 {path} 的值“{text}”不能用：{error}。") from error


def _slot(path: str, read: Read) -> _Slot:
    if path == "plan/period":
        return _window_slot(read.plan.period, lambda window: replace(read, plan=replace(read.plan, period=window)))
    if path == "report/window":
        report = _report(path, read)
        return _window_slot(report.window, lambda window: replace(read, report=replace(report, window=window)))
    if path in {"plan/recognition", "report/recognition"}:
        return _recognition_slot(path, read)
    head, _, rest = path.partition("/")
    subject, _, field = rest.rpartition("/")
    if head == "place" and subject:
        return _place_slot(path, _place_index(path, subject, read), field, read)
    if head in {"reading", _TIE} and subject:
        at = _reading_index(path, subject, _report(path, read))
        if head == "reading" and field in _READING_FIELDS:
            return _reading_slot(at, field, read)
        if head == _TIE and field == "place":
            return _tie_slot(path, at, read)
    raise _unknown(path)


def _recognition_slot(path: str, read: Read) -> _Slot:
    extract = read.plan if path.startswith("plan/") else _report(path, read)
    recognition = extract.recognition
    if recognition is None:
        raise SettlingError(f"核定项 {path}：该文件不是扫描件，没有需要确认的文字识别。")

    def put(text: str, _: str) -> Read:
        changed = replace(recognition, confirmed=text == _CONFIRMED)
        if isinstance(extract, PlanExtract):
            return replace(read, plan=replace(extract, recognition=changed))
        return replace(read, report=replace(extract, recognition=changed))

    def known(text: str) -> str:
        if text not in {_CONFIRMED, recognition.token}:
            raise ValueError(f"应为 {_CONFIRMED}")
        return text

    current = _CONFIRMED if recognition.confirmed else recognition.token
    return _Slot(current=current, parse=known, show=str, write=put)


def _place_slot(path: str, at: int, field: str, read: Read) -> _Slot:
    place = read.plan.places[at]

    def put(**changes: Any) -> Read:
        places = (*read.plan.places[:at], replace(place, **changes), *read.plan.places[at + 1 :])
        return replace(read, plan=replace(read.plan, places=places))

    if field in _PLACE_FIELDS:
        name = _PLACE_FIELDS[field]
        printed: Printed | None = getattr(place, name)
        return _number_slot(printed, field, place.evidence, lambda value: put(**{name: value}))
    if field == "type":
        return _Slot(
            current=place.type,
            parse=_place_type,
            show=str,
            write=lambda value, _: put(type=value),
        )
    key = field.removeprefix(_BASIS)
    if not field.startswith(_BASIS) or key not in {*BASIS_KEYS, *place.basis}:
        raise _unknown(path)

    def put_basis(value: Printed) -> Read:
        # The other value the document prints for it is what the person has decided about.
        again = tuple(pair for pair in place.basis_again if pair[0] != key)
        return put(basis={**place.basis, key: value}, basis_again=again)

    return _number_slot(place.basis.get(key), field, place.evidence, put_basis)


def _reading_slot(at: int, field: str, read: Read) -> _Slot:
    report = _report(field, read)
    reading, name = report.readings[at], _READING_FIELDS[field]
    printed: Printed | None = getattr(reading, name)

    def put(value: Printed) -> Read:
        return replace(read, report=_with_reading(report, at, **{name: value}))

    return _number_slot(printed, field, reading.evidence, put)


def _tie_slot(path: str, at: int, read: Read) -> _Slot:
    report = _report(path, read)

    def put(place: int, _: str) -> Read:
        return replace(read, report=_with_reading(report, at, place=place), tied={**read.tied, at: place})

    return _Slot(
        current=read.tied.get(at),
        parse=lambda text: _place_index(path, text, read),
        show=lambda index: read.plan.places[index].name,
        write=put,
    )


def _with_reading(report: ReportExtract, at: int, **changes: Any) -> ReportExtract:
    reading = replace(report.readings[at], **changes)
    return replace(report, readings=(*report.readings[:at], reading, *report.readings[at + 1 :]))


def _number_slot(
    printed: Printed | None, field: str, where: tuple[Evidence, ...], put: Callable[[Printed], Read]
) -> _Slot:
    evidence = printed.evidence if printed is not None else where[:1]
    return _Slot(
        current=None if printed is None else printed.value,
        parse=_signed_number if field in _SIGNED else _number,
        show=lambda value: format(value, "f"),
        write=lambda value, text: put(Printed(value=value, text=text, evidence=evidence)),
    )


def _window_slot(window: Window, put: Callable[[Window], Read]) -> _Slot:
    current = None if window.start is None or window.end is None else (window.start, window.end)
    return _Slot(
        current=current,
        parse=_days,
        show=lambda days: "/".join(day.isoformat() for day in days),
        write=lambda days, _: put(replace(window, start=days[0], end=days[1], status=WindowStatus.OK)),
    )


def _signed_number(text: str) -> Decimal:
    try:
        value = Decimal(text)
    except InvalidOperation:
        raise ValueError("应为不带单位的数") from None
    if not value.is_finite():
        raise ValueError("应为不带单位的数")
    return value


def _number(text: str) -> Decimal:
    value = _signed_number(text)
    if value < 0:
        raise ValueError("不能为负数")
    return value


def _days(text: str) -> tuple[date, date]:
    first, _, last = text.partition("/")
    try:
        days = date.fromisoformat(first.strip()), date.fromisoformat(last.strip())
    except ValueError:
        raise ValueError("应写成 2025-04-01/2025-04-30") from None
    if days[1] < days[0]:
        raise ValueError("结束日期早于开始日期")
    return days


def _place_type(text: str) -> PlaceType:
    if text not in _PLACES_OF_USE:
        raise ValueError(f"类型应为 {'、'.join(_PLACES_OF_USE)} 之一")
    return PlaceType(text)


def _place_index(path: str, subject: str, read: Read) -> int:
    return _index(path, subject, "P", [place.name for place in read.plan.places])


def _reading_index(path: str, subject: str, report: ReportExtract) -> int:
    return _index(path, subject, "R", [reading.station for reading in report.readings])


def _index(path: str, subject: str, letter: str, names: Sequence[str]) -> int:
    """The index of a subject, by its name or by the id it has in the review (`P001` is the first place)."""
    found = [at for at, name in enumerate(names) if name == subject]
    found = found or [at for at in range(len(names)) if f"{letter}{at + 1:03d}" == subject]
    if not found:
        raise SettlingError(f"核定项 {path}：文件中没有“{subject}”。请用研判结果中的名称或编号（如 {letter}001）。")
    if len(found) > 1:
        ids = "、".join(f"{letter}{at + 1:03d}" for at in found)
        raise SettlingError(f"核定项 {path}：有 {len(found)} 个“{subject}”，请改用编号（{ids}）。")
    return found[0]


def _report(path: str, read: Read) -> ReportExtract:
    if read.report is None:
        raise SettlingError(f"核定项 {path} 属于测风报表，而本次没有测风报表。")
    return read.report


def _unknown(path: str) -> SettlingError:
    return SettlingError(
        f"核定项的路径 {path} 无法识别。可用：place/地点/{'、'.join(_PLACE_FIELDS)}、basis.参数名、type；"
        f"reading/测点/{'、'.join(_READING_FIELDS)}；station/测点/place；plan/period；report/window；plan/recognition；report/recognition。"
    )
