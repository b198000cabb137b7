"""What a client may ask of the audit, read strictly: a filter that is misread would hide rows, and nobody would notice."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from fastapi import Request

from api.errors import RefusedError
from db.stamp import parse_dt
from tools.ports import Outcome

_ID: Final = re.compile(r"[A-Za-z0-9_.:-]{1,128}")
# Users choose their names, and models call tools that do not exist; both are bound as values, never put into a statement.
_NAME: Final = re.compile(r"[^\x00-\x1f\x7f-\x9f\u2028\u2029\ufffd]{1,128}")
_NUMBER: Final = re.compile(r"[0-9]{1,18}")
_MAX_ROWS: Final = 500
_DEFAULT_ROWS: Final = 100
_OUTCOMES: Final = tuple(str(outcome) for outcome in Outcome)
_ID_WORDS: Final = "1–128 个字母、数字或 _ . : - / 1 to 128 letters, digits or _ . : -"
_NAME_WORDS: Final = "1–128 个字符，不含控制字符 / 1 to 128 characters, no control characters"
_MOMENT_WORDS: Final = (
    "带时区的时刻，如 2026-01-31T08:00:00Z 或 2026-01-31T08:00:00%2B08:00 / a moment with its time zone, such as these"
)
_ALLOWED: Final[Mapping[str, str]] = {
    **dict.fromkeys(("session_id", "run_id", "trace_id", "audit_id"), _ID_WORDS),
    **dict.fromkeys(("user_id", "tool"), _NAME_WORDS),
    "outcome": ", ".join(_OUTCOMES),
    **dict.fromkeys(("since", "until"), _MOMENT_WORDS),
    "before_seq": "正整数，取自 next_before_seq / a positive whole number, from next_before_seq",
    "limit": f"1–{_MAX_ROWS} 的整数 / a whole number from 1 to {_MAX_ROWS}",
}
PARAMETERS: Final = [
    {"name": name, "in": "query", "required": False, "description": words, "schema": {"type": "string"}}
    for name, words in _ALLOWED.items()
]
"""The filters as OpenAPI lists them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditFilter:
    """A question to the audit; `equal` are values that columns must have."""

    equal: Mapping[str, str] = field(default_factory=dict)
    since: datetime | None = None
    until: datetime | None = None
    before_seq: int | None = None
    limit: int = _DEFAULT_ROWS


async def audit_filter(request: Request) -> AuditFilter:
    """The filter of a request.

    Raises:
        RefusedError: `bad_filter`, for a value that cannot be right, a name that is none, or one that is stated twice.
    """
    stated: dict[str, str] = {}
    for name, value in request.query_params.multi_items():
        if name == "user_name":  # our page names its user in every request
            continue
        if name not in _ALLOWED:
            raise _refusal(name, value, "、".join(_ALLOWED))
        if name in stated:
            raise _refusal(name, value, "只写一次 / once")
        stated[name] = value
    since, until = _moment(stated, "since"), _moment(stated, "until")
    before_seq, limit = _number(stated, "before_seq"), _number(stated, "limit")
    if limit is not None and limit > _MAX_ROWS:
        raise _refusal("limit", str(limit), _ALLOWED["limit"])
    return AuditFilter(
        equal={name: _checked(name, value) for name, value in stated.items()},
        since=since,
        until=until,
        before_seq=before_seq,
        limit=_DEFAULT_ROWS if limit is None else limit,
    )


def _checked(name: str, value: str) -> str:
    if name == "outcome":
        is_fine = value in _OUTCOMES
    else:
        is_fine = (_NAME if name in {"user_id", "tool"} else _ID).fullmatch(value) is not None
    if not is_fine:
        raise _refusal(name, value, _ALLOWED[name])
    return value


def _number(stated: dict[str, str], name: str) -> int | None:
    value = stated.pop(name, None)
    if value is None:
        return None
    if not _NUMBER.fullmatch(value) or int(value) < 1:
        raise _refusal(name, value, _ALLOWED[name])
    return int(value)


def _moment(stated: dict[str, str], name: str) -> datetime | None:
    value = stated.pop(name, None)
    if value is None:
        return None
    try:
        # A plus sign that was not encoded arrives as a blank.
        return parse_dt(value.replace(" ", "+") if "T" in value else value)
    except (ValueError, OverflowError):
        raise _refusal(name, value, _ALLOWED[name]) from None


def _refusal(name: str, value: str, allowed: str) -> RefusedError:
    return RefusedError("bad_filter", field=name, value=value, allowed=allowed)
