"""The scanned pages of one document, read in turn with one set of models."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from algorithms.airflow_review.documents import refusal
from algorithms.airflow_review.documents.limits import Limits
from algorithms.airflow_review.documents.pdf.glyphs import Turn, read_glyphs, turn_as_shown
from algorithms.airflow_review.documents.pdf.opened import opened_page
from algorithms.airflow_review.documents.pdf.paging import Page
from algorithms.airflow_review.documents.scan.page import read_page
from algorithms.airflow_review.documents.scan.picture import render
from algorithms.airflow_review.documents.scan.recognizer import Gray, Recognizer
from algorithms.airflow_review.documents.straightening import Point, Straightening
from algorithms.airflow_review.messages.catalogue import say

_OTHER_TURNS: Final = (1, 3, 2)  # quarter turns to the left; upside down last
_SURE: Final = 0.8  # confidence of a line that was read
_RIGHT_WAY: Final = 0.6  # of the characters stand in lines that were read: the page lies the right way round


def read_scans(
    document: object, pages: Sequence[Page], is_scan: Callable[[Page], bool], file: str, limits: Limits
) -> list[Page]:
    """The pages of an open PDFium document, the scanned ones as recognised.

    Raises:
        InputError: more scanned pages than one document may have.
    """
    count = sum(map(is_scan, pages))
    if count > limits.ocr_pages:
        raise refusal.too_large(file, say("refusal.scanned_pages", count=count, limit=limits.ocr_pages))
    recognizer = Recognizer()
    return [_read(document, page, file, limits, recognizer) if is_scan(page) else page for page in pages]


def _read(document: object, page: Page, file: str, limits: Limits, recognizer: Recognizer) -> Page:
    with opened_page(document, page.number, file, limits) as (handle, text, glyphs):
        gray, pt_per_px = render(handle)
        shown, drawn = turn_as_shown(handle), read_glyphs(handle, text, glyphs).turn
    return _right_way_round(_Lie(number=page.number, shown=shown, drawn=drawn), gray, pt_per_px, recognizer)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Lie:
    """How a page lies: as it is shown, and as it is drawn, which the few characters on it may change."""

    number: int
    shown: Turn
    drawn: Turn

    def straightening(self, quarters: int, angle_deg: float) -> Straightening:
        """Of the picture turned by quarters, then by an angle about its middle; both anticlockwise."""
        corner, right, down = (self._drawn_at(x, y, quarters, angle_deg) for x, y in ((0, 0), (1, 0), (0, 1)))
        return Straightening(
            page=self.number,
            corner=corner,
            right=(right[0] - corner[0], right[1] - corner[1]),
            down=(down[0] - corner[0], down[1] - corner[1]),
        )

    def _drawn_at(self, x: float, y: float, quarters: int, angle_deg: float) -> Point:
        wide, high = self.shown.width, self.shown.height
        turned_wide, turned_high = (high, wide) if quarters % 2 else (wide, high)
        angle = math.radians(angle_deg + 90 * quarters)
        across, below = x - turned_wide / 2, y - turned_high / 2
        shown_x = wide / 2 + across * math.cos(angle) - below * math.sin(angle)
        shown_y = high / 2 + across * math.sin(angle) + below * math.cos(angle)
        page_x, page_y = self.shown.undo(shown_x, shown_y)
        drawn_x, drawn_y = self.drawn.apply(np.array([page_x]), np.array([page_y]))
        return float(drawn_x[0]), float(drawn_y[0])


def _right_way_round(lie: _Lie, gray: Gray, pt_per_px: float, recognizer: Recognizer) -> Page:
    """The page as it lies, or turned where that reads better."""
    best = read_page(gray, pt_per_px, recognizer, partial(lie.straightening, 0))
    for turns in _OTHER_TURNS:
        if not best.recognized or _share_read(best) >= _RIGHT_WAY:
            break
        turned = np.ascontiguousarray(np.rot90(gray, turns))
        best = max(best, read_page(turned, pt_per_px, recognizer, partial(lie.straightening, turns)), key=_share_read)
    return best


def _share_read(page: Page) -> float:
    """The share of characters in lines of several characters that were read surely.

    On a page that lies on its side glyphs are cut into strokes, and a stroke is easily read as a sure 1 or dash.
    """
    items = page.recognized or []
    read = sum(len(item.text) for item in items if len(item.text) > 1 and item.confidence >= _SURE)
    return read / max(1, sum(len(item.text) for item in items))
