"""Drawings of a review as SVG: one source for the page, the HTML report and print.

Only elements and attributes, no `style`, no script, no font file: a strict content policy lets them through, and
every number is text that can be searched and copied. Colour never speaks alone, each mark has its word or figure.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from algorithms.airflow_review.model import Verdict
from algorithms.airflow_review.render.blocks import showable
from algorithms.airflow_review.render.figures import figure, ratio_figure
from algorithms.airflow_review.render.standing import Standing
from algorithms.airflow_review.render.words import Words

_FONT: Final = "system-ui, 'Microsoft YaHei', 'Noto Sans CJK SC', sans-serif"
_INK, _FAINT, _RULE = "#1c2733", "#5b6875", "#d5dce3"
_BAND: Final = "#c9d6e4"  # planned
_BAR_OF_VERDICT: Final = {
    Verdict.OK: "#2f7d5b",
    Verdict.WATCH: "#a66b00",
    Verdict.EXCESS: "#a66b00",
    Verdict.SHORTAGE: "#c0362c",
    Verdict.SERIOUS: "#8c1d18",
    Verdict.NOT_JUDGED: "#6b7280",
}
_ROW, _TOP, _BOTTOM = 24, 44, 10
_NARROW = 480  # px; below it the name stands above its bar


def bullet_rows(lines: Sequence[Standing], words: Words, *, width: int = 900) -> str:
    """One row per object: planned as a band, measured as a bar, required as an upright stroke.

    Each row has its own scale, the largest of the three figures, because a chamber with 60 and a mine with 30 000
    m³/min stand in one drawing. `data-loc` holds the subject's id.
    """
    narrow = width < _NARROW
    name_width = width if narrow else min(260, width * 3 // 10)
    figures_width = 0 if narrow else min(250, width * 3 // 10)
    left = 8 if narrow else name_width + 8
    track = max(80, width - left - figures_width - 16)
    height_of_row = _ROW * 2 if narrow else _ROW
    height = _TOP + height_of_row * max(1, len(lines)) + _BOTTOM
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {size} font-family="{_FONT}" font-size="12">',
        f"<title>{escape(words.say('chart.bullets'))}</title>",
        f"<desc>{escape(words.say('chart.bullets_desc'))}</desc>",
        *_legend(words),
    ]
    for index, line in enumerate(lines):
        top = _TOP + index * height_of_row
        parts += _row(line, words, top=top, left=left, track=track, width=width, narrow=narrow)
    parts.append("</svg>")
    return "\n".join(parts)


def _legend(words: Words) -> list[str]:
    return [
        f'<rect x="8" y="12" width="22" height="14" fill="{_BAND}"/>',
        _text(36, 23, words.say("column.planned"), _FAINT),
        f'<rect x="120" y="16" width="22" height="6" fill="{_BAR_OF_VERDICT[Verdict.OK]}"/>',
        _text(148, 23, words.say("column.measured"), _FAINT),
        f'<rect x="240" y="10" width="3" height="18" fill="{_INK}"/>',
        _text(250, 23, words.say("column.required"), _FAINT),
        _text(340, 23, words.say("chart.unit"), _FAINT),
    ]


def _row(line: Standing, words: Words, *, top: int, left: int, track: int, width: int, narrow: bool) -> list[str]:
    bar_top = top + (_ROW if narrow else 0) + 4
    colour = _BAR_OF_VERDICT[line.verdict]
    longest = max((value for value in (line.required, line.planned, line.measured) if value is not None), default=None)
    parts = [f"<g data-loc={quoteattr(line.subject)}>", f"<title>{escape(showable(_tooltip(line, words)))}</title>"]
    parts.append(_text(8, top + 17, _shorten(line.name, 40 if narrow else 19), _INK))
    parts.append(f'<rect x="{left}" y="{bar_top}" width="{track}" height="16" fill="none" stroke="{_RULE}"/>')
    if line.planned is not None:
        length = _length(line.planned, longest, track)
        parts.append(f'<rect x="{left}" y="{bar_top}" width="{length:.1f}" height="16" fill="{_BAND}"/>')
    if line.measured is not None:
        length = _length(line.measured, longest, track)
        parts.append(f'<rect x="{left}" y="{bar_top + 5}" width="{length:.1f}" height="6" fill="{colour}"/>')
    if line.required is not None:
        at = left + _length(line.required, longest, track)
        parts.append(f'<rect x="{at:.1f}" y="{bar_top - 2}" width="3" height="20" fill="{_INK}"/>')
    label_at = (width - 8, top + 17) if narrow else (left + track + 12, top + 17)
    parts.append(_text(*label_at, _label(line, words), colour, anchor="end" if narrow else "start"))
    parts.append("</g>")
    return parts


def _label(line: Standing, words: Words) -> str:
    """The verdict, then what is missing or left over."""
    verdict = words.name("verdict", line.verdict)
    if line.margin_m3_min is None:
        return verdict
    if line.measured_to_required is None:
        return f"{verdict} {figure(line.margin_m3_min, words)}"
    return f"{verdict} {figure(line.margin_m3_min, words)} ({ratio_figure(line.measured_to_required, words)})"


def _tooltip(line: Standing, words: Words) -> str:
    return words.say(
        "chart.tooltip",
        name=line.name,
        required=figure(line.required, words),
        planned=figure(line.planned, words),
        measured=figure(line.measured, words),
        verdict=words.name("verdict", line.verdict),
        reason=line.reason,
    ).strip()


def _length(value: Decimal, longest: Decimal | None, track: int) -> Decimal:
    """Pixels of a value on its row."""
    return value * track / longest if longest and value > 0 else Decimal(0)


def _text(x: int, y: int, text: str, fill: str, *, anchor: str = "start") -> str:
    return f'<text x="{x}" y="{y}" fill="{fill}" text-anchor="{anchor}">{escape(showable(text))}</text>'


def _shorten(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1] + "…"
