"""Who may look behind the scenes: whoever knows `ADMIN_TOKEN`; where none is set, requests from this very machine."""

from __future__ import annotations

import hmac
import ipaddress
from typing import Final

from fastapi import Request

from api.errors import RefusedError
from api.services import ServicesDep

_SCHEME: Final = "Bearer "


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
    elif request.client is not None and _is_loopback(request.client.host) and not _was_forwarded(request):
        return
    raise RefusedError("operator_only")


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _was_forwarded(request: Request) -> bool:
    """A proxy on this machine passes on requests of others: they are not local."""
    return any(name in request.headers for name in ("forwarded", "x-forwarded-for", "x-real-ip"))
