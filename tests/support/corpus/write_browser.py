"""Documents as pdf by a browser: an independent layout engine, embedded fonts, repeated table heads."""

from __future__ import annotations

import html
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, PdfMargins, sync_playwright

from tests.support.corpus.blocks import Cell, Document, Formula, Heading, PageBreak, Para, Table
from tests.support.corpus.write_drawn import wrapped

_PAGE_ROWS = 20  # of tables that are laid out by hand, column by column


@contextmanager
def open_browser() -> Iterator[Browser]:
    """A headless Chromium: the one on the path, else the one Playwright installed."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        try:
            yield browser
        finally:
            browser.close()


def write_browser_pdf(path: Path, document: Document, browser: Browser, *, landscape: bool, running_head: str) -> None:
    """Prints the document; the running head and the page number stand on every page."""
    body = "\n".join(_block(block, 258.0 if landscape else 172.0) for block in document)
    style = (
        "body{margin:0;font-family:'Noto Serif CJK SC',serif;font-size:10.5pt;line-height:1.45}"
        "h1{font-size:18pt;text-align:center}h2{font-size:14pt}h3{font-size:12pt}h4{font-size:11pt}"
        "table{border-collapse:collapse;width:100%;font-size:8.5pt;margin:2mm 0}"
        ".ruled td,.ruled th{border:0.6pt solid #000}td,th{padding:0.6mm 1mm;font-weight:normal;text-align:center}"
        "tr{break-inside:avoid}p.f{margin-left:2em}p.c,caption{text-align:center}"
        ".whole{break-inside:avoid}.laid{position:relative;font-size:8.5pt;line-height:1.25}.laid div{position:absolute;white-space:nowrap}"
    )
    page = browser.new_page()
    page.set_content(f"<html><head><meta charset='utf-8'><style>{style}</style></head><body>{body}</body></html>")
    note = f"<div style='font-size:8pt;width:100%;text-align:center'>{html.escape(running_head)}</div>"
    foot = "<div style='font-size:8pt;width:100%;text-align:center'>第<span class='pageNumber'></span>页</div>"
    margin: PdfMargins = {"top": "20mm", "bottom": "18mm", "left": "18mm", "right": "18mm"}
    page.pdf(
        path=str(path), format="A4", landscape=landscape, display_header_footer=True,
        header_template=note, footer_template=foot, margin=margin,
    )  # fmt: skip
    page.close()


def _block(block: object, wide_mm: float) -> str:
    match block:
        case Heading(level=level, text=text):
            return f"<h{level + 1}>{html.escape(text)}</h{level + 1}>"
        case Para(text=text, is_centred=centred):
            return f"<p{' class=c' if centred else ''}>{html.escape(text)}</p>"
        case Formula(text=text):
            return f"<p class=f>{html.escape(text)}</p>"
        case PageBreak():
            return "<div style='break-after:page'></div>"
        case Table():
            return _laid(block, wide_mm) if block.by_column else _table(block)
    raise TypeError(type(block).__name__)


def _table(table: Table) -> str:
    def row(line, tag):
        return "<tr>" + "".join(f"<{tag}{_spans(c)}>{html.escape(c.text)}</{tag}>" for c in line) + "</tr>"

    weights = table.weights or [1.0] * table.columns()
    cols = "".join(f"<col style='width:{100 * w / sum(weights):.1f}%'>" for w in weights)
    caption = f"<p class=c>{html.escape(table.caption)}</p>" if table.caption else ""
    head = "".join(row(line, "th") for line in table.header)
    body = "".join(row(line, "td") for line in table.rows)
    kind = " class=ruled" if table.is_ruled else ""
    return f"{caption}<table{kind}><colgroup>{cols}</colgroup><thead>{head}</thead><tbody>{body}</tbody></table>"


def _spans(cell) -> str:
    across = f" colspan={cell.across}" if cell.across > 1 else ""
    return across + (f" rowspan={cell.down}" if cell.down > 1 else "")


_LINE_MM, _POINT_MM, _LAID_POINTS = 3.9, 0.3528, 8.5


def _laid(table: Table, wide_mm: float) -> str:
    """Every text at its place, one column after the other, a page's rows at a time; the head on each part."""
    grid = table.grid()
    head = len(table.header)
    weights = table.weights or [1.0] * table.columns()
    edges = [sum(weights[:x]) * wide_mm / sum(weights) for x in range(len(weights) + 1)]
    result = []
    for at in range(head, len(grid), _PAGE_ROWS):
        caption = table.caption if at == head else f"续{table.caption}"
        part = _laid_part([*grid[:head], *grid[at : at + _PAGE_ROWS]], edges, is_ruled=table.is_ruled)
        result.append(f"<div class=whole><p class=c>{html.escape(caption)}</p>{part}</div>")
    return "".join(result)


def _laid_part(lines: list[list[tuple[Cell, bool]]], edges: list[float], *, is_ruled: bool) -> str:
    texts: dict[tuple[int, int], list[str]] = {}
    tops = [0.0]
    for y, line in enumerate(lines):
        for x, (cell, starts) in enumerate(line):
            if starts:
                width_pt = (edges[x + cell.across] - edges[x] - 2.0) / _POINT_MM
                texts[y, x] = wrapped(cell.text, width_pt, _LAID_POINTS)
        most = max(len(texts[y, x]) for x, (cell, starts) in enumerate(line) if starts and cell.down == 1)
        tops.append(tops[-1] + 2.2 + most * _LINE_MM)
    out = []
    for x in range(len(edges) - 1):
        for y, line in enumerate(lines):
            cell, starts = line[x]
            if not starts:
                continue
            end = min(y + cell.down, len(lines))
            if is_ruled:
                box = f"left:{edges[x]:.2f}mm;top:{tops[y]:.2f}mm;width:{edges[x + cell.across] - edges[x]:.2f}mm"
                out.append(f"<div style='{box};height:{tops[end] - tops[y]:.2f}mm;outline:0.5pt solid #000'></div>")
            for n, text in enumerate(texts[y, x]):
                if text:
                    place = f"left:{edges[x] + 0.8:.2f}mm;top:{tops[y] + 0.8 + n * _LINE_MM:.2f}mm"
                    out.append(f"<div style='{place}'>{html.escape(text)}</div>")
    return f"<div class=laid style='height:{tops[-1] + 2:.0f}mm'>{''.join(out)}</div>"
