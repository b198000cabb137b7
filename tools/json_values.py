"""JSON values that every store and every reader takes; what models and documents send is not always of this kind."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

_MAX_DEPTH: Final = 64
_INTEGERS: Final = range(-(2**63), 2**63)


def whole_text(text: str) -> str:
    """The text with the halves of surrogate pairs joined; a half that stands alone becomes U+FFFD.

    Services that cut their answer between the two halves of an emoji send such halves, and JSON may spell them out.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def to_storable(value: Any, *, depth: int = 0) -> Any:
    """The same value where it can be kept: half characters mended, integers beyond 64 bit and strangers as text.

    What is nested deeper than any reader follows is cut off with `…`.
    """
    if depth > _MAX_DEPTH:
        return "…"
    match value:
        case None | bool() | float():
            return value
        case int():
            return value if value in _INTEGERS else _digits(value)
        case Mapping():
            return {whole_text(str(key)): to_storable(item, depth=depth + 1) for key, item in value.items()}
        case list() | tuple() | set() | frozenset():
            return [to_storable(item, depth=depth + 1) for item in value]
        case _:
            return whole_text(str(value))


def reason_not_json(value: Any, *, depth: int = 0) -> str | None:
    """Why a value is none that JSON can carry to any reader: nested too deep, or a number that is none. None if it is one."""
    if depth > _MAX_DEPTH:
        return f"参数嵌套超过 {_MAX_DEPTH} 层"
    if isinstance(value, float) and not math.isfinite(value):
        return "参数中有 NaN 或无穷大，不是数"
    inside = value.values() if isinstance(value, Mapping) else value if isinstance(value, (list, tuple)) else ()
    reasons = (reason_not_json(item, depth=depth + 1) for item in inside)
    return next((reason for reason in reasons if reason is not None), None)


def _digits(number: int) -> str:
    try:
        return str(number)
    except ValueError:  # thousands of digits, which the interpreter refuses to write
        return f"{'-' if number < 0 else ''}{number.bit_length()} bit"
