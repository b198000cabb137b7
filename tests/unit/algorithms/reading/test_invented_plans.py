"""Plans in layouts and words of our own: wrapped formulas, one table for all systems, m³/s, category rows, 〃."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from algorithms.airflow_review.documents.parsing import parse_document
from algorithms.airflow_review.evidence import Method, PlaceType
from algorithms.airflow_review.reading.plan import read_plan

D = Decimal
PLANS = Path(__file__).parent / "plans"


def read(name):
    return read_plan(parse_document(PLANS / f"{name}.txt"))


def number(printed):
    return None if printed is None else printed.value


def rows(extract):
    return [(p.name, p.type, p.system, number(p.required), number(p.planned)) for p in extract.places]


def sums(extract):
    return {
        s.name: tuple(map(number, (s.subtotal, s.planned_subtotal, s.coefficient, s.required))) for s in extract.systems
    }


def test_one_table_may_hold_all_systems():
    extract = read("two_systems_one_table")

    assert extract.mine == "红石崖煤矿"
    assert (extract.period.start, extract.period.end) == (date(2025, 1, 1), date(2025, 1, 31))
    assert rows(extract) == [
        ("3201综采工作面", PlaceType.COAL_FACE, "东翼回风井", D(1296), D(1300)),
        ("3203运输顺槽掘进工作面", PlaceType.HEADING, "东翼回风井", D(506), D(510)),
        ("中央变电所", PlaceType.CHAMBER, "东翼回风井", D(80), D(80)),
        ("主水泵房", PlaceType.CHAMBER, "西翼回风井", D(80), D(80)),
        ("北翼措施巷", PlaceType.OTHER_ROADWAY, "西翼回风井", D(80), None),
    ]
    assert sums(extract) == {
        "东翼回风井": (D(1882), D(1890), D("1.2"), D("2258.4")),
        "西翼回风井": (D(160), D(160), D("1.2"), D(192)),
    }
    assert number(extract.mine_total) == D("2450.4")
    assert [p.name for p in extract.places if p.stopped] == ["北翼措施巷"]


def test_formulas_broken_over_lines_and_headings_with_short_names_are_read():
    face, heading, chamber, *_ = read("two_systems_one_table").places

    assert [(c.method, c.expression, c.stated) for c in face.calculations] == [
        (Method.CLIMATE, "60×1.2×12.5×1.2×1.2", D(1296)),
        (Method.GAS, "100×3.2×1.4", D(448)),
        (Method.PEOPLE, "4×45", D(180)),
    ]
    assert [c.method for c in heading.calculations] == [Method.GAS, Method.PEOPLE, Method.LOCAL_FAN]
    assert [(c.low_m3_min, c.high_m3_min) for c in face.speed_checks] == [(D("196.5"), None), (None, D(2832))]
    assert (number(face.chapter_required), number(heading.chapter_required), number(chamber.chapter_required)) == (
        D(1296),
        D(506),
        D(80),
    )
    assert chamber.calculations[0].method is Method.HEAT


def test_coefficients_and_rules_told_in_sentences_are_read():
    extract = read("two_systems_one_table")
    (table,) = extract.tables
    stated = {s.key: (s.low, s.high, s.text) for s in extract.statements}

    assert table.coefficient == "k_height"
    assert [(b.low, b.high, b.value_low) for b in table.brackets] == [
        (None, D("2.0"), D("1.0")),
        (D("2.0"), D("2.5"), D("1.1")),
        (D("2.5"), None, D("1.2")),
    ]
    assert stated["reserve_coefficient"][:2] == (D("1.2"), D("1.25"))
    assert stated["rounding"][2] == "half_up"
    assert "no_return_shaft_hoist" in stated


def test_flows_per_second_and_category_sums_are_read():
    extract = read("flows_per_second")

    assert rows(extract) == [
        ("8101综放面", PlaceType.COAL_FACE, "中央风井系统", D(1020), D(1050)),
        ("8103回风巷掘进头", PlaceType.HEADING, "中央风井系统", D("430.2"), D(450)),
        ("8101移变硐室", PlaceType.CHAMBER, "中央风井系统", D("70.2"), D(72)),
    ]
    assert sums(extract) == {"中央风井系统": (D("1520.4"), D(1572), D("1.15"), D("1748.46"))}
    assert [p.no_station for p in extract.places] == [False, False, True]


def test_a_row_for_each_place_with_a_column_for_each_method_is_a_calculation():
    face = read("flows_per_second").places[0]

    assert [(c.method, c.expression, c.stated) for c in face.calculations] == [
        (Method.GAS, "100×4.2×1.5", D(630)),
        (Method.PEOPLE, "200", D(200)),
        (Method.SPEED_MIN, "180", D(180)),
    ]
    assert number(face.chapter_required) == D(1020)
    assert face.basis["people"].value == D(50)


def test_a_heading_above_each_table_names_its_system():
    extract = read("markdown_style")

    assert sums(extract) == {
        "主井系统": (D(1992), D(2000), D("1.2"), D("2390.4")),
        "副井系统": (D(120), D(120), D("1.2"), D(144)),
    }
    assert [(p.name, number(p.chapter_required)) for p in extract.places] == [
        ("42105综采工作面", D(1236)),
        ("42107综采工作面", D(756)),
        ("采区变电所", D(60)),
        ("采区水泵房", D(60)),
    ]
    assert [c.expression for c in extract.places[0].calculations] == ["60 × 1.2 × 11.0 × 1.2 × 1.3", "4 × 40"]


def test_a_plan_that_is_nothing_but_a_table_is_read():
    extract = read("only_a_table")

    assert (extract.period.start, extract.period.end) == (date(2024, 12, 1), date(2024, 12, 10))
    assert [p.type for p in extract.places[:4]] == [
        PlaceType.COAL_FACE,
        PlaceType.STANDBY_FACE,
        PlaceType.HEADING,
        PlaceType.HEADING,
    ]
    assert [p.system for p in extract.places if p.name == "采区变电所"] == ["南风井", "北风井"]
    assert sums(extract) == {
        "北风井": (D(1815), D(1830), D("1.2"), D(2178)),
        "南风井": (D(210), D(205), D("1.2"), D(252)),
    }
    assert number(extract.mine_total) == D(2430)
    assert {p.name: p.series_after for p in extract.places if p.series_after} == {"15104风巷掘进头": "15103机巷掘进头"}


def test_a_cell_that_cannot_be_read_is_told_and_never_guessed():
    extract = read("only_a_table")
    store = next(p for p in extract.places if p.name == "火药库")

    assert store.required is None
    assert ["火药库" in doubt.message for doubt in extract.doubts] == [True]


@pytest.mark.parametrize(
    "name", ["two_systems_one_table", "flows_per_second", "markdown_style", "only_a_table", "side_by_side"]
)
def test_the_same_document_gives_the_same_extract(name):
    assert read(name) == read(name)


def test_two_tables_side_by_side_are_read_one_after_the_other():
    extract = read("side_by_side")

    assert rows(extract) == [
        ("7103综采工作面", PlaceType.COAL_FACE, "主风井系统", D(792), D(800)),
        ("7105运输巷（掘进）", PlaceType.HEADING, "主风井系统", D(400), D(410)),
        ("井下变电所", PlaceType.CHAMBER, "主风井系统", D(80), D(80)),
        ("井下泵房", PlaceType.CHAMBER, "主风井系统", D(75), D(75)),
    ]


def test_a_section_about_a_kind_means_the_only_place_of_it():
    face = read("side_by_side").places[0]

    assert [(c.method, c.expression, c.stated) for c in face.calculations] == [
        (Method.GAS, "100×3.0×1.5", D(450)),
        (Method.CLIMATE, "60×1.0×10.0×1.2×1.1", D(792)),
    ]


def test_a_coefficient_of_the_whole_mine_stands_before_its_total():
    assert number(read("side_by_side").mine_total) == D("1616.4")


def test_places_named_in_a_list_or_as_stopped_are_mentions():
    mentions = {m.name: m.status for m in read("side_by_side").mentions}

    assert mentions == {"井下变电所": "", "井下泵房": "", "火工品发放硐室": "", "7101工作面": "停采"}


def test_sums_of_half_a_table_are_no_sums_of_the_system():
    (system,) = read("side_by_side").systems

    assert system.subtotal is None


def test_a_section_about_a_kind_may_end_with_its_result():
    assert number(read("side_by_side").places[0].chapter_required) == D(792)
