"""Reports in layouts the fixtures do not show: headers on two levels, panels, own unit rows, tables a block."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from algorithms.airflow_review.documents.document import Table
from algorithms.airflow_review.evidence import WindowStatus
from algorithms.airflow_review.reading.report import read_report
from tests.support.report_documents import document, line, number, table

HEADER = ("测风地点", "断面(m²)", "风速(m/s)", "风量(m³/min)", "温度(℃)", "CH4(%)", "备注")


def rows_of(extract):
    return [(r.station, r.kind, number(r.flow)) for r in extract.readings]


def test_a_header_on_two_levels_gives_one_reading_a_group():
    extract = read_report(
        document(
            table(
                ("工作面名称", "进风", "<", "<", "回风", "<", "<"),
                ("^", "断面/m²", "风速/(m/s)", "风量/(m³/min)", "断面/m²", "风速/(m/s)", "风量/(m³/min)"),
                ("7301综采工作面", "12.0", "1.50", "1080", "12.5", "1.46", "1095"),
            )
        )
    )

    assert rows_of(extract) == [("7301综采工作面进风", "face", 1080), ("7301综采工作面回风", "face", 1095)]
    assert [number(r.area) for r in extract.readings] == [Decimal("12.0"), Decimal("12.5")]


def test_a_two_level_header_without_merges_is_read_the_same():
    extract = read_report(
        document(
            table(
                ("测点", "进风", "", "回风", ""),
                ("", "风速(m/s)", "风量(m³/min)", "风速(m/s)", "风量(m³/min)"),
                ("7301综采工作面", "1.50", "1080", "1.46", "1095"),
            )
        )
    )

    assert [(r.station, number(r.flow)) for r in extract.readings] == [
        ("7301综采工作面进风", 1080),
        ("7301综采工作面回风", 1095),
    ]


def test_two_panels_side_by_side_are_two_readings_a_row():
    extract = read_report(
        document(
            table(
                ("地点", "断面(m²)", "风速(m/s)", "风量(m³/min)", "地点", "断面(m²)", "风速(m/s)", "风量(m³/min)"),
                ("北翼泵房", "3.0", "0.60", "108", "南翼泵房", "3.1", "0.70", "130"),
            )
        )
    )

    assert rows_of(extract) == [("北翼泵房", "chamber", 108), ("南翼泵房", "chamber", 130)]


def test_l14_flows_in_cubic_metres_a_second_become_a_minute():
    extract = read_report(document(table((*HEADER[:3], "风量(m³/s)"), ("北翼泵房", "3.0", "0.60", "1.8"))))

    assert extract.readings[0].flow is not None
    assert extract.readings[0].flow.value == 108
    assert extract.readings[0].flow.text == "1.8"


def test_a_row_of_units_belongs_to_the_header():
    extract = read_report(
        document(
            table(
                ("测点", "断面", "风速", "风量", "甲烷"),
                ("", "m²", "m/s", "m³/s", "%"),
                ("1", "2", "3", "4", "5"),
                ("北翼泵房", "3.0", "0.60", "1.8", "0.05"),
            )
        )
    )

    assert rows_of(extract) == [("北翼泵房", "chamber", 108)]


def test_a_name_merged_over_both_rows_is_completed_by_the_side():
    extract = read_report(
        document(
            table(
                ("工作面", "测点位置", "断面(m²)", "风速(m/s)", "风量(m³/min)", "地点"),
                ("", "", "", "", "", ""),
            ),
            table(
                ("用风地点", "测点位置", "断面(m²)", "风速(m/s)", "风量(m³/min)"),
                ("7301综采工作面", "进风", "12.0", "1.50", "1080"),
                ("^", "回风", "12.5", "1.46", "1095"),
            ),
        )
    )

    assert rows_of(extract) == [("7301综采工作面进风", "face", 1080), ("7301综采工作面回风", "face", 1095)]


def test_the_number_of_a_station_yields_to_the_name_of_the_place():
    extract = read_report(
        document(table(("测站", "地点", "风速(m/s)", "风量(m³/min)"), ("CF-07", "北翼泵房", "0.60", "108")))
    )

    assert extract.readings[0].station == "北翼泵房"
    assert "CF-07" in extract.readings[0].location


def test_captions_open_blocks_and_every_table_has_its_own_header():
    extract = read_report(
        document(
            line("一、进风井筒"),
            table(HEADER, ("一号井", "40", "3.00", "7200", "6", "0", ""), ("合计", "", "", "7200", "", "", "")),
            line("二、主要通风机"),
            table(
                ("风机名称", "风量(m³/s)", "静压(kPa)", "叶片角度(°)", "转速(r/min)", "功率(kW)", "效率"),
                ("南风井通风机", "125.5", "2.1", "-3", "740", "560", "0.74"),
                index=2,
            ),
            line("三、硐室"),
            table(HEADER, ("南翼绞车房", "3", "0.50", "90", "20", "0.1", ""), index=3),
        )
    )

    assert rows_of(extract) == [
        ("一号井", "intake", 7200),
        ("南风井通风机", "fan", 7530),
        ("南翼绞车房", "chamber", 90),
    ]
    fan = extract.fans[0]
    assert (number(fan.pressure), fan.pressure_kind, number(fan.efficiency)) == (2100, "static", 74)
    assert (number(fan.blade_angle), number(fan.speed), number(fan.power)) == (-3, 740, 560)
    assert number(extract.total_intake) == 7200
    assert extract.total_return is None


def test_a_repeated_header_inside_the_table_is_no_reading():
    extract = read_report(
        document(table(HEADER, ("北翼泵房", "3", "0.60", "108"), HEADER, ("南翼泵房", "3", "0.70", "126")))
    )

    assert [r.station for r in extract.readings] == ["北翼泵房", "南翼泵房"]


def test_columns_in_any_order_are_read_by_their_words():
    extract = read_report(
        document(
            table(
                (
                    "备注",
                    "瓦斯浓度/%",
                    "计划风量/(m³/min)",
                    "实测风量/(m³/min)",
                    "误差率/%",
                    "平均风速/(m/s)",
                    "断面积/m²",
                    "测点名称",
                ),
                ("", "0.12", "100", "108", "8", "0.60", "3.0", "北翼泵房"),
            )
        )
    )

    reading = extract.readings[0]
    assert (number(reading.flow), number(reading.planned), number(reading.ch4)) == (108, 100, Decimal("0.12"))


def test_l17_thousands_and_full_width_digits_are_numbers():
    extract = read_report(
        document(
            table(HEADER[:4], ("一号立井", "４０．０", "３．００", "7，200"), ("二号立井", "40.0", "3.0", "7,200"))
        )
    )

    assert [number(r.flow) for r in extract.readings] == [7200, 7200]


def test_l16_a_station_that_was_not_measured_stays_without_a_flow():
    extract = read_report(
        document(
            table(
                HEADER,
                ("北翼泵房", "3", "0.60", "108", "20", "0.1", ""),
                ("南翼泵房", "未测", "—", "—", "—", "—", "停电"),
            )
        )
    )

    assert rows_of(extract) == [("北翼泵房", "chamber", 108), ("南翼泵房", "chamber", None)]


def test_a_cell_that_is_no_number_is_a_doubt_and_not_a_guess():
    extract = read_report(document(table(HEADER, ("北翼泵房", "3", "0.6O", "1O8", "20", "0.1", ""))))

    assert extract.readings[0].flow is None
    assert len(extract.doubts) == 2


def test_kinds_come_from_the_names_where_no_block_is_printed():
    names = (
        "中央副立井",
        "北翼总回风",
        "7301综采工作面回风",
        "7302运输巷掘进迎头",
        "北翼变电所",
        "北翼轨道石门",
        "南风井主扇",
    )
    extract = read_report(document(table(HEADER[:4], *((name, "10", "1.00", "600") for name in names))))

    assert [r.kind for r in extract.readings] == ["intake", "return", "face", "heading", "chamber", "other", "fan"]


def test_totals_and_rates_are_read_from_sentences_and_pairs():
    extract = read_report(
        document(
            table(HEADER[:4], ("北翼泵房", "3", "0.60", "108")),
            line("本旬矿井总进风量为12 345m³/min，总回风量12500m³/min，有效风量率：88."),
            line("5%，外部漏风率3.1％。"),
            table(("矿井等积孔(m²)", "3.2", "有效风量(m³/min)", "10900"), index=2),
        )
    )

    assert number(extract.total_intake) == 12345
    assert number(extract.total_return) == 12500
    rates = {key: printed.value for key, printed in extract.stated_rates.items()}
    assert rates == {
        "effective_rate": Decimal("88.5"),
        "external_leakage": Decimal("3.1"),
        "effective_m3_min": 10900,
        "equivalent_orifice_m2": Decimal("3.2"),
    }


def test_a_sentence_tells_the_facts_of_each_fan():
    extract = read_report(
        document(
            table(
                HEADER[:4],
                ("主要通风机", "<", "<", "<"),
                ("南风井主扇", "—", "—", "7000"),
                ("北风井主扇", "—", "—", "8000"),
            ),
            line("南风井主扇静压1900Pa，叶片角度-2.5°，北风井情况如下；北风井主扇全压2100Pa。"),
        )
    )

    south, north = extract.fans
    assert (number(south.pressure), south.pressure_kind, number(south.blade_angle)) == (1900, "static", Decimal("-2.5"))
    assert (number(north.pressure), north.pressure_kind) == (2100, "total")


def test_r_pit_21_the_time_is_found_in_its_column_when_no_line_names_it():
    extract = read_report(
        document(
            table(
                ("测点", "测风日期", "风速(m/s)", "风量(m³/min)"),
                ("北翼泵房", "2025-03-12", "0.60", "108"),
                ("南翼泵房", "2025/3/14", "0.70", "126"),
            )
        )
    )

    assert (extract.window.start, extract.window.end) == (date(2025, 3, 12), date(2025, 3, 14))


def test_r_pit_21_a_time_that_cannot_be_read_stays_unparsable():
    extract = read_report(document(line("测风日期：本旬"), table(HEADER[:4], ("北翼泵房", "3", "0.60", "108"))))

    assert extract.window.status is WindowStatus.UNPARSABLE


def test_the_title_names_mine_and_ten_days_where_no_label_does():
    extract = read_report(
        document(line("试验沟煤矿2025年3月中旬测风报表"), table(HEADER[:4], ("北翼泵房", "3", "0.60", "108")))
    )

    assert extract.mine == "试验沟煤矿"
    assert (extract.window.start, extract.window.end) == (date(2025, 3, 11), date(2025, 3, 20))


def test_two_stations_of_one_name_stay_two_readings():
    extract = read_report(document(table(HEADER[:4], ("泵房", "3", "0.60", "108"), ("泵房", "3", "0.70", "126"))))

    assert [number(r.flow) for r in extract.readings] == [108, 126]


def test_local_fan_columns_are_kept_beside_the_supply():
    extract = read_report(
        document(
            table(
                ("掘进工作面", "<", "<", "<"),
                ("地点", "供风量(m³/min)", "局扇吸风量(m³/min)", "风筒出口风量(m³/min)"),
                ("7302运输巷掘进面", "600", "380", "310"),
            )
        )
    )

    reading = extract.readings[0]
    assert reading.kind == "heading"
    assert number(reading.flow) == 600
    assert {key: p.value for key, p in reading.extra.items()} == {"fan_intake_m3_min": 380, "duct_outlet_m3_min": 310}


def test_repeated_speeds_are_read_by_their_mean():
    extract = read_report(
        document(
            table(
                ("测点", "断面(m²)", "风速(m/s)", "<", "<", "<", "风量(m³/min)"),
                ("^", "^", "1", "2", "3", "平均", "^"),
                ("北翼泵房", "3.0", "0.58", "0.60", "0.62", "0.60", "108"),
            )
        )
    )

    assert [(number(r.speed), number(r.flow)) for r in extract.readings] == [(Decimal("0.60"), 108)]


def test_a_table_of_local_fans_gives_no_readings():
    extract = read_report(
        document(
            table(("测点", "断面(m²)", "风速(m/s)", "风量(m³/min)"), ("北翼泵房", "3.0", "0.60", "108")),
            table(("安装地点", "型号", "台数", "功率"), ("7302运输巷", "FBD6.3", "2", "60"), index=2),
        )
    )

    assert [r.station for r in extract.readings] == ["北翼泵房"]


def test_a_block_of_intake_and_return_is_told_by_the_names():
    extract = read_report(
        document(
            line("一、矿井进、回风井"), table(HEADER[:4], ("副立井", "40", "3", "7200"), ("南风井", "40", "3", "7200"))
        )
    )

    assert [r.kind for r in extract.readings] == ["intake", "return"]


def test_a_sheet_named_like_a_block_opens_it():
    own = table(HEADER[:4], ("南翼一号", "40", "0.1", "240"))
    extract = read_report(document(Table(index=1, rows=own.rows, sheet="硐室")))

    assert extract.readings[0].kind == "chamber"
