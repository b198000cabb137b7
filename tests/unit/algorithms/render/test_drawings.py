"""Drawings: the figures of the review and nothing else, unknown values as unknown, plain SVG that a strict page takes."""

import re
from dataclasses import replace
from decimal import Decimal
from xml.etree import ElementTree as ET

import pytest

from algorithms.airflow_review.evidence import PlaceType
from algorithms.airflow_review.model import CheckStatus
from algorithms.airflow_review.render.blocks import Chart, Table
from algorithms.airflow_review.render.content import report_content
from algorithms.airflow_review.render.svg.palette import bright, dark_rules
from algorithms.airflow_review.render.words import LANGS, load_words
from tests.unit.algorithms.render.drawing_cases import (
    CASES,
    crowded_review,
    speedy_review,
    two_places_review,
    unsound_sums_review,
)
from tests.unit.algorithms.render.sample import HOSTILE, sample_review

SVG = "{http://www.w3.org/2000/svg}"
ELEMENTS = {"svg", "title", "desc", "g", "rect", "text", "circle", "polygon"}
ATTRIBUTES = {
    "role", "width", "height", "viewBox", "font-family", "font-size", "font-weight", "x", "y", "dx", "cx", "cy", "r", "points", "class", "fill",
    "stroke", "stroke-dasharray", "text-anchor", "transform", "data-loc", "pointer-events",
}  # fmt: skip


def drawings(review, section, lang="zh"):
    """The parts of a chapter's drawing, parsed."""
    content = report_content(review, load_words(lang))
    blocks = next((one.blocks for one in content.sections if one.key == section), ())
    return [ET.fromstring(block.svg) for block in blocks if isinstance(block, Chart)]  # noqa: S314 - our own drawing


def rows(review, section, lang="zh"):
    """Each row of a drawing: subject, its element, its texts without the tooltip."""
    groups = (group for drawing in drawings(review, section, lang) for group in drawing.iter(f"{SVG}g"))
    return [
        (group.get("data-loc"), group, [text.text for text in group.iter(f"{SVG}text")])
        for group in groups
        if group.get("data-loc") is not None
    ]


def row_of(review, section, subject, lang="zh"):
    return next((group, texts) for name, group, texts in rows(review, section, lang) if name == subject)


def marks(group, tag, role):
    return [one for one in group.iter(f"{SVG}{tag}") if one.get("class") == role]


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("case", CASES)
def test_drawings_are_plain_svg_without_style_script_or_reference(case, lang):
    for section in ("comparisons", "speeds", "sums"):
        for drawing in drawings(CASES[case](), section, lang):
            assert {one.tag.removeprefix(SVG) for one in drawing.iter()} <= ELEMENTS
            assert {name for one in drawing.iter() for name in one.attrib} <= ATTRIBUTES
            assert not [
                value for one in drawing.iter() for value in one.attrib.values() if "url(" in value or "//" in value
            ]


def test_all_three_drawings_are_in_the_report_and_name_their_unit():
    for section, unit in (("comparisons", "m³/min"), ("speeds", "m/s"), ("sums", "m³/min")):
        [drawing] = drawings(two_places_review(), section)
        assert unit in drawing.find(f"{SVG}text").text


def test_a_bullet_row_bears_the_figures_of_the_review():
    group, texts = row_of(sample_review(), "comparisons", "P001")

    assert texts == ["范本综采工作面", "1221", "1250", "1105", "-116", "0.9049", "不足"]
    assert "需 1221，计 1250，测 1105 m³/min" in group.find(f"{SVG}title").text


def test_bars_are_as_long_as_their_share_of_the_need():
    group, _ = row_of(sample_review(), "comparisons", "P001")
    [measured], [planned], [need] = (marks(group, "rect", role) for role in ("bad", "band", "ink"))
    left = float(measured.get("x"))
    to_need = float(need.get("x")) + float(need.get("width")) / 2 - left

    assert float(measured.get("width")) / to_need == pytest.approx(1105 / 1221, abs=0.002)
    assert float(planned.get("width")) / to_need == pytest.approx(1250 / 1221, abs=0.002)


def test_a_copied_number_has_no_space_in_it_though_its_thousands_stand_apart():
    group, _ = row_of(sample_review(), "comparisons", "矿井")
    number = next(one for one in group.iter(f"{SVG}text") if one.text == "32497.2")

    assert number.get("dx").split() == ["0", "0", "2.5", "0", "0"]
    assert number.get("text-anchor") == "end"


def test_an_unknown_value_is_drawn_as_unknown_and_never_as_nothing():
    for section in ("comparisons", "sums"):
        group, texts = row_of(sample_review(), section, "P004")
        assert texts.count("人工") == 2  # need and measured air
        assert "0" not in texts
        assert marks(group, "rect", "unknown")
        assert not [one for one in group.iter(f"{SVG}rect") if float(one.get("width")) == 0]
    group, texts = row_of(sample_review(), "comparisons", "P004")
    assert "需风量未知，人工复核" in texts
    assert not marks(group, "rect", "good")


