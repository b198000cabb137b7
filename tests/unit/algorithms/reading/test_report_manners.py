"""Further manners of writing a report: speeds of an instrument, wet and dry bulbs, sums that tell whose parts stand above."""

from __future__ import annotations

from decimal import Decimal

from algorithms.airflow_review.reading.report import read_report
from tests.support.report_documents import document, line, number, table

D = Decimal


def test_the_true_speed_and_the_dry_bulb_are_what_was_measured() -> None:
    extract = read_report(
        document(
            table(
                ("测风地点", "断面(m²)", "风速(m/s)", "<", "风量(m³/min)", "温度(℃)", "<", "气体(%)", "<"),
                ("^", "^", "表速", "真速", "^", "湿球", "干球", "CH4", "CO2"),
                ("主平硐", "28", "1.10", "1.13", "1898", "4.8", "6.0", "0.02", "0.11"),
            )
        )
    )

    (reading,) = extract.readings
    values = [number(p) for p in (reading.speed, reading.flow, reading.temperature, reading.ch4, reading.co2)]
    assert values == [D("1.13"), 1898, D("6.0"), D("0.02"), D("0.11")]


def test_measurements_counted_in_chinese_are_a_level_of_the_header() -> None:
    extract = read_report(
        document(
            table(
                ("测风站", "断面/m²", "风速/(m/s)", "<", "<", "<", "风量/(m³/min)"),
                ("^", "^", "一", "二", "三", "平均", "^"),
                ("副平硐", "39.7", "0.54", "0.55", "0.56", "0.55", "1310"),
            )
        )
    )

    assert [(number(r.speed), number(r.flow)) for r in extract.readings] == [(D("0.55"), 1310)]


def test_stations_above_a_total_are_its_parts_when_they_add_up_to_it() -> None:
    head = ("测风地点", "断面(m²)", "风速(m/s)", "风量(m³/min)")
    rows = (
        ("东平硐", "20", "1.00", "1200"),
        ("矸石眼", "10", "1.00", "600"),
        ("全矿总进风", "", "", "1800"),
        ("东翼回风大巷", "25", "1.22", "1830"),
        ("矿井总回", "", "", "1830"),
    )
    extract = read_report(document(table(head, *rows)))
    other = read_report(document(table(head, *rows[:2], ("全矿总进风", "", "", "1500"), *rows[3:])))

    assert [(r.station, r.kind) for r in extract.readings] == [
        ("东平硐", "intake"),
        ("矸石眼", "intake"),
        ("东翼回风大巷", "return"),
    ]
    assert (number(extract.total_intake), number(extract.total_return)) == (1800, 1830)
    assert other.readings[1].kind == "other", "what does not add up is not told by its place in the list"


def test_the_face_of_a_heading_is_its_location_and_no_part_of_its_name() -> None:
    extract = read_report(
        document(
            table(
                ("用风地点", "测风位置", "断面(m²)", "风速(m/s)", "风量(m³/min)"),
                ("1309轨道顺槽掘进工作面", "迎头", "11.4", "0.91", "622"),
                ("1307综放工作面", "回风侧", "13.4", "0.79", "635"),
            )
        )
    )

    assert [r.station for r in extract.readings] == ["1309轨道顺槽掘进工作面", "1307综放工作面回风侧"]


def test_r_pit_21_days_in_brackets_under_the_title_and_hours_of_days_are_read() -> None:
    rows = table(("测风地点", "断面(m²)", "风速(m/s)", "风量(m³/min)"), ("主井", "20", "1.00", "1200"))
    bare = read_report(document(line("虚拟煤矿测风报表"), line("（2025.2.1-2025.2.10）"), rows))
    spaced = read_report(document(line("测风时间：2025 年 2 月 1 日 0 时至 2 月 10 日 24 时"), rows))

    for extract in (bare, spaced):
        assert (str(extract.window.start), str(extract.window.end)) == ("2025-02-01", "2025-02-10")


def test_a_fan_named_after_its_shaft_is_a_fan_and_a_local_fan_is_none() -> None:
    extract = read_report(
        document(
            table(
                ("测点", "断面(m²)", "风速(m/s)", "风量(m³/min)"),
                ("北回风立井通风机", "", "", "9900"),
                ("301运输巷局部通风机", "8.0", "0.90", "432"),
            )
        )
    )

    assert [f.name for f in extract.fans] == ["北回风立井通风机"]
    assert [(r.station, r.kind) for r in extract.readings][-1] == ("301运输巷局部通风机", "heading")
