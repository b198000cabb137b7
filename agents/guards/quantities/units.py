"""Units: their spellings in text and in field names, their dimension and factor. The table is `data/units.json`."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

_TABLE: Final = Path(__file__).with_name("data") / "units.json"
RATIO: Final = "ratio"
COUNT: Final = "count"
MONEY: Final = "money"
_WEAK_KEYS: Final = frozenset({"min", "c", "t", "s", "h", "m", "l", "g", "d", "w"})
PER: Final = "per_"
_PRICE_ENERGY: Final = "price_energy"
_PERIODS: Final = frozenset({"prev", "previous", "last", "past", "prior", "yesterday", "today"})
_COUNTED: Final = 3
_PERIOD_NOUNS: Final = frozenset({"day", "week", "month", "quarter", "year", "period"})
_LEADING: Final = frozenset({"days", "hours", "months", "weeks", "years", "minutes", "seconds"})
_PHYSICAL: Final = re.compile(
    r"(?:pressure|speed|area|temp|temperature|flow|value|limit|airflow|power|ratio|size|range)$"
)


@dataclass(frozen=True, slots=True)
class Unit:
    """One unit: `factor` takes a value to the base unit of its dimension."""

    name: str
    dimension: str
    factor: float


class UnitTable(NamedTuple):
    """The units and the ways to find one."""

    units: dict[str, Unit]
    spellings: dict[str, Unit | None]
    lowered: frozenset[str]
    after: re.Pattern[str]
    before: dict[str, Unit]
    before_pattern: re.Pattern[str]
    keys: dict[str, Unit]
    multipliers: dict[str, float]
    multiplier_pattern: str
    currencies: dict[str, Unit]
    per_time: tuple[tuple[re.Pattern[str], Unit], ...]


def _longest_first(words: object) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))  # type: ignore[call-overload]


@cache
def unit_table() -> UnitTable:
    """The table, read once."""
    raw = json.loads(_TABLE.read_text(encoding="utf-8"))
    units: dict[str, Unit] = {}
    spellings: dict[str, Unit | None] = dict.fromkeys(raw["loose"])
    keys: dict[str, Unit] = {}
    for dimension, members in raw["dimensions"].items():
        for name, entry in members.items():
            unit = units[name] = Unit(name, dimension, float(entry["factor"]))
            spellings.update(dict.fromkeys(entry["text"], unit))
            keys.update(dict.fromkeys(entry["keys"], unit))
    ascii_end = r"(?![A-Za-z0-9_³²])"
    latin = [word for word in spellings if word[-1].isascii() and word[-1].isalnum()]
    other = [word for word in spellings if word not in set(latin)]
    # A unit of Chinese signs may be the head of another word: 天然, 日常, 人员, 度数, 项目 follow no number as units.
    not_unit = r"(?!然|常|员|数|目|均|环|录|审|质|纸|面|体)"
    after = re.compile(rf"[ \t*`]*(?:({_longest_first(latin)}){ascii_end}|({_longest_first(other)}){not_unit})")
    before = {sign: units[name] for sign, name in raw["before"].items()}
    flows = {"min": units["m3/min"], "s": units["m3/s"], "h": units["m3/h"]}
    return UnitTable(
        units=units,
        spellings=spellings,
        lowered=frozenset(word.lower() for word in (*spellings, *before)),
        after=after,
        before=before,
        before_pattern=re.compile(rf"(?:{_longest_first(before)})\s*$"),
        keys=keys,
        multipliers={word: float(value) for word, value in raw["multipliers"].items()},
        multiplier_pattern=_longest_first(raw["multipliers"]),
        currencies={code: units[name] for code, name in raw["currency_codes"].items()},
        per_time=tuple((re.compile(_longest_first(words)), flows[time]) for time, words in raw["per_words"].items()),
    )


@cache
def unit_of_key(key: str) -> tuple[Unit | None, tuple[str, ...]]:
    """Unit that a field's name ends in, and the words of the name without it: `total_intake_m3_min` → m3/min, (total, intake).

    A period behind the unit is none (`power_kwh_prev_day` is in kWh), and two units in a row make one (`rate_kg_per_kwh`).
    """
    words = tuple(
        word for word in re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", key).lower().replace("-", "_").split("_") if word
    )
    length = _period_length(words)
    unit, rest = _unit_of(words[: len(words) - length])
    return unit, (*rest, *words[len(words) - length :])


def _period_length(words: tuple[str, ...]) -> int:
    """How many words at the end of a field's name say of which period it is: last_week, last_7_days, yesterday."""
    if len(words) > _COUNTED and words[-_COUNTED] in _PERIODS and words[1 - _COUNTED].isdigit():
        return _COUNTED
    for length in (2, 1):
        ending = words[len(words) - length :]
        if len(words) > length and ending[0] in _PERIODS and (length == 1 or ending[1] in _PERIOD_NOUNS):
            return length
    return 0


@cache
def _compound(above: Unit, below: Unit) -> Unit:
    return Unit(f"{above.name}/{below.name}", f"{PER}{below.dimension}:{above.dimension}", above.factor / below.factor)


def parts_of(unit: Unit) -> tuple[str, str] | None:
    """Dimensions above and below the bar of a compound unit, or None."""
    if unit.dimension == _PRICE_ENERGY:
        return "money_cny", "energy"
    if not unit.dimension.startswith(PER):
        return None
    below, _, above = unit.dimension.removeprefix(PER).partition(":")
    return above, below


def _unit_of(words: tuple[str, ...]) -> tuple[Unit | None, tuple[str, ...]]:
    table = unit_table()
    for length in (3, 2, 1):
        if length > len(words):
            continue
        ending = "_".join(words[-length:])
        unit = table.keys.get(ending)
        if unit is None or (ending in _WEAK_KEYS and _is_extreme(words)):
            continue
        rest = words[:-length]
        over = rest[:-1] if rest[-1:] == ("per",) else rest
        above = table.keys.get(over[-1]) if over and (over is not rest or over[-1] not in _WEAK_KEYS) else None
        if above is not None and len(over) > 1 and above.dimension not in {unit.dimension, COUNT, RATIO, "time"}:
            return _compound(above, unit), over[:-1]
        if not rest or unit.dimension == COUNT or ending in {"ratio", "rate", "share", "fraction", "days", "hours"}:
            rest = words
        return unit, rest
    if words and words[0] in _LEADING and len(words) > 1:  # days_since_delivery
        return table.keys[words[0]], words
    return None, words


def _is_extreme(words: tuple[str, ...]) -> bool:
    """Whether the last word is no unit: `min` after a physical noun is a minimum, and a lone letter names no unit."""
    return len(words) == 1 or (words[-1] == "min" and _PHYSICAL.search(words[-2]) is not None)


def same_kind(left: Unit | None, right: Unit | None) -> bool:
    """Whether two units may speak of the same thing; an unknown unit may be any."""
    return left is None or right is None or left.dimension == right.dimension
