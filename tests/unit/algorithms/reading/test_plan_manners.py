"""Further manners of writing a plan: levels of headers, rules in one sentence, letters of MT/T 634, cells merged nowhere."""

from __future__ import annotations

from decimal import Decimal

import pytest

from algorithms.airflow_review.documents.document import Document, DocumentKind
from algorithms.airflow_review.documents.plain_text import parse_text
from algorithms.airflow_review.evidence import Method, PlaceType
from algorithms.airflow_review.extract import PlanExtract
from algorithms.airflow_review.reading.coefficient_tables import brackets_in_text
from algorithms.airflow_review.reading.parameters import parameters_in_text
from algorithms.airflow_review.reading.plan import read_plan

D = Decimal


def read(text: str) -> PlanExtract:
    blocks = parse_text(text.replace("|", "\t").encode(), "plan.txt")
    return read_plan(Document(file="plan.txt", sha256="", kind=DocumentKind.TEXT, pages=None, blocks=blocks))


def sums(extract: PlanExtract) -> list[tuple[object, ...]]:
    return [(s.name, *(p and p.value for p in (s.subtotal, s.coefficient, s.required))) for s in extract.systems]


METHODS = """东风井系统配风表
序号|地点|计算需风量（m³/min）||||取大值|分配风量
||瓦斯|人数|局扇|气象/风速||
1|2402工作面|191|124||670|670|680
2|2404运顺掘进面|150|56|592||592|600
|小计|||||1262|1280
|备用系数|||||1.2|
|需风量|||||1514.4|
"""


def test_r_pit_16_the_air_of_one_method_is_not_what_the_place_needs() -> None:
    extract = read(METHODS)

    assert [(p.name, p.required and p.required.value) for p in extract.places] == [
        ("2402工作面", D(670)),
        ("2404运顺掘进面", D(592)),
    ]
    assert sums(extract) == [("东风井系统", D(1262), D("1.2"), D("1514.4"))]


def test_a_group_heading_counts_for_all_columns_below_it_where_no_cell_is_merged() -> None:
    found = [[(c.method, c.stated) for c in p.calculations] for p in read(METHODS).places]

    assert found == [
        [(Method.GAS, D(191)), (Method.PEOPLE, D(124)), (Method.CLIMATE, D(670))],
        [(Method.GAS, D(150)), (Method.PEOPLE, D(56)), (Method.LOCAL_FAN, D(592))],
    ]


def test_several_methods_without_a_value_taken_leave_the_need_open() -> None:
    extract = read(
        "东风井系统配风表\n地点|瓦斯法需风量|人数法需风量|配风量\n2402工作面|191|124|680\n2404工作面|90|84|300\n"
    )

    assert [p.required for p in extract.places] == [None, None]


def test_the_brackets_of_several_coefficients_in_one_sentence_are_kept_apart() -> None:
    text = (
        "系数：进风流气温20℃以下风速取1.0m/s，20～23℃取1.0～1.5m/s；采高小于2m系数1.0，2～2.5m系数1.1，2.5m以上系数1.5；"
        "面长80～150m系数1.0，150～200m系数1.0～1.3。"
    )

    found = {t.coefficient: [(b.low, b.value_low) for b in t.brackets] for t in brackets_in_text(text, ())}

    assert found == {
        "speed_m_s": [(None, D("1.0")), (D(20), D("1.0"))],
        "k_height": [(None, D("1.0")), (D(2), D("1.1")), (D("2.5"), D("1.5"))],
        "k_length": [(D(80), D("1.0")), (D(150), D("1.0"))],
    }


@pytest.mark.parametrize(
    ("text", "method", "values"),
    [
        ("b）按瓦斯涌出量：Qcf=100·qcg·kcg，kcg取1.5", Method.GAS, {"gas_unbalance": D("1.5")}),
        ("c）按二氧化碳涌出量：Qcf=67·qcc·kcc，kcc取1.4", Method.CO2, {"co2_unbalance": D("1.4")}),
        ("kch取1.5，kcl取1.3", None, {"k_height": D("1.5"), "k_length": D("1.3")}),
        ("已知：t=24℃，qcg=2.69m³/min，qhc=0.71m³/min，Nhf=15人", None,
         {"intake_temperature_c": D(24), "gas_m3_min": D("2.69"), "co2_m3_min": D("0.71"), "people": D(15)}),
    ],
)  # fmt: skip
def test_letters_of_the_standard_mean_what_it_says(
    text: str, method: Method | None, values: dict[str, Decimal]
) -> None:
    assert {p.key: p.printed.value for p in parameters_in_text(text, (), method)} == values


