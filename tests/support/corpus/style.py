"""How one mine writes: a drawn choice for everything an author of such papers is free to choose."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random

_CHINESE = "一二三四五六七八九十"
_CIRCLED = "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳"


def chinese_number(n: int) -> str:
    """1 to 99 in Chinese numerals."""
    if n <= 10:
        return _CHINESE[n - 1]
    tens, ones = divmod(n, 10)
    return ("" if tens == 1 else _CHINESE[tens - 1]) + "十" + (_CHINESE[ones - 1] if ones else "")


def circled(n: int) -> str:
    """A circled number up to twenty, a bracketed one beyond."""
    return _CIRCLED[n - 1] if n <= len(_CIRCLED) else f"({n})"


Numbering = tuple[Callable[[int], str], Callable[[int, int], str], Callable[[int, int, int], str]]

NUMBERINGS: dict[str, Numbering] = {
    "classic": (
        lambda a: f"{chinese_number(a)}、",
        lambda _, b: f"（{chinese_number(b)}）",
        lambda _, __, c: f"{c}、",
    ),
    "decimal": (lambda a: f"{a} ", lambda a, b: f"{a}.{b} ", lambda a, b, c: f"{a}.{b}.{c} "),
    "chapter": (
        lambda a: f"第{chinese_number(a)}章 ",
        lambda _, b: f"第{chinese_number(b)}节 ",
        lambda _, __, c: f"（{c}）",
    ),
    "circled": (lambda a: f"{a}、", lambda _, b: f"({b}) ", lambda _, __, c: circled(c)),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """The choices of one pair of documents."""

    plan_format: str  # pdf, docx, txt
    plan_engine: str  # of a pdf: browser, drawn
    report_format: str  # xlsx, csv, docx, pdf
    report_engine: str  # of a pdf: browser, drawn
    rounding: str  # ceil, half, dec1, dec2
    planned_step: int
    numbering: str
    times: str
    divide: str
    unit: str
    area_unit: str
    calculation: str  # prose, lines, columns
    formula_lead: str  # what stands before the equals sign
    omml: bool
    labels: str  # how coefficients are named: where, brackets, none
    place_word: str
    required_word: str
    planned_word: str
    remark_word: str
    area_word: str
    speed_word: str
    kind_word: str
    system_word: str
    subtotal_word: str
    total_word: str
    reserve_word: str
    system_total_word: str
    distribution: str  # per_system, headed, one_table, banded, by_category
    order: str  # planned_first, required_first, remarked
    two_level: bool
    thousands: bool
    full_width: bool
    planned_m3_s: bool  # a second plan column in m³/s
    ruled: bool
    column_order: bool
    rotated: bool
    notes_inside: bool
    serial: bool
    prints_tables: bool
    tables_as_prose: bool
    report_layout: str  # blocks, long, pairs, sheets
    report_m3_s: bool
    fans_as_sentences: bool
    report_title_lines: int
    units_row: bool
    alias: str  # how stations of faces are called
    joiner: str  # between the name and 进风
    txt_table: str  # tab, pipes, spaces


def draw_style(rng: Random) -> Style:
    """One drawn style; choices that exclude one another are sorted out here."""
    plan_format = rng.choices(("pdf", "docx", "txt"), (5, 4, 2))[0]
    engine = rng.choices(("browser", "drawn"), (3, 2))[0] if plan_format == "pdf" else ""
    column_order = plan_format == "pdf" and rng.random() < 0.3
    full_width = plan_format != "pdf" and rng.random() < 0.2  # numbers that no layout engine may break
    ruled = plan_format != "pdf" or column_order or rng.random() < 0.7
    # A page drawn text by text has no room for a column per method.
    calculations = ("prose", "lines") if engine == "drawn" else ("prose", "lines", "columns")
    planned_word = rng.choice(("配风量", "计划风量", "供风量", "分配风量", "计划配风"))
    return Style(
        plan_format=plan_format,
        plan_engine=engine,
        report_format=rng.choices(("xlsx", "csv", "docx", "pdf"), (4, 2, 2, 2))[0],
        report_engine=rng.choice(("browser", "drawn")),
        rounding=rng.choices(("ceil", "half", "dec1", "dec2"), (4, 2, 1, 1))[0],
        planned_step=rng.choice((1, 5, 10)),
        numbering=rng.choice(tuple(NUMBERINGS)),
        times=rng.choice(("×", "×", "*", "·", "x", "∙")),
        divide=rng.choice(("÷", "/", "∕")),
        unit=rng.choice(("m³/min", "m3/min", "㎥/min", "m³/min")),
        area_unit=rng.choice(("m²", "㎡", "m2")),
        calculation=rng.choice(calculations),
        formula_lead=rng.choice(("Q采{n}", "Q{g}-{n}", "Q", "Q需", "")),
        omml=rng.random() < 0.4,
        labels=rng.choice(("where", "brackets", "none")),
        place_word=rng.choice(("用风地点", "地点名称", "巷道名称", "用风点", "作业地点")),
        required_word=rng.choice(("需要风量", "需风量", "计算风量", "计算需风量")),
        planned_word=planned_word,
        remark_word=rng.choice(("备注", "说明", "附注")),
        area_word=rng.choice(("断面", "断面积", "净断面", "有效断面")),
        speed_word=rng.choice(("风速", "预计风速", "核算风速")),
        kind_word=rng.choice(("类别", "用风类别", "类型", "性质")),
        system_word=rng.choice(("回风系统", "所属系统", "所属回风系统")),
        subtotal_word=rng.choice(("小计", "合计", "共计", "系统合计")),
        total_word=rng.choice(("矿井合计", "全矿合计", "总计", "矿井总需风量")),
        reserve_word=rng.choice(("备用系数", "矿井通风系数", "通风系数K通", "风量备用系数")),
        system_total_word=rng.choice(("系统需风量", "系统总需风量", "考虑备用系数后需风量")),
        distribution=rng.choice(("per_system", "headed", "one_table", "banded", "by_category")),
        order=rng.choice(("planned_first", "required_first", "remarked")),
        two_level=plan_format != "txt" and rng.random() < 0.35,
        thousands=not full_width and rng.random() < 0.15,
        full_width=full_width,
        planned_m3_s=rng.random() < 0.12,
        ruled=ruled,
        column_order=column_order,
        rotated=plan_format == "pdf" and rng.random() < 0.2,
        notes_inside=rng.random() < 0.3,
        serial=rng.random() < 0.6,
        prints_tables=rng.random() < 0.8,
        tables_as_prose=rng.random() < 0.35,
        report_layout=rng.choice(("blocks", "long", "pairs", "sheets")),
        report_m3_s=rng.random() < 0.12,
        fans_as_sentences=rng.random() < 0.4,
        report_title_lines=rng.choice((1, 2, 3)),
        units_row=rng.random() < 0.4,
        alias=rng.choice(("same", "面", "工作面", "综采面")),
        joiner=rng.choice(("", "（）", "巷", "侧", "口")),
        txt_table=rng.choice(("tab", "pipes", "spaces")),
    )


def without_browser(style: Style) -> Style:
    """The same style for a case that is written without a browser."""
    if style.plan_engine != "browser":
        return replace(style, report_engine="drawn")
    calculation = "lines" if style.calculation == "columns" else style.calculation
    return replace(style, plan_engine="drawn", report_engine="drawn", calculation=calculation)
