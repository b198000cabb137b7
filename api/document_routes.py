"""Documents of a session, and their pages as pictures with the cited places framed."""

from __future__ import annotations

import hashlib
import math
from typing import Annotated, Any, Final

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import Response

from api.errors import RefusedError
from api.identity import UserName
from api.page_pictures import Box
from api.services import Services, ServicesDep
from api.session_documents import SessionDocument
from api.session_lookup import MAX_ID_CHARS, find_session

router = APIRouter(prefix="/api/documents", tags=["documents"])

_PDF: Final = "application/pdf"
_EDITION: Final = "1"  # to be raised when pictures are drawn otherwise, so that no browser keeps an old one
_MAX_BOXES: Final = 32
_MAX_BOX_CHARS: Final = 100
_NUMBERS: Final = 4
_MAX_PT: Final = 20_000.0  # no page is larger: 14 400 points is the format's own limit
_MAX_PAGE: Final = 100_000
_MIN_SCALE, _MAX_SCALE = 0.5, 4.0

SessionId = Annotated[str, Query(max_length=MAX_ID_CHARS, description="会话号：资料只在所属会话中可见。")]


@router.get("")
async def list_documents(session_id: SessionId, services: ServicesDep, user_name: UserName) -> dict[str, Any]:
    """The uploads of a session by name; `id` is the SHA-256 of the content, as in `inputs` of a `review.json`."""
    return {"items": [_view(item) for item in await _documents(services, session_id, user_name)]}


@router.get(
    "/{document_id}/pages/{number}.png",
    response_class=Response,
    responses={200: {"content": {"image/png": {}}}, 304: {"description": "未变化"}},
)
async def show_page(
    document_id: str,
    number: Annotated[int, Path(ge=1, le=_MAX_PAGE, description="页码，从 1 起。")],
    session_id: SessionId,
    request: Request,
    services: ServicesDep,
    user_name: UserName,
    highlight: Annotated[
        list[str] | None, Query(description="标示框 x0,top,x1,bottom，单位为磅，原点在左上角；可重复，最多 32 个。")
    ] = None,
    scale: Annotated[float, Query(ge=_MIN_SCALE, le=_MAX_SCALE, description="每磅的像素数。")] = 2.0,
) -> Response:
    """A page of an uploaded PDF as PNG, upright as its text is read; `X-Picture-Scale` tells the pixels for a point.

    Very large pages come smaller than asked for.
    """
    boxes = _boxes(highlight or [])
    document = await _find(services, document_id, session_id, user_name)
    if document.media_type != _PDF:
        raise RefusedError("document_has_no_pages", name=document.name)
    tag = _tag(document_id, number, boxes, scale)
    headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
    if tag in _known_tags(request):
        return Response(status_code=304, headers=headers)
    png, shown_scale = await services.pictures.draw(document.real_path, number, boxes, scale)
    return Response(png, media_type="image/png", headers={**headers, "X-Picture-Scale": f"{shown_scale:.6g}"})


async def _documents(services: Services, session_id: str, user_name: str) -> tuple[SessionDocument, ...]:
    await find_session(services, session_id, user_name)
    return await services.workspace.documents(user_name, session_id)


async def _find(services: Services, document_id: str, session_id: str, user_name: str) -> SessionDocument:
    for document in await _documents(services, session_id, user_name):
        if document.document_id == document_id:
            return document
    raise RefusedError("document_not_found", document_id=document_id)


def _boxes(texts: list[str]) -> list[Box]:
    if len(texts) > _MAX_BOXES:
        raise RefusedError("too_many_highlights", limit=_MAX_BOXES, count=len(texts))
    return [_box(text) for text in texts]


def _box(text: str) -> Box:
    try:
        numbers = [float(part) for part in text.split(",", _NUMBERS)] if len(text) <= _MAX_BOX_CHARS else []
    except ValueError:
        numbers = []
    if len(numbers) != _NUMBERS or not all(math.isfinite(number) and abs(number) <= _MAX_PT for number in numbers):
        raise RefusedError("bad_highlight", value=text)
    x0, top, x1, bottom = numbers
    if x0 >= x1 or top >= bottom:
        raise RefusedError("bad_highlight", value=text)
    return (x0, top, x1, bottom)


def _tag(document_id: str, number: int, boxes: list[Box], scale: float) -> str:
    """Names a picture without drawing it: the same document, page, frames and scale give the same picture."""
    facts = repr((_EDITION, document_id, number, boxes, scale))
    return f'"{hashlib.sha256(facts.encode()).hexdigest()[:32]}"'


def _known_tags(request: Request) -> set[str]:
    """What `If-None-Match` names; a proxy may have marked a tag as weak."""
    given = request.headers.get("if-none-match", "")
    return {part.strip().removeprefix("W/") for part in given.split(",")}


def _view(document: SessionDocument) -> dict[str, Any]:
    return {
        "id": document.document_id,
        "name": document.name,
        "path": document.path,
        "media_type": document.media_type,
        "size": document.size,
        "has_pages": document.media_type == _PDF,
    }
