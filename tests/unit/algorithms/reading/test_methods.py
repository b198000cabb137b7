"""The method of a calculation is told by its words, else by the shape of its numbers."""

from __future__ import annotations

import pytest

from algorithms.airflow_review.evidence import Method, PlaceType
from algorithms.airflow_review.reading.methods import method_of, shape_of


@pytest.mark.parametrize(
    ("expression", "method"),
    [
        ("60×11.3×1.0×1.2×1.5", Method.CLIMATE),
        ("60·70%·10.4·1.0·1.2·1.0", Method.CLIMATE),
        ("100×2.13×1.4", Method.GAS),
        ("133*0.88*1.3", Method.GAS),
        ("67×1.29×1.4", Method.CO2),
        ("4×42", Method.PEOPLE),
        ("10×18.3", Method.EXPLOSIVE),
        ("350×1+15×18.5", Method.LOCAL_FAN),
        ("3600×315×0.03÷(1.2×1.0006×60×6)", Method.HEAT),
        ("4×1800÷60", Method.AIR_CHANGES),
        ("200×0.64", Method.HYDROGEN),
        ("60×0.25×16.5", Method.SPEED_MIN),
        ("4×(75+55)", Method.DIESEL),
        ("1228×50%", Method.STANDBY_HALF),
        ("9228+17853", Method.OTHER),
    ],
)
def test_numbers_alone_show_the_method(expression, method):
    assert shape_of(expression, PlaceType.COAL_FACE) is method


def test_words_win_over_a_wrong_constant():
    assert method_of(("③按二氧化碳涌出量计算，K取1.4",), "100×1.29×1.4", PlaceType.COAL_FACE) is Method.CO2


def test_the_nearest_phrase_decides():
    contexts = ("②按人数计算", "①按瓦斯涌出量计算")

    assert method_of(contexts, "3×41", PlaceType.COAL_FACE) is Method.PEOPLE


def test_of_several_methods_in_a_phrase_the_shape_chooses():
    assert method_of(("按瓦斯、二氧化碳、人数分别计算",), "4×42", PlaceType.HEADING) is Method.PEOPLE