def test_a_plan_alone_is_drawn_by_its_plan_and_asks_for_no_measurement():
    group, texts = row_of(sample_review(has_report=False), "comparisons", "P001")

    assert texts == ["范本综采工作面", "1221", "1250", "—", "—", "1.0237", "满足"]
    assert not marks(group, "rect", "unknown")


def test_the_planned_sum_of_a_system_is_written_and_not_drawn_against_a_need_that_has_the_reserve_in_it():
    review = sample_review()
    first = replace(review.plan.systems[0], planned_subtotal_stated=Decimal(9250))
    group, texts = row_of(
        replace(review, plan=replace(review.plan, systems=(first, *review.plan.systems[1:]))), "comparisons", "S1"
    )

    assert "9250" in texts
    assert not marks(group, "rect", "band")


def test_speeds_stand_worst_first_and_chambers_without_a_limit_are_not_drawn():
    subjects = [subject for subject, _, _ in rows(speedy_review(), "speeds")]

    assert subjects == ["P006", "R006", "P001", "P005", "P007", "P003", "P002", "P008"]


def test_a_speed_beyond_its_limit_is_red_with_its_figure_and_a_word():
    group, texts = row_of(speedy_review(), "speeds", "P001")

    assert texts == ["过快面", "0.25", "4", "4.6", "4.61", "高于上限"]
    assert len(marks(group, "polygon", "bad")) == len(marks(group, "circle", "bad")) == 1
    assert {one.get("class") for one in group.iter(f"{SVG}text") if one.text in {"4.6", "4.61", "高于上限"}} == {"bad"}


def test_a_station_of_no_place_that_broke_a_limit_has_a_row_with_that_limit():
    group, texts = row_of(speedy_review(), "speeds", "R006")

    assert texts == ["总回风巷", "—", "8", "—", "12.5", "高于上限"]
    assert marks(group, "polygon", "bad")  # an arrow: the axis ends before it
    assert not marks(group, "circle", "bad")


def test_a_speed_beyond_its_limit_that_the_review_has_not_named_is_a_manual_check():
    _, texts = row_of(speedy_review(), "speeds", "P005")

    assert texts[-1] == "人工复核"


def test_a_place_whose_speed_nobody_measured_is_a_manual_check_where_there_is_a_report():
    _, texts = row_of(speedy_review(), "speeds", "P007")

    assert texts == ["未测掘进", "0.25", "4", "0.9", "人工", "人工复核"]


def test_without_a_report_the_planned_speed_alone_stands_to_its_limits():
    _, texts = row_of(replace(speedy_review(), report=None, alignment=None), "speeds", "P007")

    assert texts == ["未测掘进", "0.25", "4", "0.9", "—", "在限内"]


def test_two_stations_of_a_place_have_a_mark_each_and_the_span_as_figure():
    group, texts = row_of(speedy_review(), "speeds", "P002")

    assert len(marks(group, "circle", "good")) == 2
    assert "1.75～1.92" in texts


def test_marks_stand_on_a_logarithmic_axis():
    group, _ = row_of(speedy_review(), "speeds", "P002")
    low, high = sorted(marks(group, "rect", "ink"), key=lambda one: float(one.get("x")))
    inner = float(low.get("x")) + float(low.get("width"))
    span = float(high.get("x")) - inner  # from 0.25 to 4: four doublings
    disc = min(float(one.get("cx")) for one in marks(group, "circle", "good"))

    assert (disc - inner) / span == pytest.approx(0.7018, abs=0.003)  # log2(1.75 / 0.25) / 4


def test_every_speed_has_its_figure_in_the_table_beside_the_drawing():
    content = report_content(speedy_review(), load_words("zh"))
    blocks = next(section.blocks for section in content.sections if section.key == "speeds")
    table = blocks[-1]
    assert isinstance(table, Table)
    rows_of_table = {row[0].text: [cell.text for cell in row] for row in table.rows}

    assert rows_of_table["过快面"][3:8] == ["0.25", "4", "4.6", "4.61", "高于上限 F001"]
    assert rows_of_table["平常面"][6] == "平常面进风 1.75；平常面回风 1.92"
    assert "变电所" not in rows_of_table
    assert "按需风量" in rows_of_table["无计划"][7]
    assert any("另有 1 处没有可用的风速限值" in getattr(block, "text", "") for block in blocks)


def test_a_review_without_any_speed_limit_has_no_chapter_of_speeds():
    review = two_places_review()
    bare = replace(review.plan, places=tuple(replace(one, speed_check=None) for one in review.plan.places))

    assert "speeds" not in {
        section.key for section in report_content(replace(review, plan=bare), load_words("zh")).sections
    }


def test_the_tree_goes_from_the_mine_to_its_places_and_ends_with_the_fans():
    found = [(subject, texts[0]) for subject, _, texts in rows(sample_review(), "sums")]

    assert [subject for subject, _ in found] == [
        "矿井",
        "S1",
        "P001",
        "P002",
        "S2",
        "P003",
        "P004",
        "",
        "P005",
        "",
        "一号主扇",
    ]
    assert found[7][1] == "未归入回风系统的地点"
    assert HOSTILE.startswith(found[6][1].rstrip("…"))


