"""Usage: what the ledger says."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from fastapi import APIRouter

from api.identity import UserName
from api.services import ServicesDep
from api.turn_runner import usage_totals

router = APIRouter(prefix="/api/usage", tags=["usage"])


@router.get("/today")
async def usage_today(services: ServicesDep, user_name: UserName) -> dict[str, Any]:
    """The user's model calls since midnight of the server's own time zone."""
    start = datetime.now().astimezone().replace(hour=0, minute=0, second=0, microsecond=0)
    end = start + timedelta(days=1)
    by_model = await services.ledger.by_model_between(user_name, start, end)
    return {
        "date": start.date().isoformat(),
        "user_name": user_name,
        **usage_totals(await services.ledger.totals_between(user_name, start, end)),
        "by_model": [{"model": model, **usage_totals(totals)} for model, totals in by_model.items()],
    }
