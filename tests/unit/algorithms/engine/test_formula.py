from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.airflow_review.engine.formula import FormulaError, compute, parse, symbols_of, try_compute


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("60×11.3×1.0×1.2×1.5", "1220.4"),
        ("60×70%×1.0×15.4×1.1×1.30", "924.924"),
        ("60·0.25·11.6", "174"),
        ("4 × (110＋75+55)", "960"),
        ("4（110+75）", "740"),
        ("１２×３", "36"),
        ("280m³/min×1台+15x16.9m²", "533.5"),
        ("1,221+9", "1230"),
        ("4×1350÷60", "90"),
        ("1116：960", "1.1625"),
        ("-3+5", "2"),
        ("2-(-3)", "5"),
        ("18²", "324"),
        ("2^10", "1024"),
        ("8^(1/3)", "2"),
    ],
)
def test_printed_expressions_in_all_their_spellings_are_computed_exactly(text: str, value: str) -> None:
    assert compute(text) == Fraction(value)


@pytest.mark.parametrize(("text", "value"), [("√2", 2**0.5), ("1.19/√0.571", 1.19 / 0.571**0.5), ("∛7", 7 ** (1 / 3))])
def test_roots_are_cut_far_behind_the_point(text: str, value: float) -> None:
    assert float(compute(text)) == pytest.approx(value, rel=1e-14)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "60×",
        "(1+2",
        "1)",
        "a b",
        "Q采×1.2",
        "1÷0",
        "0^-1",
        "__import__('os')",
        "9^999",
        "2^0.1",
        "(" * 60,
        "1+" * 2000 + "1",
    ],
)
def test_what_is_no_expression_gives_an_error_and_never_runs(text: str) -> None:
    with pytest.raises(FormulaError):
        compute(text)
    assert try_compute(text) is None


def test_a_rule_names_its_symbols_and_asks_for_each() -> None:
    node = parse("fan_flow_m3_min*fan_count+15*area_m2")

    assert symbols_of(node) == {"fan_flow_m3_min", "fan_count", "area_m2"}
    with pytest.raises(FormulaError, match="area_m2"):
        compute("15*area_m2", {})


@given(st.lists(st.decimals(min_value="0.01", max_value="999", places=2), min_size=1, max_size=6))
def test_products_agree_with_exact_multiplication(numbers: list[object]) -> None:
    expected = Fraction(1)
    for number in numbers:
        expected *= Fraction(str(number))

    assert compute("×".join(map(str, numbers))) == expected
