"""Reports in words and orders of our own: sections in the rows, names told once, stations side by side."""

from __future__ import annotations

from decimal import Decimal

from algorithms.airflow_review.extract import ReportExtract
from algorithms.airflow_review.reading.report import read_report
from tests.support.report_documents import document, line, number, table

HEADER = ("序号", "井巷地点", "断面积(㎡)", "风速(m/s)", "风量(m³/min)")


def rows_of(extract: ReportExtract) -> list[tuple[str, str, object]]:
    return [(r.station, r.kind, number(r.flow)) for r in extract.readings]


def test_a_section_with_its_ordinal_is_a_heading_and_no_station() -> None:
    extract = read_report(
        document(
            table(
                HEADER,
                ("一", "矿井总进风", "", "", ""),
                ("1", "主斜井", "12.5", "3.2", "2400"),
                ("", "小计", "", "", "2400"),
                ("二", "采煤工作面", "", "", ""),
                ("2", "1103综采面运输顺槽", "12.6", "1.27", "960.1"),
            )
        )
    )

    assert rows_of(extract) == [("主斜井", "intake", 2400), ("1103综采面运输顺槽", "face", Decimal("960.1"))]
    assert number(extract.total_intake) == 2400


def test_a_place_named_once_is_the_place_of_the_sides_below_it() -> None:
    extract = read_report(
        document(
            table(
                ("测风地点", "位置", "断面(m²)", "风速(m/s)", "风量(m³/min)"),
                ("2-304工作面", "进风顺槽", "11.6", "1.58", "1099.7"),
                ("", "回风顺槽", "11.2", "1.66", "1115.5"),
                ("总进风", "主井", "13", "4.1", "3198"),
                ("", "副井", "10", "3.5", "2100"),
                ("", "合计", "", "", "5298"),
            )
        )
    )

    assert rows_of(extract) == [
        ("2-304工作面进风顺槽", "face", Decimal("1099.7")),
        ("2-304工作面回风顺槽", "face", Decimal("1115.5")),
        ("主井", "intake", 3198),
        ("副井", "intake", 2100),
    ]
    assert number(extract.total_intake) == 5298


def test_stations_may_stand_side_by_side() -> None:
    extract = read_report(
        document(
            table(
                ("测点", "N2301工作面进风", "N翼避难硐室"),
                ("断面(m2)", "15.8", "4.0"),
                ("风速(m/s)", "1.22", "0.38"),
                ("风量(m3/s)", "19.28", "1.52"),
                ("瓦斯(%)", "0.02", "0.03"),
            )
        )
    )

    assert rows_of(extract) == [
        ("N2301工作面进风", "face", Decimal("1156.80")),
        ("N翼避难硐室", "chamber", Decimal("91.20")),
    ]
    evidence = extract.readings[1].evidence[0]
    assert (evidence.row, evidence.column, evidence.quote) == (1, 3, "N翼避难硐室")


def test_symbols_below_the_sides_of_a_face_head_its_columns() -> None:
    extract = read_report(
        document(
            table(
                ("测站", "进风侧", "<", "回风侧", "<"),
                ("^", "S（m²）", "V（m/s）", "S（m²）", "V（m/s）"),
                ("6204工作面", "9.8", "2.62", "9.3", "2.75"),
            )
        )
    )

    assert [number(r.area) for r in extract.readings] == [Decimal("9.8")]


def test_a_fan_no_table_names_is_read_from_its_sentence() -> None:
    extract = read_report(
        document(
            table(HEADER, ("1", "水泵房", "4.8", "0.32", "92.2")),
            line("东风井主扇排风量6569.4m³/min，负压2290Pa，叶片角-2.5°。"),
            line("局部通风机吸风量380m³/min。"),
        )
    )

    (fan,) = extract.fans
    assert (fan.name, number(fan.flow), number(fan.pressure)) == ("东风井主扇", Decimal("6569.4"), 2290)
    assert number(fan.blade_angle) == Decimal("-2.5")


def test_a_line_above_the_header_is_no_part_of_it() -> None:
    extract = read_report(
        document(
            table(
                ("报告期：2025年3月1日至10日", "", "", "", "填报人：张三"),
                HEADER,
                ("1", "水泵房", "4.8", "0.32", "92.2"),
            )
        )
    )

    assert str(extract.window.start) == "2025-03-01"
    assert str(extract.window.end) == "2025-03-10"
    assert rows_of(extract) == [("水泵房", "chamber", Decimal("92.2"))]


def test_the_rates_of_the_mine_below_the_title_of_the_fans_are_no_fan() -> None:
    extract = read_report(
        document(
            line("报表周期：2025年2月11日至20日"),
            table(HEADER, ("1", "水泵房", "4.8", "0.32", "92.2")),
            line("主要通风机运行参数"),
            line("矿井有效风量9509m³/min，有效风量率86.72%（按总进风量计算）；外部漏风率3.12%。"),
        )
    )

    assert extract.fans == ()
    assert str(extract.window.start) == "2025-02-11"
