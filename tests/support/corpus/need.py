"""What a place needs: the methods of the domain notes written out with the place's numbers, rounded the mine's way."""

from __future__ import annotations

from fractions import Fraction

from tests.support.corpus.figures import ceil_at, ends_within, fixed, half_up_at, plain, value_of
from tests.support.corpus.model import CHAMBER, FACE, HEADING, ROADWAY, STANDBY, Method, Mine, Place
from tests.support.corpus.style import Style

# Steps towards a result and the maximum's lesser forms are printed, but are no needs of their own.
STEPS = frozenset({"climate_base"})


def printed_result(exact: Fraction, rounding: str) -> str:
    """A method's result as this mine prints it."""
    if rounding == "ceil":
        return fixed(ceil_at(exact), 0)
    if rounding == "half":
        return fixed(half_up_at(exact), 0)
    decimals = 1 if rounding == "dec1" else 2
    if rounding == "dec2" and ends_within(exact, 2):
        return plain(exact)
    return fixed(half_up_at(exact, decimals), decimals)


def face_climate(facts: dict[str, str], *, basis: str, order: str) -> str:
    """The climate formula; 70 % stands only where the section is the nominal one."""
    v, area, kh, kl = facts["v"], facts["area"], facts["kh"], facts["kl"]
    share = "" if basis != "nominal" else ("70%×" if order != "decimal" else "0.7×")
    core = f"{area}×{v}" if order == "area_first" else f"{v}×{area}"
    return f"60×{share}{core}×{kh}×{kl}"


def write_methods(place: Place, mine: Mine, style: Style) -> None:
    """(Re)writes the place's methods from its facts and rounds them."""
    writers = {FACE: _face, STANDBY: _standby, HEADING: _heading, CHAMBER: _chamber, ROADWAY: _roadway}
    place.methods = writers[place.kind](place, mine, style)
    for method in place.methods:
        if not method.printed:
            method.printed = printed_result(value_of(method.formula), style.rounding)


def _gas(place: Place, factor: int, variant: str) -> Method:
    return Method(
        key="gas",
        formula=f"{factor}×{place.facts['q']}×{place.facts['k']}",
        variant=variant,
        label={"K": place.facts["k"]},
    )


def _co2(place: Place) -> list[Method]:
    if "qc" not in place.facts:
        return []
    return [Method(key="co2", formula=f"67×{place.facts['qc']}×{place.facts['k']}", label={"K": place.facts["k"]})]


def _people(place: Place) -> Method:
    return Method(key="people", formula=f"4×{place.facts['n']}")


def _face(place: Place, mine: Mine, style: Style) -> list[Method]:
    facts = place.facts
    label = {"v": facts["v"], "kh": facts["kh"], "kl": facts["kl"]}
    variant = "effective" if mine.basis == "effective" else "net"
    formula = face_climate(facts, basis=mine.basis, order=facts["order"])
    climate = [Method(key="climate", formula=formula, variant=variant, label=label)]
    if facts.get("chain"):
        first = formula.rsplit("×", 2)[0]
        base = printed_result(value_of(first), style.rounding)
        climate = [
            Method(key="climate_base", formula=first, label={"v": facts["v"]}, variant=variant),
            Method(key="climate", formula=f"{base}×{facts['kh']}×{facts['kl']}", label=label, variant=variant),
        ]
    return [*climate, _gas(place, mine.gas_factor, "limit"), *_co2(place), _people(place)]


def _standby(place: Place, mine: Mine, _style: Style) -> list[Method]:
    half = Method(key="standby_half", formula=f"{place.facts['working_need']}×50%")
    return [half, _gas(place, mine.gas_factor, "limit"), _people(place)]


def _heading(place: Place, mine: Mine, _style: Style) -> list[Method]:
    facts = place.facts
    added = 9 if facts["rock"] == "岩巷" else 15
    speed = "0.15" if added == 9 else "0.25"
    tail = f"60×{speed}×{facts['area']}" if facts["order"] == "spelled" else f"{added}×{facts['area']}"
    fan = Method(
        key="local_fan",
        formula=f"{facts['fan_flow']}×{facts['fan_count']}+{tail}",
        variant="rock" if added == 9 else "coal",
    )
    blast = []
    if "charge" in facts:
        blast = [Method(key="explosive", formula=f"{mine.explosive_factor}×{facts['charge']}")]
    return [_gas(place, mine.gas_factor, "limit"), *_co2(place), _people(place), *blast, fan]


def _chamber(place: Place, _mine: Mine, _style: Style) -> list[Method]:
    facts = place.facts
    if "power" in facts:
        warmed = f"(1.2×1.0006×60×{facts['dt']})"
        return [
            Method(key="heat", formula=f"3600×{facts['power']}×{facts['theta']}÷{warmed}", label={"θ": facts["theta"]})
        ]
    if "volume" in facts:
        return [Method(key="volume", formula=f"4×{facts['volume']}÷60")]
    if "hydrogen" in facts:
        return [Method(key="hydrogen", formula=f"200×{facts['hydrogen']}")]
    return []


def _roadway(place: Place, _mine: Mine, _style: Style) -> list[Method]:
    facts = place.facts
    inside = facts["where"] == "采区内"
    methods = [_gas(place, 100 if inside else 133, "in" if inside else "out")]
    if "vehicles" in facts:
        powers = facts["vehicles"].split("+")
        formula = f"4×({facts['vehicles']})" if len(powers) > 1 else f"4×{powers[0]}"
        methods.append(Method(key="diesel", formula=formula, variant="per_kw_4"))
    speed = "0.25" if inside else "0.15"
    methods.append(Method(key="speed_min", formula=f"60×{speed}×{facts['area']}"))
    return methods


def exact_need(place: Place) -> Fraction:
    """The largest of the shown and hidden methods and the floor; exact, m³/min."""
    if place.fixed_need:
        return Fraction(place.fixed_need)
    values = [value_of(method.formula) for method in place.methods if method.key not in STEPS]
    return max([*values, Fraction(place.floor_m3_min)])


def printed_need(place: Place) -> str:
    """The need the plan states: of the method it takes, else the largest printed result, a whole number."""
    if place.fixed_need:
        return place.fixed_need
    if place.takes:
        method = place.method(place.takes)
        results = [Fraction(method.printed)] if method else []
    else:
        results = [Fraction(m.printed) for m in place.methods if m.key not in STEPS and m.shown]
    return fixed(ceil_at(max([*results, Fraction(place.floor_m3_min)])), 0)


def settle(place: Place, mine: Mine) -> None:
    """States the need and plans the air from it: whole steps, never below what the printed and the exact need ask."""
    place.required = printed_need(place)
    place.table_required = place.required
    base = max(Fraction(place.required), Fraction(0) if place.touched else exact_need(place))
    raised = base * (100 + mine.reserve_percent) / 100
    step = mine.planned_step
    place.planned = fixed(Fraction(step * (-((-raised / step).__floor__()))), 0)
