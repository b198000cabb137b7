"""What is true about a pair of documents, in the scorer's form."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import pypdfium2

from tests.support.corpus.figures import plain
from tests.support.corpus.model import Finding, Method, Mine, Place, Survey, System

Number = int | float | None


def number(text: str | None) -> Number:
    """A printed number as JSON writes it."""
    if not text or text == "—":
        return None
    return float(text) if "." in text else int(text)


@dataclass(slots=True)
class PageIndex:
    """Finds on which page of a pdf a printed text stands; a plan without pages gives None."""

    texts: list[str]

    @classmethod
    def of(cls, path: Path) -> PageIndex:
        """The text of every page, without white space; empty unless the file is a pdf."""
        if path.suffix != ".pdf":
            return cls([])
        with pypdfium2.PdfDocument(path) as document:
            return cls(["".join(page.get_textpage().get_text_range().split()) for page in document])

    def pages(self, text: str) -> list[int]:
        """All pages that hold the text, counted from 1."""
        wanted = "".join(text.split())
        return [n for n, page in enumerate(self.texts, 1) if wanted in page]


def plan_truth(mine: Mine, index: PageIndex, signs: tuple[str, str]) -> dict[str, Any]:
    """The plan's places, systems and total."""
    return {
        "mine": mine.name,
        "period": {"start": mine.period[0], "end": mine.period[1]} if mine.period else None,
        "period_status": "ok" if mine.period else "unparsable",
        "places": [_place(place, mine, index, signs) for place in mine.places if place.in_distribution],
        "systems": [_system(system) for system in mine.systems],
        "mine_total": number(mine.total),
    }


def _place(place: Place, mine: Mine, index: PageIndex, signs: tuple[str, str]) -> dict[str, Any]:
    shown = [m for m in place.methods if m.shown and place.in_calculation]
    row: dict[str, Any] = {
        "name": place.name,
        "type": place.kind,
        "system": mine.systems[place.system].name,
        "required": None if "required" in place.cells_open or place.series_after else number(place.table_required),
        "planned": None if "planned" in place.cells_open or place.series_after else number(place.planned),
        "calculations": [_calculation(method, index, signs) for method in shown if not method.division_as_plus],
    }
    if place.series_after:
        row["series_after"] = place.series_after
    return row


def _calculation(method: Method, index: PageIndex, signs: tuple[str, str]) -> dict[str, Any]:
    printed = method.formula.replace("×", signs[0]).replace("÷", signs[1])
    row: dict[str, Any] = {
        "method": method.key, "expression": printed, "stated": number(method.printed), "variant": method.variant,
    }  # fmt: skip
    pages = index.pages(f"{printed}={method.printed}")
    if len(pages) == 1:  # the same line on several pages proves nothing
        row["page"] = pages[0]
    return row


def _system(system: System) -> dict[str, Any]:
    return {
        "name": system.name,
        "subtotal": number(system.subtotal),
        "planned_subtotal": number(system.planned_subtotal),
        "coefficient": number(system.coefficient),
        "required": number(system.required),
    }


def report_truth(survey: Survey, mine: Mine, *, paired: bool) -> dict[str, Any]:
    """The report's readings, totals and fans."""
    rows = []
    for reading in survey.readings:
        row: dict[str, Any] = {
            "station": reading.station,
            "kind": reading.kind,
            "area": number(reading.area),
            "speed": number(reading.speed),
            "flow": None if reading.flow_is_open else float(Fraction(reading.flow)),
            "temperature": number(reading.temperature),
            "ch4": number(reading.ch4),
        }
        if reading.place:
            row |= {"place": reading.place, "place_system": mine.systems[reading.system or 0].name}
        if paired and reading.side:
            row["station_any"] = reading.side_names
        rows.append(row)
    return {
        "mine": mine.name,
        "window": {"start": survey.window[0], "end": survey.window[1]},
        "readings": rows,
        "total_intake": float(Fraction(survey.total_intake)),
        "total_return": float(Fraction(survey.total_return)),
        "fans": [{"name": r.station, "flow": float(Fraction(r.flow))} for r in survey.readings if r.kind == "fan"],
    }


def verdict(measured: Fraction, required: Fraction, *, serious: Fraction) -> str:
    """The contract's verdict on measured against required."""
    ratio = measured / required
    if ratio < 1:
        return "serious" if ratio < serious else "shortage"
    return "watch" if ratio < Fraction(105, 100) else "ok"


def comparisons(mine: Mine, survey: Survey, *, judged: bool) -> list[dict[str, Any]]:
    """Measured against required for places, systems and the mine; null where a fault leaves it open."""
    rows = []
    for place in mine.places:
        readings = [
            r for r in survey.readings if r.place == place.name and r.system == place.system and r.kind != "fan"
        ]
        if not readings or not place.table_required or not place.in_distribution:
            continue
        said = _place_verdict(place, [Fraction(r.flow) for r in readings])
        if place.open_verdict or place.series_after or any(r.flow_is_open for r in readings):
            said = None
        home = mine.systems[place.system].name
        rows.append(_row(place.name, said if judged else "not_judged", system=home, others=place.stations))
    for index, system in enumerate(mine.systems):
        flow = sum((Fraction(r.flow) for r in survey.readings if r.kind == "return" and r.system == index), Fraction(0))
        both = {
            verdict(flow, Fraction(need), serious=Fraction(95, 100))
            for need in (system.required, plain(system.true_required))
        }
        said = both.pop() if len(both) == 1 and "verdict" not in system.open_cells else None
        trunk = [r.station for r in survey.readings if r.kind == "return" and r.system == index]
        rows.append(_row(system.name, said if judged else "not_judged", others=trunk))
    flows = (Fraction(survey.total_intake), Fraction(survey.total_return))
    need = sum((system.true_required for system in mine.systems), Fraction(0))
    both = {verdict(f, n, serious=Fraction(95, 100)) for f in flows for n in (Fraction(mine.total), need)}
    said = both.pop() if len(both) == 1 and not survey.totals_open and not mine.total_open else None
    rows.append(_row("矿井", said if judged else "not_judged", others=["plan", "report", mine.name]))
    return rows


def _place_verdict(place: Place, flows: list[Fraction]) -> str | None:
    """None where the printed and the true need give different verdicts."""
    measured = min(flows)
    both = {
        verdict(measured, need, serious=Fraction(3, 4)) for need in (Fraction(place.table_required), place.true_need)
    }
    return both.pop() if len(both) == 1 else None


def _row(subject: str, said: str | None, *, system: str | None = None, others: list[str]) -> dict[str, Any]:
    row: dict[str, Any] = {"subject": subject, "basis": "measured_required", "verdict": said}
    if system:
        row["system"] = system
    if others:
        row["subjects_any"] = others
    return row


def finding_rows(findings: list[Finding], index: PageIndex) -> list[dict[str, Any]]:
    """The seeded findings and their consequences, with pages."""
    rows = []
    for finding in findings:
        row = finding.as_truth()
        pages = index.pages(finding.proof) if finding.proof and finding.where == "plan" else []
        if pages and not finding.optional:
            row["page"], row["pages_any"] = pages[0], pages[1:]
        rows.append(row)
    return rows
