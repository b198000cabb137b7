"""Plans as different engineers write them: words, units, numbering and tables of our own invention."""

from __future__ import annotations

from decimal import Decimal

import pytest

from algorithms.airflow_review.documents.document import Document, DocumentKind
from algorithms.airflow_review.documents.plain_text import parse_text
from algorithms.airflow_review.evidence import Method, PlaceType
from algorithms.airflow_review.extract import PlanExtract
from algorithms.airflow_review.reading.plan import read_plan
from algorithms.airflow_review.reading.sum_rows import coefficient_in, kind_by_value, sum_kind

D = Decimal


def read(text: str) -> PlanExtract:
    blocks = parse_text(text.replace("|", "\t").encode(), "plan.txt")
    return read_plan(Document(file="plan.txt", sha256="", kind=DocumentKind.TEXT, pages=None, blocks=blocks))


def calculations(extract: PlanExtract, name: str) -> list[tuple[Method, str, Decimal]]:
    place = next(p for p in extract.places if p.name == name)
    return [(c.method, c.expression, c.stated) for c in place.calculations]


def sums(extract: PlanExtract) -> dict[str, tuple[Decimal | None, ...]]:
    return {
        s.name: tuple(None if p is None else p.value for p in (s.subtotal, s.coefficient, s.required))
        for s in extract.systems
    }


@pytest.mark.parametrize(
    ("label", "kind", "coefficient"),
    [
        ("东风井考虑备用系数后需风量（合计×1.20）", "system_required", "1.20"),
        ("系统需风量（小计×1.15）", "system_required", "1.15"),
        ("乘以1.2后", "system_required", "1.2"),
        ("×1.18", "system_required", "1.18"),
        ("备用系数K=1.2", "coefficient", "1.2"),
        ("其他用风巷道小计", "subtotal", None),
        ("11305备用工作面", None, None),
    ],
)
def test_l20_labels_of_sum_rows_are_told_from_names_of_places(
    label: str, kind: str | None, coefficient: str | None
) -> None:
    assert sum_kind(label) == kind
    assert coefficient_in(label) == coefficient


def test_the_number_beside_a_label_tells_a_flow_from_a_coefficient() -> None:
    assert kind_by_value("coefficient", D(5400)) == "system_required"
    assert kind_by_value("system_required", D("1.2")) == "coefficient"


TABLE = """东风井系统配风表
序号|用风点|Q需|Q配
1|1103综采工作面|915|950
2|1105运输顺槽掘进面|626|650
计||1541|1600
K通=1.2||1849.2|
"""


def test_symbols_head_columns_and_short_words_sum_up() -> None:
    extract = read(TABLE)

    assert [(p.name, p.required and p.required.value) for p in extract.places] == [
        ("1103综采工作面", D(915)),
        ("1105运输顺槽掘进面", D(626)),
    ]
    assert sums(extract) == {"东风井系统": (D(1541), D("1.2"), D("1849.2"))}


def test_l14_a_unit_above_the_table_counts_for_its_columns_and_a_shifted_sum_row_is_read() -> None:
    extract = read(
        "北翼风井系统配风（单位：m³/s）\n编号|巷道及地点|所需风量|安排风量\n1|N2301工作面|18.5|19.2\n"
        "2|N翼避难硐室|1.5|1.5\n系统小计|20|20.7|\n备用系数|1.2||\n系统需风|24||\n"
    )

    assert [p.required and p.required.value for p in extract.places] == [D(1110), D(90)]
    assert sums(extract) == {"北翼风井系统": (D(1200), D("1.2"), D(1440))}


def test_a_column_for_each_method_is_known_by_its_equations() -> None:
    extract = read(
        "一、需风量计算\n地点名称|瓦斯涌出量|生产时需风量|风速（温度）法|瓦斯涌出量法|折半法|需风量\n"
        "2105采面|3.16m³/min|—|60×0.7×1.4×20.7×1.5=1826|125×3.16×1.35=533|—|1826\n"
        "2107备用面|1.28m³/min|1372m³/min|—|125×1.28×1.3=208|1372×50%=686|686\n"
        "二、配风\n用风地点|需风量|配风量\n2105采面|1826|1850\n2107备用面|686|700\n"
    )

    assert calculations(extract, "2105采面") == [
        (Method.CLIMATE, "60×0.7×1.4×20.7×1.5", D(1826)),
        (Method.GAS, "125×3.16×1.35", D(533)),
    ]
    assert calculations(extract, "2107备用面") == [
        (Method.GAS, "125×1.28×1.3", D(208)),
        (Method.STANDBY_HALF, "1372×50%", D(686)),
    ]
    assert extract.places[1].basis["working_need_m3_min"].value == D(1372)
    assert extract.places[1].chapter_required is not None
    assert extract.places[1].chapter_required.value == D(686)