def test_sums_that_agree_say_so_with_printed_and_recomputed_figures():
    _, texts = row_of(sample_review(), "sums", "S1")

    assert texts[:6] == ["一号回风立井系统", "11073.6", "人工", "人工", "合计一致", "未判定"]
    assert texts[6] == "需风量小计：印出 9228，逐行之和 9228"
    assert texts[7] == "× 备用系数 1.2：印出 11073.6，按各地点复算需风量 11073.6"


def test_a_sum_that_is_off_says_by_how_much_also_where_a_row_is_the_cause():
    first, own = row_of(unsound_sums_review(), "sums", "S1")
    second, caused = row_of(unsound_sums_review(), "sums", "S2")

    assert "差 +100" in own
    assert "F001 小计不符：印出 9328，应为 9228，差 +100" in own
    assert "差 -8" in caused
    assert not {"合计一致"} & {*own, *caused}
    assert [one.text for one in marks(first, "text", "bad")] == ["差 +100"]
    assert "差 -8" in [one.text for one in marks(second, "text", "watch")]


def test_a_sum_nobody_could_check_is_a_manual_check():
    review = sample_review()
    open_system = replace(review.plan.systems[0], subtotal_stated=None, required_stated=None, status=CheckStatus.MANUAL)
    _, texts = row_of(
        replace(review, plan=replace(review.plan, systems=(open_system, review.plan.systems[1]))), "sums", "S1"
    )

    assert "人工复核" in texts
    assert "合计一致" not in texts


def test_a_recomputed_need_stands_beside_the_printed_one_where_it_differs():
    _, place_texts = row_of(unsound_sums_review(), "sums", "P001")
    _, system_texts = row_of(unsound_sums_review(), "sums", "S2")

    assert place_texts[1:3] == ["复算 1566.3", "1221"]
    assert system_texts[1:3] == ["复算 21999.9", "21423.6"]
    assert not [text for text in row_of(sample_review(), "sums", "P001")[1] if text.startswith("复算")]


def test_a_place_listed_twice_stands_twice_in_the_tree():
    subjects = [subject for subject, _, _ in rows(unsound_sums_review(), "sums")]

    assert subjects.count("P001") == 2


def test_places_share_one_scale_and_wholes_another():
    review = sample_review()
    widths = {subject: max((float(one.get("width")) for one in marks(row_of(review, "sums", subject)[0], "rect", "ink")), default=0.0) for subject in ("矿井", "S1", "P001", "P003")}  # fmt: skip

    assert widths["S1"] / widths["矿井"] == pytest.approx(11073.6 / 32497.2, abs=0.005)
    assert widths["P003"] / widths["P001"] == pytest.approx(60 / 1221, abs=0.005)
    assert widths["P001"] > widths["S1"]


def test_what_only_the_plan_gives_too_little_is_told_and_stands_before_what_is_sound():
    review = sample_review()
    rows_of_review = tuple(replace(row, verdict=type(row.verdict).SHORTAGE, ratio=Decimal("0.9"), planned=Decimal(70), subject="P002", subject_name="变电所",
                                   type=PlaceType.CHAMBER, required=Decimal(80)) if row.basis == "plan_required" else row for row in review.comparisons)  # fmt: skip
    found = rows(replace(review, comparisons=rows_of_review), "comparisons")

    assert [subject for subject, _, _ in found][:2] == ["P001", "P002"]
    assert found[1][2][-1] == "计划不足"


def test_every_object_of_a_crowded_mine_is_drawn_once_in_parts_that_fit_a_page():
    review = crowded_review()
    places = [one.id for one in review.plan.places]

    for section in ("comparisons", "sums"):
        subjects = [subject for subject, _, _ in rows(review, section)]
        assert sorted(subject for subject in subjects if subject.startswith("P")) == places
        for drawing in drawings(review, section):
            width, height = (float(drawing.get(name)) for name in ("width", "height"))
            assert height / width < 267 / 182 - 0.1  # A4 without margins, in mm, and room for the caption
    assert any(texts[0].endswith("（续）") for _, _, texts in rows(review, "sums"))


@pytest.mark.parametrize("case", CASES)
def test_the_same_review_gives_the_same_drawings(case):
    first, second = (ET.tostringlist(one) for one in (drawings(CASES[case](), "sums")[0] for _ in range(2)))

    assert first == second


def test_a_place_name_with_markup_stays_text():
    group, _ = row_of(sample_review(), "comparisons", "P004")

    assert "<script>" in group.find(f"{SVG}title").text


def _luminance(colour):
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(one, other):
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("role", ["ink", "faint", "good", "watch", "bad", "worst", "manual"])
def test_texts_can_be_read_on_bright_and_dark_pages_and_on_their_stripes(role):
    dark = dict(re.findall(r"svg \.(\w+) \{ fill: (#\w+); \}", dark_rules()))

    for page in ("#ffffff", bright("zebra")):
        assert _contrast(bright(role), page) >= 4.5
    for page in ("#14191e", dark["zebra"]):
        assert _contrast(dark[role], page) >= 4.5