def test_the_mine_told_in_the_line_of_its_heading_ends_the_last_place() -> None:
    extract = read(
        "四、计算\n1. 15盘区胶运大巷：断面10.3m²；按最低风速：Q=60×0.25×10.3=155m³/min；取最大值155m³/min。\n"
        "五、矿井需风量：一号风井系统155×1.2=186m³/min；合计186m³/min。\n"
        "六、配风\n一号风井系统配风表\n地点|需风量|配风量\n15盘区胶运大巷|155|160\n小计|155|160\n"
    )

    (road,) = extract.places
    assert [c.expression for c in road.calculations] == ["60×0.25×10.3"]
    assert sums(extract) == [("一号风井系统", D(155), D("1.2"), D(186))]


def test_a_list_parted_by_commas_behind_a_colon_is_a_list() -> None:
    extract = read(
        "采煤：2402工作面。掘进：2404(8)运顺，2406底板巷，2408底抽巷。\n"
        "东风井系统配风表\n地点|需风量|配风量\n2402工作面|670|680\n2404(8)运顺|592|600\n2406底板巷|347|350\n"
    )

    assert [(p.name, p.type) for p in extract.places] == [
        ("2402工作面", PlaceType.COAL_FACE),
        ("2404(8)运顺", PlaceType.HEADING),
        ("2406底板巷", PlaceType.HEADING),
    ]
    assert "2408底抽巷" in {m.name for m in extract.mentions}


def test_l02_a_system_printed_once_counts_for_its_block_only_at_the_head_of_it() -> None:
    head = "回风系统|地点|需风量|配风量\n"
    sum_rows = "|小计|{0}|{0}\n|备用系数|1.2|\n"
    top = read(
        "配风表\n" + head + "一号风井系统|15207综采工作面|800|810\n|15盘区变电所|80|90\n" + sum_rows.format(880)
        + "二号风井系统|25207综采工作面|700|710\n|25盘区变电所|70|70\n" + sum_rows.format(770)
    )  # fmt: skip
    middle = read(
        "配风表\n" + head + "一号风井系统|15207综采工作面|800|810\n" + sum_rows.format(800)
        + "|25207综采工作面|700|710\n二号风井系统|25盘区变电所|70|70\n|25盘区水泵房|60|60\n" + sum_rows.format(830)
    )  # fmt: skip

    assert [p.system for p in top.places] == ["一号风井系统"] * 2 + ["二号风井系统"] * 2
    assert [p.system for p in middle.places] == ["一号风井系统", None, "二号风井系统", None]


def test_in_a_mine_with_one_system_the_mines_sum_is_the_systems() -> None:
    rows = "斜风井配风表\n地点|需风量|配风量\n10101采煤面|600|610\n变电所|80|90\n合计|680|700\n"
    by_row = read(rows + "矿井需风系数|1.2|\n矿井总需风量|816|\n")
    by_sentence = read(rows + "矿井总需风量：680×1.2=816m³/min（备用系数取1.2）。\n")

    assert sums(by_row) == sums(by_sentence) == [("斜风井", D(680), D("1.2"), D(816))]
    assert by_row.mine_total is not None
    assert by_row.mine_total.value == D(816)


def test_r_pit_21_a_span_of_days_alone_under_the_title_is_the_period() -> None:
    extract = read("宏达煤矿8月份配风计划\n（2025年8月1日-2025年8月31日）\n一、概况\n")

    assert (str(extract.period.start), str(extract.period.end)) == ("2025-08-01", "2025-08-31")


