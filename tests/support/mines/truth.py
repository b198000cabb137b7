"""A case: documents, and what is true of them."""

from __future__ import annotations

import json
import re
from calendar import monthrange
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pypdfium2
from playwright.sync_api import Browser

from tests.support.corpus.write_browser import open_browser
from tests.support.mines.blocks import Block
from tests.support.mines.house import choose
from tests.support.mines.mine import Mine, Place, build
from tests.support.mines.plan import Plan
from tests.support.mines.report import Report
from tests.support.mines.writers import page_html, write_csv, write_docx, write_txt, write_xlsx

TYPES = {
    "face": "coal_face",
    "standby": "standby_face",
    "heading": "heading",
    "chamber": "chamber",
    "road": "other_roadway",
    "vehicle": "other_roadway",
}
PLAN_FILES = ("pdf", "docx", "pdf", "txt")
REPORT_FILES = ("xlsx", "pdf", "docx", "csv", "xlsx")


def number(value: Decimal | None) -> float | int | None:
    """A decimal for JSON."""
    if value is None:
        return None
    return int(value) if value == value.to_integral_value() else float(value)


def verdict(measured: Decimal, need: Decimal | Fraction) -> str:
    """Measured against required, contract of the review."""
    ratio = Fraction(measured) / Fraction(need)
    return (
        "serious"
        if ratio < Fraction("0.75")
        else "shortage"
        if ratio < 1
        else "watch"
        if ratio < Fraction("1.05")
        else "ok"
    )


def truth_of(mine: Mine, plan: Plan, report: Report, pages: list[str]) -> dict[str, Any]:
    """The truth of one pair."""
    places = [_place(p, plan, pages) for p in mine.places]
    systems = [
        {
            "name": s.name,
            "subtotal": number(s.total("required")),
            "planned_subtotal": number(s.total("planned")),
            "coefficient": float(mine.house.reserve),
            "required": number(mine.required(s)),
        }
        for s in mine.systems
    ]
    readings = [
        {
            "station": r.station,
            "kind": r.kind,
            "area": number(r.area),
            "speed": number(r.speed),
            "flow": number(r.flow),
            "temperature": number(r.temperature),
            "ch4": number(r.ch4),
        }
        for r in [*report.intakes, *report.returns, *report.fans, *report.readings]
    ]
    subjects = []
    for p in mine.places:
        rows = [r for r in report.readings if r.place is p]
        value = None
        if p.kind == "vehicle":
            value = "not_judged"
        elif p.required is not None and not any(p.name == o.series_after for o in mine.places):
            value = verdict(min(r.flow for r in rows), max(Fraction(p.required), p.need))
        subjects.append(
            {
                "subject": p.name,
                "system": p.system,
                "subjects_any": [r.station for r in rows],
                "basis": "measured_required",
                "verdict": value,
            }
        )
    for s, back, fan in zip(mine.systems, report.returns, report.fans, strict=True):
        both = {verdict(back.flow, mine.required(s)), verdict(fan.flow, mine.required(s))}
        subjects.append(
            {
                "subject": s.name,
                "subjects_any": [back.station, fan.station],
                "basis": "measured_required",
                "verdict": both.pop() if len(both) == 1 else None,
            }
        )
    subjects.append(
        {
            "subject": "矿井",
            "subjects_any": [mine.region.mine],
            "basis": "measured_required",
            "verdict": verdict(report.total(report.intakes), mine.total()),
        }
    )
    last = monthrange(mine.year, mine.month)[1]
    first_day, last_day = report.window()[1]
    return {
        "plan": {
            "mine": mine.region.mine,
            "period": {"start": f"{mine.year}-{mine.month:02d}-01", "end": f"{mine.year}-{mine.month:02d}-{last}"},
            "places": places,
            "systems": systems,
            "mine_total": number(mine.total()),
        },
        "report": {
            "mine": mine.region.mine,
            "window": {
                "start": f"{mine.year}-{mine.month:02d}-{first_day:02d}",
                "end": f"{mine.year}-{mine.month:02d}-{last_day:02d}",
            },
            "readings": readings,
            "total_intake": number(report.total(report.intakes)),
            "total_return": number(report.total(report.returns)),
            "fans": [],
        },
        "findings": [],
        "comparisons": subjects,
    }