def test_places_may_head_the_columns_of_a_calculation_table() -> None:
    extract = read(
        "掘进：2-308回风顺槽、2-310胶带顺槽。\n（三）掘进工作面\n计算项目|2-308回风顺槽|2-310胶带顺槽\n"
        "断面（m²）|13.2|15.6\n人数法|4×20=80|4×22=88\n局扇法|380×1+15×13.2=578|420×1+15×15.6=654\n"
        "三、配风表\n用风地点|需风量|计划风量\n2-308回风顺槽|578|600\n2-310胶带顺槽|654|680\n"
    )

    assert [p.type for p in extract.places] == [PlaceType.HEADING, PlaceType.HEADING]
    assert calculations(extract, "2-310胶带顺槽") == [
        (Method.PEOPLE, "4×22", D(88)),
        (Method.LOCAL_FAN, "420×1+15×15.6", D(654)),
    ]
    evidence = extract.places[1].calculations[1].evidence[0]
    assert (evidence.row, evidence.column, evidence.quote) == (4, 3, "420×1+15×15.6=654")


def test_several_equations_in_one_cell_are_several_calculations() -> None:
    extract = read(
        "三、计算\n地点|计算过程|取值\n3103进风巷|瓦斯：100×0.7×1.8=126；局扇：400×1+15×14.2=613；人数：4×20=80|613\n"
        "中央变电所|3600×420×0.03÷(1.2×1.0006×60×5)=125.9|126\n四、配风\n场所|类型|应供风量|拟供风量\n"
        "3103进风巷|掘|613|640\n中央变电所|硐|126|130\n"
    )

    assert calculations(extract, "3103进风巷") == [
        (Method.GAS, "100×0.7×1.8", D(126)),
        (Method.LOCAL_FAN, "400×1+15×14.2", D(613)),
        (Method.PEOPLE, "4×20", D(80)),
    ]
    assert [p.type for p in extract.places] == [PlaceType.HEADING, PlaceType.CHAMBER]


def test_sentences_of_one_paragraph_are_about_their_own_places() -> None:
    extract = read(
        "各硐室：中央变电所，4×30=120，取120m³/min；中央水泵房，4×20=80，取80m³/min。\n"
        "用风地点|需风量|计划风量\n中央变电所|120|125\n中央水泵房|80|85\n"
    )

    assert [stated for _, _, stated in calculations(extract, "中央变电所")] == [D(120)]
    assert [stated for _, _, stated in calculations(extract, "中央水泵房")] == [D(80)]


def test_sums_below_the_rows_of_a_system_column_belong_to_the_system_above() -> None:
    extract = read(
        "系统|类别|地点|需要|安排\n中央回风井|采煤|15201面|1350|1400\n〃|硐室|炸药库|60|65\n小计|||1410|1465\n"
        "备用系数|||1.15|\n合计|||1621.5|\n西回风井|采煤|15102面|1105|1150\n〃|硐室|水泵房|80|80\n小计|||1185|1230\n"
        "备用系数|||1.15|\n合计|||1362.75|\n总计|||2984.25|\n"
    )

    assert sums(extract) == {
        "中央回风井": (D(1410), D("1.15"), D("1621.5")),
        "西回风井": (D(1185), D("1.15"), D("1362.75")),
    }
    assert extract.mine_total is not None
    assert extract.mine_total.value == D("2984.25")


def test_principles_in_lines_of_their_own_belong_to_the_words_that_introduce_them() -> None:
    extract = read(
        "四、风量计算方法\n采掘工作面按瓦斯：\nQ=125×q×K\n采煤K取1.2～1.6，综掘K取1.5～2.0。\n爆炸材料库：\nQ=4×V÷60\n"
        "不低于100m³/min。\n矿井通风系数K通取1.15。\n"
        "五、需风量计算过程\n1、爆炸材料库\n4×1500÷60=100m³/min\n用风地点|需风量|计划风量\n爆炸材料库|100|110\n"
    )

    told = {(s.key, s.place_type, s.low, s.high) for s in extract.statements if s.key != "method"}
    assert told == {
        ("gas_factor", PlaceType.COAL_FACE, D(125), D(125)),
        ("gas_factor", PlaceType.HEADING, D(125), D(125)),
        ("gas_unbalance", PlaceType.COAL_FACE, D("1.2"), D("1.6")),
        ("gas_unbalance", PlaceType.HEADING, D("1.5"), D("2.0")),
        ("floor_m3_min", PlaceType.CHAMBER, D(100), None),
        ("reserve_coefficient", None, D("1.15"), D("1.15")),
    }


