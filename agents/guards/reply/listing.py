"""How many things a reply lists: in a row before a count, in brackets behind it, or in the lines below."""

from __future__ import annotations

import re
from typing import Final

_ROW: Final = re.compile(r"[^，。；：:,;、和与及\d]+(?:(?:、|和|与|及)[^，。；：:;、和与及,\d]+)+$")
_FARTHEST: Final = 80
_JOINT: Final = re.compile(r"、|和|与|及|, and |, | and ")
_BRACKETS: Final = re.compile(r"[^（(。；;]{0,12}[（(]([^（）()]+)[）)]")
_ITEM: Final = re.compile(r"\s*(?:[-*•·]|\d{1,2}[.)、]|[（(]\d{1,2}[）)]|[①-⑳]|[一二三四五六七八九十]、)\s*\S")


def lists_beside(text: str, sentence: tuple[int, int], number: tuple[int, int]) -> set[int]:
    """Lengths of the lists beside a number, which stands in a sentence; both given as spans of the text."""
    before, behind = text[max(sentence[0], number[0] - _FARTHEST) : number[0]], text[number[1] : sentence[1]]
    return {listed_before(before), listed_in_brackets(behind), listed_below(text, sentence[1])}


def listed_before(text: str) -> int:
    """Length of the row that ends a text: 变电所、水泵房 before 两个."""
    match = _ROW.search(text)
    return len(_JOINT.findall(match.group())) + 1 if match else 0


def listed_in_brackets(text: str) -> int:
    """Length of the row in the brackets that follow: （变电所、水泵房）."""
    match = _BRACKETS.match(text)
    return len(_JOINT.findall(match[1])) + 1 if match else 0


def listed_below(text: str, end: int) -> int:
    """Number of list items in the lines right below a position; blank lines before the list do not count."""
    items = 0
    for line in text[end:].split("\n")[1:]:
        if _ITEM.match(line):
            items += 1
        elif line.strip() and not line.startswith((" ", "\t")):
            break
    return items
