"""Things that are right but look wrong; clean cases carry some of them."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from tests.support.corpus.figures import ceil_at, fixed
from tests.support.corpus.invention import sum_up
from tests.support.corpus.model import CHAMBER, FACE, HEADING, STANDBY, Mine
from tests.support.corpus.style import Style


def add_oddities(mine: Mine, style: Style, rng: Random) -> list[str]:
    """Adds up to three; the names of those that were possible. The sums are taken afterwards."""
    chosen = rng.sample(ODDITIES, 3)
    done = [oddity.__name__.removeprefix("_") for oddity in chosen if oddity(mine, style, rng)]
    sum_up(mine)
    return done


def _series_counted_once(mine: Mine, _style: Style, rng: Random) -> bool:
    for index in range(len(mine.systems)):
        rows = [p for p in mine.of_system(index) if p.kind == HEADING]
        if len(rows) < 2 or mine.series_note:
            continue
        first, second = rows[0], rows[1]
        second.series_after = first.name
        second.remark = rng.choice((f"与{first.name}串联，风量不重复计入", f"串联于{first.name}之后，不另计"))
        mine.series_note = (
            f"{second.name}与{first.name}串联通风，{first.name}在前，其回风供{second.name}使用，风量只计一次。"
        )
        return True
    return False


def _same_name_in_two_systems(mine: Mine, _style: Style, _rng: Random) -> bool:
    if len(mine.systems) < 2:
        return False
    pair = [next((p for p in mine.of_system(i) if p.kind == CHAMBER and "power" in p.facts), None) for i in (0, 1)]
    first, second = pair
    if first is None or second is None or first.facts == second.facts:
        return False
    if not all("0.02" <= place.facts["theta"] <= "0.04" for place in (first, second)):
        return False
    for place in (first, second):
        place.name = "移动变电站硐室"
        place.way = "变电所"
    return True


def _stopped_without_air(mine: Mine, _style: Style, rng: Random) -> bool:
    number = rng.randrange(1101, 1199)
    mine.stopped_notes.append(
        rng.choice(
            (
                f"{number}回采工作面已于上月采完并永久密闭，本月不配风。",
                f"{number}切眼掘进工作面停掘，已打栅栏，不配风。",
            )
        )
    )
    return True


def _row_without_station(mine: Mine, _style: Style, rng: Random) -> bool:
    row = next((p for p in mine.places if p.kind == CHAMBER and p.fixed_need), None)
    if row is None:
        return False
    row.has_station = False
    row.remark = rng.choice(("不设测点", "附加风量，不设测点"))
    return True


def _half_of_working_need(mine: Mine, _style: Style, _rng: Random) -> bool:
    """A standby face below its working need is right."""
    return any(place.kind == STANDBY for place in mine.places)


def _five_m_s(mine: Mine, _style: Style, _rng: Random) -> bool:
    """With infusion and sprays a face may have up to 5 m/s; one is planned at 4.3."""
    faces = [place for place in mine.places if place.kind == FACE]
    mine.allows_5_m_s = True
    for place in faces:
        place.bound_m_s = "5"
    share = Fraction(7, 10) if mine.basis == "nominal" else Fraction(1)
    fast = faces[0]
    fast.planned = fixed(ceil_at(258 * Fraction(fast.facts["area_min"]) * share), 0)
    return True


ODDITIES = (
    _five_m_s,
    _series_counted_once,
    _same_name_in_two_systems,
    _stopped_without_air,
    _row_without_station,
    _half_of_working_need,
)
