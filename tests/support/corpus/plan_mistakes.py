"""Mistakes in the calculation of a place, and what a reviewer must find."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from tests.support.corpus.figures import ceil_at, fixed, floor_at, value_of
from tests.support.corpus.model import CHAMBER, FACE, HEADING, ROADWAY, Finding, Method, Place
from tests.support.corpus.need import STEPS, face_climate, printed_result, write_methods
from tests.support.corpus.seeding import Ground, found_at, proof_of
from tests.support.corpus.structure_mistakes import STRUCTURE_MISTAKES

Sower = Callable[[Ground], list[Finding] | None]


def _governing(place: Place) -> Method:
    rows = [m for m in place.methods if m.key not in STEPS]
    return max(rows, key=lambda m: Fraction(m.printed))


def _reprint(ground: Ground, method: Method) -> None:
    method.printed = printed_result(value_of(method.formula), ground.style.rounding)


def _wrong(printed: str, ground: Ground) -> str:
    """A result no rounding explains: two digits changed places, or one digit is off."""
    whole, dot, rest = printed.partition(".")
    swapped = [
        whole[:i] + whole[i + 1] + whole[i] + whole[i + 2 :] for i in range(len(whole) - 1) if whole[i] != whole[i + 1]
    ]
    swapped = [text for text in swapped if text[0] != "0" and abs(int(text) - int(whole)) >= 8]
    off = str(int(whole) + ground.rng.choice((20, 30, 60)))
    return ground.rng.choice([*swapped[-1:], off]) + dot + rest


def _arithmetic_governing(ground: Ground) -> list[Finding] | None:
    place = ground.pick(FACE, HEADING, ROADWAY)
    if place is None:
        return None
    method = _governing(place)
    right = method.printed
    method.printed = _wrong(right, ground)
    ground.restate(place)
    note = f"{method.formula} printed {method.printed}, is {right}"
    return [
        found_at(ground, place, "arithmetic_mismatch", note, method=method),
        *ground.consequences(place, "arithmetic_mismatch"),
    ]


def _arithmetic_minor(ground: Ground) -> list[Finding] | None:
    place = ground.pick(FACE, HEADING)
    if place is None:
        return None
    best = _governing(place)
    rows = [m for m in place.methods if m is not best and m.key not in STEPS]
    for method in ground.rng.sample(rows, len(rows)):
        wrong = _wrong(method.printed, ground)
        if Fraction(wrong) < Fraction(best.printed):
            note = f"{method.formula} printed {wrong}, is {method.printed}"
            method.printed = wrong
            found = found_at(ground, place, "arithmetic_mismatch", note, method=method)
            return [found, *ground.consequences(place, "arithmetic_mismatch")]
    place.touched = False
    return None


def _rounded_down(ground: Ground) -> list[Finding] | None:
    if ground.style.rounding not in {"ceil", "half"}:
        return None
    rows = [p for p in ground.mine.places if not p.touched and p.methods and not p.series_after and p.kind != CHAMBER]
    for place in ground.rng.sample(rows, len(rows)):
        method = _governing(place)
        exact = value_of(method.formula)
        if exact.denominator == 1:
            continue
        place.touched = True
        method.printed = fixed(floor_at(exact), 0)
        ground.restate(place)
        place.planned = place.required
        other = ["arithmetic_mismatch"] if exact - floor_at(exact) >= Fraction(1, 2) else []
        note = f"{method.formula} = {float(exact)} printed {method.printed}, and no more is planned"
        found = found_at(ground, place, "rounded_down", note, method=method, other_kinds=other)
        return [found, *ground.consequences(place, "rounded_down")]
    return None


def _variant(ground: Ground) -> list[Finding] | None:
    place = ground.pick(FACE)
    if place is None or "chain" in place.facts:
        return None
    method = place.method("climate")
    assert method is not None
    other = "nominal" if ground.mine.basis == "effective" else "effective"
    method.formula = face_climate(place.facts, basis=other, order=place.facts["order"])
    method.variant = "net" if other == "nominal" else "effective"
    _reprint(ground, method)
    ground.restate(place)
    said = (
        "the area is declared effective, 70 % applied again"
        if other == "nominal"
        else "the area is declared nominal, 70 % missing"
    )
    found = found_at(ground, place, "variant_mismatch", said, method=method)
    return [found, *ground.consequences(place, "variant_mismatch", "coefficient_inconsistent", "speed_check_failed")]


def _bracket(ground: Ground, key: str, fact: str) -> list[Finding] | None:
    if not ground.style.prints_tables:
        return None
    tables = {"v": ground.family.speed, "kh": ground.family.height, "kl": ground.family.length}
    rows = [
        p
        for p in ground.mine.places
        if p.kind == FACE and not p.touched and ground.family.outside(tables[key], p.facts[fact])
    ]
    if not rows:
        return None
    place = ground.rng.choice(rows)
    place.touched = True
    wrong = ground.family.outside(tables[key], place.facts[fact])
    assert wrong is not None
    note = f"{fact} {place.facts[fact]} with {key} = {wrong}"
    place.facts[key] = wrong
    write_methods(place, ground.mine, ground.style)
    ground.restate(place)
    method = place.method("climate_base" if key == "v" and "chain" in place.facts else "climate")
    found = found_at(ground, place, "coefficient_out_of_bracket", note, method=method)
    return [found, *ground.consequences(place, "coefficient_out_of_bracket", "coefficient_inconsistent")]


def _bracket_speed(ground: Ground) -> list[Finding] | None:
    return _bracket(ground, "v", "temp")


def _bracket_height(ground: Ground) -> list[Finding] | None:
    return _bracket(ground, "kh", "height")


def _bracket_length(ground: Ground) -> list[Finding] | None:
    return _bracket(ground, "kl", "length")


def _bracket_gas(ground: Ground) -> list[Finding] | None:
    place = ground.pick(FACE, HEADING, ROADWAY, method="gas")
    if place is None:
        return None
    method = place.method("gas")
    assert method is not None
    wrong = ground.rng.choice({FACE: ("1.05", "1.9"), HEADING: ("1.2", "2.8"), ROADWAY: ("1.05", "1.7")}[place.kind])
    factor, q, _ = method.formula.split("×")
    method.formula = f"{factor}×{q}×{wrong}"
    method.label = {"K": wrong}
    _reprint(ground, method)
    ground.restate(place)
    found = found_at(
        ground, place, "coefficient_out_of_bracket", f"unbalance coefficient {wrong} for {place.way}", method=method
    )
    return [found, *ground.consequences(place, "coefficient_out_of_bracket", "coefficient_inconsistent")]


def _bracket_theta(ground: Ground) -> list[Finding] | None:
    place = ground.pick(CHAMBER, having="power")
    if place is None:
        return None
    place.facts["theta"] = "0.08" if place.way == "空压机房" else ground.rng.choice(("0.12", "0.15", "0.10"))
    write_methods(place, ground.mine, ground.style)
    ground.restate(place)
    method = place.method("heat")
    note = f"heat coefficient {place.facts['theta']} for {place.way}"
    found = found_at(ground, place, "coefficient_out_of_bracket", note, method=method)
    return [found, *ground.consequences(place, "coefficient_out_of_bracket")]


def _label_differs(ground: Ground) -> list[Finding] | None:
    if ground.style.labels == "none" or ground.style.calculation == "columns":
        return None
    place = ground.pick(FACE)
    if place is None:
        return None
    method = place.method("climate")
    assert method is not None
    right = dict(method.label)
    key = ground.rng.choice(("kh", "kl"))
    wrong = fixed(Fraction(right[key]) + Fraction(2, 10), 2)
    place.facts[key] = wrong
    write_methods(place, ground.mine, ground.style)
    changed = place.method("climate")
    assert changed is not None
    changed.label = right
    ground.restate(place)
    note = f"{key} is {right[key]} in the explanation, {wrong} substituted"
    found = found_at(
        ground, place, "coefficient_inconsistent", note, method=changed, other_kinds=["conflicting_values"]
    )
    return [
        found,
        *ground.consequences(place, "coefficient_inconsistent", "coefficient_out_of_bracket", "speed_check_failed"),
    ]


def _replace(
    ground: Ground, place: Place | None, key: str, formula: Callable[[Place], str], note: str, *more: str
) -> list[Finding] | None:
    if place is None:
        return None
    method = place.method(key)
    assert method is not None
    method.formula = formula(place)
    _reprint(ground, method)
    ground.restate(place)
    found = found_at(ground, place, "wrong_constant", note, method=method)
    return [found, *ground.consequences(place, "wrong_constant", "variant_mismatch", *more)]


def _constant_people(ground: Ground) -> list[Finding] | None:
    place = ground.pick(FACE, HEADING, having="n")
    factor = ground.rng.choice(("3", "2"))
    return _replace(
        ground, place, "people", lambda p: f"{factor}×{p.facts['n']}", f"{factor} m³/min a person instead of 4"
    )


def _constant_outside(ground: Ground) -> list[Finding] | None:
    rows = [p for p in ground.mine.places if p.facts.get("where") == "采区外" and not p.touched]
    if not rows:
        return None
    place = ground.rng.choice(rows)
    place.touched = True
    return _replace(
        ground, place, "gas", lambda p: f"100×{p.facts['q']}×{p.facts['k']}", "100 outside the district, 133 applies"
    )


def _constant_limit(ground: Ground) -> list[Finding] | None:
    if ground.mine.gas_factor != 125:
        return None
    place = ground.pick(FACE, HEADING, method="gas")
    return _replace(
        ground, place, "gas", lambda p: f"100×{p.facts['q']}×{p.facts['k']}", "100 where the mine's own rule says 125"
    )


def _constant_fan(ground: Ground) -> list[Finding] | None:
    rows = [
        p
        for p in ground.mine.places
        if p.kind == HEADING and p.facts["rock"] != "岩巷" and not p.touched and not p.series_after
    ]
    if not rows:
        return None
    place = ground.rng.choice(rows)
    place.touched = True
    tail = f"60×0.15×{place.facts['area']}" if place.facts["order"] == "spelled" else f"9×{place.facts['area']}"
    return _replace(
        ground,
        place,
        "local_fan",
        lambda p: f"{p.facts['fan_flow']}×{p.facts['fan_count']}+{tail}",
        "9·S for a heading in coal",
        "speed_check_failed",
    )


def _constant_explosive(ground: Ground) -> list[Finding] | None:
    place = ground.pick(HEADING, having="charge")
    wrong = 25 if ground.mine.explosive_factor == 10 else 10
    note = f"{wrong}·A although the explosive's grade asks for {ground.mine.explosive_factor}·A"
    return _replace(ground, place, "explosive", lambda p: f"{wrong}×{p.facts['charge']}", note)


def _constant_volume(ground: Ground) -> list[Finding] | None:
    place = ground.pick(CHAMBER, having="volume")
    return _replace(ground, place, "volume", lambda p: f"2×{p.facts['volume']}÷60", "2 changes an hour instead of 4")


def _constant_diesel(ground: Ground) -> list[Finding] | None:
    place = ground.pick(ROADWAY, having="vehicles")
    note = "5.44 times 0.5 a kilowatt is below 4"
    return _replace(ground, place, "diesel", lambda p: f"5.44×({p.facts['vehicles']})×0.5" if "+" in p.facts["vehicles"] else f"5.44×{p.facts['vehicles']}×0.5", note, "coefficient_out_of_bracket")  # fmt: skip


def _not_the_maximum(ground: Ground) -> list[Finding] | None:
    place = ground.pick(HEADING, FACE)
    if place is None:
        return None
    best = _governing(place)
    rows = [m for m in place.methods if m.key not in STEPS and Fraction(m.printed) < Fraction(best.printed) - 20]
    taken = max(rows, key=lambda m: Fraction(m.printed))
    place.takes = taken.key
    ground.restate(place)
    said = f"{place.required}"
    found = Finding(
        kind="not_the_maximum", subject=place.name, note=f"{said} taken although {best.key} gives {best.printed}",
        any_subject=place.stations, proof=proof_of(ground, best),
    )  # fmt: skip
    return [found, *ground.consequences(place, "not_the_maximum", "speed_check_failed")]


def _speed_maximum(ground: Ground) -> list[Finding] | None:
    place = ground.pick(FACE)
    if place is None:
        return None
    share = Fraction(7, 10) if ground.mine.basis == "nominal" else Fraction(1)
    most = 240 * Fraction(place.facts["area_min"]) * share
    place.planned = fixed(ceil_at(most * Fraction(ground.rng.randrange(125, 135), 100)), 0)
    note = f"planned {place.planned} over 60×4×{place.facts['area_min']}"
    found = found_at(ground, place, "speed_check_failed", note)
    return [found, *ground.consequences(place, "speed_check_failed", "gas_or_heat_limit")]


def _speed_bound(ground: Ground) -> list[Finding] | None:
    place = ground.pick(HEADING)
    if place is None:
        return None
    place.bound_m_s = ground.rng.choice(("8", "6"))
    note = f"heading checked against {place.bound_m_s} m/s, the limit is 4 m/s"
    times = ground.style.times
    found = Finding(
        kind="speed_check_failed", subject=place.name, note=note, other_kinds=["wrong_constant"], any_subject=place.stations,
        proof=f"60{times}{place.bound_m_s}{times}{place.facts['area']}=",
    )  # fmt: skip
    return [found]


def _speed_section(ground: Ground) -> list[Finding] | None:
    place = ground.pick(FACE)
    if place is None:
        return None
    place.facts["low_area"] = place.facts["area_min"]
    times = ground.style.times
    note = "the least air is checked with the smallest section, the largest applies"
    found = Finding(
        kind="speed_check_failed", subject=place.name, note=note, other_kinds=["wrong_constant"], any_subject=place.stations,
        proof=f"60{times}0.25{times}{place.facts['area_min']}",
    )  # fmt: skip
    return [found]


def _missing_method(ground: Ground, key: str, note: str) -> list[Finding] | None:
    place = ground.pick(FACE, HEADING, method=key)
    if place is None:
        return None
    method = place.method(key)
    if method is None or method is _governing(place):
        return None
    method.shown = False
    ground.restate(place)
    return [found_at(ground, place, "missing_method", note), *ground.consequences(place, "missing_method")]


def _missing_people(ground: Ground) -> list[Finding] | None:
    return _missing_method(ground, "people", "the number of people is given, the people method is absent")


def _missing_gas(ground: Ground) -> list[Finding] | None:
    return _missing_method(ground, "gas", "the gas emission is given, the gas method is absent")


PLACE_MISTAKES: dict[str, Sower] = {
    "arithmetic_governing": _arithmetic_governing,
    "arithmetic_minor": _arithmetic_minor,
    "rounded_down": _rounded_down,
    "variant": _variant,
    "bracket_speed": _bracket_speed,
    "bracket_height": _bracket_height,
    "bracket_length": _bracket_length,
    "bracket_gas": _bracket_gas,
    "bracket_theta": _bracket_theta,
    "label_differs": _label_differs,
    "constant_people": _constant_people,
    "constant_outside": _constant_outside,
    "constant_limit": _constant_limit,
    "constant_fan": _constant_fan,
    "constant_explosive": _constant_explosive,
    "constant_volume": _constant_volume,
    "constant_diesel": _constant_diesel,
    "not_the_maximum": _not_the_maximum,
    "speed_maximum": _speed_maximum,
    "speed_bound": _speed_bound,
    "speed_section": _speed_section,
    "missing_people": _missing_people,
    "missing_gas": _missing_gas,
    **STRUCTURE_MISTAKES,
}
