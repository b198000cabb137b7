"""One place under many names: normalised keys, type words, an alias table, a score (domain check 38).

`11302综采面`, `11302工作面回风` and `113-02面` have one key; `中央变电所` and `井下主变` are one place only if the alias table
says so. Words and aliases are data (`rules/names.json`, a mine's folder may bring its own).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Any, Final

from algorithms.airflow_review.engine.document_words import document_words
from algorithms.airflow_review.evidence import PlaceType
from algorithms.airflow_review.reading.text import normal_name
from algorithms.airflow_review.value_class import dataclass

_NUMBERS: Final = re.compile(r"[a-z]*\d+[a-z]*")
_BRACKET: Final = re.compile(r"\(([^()]*)\)")
_FACES: Final = frozenset({"face", "standby"})
_EQUAL: Final = 1.0
_LIKENESS: Final = 0.89  # likeness of letters alone never reaches the threshold of acceptance
_SAME_PANEL: Final = 0.95
_OTHER_NUMBER: Final = 0.3  # another number is another place, however alike the words
GROUP_OF_TYPE: Final[Mapping[PlaceType, str]] = {
    PlaceType.COAL_FACE: "face",
    PlaceType.STANDBY_FACE: "standby",
    PlaceType.HEADING: "heading",
    PlaceType.CHAMBER: "chamber",
    PlaceType.OTHER_ROADWAY: "other",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class NameKey:
    """A name taken apart for comparing."""

    full: str  # normalised, without station words and brackets
    exact: str  # the same before words of one meaning are made one: 变电所 and 变电硐室 stay two
    core: str  # without type and side words, where a type word was found
    group: str  # face | standby | heading | "" where no type word ends the name
    side: str  # intake | return | fan_site | face | ""
    qualifiers: tuple[str, ...]  # what stood in brackets and is no side

    @property
    def numbers(self) -> tuple[str, ...]:
        """The numbers in the name, letters glued to them included."""
        return tuple(sorted(_NUMBERS.findall(self.full)))


_ByEnd = Mapping[str, Sequence[tuple[str, str]]]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NameWords:
    """The words of `names.json`, longest first and in the spelling of keys."""

    types: tuple[tuple[str, str], ...]
    sides: tuple[tuple[str, str], ...]
    station: tuple[str, ...]
    generic: tuple[str, ...]
    numeral: re.Pattern[str]
    same: tuple[tuple[str, str], ...]
    system: tuple[str, ...]
    aliases: tuple[frozenset[str], ...]

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> NameWords:
        """From the parsed `names.json`."""
        same = tuple(
            sorted(
                ((word, group[0]) for group in data["same_words"] for word in group[1:]), key=lambda pair: -len(pair[0])
            )
        )
        numerals = "|".join(sorted(map(re.escape, data["numeral_words"]), key=len, reverse=True))
        words = cls(
            types=_pairs(data["type_words"], same),
            sides=_pairs(data["side_words"], same),
            station=tuple(sorted(data["station_words"], key=len, reverse=True)),
            generic=tuple(data["generic_words"]),
            numeral=re.compile(rf"[{document_words().numeral}]+(?={numerals})"),
            same=same,
            system=tuple(sorted(data["system_words"], key=len, reverse=True)),
            aliases=(),
        )
        aliases = tuple(frozenset(words.key(name).full for name in entry["names"]) for entry in data.get("aliases", ()))
        return NameWords(
            types=words.types,
            sides=words.sides,
            station=words.station,
            generic=words.generic,
            numeral=words.numeral,
            same=words.same,
            system=words.system,
            aliases=aliases,
        )

    def key(self, name: str, kind: str = "") -> NameKey:
        """The key of a name; `kind` (face, heading) is what the table says where the name itself has no type word."""
        return _key_of(self, name, kind)

    def _take_apart(self, name: str, kind: str) -> NameKey:
        text = self._spelling(normal_name(name))
        exact = _strip_end(_BRACKET.sub("", self._signs(normal_name(name))).strip("()-"), self.station)
        qualifiers: list[str] = []
        side = ""
        for inner in _BRACKET.findall(text):
            found = next((s for word, s in self.sides if word == inner), "")
            side, qualifiers = found or side, qualifiers if found else [*qualifiers, inner]
        text = _BRACKET.sub("", text).strip("()-")
        full = _strip_end(text, self.station)
        stem, end_side = self._split_side(full, kind)
        core, group = self._split_type(stem)
        if not group and kind in {"face", "heading"}:
            core, group = stem, kind
        if not group:
            core, end_side = full, ""
        return NameKey(
            full=full, exact=exact, core=core, group=group, side=side or end_side, qualifiers=tuple(qualifiers)
        )

    def without_side(self, key: NameKey) -> str:
        """The full name without one side word at its end: 中央变电所回风侧 is a station of 中央变电所."""
        ends = _ends_of(self).sides.get(key.full[-1:], ())
        word = next((w for w, _ in ends if len(w) > 1 and key.full.endswith(w)), "")
        return key.full.removesuffix(word)

    def system_core(self, name: str) -> str:
        """What tells one return-air system from another; "" where nothing is left (总回风).

        `一号立井回风系统总回风` and `一号回风立井` are both 1号.
        """
        text = _strip_end(_BRACKET.sub("", self._spelling(normal_name(name))), self.system, whole=True)
        fan = re.fullmatch(
            rf"(.+?)\d+{document_words().number_sign}", text
        )  # 北风井1#主通风机: the number is the fan's
        return (_strip_end(fan.group(1), self.system, whole=True) if fan else "") or text

    def are_aliases(self, one: NameKey, other: NameKey) -> bool:
        """Whether the alias table holds both names in one entry."""
        return any(one.full in group and other.full in group for group in self.aliases)

    def _signs(self, text: str) -> str:
        """The name with numbers and signs in one spelling."""
        text = re.sub(r"№|no\.?(?=\d)|#(?=\d)", "", text).replace("#", document_words().number_sign)
        text = text.replace("[", "(").replace("]", ")")
        text = re.sub(r"(?<=[0-9a-z])[-_.](?=[0-9a-z])", "", text)
        return self.numeral.sub(lambda match: _numeral(match.group()), text)

    def _spelling(self, text: str) -> str:
        text = self._signs(text)
        for word, first in self.same:
            if word in text and not (word in first and first in text):
                text = text.replace(word, first)
        for word in self.generic:
            if text.startswith(word) and len(text) > len(word) + 1:
                text = text[len(word) :]
        return text

    def _split_side(self, text: str, kind: str) -> tuple[str, str]:
        """The name without side words (工作面回风巷回风 has two), and the outermost side.

        A roadway's name ends in the same words: they are a side only behind a type word, or at a face.
        """
        stem, side = text, ""
        while not self._split_type(stem)[1]:
            ends = _ends_of(self).sides.get(stem[-1:], ())
            found = next(((w, s) for w, s in ends if stem.endswith(w) and len(stem) > len(w) + 1), None)
            if found is None:
                break
            rest = stem[: -len(found[0])].rstrip("-_/:")
            own = self._split_type(rest)[1] != ""
            if not own and (
                len(found[0]) == 1 or (kind == "heading" and found[0].endswith(document_words().roadway_sign))
            ):
                break
            stem, side = rest, side or found[1]
        return stem, side

    def _split_type(self, text: str) -> tuple[str, str]:
        for word, group in _ends_of(self).types.get(text[-1:], ()):
            if text.endswith(word) and len(text) > len(word):
                return text[: -len(word)], group
        return text, ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ends:
    """Type and side words by their last character, each list in its order: few words end as a name does."""

    types: _ByEnd
    sides: _ByEnd


@lru_cache(maxsize=16)
def _ends_of(words: NameWords) -> _Ends:
    return _Ends(types=_by_end(words.types), sides=_by_end(words.sides))


def _by_end(pairs: Sequence[tuple[str, str]]) -> _ByEnd:
    ends: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for word, meaning in pairs:
        ends[word[-1:]].append((word, meaning))
    return dict(ends)


@lru_cache(maxsize=8192)
def _key_of(words: NameWords, name: str, kind: str) -> NameKey:
    return words._take_apart(name, kind)  # noqa: SLF001 - the cache of that method


def likeness(station: NameKey, place: NameKey, words: NameWords) -> float:
    """How surely two names mean one place, 0 to 1.

    Equal keys and aliases give 1. Letters that are merely alike stay below every sensible threshold of acceptance:
    they make a candidate for a person, never a match.
    """
    if station.full == place.full or words.are_aliases(station, place):
        return _EQUAL
    if station.group and place.group and same_group(station.group, place.group) and station.core == place.core:
        return _EQUAL
    if {station.group, place.group} <= _FACES and station.group and _same_panel(station.core, place.core):
        return _SAME_PANEL
    ratio = SequenceMatcher(None, station.core, place.core, autojunk=False).ratio()
    if station.group and place.group and not same_group(station.group, place.group):
        ratio *= _OTHER_NUMBER
    if station.numbers != place.numbers:
        ratio *= _OTHER_NUMBER
    return ratio * _LIKENESS


def _same_panel(one: str, other: str) -> bool:
    """`11采区11302` and `11302`: the panel's own number, with or without its district before it."""
    longer, shorter = sorted((one, other), key=len, reverse=True)
    return (
        longer.endswith(shorter)
        and document_words().panel.search(shorter) is not None
        and not longer[: -len(shorter)][-1:].isdigit()
    )


