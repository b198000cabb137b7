"""Folding of text before numbers are read: character for character, so that every offset stays true."""

from __future__ import annotations

import re
from typing import Final

_PLAIN: Final = {
    **{code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F) if chr(code) not in "，；！？：（）"},
    **dict.fromkeys(map(ord, "\u3000\u00a0\u202f\u2009"), " "),
    **dict.fromkeys(map(ord, "\u2212\u2010\u2011\u2012\u2013\u2014"), "-"),
    **dict.fromkeys(map(ord, "\u223c\u301c"), "~"),
    **dict.fromkeys(map(ord, "\u2715\u2716"), "×"),
    **dict.fromkeys(map(ord, "\u2245\u2243"), "≈"),
    ord("\uffe5"): "¥",
    ord("\u22c5"): "·",
}
_NOT_PLAIN: Final = re.compile(f"[{''.join(map(chr, _PLAIN))}]")
_WIDE_COMMA: Final = re.compile(r"(?<=[0-9０-９])，(?=[０-９]{3}(?![0-9０-９]))")
_SPACED_THOUSANDS: Final = re.compile(r"(?<=\d)[\u00a0\u202f\u2009](?=\d{3}(?!\d))")
_LATEX: Final = (
    ("\\times", "×"),
    ("\\cdot", "×"),
    ("\\div", "÷"),
    ("\\approx", "≈"),
    ("\\%", "%"),
    ("\\,", " "),
    ("\\text", ""),
    ("\\mathrm", ""),
    ("\\left", ""),
    ("\\right", ""),
    ("\\", " "),
)
_LATEX_COMMA: Final = "{,}"


def fold(text: str) -> str:
    """Bring full-width forms, dashes and LaTeX signs to plain ones; the result is as long as `text`.

    Superscripts stay (`m³` is no `m3` with a digit of its own), and so does Chinese punctuation, which ends clauses.
    """
    folded = text
    if _NOT_PLAIN.search(text):
        folded = _SPACED_THOUSANDS.sub(",", _WIDE_COMMA.sub(",", text)).translate(_PLAIN)
    if "\\" in folded:
        folded = folded.replace("$", " ")  # the frame of a formula, no dollars
        folded = folded.replace(_LATEX_COMMA, ",\u200b\u200b") if _LATEX_COMMA in folded else folded
        for written, plain in _LATEX:
            folded = folded.replace(written, plain.ljust(len(written)))
    return folded
