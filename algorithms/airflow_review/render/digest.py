"""What a tool tells about extracts and reviews: counts, sentences and the first rows, as plain JSON values.

The whole stands in a file; a digest is small enough for a model's window and says how much was left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from algorithms.airflow_review.evidence import Evidence
from algorithms.airflow_review.extract import PlanExtract, ReportExtract
from algorithms.airflow_review.model import Finding, Review, Severity, Verdict
from algorithms.airflow_review.render.conclusion_text import conclusion_lines
from algorithms.airflow_review.render.figures import evidence_place, ratio_figure, window_text
from algorithms.airflow_review.render.sections.conclusion import standing_verdict
from algorithms.airflow_review.render.standing import Standing, severest_first, standings
from algorithms.airflow_review.render.words import Words

Digest = dict[str, Any]
_LOUDEST_FIRST: Final = (Severity.BLOCKING, Severity.ERROR, Severity.WARNING, Severity.MANUAL, Severity.NOTE)


def first_rows(rows: Iterable[Any], max_items: int) -> Digest:
    """`{count, items, omitted}` with at most `max_items` items."""
    everything = list(rows)
    return {
        "count": len(everything),
        "items": everything[:max_items],
        "omitted": max(0, len(everything) - max_items),
    }


def plan_digest(extract: PlanExtract, words: Words, *, max_items: int) -> Digest:
    """What was read of a plan; nothing of it is checked yet."""
    places = [
        {
            "name": place.name,
            "type": words.name("type", place.type),
            "system": place.system,
            "required_m3_min": place.required.value if place.required else None,
            "planned_m3_min": place.planned.value if place.planned else None,
            "calculations": len(place.calculations),
        }
        for place in extract.places
    ]
    systems = [
        {
            "name": system.name,
            "subtotal_m3_min": system.subtotal.value if system.subtotal else None,
            "coefficient": system.coefficient.value if system.coefficient else None,
            "required_m3_min": system.required.value if system.required else None,
        }
        for system in extract.systems
    ]
    statistics = {
        "places": len(places),
        "systems": len(systems),
        "calculations": sum(len(place.calculations) for place in extract.places) + len(extract.loose_calculations),
        "coefficient_tables": len(extract.tables),
        "doubts": len(extract.doubts),
    }
    return {
        "summary": words.say("digest.plan", file=extract.file, **statistics),
        "file": extract.file,
        "mine": extract.mine,
        "period": window_text(extract.period, words),
        "mine_required_m3_min": extract.mine_total.value if extract.mine_total else None,
        "statistics": statistics,
        "systems": systems[:max_items],
        "places": first_rows(places, max_items),
    }


def report_digest(extract: ReportExtract, words: Words, *, max_items: int) -> Digest:
    """What was read of a measurement report; nothing of it is checked yet."""
    readings = [
        {
            "station": reading.station,
            "kind": words.name("reading", reading.kind),
            "area_m2": reading.area.value if reading.area else None,
            "speed_m_s": reading.speed.value if reading.speed else None,
            "flow_m3_min": reading.flow.value if reading.flow else None,
        }
        for reading in extract.readings
    ]
    fans = [{"name": fan.name, "flow_m3_min": fan.flow.value if fan.flow else None} for fan in extract.fans]
    statistics = {"readings": len(readings), "fans": len(fans), "doubts": len(extract.doubts)}
    return {
        "summary": words.say("digest.report", file=extract.file, **statistics),
        "file": extract.file,
        "mine": extract.mine,
        "window": window_text(extract.window, words),
        "total_intake_m3_min": extract.total_intake.value if extract.total_intake else None,
        "total_return_m3_min": extract.total_return.value if extract.total_return else None,
        "statistics": statistics,
        "fans": fans[:max_items],
        "readings": first_rows(readings, max_items),
    }


def review_digest(review: Review, words: Words, *, max_items: int) -> Digest:
    """Verdict, counts, objects short of air, findings that need an answer, what is not judged."""
    lines = standings(review, words)
    ordered = severest_first(lines)
    loud = sorted(
        (finding for finding in review.findings if finding.severity is not Severity.NOTE),
        key=lambda finding: _LOUDEST_FIRST.index(finding.severity),
    )
    verdict, measured, planned, *counts = conclusion_lines(review, words)
    return {
        "summary": f"{verdict} {measured}",
        "mine": review.plan.mine,
        "verdict": review.summary.verdict,
        "conclusion": {"verdict": verdict, "measured": measured, "planned": planned, "findings": " ".join(counts)},
        "period": window_text(review.plan.period, words),
        "measured_window": window_text(review.report.window, words) if review.report else None,
        "alignment": words.name("alignment", review.alignment.status) if review.alignment else None,
        "statistics": {
            "places": len(review.plan.places),
            "systems": len(review.plan.systems),
            "calculations": sum(len(place.calculations) for place in review.plan.places),
            "readings": len(review.report.readings) if review.report else 0,
            "findings": dict(review.summary.by_severity),
            "verdicts": dict(review.summary.by_verdict),
        },
        "wholes": [_row(line, words) for line in lines if line.is_whole],
        "shortages": first_rows((_row(line, words) for line in ordered if line.is_short), max_items),
        "planned_shortages": first_rows((_row(line, words) for line in ordered if line.is_planned_short), max_items),
        "findings": first_rows((_finding(finding, words) for finding in loud), max_items),
        "not_judged": first_rows(
            (
                {"name": line.name, "type": words.name("type", line.type), "reason": line.reason}
                for line in ordered
                if line.verdict is Verdict.NOT_JUDGED
            ),
            max_items,
        ),
    }


def citations(evidence: Iterable[Evidence], words: Words, *, max_items: int) -> list[Digest]:
    """Evidence as sources: each spot once, in order, at most `max_items`."""
    found: dict[str, Digest] = {}
    for item in evidence:
        title = evidence_place(item, words)
        if title in found:
            continue
        locator = {
            key: value
            for key in ("file", "page", "sheet", "table", "row", "line")
            if (value := getattr(item, key)) is not None
        }
        found[title] = {"id": title, "title": title, "kind": "document", "locator": locator | {"quote": item.quote}}
        if len(found) == max_items:
            break
    return list(found.values())


def rule_citations(findings: Sequence[Finding], words: Words, *, max_items: int) -> list[Digest]:
    """The rules behind findings as sources, each once."""
    rules = {finding.rule.id: finding.rule for finding in findings if finding.rule is not None}
    return [
        {
            "id": f"rule:{rule.id}",
            "title": rule.id,
            "kind": "rule",
            "locator": {"clause": words.rule(rule.clause), "edition": rule.edition},
        }
        for rule in list(rules.values())[:max_items]
    ]


def _row(line: Standing, words: Words) -> Digest:
    return {
        "subject": line.subject,
        "name": line.name,
        "type": words.name("type", line.type),
        "system": line.system,
        "required_m3_min": line.required,
        "planned_m3_min": line.planned,
        "measured_m3_min": line.measured,
        "margin_m3_min": line.margin_m3_min,
        "ratio": ratio_figure(line.measured_to_required, words),
        "verdict": standing_verdict(line, words).text,
        "planned_verdict": words.name("verdict", line.planned_verdict),
        "evidence": [evidence_place(item, words) for item in line.evidence[:2]],
    }


def _finding(finding: Finding, words: Words) -> Digest:
    return {
        "id": finding.id,
        "kind": words.name("kind", finding.kind),
        "severity": finding.severity,
        "severity_text": words.name("severity", finding.severity),
        "subject": words.subject(finding.subject_name or finding.subject),
        "message": words.choose(finding.message, finding.message_en),
        "clears_when": words.choose(finding.clears_when, finding.clears_when_en),
        "evidence": [evidence_place(item, words) for item in finding.evidence[:2]],
    }
