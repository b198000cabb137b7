"""One JSON object of a rule file becomes one record; what is missing or malformed is said with file and id."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Any, Final

from algorithms.airflow_review.evidence import Method, PlaceType
from algorithms.airflow_review.extract import Bracket
from algorithms.airflow_review.rules.records import (
    Check,
    Constant,
    Floor,
    Formula,
    Marker,
    Quantity,
    Record,
    Span,
    SpeedLimit,
    Table,
    Variant,
)

Json = Mapping[str, Any]


class RuleError(ValueError):
    """The rule library cannot be used; the message names file, record and what is wrong."""


def decode_record(section: str, item: Json, edition: str) -> Record:
    """A record of `section`; raises `RuleError` naming the id and the field."""
    identity = str(item.get("id") or "?")
    try:
        return _DECODERS[section](item, _common(item, edition))
    except KeyError as error:
        raise RuleError(f"{section} {identity}: field {error} is missing") from error
    except (ValueError, TypeError, InvalidOperation) as error:
        raise RuleError(f"{section} {identity}: {error}") from error


def decode_marker(item: Json) -> Marker:
    """A marker with its vocabulary."""
    values = {str(value): tuple(str(word) for word in words) for value, words in item["values"].items()}
    words = sorted(((word, value) for value, names in values.items() for word in names), key=lambda pair: -len(pair[0]))
    return Marker(name=str(item["name"]), text=str(item["text"]), values=values, words=tuple(words))


def decode_quantity(item: Json) -> Quantity:
    """A symbol of the formulas."""
    slips = {str(name): Decimal(str(factor)) for name, factor in item.get("slips", {}).items()}
    return Quantity(
        key=str(item["key"]),
        text=str(item["text"]),
        unit=str(item["unit"]),
        coefficient=bool(item["coefficient"]),
        low=_number(item.get("low")),
        high=_number(item.get("high")),
        slips=slips,
    )


def _common(item: Json, edition: str) -> dict[str, Any]:
    clause, source = str(item["clause"] or ""), str(item["source"] or "")
    if not clause or not source:
        raise ValueError("clause and source must be given; write 待核对 where the clause is not known")
    return {
        "id": str(item["id"]),
        "edition": str(item.get("edition") or edition),
        "clause": clause,
        "source": source,
        "effective_from": _day(item.get("effective_from")),
        "effective_to": _day(item.get("effective_to")),
    }


def _constant(item: Json, common: dict[str, Any]) -> Constant:
    policy = item.get("policy_source")
    return Constant(
        value=Decimal(str(item["value"])),
        unit=str(item["unit"]),
        policy_source=None if policy is None else str(policy),
        **common,
    )


def _check(item: Json, common: dict[str, Any]) -> Check:
    return Check(text=str(item["text"]), **common)


def _formula(item: Json, common: dict[str, Any]) -> Formula:
    variants = tuple(
        Variant(
            id=str(v["id"]), expression=str(v["expression"]), when=_when(v.get("when")), factor=_number(v.get("factor"))
        )
        for v in item["variants"]
    )
    return Formula(
        method=Method(item["method"]),
        place_types=_types(item),
        variants=variants,
        optional=frozenset(item.get("optional", ())),
        additive=frozenset(item.get("additive", ())),
        minimum=item.get("minimum"),
        minimum_constant=item.get("minimum_constant"),
        input=item.get("input"),
        declared_by=item.get("declared_by"),
        must_be_known=frozenset(item.get("must_be_known", ())),
        applies_when=_when(item.get("applies_when")),
        deviation=str(item.get("deviation", "wrong_constant")),
        **common,
    )


def _table(item: Json, common: dict[str, Any]) -> Table:
    brackets = tuple(
        Bracket(
            low=_number(b["low"]),
            high=_number(b["high"]),
            value_low=Decimal(b["value_low"]),
            value_high=Decimal(b["value_high"]),
        )
        for b in item["brackets"]
    )
    low, high = item["bounds"]
    return Table(
        family=str(item["family"]),
        coefficient=str(item["coefficient"]),
        match_field=str(item["match_field"]),
        place_types=_types(item),
        bounds=(_number(low), _number(high)),
        brackets=brackets,
        **common,
    )


def _span(item: Json, common: dict[str, Any]) -> Span:
    return Span(
        coefficient=str(item["coefficient"]),
        place_types=_types(item),
        when=_when(item.get("when")),
        low=_number(item["low"]),
        high=_number(item["high"]),
        deviation=str(item.get("deviation", "coefficient_out_of_bracket")),
        **common,
    )


def _speed_limit(item: Json, common: dict[str, Any]) -> SpeedLimit:
    low, high = _number(item["low_m_s"]), _number(item["high_m_s"])
    return SpeedLimit(place_types=_types(item), when=_when(item.get("when")), low_m_s=low, high_m_s=high, **common)


def _floor(item: Json, common: dict[str, Any]) -> Floor:
    return Floor(
        place_types=_types(item), when=_when(item.get("when")), flow_m3_min=Decimal(str(item["flow_m3_min"])), **common
    )


def _types(item: Json) -> tuple[PlaceType, ...]:
    return tuple(PlaceType(name) for name in item["place_types"])


def _when(value: Mapping[str, list[str]] | None) -> dict[str, tuple[str, ...]]:
    return {str(marker): tuple(str(name) for name in names) for marker, names in (value or {}).items()}


def _number(value: object) -> Decimal | None:
    return None if value is None else Decimal(str(value))


def _day(value: object) -> date | None:
    return None if value is None else date.fromisoformat(str(value))


_DECODERS: Final[Mapping[str, Callable[[Json, dict[str, Any]], Record]]] = {
    "constants": _constant,
    "checks": _check,
    "formulas": _formula,
    "tables": _table,
    "spans": _span,
    "speed_limits": _speed_limit,
    "floors": _floor,
}
SECTIONS: Final = tuple(_DECODERS)
