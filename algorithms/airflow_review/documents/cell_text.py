"""How pieces of text that belong together become one text, the same in every container."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

_SPACES = re.compile(r"[ \t\r\f\v\u00a0\u2002-\u200a\u202f]+")
# PDF fonts often map characters to the radical that looks the same; the eye reads the character.
_RADICALS = {code: unicodedata.normalize("NFKC", chr(code)) for code in range(0x2F00, 0x2FD6)} | {
    ord(radical): char
    for radical, char in zip(
        "⺠⻄⻅⻆⻉⻋⻓⻔⻘⻙⻚⻛⻜⻝⻢⻣⻤⻥⻦⻨⻩⻬⻮⻰⻳⺟",
        "民西见角贝车长门青韦页风飞食马骨鬼鱼鸟麦黄齐齿龙龟母",
        strict=True,
    )
}
_DROPPED = re.compile("[\u200b-\u200d\u2060\ufeff\u00ad]")
_SUPERSCRIPTS = str.maketrans("0123456789+-−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻")
_RAISED = re.compile(r"[0-9+\-−]+")


def tidy(text: str) -> str:
    """One line without outer, doubled or invisible spaces; an ideographic space inside stays."""
    return _SPACES.sub(" ", _DROPPED.sub("", text)).translate(_RADICALS).strip(" \n\u3000")


def join_lines(lines: Iterable[str]) -> str:
    """The lines of one cell as one text.

    A wrapped Chinese name comes back whole; two Latin words or two numbers stay apart.
    """
    text = ""
    for line in map(tidy, lines):
        if text and line and _is_latin(text[-1]) and _is_latin(line[0]):
            text += " "
        text += line
    return text


def raised(text: str) -> str:
    """Superscript digits and signs as characters (m + raised 3 = m³); other raised text stays as it is."""
    return text.translate(_SUPERSCRIPTS) if _RAISED.fullmatch(text) else text


def _is_latin(char: str) -> bool:
    return char.isascii() and char.isalnum()
