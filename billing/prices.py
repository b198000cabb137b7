"""What model calls cost: a table of prices with the days they hold from, and exact sums in millionths of a currency unit."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Annotated, Final, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

SHIPPED: Final = Path(__file__).with_name("prices.toml")

_Money = Annotated[Decimal, Field(ge=0)]


class PriceError(ValueError):
    """A price file does not say what it must; the message names file and place."""


class Price(BaseModel):
    """What a model costs from a day on, per million tokens."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: str = Field(min_length=1)
    currency: str = Field(pattern=r"^[A-Z]{3}$")
    from_day: date = Field(alias="from")
    input: _Money
    cached_input: _Money | None = Field(None, description="Input read from a cache; None costs as much as other input.")
    output: _Money

    def cost_micro(self, *, input_tokens: int, output_tokens: int, cache_read_tokens: int = 0) -> int:
        """Cost of a call in millionths of the currency; `input_tokens` include the cached ones. Rounded half up, once."""
        cached = min(cache_read_tokens, input_tokens)
        cached_price = self.input if self.cached_input is None else self.cached_input
        cost = (input_tokens - cached) * self.input + cached * cached_price + output_tokens * self.output
        return int(cost.to_integral_value(rounding=ROUND_HALF_UP))


@dataclass(frozen=True, slots=True)
class PriceTable:
    """All prices, the operator's before ours."""

    prices: tuple[Price, ...] = ()

    @classmethod
    def load(cls, *files: Path) -> Self:
        """Read price files; rows of an earlier file come before those of a later one.

        Raises:
            PriceError: A file cannot be read, a row is incomplete, or a price is negative.
        """
        return cls(tuple(price for file in files for price in _read(file)))

    def price_of(self, model: str, at: datetime) -> Price | None:
        """The price of a model at a moment; None if it has none, which is not the same as free."""
        day = at.date()
        fitting: Iterable[Price] = (price for price in self.prices if price.model == model and price.from_day <= day)
        # `max` keeps the first of equals: of two rows for one day, the operator's.
        return max(fitting, key=lambda price: price.from_day, default=None)


def _read(file: Path) -> list[Price]:
    try:
        values = tomllib.loads(file.read_text(encoding="utf-8"))
        if unknown := values.keys() - {"price"}:
            raise PriceError(f"{file.name}: unknown tables {sorted(unknown)}, write [[price]]")
        return [Price.model_validate(row) for row in values.get("price", [])]
    except (OSError, tomllib.TOMLDecodeError, ValidationError) as error:
        raise PriceError(f"{file.name}: {error}") from error
