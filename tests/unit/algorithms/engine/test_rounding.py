from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_HALF_UP, Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.airflow_review.engine.arithmetic import judge_chain
from algorithms.airflow_review.engine.rounding import accepted, decimals_of, to_decimal, truncated


@pytest.mark.parametrize(
    ("exact", "printed", "rounding"),
    [
        ("11073.6", "11073.6", "exact"),
        ("1220.4", "1221", "ceil"),
        ("1220.4", "1221.0", "ceil"),
        ("375.58", "376", "ceil"),
        ("733.2", "733", "half_up"),
        ("8.14", "8.2", "ceil"),
        ("21.213", "21.21", "half_up"),
        ("1220.4", "1220", "half_up"),
        ("1216.8", "1216", None),
        ("1220.4", "1211", None),
        ("1220.4", "1222", None),
    ],
)
def test_a_printed_result_is_exact_or_rounded_up_or_half_up(exact: str, printed: str, rounding: str | None) -> None:
    assert accepted(Fraction(exact), Decimal(printed)) == rounding


@given(
    st.fractions(min_value=0, max_value=5000, max_denominator=10_000),
    st.integers(-300, 300),
    st.integers(0, 2),
)
def test_nothing_but_the_named_roundings_is_accepted(exact: Fraction, steps: int, decimals: int) -> None:
    unit = Decimal(1).scaleb(-decimals)
    value = Decimal(exact.numerator) / Decimal(exact.denominator)
    printed = (value.quantize(unit, ROUND_CEILING) + steps * unit).quantize(unit)
    lawful = set()
    for step in (unit, Decimal(1)):
        lawful |= {value.quantize(step, ROUND_CEILING), value.quantize(step, ROUND_HALF_UP)}
    if Fraction(printed) == exact:
        lawful.add(printed)

    assert (accepted(exact, printed) is not None) == (printed in lawful)


def test_cut_off_decimals_are_told_from_other_errors() -> None:
    assert truncated(Fraction("1216.8"), Decimal(1216))
    assert not truncated(Fraction("1216.8"), Decimal(1215))
    assert not truncated(Fraction(1216), Decimal(1216))


def test_a_chain_may_go_over_printed_intermediates() -> None:
    printed = judge_chain(("60×4.6×1.62×70%×1.2", "376"), Decimal(376))
    chained = judge_chain(("376×1.0×1.3×1.5", "733"), Decimal(733), before=Fraction("732.3777"))
    ceiled = judge_chain(("376×1.0×1.3×1.5", "733"), Decimal(733))

    assert printed.follows
    assert chained.follows
    assert ceiled.follows


def test_a_step_in_the_middle_that_does_not_follow_is_found() -> None:
    result = judge_chain(("60×11.3×1.0", "687", "678"), Decimal(678))

    assert result.follows
    assert result.broken_step == "687"


def test_trailing_zeros_count_as_printed_decimals() -> None:
    assert decimals_of(Decimal("472.60")) == 2
    assert decimals_of(Decimal("1E+2")) == 0


@pytest.mark.parametrize(("value", "shown"), [("11073.6", "11073.6"), ("1200", "1200"), ("1/3", "0.333333")])
def test_values_are_shown_exactly_where_they_have_an_end(value: str, shown: str) -> None:
    assert str(to_decimal(Fraction(value))) == shown
