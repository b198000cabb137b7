"""Habits of ventilation departments that the first corpora did not have: tables turned or joined, levels in names, lists."""

from __future__ import annotations

from decimal import Decimal

import pytest

from algorithms.airflow_review.documents.document import Cell, Document, DocumentKind, Row, Table
from algorithms.airflow_review.documents.plain_text import parse_text
from algorithms.airflow_review.evidence import Method, PlaceType
from algorithms.airflow_review.extract import PlaceExtract, PlanExtract
from algorithms.airflow_review.reading.place_in_source import of_cell
from algorithms.airflow_review.reading.place_type import type_of_category
from algorithms.airflow_review.reading.plan import read_plan
from algorithms.airflow_review.reading.turned_table import turned

D = Decimal


def read(text: str) -> PlanExtract:
    blocks = parse_text(text.encode(), "plan.txt")
    return read_plan(Document(file="plan.txt", sha256="", kind=DocumentKind.TEXT, pages=None, blocks=blocks))


def place_of(extract: PlanExtract, name: str) -> PlaceExtract:
    return next(place for place in extract.places if place.name == name)


def told(place: PlaceExtract) -> list[tuple[object, ...]]:
    return [(c.method, c.stated) for c in place.calculations]


def flows(extract: PlanExtract) -> list[tuple[object, ...]]:
    return [
        (p.name, p.system, p.required.value if p.required else None, p.planned.value if p.planned else None)
        for p in extract.places
    ]


def test_l7_two_systems_side_by_side_are_named_above_their_halves() -> None:
    extract = read(
        "六、配风计划\n矿井配风计划表\n"
        "东翼回风系统\t\t\t西翼回风系统\t\t\n"
        "用风地点\t需风量（m³/min）\t配风量（m³/min）\t用风地点\t需风量（m³/min）\t配风量（m³/min）\n"
        "1501综采工作面\t900\t910\t2501综采工作面\t800\t805\n"
        "东翼变电所\t60\t60\t西翼变电所\t70\t70\n"
        "小计\t960\t970\t小计\t870\t875\n"
    )

    assert flows(extract) == [
        ("1501综采工作面", "东翼回风系统", 900, 910),
        ("东翼变电所", "东翼回风系统", 60, 60),
        ("2501综采工作面", "西翼回风系统", 800, 805),
        ("西翼变电所", "西翼回风系统", 70, 70),
    ]
    assert {s.name: str(s.subtotal.value) for s in extract.systems if s.subtotal} == {
        "东翼回风系统": "960",
        "西翼回风系统": "870",
    }


def test_a_row_between_bars_may_begin_with_an_empty_cell() -> None:
    extract = read(
        "六、配风计划\n"
        "序号 | 用风地点 | 回风系统 | 风量（m³/min） |  | 备注\n"
        " |  |  | 需风量 | 计划风量 | \n"
        "1 | 1505综采工作面 | 东翼回风系统 | 917 | 920 | \n"
        "2 | 东翼变电所 | 东翼回风系统 | 60 | 65 | \n"
    )

    assert flows(extract) == [("1505综采工作面", "东翼回风系统", 917, 920), ("东翼变电所", "东翼回风系统", 60, 65)]


LEVELS = """五、需风量计算
（一）硐室
1、-650m中央变电所
-650m中央变电所：运行设备总功率300kW，发热系数0.02，进回风温差5℃。
按设备发热量计算：Q=3600×300×0.02÷(1.2×1.0006×60×5)=60m³/min
2、+1180水平水泵房
+1180水平水泵房：运行设备总功率600kW，发热系数0.02，进回风温差5℃。
按设备发热量计算：Q=3600×600×0.02÷(1.2×1.0006×60×5)=120m³/min
六、配风计划
序号\t用风地点\t需风量（m³/min）\t配风量（m³/min）\t回风系统
1\t-650m中央变电所\t60\t60\t中央风井
2\t+1180水平水泵房\t120\t120\t中央风井
"""


@pytest.mark.parametrize(("name", "stated"), [("-650m中央变电所", 60), ("+1180水平水泵房", 120)])
def test_a_name_that_begins_with_its_level_is_no_operator(name: str, stated: int) -> None:
    place = place_of(read(LEVELS), name)

    assert told(place) == [(Method.HEAT, stated)]


RESULTS = """五、需风量计算
（一）掘进
序号\t地点\t断面积（m²）\t瓦斯法（m³/min）\t风速（温度）法（m³/min）\t按局部通风机吸风量及巷道最低风速计算（m³/min）\t取最大值（m³/min）
1\t1507运输顺槽掘进工作面\t16.5\t125\t300\t518\t518
六、配风计划
序号\t用风地点\t需风量（m³/min）\t配风量（m³/min）\t回风系统
1\t1507运输顺槽掘进工作面\t518\t520\t东翼回风系统
"""