def test_ranges_of_the_length_coefficient_are_no_ranges_of_the_gas_coefficient() -> None:
    extract = read(
        "四、计算原则\n1、采煤工作面\n工作面长度调整系数：80～150m时，KL取1.0；150～200m时，KL取1.0～1.3。\n"
    )

    assert [s.key for s in extract.statements] == []
    assert [t.coefficient for t in extract.tables] == ["k_length"]


def test_works_of_the_month_are_named_in_tables_lists_and_sentences() -> None:
    extract = read(
        "本月采掘工作面一览表\n序号|工作面|作业方式|回风系统\n1|3101综放面|采煤（综放）|东翼\n"
        "1.3 3104回风巷掘进工作面已停掘，本月不配风。\n本月新增3106切眼掘进工作面，自月初开始施工。\n"
        "用风地点|需风量|计划风量\n3101综放面|1404|1450\n"
    )

    assert [(m.name, m.type, m.status) for m in extract.mentions] == [
        ("3101综放面", PlaceType.COAL_FACE, ""),
        ("3104回风巷掘进工作面", PlaceType.HEADING, "停掘"),
        ("3106切眼掘进工作面", PlaceType.HEADING, "新增"),
    ]


def test_a_fan_may_be_told_in_a_sentence() -> None:
    extract = read(
        TABLE + "主扇校核：东风井主要通风机服务于东风井系统，系统需风量1849.2m³/min，最大供风能力3900m³/min。\n"
    )

    (fan,) = extract.fans
    assert (fan.name, fan.system) == ("东风井主要通风机", "东风井系统")
    assert fan.need is not None
    assert fan.capacity is not None
    assert (fan.need.value, fan.capacity.value) == (D("1849.2"), D(3900))


def test_the_number_of_a_heading_may_stand_right_before_a_name_that_begins_with_a_digit() -> None:
    extract = read(
        "5、需风量计算\n②4煤变电所\nQ=4×30=120m³/min\n5.1.105煤变电所\nQ=4×20=80m³/min\n"
        "用风地点|需风量|计划风量\n4煤变电所|120|125\n5煤变电所|80|85\n"
    )

    assert [stated for _, _, stated in calculations(extract, "4煤变电所")] == [D(120)]
    assert [stated for _, _, stated in calculations(extract, "5煤变电所")] == [D(80)]


def test_labelled_bounds_of_a_speed_check_are_no_calculations() -> None:
    extract = read(
        "1、1103综采工作面\n按人数：Q=4×30=120m³/min\n风速验算：Qmin=60×0.25×19.1×70%=200.55m³/min，"
        "Qmax=60×4×17.6×70%=2956.8m³/min。\n" + TABLE
    )

    assert [method for method, _, _ in calculations(extract, "1103综采工作面")] == [Method.PEOPLE]
    assert [(c.low_m3_min, c.high_m3_min) for c in extract.places[0].speed_checks] == [
        (D("200.55"), None),
        (None, D("2956.8")),
    ]


def test_a_result_told_again_in_other_units_is_the_one_in_cubic_metres_a_minute() -> None:
    extract = read(
        "1、1103综采工作面\n瓦斯法：Q=100×7.4×1.5=1110m³/min=18.5m³/s\n"
        "2、1105运输顺槽掘进面\n局扇法 Q=360+15×14.4=576 m³/min（9.6m³/s）\n" + TABLE
    )

    assert calculations(extract, "1103综采工作面") == [(Method.GAS, "100×7.4×1.5", D(1110))]
    assert calculations(extract, "1105运输顺槽掘进面") == [(Method.LOCAL_FAN, "360+15×14.4", D(576))]


def test_a_row_whose_name_is_a_mark_is_no_place() -> None:
    extract = read(
        "东翼系统配风表\n序号|用风地点|需风量|配风量\n1|水泵房|80|85\n小计|—|80|85\n系统总需风量（小计×1.2）|—|96|—\n"
    )

    assert [p.name for p in extract.places] == ["水泵房"]
    assert sums(extract) == {"东翼系统": (D(80), D("1.2"), D(96))}


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("E1321备采工作面", PlaceType.STANDBY_FACE),
        ("五采区管子道", PlaceType.OTHER_ROADWAY),
        ("21107运输巷综掘工作面", PlaceType.HEADING),
    ],
)
def test_names_tell_their_kind(name: str, kind: PlaceType) -> None:
    extract = read(f"用风地点|需风量|计划风量\n{name}|80|85\n水泵房|80|85\n")

    assert extract.places[0].type is kind


