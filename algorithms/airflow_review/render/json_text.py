"""`review.json`: a review as text and back, without losing a digit."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from decimal import Decimal

from algorithms.airflow_review.changes import Changes
from algorithms.airflow_review.model import SCHEMA, Review


def review_to_json_text(review: Review) -> str:
    """Write a review in the shape of `review.json`, ending in a newline.

    Decimals become JSON numbers with all their digits, dates ISO text, enums their values; keys come in the order of
    the fields. The same review gives the same bytes.

    Raises:
        ValueError: A number is not finite.
    """
    return _document_text(
        {"schema": review.schema} | {field.name: getattr(review, field.name) for field in fields(review)}
    )


def changes_to_json_text(changes: Changes) -> str:
    """Write what changed between two reviews in the shape of `changes.json`, by the same rules."""
    named = {field.name: getattr(changes, field.name) for field in fields(changes)}
    return _document_text({"schema": changes.schema} | named)


def _document_text(document: Mapping[str, object]) -> str:
    import orjson  # late: reading and judging do without it

    def to_json(value: object) -> object:
        if isinstance(value, Decimal):
            return orjson.Fragment(decimal_text(value))
        if isinstance(value, Mapping):
            return dict(value)
        raise TypeError(f"{type(value).__name__} has no place in a review")

    options = orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE | orjson.OPT_NON_STR_KEYS
    try:
        return orjson.dumps(document, default=to_json, option=options).decode()
    except orjson.JSONEncodeError as error:
        # orjson hides what went wrong in `default` behind an error of its own.
        raise error.__cause__ or error from None


def review_from_json_text(text: str) -> Review:
    """Read back what `review_to_json_text` wrote.

    Raises:
        ValueError: The text is no JSON, of another schema, or a field does not fit its type.
    """
    # Numbers are read as Decimal before pydantic sees them: through float the digits after the 17th would go.
    return review_from_mapping(json.loads(text, parse_float=Decimal))


def review_from_mapping(raw: object) -> Review:
    """The same from JSON values whose fractions are Decimals."""
    schema = raw.get("schema") if isinstance(raw, Mapping) else None
    if schema != SCHEMA:
        raise ValueError(f"schema {schema!r} is not {SCHEMA!r}")
    from pydantic import TypeAdapter  # late: writing a review needs no pydantic

    return TypeAdapter(Review).validate_python(raw)


def decimal_text(value: Decimal) -> str:
    """The shortest plain notation of exactly this value: 11073.60 → 11073.6, 1E+3 → 1000.

    Raises:
        ValueError: The value is not finite; JSON has no such number.
    """
    if not value.is_finite():
        raise ValueError(f"{value} cannot stand in a review")
    text = format(value, "f")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
