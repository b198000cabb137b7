"""Mistakes of the plan beside the calculations: cells, rows, places, periods; and what a reviewer must find."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from tests.support.corpus.figures import fixed, half_up_at
from tests.support.corpus.model import CHAMBER, FACE, HEADING, ROADWAY, Finding, Place
from tests.support.corpus.seeding import Ground, found_at

Sower = Callable[[Ground], list[Finding] | None]


def _unit_plan(ground: Ground) -> list[Finding] | None:
    if ground.style.planned_m3_s:
        return None
    place = ground.pick(HEADING, FACE, ROADWAY)
    if place is None:
        return None
    place.planned_before = place.planned
    place.planned = fixed(half_up_at(Fraction(place.planned) / 60, 2), 2)
    place.cells_open.add("planned")
    note = f"{place.planned} in a column of m³/min is m³/s"
    return [
        found_at(ground, place, "unit_suspect", note),
        *ground.consequences(place, "unit_suspect", "subtotal_mismatch", "speed_check_failed", "measured_excess"),
        *[
            Finding(kind="subtotal_mismatch", subject=s.name, note="consequence of unit_suspect", optional=True)
            for s in ground.mine.systems
        ],
    ]


def _conflict_area(ground: Ground) -> list[Finding] | None:
    place = ground.pick(HEADING, ROADWAY, FACE, having="area")
    if place is None:
        return None
    place.table_area = fixed(Fraction(place.facts["area"]) + Fraction(ground.rng.choice((21, 26, 32)), 10), 1)
    note = f"area {place.facts['area']} in the calculation, {place.table_area} in the distribution"
    return [
        found_at(ground, place, "conflicting_values", note),
        *ground.consequences(place, "conflicting_values", "speed_check_failed", "variant_mismatch"),
    ]


def _conflict_required(ground: Ground) -> list[Finding] | None:
    place = ground.pick(HEADING, ROADWAY, FACE)
    if place is None:
        return None
    place.table_required = str(int(place.required) + ground.rng.choice((27, 36, 45)))
    place.planned = str(max(int(place.planned), int(place.table_required) + 5))
    place.cells_open.add("required")
    note = f"need {place.required} in the calculation, {place.table_required} in the distribution"
    found = found_at(ground, place, "conflicting_values", note)
    return [found, *ground.consequences(place, "conflicting_values", "arithmetic_mismatch")]


def _planned_below(ground: Ground) -> list[Finding] | None:
    place = ground.pick(FACE, HEADING, CHAMBER, ROADWAY)
    if place is None:
        return None
    place.planned = str(int(Fraction(place.required) * ground.rng.randrange(86, 96) / 100))
    note = f"planned {place.planned}, required {place.required}"
    found = found_at(ground, place, "planned_below_required", note, severity_min="error")
    return [found, *ground.consequences(place, "planned_below_required", "speed_check_failed")]


def _duplicate(ground: Ground) -> list[Finding] | None:
    if len(ground.mine.systems) < 2:
        return None
    # The first of the two has the calculation: which of them it is meant for cannot be told otherwise.
    rows = [p for p in ground.mine.of_system(0) if p.kind == CHAMBER and not p.touched]
    if not rows:
        return None
    place = ground.rng.choice(rows)
    place.touched = True
    other = 1
    twin = Place(
        name=place.name, kind=place.kind, way=place.way, system=other, floor_m3_min=place.floor_m3_min, touched=True,
        required=place.required, table_required=place.required, planned=place.planned, true_need=place.true_need,
        has_station=False, in_calculation=False, in_works=False, open_verdict=True,
    )  # fmt: skip
    ground.mine.places.append(twin)
    found = found_at(ground, place, "duplicate_entry", "one chamber counted in both systems")
    return [found, *ground.consequences(place, "duplicate_entry", "not_measured", "missing_method")]


def _missing_place(ground: Ground) -> list[Finding] | None:
    index = ground.rng.randrange(len(ground.mine.systems))
    stem = f"{ground.rng.randrange(91, 99)}{ground.rng.randrange(11, 29)}"
    name = f"{stem}{ground.rng.choice(('联络巷掘进工作面', '高抽巷掘进面', '回采工作面'))}"
    if ground.rng.random() < 0.5:
        ground.mine.extra_works.append((name, "采煤（综采）" if "回采" in name else "掘进（综掘）", index))
    else:
        ground.mine.extra_notes.append(f"本月新增{name}，自月初开始施工，由{ground.mine.systems[index].name}担负。")
    return [
        Finding(
            kind="missing_place",
            subject=name,
            note="named in the works of the month, absent from the distribution",
            proof=name,
        )
    ]


def _stopped(ground: Ground) -> list[Finding] | None:
    place = ground.pick(HEADING)
    if place is None:
        return None
    place.in_works = False
    place.has_station = False
    place.open_verdict = True
    day = ground.rng.randrange(10, 27)
    ground.mine.stopped_notes.append(
        ground.rng.choice(
            (f"{place.name}已于上月{day}日停掘并密闭。", f"{place.name}施工到位，上月{day}日停止作业，已打永久密闭。")
        )
    )
    found = found_at(ground, place, "stopped_place", "stopped and sealed by the text, still given air")
    return [found, *ground.consequences(place, "stopped_place", "not_measured", "missing_place")]


def _series_twice(ground: Ground) -> list[Finding] | None:
    for index in range(len(ground.mine.systems)):
        rows = [p for p in ground.mine.of_system(index) if p.kind == HEADING and not p.touched]
        if len(rows) < 2:
            continue
        first, second = rows[:2]
        first.touched = second.touched = True
        ground.mine.series_note = ground.rng.choice(
            (
                f"{second.name}与{first.name}串联通风，{first.name}的回风供{second.name}使用。",
                f"{first.name}回风串入{second.name}，按串联通风管理。",
            )
        )
        found = Finding(
            kind="series_counted_twice", subject=second.name, note=f"uses the return air of {first.name}, both counted in full",
            any_subject=[first.name], proof=second.name,
        )  # fmt: skip
        after = [
            Finding(kind=kind, subject="矿井", note="the second place's air is no fresh air", optional=True)
            for kind in ("effective_rate", "reading_inconsistent")
        ]
        return [found, *ground.consequences(second, "series_counted_twice"), *after]
    return None


def _unparsable(ground: Ground) -> list[Finding] | None:
    mine = ground.mine
    mine.period_text = ground.rng.choice(("自批准之日起执行，至下次调整为止", "长期有效，生产布局变化时修订", ""))
    mine.period, mine.is_dated = None, False
    ground.judged = False
    words = ["配风计划", "计划", "plan", "plan.period", "report", mine.name]
    return [
        Finding(
            kind="unparsable_effective_window", subject="矿井", note="no period of validity can be read", severity_min="manual",
            any_subject=words,
        ),
        Finding(kind="window_mismatch", subject="矿井", note="no window of the plan", optional=True, any_subject=words),
    ]  # fmt: skip


def _plus_for_division(ground: Ground) -> list[Finding] | None:
    if ground.style.plan_format == "docx":
        return None
    place = ground.pick(CHAMBER, having="power")
    if place is None:
        return None
    method = place.method("heat")
    assert method is not None
    method.division_as_plus = True
    found = found_at(
        ground, place, "extraction_doubt", "the division sign is printed as a plus", severity_min="note", method=method
    )
    found.proof = found.proof.replace(ground.style.divide, "+")
    return [found, *ground.consequences(place, "extraction_doubt")]


STRUCTURE_MISTAKES: dict[str, Sower] = {
    "unit_plan": _unit_plan,
    "conflict_area": _conflict_area,
    "conflict_required": _conflict_required,
    "planned_below": _planned_below,
    "duplicate": _duplicate,
    "missing_place": _missing_place,
    "stopped": _stopped,
    "series_twice": _series_twice,
    "unparsable": _unparsable,
    "plus_for_division": _plus_for_division,
}
