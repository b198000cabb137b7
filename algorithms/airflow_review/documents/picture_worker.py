"""The drawing process: limits itself, draws one page, writes what `page_picture` makes of it to standard output."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from algorithms.airflow_review.documents import refusal
from algorithms.airflow_review.documents.document import BBox, DocumentKind, InputError
from algorithms.airflow_review.documents.intake import kind_of
from algorithms.airflow_review.documents.limits import Limits
from algorithms.airflow_review.documents.page_picture import PagePicture, PictureError, PictureProblem, to_bytes
from algorithms.airflow_review.documents.process_limits import confine
from algorithms.airflow_review.messages.catalogue import say


def main(path: str, limits_text: str, wish_text: str) -> None:
    """Draw a page of `path` within the limits; the wish is a JSON list of page number, boxes and scale."""
    limits = confine(limits_text)
    sys.stdout.buffer.write(to_bytes(_outcome(Path(path), limits, *json.loads(wish_text))))
    sys.stdout.flush()


def _outcome(
    path: Path, limits: Limits, number: int, boxes: list[BBox], scale: float
) -> PagePicture | PictureError | InputError:
    try:
        data = path.read_bytes()
        if kind_of(data, path.name, path.suffix, limits) is not DocumentKind.PDF:
            return PictureError(PictureProblem.NO_PAGES)
        # Loads numpy and PDFium, which a refusal does not need.
        from algorithms.airflow_review.documents.pdf.picture import draw_pdf_page

        return draw_pdf_page(data, path.name, number, boxes, scale, limits)
    except (PictureError, InputError) as error:
        return error
    except MemoryError:
        return refusal.too_large(path.name, say("refusal.drawing_out_of_memory"))
