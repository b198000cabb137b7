"""The strokes all drawings are made of. Lengths are in units of the drawing, one unit is one pixel at full size."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Final, Literal
from xml.sax.saxutils import escape, quoteattr

from algorithms.airflow_review.render.blocks import showable
from algorithms.airflow_review.render.svg.palette import bright

FONT_SIZE: Final = 12
WIDTH: Final = 800  # of a whole drawing: a page of A4 shows it at 86 %
PADDING: Final = 6
GAP: Final = 12  # between two columns

# Base lines of title, legend and column heads, and the upper edge of the first row.
TITLE, LEGEND, HEADS, TOP = Decimal(16), Decimal(37), Decimal(58), Decimal(66)

_FONT: Final = "system-ui, 'Microsoft YaHei', 'Noto Sans CJK SC', sans-serif"
_GROUP: Final = 3  # digits
_THIN_SPACE: Final = Decimal("2.5")
_CJK_STARTS: Final = "\u2e80"
_WIDE, _NARROW = frozenset("mwMW@%—…℃"), frozenset(" .,:;|!'iljI()[]")
_SHORTENED: Final = "…"

Anchor = Literal["start", "middle", "end"]


def text_width(text: str) -> Decimal:
    """How much room a text takes, at least: no font is at hand here, so the widest of the usual ones counts."""
    return sum((_sign_width(sign) for sign in text), Decimal(0)) * FONT_SIZE


def _sign_width(sign: str) -> Decimal:
    if sign >= _CJK_STARTS or sign in _WIDE:
        return Decimal(1)
    if sign in _NARROW:
        return Decimal("0.4")
    return Decimal("0.72") if sign.isupper() else Decimal("0.65")


def shorten(text: str, room: Decimal) -> str:
    """The text, cut with an ellipsis where it would not fit; the tooltip holds it whole."""
    text = " ".join(showable(text).split())
    if text_width(text) <= room:
        return text
    while text and text_width(text + _SHORTENED) > room:
        text = text[:-1]
    return text.rstrip() + _SHORTENED


def column_width(texts: Iterable[str], *, least: int = 0) -> Decimal:
    """Room for the widest text of a column."""
    return max((text_width(text) + _THIN_SPACE * 2 for text in texts), default=Decimal(0)).max(Decimal(least))


def label(x: Decimal, y: Decimal, text: str, role: str = "ink", *, anchor: Anchor = "start", bold: bool = False) -> str:
    """A text at its base line."""
    where = f'x="{_number(x)}" y="{_number(y)}"' + ("" if anchor == "start" else f' text-anchor="{anchor}"')
    weight = ' font-weight="600"' if bold else ""
    return f"<text {where} {_fill(role)}{weight}>{escape(showable(text))}</text>"


def number(right: Decimal, y: Decimal, text: str, role: str = "ink") -> str:
    """A figure that ends at `right`. Thousands stand apart by position, so that a copied number has no space in it."""
    shifts = _thin_spaces(text)
    apart = f' dx="{shifts}"' if shifts else ""
    return f'<text x="{_number(right)}" y="{_number(y)}"{apart} text-anchor="end" {_fill(role)}>{escape(text)}</text>'


def _thin_spaces(text: str) -> str:
    whole = text.removeprefix("-").partition(".")[0]
    if not whole.isdecimal() or len(whole) <= _GROUP:
        return ""
    sign = ["0"] * (len(text) - len(text.removeprefix("-")))
    digits = [str(_THIN_SPACE) if i and (len(whole) - i) % _GROUP == 0 else "0" for i in range(len(whole))]
    return " ".join(sign + digits)


def box(x: Decimal, y: Decimal, width: Decimal, height: Decimal, role: str) -> str:
    """A filled rectangle."""
    return f"<rect {_frame(x, y, width, height)} {_fill(role)}/>"


def unknown_box(x: Decimal, y: Decimal, width: Decimal, height: Decimal) -> str:
    """The place of a bar whose value nobody knows: an empty frame of dashes, never a bar of no length."""
    stroke = f'class="unknown" fill="none" stroke="{bright("manual")}" stroke-dasharray="3 3"'
    return f"<rect {_frame(x, y, width, height)} {stroke}/>"


def disc(x: Decimal, y: Decimal, radius: Decimal, role: str) -> str:
    """A round mark."""
    return f'<circle cx="{_number(x)}" cy="{_number(y)}" r="{_number(radius)}" {_fill(role)}/>'


def polygon(points: Sequence[tuple[Decimal, Decimal]], role: str) -> str:
    """A mark with corners."""
    corners = " ".join(f"{_number(x)},{_number(y)}" for x, y in points)
    return f'<polygon points="{corners}" {_fill(role)}/>'


def diamond(x: Decimal, y: Decimal, radius: Decimal, role: str) -> str:
    """A mark that stands on its corner."""
    return polygon([(x, y - radius), (x + radius, y), (x, y + radius), (x - radius, y)], role)


def beyond(x: Decimal, y: Decimal, role: str, *, to_right: bool) -> str:
    """An arrow head at the edge of an axis: the value lies outside what is drawn, its figure stands beside."""
    tip = x + 7 if to_right else x - 7
    return polygon([(x, y - 5), (tip, y), (x, y + 5)], role)


def row(
    subject: str, tooltip: str, y: Decimal, height: Decimal, width: Decimal, parts: Iterable[str], *, striped: bool
) -> str:
    """One line of a drawing with its tooltip; the frame below it takes the pointer between the marks."""
    look = _fill("zebra") if striped else 'fill="none" pointer-events="all"'
    frame = f"<rect {_frame(Decimal(0), y, width, height)} {look}/>"
    title = f"<title>{escape(showable(tooltip))}</title>"
    return "\n".join([f"<g data-loc={quoteattr(showable(subject))}>{title}", frame, *parts, "</g>"])


def document(title: str, description: str, width: Decimal, height: Decimal, parts: Iterable[str]) -> str:
    """A whole drawing; `title` and `description` are for those who do not see it."""
    size = f'width="{_number(width)}" height="{_number(height)}" viewBox="0 0 {_number(width)} {_number(height)}"'
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {size} font-family="{_FONT}" font-size="{FONT_SIZE}">',
        f"<title>{escape(showable(title))}</title>",
        f"<desc>{escape(showable(description))}</desc>",
        *parts,
        "</svg>",
    ])  # fmt: skip


def _frame(x: Decimal, y: Decimal, width: Decimal, height: Decimal) -> str:
    return f'x="{_number(x)}" y="{_number(y)}" width="{_number(width)}" height="{_number(height)}"'


def _fill(role: str) -> str:
    return f'class="{role}" fill="{bright(role)}"'


def _number(value: Decimal) -> str:
    """A length with at most one decimal, always written the same way."""
    return f"{value:.1f}".removesuffix(".0")