def _place(p: Place, plan: Plan, pages: list[str]) -> dict[str, Any]:
    calculations = []
    for method, text, stated in plan.calculations.printed.get(id(p), []):
        found = [n for n, page in enumerate(pages, 1) if squeeze(text) in page]
        row: dict[str, Any] = {"method": method, "expression": text, "stated": number(stated), "variant": None}
        if found:
            row |= {"page": found[0], "pages_any": found[1:]}
        calculations.append(row)
    return {
        "name": p.name,
        "type": TYPES[p.kind],
        "system": p.system,
        "required": number(p.required),
        "planned": number(p.planned),
        "calculations": calculations,
        "speed_checks": [],
    }


def squeeze(text: str) -> str:
    """A text without white space."""
    return re.sub(r"\s+", "", text)


def write_pdf(blocks: list[Block], path: Path, browser: Browser, *, header: str = "") -> list[str]:
    """Print the blocks with the mine above and the number below every page; the texts of the pages."""
    page = browser.new_page()
    page.set_content(page_html(blocks))
    small = "<div style='font-size:8px;width:100%;text-align:center'>{}</div>"
    page.pdf(
        path=str(path),
        prefer_css_page_size=True,
        display_header_footer=True,
        header_template=small.format(header),
        footer_template=small.format("第 <span class=pageNumber></span> 页"),
    )
    page.close()
    with pypdfium2.PdfDocument(path) as pdf:
        return [squeeze(p.get_textpage().get_text_bounded()) for p in pdf]


def drawn(seed: int, n: int) -> tuple[Mine, Plan, Report]:
    """A mine with its documents; a draw that cannot be measured without a true finding is thrown away."""
    for attempt in range(50):
        rng = Random(f"{seed}/{n}/{attempt}")
        mine = build(choose(rng), rng, n)
        try:
            return mine, Plan(mine, rng), Report(mine, rng)
        except ValueError:
            continue
    msg = f"seed {seed}, number {n}: fifty draws without a sound mine"
    raise ValueError(msg)


def _write(
    blocks: list[Block], path: Path, browser: Browser | None, *, columns: str = "\t", header: str = ""
) -> list[str]:
    """Write a document in the format of its name; the texts of the pages of a pdf."""
    if path.suffix == ".pdf" and browser is not None:
        return write_pdf(blocks, path, browser, header=header)
    if path.suffix == ".docx":
        write_docx(blocks, path, header=header)
    else:
        write_txt(blocks, path, columns=columns)
    return []


def write_case(folder: Path, browser: Browser | None, seed: int, n: int) -> dict[str, Any]:
    """One pair of documents, drawn from seed and number; without a browser Word files stand for pdf."""
    mine, plan, report = drawn(seed, n)
    name = f"m{n:02d}"
    kind, other = (files[(n + n // 8) % len(files)] for files in (PLAN_FILES, REPORT_FILES))
    if browser is None:
        kind, other = ("docx" if ending == "pdf" else ending for ending in (kind, other))
    first, second = folder / f"{name}_plan.{kind}", folder / f"{name}_report.{other}"
    pages = _write(
        plan.blocks(), first, browser, columns="\t" if n % 2 else " | ", header=mine.region.mine if n % 3 else ""
    )
    sheets = report.sheets()
    if other == "xlsx":
        write_xlsx(sheets, second)
    elif other == "csv":
        write_csv(sheets, second, encoding="gb18030" if n % 2 else "utf-8-sig")
    else:
        _write([block for _, part in sheets for block in part], second, browser)
    return {
        "id": name,
        "plan": first.name,
        "report": second.name,
        "clean": True,
        "faults": [],
        "truth": truth_of(mine, plan, report, pages),
    }


def write_corpus(folder: Path, seed: int, count: int) -> None:
    """Documents and truth.json."""
    folder.mkdir(parents=True, exist_ok=True)
    with open_browser() as browser:
        cases = [write_case(folder, browser, seed, n) for n in range(1, count + 1)]
    (folder / "truth.json").write_text(
        json.dumps({"group": "mines", "cases": cases}, ensure_ascii=False, indent=1), encoding="utf-8"
    )
