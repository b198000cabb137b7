"""One value of a record, read strictly; what cannot be read is said with its field and what to write instead."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import date
from decimal import Decimal, InvalidOperation
from difflib import get_close_matches
from typing import Any, Final

from algorithms.airflow_review.evidence import Method, PlaceType
from algorithms.airflow_review.messages.catalogue import NOTHING, Text, as_printed, say
from algorithms.airflow_review.rules.rule_error import RuleError

Json = Mapping[str, Any]
_PERCENT: Final = re.compile(r"\s*(\d+(?:\.\d+)?)\s*[%％]\s*")
_DAY: Final = re.compile(r"\s*(\d{4})\s*[./年-]\s*(\d{1,2})\s*[./月-]\s*(\d{1,2})\s*日?\s*")
_HUNDRED: Final = Decimal(100)


def nearest(name: str, known: Iterable[str]) -> Text:
    """The question "did you mean …" for a name nobody knows; nothing where no known name is near."""
    found = get_close_matches(name, list(known), n=1, cutoff=0.6)
    return say("rule.nearest", name=found[0]) if found else NOTHING


def text_of(item: Json, key: str) -> str:
    """A text that must be there."""
    value = item.get(key)
    if not isinstance(value, str) or not value.strip():
        raise RuleError(say("rule.no_text", field=key))
    return value


def optional_text(item: Json, key: str) -> str | None:
    """A text that may be left out or null."""
    return None if item.get(key) is None else text_of(item, key)


def number_of(item: Json, key: str) -> Decimal:
    """A number that must be there."""
    value = optional_number(item, key)
    if value is None:
        raise RuleError(say("rule.no_number", field=key))
    return value


def optional_number(item: Json, key: str) -> Decimal | None:
    """A number, or None for null or nothing."""
    return None if item.get(key) is None else decimal_of(item[key], key)


def decimal_of(value: object, key: str) -> Decimal:
    """A finite number written as a text or a JSON number."""
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        try:
            number = Decimal(str(value).strip())
        except InvalidOperation:
            number = Decimal("NaN")
        if number.is_finite():
            return number
    percent = _PERCENT.fullmatch(str(value))
    if percent is not None:
        raise RuleError(say("rule.percent", field=key, value=value, share=f"{Decimal(percent[1]) / _HUNDRED:f}"))
    raise RuleError(say("rule.not_a_number", field=key, value=value))


def day_of(item: Json, key: str) -> date | None:
    """A day as 2025-04-01, None for null or nothing."""
    value = item.get(key)
    if value is None:
        return None
    if isinstance(value, str) and re.fullmatch(r"\d{4}-\d{2}-\d{2}", value):
        try:
            return date.fromisoformat(value)
        except ValueError:
            raise RuleError(say("rule.no_such_day", field=key, value=value)) from None
    loose = _DAY.fullmatch(str(value))
    write = "2025-04-01" if loose is None else f"{loose[1]}-{int(loose[2]):02}-{int(loose[3]):02}"
    raise RuleError(say("rule.not_a_day", field=key, value=value, write=write))


def yes_or_no(item: Json, key: str) -> bool:
    """A JSON true or false."""
    value = item.get(key)
    if not isinstance(value, bool):
        raise RuleError(say("rule.not_yes_or_no", field=key))
    return value


def texts_of(value: object, key: str) -> tuple[str, ...]:
    """A list of texts; a lone text is a slip that would be read letter by letter."""
    if not isinstance(value, list | tuple):
        raise RuleError(say("rule.not_a_list", field=key, value=value))
    if any(not isinstance(one, str) or not one.strip() for one in value):
        raise RuleError(say("rule.not_texts", field=key))
    return tuple(value)


def objects_of(value: object, key: str) -> tuple[Json, ...]:
    """A list of objects."""
    if not isinstance(value, list | tuple):
        raise RuleError(say("rule.not_objects", field=key))
    if any(not isinstance(one, dict) for one in value):
        raise RuleError(say("rule.no_object_in_list", field=key))
    return tuple(value)


def object_of(value: object, key: str) -> Json:
    """An object; nothing and null are the empty one."""
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise RuleError(say("rule.not_an_object", field=key, value=value))
    return value


def place_types_of(item: Json) -> tuple[PlaceType, ...]:
    """The types of places of a record; at least one."""
    names = texts_of(item.get("place_types"), "place_types")
    if not names:
        raise RuleError(say("rule.no_place_type", known=_offer("place_type", [kind.value for kind in PlaceType])))
    known = {kind.value for kind in PlaceType}
    for name in names:
        if name not in known:
            offer = _offer("place_type", [kind.value for kind in PlaceType])
            raise RuleError(say("rule.place_type", value=name, known=offer))
    return tuple(PlaceType(name) for name in names)


def method_of(item: Json) -> Method:
    """The method of a formula."""
    name = text_of(item, "method")
    if name not in {method.value for method in Method}:
        offer = _offer("method", [method.value for method in Method])
        raise RuleError(say("rule.method", value=name, known=offer))
    return Method(name)


def when_of(item: Json, key: str) -> dict[str, tuple[str, ...]]:
    """Marker → allowed values."""
    return {str(name): texts_of(values, f"{key}.{name}") for name, values in object_of(item.get(key), key).items()}


def _offer(kind: str, names: Iterable[str]) -> Text:
    """Every valid name with its words."""
    parts = [(name, say(f"rule.{kind}.{name}")) for name in names]
    zh = "、".join(f"{name}（{word.zh}）" for name, word in parts)
    return Text(zh, ", ".join(f"{name} ({word.en})" for name, word in parts))


def offered(values: Mapping[str, tuple[str, ...]]) -> Text:
    """The values of a marker, each with the first of its words."""
    return as_printed("、".join(f"{name}（{words[0]}）" if words else name for name, words in values.items()))
