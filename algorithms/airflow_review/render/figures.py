"""How numbers, days and places in a document are written for people."""

from __future__ import annotations

from decimal import ROUND_FLOOR, ROUND_HALF_EVEN, Decimal, localcontext

from algorithms.airflow_review.evidence import Evidence, Window
from algorithms.airflow_review.render.blocks import Cell, Tone
from algorithms.airflow_review.render.json_text import decimal_text
from algorithms.airflow_review.render.words import Words

_MAX_PLACES = 4
_QUOTE_LENGTH = 160


def figure(value: Decimal | None, words: Words) -> str:
    """A value with all its digits up to four places; a value that would round to zero keeps them all."""
    if value is None:
        return words.say("none")
    rounded = _to_places(value, ROUND_HALF_EVEN)
    return decimal_text(rounded if rounded or not value else value)


def ratio_figure(value: Decimal | None, words: Words) -> str:
    """A ratio, cut off and never rounded up: 0.99999 must not be read as 1."""
    return words.say("none") if value is None else decimal_text(_to_places(value, ROUND_FLOOR))


def number_cell(value: Decimal | None, words: Words, tone: Tone = Tone.PLAIN) -> Cell:
    """A cell with a value."""
    return Cell(text=figure(value, words), number=value, tone=tone)


def ratio_cell(value: Decimal | None, words: Words) -> Cell:
    """A cell with a ratio."""
    return Cell(text=ratio_figure(value, words), number=value)


def stated_text(value: Decimal | str | None, unit: str | None, words: Words) -> str:
    """What a finding says was printed or should be, with its unit."""
    if value is None:
        return words.say("none")
    text = figure(value, words) if isinstance(value, Decimal) else value
    return f"{text} {words.name('unit', unit)}" if unit and isinstance(value, Decimal) else text


def window_text(window: Window, words: Words) -> str:
    """A span of days with the text it was read from; an unread one says so."""
    if window.start is None or window.end is None:
        return words.say("window.unread", text=window.text or words.say("none"))
    return words.say("window.span", start=window.start.isoformat(), end=window.end.isoformat())


def evidence_place(evidence: Evidence, words: Words) -> str:
    """File, page, sheet, table, row … as far as they are known."""
    parts = [evidence.file]
    for key in ("page", "sheet", "table", "row", "column", "line"):
        value = getattr(evidence, key)
        # A line number helps only where neither page nor table leads to the spot.
        if value is None or (key == "line" and (evidence.page or evidence.table)):
            continue
        parts.append(words.say(f"evidence.{key}", value=value))
    return words.say("evidence.join").join(parts)


def evidence_text(evidence: Evidence, words: Words) -> str:
    """The spot and the words found there."""
    place = evidence_place(evidence, words)
    if not evidence.quote:
        return words.say("evidence.unproven", place=place)
    quote = " ".join(evidence.quote.split())
    if len(quote) > _QUOTE_LENGTH:
        quote = quote[: _QUOTE_LENGTH - 1] + "…"
    return words.say("evidence.quoted", place=place, quote=quote)


def first_place(evidence: tuple[Evidence, ...], words: Words) -> str:
    """The first spot of an evidence list, or the sign for none."""
    return evidence_place(evidence[0], words) if evidence else words.say("none")


def places_by_file(evidence: tuple[Evidence, ...], words: Words) -> str:
    """The first spot in each file: the plan's row and the report's row."""
    firsts = {item.file: item for item in reversed(evidence)}
    ordered = [item for item in dict.fromkeys(evidence) if firsts[item.file] is item]
    spots = dict.fromkeys(evidence_place(item, words) for item in ordered)
    return words.say("evidence.list_join").join(spots) or words.say("none")


def _to_places(value: Decimal, rounding: str) -> Decimal:
    exponent = value.as_tuple().exponent
    if not isinstance(exponent, int) or exponent >= -_MAX_PLACES:
        return value
    with localcontext() as context:
        context.prec = max(28, len(value.as_tuple().digits) + _MAX_PLACES)
        return value.quantize(Decimal(1).scaleb(-_MAX_PLACES), rounding=rounding)
