"""Reads a measurement report (测风报表) into a `ReportExtract`: what is printed, nothing judged."""

from __future__ import annotations

from collections.abc import Sequence

from algorithms.airflow_review.documents.document import Document
from algorithms.airflow_review.evidence import Printed
from algorithms.airflow_review.extract import FanExtract, ReportExtract, Statement
from algorithms.airflow_review.reading.recognized import with_recognition
from algorithms.airflow_review.reading.report_rows import ReportRows, best_total, read_rows, with_facts
from algorithms.airflow_review.reading.report_text import (
    Passage,
    fan_sentences,
    fans_told,
    rates_in,
    report_mine,
    report_window,
    statements_in,
    wrapped,
)
from algorithms.airflow_review.reading.text import normal_name

_TOTALS = ("total_intake", "total_return")


def read_report(document: Document) -> ReportExtract:
    """Readings, totals, fans, rates and the time of a measurement report.

    Flows are m³/min, areas m², speeds m/s, gas %, pressures Pa, whatever the header's unit. A total that is not
    printed stays None. Values that cannot be read are named in `doubts`. Every value that stands twice with
    different numbers is kept once more in `statements`, so that the engine can report the conflict.
    """
    rows = read_rows(document)
    rates = [*rows.rates, *(found for passage, below in wrapped(rows.passages) for found in rates_in(passage, below))]
    extract = ReportExtract(
        file=document.file,
        mine=report_mine(rows.passages),
        window=report_window(rows.passages, rows.days),
        readings=tuple(rows.readings),
        total_intake=best_total(rows.totals, "intake") or _first(rates, "total_intake"),
        total_return=best_total(rows.totals, "return") or _first(rates, "total_return"),
        fans=_fans(rows),
        stated_rates={key: printed for key, printed in reversed(rates) if key not in _TOTALS},
        statements=(*statements_in(rows.passages), *_repeated(rows, rates)),
        doubts=(*document.doubts, *rows.doubts),
    )
    return with_recognition(extract, document)


def _first(rates: Sequence[tuple[str, Printed]], key: str) -> Printed | None:
    return next((printed for found, printed in rates if found == key), None)


def _fans(rows: ReportRows) -> tuple[FanExtract, ...]:
    """One fan a name: a fan listed in two tables, or in a table and a sentence, is one fan."""
    merged: dict[str, FanExtract] = {}
    for fan in rows.fans:
        known = merged.get(fan.name)
        merged[fan.name] = fan if known is None else _merge(known, fan)
    texts: list[Passage] = rows.passages
    for name, facts in fan_sentences(texts, list(merged)).items():
        merged[name] = with_facts(merged[name], facts)
    listed = {normal_name(name) for name in merged}
    for name, (facts, evidence) in fans_told(texts).items():
        if normal_name(name) not in listed:
            merged[name] = with_facts(FanExtract(name=name, evidence=(evidence,)), facts)
    return tuple(merged.values())


def _merge(first: FanExtract, second: FanExtract) -> FanExtract:
    facts = {
        f"pressure_{second.pressure_kind or 'static'}": second.pressure,
        "blade_angle": second.blade_angle,
        "fan_speed": second.speed,
        "power": second.power,
        "efficiency": second.efficiency,
        "flow": second.flow,
    }
    return with_facts(first, {key: value for key, value in facts.items() if value is not None})


def _repeated(rows: ReportRows, rates: Sequence[tuple[str, Printed]]) -> list[Statement]:
    """Totals and rates as statements, one for each place they stand at."""
    stated = [(f"total_{total.kind}", total.value) for total in rows.totals if total.rank < 2]  # noqa: PLR2004 - a 小计 is no total
    return [
        Statement(
            key=f"stated_{key}", text=printed.text, low=printed.value, high=printed.value, evidence=printed.evidence
        )
        for key, printed in [*stated, *rates]
    ]
