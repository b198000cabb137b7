"""`report.html`: one file with its own style sheet and drawings; no script, nothing fetched."""

from __future__ import annotations

from html import escape
from typing import Final, assert_never

from algorithms.airflow_review.render.blocks import (
    Block,
    Bullets,
    Card,
    Cell,
    Chart,
    Column,
    Content,
    Heading,
    Paragraph,
    Section,
    Table,
    Tone,
    showable,
)
from algorithms.airflow_review.render.content import numbered_title
from algorithms.airflow_review.render.svg.palette import dark_rules
from algorithms.airflow_review.render.words import Words

_CSS: Final = """
:root { color-scheme: light; --ink: #1c2733; --faint: #5b6875; --rule: #d5dce3; --head: #eef2f6; --paper: #fff;
  --stripe: #fafbfc; --link: #1f5fa8; --good: #1e6b4b; --watch: #8a5800; --bad: #a8231b; --manual: #5c3a9c; }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 24px 28px 64px; max-width: 1180px; color: var(--ink); background: var(--paper);
  font: 14px/1.6 system-ui, "Microsoft YaHei", "Noto Sans CJK SC", sans-serif; }
h1 { font-size: 24px; margin: 8px 0 0; } h2 { font-size: 18px; margin: 36px 0 10px; padding-bottom: 4px;
  border-bottom: 2px solid var(--ink); } h3 { font-size: 15px; margin: 22px 0 6px; }
.subtitle { color: var(--faint); margin: 0 0 12px; } nav { font-size: 13px; } nav ol { margin: 0; padding: 0;
  display: flex; flex-wrap: wrap; gap: 2px 18px; list-style: none; } a { color: var(--link); }
p { margin: 6px 0; } ul { margin: 6px 0; padding-left: 22px; } .strong { font-size: 17px; font-weight: 600;
  padding: 10px 14px; border-left: 5px solid var(--faint); background: var(--head); }
.scroll { overflow-x: auto; margin: 8px 0 16px; } table { border-collapse: collapse; width: 100%; font-size: 13px; }
caption { text-align: left; color: var(--faint); padding: 4px 0; } th, td { border: 1px solid var(--rule);
  padding: 4px 7px; text-align: left; vertical-align: top; overflow-wrap: break-word; } td.w { overflow-wrap: anywhere;
  } th { background: var(--head);
  font-weight: 600; } td.n, th.n { text-align: right; font-variant-numeric: tabular-nums;
  white-space: nowrap; } th.n { white-space: normal; } tbody tr:nth-child(even) { background: var(--stripe); }
.card { border: 1px solid var(--rule); border-left: 5px solid var(--faint); padding: 8px 14px; margin: 10px 0; }
.card h4 { margin: 0 0 4px; font-size: 14px; } dl { margin: 0; display: grid; grid-template-columns: 6.5em 1fr;
  gap: 2px 10px; } dt { color: var(--faint); } dd { margin: 0; overflow-wrap: anywhere; }
figure { margin: 12px 0 20px; overflow-x: auto; } figcaption { color: var(--faint); font-size: 12px; max-width: 960px; }
figure svg { display: block; width: 100%; min-width: 640px; max-width: 960px; height: auto; font-variant-numeric:
  tabular-nums; }
.good { color: var(--good); } .watch { color: var(--watch); } .bad { color: var(--bad); } .manual { color: var(--manual); }
td.good, td.watch, td.bad, td.manual { font-weight: 600; } .strong.good, .card.good { border-color: #2f7d5b; }
.strong.watch, .card.watch { border-left-color: #a66b00; } .strong.bad, .card.bad { border-left-color: #c0362c; }
.strong.manual, .card.manual { border-left-color: #7a55c7; } .card.watch, .card.bad, .card.manual, .card.good {
  color: var(--ink); }
@media (max-width: 700px) { body { padding: 12px; } dl { grid-template-columns: 1fr; } }
@media print { body { max-width: none; padding: 0; font-size: 10pt; } nav { display: none; } .scroll, figure {
  overflow: visible; } table { font-size: 8pt; } thead { display: table-header-group; } tr, .card, svg g {
  break-inside: avoid; } h2, h3, h4 { break-after: avoid; } section + section:nth-of-type(2) {
  break-before: page; } figure { break-inside: avoid; } figure svg { min-width: 0; max-width: none; } a { color: inherit;
  text-decoration: none; } @page { size: A4; margin: 16mm 14mm; } }
@media screen and (prefers-color-scheme: dark) { :root { color-scheme: dark; --ink: #e6ebf0; --faint: #a3afbb;
  --rule: #3a4650; --head: #202a33; --paper: #14191e; --stripe: #1a2127; --link: #8fb8e8; --good: #6cc79c; --watch:
  #e0a93f; --bad: #ff8b80; --manual: #b79bf2; } DARK_RULES }
""".replace("DARK_RULES", dark_rules())

