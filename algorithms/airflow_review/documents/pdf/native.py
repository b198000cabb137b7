"""Bare PDFium functions for the per-glyph and per-path loops.

The wrappers of the binding check and convert every argument; with 200 000 glyphs that is most of the time. Addresses go in as integers, results land in
buffers made by the caller. Only the binding's raw module is imported: its object layer costs as much as a whole small file.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from ctypes import c_float, c_int, c_size_t, c_uint, c_void_p
from typing import Any, Final

import pypdfium2_raw as pdfium

Native = Callable[..., Any]

_ADDRESS: Final = c_size_t  # a null pointer comes back as 0, not as None


def _bare(name: str, result: Any, *arguments: Any) -> Native:
    address = ctypes.cast(getattr(pdfium, name), c_void_p).value or 0
    return ctypes.PYFUNCTYPE(result, *arguments)(address)


def address_of(handle: Any) -> int:
    """The address behind a handle of the binding."""
    return ctypes.cast(handle, c_void_p).value or 0


# Text page, index -> code point.
char_code: Final = _bare("FPDFText_GetUnicode", c_uint, _ADDRESS, c_int)
# Text page, index, address of 4 floats (left, top, right, bottom).
char_box: Final = _bare("FPDFText_GetLooseCharBox", c_int, _ADDRESS, c_int, _ADDRESS)
# Text page, index, addresses of 2 doubles.
char_origin: Final = _bare("FPDFText_GetCharOrigin", c_int, _ADDRESS, c_int, _ADDRESS, _ADDRESS)
# Text page, index -> text object; 0 for characters that PDFium made up (line ends, spaces).
char_object: Final = _bare("FPDFText_GetTextObject", _ADDRESS, _ADDRESS, c_int)
# Text page, index, address of 6 floats.
char_matrix: Final = _bare("FPDFText_GetMatrix", c_int, _ADDRESS, c_int, _ADDRESS)
# Text object, address of a float.
font_size: Final = _bare("FPDFTextObj_GetFontSize", c_int, _ADDRESS, _ADDRESS)
# Text object -> mode; 3 is invisible.
render_mode: Final = _bare("FPDFTextObj_GetTextRenderMode", c_int, _ADDRESS)

page_objects: Final = _bare("FPDFPage_CountObjects", c_int, _ADDRESS)
page_object: Final = _bare("FPDFPage_GetObject", _ADDRESS, _ADDRESS, c_int)
form_objects: Final = _bare("FPDFFormObj_CountObjects", c_int, _ADDRESS)
form_object: Final = _bare("FPDFFormObj_GetObject", _ADDRESS, _ADDRESS, c_size_t)
object_type: Final = _bare("FPDFPageObj_GetType", c_int, _ADDRESS)
# Object, addresses of 4 floats (left, bottom, right, top), line width included.
object_bounds: Final = _bare("FPDFPageObj_GetBounds", c_int, *(_ADDRESS,) * 5)
# Object, address of 6 floats.
object_matrix: Final = _bare("FPDFPageObj_GetMatrix", c_int, _ADDRESS, _ADDRESS)
# Object, addresses of 4 unsigned ints.
stroke_color: Final = _bare("FPDFPageObj_GetStrokeColor", c_int, *(_ADDRESS,) * 5)
fill_color: Final = _bare("FPDFPageObj_GetFillColor", c_int, *(_ADDRESS,) * 5)
# Path, addresses of 2 ints (fill mode, is stroked).
draw_mode: Final = _bare("FPDFPath_GetDrawMode", c_int, *(_ADDRESS,) * 3)
path_segments: Final = _bare("FPDFPath_CountSegments", c_int, _ADDRESS)
path_segment: Final = _bare("FPDFPath_GetPathSegment", _ADDRESS, _ADDRESS, c_int)
segment_type: Final = _bare("FPDFPathSegment_GetType", c_int, _ADDRESS)
segment_closes: Final = _bare("FPDFPathSegment_GetClose", c_int, _ADDRESS)
# Segment, addresses of 2 floats.
segment_point: Final = _bare("FPDFPathSegment_GetPoint", c_int, _ADDRESS, _ADDRESS, _ADDRESS)

Floats6 = c_float * 6
Floats4 = c_float * 4
Floats2 = c_float * 2
Uints4 = c_uint * 4
Ints2 = c_int * 2
