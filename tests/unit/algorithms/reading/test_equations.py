"""Equations and chains of inequalities in running text (L9, L10, L12, L27)."""

from __future__ import annotations

from decimal import Decimal

import pytest

from algorithms.airflow_review.reading.equations import relations_of


def only_equation(text):
    (equation,) = [r.equation for r in relations_of(text) if r.equation is not None and r.equation.expression]
    return equation


@pytest.mark.parametrize(
    ("text", "label", "expression", "result", "unit"),
    [
        ("Q采1=60×11.3×1.0×1.2×1.5=1221m³/min", "Q采1", "60×11.3×1.0×1.2×1.5", "1221", "m3/min"),
        ("Q(综采1) = 60·70%·10.4·1.0·1.2·1.0 = 525m3/min", "Q(综采1)", "60·70%·10.4·1.0·1.2·1.0", "525", "m3/min"),
        ("Q≥4×42人=168 (m³/min)", "Q", "4×42", "168", "m3/min"),
        ("Q硐=3600×315×0.03÷(1.2×1.0006×60×6)=79", "Q硐", "3600×315×0.03÷(1.2×1.0006×60×6)", "79", ""),
        ("Q=60x11.3㎡x1.0m/sx1.2=813.6≈814m3/min", "Q", "60x11.3㎡x1.0m/sx1.2", "814", "m3/min"),
        ("矿井总需风量为5644.8+5361.6=11006.4m³/min", "矿井总需风量为", "5644.8+5361.6", "11006.4", "m3/min"),
        ("Q=4×(75+55)=520立方米/分。", "Q", "4×(75+55)", "520", "m3/min"),
        ("Q=1,200×1.2=1,440m³/min", "Q", "1,200×1.2", "1440", "m3/min"),
    ],
)
def test_a_printed_calculation_gives_label_expression_and_result(text, label, expression, result, unit):
    equation = only_equation(text)

    assert equation.label == label
    assert equation.expression == expression
    assert equation.result.value == Decimal(result)
    assert equation.result.unit == unit


def test_the_general_formula_inside_a_chain_is_kept_apart():
    equation = only_equation("Q采=60×70%×v采×S采=60×70%×1.0×15.4=646.8m³/min")

    assert equation.formula == "Q采=60×70%×v采×S采"
    assert equation.expression == "60×70%×1.0×15.4"


def test_several_equations_of_one_sentence_are_found():
    text = "按瓦斯：Q=100×1.2×1.6=192m3/min；按人数：Q=4×20=80m3/min，取192m3/min"

    found = [r.equation.expression for r in relations_of(text) if r.equation is not None]
    assert found == ["100×1.2×1.6", "4×20"]


def test_a_speed_check_has_three_groups():
    (relation,) = relations_of("60×0.25×11.9=178.5m³/min≤1221m³/min≤60×4×10.6=2544m³/min")

    assert [group.expression for group in relation.groups] == ["60×0.25×11.9", "", "60×4×10.6"]
    assert relation.signs == ("≤", "≤")


def test_symbols_alone_are_no_calculation():
    assert not any(r.equation is not None and r.equation.result for r in relations_of("Q采=100×q采×K采通"))


def test_a_sign_behind_a_bracket_belongs_to_its_number() -> None:
    (relation,) = relations_of("Q=3600×240×0.02÷(60×(-5))=-57.6m³/min")

    assert relation.equation is not None
    assert relation.equation.expression == "3600×240×0.02÷(60×(-5))"
    assert relation.equation.result is not None
    assert relation.equation.result.value == Decimal("-57.6")


@pytest.mark.parametrize(
    ("text", "expression", "result"),
    [
        ("①按气象条件计算：Q采1=60×18.1×1.0×1.2=1304m³/min（K1=1.2，V=1.0m/s）", "60×18.1×1.0×1.2", "1304"),
        ("Q掘2=320×1+15×13.7=526m3/min（Q扇=320m³/min，I=1，S=13.7m²）。", "320×1+15×13.7", "526"),
        ("Q硐=4×1350÷60=90（V=1350m³）", "4×1350÷60", "90"),
        ("人数法（N=30）：Q=4×30=120m³/min", "4×30", "120"),
    ],
)
def test_brackets_behind_a_result_explain_it_and_are_no_further_step(text, expression, result):
    equation = only_equation(text)

    assert (equation.expression, equation.result.value) == (expression, Decimal(result))
