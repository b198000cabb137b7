"""The picture of a page: rendered, turned upright, parted into ink and paper."""

from __future__ import annotations

import ctypes
import math
from typing import Final

import cv2
import numpy as np
import pypdfium2_raw as pdfium

from algorithms.airflow_review.documents.scan.recognizer import Gray

DPI: Final = 200
PT_PER_PX: Final = 72 / DPI
_LONGEST_SIDE_PX: Final = 4000
_PAPER: Final = 255
_SHADE_PX: Final = 51  # paper is even over this distance
_DARKER: Final = 24  # of 255: ink is darker than its surroundings by at least this
_ABOVE_NOISE: Final = 4.0  # standard deviations: what is darker by more is no noise
_MAD_OF_SIGMA: Final = 0.6745  # median absolute deviation of a normal distribution
_MAX_SKEW_DEG: Final = 5.0
_COARSE_DEG, _FINE_DEG = 0.25, 0.02
_AS_SHARP: Final = 0.98  # angles within a pixel of the best one over the page's width; their middle is meant
_SAMPLE: Final = 120_000


def render(page: object) -> tuple[Gray, float]:
    """A page of a pdf in grey, and how many points a pixel is; very large pages come at a lower resolution."""
    width_pt, height_pt = pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)
    scale = min(1 / PT_PER_PX, _LONGEST_SIDE_PX / max(width_pt, height_pt, 1.0))
    width, height = max(1, round(width_pt * scale)), max(1, round(height_pt * scale))
    bitmap = pdfium.FPDFBitmap_CreateEx(width, height, pdfium.FPDFBitmap_Gray, None, 0)
    try:
        pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xFFFFFFFF)
        pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, pdfium.FPDF_ANNOT | pdfium.FPDF_GRAYSCALE)
        stride = pdfium.FPDFBitmap_GetStride(bitmap)
        data = ctypes.string_at(pdfium.FPDFBitmap_GetBuffer(bitmap), stride * height)
    finally:
        pdfium.FPDFBitmap_Destroy(bitmap)
    return np.frombuffer(data, np.uint8).reshape(height, stride)[:, :width].copy(), 1 / scale


def ink_of(gray: Gray) -> Gray:
    """255 where there is ink, 0 on paper; neither shading of the paper nor the scanner's noise counts."""
    smooth = cv2.GaussianBlur(gray, (3, 3), 0)
    noise = float(np.median(np.abs(smooth.astype(np.int16) - cv2.medianBlur(smooth, 5)))) / _MAD_OF_SIGMA
    darker = max(_DARKER, _ABOVE_NOISE * noise)
    return np.asarray(
        cv2.adaptiveThreshold(smooth, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, _SHADE_PX, darker),
        np.uint8,
    )


def straightened(gray: Gray) -> tuple[Gray, float]:
    """The page with its lines level, and by how much it was turned about its middle [degrees, anticlockwise]."""
    angle = skew_deg(gray)
    if abs(angle) < _FINE_DEG:
        return gray, 0.0
    height, width = gray.shape
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), angle, 1.0)
    level = cv2.warpAffine(gray, turn, (width, height), flags=cv2.INTER_CUBIC, borderValue=(_PAPER,))
    return np.asarray(level, np.uint8), angle


def skew_deg(gray: Gray) -> float:
    """How far the lines of the page fall to the right [degrees, clockwise]; within ±5°.

    Level lines make the sharpest profile of ink over height: rules and the rows of text alike.
    """
    y, x = np.nonzero(ink_of(gray))
    if not len(y):
        return 0.0
    if len(y) > _SAMPLE:
        chosen = np.random.default_rng(0).choice(len(y), _SAMPLE, replace=False)
        y, x = y[chosen], x[chosen]

    def sharpness(angle_deg: float) -> float:
        angle = math.radians(angle_deg)
        rows = (y * math.cos(angle) - x * math.sin(angle)).astype(np.int64)
        return float((np.bincount(rows - rows.min()).astype(np.float64) ** 2).sum())

    coarse = max(np.arange(-_MAX_SKEW_DEG, _MAX_SKEW_DEG + _COARSE_DEG / 2, _COARSE_DEG), key=sharpness)
    fine = np.arange(coarse - _COARSE_DEG, coarse + _COARSE_DEG, _FINE_DEG)
    scores = np.array([sharpness(angle) for angle in fine])
    return float(fine[scores >= _AS_SHARP * scores.max()].mean())
