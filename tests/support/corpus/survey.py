"""The measurement: air that fits the plan, readings that fit one another, totals that add up."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from tests.support.corpus.figures import fixed, half_up_at
from tests.support.corpus.model import CHAMBER, FACE, HEADING, STANDBY, Mine, Place, Reading, Survey
from tests.support.corpus.style import Style

_INTAKES = ("主斜井", "副立井", "进风立井", "副斜井", "材料斜井", "进风平硐")
_WINDOWS = (
    "{y}年{m}月{a}日～{b}日",
    "{y}-{m:02d}-{a:02d}至{y}-{m:02d}-{b:02d}",
    "{y}.{m:02d}.{a:02d}-{y}.{m:02d}.{b:02d}",
    "{y}年{m}月{a}日至{y}年{m}月{b}日",
    "{y}/{m}/{a}～{y}/{m}/{b}",
)
_DECADES = ((1, 10, "上旬"), (11, 20, "中旬"))


def window_words(rng: Random, year: int, month: int) -> tuple[str, tuple[str, str]]:
    """A window of the month as text and as two days."""
    first, last, decade = rng.choice(_DECADES)
    if rng.random() < 0.2:
        text = f"{year}年{month}月{decade}"
    elif rng.random() < 0.15:
        first = last = rng.randrange(4, 25)
        text = f"{year}年{month}月{first}日"
    else:
        first += rng.randrange(3)
        text = rng.choice(_WINDOWS).format(y=year, m=month, a=first, b=last)
    return text, (f"{year}-{month:02d}-{first:02d}", f"{year}-{month:02d}-{last:02d}")


def station_of(place: Place, style: Style, rng: Random) -> str:
    """What the measurer calls the place: the plan's name or a regular other form of it."""
    if place.kind == FACE:
        return place.name if style.alias == "same" else place.stem + style.alias
    if place.kind == STANDBY and style.alias != "same":
        word = "备采" if "备采" in place.name else "备用"
        return place.stem + word + rng.choice(("工作面", "面"))
    if place.kind == HEADING and style.alias != "same" and "迎头" not in place.name:
        return place.stem + {"面": "掘进面", "工作面": "掘进工作面", "综采面": "掘进头"}[style.alias]
    return place.name


def side_name(base: str, side: str, joiner: str) -> str:
    """The station of one side of a face."""
    return f"{base}（{side}）" if joiner == "（）" else f"{base}{side}{joiner}"


def measure(mine: Mine, style: Style, rng: Random) -> Survey:
    """A survey of the mine's month without any mistake."""
    text, window = window_words(rng, mine.year, mine.month)
    survey = Survey(title="", window_text=text, window=window)
    surplus = Fraction(rng.choice((107, 108, 110, 112, 103)), 100)
    need = sum((Fraction(system.required) for system in mine.systems), Fraction(0))
    survey.readings += _intakes(rng, style, need * surplus)
    survey.total_intake = _total(survey, "intake")
    for index, system in enumerate(mine.systems):
        flow = Fraction(system.required) * surplus * Fraction(rng.randrange(1006, 1020), 1000)
        survey.readings.append(_trunk(rng, style, f"{_short(system.name)}总回风", flow, index))
    survey.total_return = _total(survey, "return")
    survey.readings += _fans(rng, style, mine, survey)
    survey.readings += _places(rng, style, mine, Fraction(survey.total_intake))
    state_rates(survey)
    return survey


def _short(name: str) -> str:
    return name.removesuffix("系统").removesuffix("回风")


def _places(rng: Random, style: Style, mine: Mine, total_intake: Fraction) -> list[Reading]:
    rows = [p for p in mine.places if p.in_distribution and p.has_station and not p.stopped]
    counted = sum((Fraction(p.table_required) for p in rows if not p.series_after), Fraction(0))
    share = Fraction(rng.randrange(885, 925), 1000) * total_intake / counted
    names = [p.name for p in rows]
    readings: list[Reading] = []
    for place in rows:
        base = station_of(place, style, rng)
        if names.count(place.name) > 1:
            base = f"{place.name}（{mine.systems[place.system].name}）"
        flow = Fraction(place.table_required or place.required) * share * Fraction(rng.randrange(985, 1040), 1000)
        rows_here = _place_rows(rng, style, place, base, flow)
        for row in rows_here:
            row.counts = not place.series_after
        readings += rows_here
    return readings


