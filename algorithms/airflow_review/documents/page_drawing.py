"""The door to page pictures: a pdf file in, one page as PNG out, whatever the file does to the program that draws it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from algorithms.airflow_review.documents import refusal
from algorithms.airflow_review.documents.confinement import run_confined
from algorithms.airflow_review.documents.document import BBox, InputError
from algorithms.airflow_review.documents.limits import DEFAULT_LIMITS, Limits
from algorithms.airflow_review.documents.page_picture import PagePicture, PictureError, from_bytes

__all__ = ["draw_page"]

_WORKER: Final = "algorithms.airflow_review.documents.picture_worker"
_LIMITS: Final = replace(DEFAULT_LIMITS, cpu_s=15, wall_s=25.0)  # one page, and a person waits for it


def draw_page(
    path: Path, number: int, boxes: Sequence[BBox] = (), *, scale: float = 2.0, limits: Limits = _LIMITS
) -> PagePicture:
    """Page `number` (1-based) of a pdf file at `scale` pixels for a point, with `boxes` (as `Evidence.bbox`) framed.

    Raises:
        InputError: the file cannot be read, or drawing took too much; the message says why and what to do.
        PictureError: the document has no pages, not that page, or a box lies off it.
    """
    path = path.resolve()
    if not path.is_file():
        raise refusal.missing(path.name)
    wish = json.dumps([number, [list(box) for box in boxes], scale])
    outcome = from_bytes(run_confined(_WORKER, path, limits, wish))
    if isinstance(outcome, PictureError | InputError):
        raise outcome
    return outcome
