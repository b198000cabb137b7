"""Printed expressions as spreadsheet formulas: the result the plan prints, and nothing but arithmetic."""

import math
import re
from decimal import Decimal
from fractions import Fraction

import pytest

from algorithms.airflow_review.render.excel_formula import exact_formula, rounded_formula

CEILING = re.compile(r"=CEILING\((.+),([\d.]+)\)")
ROUND = re.compile(r"=ROUND\((.+),(\d+)\)")


def as_a_spreadsheet(formula: str) -> float:
    """What a spreadsheet shows, by binary arithmetic of our own."""
    body = re.sub(r"([\d.]+)%", r"(\1/100)", formula.removeprefix("=")).replace("^", "**")
    if match := CEILING.fullmatch(formula):
        step = float(match[2])
        return float(math.ceil(as_a_spreadsheet(f"={match[1]}") / step) * step)
    if match := ROUND.fullmatch(formula):
        scale = 10.0 ** int(match[2])
        return math.floor(as_a_spreadsheet(f"={match[1]}") * scale + 0.5) / scale
    return float(eval(body))  # noqa: S307 - the test's own spreadsheet, on the test's own expressions


@pytest.mark.parametrize(
    ("expression", "stated", "formula"),
    [
        ("60×11.3×1.0×1.2×1.5", "1221", "=CEILING(60*11.3*1*1.2*1.5,1)"),
        ("60×70%×1.0×10.4×1.2×1.0", "524.2", "=CEILING(60*70%*1*10.4*1.2*1,0.1)"),
        ("４×４５", "180", "=4*45"),
        ("9228×1.2", "11073.6", "=9228*1.2"),
        ("100*2.26*1.3", "294", "=CEILING(100*2.26*1.3,1)"),
        ("100×2.261×1.3", "294", "=CEILING(100*2.261*1.3,1)"),
        ("100×2.261×1.31", "296.19", "=ROUND(100*2.261*1.31,2)"),
        ("(110+75)×4", "740", "=(110+75)*4"),
        ("1116÷960", "1.17", "=CEILING(1116/960,0.01)"),
    ],
)
def test_r_air_3_a_printed_calculation_is_a_live_formula(expression, stated, formula):
    found = rounded_formula(expression, Decimal(stated))

    assert found is not None
    assert found.text == formula
    assert found.value == Fraction(stated)
    assert as_a_spreadsheet(found.text) == pytest.approx(float(stated), abs=1e-9)


def test_a_result_that_does_not_follow_gets_no_rounding_formula():
    assert rounded_formula("60×11.3×1.0×1.2×1.5", Decimal(1211)) is None
    assert exact_formula("60×11.3×1.0×1.2×1.5") is not None


@pytest.mark.parametrize(
    "expression",
    ["", "见附表", '=HYPERLINK("http://x")', "cmd|' /C calc'!A0", "A1+B2", "1/0", "(" * 300 + "1", "1" * 9000],
)
def test_text_never_becomes_a_formula(expression):
    assert exact_formula(expression) is None
    assert rounded_formula(expression, Decimal(1)) is None