def _place_rows(rng: Random, style: Style, place: Place, base: str, flow: Fraction) -> list[Reading]:
    if place.kind == FACE:
        area = Fraction(place.facts["area"])
        warm = Fraction(place.facts["temp"])
        back = flow * Fraction(rng.choice((1004, 1009, 1015, 996)), 1000)
        stations = [side_name(base, "进风", style.joiner), side_name(base, "回风", style.joiner)]
        place.stations[:] = [base, *stations]
        return [
            _row(rng, style, stations[0], "face", flow, area=area, ch4=(2, 8), place=place, side="进风", warm=warm),
            _row(rng, style, stations[1], "face", back, area=area - Fraction(1, 2), ch4=(12, 42), place=place, side="回风", warm=warm + 1),
        ]  # fmt: skip
    place.stations[:] = [base]
    kind = {STANDBY: "face", HEADING: "heading", CHAMBER: "chamber"}.get(place.kind, "other")
    ch4 = {STANDBY: (3, 15), HEADING: (8, 34), CHAMBER: (0, 8)}.get(place.kind, (1, 14))
    return [_row(rng, style, base, kind, flow, ch4=ch4, place=place)]


def _row(
    rng: Random, style: Style, station: str, kind: str, flow: Fraction, *, ch4: tuple[int, int],
    area: Fraction | None = None, place: Place | None = None, side: str = "", warm: Fraction | None = None,
    speed: float | None = None, system: int | None = None,
) -> Reading:  # fmt: skip
    if area is None:
        wanted = Fraction(str(speed or rng.choice((0.42, 0.5, 0.63, 0.78, 0.9, 1.15))))
        area = half_up_at(flow / 60 / wanted, 1)
    speed_m_s = half_up_at(flow / 60 / area, 2)
    measured = 60 * area * speed_m_s
    warm = warm if warm is not None else Fraction(rng.randrange(160, 225), 10)
    return Reading(
        station=station,
        kind=kind,
        area=fixed(area, 1),
        speed=fixed(speed_m_s, 2),
        flow=flow_text(measured, style),
        temperature=fixed(half_up_at(warm, 1), 1),
        ch4=f"{rng.randrange(*ch4) / 100:.2f}",
        co2=f"{rng.randrange(3, 12) / 100:.2f}",
        place=place.name if place else "",
        system=place.system if place else system,
        side=side,
    )


def flow_text(measured: Fraction, style: Style) -> str:
    """The flow in m³/min as the report's own decimals allow it."""
    if style.report_m3_s:
        return fixed(half_up_at(measured / 60, 2) * 60, 1)
    return fixed(half_up_at(measured), 0)


def fan_text(flow: Fraction, style: Style) -> str:
    """A fan's flow in m³/min with one decimal, or exact where the report prints m³/s."""
    return fixed(half_up_at(flow / 60, 2) * 60 if style.report_m3_s else half_up_at(flow, 1), 1)


def _intakes(rng: Random, style: Style, total: Fraction) -> list[Reading]:
    names = rng.sample(_INTAKES, rng.choice((2, 3)))
    weights = [rng.randrange(30, 70) for _ in names]
    rows = []
    for name, weight in zip(names, weights, strict=True):
        flow = total * Fraction(weight, sum(weights))
        rows.append(
            _row(rng, style, name, "intake", flow, ch4=(0, 1), speed=rng.choice((2.6, 3.1, 3.5)), warm=Fraction(rng.randrange(40, 120), 10))
        )  # fmt: skip
    return rows


def _trunk(rng: Random, style: Style, name: str, flow: Fraction, system: int) -> Reading:
    return _row(rng, style, name, "return", flow, ch4=(8, 30), speed=rng.choice((4.2, 4.9, 5.6)), system=system)


def _fans(rng: Random, style: Style, mine: Mine, survey: Survey) -> list[Reading]:
    fans = []
    returns = [row for row in survey.readings if row.kind == "return"]
    for index, (system, trunk) in enumerate(zip(mine.systems, returns, strict=True)):
        flow = Fraction(trunk.flow) * 1000 / Fraction(1000 - rng.randrange(12, 34))
        system.pressure_pa = rng.randrange(1250, 2350)
        system.angle = rng.choice(("-2.5°", "0°", "+2.5°", "+5°"))
        fans.append(Reading(station=system.fan, kind="fan", flow=fan_text(flow, style), system=index))
    return fans


def _total(survey: Survey, kind: str) -> str:
    total = sum((Fraction(row.flow) for row in survey.readings if row.kind == kind), Fraction(0))
    return fixed(total, 1).removesuffix(".0")


def effective_flow(survey: Survey) -> Fraction:
    """The air of all places, of faces that of the return side; m³/min."""
    rows = [row for row in survey.readings if row.place and row.side != "进风" and row.counts]
    return sum((Fraction(row.flow) for row in rows), Fraction(0))


def state_rates(survey: Survey) -> None:
    """Writes the effective rate over the intake and the outer leakage of the fans."""
    survey.total_intake = survey.total_intake or _total(survey, "intake")
    effective = effective_flow(survey)
    fans = sum((Fraction(row.flow) for row in survey.readings if row.kind == "fan"), Fraction(0))
    survey.effective = fixed(half_up_at(effective), 0)
    survey.effective_rate = fixed(half_up_at(effective * 100 / Fraction(survey.total_intake), 1), 1)
    survey.leakage = fixed(half_up_at((fans - Fraction(survey.total_return)) * 100 / fans, 2), 2)