_WIDE: Final = 16  # columns from this share on may break anywhere, so that a long quote does not stretch the page


def html_text(content: Content, words: Words) -> str:
    """The report as one HTML page; every text is escaped, only the drawings are markup."""
    language = "zh-CN" if words.lang == "zh" else words.lang
    numbered = list(enumerate(content.sections, start=1))
    contents = "".join(
        f'<li><a href="#{section.key}">{_escape(numbered_title(number, section))}</a></li>'
        for number, section in numbered
    )
    return "\n".join([
        "<!DOCTYPE html>",
        f'<html lang="{language}">',
        "<head>",
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{_escape(content.title)}</title>",
        f"<style>{_CSS}</style>",
        "</head>",
        "<body>",
        f"<header><h1>{_escape(content.title)}</h1>",
        f'<p class="subtitle">{_escape(content.subtitle)}</p></header>',
        f'<nav aria-label="{_escape(words.say("title.contents"))}"><ol>{contents}</ol></nav>',
        "<main>",
        *(_section(number, section) for number, section in numbered),
        "</main>",
        "</body>",
        "</html>",
        "",
    ])  # fmt: skip


def _section(number: int, section: Section) -> str:
    title = _escape(numbered_title(number, section))
    return "\n".join([
        f'<section id="{section.key}">',
        f"<h2>{title}</h2>",
        *(_block(block) for block in section.blocks),
        "</section>",
    ])  # fmt: skip


def _block(block: Block) -> str:
    match block:
        case Paragraph():
            css = f"{block.tone}{' strong' if block.strong else ''}"
            return f'<p class="{css}">{_escape(block.text)}</p>'
        case Bullets():
            return "<ul>" + "".join(f"<li>{_escape(item)}</li>" for item in block.items) + "</ul>"
        case Heading():
            anchor = f' id="{_escape(block.anchor)}"' if block.anchor else ""
            return f"<h3{anchor}>{_escape(block.text)}</h3>"
        case Table():
            return _table(block)
        case Card():
            facts = "".join(f"<dt>{_escape(label)}</dt><dd>{_escape(text)}</dd>" for label, text in block.facts)
            anchor = f' id="{_escape(block.anchor)}"' if block.anchor else ""
            return (
                f'<article class="card {block.tone}"{anchor}><h4>{_escape(block.title)}</h4><dl>{facts}</dl></article>'
            )
        case Chart():
            caption = f"<figcaption>{_escape(block.caption)}</figcaption>" if block.caption else ""
            return f"<figure>{block.svg}{caption}</figure>"
        case _:
            assert_never(block)


def _table(table: Table) -> str:
    caption = f"<caption>{_escape(table.caption)}</caption>" if table.caption else ""
    head = "".join(f'<th scope="col"{_numeric(column)}>{_escape(column.title)}</th>' for column in table.columns)
    rows = "\n".join(
        "<tr>" + "".join(_cell(cell, column) for cell, column in zip(row, table.columns, strict=True)) + "</tr>"
        for row in table.rows
    )
    return (
        f'<div class="scroll"><table>{caption}<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody></table></div>'
    )


def _cell(cell: Cell, column: Column) -> str:
    kind = "n" if column.numeric else "w" if column.width >= _WIDE else ""
    classes = [name for name in (kind, "" if cell.tone is Tone.PLAIN else cell.tone) if name]
    css = f' class="{" ".join(classes)}"' if classes else ""
    return f"<td{css}>{_escape(cell.text)}</td>"


def _numeric(column: Column) -> str:
    return ' class="n"' if column.numeric else ""


def _escape(text: str) -> str:
    return escape(showable(text), quote=True)
