"""The tree of sums for a drawing: mine → return-air system → place, then the main fans beside the needs of their systems.

Nothing is added up here: sums, differences and verdicts are those of the review.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import IntEnum
from typing import Final

from algorithms.airflow_review.evidence import PlaceType
from algorithms.airflow_review.model import (
    MINE_ID,
    CheckStatus,
    Finding,
    FindingKind,
    Place,
    Review,
    Severity,
    System,
    Verdict,
)
from algorithms.airflow_review.render.blocks import Tone
from algorithms.airflow_review.render.changed import signed
from algorithms.airflow_review.render.figures import figure, stated_text
from algorithms.airflow_review.render.standing import Standing
from algorithms.airflow_review.render.words import Words

_KINDS_OF_SUMS: Final = frozenset(
    {FindingKind.SUBTOTAL_MISMATCH, FindingKind.TOTAL_MISMATCH, FindingKind.COEFFICIENT_INCONSISTENT}
)


class Level(IntEnum):
    """How deep a row stands; rows of the two upper levels share one scale, places have their own."""

    MINE = 0
    SYSTEM = 1
    PLACE = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeRow:
    """One row of the tree, airflows in m³/min."""

    level: Level
    subject: str
    name: str
    required: Decimal | None  # as printed
    recomputed: Decimal | None  # only where it is another value than the printed one
    planned: Decimal | None
    measured: Decimal | None
    verdict: Verdict  # measured against required; of the plan where there is no report
    is_planned_short: bool = False
    sum_text: str = ""  # what the check of the sum says; places have none
    sum_tone: Tone = Tone.PLAIN
    notes: tuple[str, ...] = ()
    is_fan: bool = False
    is_heading: bool = False


def sum_tree(review: Review, lines: Sequence[Standing], words: Words) -> tuple[TreeRow, ...]:
    """All rows from the mine downwards. A place that is listed twice stands twice; one of no system stands in a group of its own."""
    standing = {line.subject: line for line in reversed(lines)}  # a system judged twice counts by its printed need
    places = {place.id: place for place in review.plan.places}
    rows = [_mine_row(review, standing, words)]
    for system in review.plan.systems:
        rows.append(_system_row(review, system, standing, words))
        rows += [
            _place_row(review, places[member], places, standing, words) for member in system.members if member in places
        ]
    members = {member for system in review.plan.systems for member in system.members}
    loose = [place for place in review.plan.places if place.id not in members]
    if loose:
        rows.append(_heading(words.say("sums.without_system")))
        rows += [_place_row(review, place, places, standing, words) for place in loose]
    fans = [line for line in lines if line.type is PlaceType.MAIN_FAN]
    if fans:
        rows.append(_heading(words.say("chart.fans")))
        rows += [_fan_row(review, line, words) for line in fans]
    return tuple(rows)


def _mine_row(review: Review, standing: dict[str, Standing], words: Words) -> TreeRow:
    total, line = review.plan.mine_total, standing[MINE_ID]
    note = words.say("chart.mine_note", stated=figure(total.stated, words), recomputed=figure(total.recomputed, words))
    text, tone = _sum_check(review, MINE_ID, total.status, words)
    return TreeRow(
        level=Level.MINE,
        subject=MINE_ID,
        name=line.name,
        required=total.stated,
        recomputed=_other(total.recomputed, total.stated),
        planned=line.planned,
        measured=line.measured,
        verdict=_verdict(review, line),
        sum_text=text,
        sum_tone=tone,
        notes=(note, *_differences(review, MINE_ID, words)),
    )


def _system_row(review: Review, system: System, standing: dict[str, Standing], words: Words) -> TreeRow:
    line = standing[system.id]
    text, tone = _sum_check(review, system.id, system.status, words)
    needs = words.say(
        "chart.system_note",
        stated=figure(system.subtotal_stated, words),
        recomputed=figure(system.subtotal_recomputed, words),
    )
    reserve = words.say(
        "chart.reserve_note",
        coefficient=figure(system.coefficient, words),
        required=figure(system.required_stated, words),
        recomputed=figure(system.required_recomputed, words),
    )
    planned = words.say(
        "chart.planned_note",
        stated=figure(system.planned_subtotal_stated, words),
        recomputed=figure(system.planned_subtotal_recomputed, words),
    )
    return TreeRow(
        level=Level.SYSTEM,
        subject=system.id,
        name=system.name,
        required=system.required_stated,
        recomputed=_other(system.required_recomputed, system.required_stated),
        planned=system.planned_subtotal_recomputed if line.planned is None else line.planned,
        measured=line.measured,
        verdict=_verdict(review, line),
        sum_text=text,
        sum_tone=tone,
        notes=(needs, reserve, planned, *_differences(review, system.id, words)),
    )


def _place_row(
    review: Review, place: Place, places: dict[str, Place], standing: dict[str, Standing], words: Words
) -> TreeRow:
    line = standing[place.id]
    before = places.get(place.series_after or "")
    series = words.say("chart.series", name=before.name if before else place.series_after) if place.series_after else ""
    return TreeRow(
        level=Level.PLACE,
        subject=place.id,
        name=place.name,
        required=place.stated_required_m3_min,
        recomputed=_other(place.required_m3_min, place.stated_required_m3_min),
        planned=line.planned,
        measured=line.measured,
        verdict=_verdict(review, line),
        is_planned_short=line.is_planned_short,
        notes=(series,) if series else (),
    )


def _fan_row(review: Review, line: Standing, words: Words) -> TreeRow:
    return TreeRow(
        level=Level.SYSTEM,
        subject=line.subject,
        name=line.name if line.system is None else words.say("chart.fan_of", name=line.name, system=line.system),
        required=line.required,
        recomputed=None,
        planned=None,
        measured=line.measured,
        verdict=_verdict(review, line),
        is_fan=True,
    )


def _heading(name: str) -> TreeRow:
    return TreeRow(
        level=Level.MINE, subject="", name=name, required=None, recomputed=None, planned=None, measured=None, verdict=Verdict.NOT_JUDGED, is_heading=True
    )  # fmt: skip


def _verdict(review: Review, line: Standing) -> Verdict:
    return line.planned_verdict if review.report is None else line.verdict


def _other(value: Decimal | None, than: Decimal | None) -> Decimal | None:
    return None if value is None or value == than else value


def _sum_check(review: Review, subject: str, status: CheckStatus, words: Words) -> tuple[str, Tone]:
    """By how much the first sum is off, else the word of the review. A sum that is off because a row is wrong is off all the same."""
    for finding, off in _off(review, subject):
        tone = Tone.WATCH if finding.severity is Severity.NOTE else Tone.BAD
        return words.say("chart.sum_off", off=signed(off, words)), tone
    tone = {CheckStatus.OK: Tone.GOOD, CheckStatus.MISMATCH: Tone.BAD, CheckStatus.MANUAL: Tone.MANUAL}[status]
    return words.name("chart.sum", status), tone


def _differences(review: Review, subject: str, words: Words) -> Iterator[str]:
    for finding, off in _off(review, subject):
        yield words.say(
            "chart.sum_finding",
            id=finding.id,
            kind=words.name("kind", finding.kind),
            stated=stated_text(finding.stated, None, words),
            expected=stated_text(finding.expected, None, words),
            off=signed(off, words),
        )


def _off(review: Review, subject: str) -> Iterator[tuple[Finding, Decimal]]:
    """Findings on the sums of a system or the mine, with printed minus right."""
    for finding in review.findings:
        stated, expected = finding.stated, finding.expected
        if (
            finding.subject == subject
            and finding.kind in _KINDS_OF_SUMS
            and finding.unit == "m3/min"
            and isinstance(stated, Decimal)
            and isinstance(expected, Decimal)
        ):
            yield finding, stated - expected
