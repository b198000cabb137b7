"""÷ shown as + is repaired only where the print does not hold and the repair does (L13)."""

from __future__ import annotations

from decimal import Decimal

from algorithms.airflow_review.reading.operator_repair import repaired_expression


def test_a_division_read_as_plus_is_repaired():
    assert repaired_expression("3600*500*0.02+(1.2*1.0006*60*5)", Decimal(100)) == (
        "3600*500*0.02÷(1.2*1.0006*60*5)",
        True,
    )


def test_a_sum_that_holds_is_left_alone():
    assert repaired_expression("350×1+15×18.5", Decimal(628)) == ("350×1+15×18.5", False)


def test_a_wrong_result_is_not_repaired_away():
    assert repaired_expression("350×1+15×18.5", Decimal(629)) == ("350×1+15×18.5", False)