def test_a_column_of_a_method_may_name_the_speed_it_uses() -> None:
    place = place_of(read(RESULTS), "1507运输顺槽掘进工作面")

    assert told(place) == [
        (Method.GAS, 125),
        (Method.CLIMATE, 300),
        (Method.LOCAL_FAN, 518),
    ]


STANDBY = """五、需风量计算
（二）备用工作面
1、1506备用工作面
（1）正常生产时所需风量
Q=60×0.7×1.0×10.0×1.1×1.0=462m³/min
（2）按生产需风量的一半配给
Q=0.5×462=231m³/min
需风量取231m³/min。
六、配风计划
序号\t用风地点\t需风量（m³/min）\t配风量（m³/min）\t回风系统
1\t1506备用工作面\t231\t235\t东翼回风系统
"""


def test_what_a_standby_face_needs_when_it_works_is_no_place() -> None:
    extract = read(STANDBY)

    assert [mention.name for mention in extract.mentions if "生产" in mention.name] == []
    assert [c.expression for c in place_of(extract, "1506备用工作面").calculations] == [
        "60×0.7×1.0×10.0×1.1×1.0",
        "0.5×462",
    ]


@pytest.mark.parametrize(
    ("heading", "method"), [("（2）按最低风速验算", Method.SPEED_MIN), ("②按巷道最低风速计算", Method.SPEED_MIN)]
)
def test_the_least_speed_is_a_method_of_a_road_also_where_it_is_called_a_check(heading: str, method: Method) -> None:
    extract = read(
        "五、需风量计算\n（五）其他用风巷道\n1、东翼皮带巷\n（1）按瓦斯涌出量计算\nQ=100×0.5×1.2=60m³/min\n"
        f"{heading}\nQ=60×vmin×S\n式中：vmin——允许最低风速，m/s；S——断面积，m²。\nQ=60×0.25×14.0=210m³/min\n"
        "需风量取210m³/min。\n六、配风计划\n序号\t用风地点\t需风量（m³/min）\t配风量（m³/min）\t回风系统\n"
        "1\t东翼皮带巷\t210\t210\t东翼回风系统\n"
    )

    place = place_of(extract, "东翼皮带巷")
    assert told(place) == [(Method.GAS, 60), (method, 210)]
    assert place.speed_checks == ()


def test_the_least_speed_of_a_road_may_stand_in_the_same_sentence() -> None:
    extract = read(
        "五、需风量计算\n（五）其他用风巷道\n1、东翼皮带巷\n"
        "按瓦斯涌出量计算：Q其他=100×0.5×1.2=60m³/min；按最低风速验算：Q其他=60×0.25×14.0=210m³/min。\n"
        "六、配风计划\n序号\t用风地点\t需风量（m³/min）\t配风量（m³/min）\t回风系统\n"
        "1\t东翼皮带巷\t210\t210\t东翼回风系统\n"
    )

    assert told(place_of(extract, "东翼皮带巷")) == [(Method.GAS, 60), (Method.SPEED_MIN, 210)]


MATRIX = """五、需风量计算
一、采煤工作面
计算方法\t2301综采工作面\t2302综采工作面\t2303综采工作面
进风流温度（℃）\t22\t24\t22
适宜风速（m/s）\t1.1\t1.7\t1.2
按瓦斯涌出量计算\t100×3.0×1.2=360\t100×4.0×1.2=480\t100×5.0×1.2=600
三、掘进工作面需风量计算
序号\t地点\t断面积（m²）\t人数法（m³/min）\t取最大值（m³/min）
1\t22层岩石集中道掘进队\t8.5\t88\t88
四、硐室需风量计算
硐室需风量计算表
计算方法\t中央变电所\t水泵房\t火药库
按设备发热量计算\t3600×300×0.02÷(1.2×1.0006×60×5)=60\t3600×600×0.02÷(1.2×1.0006×60×5)=120\t—
按换气次数计算\t—\t—\t4×1500÷60=100
六、配风计划
用风地点\t需风量（m³/min）\t配风量（m³/min）\t回风系统
2301综采工作面\t360\t360\t东风井
2302综采工作面\t480\t480\t东风井
2303综采工作面\t600\t600\t东风井
中央变电所\t60\t60\t东风井
水泵房\t120\t120\t东风井
火药库\t100\t100\t东风井
"""


def test_temperatures_and_speeds_of_several_faces_are_no_table_of_brackets() -> None:
    assert read(MATRIX).tables == ()


