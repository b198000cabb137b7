"""Reading every fixture report gives exactly what its truth holds (R-AIR-1, R-AIR-5)."""

from __future__ import annotations

import unicodedata
from decimal import Decimal
from typing import Any

import pytest

from algorithms.airflow_review.documents.parsing import parse_document
from algorithms.airflow_review.extract import ReportExtract
from algorithms.airflow_review.reading.report import read_report
from tests.support.truth_plan import FIXTURES, truth_cases

FIGURES = ("area", "speed", "flow", "temperature", "ch4")
REPORTS = [
    (group, case["report"], case["truth"]["report"])
    for group in ("reference", "faults")
    for case in truth_cases(group).values()
    if case["report"]
]


def squeezed(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).split())


def read(group: str, file: str) -> ReportExtract:
    return read_report(parse_document(FIXTURES / group / file))


def number(printed: Any) -> Decimal | None:
    return None if printed is None else printed.value


@pytest.mark.parametrize(("group", "file", "truth"), REPORTS, ids=[file for _, file, _ in REPORTS])
def test_every_reading_is_exact(group, file, truth):
    extract = read(group, file)

    left = list(extract.readings)
    for row in truth["readings"]:
        known = {n: Decimal(str(row[n])) for n in FIGURES if row.get(n) is not None}  # null: the cell holds a fault
        found = [
            reading
            for reading in left
            if squeezed(reading.station) == squeezed(row["station"])
            and reading.kind == row["kind"]
            and all(number(getattr(reading, n)) == value for n, value in known.items())
        ]
        assert found, row
        left.remove(found[0])
    assert not left, "readings the report does not hold"


@pytest.mark.parametrize(("group", "file", "truth"), REPORTS, ids=[file for _, file, _ in REPORTS])
def test_totals_fans_and_time_are_exact(group, file, truth):
    extract = read(group, file)

    assert number(extract.total_intake) == Decimal(str(truth["total_intake"]))
    assert number(extract.total_return) == Decimal(str(truth["total_return"]))
    fans = [(fan.name, number(fan.flow), number(fan.pressure)) for fan in extract.fans]
    assert fans == [(f["name"], Decimal(str(f["flow"])), Decimal(str(f["pressure"]))) for f in truth["fans"]]
    assert str(extract.window.start) == truth["window"]["start"]
    assert str(extract.window.end) == truth["window"]["end"]


@pytest.mark.parametrize("file", ["report.pdf", "report.xlsx", "report.docx"])
def test_r_air_5_reference_totals_are_exact_in_every_format(file):
    extract = read("reference", file)

    assert number(extract.total_intake) == 35181
    assert number(extract.total_return) == 35713
    assert [number(fan.flow) for fan in extract.fans] == [Decimal("13716.14"), Decimal("22512.68")]
    assert len(extract.readings) == 95


@pytest.mark.parametrize(("group", "file", "truth"), REPORTS, ids=[file for _, file, _ in REPORTS])
def test_every_quote_is_the_text_of_its_cell(group, file, truth):
    source = parse_document(FIXTURES / group / file)
    extract = read_report(source)

    tables = {table.index: table for table in source.tables}
    for reading in extract.readings:
        values = [v for v in (reading.area, reading.speed, reading.flow, reading.ch4) if v is not None]
        for where in [*reading.evidence, *(e for v in values for e in v.evidence)]:
            assert where.table is not None
            assert where.row is not None
            assert where.column is not None
            assert tables[where.table].rows[where.row - 1].cells[where.column - 1].text == where.quote
