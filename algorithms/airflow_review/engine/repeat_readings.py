"""One station measured twice: readings further apart than the method allows are told, the smaller one is judged."""

from __future__ import annotations

from decimal import Decimal

from algorithms.airflow_review.engine.issue import make_finding
from algorithms.airflow_review.engine.survey import Survey, evidence_of, flow_of, plain, reading_subject
from algorithms.airflow_review.messages.catalogue import say
from algorithms.airflow_review.model import Finding, FindingKind, Severity
from algorithms.airflow_review.reading.text import normal_name


def check_repeats(survey: Survey) -> list[Finding]:
    """`reading_inconsistent` as a note for rows of one very name, block and location; other days may explain them."""
    rows: dict[tuple[str, ...], list[int]] = {}
    for index, reading in enumerate(survey.readings):
        if flow_of(reading) is not None:
            key = (normal_name(reading.station), reading.kind, reading.block, normal_name(reading.location))
            rows.setdefault(key, []).append(index)
    return [finding for same in rows.values() if len(same) > 1 and (finding := _apart(survey, same)) is not None]


def _apart(survey: Survey, same: list[int]) -> Finding | None:
    flows = [flow for index in same if (flow := flow_of(survey.readings[index])) is not None]
    low, high = min(flows), max(flows)
    limit = survey.number("reading.repeat")
    share = (high - low) / high if high else Decimal(0)
    if share <= limit:
        return None
    readings = [survey.readings[index] for index in same]
    return make_finding(
        survey.rules,
        FindingKind.READING_INCONSISTENT,
        reading_subject(survey, same[0]),
        severity=Severity.NOTE,
        rule="reading.repeated",
        stated=high,
        expected=low,
        unit="m3/min",
        message=say(
            "repeat.apart",
            station=readings[0].station,
            count=len(same),
            low=plain(low),
            high=plain(high),
            share=plain(share * 100),
            limit=plain(limit * 100),
        ),
        clears_when=say("repeat.apart.clear"),
        evidence=tuple(where for reading in readings for where in evidence_of(reading, reading.flow)),
    )
