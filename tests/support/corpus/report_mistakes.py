"""Mistakes and bad news of the measurement report, and what a reviewer must find."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from tests.support.corpus.figures import fixed, half_up_at
from tests.support.corpus.model import CHAMBER, FACE, HEADING, ROADWAY, Finding, Place, Reading, Survey
from tests.support.corpus.seeding import Ground
from tests.support.corpus.survey import fan_text, flow_text, state_rates

Sower = Callable[[Ground], list[Finding] | None]


def _survey(ground: Ground) -> Survey:
    assert ground.survey is not None
    return ground.survey


def _measured(ground: Ground, *kinds: str) -> tuple[Place, list[Reading]] | None:
    """An untouched place with its readings."""
    rows = [
        p for p in ground.mine.places
        if p.kind in kinds and not p.touched and p.stations and not p.series_after and p.has_station
    ]  # fmt: skip
    if not rows:
        return None
    place = ground.rng.choice(rows)
    place.touched = True
    readings = [
        r for r in _survey(ground).readings if r.place == place.name and r.system == place.system and r.kind != "fan"
    ]
    return place, readings


def _set_flow(ground: Ground, reading: Reading, flow: Fraction) -> None:
    assert reading.area is not None
    speed = half_up_at(flow / 60 / Fraction(reading.area), 2)
    reading.speed = fixed(speed, 2)
    reading.flow = flow_text(60 * speed * Fraction(reading.area), ground.style)


def _optional(place: Place, cause: str, *kinds: str) -> list[Finding]:
    return [
        Finding(
            kind=kind, subject=place.name, note=f"consequence of {cause}", optional=True, any_subject=place.stations
        )
        for kind in kinds
    ]


def _less_effective(cause: str) -> list[Finding]:
    """Air that is missing at a place, or not read there, is missing in the effective air too."""
    kinds = ("effective_rate", "reading_inconsistent")
    return [Finding(kind=kind, subject="矿井", note=f"consequence of {cause}", optional=True) for kind in kinds]


def _less(ground: Ground, least: int, most: int, kind: str, severity: str) -> list[Finding] | None:
    found = _measured(ground, FACE, HEADING, CHAMBER, ROADWAY)
    if found is None:
        return None
    place, readings = found
    share = Fraction(ground.rng.randrange(least, most), 100)
    for reading in readings:
        _set_flow(ground, reading, Fraction(place.table_required) * share)
    state_rates(_survey(ground))
    measured = min(Fraction(r.flow) for r in readings)
    note = f"measured {float(measured)}, required {place.table_required}"
    row = Finding(
        kind=kind, subject=place.name, note=note, severity_min=severity, where="report", any_subject=place.stations
    )
    after = _optional(place, kind, "measured_shortage", "measured_serious", "speed_check_failed")
    return [row, *after, *_less_effective(kind)]


def _shortage(ground: Ground) -> list[Finding] | None:
    return _less(ground, 82, 96, "measured_shortage", "warning")


def _serious(ground: Ground) -> list[Finding] | None:
    return _less(ground, 48, 70, "measured_serious", "error")


def _excess(ground: Ground) -> list[Finding] | None:
    found = _measured(ground, FACE, HEADING)
    if found is None:
        return None
    place, readings = found
    for reading in readings:
        _set_flow(ground, reading, Fraction(place.planned) * Fraction(ground.rng.randrange(124, 130), 100))
    state_rates(_survey(ground))
    note = f"measured above 1.15 of the planned {place.planned}"
    row = Finding(
        kind="measured_excess",
        subject=place.name,
        note=note,
        severity_min="note",
        where="report",
        any_subject=place.stations,
    )
    return [row, *_optional(place, "measured_excess", "speed_check_failed", "gas_or_heat_limit")]


def _digits(ground: Ground) -> list[Finding] | None:
    if ground.style.report_m3_s:
        return None
    found = _measured(ground, HEADING, ROADWAY, FACE)
    if found is None:
        return None
    place, readings = found
    reading = ground.rng.choice(readings)
    text = reading.flow
    swaps = [
        text[:i] + text[i + 1] + text[i] + text[i + 2 :] for i in range(min(2, len(text) - 1)) if text[i] != text[i + 1]
    ]
    swaps = [t for t in swaps if t[0] != "0" and abs(int(t) - int(text)) * 20 > int(text)]
    if not swaps:
        return None
    reading.flow = ground.rng.choice(swaps)
    place.open_verdict = True
    row = Finding(
        kind="reading_inconsistent", subject=reading.station, note=f"60·v·S is {text}, printed {reading.flow}", where="report",
        any_subject=[place.name, *place.stations],
    )  # fmt: skip
    kinds = ("measured_shortage", "measured_serious", "measured_excess", "speed_check_failed", "effective_rate")
    return [
        row,
        *_optional(place, "reading_inconsistent", *kinds),
        Finding(kind="effective_rate", subject="矿井", note="consequence of reading_inconsistent", optional=True),
    ]


def _intake_sum(ground: Ground) -> list[Finding] | None:
    survey = _survey(ground)
    has_many_returns = sum(r.kind == "return" for r in survey.readings) > 1
    which = ground.rng.choice(("intake", "return")) if has_many_returns else "intake"
    word = "总进风" if which == "intake" else "总回风"
    stations = [r.station for r in survey.readings if r.kind == which]
    right = survey.total_intake if which == "intake" else survey.total_return
    share = Fraction(ground.rng.choice((92, 94, 107) if which == "intake" else (92, 94)), 100)
    wrong = flow_text(Fraction(right) * share, ground.style).removesuffix(".0")
    if which == "intake":
        survey.total_intake = wrong
    else:
        survey.total_return = wrong
    survey.totals_open.add(which)
    state_rates(survey)  # the author goes on with the wrong total
    words = [f"{word}量", f"{word}合计", f"矿井{word}", f"矿井{word}量", "矿井", *stations]
    row = Finding(
        kind="reading_inconsistent", subject=word, note=f"the stations add up to {right}, printed {wrong}", where="report",
        any_subject=words, other_kinds=["total_mismatch", "subtotal_mismatch"],
    )  # fmt: skip
    after = ("effective_rate", "leakage", "reading_inconsistent", "measured_shortage", "measured_serious")
    return [
        row,
        *[
            Finding(kind=k, subject="矿井", note="consequence of a wrong total", optional=True, any_subject=words)
            for k in after
        ],
    ]


def _leak(ground: Ground) -> list[Finding] | None:
    survey = _survey(ground)
    fans = [r for r in survey.readings if r.kind == "fan"]
    for fan in fans:
        fan.flow = fan_text(Fraction(fan.flow) * Fraction(108, 100), ground.style)
    state_rates(survey)
    words = [
        ground.mine.name,
        "外部漏风率",
        "主要通风机",
        "总回风",
        *(f.station for f in fans),
        *(s.name for s in ground.mine.systems),
    ]
    row = Finding(
        kind="leakage",
        subject="矿井",
        note=f"outer leakage {survey.leakage} %, limit 5 %",
        where="report",
        any_subject=words,
    )
    after = ("effective_rate", "reading_inconsistent", "fan_capacity")
    return [
        row,
        *[
            Finding(kind=k, subject="矿井", note="consequence of leakage", optional=True, any_subject=words)
            for k in after
        ],
    ]


def _effective(ground: Ground) -> list[Finding] | None:
    survey = _survey(ground)
    for reading in survey.readings:
        if reading.kind in {"intake", "return", "fan"}:
            if reading.area is not None and reading.speed is not None:
                reading.area = fixed(half_up_at(Fraction(reading.area) * Fraction(118, 100), 1), 1)
                reading.flow = flow_text(60 * Fraction(reading.speed) * Fraction(reading.area), ground.style)
            else:
                reading.flow = fan_text(Fraction(reading.flow) * Fraction(118, 100), ground.style)
    for kind, name in (("intake", "total_intake"), ("return", "total_return")):
        total = sum((Fraction(r.flow) for r in survey.readings if r.kind == kind), Fraction(0))
        setattr(survey, name, fixed(total, 1).removesuffix(".0"))
    state_rates(survey)
    words = [ground.mine.name, "有效风量率", "有效风量"]
    return [
        Finding(kind="effective_rate", subject="矿井", note=f"effective rate {survey.effective_rate} %, limit 85 %", where="report", any_subject=words),
        *[Finding(kind=k, subject="矿井", note="consequence of effective_rate", optional=True, any_subject=[s.name for s in ground.mine.systems]) for k in ("fan_capacity", "leakage")],
    ]  # fmt: skip


def _limit(ground: Ground, reading: Reading | None, note: str, place: str = "") -> list[Finding] | None:
    if reading is None:
        return None
    system = ground.mine.systems[reading.system].name if reading.system is not None and not place else ""
    others = [name for name in (place, system, reading.station, *reading.side_names) if name]
    row = Finding(
        kind="gas_or_heat_limit",
        subject=reading.station,
        note=note,
        severity_min="error",
        where="report",
        any_subject=others,
    )
    return [
        row,
        *[
            Finding(kind=k, subject=reading.station, note="consequence of a limit", optional=True, any_subject=others)
            for k in ("conflicting_values", "coefficient_out_of_bracket")
        ],
    ]


def _pick(ground: Ground, kind: str, side: str = "") -> Reading | None:
    rows = [r for r in _survey(ground).readings if r.kind == kind and r.side == side]
    return ground.rng.choice(rows) if rows else None


def _ch4_face(ground: Ground) -> list[Finding] | None:
    reading = _pick(ground, "face", "回风")
    if reading is None:
        return None
    reading.ch4 = f"{ground.rng.randrange(102, 140) / 100:.2f}"
    return _limit(ground, reading, f"methane {reading.ch4} % in the return of a face", reading.place)


def _ch4_trunk(ground: Ground) -> list[Finding] | None:
    reading = _pick(ground, "return")
    assert reading is not None
    reading.ch4 = f"{ground.rng.randrange(78, 98) / 100:.2f}"
    return _limit(ground, reading, f"methane {reading.ch4} % in a main return, limit 0.75 %")


def _hot_face(ground: Ground) -> list[Finding] | None:
    reading = _pick(ground, "face", "回风")
    if reading is None:
        return None
    reading.temperature = f"{ground.rng.randrange(265, 295) / 10:.1f}"
    return _limit(ground, reading, f"{reading.temperature} ℃ at a face, limit 26", reading.place)


def _hot_chamber(ground: Ground) -> list[Finding] | None:
    reading = _pick(ground, "chamber")
    if reading is None:
        return None
    reading.temperature = f"{ground.rng.randrange(306, 335) / 10:.1f}"
    return _limit(ground, reading, f"{reading.temperature} ℃ in a chamber, limit 30", reading.place)


def _co2_intake(ground: Ground) -> list[Finding] | None:
    reading = _pick(ground, "intake")
    assert reading is not None
    reading.co2 = f"{ground.rng.randrange(56, 80) / 100:.2f}"
    return _limit(ground, reading, f"carbon dioxide {reading.co2} % in an intake, limit 0.5 %")


def _unmeasured(ground: Ground) -> list[Finding] | None:
    found = _measured(ground, HEADING, CHAMBER, ROADWAY)
    if found is None:
        return None
    place, readings = found
    survey = _survey(ground)
    survey.readings = [r for r in survey.readings if all(r is not gone for gone in readings)]
    place.stations.clear()
    state_rates(survey)
    return [
        Finding(kind="not_measured", subject=place.name, note="planned, no reading", where="report"),
        *_less_effective("not_measured"),
    ]


def _alias(ground: Ground) -> list[Finding] | None:
    found = _measured(ground, CHAMBER)
    if found is None:
        return None
    place, (reading, *_) = found
    reading.station = ground.rng.choice(("5#硐室", "3号测点", "机电硐室2"))
    place.open_verdict = True
    row = Finding(
        kind="alias_uncertain", subject=reading.station, note=f"stands for {place.name}, cannot be told from the name",
        severity_min="manual", where="report", any_subject=[place.name],
    )  # fmt: skip
    chambers = [p.name for p in ground.mine.places if p.kind == CHAMBER]
    return [
        row,
        *[
            Finding(kind="not_measured", subject=name, note="consequence of alias_uncertain", optional=True)
            for name in chambers
        ],
    ]


def _unit_report(ground: Ground) -> list[Finding] | None:
    if ground.style.report_m3_s:
        return None
    found = _measured(ground, HEADING, ROADWAY)
    if found is None:
        return None
    place, (reading, *_) = found
    reading.flow = fixed(half_up_at(Fraction(reading.flow) / 60, 2), 2)
    reading.flow_is_open = True
    place.open_verdict = True
    note = f"{reading.flow} in a column of m³/min is m³/s"
    row = Finding(kind="unit_suspect", subject=reading.station, note=note, where="report", any_subject=[place.name])
    after = _optional(place, "unit_suspect", "reading_inconsistent", "measured_shortage", "measured_serious")
    return [row, *after, *_less_effective("unit_suspect")]


def _window(ground: Ground) -> list[Finding] | None:
    survey, mine = _survey(ground), ground.mine
    if not ground.judged:
        return None
    months = mine.year * 12 + mine.month - 1 + ground.rng.choice((1, 2, -2, 5))
    year, month = divmod(months, 12)
    month += 1
    survey.window_text = ground.rng.choice(
        (f"{year}年{month}月4日～{year}年{month}月8日", f"{year}-{month:02d}-04至{year}-{month:02d}-08")
    )
    survey.window = (f"{year}-{month:02d}-04", f"{year}-{month:02d}-08")
    ground.judged = False
    words = ["测风报表", "时间", "窗口", "执行期", "报表", "plan", "plan.period", "report", mine.name]
    note = "measured outside the period of the plan"
    return [
        Finding(
            kind="window_mismatch", subject="矿井", note=note, severity_min="manual", where="report", any_subject=words
        )
    ]


REPORT_MISTAKES: dict[str, Sower] = {
    "shortage": _shortage,
    "serious": _serious,
    "excess": _excess,
    "digits": _digits,
    "intake_sum": _intake_sum,
    "leak": _leak,
    "effective": _effective,
    "ch4_face": _ch4_face,
    "ch4_trunk": _ch4_trunk,
    "hot_face": _hot_face,
    "hot_chamber": _hot_chamber,
    "co2_intake": _co2_intake,
    "unmeasured": _unmeasured,
    "alias": _alias,
    "unit_report": _unit_report,
    "window": _window,
}