def test_l02_methods_in_rows_below_the_only_row_that_names_their_place_are_its_own() -> None:
    extract = read(
        "三、计算\n地点|计算方法|计算式|结果(m³/min)|需风量(m³/min)\n"
        "E3201综采面|气象条件|60*0.7*1.5*14.1*1.2*1.1=1173|1173|1173\n|瓦斯|100*1.69*1.3=220|220|\n|人数|4*37=148|148|\n"
        "E3203综采面|气象条件|60*0.7*1.0*11.1*1.1*1.0=513|513|513\n|人数|4*21=84|84|\n"
        "东翼回风系统配风表\n地点|需风量|配风量\nE3201综采面|1173|1175\nE3203综采面|513|515\n"
    )

    assert [[(c.method, c.stated) for c in p.calculations] for p in extract.places] == [
        [(Method.CLIMATE, D(1173)), (Method.GAS, D(220)), (Method.PEOPLE, D(148))],
        [(Method.CLIMATE, D(513)), (Method.PEOPLE, D(84))],
    ]


def test_places_in_brackets_behind_their_number_are_a_list() -> None:
    extract = read(
        "二、本月布置采煤面1个，掘进面3个（10102运输巷掘进面、10102回风巷掘进面、10103运输巷掘进面）。\n"
        "斜风井配风表\n地点|需风量|配风量\n10102运输巷掘进面|600|610\n10102回风巷掘进面|500|510\n"
    )

    assert "10103运输巷掘进面" in {m.name for m in extract.mentions}


def test_a_table_of_parameters_headed_by_the_kind_of_its_places_is_theirs() -> None:
    extract = read(
        "二、计算\n掘进工作面|岩性|断面（m²）|局扇吸风量（m³/min）\n3306上顺槽掘进工作面|煤巷|18.3|385\n"
        "3308下顺槽掘进工作面|岩巷|17.9|340\n地点|按瓦斯涌出量|最大值\n3306上顺槽掘进工作面|100×0.64×1.8=116|660\n"
        "总回风井系统配风表\n地点|需风量|配风量\n3306上顺槽掘进工作面|660|660\n3308下顺槽掘进工作面|502|505\n"
    )

    first, second = extract.places
    assert (first.attributes["roadway_kind"], second.attributes["roadway_kind"]) == ("煤巷", "岩巷")
    assert first.basis["area_m2"].value == D("18.3")
    assert "area_max_m2" not in first.basis, "最大值 is the largest method and no section"


def test_a_shortened_symbol_behind_the_words_means_what_the_words_say() -> None:
    found = parameters_in_text("采高系数K1取1.1，瓦斯涌出量3.64m³/min，涌出不均衡系数取1.3", (), Method.GAS)

    assert {p.key: p.printed.value for p in found} == {
        "k_height": D("1.1"), "gas_m3_min": D("3.64"), "gas_unbalance": D("1.3")
    }  # fmt: skip


@pytest.mark.parametrize("name", ["中央区通风系统", "西翼区通风系统"])
def test_a_system_keeps_its_name_in_a_caption_about_air(name: str) -> None:
    extract = read(f"表1 {name}风量分配表\n地点|需风量|配风量\n变电所|80|90\n合计|80|90\n")

    assert [s.name for s in extract.systems] == [name]


def test_sums_of_single_kinds_in_tables_of_their_own_are_not_the_systems_sum() -> None:
    extract = read(
        "表1 回风立井系统综采工作面配风\n地点|需风量|配风量\n122106综采工作面|1500|1510\n122108综采工作面|1400|1410\n小计|2900|2920\n"
        "表2 回风立井系统硐室配风\n地点|需风量|配风量\n中央变电所|80|90\n盘区水泵房|60|60\n小计|140|150\n"
        "表3 回风立井系统风量汇总\n系统|需风量小计|矿井通风系数|总需风量\n回风立井系统|3040|1.2|3648\n"
    )

    (own,) = extract.systems
    (told,) = extract.summary
    assert (own.subtotal, told.subtotal and told.subtotal.value) == (None, D(3040))


def test_the_mines_need_told_in_a_sentence_is_no_method_of_the_last_place() -> None:
    extract = read(
        "第二节 需风量\n1. 措施井联络巷\n按最低风速计算为60×0.25×8.7=131m³/min；取大值，需风量确定为131m³/min。\n"
        "五、全矿\n通风系数取1.2，矿井总需风量为131×1.2=157.2m³/min。\n"
        "回风立井系统配风表\n地点|需风量|配风量\n措施井联络巷|131|140\n"
    )

    (road,) = extract.places
    assert [c.stated for c in road.calculations] == [D(131)]
    assert extract.mine_total is not None
    assert extract.mine_total.value == D("157.2")