@pytest.mark.parametrize(
    ("name", "method", "stated"),
    [("中央变电所", Method.HEAT, 60), ("水泵房", Method.HEAT, 120), ("火药库", Method.AIR_CHANGES, 100)],
)
def test_two_tables_with_places_across_stay_two(name: str, method: Method, stated: int) -> None:
    assert told(place_of(read(MATRIX), name)) == [(method, stated)]


SERIES = """二、采掘安排
1508回风顺槽掘进工作面与1507运输顺槽掘进工作面串联通风，1507运输顺槽掘进工作面的回风供1508回风顺槽掘进工作面使用。
六、配风计划
序号\t用风地点\t需风量（m³/min）\t配风量（m³/min）\t回风系统
1\t1507运输顺槽掘进工作面\t534\t535\t东翼回风系统
2\t1508回风顺槽掘进工作面\t—\t—\t东翼回风系统
1508回风顺槽掘进工作面：与1507运输顺槽掘进工作面串联，风量不重复计算。
"""


def test_the_air_of_a_series_runs_one_way() -> None:
    extract = read(SERIES)

    assert [p.series_after for p in extract.places] == [None, "1507运输顺槽掘进工作面"]


PRINCIPLES = """四、风量计算原则
瓦斯涌出不均衡系数：综采工作面取1.2～1.6，掘进工作面取1.8～2.0，其他巷道取1.2～1.3。
机电硐室、爆破材料库不小于60m³/min，充电硐室不小于100m³/min。
六、配风计划
序号\t用风地点\t需风量（m³/min）\t配风量（m³/min）\t回风系统
1\t东翼皮带巷\t210\t210\t东翼回风系统
"""


def test_a_list_of_ranges_gives_each_kind_its_own() -> None:
    found = {(s.key, s.place_type, s.low, s.high) for s in read(PRINCIPLES).statements}

    assert {
        ("gas_unbalance", PlaceType.COAL_FACE, D("1.2"), D("1.6")),
        ("gas_unbalance", PlaceType.HEADING, D("1.8"), D("2.0")),
        ("gas_unbalance", PlaceType.OTHER_ROADWAY, D("1.2"), D("1.3")),
        ("floor_m3_min", PlaceType.CHAMBER, D(60), None),
        ("floor_m3_min", PlaceType.CHAMBER, D(100), None),
    } <= found


def test_a_place_without_a_telling_name_is_what_its_section_is_about() -> None:
    extract = read(
        "五、需风量计算\n（四）硐室需风量计算\n1、东翼排水点\n按经验值取60m³/min。\n六、配风计划\n"
        "序号\t用风地点\t需风量（m³/min）\t配风量（m³/min）\t回风系统\n1\t东翼排水点\t60\t60\t东翼回风系统\n"
    )

    assert place_of(extract, "东翼排水点").type is PlaceType.CHAMBER


GATEWAY = """五、需风量计算
（三）掘进工作面需风量计算
1、Ⅱ1004机巷
Q=340×1+15×15.6=574m³/min
{category}
1、Ⅱ1轨道下山
Q=60×0.25×10.0=150m³/min
六、配风计划
序号\t用风地点\t需风量（m³/min）\t配风量（m³/min）\t回风系统
1\tⅡ1004机巷\t574\t580\t中央风井
2\tⅡ1轨道下山\t150\t150\t中央风井
"""


@pytest.mark.parametrize("category", ["（四）其他用风巷道需风量计算", "（四）又一节"])
def test_a_gateway_with_a_local_fan_under_headings_is_driven_and_a_road_is_not(category: str) -> None:
    extract = read(GATEWAY.format(category=category))

    assert [p.type for p in extract.places] == [PlaceType.HEADING, PlaceType.OTHER_ROADWAY]


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("炮掘工作面", PlaceType.HEADING),
        ("连采面", PlaceType.HEADING),
        ("掘进碛头", PlaceType.HEADING),
        ("掘进队", PlaceType.HEADING),
        ("综采队", PlaceType.COAL_FACE),
        ("待采工作面", PlaceType.STANDBY_FACE),
    ],
)
def test_words_of_several_coal_fields(words: str, kind: PlaceType) -> None:
    assert type_of_category(words) is kind


def test_a_cell_of_a_turned_table_stands_on_the_page_of_its_printed_row() -> None:
    rows = tuple(
        Row(cells=tuple(Cell(text=f"{r}{c}", key=(r, c)) for c in range(2)), page=page) for r, page in enumerate((4, 5))
    )

    evidence = of_cell("plan.pdf", turned(Table(index=1, rows=rows)), 1, 1)

    assert (evidence.page, evidence.row, evidence.column, evidence.quote) == (5, 2, 2, "11")
