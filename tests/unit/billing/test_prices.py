"""R-POL-4: what calls cost, by figures computed by hand."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from billing.prices import SHIPPED, PriceError, PriceTable

OWN = """
[[price]]
model = "m"
currency = "USD"
from = 2026-01-01
input = "2.5"
cached_input = "0.25"
output = "10"

[[price]]
model = "m"
currency = "USD"
from = 2026-07-01
input = "2"
output = "8"
"""


@pytest.fixture
def table(tmp_path):
    file = tmp_path / "own.toml"
    file.write_text(OWN, "utf-8")
    return PriceTable.load(file, SHIPPED)


def day(month: int, number: int) -> datetime:
    return datetime(2026, month, number, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("at", "tokens", "cost_micro"),
    [
        # 1,000 × 2.5 + 200 × 10
        (day(3, 1), {"input_tokens": 1_000, "output_tokens": 200}, 4_500),
        # 600 × 2.5 + 400 × 0.25 + 200 × 10
        (day(3, 1), {"input_tokens": 1_000, "output_tokens": 200, "cache_read_tokens": 400}, 3_600),
        # 3 × 2.5 = 7.5, half up
        (day(6, 30), {"input_tokens": 3, "output_tokens": 0}, 8),
        # the newer row has no price of its own for cached input
        (day(7, 1), {"input_tokens": 1_000, "output_tokens": 200, "cache_read_tokens": 400}, 3_600),
    ],
)
def test_r_pol_4_a_call_costs_what_the_table_says_for_its_day(table, at, tokens, cost_micro):
    price = table.price_of("m", at)

    assert price.currency == "USD"
    assert price.cost_micro(**tokens) == cost_micro


def test_a_model_without_a_price_and_a_day_before_the_first_have_none(table):
    assert table.price_of("other", day(3, 1)) is None
    assert table.price_of("m", datetime(2025, 12, 31, tzinfo=UTC)) is None


def test_the_embedded_model_is_free(table):
    assert table.price_of("offline", day(3, 1)).cost_micro(input_tokens=9, output_tokens=9) == 0


def test_the_operators_price_for_a_shipped_model_wins(tmp_path):
    file = tmp_path / "own.toml"
    file.write_text(
        '[[price]]\nmodel = "offline"\ncurrency = "CNY"\nfrom = 2020-01-01\ninput = "1"\noutput = "1"', "utf-8"
    )

    price = PriceTable.load(file, SHIPPED).price_of("offline", day(3, 1))

    assert price is not None
    assert price.input == 1


@pytest.mark.parametrize(
    ("text", "named"),
    [
        (OWN.replace('"2.5"', '"-1"'), "input"),
        (OWN.replace('output = "10"', ""), "output"),
        (OWN.replace('"USD"', '"dollars"'), "currency"),
        ("[prices]", "price"),
        ("price = ", "own.toml"),
    ],
)
def test_a_price_file_that_is_wrong_is_refused_by_name_and_place(tmp_path, text, named):
    file = tmp_path / "own.toml"
    file.write_text(text, "utf-8")

    with pytest.raises(PriceError, match=named) as caught:
        PriceTable.load(file)

    assert "own.toml" in str(caught.value)


def test_a_price_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(PriceError, match=r"gone\.toml"):
        PriceTable.load(tmp_path / "gone.toml")
