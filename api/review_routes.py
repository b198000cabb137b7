"""The queue for people: what was escalated, corrected or sampled, and their verdicts."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query
from pydantic import BaseModel, ConfigDict, Field

from api.errors import RefusedError
from api.operator_access import require_operator
from api.review_desk import ReviewKind
from api.services import ServicesDep
from db.db_conn import fmt_dt
from db.errors import ConflictError, NotFoundError
from db.records import ReviewItem

router = APIRouter(prefix="/api/reviews", tags=["reviews"], dependencies=[Depends(require_operator)])


class VerdictBody(BaseModel):
    """A person's judgement."""

    model_config = ConfigDict(extra="forbid")

    verdict: Literal["right", "wrong", "unsure"] = Field(description="Whether the system did the right thing.")
    note: str = Field("", max_length=2_000, description="Why, in words.")
    decided_by: str = Field("operator", min_length=1, max_length=64, description="Who judged.")


@router.get("")
async def list_reviews(
    services: ServicesDep,
    state: Annotated[Literal["open", "decided", "all"], Query()] = "open",
    kind: Annotated[ReviewKind | None, Query()] = None,
    before: Annotated[str | None, Query(max_length=64)] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> dict[str, Any]:
    """Items, newest first; `next_before` asks for older ones."""
    is_open = None if state == "all" else state == "open"
    page = await services.reviews.page(is_open=is_open, kind=kind, before=before, limit=limit)
    return {"items": [_view(item) for item in page.items], "next_before": page.next_cursor}


@router.post("/{review_id}")
async def decide_review(review_id: str, body: VerdictBody, services: ServicesDep) -> dict[str, Any]:
    """Give a verdict, once; the same one again is answered the same."""
    try:
        item = await services.reviews.decide(
            review_id, verdict=body.verdict, note=body.note, decided_by=body.decided_by
        )
    except NotFoundError:
        raise RefusedError("review_not_found", review_id=review_id) from None
    except ConflictError:
        raise RefusedError("review_decided", review_id=review_id) from None
    return _view(item)


def _view(item: ReviewItem) -> dict[str, Any]:
    return {name: fmt_dt(value) if isinstance(value, datetime) else value for name, value in asdict(item).items()}
