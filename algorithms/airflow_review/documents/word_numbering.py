"""Automatic numbers of Word paragraphs: they are on the page, but not in the text."""

from __future__ import annotations

import re
from dataclasses import field
from typing import Final

from algorithms.airflow_review.documents.word_package import Element, W, WordPackage, setting
from algorithms.airflow_review.value_class import dataclass

_DIGITS: Final = "零一二三四五六七八九"
_UNITS: Final = ("", "十", "百", "千")
_ROMAN: Final = (
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"),
    (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
)  # fmt: skip
_FULL_WIDTH: Final = str.maketrans("0123456789", "０１２３４５６７８９")
_CIRCLES: Final = 20
_LETTERS: Final = 26


@dataclass(frozen=True, slots=True)
class _Level:
    style: str
    text: str
    start: int


@dataclass(slots=True)
class Numbering:
    """Counts the numbered paragraphs of one document in order."""

    levels: dict[str, dict[int, _Level]]  # by list, by level
    styles: dict[str, tuple[str, int]]  # list and level of numbered paragraph styles
    counters: dict[str, dict[int, int]] = field(default_factory=dict)

    @classmethod
    def of(cls, package: WordPackage) -> Numbering:
        """The lists a package defines; none if it has no numbering part."""
        part = package.beside("numbering.xml")
        if part is None:
            return cls({}, {})
        abstract = {node.get(f"{W}abstractNumId"): _levels(node) for node in part.iterchildren(f"{W}abstractNum")}
        levels = {}
        for node in part.iterchildren(f"{W}num"):
            own = dict(abstract.get(setting(node, "abstractNumId"), {}))
            for override in node.iterchildren(f"{W}lvlOverride"):
                own |= _levels(override)
            levels[node.get(f"{W}numId", "")] = own
        return cls(levels, _numbered_styles(package.beside("styles.xml")))

    def label(self, paragraph: Element) -> str:
        """The number in front of a paragraph, such as `（一）`; empty for bullets and plain paragraphs."""
        properties = paragraph.find(f"{W}pPr")
        style = self.styles.get(setting(properties, "pStyle"), ("", 0))
        number = setting(properties, "numPr/numId", style[0])
        level = int(setting(properties, "numPr/ilvl", str(style[1])) or 0)
        levels = self.levels.get(number)
        if not levels or level not in levels:
            return ""
        counts = self.counters.setdefault(number, {})
        counts[level] = counts.get(level, levels[level].start - 1) + 1
        for deeper in [known for known in counts if known > level]:
            del counts[deeper]
        return re.sub(r"%(\d)", lambda mark: self._number(levels, counts, int(mark[1]) - 1), levels[level].text)

    def _number(self, levels: dict[int, _Level], counts: dict[int, int], level: int) -> str:
        if level not in levels:
            return ""
        return _formatted(counts.get(level, levels[level].start), levels[level].style)


def _levels(node: Element) -> dict[int, _Level]:
    levels = {}
    for level in node.iterchildren(f"{W}lvl"):
        style = setting(level, "numFmt", "decimal")
        start = setting(level, "start", "1")
        text = "" if style in {"bullet", "none"} else setting(level, "lvlText")
        levels[int(level.get(f"{W}ilvl", "0"))] = _Level(style, text, int(start) if start.isdecimal() else 1)
    return levels


def _numbered_styles(part: Element | None) -> dict[str, tuple[str, int]]:
    if part is None:
        return {}
    styles = {}
    for node in part.iterchildren(f"{W}style"):
        number = setting(node, "pPr/numPr/numId")
        if number:
            styles[node.get(f"{W}styleId", "")] = (number, int(setting(node, "pPr/numPr/ilvl", "0") or 0))
    return styles


def _formatted(number: int, style: str) -> str:
    if style.startswith(("chinese", "japaneseCounting", "ideographDigital", "taiwaneseCounting")):
        return _chinese(number)
    if style.startswith("decimalEnclosedCircle") and 0 < number <= _CIRCLES:
        return chr(ord("①") + number - 1)
    if style in {"upperRoman", "lowerRoman"}:
        return _roman(number) if style == "upperRoman" else _roman(number).lower()
    if style in {"upperLetter", "lowerLetter"} and 0 < number <= _LETTERS:
        return chr(ord("A" if style == "upperLetter" else "a") + number - 1)
    if style == "decimalZero":
        return f"{number:02}"
    return str(number).translate(_FULL_WIDTH) if style.startswith("decimalFullWidth") else str(number)


def _chinese(number: int) -> str:
    digits = str(number)
    if len(digits) > len(_UNITS):
        return digits
    text = ""
    for place, digit in zip(range(len(digits) - 1, -1, -1), map(int, digits), strict=True):
        text += _DIGITS[digit] + (_UNITS[place] if digit else "")
    text = re.sub("零+", "零", text).rstrip("零") or "零"
    return text.removeprefix("一") if text.startswith("一十") else text


def _roman(number: int) -> str:
    text = ""
    for value, letters in _ROMAN:
        text += letters * (number // value)
        number %= value
    return text
