"""A page as a picture, why there is none, and both as bytes for the way out of the drawing process."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from algorithms.airflow_review.documents import wire
from algorithms.airflow_review.documents.document import InputError

_LINE_END: Final = b"\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class PagePicture:
    """A page as PNG; `scale` is pixels for a point, less than asked for where the page is very large."""

    png: bytes
    scale: float


class PictureProblem(StrEnum):
    """Why a readable document gives no such picture."""

    NO_PAGES = "document_has_no_pages"  # not a pdf: no page before somebody prints it
    NO_SUCH_PAGE = "page_not_found"
    BOX_OFF_PAGE = "highlight_off_page"


class PictureError(Exception):
    """What was asked for is not in the document; `pages` counts its pages where it has any."""

    def __init__(self, problem: PictureProblem, pages: int | None = None) -> None:
        self.problem, self.pages = problem, pages
        super().__init__(problem)


def to_bytes(outcome: PagePicture | PictureError | InputError) -> bytes:
    """One line of JSON and, of a picture, the PNG."""
    if isinstance(outcome, InputError):
        return wire.to_text(outcome).encode()
    if isinstance(outcome, PictureError):
        return json.dumps({"problem": outcome.problem, "pages": outcome.pages}).encode() + _LINE_END
    return json.dumps({"scale": outcome.scale}).encode() + _LINE_END + outcome.png


def from_bytes(data: bytes) -> PagePicture | PictureError | InputError:
    """What `to_bytes` was given."""
    line, _, png = data.partition(_LINE_END)
    facts = json.loads(line)
    if "problem" in facts:
        return PictureError(PictureProblem(facts["problem"]), facts["pages"])
    if "error" in facts:
        return wire.refusal_of(facts)
    return PagePicture(png=png, scale=facts["scale"])
