"""Nested arguments: declared as JSON Schema, accepted as JSON text too, because models often send one as a string."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Annotated, Any, Final

from pydantic import BaseModel, BeforeValidator, ValidationError
from pydantic_core import PydanticCustomError

PARSE_ERROR: Final = "input_parse_error"
_OPENING: Final = ("{", "[")


def _from_text(value: Any) -> Any:
    """JSON text as the value it stands for; a text that does not look like JSON (a path) stays one.

    Numbers come as Decimal, so that no digit is lost.
    """
    if not looks_like_json(value):
        return value
    try:
        return json.loads(value, parse_float=Decimal, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise PydanticCustomError(PARSE_ERROR, "不是有效的 JSON：{reason}", {"reason": str(error)[:200]}) from error


def _refuse_constant(name: str) -> object:
    raise ValueError(f"{name} is no JSON number")


def looks_like_json(value: object) -> bool:
    """Whether a value is JSON text of something nested."""
    return isinstance(value, str) and value.lstrip().startswith(_OPENING)


_READER: Final = BeforeValidator(_from_text)

JsonObject = Annotated[dict[str, Any], _READER]
"""An object; JSON text of one is taken as well."""
JsonObjectOrText = Annotated[dict[str, Any] | list[Any] | str, _READER]
"""An object, JSON text of one, or a text of another kind: the path of a file. A list around the one object is let through."""


def nested_fields(arguments: type[BaseModel]) -> frozenset[str]:
    """Names of the arguments that may come as JSON text."""
    return frozenset(name for name, info in arguments.model_fields.items() if _READER in info.metadata)


def has_parse_error(error: ValidationError) -> bool:
    """Whether a call failed because its JSON text could not be read."""
    return any(fault["type"] == PARSE_ERROR for fault in error.errors(include_url=False, include_input=False))
