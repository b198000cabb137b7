"""One JSON object of a rule file becomes one record; what is missing or malformed is said with file and id."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from algorithms.airflow_review.extract import Bracket
from algorithms.airflow_review.messages.catalogue import say
from algorithms.airflow_review.rules.fields import (
    Json,
    day_of,
    decimal_of,
    method_of,
    number_of,
    object_of,
    objects_of,
    optional_number,
    optional_text,
    place_types_of,
    text_of,
    texts_of,
    when_of,
    yes_or_no,
)
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
from algorithms.airflow_review.rules.rule_error import RuleError

_ENDS: Final = 2


def decode_record(section: str, item: Json, edition: str, file: str) -> Record:
    """A record of `section`; raises `RuleError` naming the field."""
    return _DECODERS[section](item, _common(item, edition, file))


def decode_marker(item: Json) -> Marker:
    """A marker with its vocabulary."""
    values = {
        str(value): texts_of(words, f"values.{value}")
        for value, words in object_of(item.get("values"), "values").items()
    }
    words = sorted(((word, value) for value, names in values.items() for word in names), key=lambda pair: -len(pair[0]))
    return Marker(name=text_of(item, "name"), text=text_of(item, "text"), values=values, words=tuple(words))


def decode_quantity(item: Json) -> Quantity:
    """A symbol of the formulas."""
    slips = {
        str(name): decimal_of(factor, f"slips.{name}") for name, factor in object_of(item.get("slips"), "slips").items()
    }
    return Quantity(
        key=text_of(item, "key"),
        text=text_of(item, "text"),
        unit=text_of(item, "unit"),
        coefficient=yes_or_no(item, "coefficient"),
        low=optional_number(item, "low"),
        high=optional_number(item, "high"),
        slips=slips,
    )


def _common(item: Json, edition: str, file: str) -> dict[str, Any]:
    first, last = day_of(item, "effective_from"), day_of(item, "effective_to")
    if first is not None and last is not None and first > last:
        raise RuleError(say("rule.days_backwards", first=first, last=last))
    for field in ("clause", "source"):
        if not item.get(field):
            raise RuleError(say("rule.no_origin", field=field))
    return {
        "id": text_of(item, "id"),
        "edition": optional_text(item, "edition") or edition,
        "clause": text_of(item, "clause"),
        "source": text_of(item, "source"),
        "effective_from": first,
        "effective_to": last,
        "file": file,
    }


def _constant(item: Json, common: dict[str, Any]) -> Constant:
    return Constant(
        value=number_of(item, "value"),
        unit=text_of(item, "unit"),
        policy_source=optional_text(item, "policy_source"),
        at_least=optional_number(item, "at_least"),
        at_most=optional_number(item, "at_most"),
        **common,
    )


def _check(item: Json, common: dict[str, Any]) -> Check:
    return Check(text=text_of(item, "text"), **common)


def _formula(item: Json, common: dict[str, Any]) -> Formula:
    variants = tuple(
        Variant(
            id=text_of(v, "id"),
            expression=text_of(v, "expression"),
            when=when_of(v, "when"),
            factor=optional_number(v, "factor"),
        )
        for v in objects_of(item.get("variants"), "variants")
    )
    return Formula(
        method=method_of(item),
        place_types=place_types_of(item),
        variants=variants,
        optional=_symbols(item, "optional"),
        additive=_symbols(item, "additive"),
        minimum=optional_text(item, "minimum"),
        minimum_constant=optional_text(item, "minimum_constant"),
        input=optional_text(item, "input"),
        declared_by=optional_text(item, "declared_by"),
        must_be_known=_symbols(item, "must_be_known"),
        applies_when=when_of(item, "applies_when"),
        deviation=optional_text(item, "deviation") or "wrong_constant",
        **common,
    )


def _table(item: Json, common: dict[str, Any]) -> Table:
    brackets = tuple(
        Bracket(
            low=optional_number(b, "low"),
            high=optional_number(b, "high"),
            value_low=number_of(b, "value_low"),
            value_high=number_of(b, "value_high"),
        )
        for b in objects_of(item.get("brackets"), "brackets")
    )
    bounds = item.get("bounds")
    if not isinstance(bounds, list) or len(bounds) != _ENDS:
        raise RuleError(say("rule.bounds"))
    low, high = ({"bounds": end} for end in bounds)
    return Table(
        family=text_of(item, "family"),
        coefficient=text_of(item, "coefficient"),
        match_field=text_of(item, "match_field"),
        place_types=place_types_of(item),
        bounds=(optional_number(low, "bounds"), optional_number(high, "bounds")),
        brackets=brackets,
        **common,
    )


def _span(item: Json, common: dict[str, Any]) -> Span:
    return Span(
        coefficient=text_of(item, "coefficient"),
        place_types=place_types_of(item),
        when=when_of(item, "when"),
        low=optional_number(item, "low"),
        high=optional_number(item, "high"),
        deviation=optional_text(item, "deviation") or "coefficient_out_of_bracket",
        **common,
    )


def _speed_limit(item: Json, common: dict[str, Any]) -> SpeedLimit:
    return SpeedLimit(
        place_types=place_types_of(item),
        when=when_of(item, "when"),
        low_m_s=optional_number(item, "low_m_s"),
        high_m_s=optional_number(item, "high_m_s"),
        **common,
    )


def _floor(item: Json, common: dict[str, Any]) -> Floor:
    flow = number_of(item, "flow_m3_min")
    return Floor(place_types=place_types_of(item), when=when_of(item, "when"), flow_m3_min=flow, **common)


def _symbols(item: Json, key: str) -> frozenset[str]:
    return frozenset(texts_of(item.get(key, ()), key))


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
