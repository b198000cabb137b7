"""The generator's arithmetic: expected values are printed in the domain notes or follow from the definition of rounding."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.support.corpus.figures import ceil_at, fixed, floor_at, half_up_at, plain, value_of


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("60×11.3×1.0×1.2×1.5", "1220.4"),  # G01
        ("60×0.7×11.3×1.0×1.2×1.5", "854.28"),  # G02
        ("60×70%×11.3×1.0×1.2×1.5", "854.28"),
        ("(9228+17853)×1.2", "32497.2"),  # G05
        ("(4.2×2.2+3.2×2.2)÷2", "8.14"),  # G15
        ("1262×50%", "631"),
        ("280×1+9×16.9", "432.1"),
    ],
)
def test_an_expression_has_its_exact_value(expression: str, value: str) -> None:
    assert value_of(expression) == Fraction(value)


def test_a_quotient_is_not_rounded() -> None:
    assert value_of("3600×100×0.02÷(1.2×1.0006×60×5)") == Fraction(7200) / (Fraction("1.2") * Fraction("1.0006") * 300)


def test_what_is_no_expression_is_refused() -> None:
    with pytest.raises(ValueError, match="not an expression"):
        value_of("60*11.3")


def test_rounding_goes_up_down_and_to_the_nearest() -> None:
    value = Fraction("1220.45")

    assert [ceil_at(value), floor_at(value), half_up_at(value, 1)] == [
        Fraction(1221),
        Fraction(1220),
        Fraction("1220.5"),
    ]


def test_a_number_is_printed_only_where_it_is_exact() -> None:
    assert (fixed(Fraction(11, 10), 2), plain(Fraction("4901.20"))) == ("1.10", "4901.2")
    with pytest.raises(ValueError, match="needs more"):
        fixed(Fraction("0.123"), 2)
