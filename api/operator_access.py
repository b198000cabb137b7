"""Who may look behind the scenes: whoever knows `ADMIN_TOKEN`; where none is set, requests from this very machine."""

from __future__ import annotations

import hmac
import ipaddress
from typing import Final

from fastapi import Request

from api.errors import RefusedError
from api.services import ServicesDep

_SCHEME: Final = "Bearer "
_PROXY_HEADERS: Final = frozenset({"forwarded", "via", "x-real-ip", "true-client-ip", "cf-connecting-ip"})


async def require_operator(request: Request, services: ServicesDep) -> None:
    """Let operators pass.

    Raises:
        RefusedError: `operator_only`.
    """
    token = services.configuration.settings.admin_token.get_secret_value()
    if token:
        stated = request.headers.get("authorization", "")
        if stated.startswith(_SCHEME) and hmac.compare_digest(stated.removeprefix(_SCHEME).encode(), token.encode()):
            return
    elif _is_local(request):
        return
    raise RefusedError("operator_only")


def _is_local(request: Request) -> bool:
    return (
        request.client is not None
        and _is_loopback(request.client.host)
        and _is_for_this_machine(request)
        and not _was_forwarded(request)
        and not _is_from_elsewhere(request)
    )


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _was_forwarded(request: Request) -> bool:
    """A proxy on this machine passes on requests of others: they are not local."""
    return any(name in _PROXY_HEADERS or name.startswith("x-forwarded-") for name in request.headers)


def _is_for_this_machine(request: Request) -> bool:
    """Whether it was addressed to this machine by a name of its own: a web page elsewhere can point its own name here."""
    host = request.url.hostname or ""
    return host == "localhost" or _is_loopback(host)


def _is_from_elsewhere(request: Request) -> bool:
    """Whether a browser sent it for a page of another site."""
    return request.headers.get("sec-fetch-site", "none") not in {"none", "same-origin"} or (
        (origin := request.headers.get("origin")) is not None
        and origin != f"{request.url.scheme}://{request.url.netloc}"
    )
