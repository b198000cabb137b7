"""The glyphs of one page as arrays, turned so that the text runs from left to right."""

from __future__ import annotations

import ctypes
import math
from collections import deque
from collections.abc import Sequence
from itertools import repeat
from typing import Final

import numpy as np
import pypdfium2_raw as pdfium
from numpy.typing import NDArray

from algorithms.airflow_review.documents.pdf import native
from algorithms.airflow_review.value_class import dataclass

Floats = NDArray[np.float64]

# Controls, no-break space, zero-width characters, ideographic space and the placeholder of an unmapped glyph: gaps say what they say.
_NOT_DRAWN: Final = [*range(0x21), 0xA0, 0xAD, 0x3000, 0xFEFF, 0xFFFE, 0xFFFF, *range(0x2000, 0x2010), 0x202F, 0x2060]
_SPACES: Final = [0x20, 0xA0, 0x3000]
_BEYOND: Final = 0x10000  # stands for all code points above the first plane, of which all are drawn
_INVISIBLE = 3
_LINE_END_HYPHEN: Final = 0x02
_OFF_ANGLE_DEG = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """From page space (points, y up) to reading space (points, origin upper left, y down)."""

    angle: float  # direction of the text in page space [rad]
    center: tuple[float, float]
    width: float
    height: float

    @property
    def is_skewed(self) -> bool:
        """Whether the text is off a quarter turn by more than a scanner's hair."""
        return abs(self.angle - _quarter(self.angle)) > math.radians(0.02)

    def apply(self, x: Floats, y: Floats) -> tuple[Floats, Floats]:
        """Reading-space coordinates of page-space points."""
        cos, sin = math.cos(self.angle), math.sin(self.angle)
        right, up = x - self.center[0], y - self.center[1]
        return right * cos + up * sin + self.width / 2, self.height / 2 + right * sin - up * cos

    def undo(self, x: float, y: float) -> tuple[float, float]:
        """The page-space point that `apply` brings to x, y."""
        cos, sin = math.cos(self.angle), math.sin(self.angle)
        along, above = x - self.width / 2, self.height / 2 - y
        return self.center[0] + along * cos - above * sin, self.center[1] + along * sin + above * cos


@dataclass(frozen=True, slots=True, kw_only=True)
class Glyphs:
    """Visible glyphs; all arrays have shape `(n_glyphs,)`, lengths in points, y down."""

    code: NDArray[np.uint32]
    x0: Floats
    x1: Floats
    top: Floats
    bottom: Floats
    base: Floats  # baseline
    size: Floats  # font size
    source: NDArray[np.uint64]  # the text object the glyph was drawn by
    spaced: NDArray[np.bool_]  # whether a typed space stands before the glyph

    def __len__(self) -> int:
        return len(self.code)

    def select(self, chosen: NDArray[np.bool_] | NDArray[np.intp]) -> Glyphs:
        """The chosen glyphs, in the order of an index array or as masked."""
        return Glyphs(**{name: getattr(self, name)[chosen] for name in self.__slots__})


@dataclass(frozen=True, slots=True, kw_only=True)
class PageText:
    """What one page shows as text."""

    turn: Turn
    glyphs: Glyphs
    sideways: Glyphs  # glyphs a quarter turn off the page's direction (labels of merged cells)
    sideways_angle: float  # [rad], against the page's direction
    is_invisible: bool  # the text lies unseen over a picture, as OCR programs leave it


def read_glyphs(page: object, text_page: object, count: int) -> PageText:
    """All visible glyphs of a page; the direction of most of them counts as horizontal."""
    handle = native.address_of(text_page)
    code = np.fromiter(map(native.char_code, repeat(handle), range(count)), np.uint32, count)
    source = np.fromiter(map(native.char_object, repeat(handle), range(count)), np.uint64, count)
    code[code == _LINE_END_HYPHEN] = ord("-")
    index = np.flatnonzero((source != 0) & ~_is_one_of(_HIDDEN, code))
    spaced = _after_space(code, source, index)
    code, source = code[index], source[index]
    boxes, origins = _places(handle, index)
    angle, size, invisible = _styles(handle, index, source)
    turn = _turn(page, _main_angle(angle)) if len(angle) else turn_as_shown(page)
    everything = _turned(turn, code, boxes, origins, size, source, spaced)
    on_page = (
        (everything.x1 > 0) & (everything.x0 < turn.width) & (everything.bottom > 0) & (everything.top < turn.height)
    )
    turned = _wrapped(angle - turn.angle)
    off = np.degrees(np.abs(turned))
    side = _median(turned[off > _OFF_ANGLE_DEG]) if (off > _OFF_ANGLE_DEG).any() else 0.0
    return PageText(
        turn=turn,
        glyphs=everything.select(on_page & (off <= _OFF_ANGLE_DEG)),
        sideways=everything.select(on_page & (np.abs(off - 90) <= _OFF_ANGLE_DEG)),
        sideways_angle=_quarter(side),
        is_invisible=bool(2 * invisible.sum() > len(index)) if len(index) else False,
    )


