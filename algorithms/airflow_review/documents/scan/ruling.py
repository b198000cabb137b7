"""The rules in a scanned page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from algorithms.airflow_review.documents.pdf.grid import Grid
from algorithms.airflow_review.documents.pdf.rules import Drawing, Rule, merged_rules
from algorithms.airflow_review.documents.scan.recognizer import Gray

_LEAST_GLYPH_PX, _LARGEST_GLYPH_PX = 8, 80
_USUAL_GLYPH_PX: Final = 25.0  # 9 pt at 200 dpi
_TALLEST: Final = 90  # percentile: ideographs, not the digits between them
_ABOVE_STROKE: Final = 1.15  # of the glyph height: longer than any upright stroke of a glyph
_ABOVE_DASH: Final = 2.5  # of the glyph height: longer than a dash or a level stroke
_THICKEST: Final = 0.5  # of the glyph height: a thicker bar is shading
_SPECK: Final = 0.2  # of the glyph height, as the side of a square
_TREMBLE_PX: Final = 3  # a scanned rule wanders by a pixel
_REACH_PX: Final = 6  # half of the thickness of a rule, and what a grid's border is off


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """Rules in points, and the ink of the page that is none of them."""

    drawing: Drawing
    bars: Gray  # 255 where a straight line runs; strokes of large glyphs are among them
    glyph_px: float  # height of an ideograph

    def ink_on(self, grids: Sequence[Grid], pt_per_px: float) -> Gray:
        """255 where the rules of these tables run."""
        zone = np.zeros_like(self.bars)
        for grid in grids:
            left, right, top, bottom = (
                round(at / pt_per_px) for at in (grid.xs[0], grid.xs[-1], grid.ys[0], grid.ys[-1])
            )
            for x in grid.xs:
                _fill(zone, round(x / pt_per_px), round(x / pt_per_px), top, bottom)
            for y in grid.ys:
                _fill(zone, left, right, round(y / pt_per_px), round(y / pt_per_px))
        return zone & np.asarray(cv2.dilate(self.bars, np.ones((3, 3), np.uint8)), np.uint8)


def find_ruling(ink: Gray, pt_per_px: float) -> Ruling:
    """Straight lines long enough to be no stroke of a glyph; the length to beat comes from the glyphs of the page."""
    glyph = glyph_height_px(ink)
    level = _bars(ink, (round(_ABOVE_DASH * glyph), 1), (1, _TREMBLE_PX))
    upright = _bars(ink, (1, round(_ABOVE_STROKE * glyph)), (_TREMBLE_PX, 1))
    drawing = Drawing(
        horizontal=merged_rules(_rules(level, glyph, pt_per_px, is_level=True)),
        vertical=merged_rules(_rules(upright, glyph, pt_per_px, is_level=False)),
        picture_pt2=0.0,
    )
    return Ruling(drawing=drawing, bars=level | upright, glyph_px=glyph)


def glyph_height_px(ink: Gray) -> float:
    """The height of an ideograph of the body text [px]."""
    _, _, stats, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    wide, high = stats[1:, cv2.CC_STAT_WIDTH], stats[1:, cv2.CC_STAT_HEIGHT]
    is_glyph = (high >= _LEAST_GLYPH_PX) & (high <= _LARGEST_GLYPH_PX) & (wide <= 2 * high) & (high <= 4 * wide)
    return float(np.percentile(high[is_glyph], _TALLEST)) if is_glyph.any() else _USUAL_GLYPH_PX


def without_specks(ink: Gray, glyph_px: float) -> Gray:
    """The ink without spots too small to show where a line stands; points and minus signs go too, pictures keep them."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    is_large = stats[:, cv2.CC_STAT_AREA] >= (_SPECK * glyph_px) ** 2
    is_large[0] = False
    return np.where(is_large[labels], ink, 0).astype(np.uint8)


def _fill(zone: Gray, left: int, right: int, top: int, bottom: int) -> None:
    """Marks a border with the room its rule may take to both sides."""
    rows = slice(max(0, top - _REACH_PX), bottom + _REACH_PX)
    zone[rows, max(0, left - _REACH_PX) : right + _REACH_PX] = 255


def _bars(ink: Gray, length: tuple[int, int], tremble: tuple[int, int]) -> Gray:
    thick = cv2.dilate(ink, cv2.getStructuringElement(cv2.MORPH_RECT, tremble))
    return np.asarray(
        cv2.morphologyEx(thick, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_RECT, length)), np.uint8
    )


def _rules(bars: Gray, glyph_px: float, pt_per_px: float, *, is_level: bool) -> list[Rule]:
    _, _, stats, centers = cv2.connectedComponentsWithStats(bars, connectivity=8)
    rules = []
    for (left, top, wide, high, _), (x, y) in zip(stats[1:].tolist(), centers[1:].tolist(), strict=True):
        if (high if is_level else wide) > _THICKEST * glyph_px + _TREMBLE_PX:
            continue
        at, start, end = (y, left, left + wide) if is_level else (x, top, top + high)
        rules.append(Rule((at + 0.5) * pt_per_px, start * pt_per_px, end * pt_per_px))
    return rules
