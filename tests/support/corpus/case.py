"""One case from one seed: a mine, its papers, its mistakes and its truth."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from playwright.sync_api import Browser

from tests.support.corpus.blocks import Document, Table
from tests.support.corpus.invention import choose_family, invent_mine, sum_up
from tests.support.corpus.model import Finding, Mine, Survey
from tests.support.corpus.oddities import add_oddities
from tests.support.corpus.plan import PlanWriter
from tests.support.corpus.plan_mistakes import PLACE_MISTAKES
from tests.support.corpus.report import ReportWriter
from tests.support.corpus.report_mistakes import REPORT_MISTAKES
from tests.support.corpus.seeding import Ground
from tests.support.corpus.style import Style, draw_style, without_browser
from tests.support.corpus.sum_mistakes import SUM_MISTAKES
from tests.support.corpus.survey import measure
from tests.support.corpus.truth import PageIndex, comparisons, finding_rows, plan_truth, report_truth
from tests.support.corpus.turn import turn_pages
from tests.support.corpus.write_browser import write_browser_pdf
from tests.support.corpus.write_docx import write_docx
from tests.support.corpus.write_drawn import write_drawn_pdf
from tests.support.corpus.write_sheet import write_csv, write_xlsx
from tests.support.corpus.write_text import write_text

_CLEAN_SHARE = 0.4


@dataclass(slots=True, kw_only=True)
class Case:
    """The mine and its documents, not yet written to files."""

    name: str
    style: Style
    mine: Mine
    survey: Survey
    plan: Document
    report: Document
    mistakes: list[str]
    findings: list[Finding]
    judged: bool


def make_case(seed: int, number: int, *, mistake: str | None = None, browserless: bool = False) -> Case:
    """The case of that seed and number; `mistake` asks for that one alone, where the mine allows it.

    A browserless case is drawn text by text where it would have been printed by a browser.
    """
    rng = Random(f"{seed}/{number}")
    style = draw_style(rng)
    if browserless:
        style = without_browser(style)
    family = choose_family(rng, style)
    mine = invent_mine(rng, style, family)
    tongue = rng.randrange(4)
    wanted = _wanted(rng, seed, number) if mistake is None else [mistake]
    ground = Ground(mine=mine, style=style, family=family, rng=rng)
    oddities: list[str] = []
    if not wanted:
        oddities = add_oddities(mine, style, rng)
    for name in wanted:
        if name in PLACE_MISTAKES:
            ground.seed(name, PLACE_MISTAKES[name])
    sum_up(mine)
    for name in wanted:
        if name in SUM_MISTAKES:
            ground.seed(name, SUM_MISTAKES[name])
    survey = measure(mine, style, rng)
    ground.survey = survey
    for name in wanted:
        if name in REPORT_MISTAKES:
            ground.seed(name, REPORT_MISTAKES[name])
    plan = PlanWriter(mine=mine, style=style, family=family, rng=rng, tongue=tongue).write()
    report = ReportWriter(mine=mine, survey=survey, style=style, tongue=tongue).write()
    return Case(
        name=f"g{number:03d}",
        style=style,
        mine=mine,
        survey=survey,
        plan=plan,
        report=report,
        mistakes=[*ground.done, *(f"odd:{name}" for name in oddities)],
        findings=ground.findings,
        judged=ground.judged,
    )


def _wanted(rng: Random, seed: int, number: int) -> list[str]:
    """Mistakes of the case; each kind comes up in turn so that a small corpus holds all of them."""
    if rng.random() < _CLEAN_SHARE:
        return []
    names = [*PLACE_MISTAKES, *SUM_MISTAKES, *REPORT_MISTAKES]
    others = rng.sample(names, rng.choice((0, 0, 1, 2)))
    Random(seed).shuffle(names)
    turn = names[number % len(names)]
    return list(dict.fromkeys([turn, *others]))


def write_case(case: Case, folder: Path, browser: Browser | None) -> dict[str, Any]:
    """Writes both documents; the case's row of truth.json. Only a browserless case does without a browser."""
    style, mine = case.style, case.mine
    plan = folder / f"{case.name}_plan.{style.plan_format}"
    report = folder / f"{case.name}_report.{style.report_format}"
    wide = style.rotated or any(isinstance(block, Table) and block.is_wide for block in case.plan)
    head = f"{mine.name}{mine.year}年{mine.month}月配风计划" if mine.is_dated else f"{mine.name}配风计划"
    if style.plan_format == "txt":
        write_text(plan, case.plan, table=style.txt_table)
    elif style.plan_format == "docx":
        write_docx(plan, case.plan, omml=style.omml, header=head)
    elif browser is not None and style.plan_engine == "browser":
        write_browser_pdf(plan, case.plan, browser, landscape=wide, running_head=head)
    else:
        write_drawn_pdf(plan, case.plan, running_head=head, landscape=wide)
    if style.rotated:
        turn_pages(plan)
    _write_report(case, report, browser)
    index = PageIndex.of(plan)
    paired = style.report_layout == "pairs"
    return {
        "id": case.name,
        "plan": plan.name,
        "report": report.name,
        "clean": not case.findings,
        "faults": case.mistakes,
        "truth": {
            "plan": plan_truth(mine, index, (style.times, style.divide)),
            "report": report_truth(case.survey, mine, paired=paired),
            "findings": finding_rows(case.findings, index),
            "comparisons": comparisons(mine, case.survey, judged=case.judged),
        },
    }


def _write_report(case: Case, path: Path, browser: Browser | None) -> None:
    style = case.style
    if style.report_format == "xlsx":
        write_xlsx(path, case.report, sheet_each=style.report_layout == "sheets")
    elif style.report_format == "csv":
        write_csv(path, case.report, encoding="utf-8-sig" if style.serial else "gb18030")
    elif style.report_format == "docx":
        write_docx(path, case.report, omml=False)
    elif browser is not None and style.report_engine == "browser":
        write_browser_pdf(path, case.report, browser, landscape=True, running_head=case.mine.name)
    else:
        write_drawn_pdf(path, case.report, running_head=case.mine.name, landscape=True)
