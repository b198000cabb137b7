"""One page of a pdf as a picture, upright as its text is read, with places on it boxed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
import pypdfium2_raw as pdfium
from numpy.typing import NDArray

from algorithms.airflow_review.documents.document import BBox
from algorithms.airflow_review.documents.limits import Limits
from algorithms.airflow_review.documents.page_picture import PagePicture, PictureError, PictureProblem
from algorithms.airflow_review.documents.pdf.glyphs import Turn, read_glyphs
from algorithms.airflow_review.documents.pdf.opened import opened_document, opened_page
from algorithms.airflow_review.documents.pdf.png import png_bytes

_MAX_PIXELS: Final = 12_000_000
_MARGIN_PT: Final = 1.5  # between the place and its box, so that the line touches no glyph
_LINE_PX: Final = 2.0
_LINE: Final = (208, 32, 32, 255)
_WASH: Final = (255, 243, 176, 255)
_QUARTERS: Final = 4


def draw_pdf_page(
    data: bytes, file: str, number: int, boxes: Sequence[BBox], scale: float, limits: Limits
) -> PagePicture:
    """Page `number` (1-based) at `scale` pixels for a point, with `boxes` framed.

    The boxes are points of the page as it is read, as `Evidence.bbox` is. A page whose text runs sideways is turned by quarters; of
    a skewed page the boxes are skewed with the text, and not the page straightened: a picture shows what was handed in.

    Raises:
        InputError: the file or the page cannot be read.
        PictureError: the document has fewer pages, or a box lies outside the page.
    """
    with opened_document(data, file, limits) as (document, count):
        if not 1 <= number <= count:
            raise PictureError(PictureProblem.NO_SUCH_PAGE, count)
        with opened_page(document, number, file, limits) as (page, text, glyphs):
            turn = read_glyphs(page, text, glyphs).turn
            width_pt, height_pt = _size(page, turn)
            scale = min(scale, math.sqrt(_MAX_PIXELS / max(width_pt * height_pt, 1.0)))
            for box in boxes:
                if box[2] <= 0 or box[3] <= 0 or box[0] >= turn.width or box[1] >= turn.height:
                    raise PictureError(PictureProblem.BOX_OFF_PAGE, count)
                _frame(page, turn, box, _LINE_PX / scale)
            return PagePicture(png=png_bytes(_pixels(page, turn, width_pt, height_pt, scale)), scale=scale)


def _turns(page: object, turn: Turn) -> int:
    """Clockwise quarter turns, beyond the page's own, that bring its text upright."""
    own: int = pdfium.FPDFPage_GetRotation(page)
    return (round(turn.angle / (math.pi / 2)) - own) % _QUARTERS


def _size(page: object, turn: Turn) -> tuple[float, float]:
    """Width and height in points of the upright page."""
    size = pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)
    return (size[1], size[0]) if _turns(page, turn) % 2 else size


def _frame(page: object, turn: Turn, box: BBox, line_pt: float) -> None:
    """Add the frame to the page itself: PDFium turns it with everything else, and the text shows through the wash."""
    x0, top, x1, bottom = box[0] - _MARGIN_PT, box[1] - _MARGIN_PT, box[2] + _MARGIN_PT, box[3] + _MARGIN_PT
    start, *corners = (turn.undo(x, y) for x, y in ((x0, top), (x1, top), (x1, bottom), (x0, bottom)))
    path = pdfium.FPDFPageObj_CreateNewPath(*start)
    for corner in corners:
        pdfium.FPDFPath_LineTo(path, *corner)
    pdfium.FPDFPath_Close(path)
    pdfium.FPDFPath_SetDrawMode(path, pdfium.FPDF_FILLMODE_WINDING, True)
    pdfium.FPDFPageObj_SetFillColor(path, *_WASH)
    pdfium.FPDFPageObj_SetStrokeColor(path, *_LINE)
    pdfium.FPDFPageObj_SetStrokeWidth(path, line_pt)
    pdfium.FPDFPageObj_SetBlendMode(path, b"Multiply")
    pdfium.FPDFPage_InsertObject(page, path)


def _pixels(page: object, turn: Turn, width_pt: float, height_pt: float, scale: float) -> NDArray[np.uint8]:
    """The page on white, shape `(height, width, 3)`."""
    width, height = max(1, round(width_pt * scale)), max(1, round(height_pt * scale))
    bitmap = pdfium.FPDFBitmap_CreateEx(width, height, pdfium.FPDFBitmap_BGRx, None, 0)
    try:
        pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xFFFFFFFF)
        flags = pdfium.FPDF_ANNOT | pdfium.FPDF_REVERSE_BYTE_ORDER
        pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, _turns(page, turn), flags)
        stride = pdfium.FPDFBitmap_GetStride(bitmap)
        address = pdfium.FPDFBitmap_GetBuffer(bitmap)
        whole = np.ctypeslib.as_array((pdfium.c_ubyte * (stride * height)).from_address(address))
        return whole.reshape(height, stride)[:, : 4 * width].reshape(height, width, 4)[:, :, :3].copy()
    finally:
        pdfium.FPDFBitmap_Destroy(bitmap)
