"""How numbers, days and places in a document are written for people."""

from __future__ import annotations

from decimal import ROUND_FLOOR, ROUND_HALF_EVEN, Decimal, localcontext
from typing import Literal

from algorithms.airflow_review.evidence import Evidence, Window
from algorithms.airflow_review.model import Finding, InputFile
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


def finding_value(finding: Finding, which: Literal["stated", "expected"], words: Words) -> str:
    """What was printed or what should be, of a finding."""
    value = finding.stated if which == "stated" else finding.expected
    if isinstance(value, str):
        value = words.choose(value, finding.stated_en if which == "stated" else finding.expected_en)
    return stated_text(value, finding.unit, words)


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
    if evidence.recognized:
        parts.append(words.say("evidence.recognized"))
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


def first_spot(evidence: tuple[Evidence, ...], words: Words) -> str:
    """The first spot of an evidence list without its file: for tables whose rows are all of one document."""
    return _spot(evidence[0], words) if evidence else words.say("none")


def spots_by_role(evidence: tuple[Evidence, ...], inputs: tuple[InputFile, ...], words: Words) -> str:
    """The first spot in the plan, then in the report. The chapter on documents names the files; here a name in each row would bury the spot."""
    roles = {source.file: source.role for source in inputs}
    firsts = {item.file: item for item in reversed(evidence)}
    spots = []
    for file in dict.fromkeys([*roles, *(item.file for item in evidence)]):
        if file not in firsts:
            continue
        # Two documents of one name cannot be told apart by it.
        if file in roles and len(roles) == len(inputs):
            role, place = words.say(f"evidence.of_{roles[file]}"), _spot(firsts[file], words)
            spots.append(words.say("evidence.spot", role=role, place=place))
        else:
            spots.append(evidence_place(firsts[file], words))
    return words.say("evidence.list_join").join(spots) or words.say("none")


def _spot(evidence: Evidence, words: Words) -> str:
    """Page, table and row, as far as they are known; a column only where no row leads to the spot."""
    keys = ("sheet", "row") if evidence.sheet and evidence.row else ("page", "sheet", "table", "row")
    parts = [words.say(f"evidence.{key}", value=value) for key in keys if (value := getattr(evidence, key)) is not None]
    if not parts and evidence.line is not None:
        parts.append(words.say("evidence.line", value=evidence.line))
    return words.say("evidence.join").join(parts) or evidence.file


def _to_places(value: Decimal, rounding: str) -> Decimal:
    exponent = value.as_tuple().exponent
    if not isinstance(exponent, int) or exponent >= -_MAX_PLACES:
        return value
    with localcontext() as context:
        context.prec = max(28, len(value.as_tuple().digits) + _MAX_PLACES)
        return value.quantize(Decimal(1).scaleb(-_MAX_PLACES), rounding=rounding)
