"""Bracket tables of the plan's own rules: temperature → speed, mining height → K, face length → K."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from algorithms.airflow_review.documents.document import Document, Line, Table
from algorithms.airflow_review.evidence import Evidence
from algorithms.airflow_review.extract import Bracket, CoefficientTable
from algorithms.airflow_review.reading.grid import joined
from algorithms.airflow_review.reading.headers import split_header, word_table
from algorithms.airflow_review.reading.numbers import NUMBER_PATTERN, Range, parse_range
from algorithms.airflow_review.reading.paragraphs import Paragraph
from algorithms.airflow_review.reading.place_in_source import of_cell
from algorithms.airflow_review.reading.text import squeeze

_MIN_BRACKETS: Final = 2
_IN_TEXT: Final = re.compile(
    rf"((?:<|>|≤|≥|小于|大于|低于|高于|不大于|不小于|不足|超过)?{NUMBER_PATTERN}(?:[^\d~,;。:取为=]{{0,4}}~{NUMBER_PATTERN})?(?:m|米|℃|°C)?(?:以上|以下|及以上|及以下|以内)?)"
    rf"(?:时|者|的)?,?(?:[A-Za-zΚ\u4e00-\u9fff]{{0,8}}?)(?:取值?为?|系数|为|:|=)({NUMBER_PATTERN}(?:~{NUMBER_PATTERN})?)"
)


def read_coefficient_tables(document: Document) -> tuple[CoefficientTable, ...]:
    """All bracket tables of a document, upright or lying, with one or several pairs of columns."""
    found: list[CoefficientTable] = []
    caption: Line | None = None
    for block in document.blocks:
        if isinstance(block, Line):
            caption = block if block.text.strip() else caption
            continue
        found += _tables_of(document.file, block, caption.text.strip() if caption is not None else "")
        caption = None
    return tuple(found)


def brackets_in_text(text: str, evidence: tuple[Evidence, ...]) -> Iterator[CoefficientTable]:
    """Bracket tables told in a sentence: `采高小于2.0m取1.0，2.0～2.5m取1.1，大于2.5m取1.2`.

    A sentence about several fields is read clause by clause: the brackets of one are none of the other's.
    """
    fields = {field for _, field in word_table("match_fields", "plan_words").contained(squeeze(text).casefold())}
    for part in re.split(r"[;；。]", text) if len(fields) > 1 else [text]:
        table = _table_in(part, evidence)
        if table is not None:
            yield table


def _table_in(text: str, evidence: tuple[Evidence, ...]) -> CoefficientTable | None:
    plain = squeeze(text)
    match_field = word_table("match_fields", "plan_words").key_of(plain)
    coefficients = word_table("coefficients", "plan_words")
    coefficient = coefficients.key_of(plain) or coefficients.key_of(plain.partition(":")[2])  # 系数选取：…风速取1.0
    if match_field is None or coefficient is None:
        return None
    brackets = [b for m in _IN_TEXT.finditer(plain) if (b := _bracket(m[1], m[2], m[0])) is not None]
    if len(brackets) < _MIN_BRACKETS:
        return None
    return CoefficientTable(
        coefficient=coefficient,
        match_field=match_field,
        brackets=tuple(brackets),
        title=text.strip(),
        evidence=evidence,
    )


def from_paragraph(file: str, paragraph: Paragraph) -> Iterator[CoefficientTable]:
    """The bracket tables of a paragraph."""
    return brackets_in_text(paragraph.text, paragraph.evidence(file, ""))


def _tables_of(file: str, table: Table, title: str) -> Iterator[CoefficientTable]:
    rows = [[joined(cell.text) for cell in row.cells] for row in table.rows]
    if not rows:
        return
    found = list(_upright(file, table, rows, title))
    yield from found or _lying(file, table, rows, title)


def _keys(label: str) -> tuple[str | None, str | None]:
    """What a header cell is: (match field, coefficient); a coefficient's own words win over the field inside them."""
    plain = split_header(label).label
    coefficient = word_table("coefficients", "plan_words").key_of(plain)
    field = word_table("match_fields", "plan_words").key_of(plain)
    is_coefficient = coefficient is not None and (field is None or re.search(r"K|系数|风速", plain) is not None)
    return (None, coefficient) if is_coefficient else (field, None)


def _upright(file: str, table: Table, rows: Sequence[Sequence[str]], title: str) -> Iterator[CoefficientTable]:
    for head in range(min(2, len(rows))):
        keys = [_keys(label) for label in rows[head]]
        fields = [i for i, (field, _) in enumerate(keys) if field is not None]
        values = [i for i, (_, coefficient) in enumerate(keys) if coefficient is not None]
        for value in values:
            left = [i for i in fields if i < value] or fields
            field = keys[left[-1]][0] if left else None
            coefficient = keys[value][1]
            if field is None or coefficient is None:
                continue
            brackets = tuple(
                b
                for row in rows[head + 1 :]
                if (b := _bracket(row[left[-1]], row[value], f"{row[left[-1]]} {row[value]}")) is not None
            )
            if len(brackets) >= _MIN_BRACKETS and not _are_measured(brackets):
                evidence = tuple(of_cell(file, table, i, value) for i in range(len(rows)))
                yield CoefficientTable(
                    coefficient=coefficient, match_field=field, brackets=brackets, title=title, evidence=evidence
                )
        if values and fields:
            return


def _lying(file: str, table: Table, rows: Sequence[Sequence[str]], title: str) -> Iterator[CoefficientTable]:
    """A table whose first column names field and coefficient."""
    for upper in range(len(rows) - 1):
        field, coefficient = _keys(rows[upper][0])[0], _keys(rows[upper + 1][0])[1]
        if field is None or coefficient is None:
            continue
        pairs = zip(rows[upper][1:], rows[upper + 1][1:], strict=True)
        brackets = tuple(b for key, value in pairs if (b := _bracket(key, value, f"{key} {value}")) is not None)
        if len(brackets) >= _MIN_BRACKETS and not _are_measured(brackets):
            yield CoefficientTable(
                coefficient=coefficient,
                match_field=field,
                brackets=brackets,
                title=title,
                evidence=(of_cell(file, table, upper, 0), of_cell(file, table, upper + 1, 0)),
            )


def _are_measured(brackets: Sequence[Bracket]) -> bool:
    """Temperatures and speeds of several faces (22℃ 1.1, 24℃ 1.7, 22℃ 1.2) are no rule: nothing in them is a range."""
    return all(bracket.low == bracket.high for bracket in brackets)


def _bracket(key: str, value: str, quote: str) -> Bracket | None:
    span: Range | None = parse_range(key)
    values = parse_range(value)
    if span is None or values is None or values.low is None or values.high is None:
        return None
    return Bracket(low=span.low, high=span.high, value_low=values.low, value_high=values.high, quote=quote)
