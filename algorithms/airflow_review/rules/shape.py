"""What a mine's rule file may hold: the lists, their fields, and nothing that would stay without effect."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from algorithms.airflow_review.messages.catalogue import Text, as_printed, listed, say
from algorithms.airflow_review.rules.decoding import SECTIONS
from algorithms.airflow_review.rules.fields import Json, nearest, objects_of
from algorithms.airflow_review.rules.rule_error import RuleError

HEAD_FILE: Final = "library"
_NAMES_FILE: Final = "names"
_LISTS: Final = (*SECTIONS, "quantities", "markers")
_HEAD: Final = ("id", "mine", "sources")
_COMMON: Final = ("id", "edition", "clause", "source", "effective_from", "effective_to")
# Fields that must be there, then those that may be left out.
_FIELDS: Final[Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    "constants": (("value", "unit"), ("policy_source",)),
    "checks": (("text",), ()),
    "formulas": (
        ("method", "place_types", "variants", "input"),
        (
            *("optional", "additive", "minimum", "minimum_constant", "declared_by"),
            *("must_be_known", "applies_when", "deviation"),
        ),
    ),
    "tables": (("family", "coefficient", "match_field", "place_types", "bounds", "brackets"), ()),
    "spans": (("coefficient", "place_types", "low", "high"), ("when", "deviation")),
    "speed_limits": (("place_types", "low_m_s", "high_m_s"), ("when",)),
    "floors": (("place_types", "flow_m3_min"), ("when",)),
    "quantities": (("key", "text", "unit", "coefficient"), ("low", "high", "slips")),
    "markers": (("name", "text", "values"), ()),
    "variants": (("id", "expression"), ("when", "factor")),
    "brackets": (("low", "high", "value_low", "value_high"), ()),
}
_INNER: Final = {"formulas": "variants", "tables": "brackets"}


def check_file(name: str, content: Json, names: Json) -> None:
    """Refuse a file of a mine with a list or a field that nothing reads; `names` is our file of name words."""
    known = {*_LISTS, "edition", *(_HEAD if name == HEAD_FILE else ()), *(names if name == _NAMES_FILE else ())}
    for key in content:
        if key in known:
            continue
        if key in names:
            raise RuleError(say("rule.only_in_names", file=f"{name}.json", field=key))
        raise RuleError(
            say("rule.unknown_list", file=f"{name}.json", field=key, near=nearest(key, known), known=listed(_LISTS))
        )


def items_of(name: str, section: str, content: Json) -> Iterator[tuple[Text, Json]]:
    """The records of one list with what to call each in a refusal."""
    try:
        items = objects_of(content.get(section, ()), section)
    except RuleError as error:
        raise RuleError(say("rule.at", where=as_printed(f"{name}.json"), what=error.text)) from None
    for number, item in enumerate(items, 1):
        label = item.get("id") or item.get("key") or item.get("name") or f"#{number}"
        yield as_printed(f"{name}.json {section} {label}"), item


def check_fields(section: str, item: Json) -> None:
    """Refuse a record with a field nobody reads or without one that is needed."""
    needed, optional = _FIELDS[section]
    if section in SECTIONS:
        needed, optional = ("id", "clause", "source", *needed), (*optional, *_COMMON)
    for key in item:
        if key not in needed and key not in optional:
            near = nearest(key, (*needed, *optional))
            raise RuleError(
                say("rule.unknown_field", field=key, near=near, known=listed(dict.fromkeys((*needed, *optional))))
            )
    for key in needed:
        if key not in item:
            raise RuleError(say("rule.no_input" if key == "input" else "rule.missing_field", field=key))
    inner = _INNER.get(section)
    for part in objects_of(item[inner], inner) if inner is not None else ():
        check_fields(inner or "", part)
