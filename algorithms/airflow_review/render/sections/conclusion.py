"""Chapter 1: what the engineer must know, on one page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from algorithms.airflow_review.model import Alignment, AlignmentStatus, Review, Severity, Verdict
from algorithms.airflow_review.render.blocks import (
    Block,
    Bullets,
    Cell,
    Column,
    Heading,
    Paragraph,
    Section,
    Table,
    Tone,
)
from algorithms.airflow_review.render.figures import figure, number_cell, ratio_cell, window_text
from algorithms.airflow_review.render.standing import Standing, severest_first
from algorithms.airflow_review.render.words import Words

TONE_OF_VERDICT: Final = {
    Verdict.OK: Tone.GOOD,
    Verdict.WATCH: Tone.WATCH,
    Verdict.SHORTAGE: Tone.BAD,
    Verdict.SERIOUS: Tone.BAD,
    Verdict.EXCESS: Tone.WATCH,
    Verdict.NOT_JUDGED: Tone.MANUAL,
}
TONE_OF_SEVERITY: Final = {
    Severity.NOTE: Tone.PLAIN,
    Severity.MANUAL: Tone.MANUAL,
    Severity.WARNING: Tone.WATCH,
    Severity.ERROR: Tone.BAD,
    Severity.BLOCKING: Tone.BAD,
}
_TONE_OF_SUMMARY: Final = {"manual": Tone.MANUAL, "blocked": Tone.BAD, "conclusive_with_errors": Tone.BAD}
_LOUDEST_FIRST: Final = (Severity.BLOCKING, Severity.ERROR, Severity.WARNING, Severity.MANUAL, Severity.NOTE)
_AGAINST_NEED: Final = frozenset({"measured_required", "plan_required"})
_FEW_SHORT_PLACES = 12
_FEW_FINDINGS = 10


def conclusion_section(review: Review, lines: Sequence[Standing], words: Words) -> Section:
    """Verdict, counts, mine / systems / fans, places short of air, what to do next."""
    blocks: list[Block] = [
        Paragraph(text=verdict_sentence(review, words), tone=verdict_tone(review), strong=True),
        Paragraph(text=measured_sentence(review, lines, words), tone=_measured_tone(review, lines)),
        Paragraph(text=planned_sentence(lines, words), tone=_planned_tone(lines)),
        Bullets(items=(*_time_items(review, words), counts_sentence(review, words), *settled_sentences(review, words))),
        _wholes_table([line for line in lines if line.is_whole], words),
    ]
    short = [line for line in severest_first(lines) if (line.is_short or line.is_planned_short) and not line.is_whole]
    if short:
        blocks += [Heading(text=words.say("conclusion.short_heading", count=len(short))), _short_table(short, words)]
    blocks += _what_to_do(review, words)
    blocks.append(Paragraph(text=words.say("conclusion.scope_hint")))
    return Section(key="conclusion", title=words.say("section.conclusion"), blocks=tuple(blocks))


def verdict_sentence(review: Review, words: Words) -> str:
    """The verdict in one sentence; a conclusive one says how many objects are short of air."""
    loud, short = _loud_count(review), _short_count(review)
    key = f"summary.{review.summary.verdict}"
    if short and review.summary.verdict.startswith("conclusive"):
        key += "_short"
    elif not loud and review.summary.verdict == "conclusive":
        key += "_clean"
    return words.say(key, count=loud, short=short)


def settled_sentences(review: Review, words: Words) -> tuple[str, ...]:
    """That the verdict rests on values settled by a person, if it does."""
    return (words.say("settled.count", count=len(review.settled)),) if review.settled else ()


def verdict_tone(review: Review) -> Tone:
    """The colour of the verdict; only a conclusive review without shortage and loud finding is green."""
    tone = _TONE_OF_SUMMARY.get(review.summary.verdict)
    if tone is not None:
        return tone
    if _short_count(review):
        return Tone.BAD
    return Tone.WATCH if _loud_count(review) else Tone.GOOD


def measured_sentence(review: Review, lines: Sequence[Standing], words: Words) -> str:
    """Whether the measured air covers the need, and for how many objects that is open."""
    if review.report is None:
        return words.say("measured.no_report")
    if review.alignment is not None and review.alignment.status is not AlignmentStatus.ALIGNED:
        return words.say("measured.not_aligned", reason=_gate_reason(review.alignment, words))
    verdicts = Counter(line.verdict for line in lines)
    open_count = verdicts[Verdict.NOT_JUDGED]
    judged = verdicts.total() - open_count
    short = verdicts[Verdict.SHORTAGE] + verdicts[Verdict.SERIOUS]
    if not judged:
        return words.say("measured.none_judged", open=open_count)
    if short:
        return words.say(
            "measured.short", short=short, serious=verdicts[Verdict.SERIOUS], judged=judged, open=open_count
        )
    return words.say("measured.covered", judged=judged, open=open_count)


def planned_sentence(lines: Sequence[Standing], words: Words) -> str:
    """Whether the plan itself gives every place what it needs."""
    verdicts = Counter(line.planned_verdict for line in lines if not line.is_whole)
    short = sum(line.is_planned_short for line in lines if not line.is_whole)
    key = "planned.short" if short else "planned.covered"
    judged = verdicts.total() - verdicts[Verdict.NOT_JUDGED]
    if not judged:
        return words.say("planned.none_judged")
    return words.say(key, short=short, judged=judged, open=verdicts[Verdict.NOT_JUDGED])


def counts_sentence(review: Review, words: Words) -> str:
    """How many findings of each severity."""
    parts = [
        words.say(
            "count.item", name=words.name("severity", severity), count=review.summary.by_severity.get(severity, 0)
        )
        for severity in _LOUDEST_FIRST
    ]
    return words.say("count.findings", parts=words.say("list.join").join(parts))


def verdict_cell(verdict: Verdict, reason: str, words: Words) -> Cell:
    """A verdict in words with its reason in brackets; an unjudged one never looks like a pass."""
    text = words.name("verdict", verdict)
    if reason:
        # Some reasons are whole sentences that begin with the verdict.
        text = reason if reason.startswith(text) else words.say("verdict.because", verdict=text, reason=reason)
    return Cell(text=text, tone=TONE_OF_VERDICT[verdict])


def standing_verdict(line: Standing, words: Words) -> Cell:
    """The verdict of a line; the reason comes along where there is no verdict, and where a whole is judged twice."""
    return verdict_cell(line.verdict, line.reason if line.is_whole or line.verdict is Verdict.NOT_JUDGED else "", words)


def _gate_reason(alignment: Alignment, words: Words) -> str:
    return words.choose(alignment.reason, alignment.reason_en)


def _loud_count(review: Review) -> int:
    return sum(count for severity, count in review.summary.by_severity.items() if severity != Severity.NOTE)


def _short_count(review: Review) -> int:
    """Objects that get, or are planned, less than they need."""
    short = (row for row in review.comparisons if row.verdict in {Verdict.SHORTAGE, Verdict.SERIOUS})
    return len({row.subject for row in short if row.basis in _AGAINST_NEED})


def _measured_tone(review: Review, lines: Sequence[Standing]) -> Tone:
    if any(line.is_short for line in lines):
        return Tone.BAD
    open_lines = any(line.verdict is Verdict.NOT_JUDGED for line in lines)
    aligned = review.alignment is not None and review.alignment.status is AlignmentStatus.ALIGNED
    return Tone.MANUAL if open_lines or not aligned else Tone.GOOD


def _planned_tone(lines: Sequence[Standing]) -> Tone:
    places = [line for line in lines if not line.is_whole]
    if any(line.is_planned_short for line in places):
        return Tone.BAD
    return Tone.MANUAL if any(line.planned_verdict is Verdict.NOT_JUDGED for line in places) else Tone.GOOD


def _time_items(review: Review, words: Words) -> list[str]:
    items = [words.say("time.plan", window=window_text(review.plan.period, words))]
    if review.report is not None:
        items.append(words.say("time.report", window=window_text(review.report.window, words)))
    if review.alignment is not None:
        status = words.name("alignment", review.alignment.status)
        items.append(
            words.say("time.gate", status=status, reason=_gate_reason(review.alignment, words) or words.say("none"))
        )
    return items


def _wholes_table(lines: Sequence[Standing], words: Words) -> Table:
    columns = (
        Column(title=words.say("column.object"), width=20),
        Column(title=words.say("column.type"), width=12),
        Column(title=words.say("column.required"), width=11, numeric=True),
        Column(title=words.say("column.planned"), width=11, numeric=True),
        Column(title=words.say("column.measured"), width=11, numeric=True),
        Column(title=words.say("column.ratio"), width=9, numeric=True),
        Column(title=words.say("column.margin"), width=10, numeric=True),
        Column(title=words.say("column.verdict"), width=20),
    )
    rows = tuple(
        (
            Cell(text=line.name),
            Cell(text=words.name("type", line.type)),
            number_cell(line.required, words),
            number_cell(line.planned, words),
            number_cell(line.measured, words),
            ratio_cell(line.measured_to_required, words),
            number_cell(line.margin_m3_min, words),
            standing_verdict(line, words),
        )
        for line in lines
    )
    return Table(columns=columns, rows=rows, caption=words.say("caption.wholes"))


def _short_table(lines: Sequence[Standing], words: Words) -> Table:
    columns = (
        Column(title=words.say("column.place"), width=26),
        Column(title=words.say("column.required"), width=12, numeric=True),
        Column(title=words.say("column.planned"), width=12, numeric=True),
        Column(title=words.say("column.measured"), width=12, numeric=True),
        Column(title=words.say("column.missing"), width=16, numeric=True),
        Column(title=words.say("column.planned_verdict"), width=12),
        Column(title=words.say("column.measured_verdict"), width=16),
    )
    rows = [
        (
            Cell(text=line.name),
            number_cell(line.required, words),
            number_cell(line.planned, words),
            number_cell(line.measured, words),
            _missing_cell(line, words),
            verdict_cell(line.planned_verdict, "", words),
            standing_verdict(line, words),
        )
        for line in lines[:_FEW_SHORT_PLACES]
    ]
    more = len(lines) - len(rows)
    caption = words.say("caption.short_more", more=more) if more else words.say("caption.short")
    return Table(columns=columns, rows=tuple(rows), caption=caption)


def _missing_cell(line: Standing, words: Words) -> Cell:
    margin = line.margin_m3_min
    if margin is None or not line.required:
        return number_cell(margin, words)
    percent = (margin * 100 / line.required).quantize(margin.__class__("0.1"))
    text = words.say("short.amount", margin=figure(margin, words), percent=percent)
    return Cell(text=text, number=margin, tone=Tone.BAD)


def _what_to_do(review: Review, words: Words) -> list[Block]:
    loud = [finding for finding in review.findings if finding.severity is not Severity.NOTE and finding.cause is None]
    loud.sort(key=lambda finding: _LOUDEST_FIRST.index(finding.severity))
    if not loud:
        return [Paragraph(text=words.say("todo.nothing"))]
    items = [
        words.say(
            "todo.item",
            id=finding.id,
            severity=words.name("severity", finding.severity),
            kind=words.name("kind", finding.kind),
            subject=words.subject(finding.subject_name or finding.subject),
            clears_when=words.choose(finding.clears_when, finding.clears_when_en) or words.say("none"),
        )
        for finding in loud[:_FEW_FINDINGS]
    ]
    if len(loud) > len(items):
        items.append(words.say("todo.more", count=len(loud) - len(items)))
    return [Heading(text=words.say("todo.heading")), Bullets(items=tuple(items))]
