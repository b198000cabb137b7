"""Who asks. Without authentication (the default, for an intranet) a request names its user itself."""

from __future__ import annotations

import unicodedata
from typing import Annotated, Final
from urllib.parse import unquote

from fastapi import Depends, Request

from api.errors import RefusedError

DEFAULT_USER: Final = "default"
_MAX_LENGTH: Final = 64


def _resolve_user(*stated: str | None) -> str:
    """The one place of identity: the first name that is stated, else the default user.

    Raises:
        RefusedError: `bad_user_name`, for a name that is too long or holds control characters.
    """
    name = next((text.strip() for text in stated if text and text.strip()), DEFAULT_USER)
    if len(name) > _MAX_LENGTH or any(unicodedata.category(char).startswith("C") for char in name):
        raise RefusedError("bad_user_name")
    return name


def user_of(request: Request, stated: str | None = None) -> str:
    """The user of a request: from `stated` (a form or JSON field), the query, or the header `X-User-Name`.

    The header may be percent-encoded, because a browser sends no Chinese in headers.
    """
    header = request.headers.get("x-user-name")
    return _resolve_user(stated, request.query_params.get("user_name"), unquote(header) if header else None)


async def _user_dependency(request: Request) -> str:
    return user_of(request)


UserName = Annotated[str, Depends(_user_dependency)]
