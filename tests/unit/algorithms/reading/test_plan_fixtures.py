"""Reading every fixture plan gives what its truth holds (R-AIR-1, R-AIR-5, R-PIT-14, R-PIT-15)."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from decimal import Decimal
from functools import lru_cache

import pytest

from algorithms.airflow_review.documents.document import Document
from algorithms.airflow_review.documents.parsing import parse_document
from algorithms.airflow_review.extract import PlanExtract
from algorithms.airflow_review.reading.plan import read_plan
from tests.support.truth_plan import FIXTURES, truth_cases

METHOD_OF_TRUTH = {"climate_base": "climate", "volume": "air_changes"}
PLANS = [
    ("reference", "plan.txt", truth_cases("reference")["reference"]["truth"]["plan"]),
    *(
        (group, case["plan"], case["truth"]["plan"])
        for group in ("faults", "layouts")
        for case in truth_cases(group).values()
    ),
]
each_plan = pytest.mark.parametrize(("group", "file", "truth"), PLANS, ids=[file for _, file, _ in PLANS])


@lru_cache(maxsize=64)
def document(group: str, file: str) -> Document:
    return parse_document(FIXTURES / group / file)


@lru_cache(maxsize=64)
def read(group: str, file: str) -> PlanExtract:
    return read_plan(document(group, file))


def number(printed):
    return None if printed is None else printed.value


def plain(text):
    return "".join(unicodedata.normalize("NFKC", text or "").split())


def operands(part):
    """The numbers of an expression as a multiset, 70 % as 0.7: how the scorer compares calculations."""
    found = re.findall(r"(\d+(?:\.\d+)?)\s*(%?)", unicodedata.normalize("NFKC", part))
    return tuple(sorted(Decimal(n) / (100 if percent else 1) for n, percent in found))


def row_of_truth(place):
    return (
        plain(place["name"]),
        plain(place["system"]),
        place["type"],
        *(None if place[key] is None else Decimal(str(place[key])) for key in ("required", "planned")),
    )


@each_plan
def test_every_place_has_its_system_type_and_cells(group, file, truth):
    # A null of the truth is not asked for: the cell itself carries the fault, or nothing is printed.
    asked = [place for place in truth["places"] if not place.get("optional")]
    found = [
        (plain(p.name), plain(p.system), p.type, number(p.required), number(p.planned))
        for p in read(group, file).places
    ]

    for place in asked:
        want = row_of_truth(place)
        hit = next(
            (
                row
                for row in found
                if row[:3] == want[:3] and all(a in {None, b} for a, b in zip(want[3:], row[3:], strict=True))
            ),
            None,
        )
        assert hit is not None, want
        found.remove(hit)
    optional = {plain(place["name"]) for place in truth["places"] if place.get("optional")}
    assert {row[0] for row in found} <= optional


@each_plan
def test_every_printed_calculation_is_found_with_all_operands(group, file, truth):
    want = Counter(
        (
            plain(p["name"]),
            METHOD_OF_TRUTH.get(c["method"], c["method"]),
            operands(c["expression"]),
            Decimal(str(c["stated"])),
        )
        for p in truth["places"]
        for c in p["calculations"]
    )
    found = Counter(
        (plain(p.name), c.method.value, operands(c.expression), c.stated)
        for p in read(group, file).places
        for c in p.calculations
        if c.method != "empirical"
    )

    assert found == want


@each_plan
def test_every_speed_check_is_found(group, file, truth):
    want = Counter(
        (plain(p["name"]), operands(c["expression"]), Decimal(str(c["stated"])))
        for p in truth["places"]
        for c in p.get("speed_checks", [])
    )
    found = Counter(
        (plain(p.name), operands(expression), value)
        for p in read(group, file).places
        for c in p.speed_checks
        for expression, value in ((c.low_expression, c.low_m3_min), (c.high_expression, c.high_m3_min))
    )

    assert found == want


@each_plan
def test_r_pit_14_sums_of_systems_and_mine_are_exact(group, file, truth):
    extract = read(group, file)
    found = {plain(s.name): s for s in extract.systems}

    for system in truth["systems"]:
        read_system = found[plain(system["name"])]
        for key in ("subtotal", "planned_subtotal", "coefficient", "required"):
            assert number(getattr(read_system, key)) == Decimal(str(system[key])), (system["name"], key)
    assert number(extract.mine_total) == Decimal(str(truth["mine_total"]))


@each_plan
def test_mine_and_period_stand_on_the_cover(group, file, truth):
    extract = read(group, file)
    period = truth["period"] or {"start": "None", "end": "None"}

    assert extract.mine == truth["mine"]
    assert (str(extract.period.start), str(extract.period.end)) == (period["start"], period["end"])


@each_plan
def test_evidence_quotes_are_verbatim_and_on_the_right_page(group, file, truth):
    source = document(group, file)
    texts = [line.text for line in source.lines] + [c.text for t in source.tables for r in t.rows for c in r.cells]
    pages = {
        (plain(p["name"]), operands(c["expression"])): c.get("page") for p in truth["places"] for c in p["calculations"]
    }

    for place in read(group, file).places:
        for calculation in place.calculations:
            for evidence in calculation.evidence:
                assert any(evidence.quote in text for text in texts)
            page = pages.get((plain(place.name), operands(calculation.expression)))
            if page is not None and file.endswith("pdf"):
                assert calculation.evidence[0].page == page


def test_r_air_5_the_reference_plan_adds_up():
    extract = read("reference", "plan.txt")

    assert len(extract.places) == 92
    sums: dict[str | None, Decimal] = {}
    for place in extract.places:
        assert place.required is not None
        sums[place.system] = sums.get(place.system, Decimal(0)) + place.required.value
    assert sorted(sums.values()) == [9228, 17853]
    assert [number(system.required) for system in extract.systems] == [Decimal("11073.6"), Decimal("21423.6")]
    assert number(extract.mine_total) == Decimal("32497.2")


@pytest.mark.parametrize("file", ["plan.docx", "plan.pdf"])
def test_the_reference_plan_reads_the_same_in_every_format(file):
    def essence(extract):
        return [
            (
                plain(p.name),
                p.system,
                p.type,
                number(p.required),
                number(p.planned),
                [(c.method, operands(c.expression), c.stated) for c in p.calculations],
                {k: v.value for k, v in p.basis.items()},
            )
            for p in extract.places
        ]

    assert essence(read("reference", file)) == essence(read("reference", "plan.txt"))


def test_r_pit_15_a_place_listed_twice_stays_twice():
    names = [place.name for place in read("faults", "f05_plan.docx").places]

    assert names.count("五煤充电硐室") == 2


def test_a_division_read_as_plus_is_repaired_and_told():
    extract = read("faults", "f13_plan.pdf")
    (repaired,) = [c for p in extract.places for c in p.calculations if c.repaired]

    assert "÷" in repaired.expression
    assert any("÷" in doubt.message for doubt in extract.doubts)


def test_series_stopped_and_missing_places_are_told():
    series = read("faults", "c03_plan.txt")
    stopped = read("faults", "f10_plan.pdf")

    after = {place.name: place.series_after for place in series.places if place.series_after}
    assert after == {"3上110上顺槽掘进工作面": "3上110下顺槽掘进工作面"}
    assert ("七煤集中轨道巷掘进工作面", "停掘") in {(m.name, m.status) for m in stopped.mentions}


def test_a_place_of_the_working_plan_alone_is_a_mention():
    extract = read("faults", "f08_plan.pdf")
    placed = {place.name for place in extract.places}

    assert [m.name for m in extract.mentions if m.name not in placed]


@pytest.mark.parametrize("file", ["c01_plan.pdf", "c03_plan.txt", "c04_plan.pdf", "c06_plan.pdf"])
def test_a_clean_plan_mentions_no_place_it_does_not_distribute(file):
    extract = read("faults", file)

    assert {m.name for m in extract.mentions} <= {place.name for place in extract.places}
    assert not extract.doubts
