"""Parameters of a place from sentences, symbols, 式中 and tables."""

from __future__ import annotations

from decimal import Decimal

import pytest

from algorithms.airflow_review.documents.layout import plain_table
from algorithms.airflow_review.reading.parameters import (
    Parameter,
    attributes_in_text,
    is_parameter_table,
    parameters_in_table,
    parameters_in_text,
)


def values(text):
    return {p.key: p.printed.value for p in parameters_in_text(text, ())}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "采高3.2m、面长215m、进风流气温18℃、净断面积13.9平方米",
            {"mining_height_m": "3.2", "face_length_m": "215", "intake_temperature_c": "18", "area_m2": "13.9"},
        ),
        (
            "采高：3.5m；最多人数：40人；二氧化碳涌出量：0.75m3/min",
            {"mining_height_m": "3.5", "people": "40", "co2_m3_min": "0.75"},
        ),
        (
            "有效断面积11.2m²（最大11.7m²，最小10.7m²）",
            {"area_m2": "11.2", "area_max_m2": "11.7", "area_min_m2": "10.7"},
        ),
        ("②按瓦斯涌出量计算，q采取2.13m³/min，K采通取1.4", {"gas_m3_min": "2.13", "gas_unbalance": "1.4"}),
        ("③按二氧化碳涌出量计算，q采CO2取1.29m³/min，K取1.4", {"co2_m3_min": "1.29", "co2_unbalance": "1.4"}),
        ("气象法（V=1.0m/s，Kh=1.2，KL=1.0）", {"speed_m_s": "1.0", "k_height": "1.2", "k_length": "1.0"}),
        ("K采高——采高风量系数，取1.2；S采——平均有效净断面积，11.3m²", {"k_height": "1.2", "area_m2": "11.3"}),
        ("设备功率240kW，θ0.03，温差Δt4℃", {"heat_kw": "240", "theta": "0.03", "delta_t_c": "4"}),
        ("同时运行无轨胶轮车75kW、66kW、55kW", {"diesel_kw": "196"}),
        ("总容积V=1800m³，按每小时换气4次计算", {"volume_m3": "1800"}),
        ("回采时计算需风量1228m³/min，绝对瓦斯涌出量1.18m³/min", {"working_need_m3_min": "1228", "gas_m3_min": "1.18"}),
        ("局部通风机FBD№6.7/2×30kW一台，实测吸风量420m3/min", {"fan_flow_m3_min": "420"}),
    ],
)
def test_a_sentence_gives_its_values(text, found):
    assert values(text) == {key: Decimal(value) for key, value in found.items()}


@pytest.mark.parametrize(
    "text", ["⑤取最大值：42105综采工作面需风量", "每人4m³/min", "Q采1=60×11.3×1.0", "K取1.2～1.6", "4人1组"]
)
def test_codes_formulas_and_ranges_are_no_parameters(text):
    assert values(text) == {}


def test_attributes_are_told_by_their_words():
    assert dict(attributes_in_text("岩巷，炮掘，三级煤矿许用炸药")) == {
        "roadway_kind": "岩巷",
        "drive_method": "炮掘",
        "explosive_grade": "三级",
    }
    assert dict(attributes_in_text("半煤岩巷")) == {"roadway_kind": "半煤岩巷"}


@pytest.mark.parametrize(
    "rows",
    [
        [["参数", "数值", "参数", "数值"], ["采高（m）", "3.8", "工作面长度（m）", "240"]],
        [["采高", "面长"], ["3.8m", "240m"]],
        [["参数", "单位", "取值"], ["采高", "m", "3.8"], ["工作面长度", "m", "240"]],
    ],
)
def test_parameter_tables_are_read_in_every_layout(rows):
    table = plain_table(1, rows)

    assert is_parameter_table(table)
    found = {p.key: p.printed.value for p in parameters_in_table("plan", table) if isinstance(p, Parameter)}
    assert found == {"mining_height_m": Decimal("3.8"), "face_length_m": Decimal(240)}