def same_group(one: str, other: str) -> bool:
    """Faces and standby faces are one group: a station 12306工作面 may stand for 12306备用工作面."""
    return one == other or {one, other} <= _FACES


def mentions(text: str, core: str, words: NameWords) -> bool:
    """Whether a text names a system by its core, numbers as whole numbers."""
    spelled = words._spelling(normal_name(text))  # noqa: SLF001 - the spelling belongs to this module
    return re.search(rf"(?<![0-9a-z]){re.escape(core)}", spelled) is not None if core else False


def _pairs(table: Mapping[str, Sequence[str]], same: Sequence[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    pairs = {(_respell(word, same), key) for key, listed in table.items() for word in listed}
    return tuple(sorted(pairs, key=lambda pair: (-len(pair[0]), pair)))


def _respell(word: str, same: Sequence[tuple[str, str]]) -> str:
    for other, first in same:
        word = word.replace(other, first)
    return word


def _strip_end(text: str, words: Sequence[str], *, whole: bool = False) -> str:
    """Without the words at the end, one after another; `whole` may leave nothing."""
    again = True
    while again:
        again = False
        for word in words:
            if text.endswith(word) and (whole or len(text) > len(word) + 2):
                text, again = text[: -len(word)], True
                break
    return text


def _numeral(text: str) -> str:
    words = document_words()
    if words.ten not in text:
        return "".join(str(words.digits[char]) for char in text)
    tens, _, ones = text.partition(words.ten)
    return str(10 * (words.digits.get(tens, 1)) + words.digits.get(ones, 0))
