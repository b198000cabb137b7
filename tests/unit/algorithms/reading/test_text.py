"""Folding keeps units and circled digits and the way back to the print (L10-L12)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.airflow_review.reading.text import fold, fold_mapped, fold_operators, normal_name


@pytest.mark.parametrize(
    ("printed", "folded"),
    [
        ("１２．５ｍ³／ｍｉｎ", "12.5m³/min"),
        ("11.3㎡", "11.3m²"),
        ("20～23℃", "20~23℃"),
        ("ＣＨ４（％）", "CH4(%)"),
        ("Q采①", "Q采①"),
        ("⻛量", "风量"),
        ("a\u200bb\u3000c", "ab c"),
        ("—－–−", "----"),
    ],
)
def test_signs_have_one_spelling(printed, folded):
    assert fold(printed) == folded


@given(st.text(alphabet="采Ｑ１①㎡³×·÷－～（）\u200b ﹪℃…㎥", max_size=30))
def test_every_folded_character_leads_back_to_its_print(text):
    folded = fold_mapped(text)

    assert folded.text == fold(text)
    assert all(fold(text[i]).find(c) >= 0 for i, c in zip(folded.offsets, folded.text, strict=True))


@pytest.mark.parametrize("sign", ["×", "*", "·", "∙", "＊", "⨯", "x", "X", "✕", "⋅"])
def test_every_multiplication_sign_is_one_operator(sign):
    assert fold_operators(f"60{sign}0.25{sign}13.1") == "60*0.25*13.1"


@pytest.mark.parametrize("sign", ["÷", "/", "∕", "／"])
def test_every_division_sign_is_one_operator(sign):
    assert fold_operators(f"4×1800{sign}60") == "4*1800/60"


def test_an_x_in_a_word_is_no_operator():
    assert fold_operators("max(1221, 298)") == "max(1221, 298)"


@pytest.mark.parametrize("name", ["Q采1", "Q 采 1", "Q采①", "Ｑ采１"])
def test_subscripts_are_compared_in_one_form(name):
    assert normal_name(name) == "q采1"