FACE = "1、1103综采工作面\n"


def test_a_check_told_in_two_sentences_has_both_bounds() -> None:
    extract = read(
        FACE + "按人数：Q=4×30=120m³/min\n按最低风速验算：60×0.25×10.8=162m³/min；"
        "按最高风速验算：60×4×9.5=2280m³/min。162≤915≤2280，风速符合规定。\n" + TABLE
    )

    checks = [(c.low_expression, c.high_expression) for c in extract.places[0].speed_checks]
    assert checks == [("60×0.25×10.8", ""), ("", "60×4×9.5")]


def test_the_bare_name_of_a_method_announces_it() -> None:
    extract = read(
        "1、五采区辅助运输巷\n1）胶轮车尾气：\nQ=4×55=220m³/min\n2、1103综采工作面\n人员呼吸\nQ=3×30=90m³/min\n"
        "用风地点|需风量|计划风量\n五采区辅助运输巷|220|230\n1103综采工作面|915|950\n"
    )

    assert [c.method for place in extract.places for c in place.calculations] == [Method.DIESEL, Method.PEOPLE]


def test_a_method_line_with_its_input_is_no_place() -> None:
    extract = read(
        "1、607备用工作面\n1）备用面折半，生产时需风量996m³/min：\nQ备 = 996×50% = 498 m³/min\n"
        "用风地点|需风量|计划风量\n607备用工作面|498|510\n水泵房|80|85\n"
    )

    assert calculations(extract, "607备用工作面") == [(Method.STANDBY_HALF, "996×50%", D(498))]
    assert not [m for m in extract.mentions if "折半" in m.name]


def test_cells_beside_an_expression_explain_its_numbers() -> None:
    extract = read(
        FACE + "计算方法|取值|计算式|结果(m³/min)\n气象条件|K1=1.0，K2=1.3，V=1.1m/s|60×11.3×1.1×1.5×1.3|1455\n"
        "瓦斯涌出|q=1.84m³/min，K=1.6|100×1.84×1.6|295\n人员呼吸|N=30人|3×30|90\n" + TABLE
    )
    basis = {key: p.value for key, p in extract.places[0].basis.items()}

    assert [m for m, _, _ in calculations(extract, "1103综采工作面")] == [Method.CLIMATE, Method.GAS, Method.PEOPLE]
    assert (basis["k_height"], basis["k_length"], basis["speed_m_s"]) == (D("1.0"), D("1.3"), D("1.1"))
    assert (basis["gas_m3_min"], basis["gas_unbalance"], basis["people"]) == (D("1.84"), D("1.6"), D(30))


def statements(extract: PlanExtract, key: str) -> set[tuple[PlaceType | None, Decimal | None, Decimal | None]]:
    return {(s.place_type, s.low, s.high) for s in extract.statements if s.key == key}


def test_a_method_told_without_a_place_holds_for_faces_and_headings() -> None:
    extract = read(
        "四、计算方法\n（1）瓦斯：Q=125×q×K，按0.8%控制；K：综采1.2～1.6，炮掘1.8～2.0。\n（2）二氧化碳：Q=67×q×K。\n"
        "（3）其他巷道：采区内Q=100×q×K。\n" + TABLE
    )
    workings = (PlaceType.COAL_FACE, PlaceType.STANDBY_FACE, PlaceType.HEADING)

    gas = {(kind, D(125), D(125)) for kind in workings} | {(PlaceType.OTHER_ROADWAY, D(100), D(100))}
    assert statements(extract, "gas_factor") == gas
    assert statements(extract, "co2_factor") == {(kind, D(67), D(67)) for kind in workings}
    assert statements(extract, "gas_unbalance") == {
        (PlaceType.COAL_FACE, D("1.2"), D("1.6")),
        (PlaceType.HEADING, D("1.8"), D("2.0")),
    }


def test_the_range_of_the_reserve_is_none_of_standby_faces() -> None:
    extract = read("四、计算方法\n矿井备用风量系数（K通）取1.35，范围1.15～1.25。\n" + TABLE)

    assert statements(extract, "gas_unbalance") == set()
    assert statements(extract, "reserve_range") == {(None, D("1.15"), D("1.25"))}


def test_a_chamber_newly_put_to_use_is_a_place_of_the_month() -> None:
    extract = read("二、布置\n本月七盘区新投入使用七盘区临时变电所一座，独立通风。\n" + TABLE)

    assert [(m.name, m.type) for m in extract.mentions if m.status == "新增"] == [
        ("七盘区临时变电所", PlaceType.CHAMBER)
    ]