def _after_space(code: NDArray[np.uint32], source: NDArray[np.uint64], index: NDArray[np.intp]) -> NDArray[np.bool_]:
    """For each visible glyph whether a space of the same text object, or at the end of the one before, precedes it."""
    spaces = np.cumsum((source != 0) & _is_one_of(_BLANK, code))
    before = spaces[index]
    result: NDArray[np.bool_] = np.diff(before, prepend=before[:1]) > 0
    return result


def _places(handle: int, index: NDArray[np.intp]) -> tuple[Floats, Floats]:
    """Boxes `(n, 4)` as left, top, right, bottom and origins `(n, 2)` in page space."""
    n = len(index)
    boxes, origins = np.zeros((n, 4), np.float32), np.zeros((n, 2), np.float64)
    at, origin_at = boxes.ctypes.data, origins.ctypes.data
    numbers = index.tolist()
    deque(map(native.char_box, repeat(handle), numbers, range(at, at + 16 * n, 16)), maxlen=0)
    x, y = range(origin_at, origin_at + 16 * n, 16), range(origin_at + 8, origin_at + 8 + 16 * n, 16)
    deque(map(native.char_origin, repeat(handle), numbers, x, y), maxlen=0)
    return boxes.astype(np.float64), origins


def _styles(
    handle: int, index: NDArray[np.intp], source: NDArray[np.uint64]
) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """Angle [rad], size [pt] and invisibility of every glyph, asked once for each run of glyphs of one text object."""
    first = np.flatnonzero(np.concatenate(([True], source[1:] != source[:-1])))[: len(source)]
    objects, lengths = source[first], np.concatenate((first[1:], [len(source)])) - first
    angles, sizes = np.zeros(len(objects)), np.zeros(len(objects))
    hidden = np.zeros(len(objects), bool)
    matrix, points = native.Floats6(), ctypes.c_float()
    matrix_at, points_at = ctypes.addressof(matrix), ctypes.addressof(points)
    for at, (item, glyph) in enumerate(zip(objects.tolist(), index[first].tolist(), strict=True)):
        native.char_matrix(handle, glyph, matrix_at)
        native.font_size(item, points_at)
        a, b, c, d, _, _ = matrix
        angles[at] = math.atan2(b, a)
        sizes[at] = points.value * math.hypot(c, d)
        hidden[at] = native.render_mode(item) == _INVISIBLE
    return angles.repeat(lengths), sizes.repeat(lengths), hidden.repeat(lengths)


def turn_as_shown(page: object) -> Turn:
    """The page as it is shown: what a page without text is read by."""
    return _turn(page, float(pdfium.FPDFPage_GetRotation(page)) * math.pi / 2)


def _main_angle(angle: Floats) -> float:
    """The direction of most glyphs; the mean within its degree, so that a skew is exact."""
    degrees = np.round(np.degrees(angle)).astype(int)
    lowest = int(degrees.min())
    commonest = lowest + int(np.bincount(degrees - lowest).argmax())
    return _median(angle[np.abs(_wrapped(angle - math.radians(commonest))) < math.radians(1)])


def _median(values: Floats) -> float:
    """The middle value; numpy's own brings its masked arrays with it, as slow to import as a page to read."""
    ordered, middle = np.sort(values), len(values) // 2
    return float(ordered[middle] if len(values) % 2 else (ordered[middle - 1] + ordered[middle]) / 2)


def _table(codes: Sequence[int]) -> NDArray[np.bool_]:
    table = np.zeros(_BEYOND + 1, bool)
    table[codes] = True
    return table


_HIDDEN: Final = _table(_NOT_DRAWN)
_BLANK: Final = _table(_SPACES)


def _is_one_of(table: NDArray[np.bool_], code: NDArray[np.uint32]) -> NDArray[np.bool_]:
    result: NDArray[np.bool_] = table[np.minimum(code, _BEYOND)]
    return result


def _wrapped(angle: Floats) -> Floats:
    return (angle + math.pi) % (2 * math.pi) - math.pi


def _quarter(angle: float) -> float:
    return round(angle / (math.pi / 2)) * (math.pi / 2)


def _turn(page: object, angle: float) -> Turn:
    box = pdfium.FS_RECTF()
    pdfium.FPDF_GetPageBoundingBox(page, box)
    width, height = box.right - box.left, box.top - box.bottom
    if round(angle / (math.pi / 2)) % 2:
        width, height = height, width
    center = ((box.left + box.right) / 2, (box.top + box.bottom) / 2)
    return Turn(angle=angle, center=center, width=width, height=height)


def _turned(
    turn: Turn,
    code: NDArray[np.uint32],
    boxes: Floats,
    origins: Floats,
    size: Floats,
    source: NDArray[np.uint64],
    spaced: NDArray[np.bool_],
) -> Glyphs:
    xs, ys = turn.apply(boxes[:, [0, 2]], boxes[:, [1, 3]])
    _, base = turn.apply(origins[:, 0], origins[:, 1])
    top, bottom = ys.min(axis=1), ys.max(axis=1)
    # A font that states no size of its own still has a box.
    size = np.where(size > 0, size, bottom - top)
    return Glyphs(
        code=code,
        x0=xs.min(axis=1),
        x1=xs.max(axis=1),
        top=top,
        bottom=bottom,
        base=base,
        size=size,
        source=source,
        spaced=spaced,
    )
