"""Glyphs to segments: pieces of text on one baseline, inside one cell, without a wide gap."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from algorithms.airflow_review.documents.pdf.glyphs import Floats, Glyphs
from algorithms.airflow_review.value_class import dataclass

OUTSIDE: Final = -1  # cell number of glyphs outside all ruled tables

_SAME_LINE: Final = 0.42  # of the font size
_SMALL: Final = 0.92  # of the neighbour's size: an index or a power
_SEAM: Final = 0.05
_RAISED: Final = 0.12
_REACH: Final = 0.58  # of the font size: how far from a baseline its indices and powers stand
_LINE_OFFSET_PT: Final = 1e5
_SEGMENT_GAP: Final = 0.55
_LEAST_STRETCH: Final = 0.1  # of the font size: a justified line
_WIDEST_STRETCH: Final = 1.0
_FEWEST_STRETCHED: Final = 6  # Chinese signs of one line
_SAME_STRETCH: Final = 0.2
_MOST: Final = 0.6
_AROUND_LATIN: Final = 1.5  # beside Latin the usual white comes on top
_WORD_GAP: Final = 0.25  # between Latin words
_TYPED_GAP: Final = 0.1  # where a space was typed
_TWICE: Final = 0.12  # glyphs drawn twice for boldness stand closer than this
_FIRST_CJK: Final = 0x2E80
_POWERS: Final = dict(zip(map(ord, "0123456789+-−"), map(ord, "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻"), strict=True))

Order = NDArray[np.intp]


Seam = tuple[int, float, float]  # index into the text, x0 and x1 of the white there: two texts may meet here


@dataclass(slots=True, kw_only=True)
class Segment:
    """A piece of text; `line` numbers baselines within a page from top to bottom of each cell."""

    text: str
    x0: float
    x1: float
    top: float
    bottom: float
    base: float
    size: float
    cell: int
    line: int
    seams: tuple[Seam, ...] = ()


def find_segments(glyphs: Glyphs, cells: NDArray[np.intp]) -> list[Segment]:
    """All segments, by cell, then from top to bottom, then from left to right.

    `cells` has shape `(n_glyphs,)` and holds the cell number of each glyph or OUTSIDE.
    """
    if not len(glyphs):
        return []
    lines = _lines(glyphs, cells)
    order = np.lexsort((glyphs.x0, lines.number))
    number = lines.number[order]
    size = lines.size[number]
    again = np.zeros(len(order), bool)
    again[1:] = _again(glyphs, order, number, size)
    order, number, size = order[~again], number[~again], size[~again]
    gaps, same_line = _gaps(glyphs, order, number), np.diff(number) == 0
    code = _powers(glyphs, order, lines.base[number], size)
    narrow = code < _FIRST_CJK
    typed = glyphs.spaced[order][1:] & (np.diff(order) == 1) & (gaps > _TYPED_GAP * size[1:])
    spaces = same_line & (typed | ((gaps > _WORD_GAP * size[1:]) & narrow[1:] & narrow[:-1]))
    stretch = _stretch(gaps / size[1:], same_line & ~narrow[1:] & ~narrow[:-1], number)
    spaces &= (stretch == 0) | narrow[1:] | narrow[:-1]
    wide = same_line & (gaps > (_SEGMENT_GAP + _AROUND_LATIN * stretch) * size[1:])
    starts = np.concatenate(([0], np.flatnonzero(~same_line | wide) + 1))
    segments = _built(glyphs, cells, lines, order, number, starts, _texts(code, spaces, starts))
    drawn_apart = np.diff(glyphs.source[order].astype(np.int64)) != 0
    seams = same_line & ((drawn_apart & (gaps > _SEAM * size[1:])) | spaces)
    _mark_seams(segments, glyphs, order, starts, np.flatnonzero(seams) + 1, np.flatnonzero(spaces) + 1)
    return segments


@dataclass(frozen=True, slots=True)
class _Lines:
    """Line number of each glyph; baseline and font size of each line."""

    number: NDArray[np.intp]
    base: Floats
    size: Floats


def _lines(glyphs: Glyphs, cells: NDArray[np.intp]) -> _Lines:
    order = np.lexsort((glyphs.base, cells))
    base, size, cell = glyphs.base[order], glyphs.size[order], cells[order]
    drop = (np.diff(base) > _SAME_LINE * np.minimum(size[1:], size[:-1])) | (np.diff(cell) != 0)
    starts = np.concatenate(([0], np.flatnonzero(drop) + 1))
    sizes = np.maximum.reduceat(size, starts)
    number = np.zeros(len(order), np.intp)
    number[starts[1:]] = 1
    number = np.cumsum(number)
    large = size > _SMALL * sizes[number]
    bases = np.add.reduceat(np.where(large, base, 0.0), starts) / np.add.reduceat(large.astype(float), starts)
    left = np.minimum.reduceat(glyphs.x0[order], starts)
    right = np.maximum.reduceat(glyphs.x1[order], starts)
    host = np.arange(len(starts))
    for at in range(len(starts)):
        near = [
            n
            for n in (at - 1, at + 1)
            if 0 <= n < len(starts)
            and cell[starts[n]] == cell[starts[at]]
            and sizes[at] < _SMALL * sizes[n]
            and abs(bases[at] - bases[n]) < _REACH * sizes[n]
            and left[at] < right[n] + _WORD_GAP * sizes[n]
            and right[at] > left[n] - _WORD_GAP * sizes[n]
        ]
        if near:
            host[at] = min(near, key=lambda n: abs(bases[n] - bases[at]))
    result = np.empty(len(order), np.intp)
    result[order] = host[number]
    return _Lines(result, bases, sizes)


def _again(glyphs: Glyphs, order: Order, number: Order, size: Floats) -> NDArray[np.bool_]:
    """Whether a glyph repeats the one before it in place: boldness made by drawing twice."""
    close: NDArray[np.bool_] = np.diff(glyphs.x0[order]) < _TWICE * size[1:]
    same: NDArray[np.bool_] = (np.diff(glyphs.code[order].astype(np.int64)) == 0) & (np.diff(number) == 0)
    return close & same


def _gaps(glyphs: Glyphs, order: Order, number: Order) -> Floats:
    """White between each glyph and all glyphs before it on its line; shape `(n - 1,)`."""
    apart = number * _LINE_OFFSET_PT  # keeps the running maximum of one line out of the next
    return (glyphs.x0[order] + apart)[1:] - np.maximum.accumulate(glyphs.x1[order] + apart)[:-1]


def _stretch(gaps: Floats, chinese: NDArray[np.bool_], number: Order) -> Floats:
    """The white by which a justified line parts each Chinese sign from the next, for each gap; 0 on other lines.

    In cells of a table such signs touch. `gaps` are in font sizes, `chinese` tells the gaps between two Chinese
    signs of a line; all have shape `(n - 1,)`.
    """
    stretch = np.zeros(len(gaps))
    lines = number[1:]
    counts = np.bincount(lines[chinese & (gaps > _LEAST_STRETCH)], minlength=int(number[-1]) + 1)
    for line in np.flatnonzero(counts >= _FEWEST_STRETCHED).tolist():
        own = gaps[chinese & (lines == line)]
        usual = float(np.median(own))
        alike = np.abs(own - usual) < _SAME_STRETCH * usual
        if _LEAST_STRETCH < usual < _WIDEST_STRETCH and np.count_nonzero(alike) > _MOST * len(own):
            stretch[lines == line] = usual
    return stretch


def _powers(glyphs: Glyphs, order: Order, base: Floats, size: Floats) -> NDArray[np.uint32]:
    """Code points, with small raised digits as superscript characters."""
    code = glyphs.code[order].copy()
    raised = (glyphs.size[order] < _SMALL * size) & (base - glyphs.base[order] > _RAISED * size)
    for at in np.flatnonzero(raised).tolist():
        code[at] = _POWERS.get(int(code[at]), int(code[at]))
    return code


def _texts(code: NDArray[np.uint32], spaces: NDArray[np.bool_], starts: Order) -> list[str]:
    """The text of each segment, with spaces between Latin words."""
    before = np.flatnonzero(spaces) + 1
    text = np.insert(code, before, ord(" ")).astype("<u4").tobytes().decode("utf-32-le", "replace")
    shifted = (starts + np.searchsorted(before, starts, side="left")).tolist()
    return [text[a:b] for a, b in zip(shifted, [*shifted[1:], len(text)], strict=True)]


def _mark_seams(
    segments: list[Segment], glyphs: Glyphs, order: Order, starts: Order, seams: Order, spaces: Order
) -> None:
    """Notes in each segment the places where texts drawn apart meet; needed where a column border cuts through."""
    owner = np.searchsorted(starts, seams, side="right") - 1
    left, right = glyphs.x1[order][seams - 1], glyphs.x0[order][seams]
    # Characters before the seam inside its segment, inserted spaces counted.
    index = seams - starts[owner] + np.searchsorted(spaces, seams) - np.searchsorted(spaces, starts[owner])
    inside = seams > starts[owner]
    for at, number in enumerate(owner.tolist()):
        if inside[at]:
            segments[number].seams += ((int(index[at]), float(left[at]), float(right[at])),)


def _built(
    glyphs: Glyphs, cells: NDArray[np.intp], lines: _Lines, order: Order, number: Order, starts: Order, texts: list[str]
) -> list[Segment]:
    first = number[starts]
    columns = (
        glyphs.x0[order][starts],
        np.maximum.reduceat(glyphs.x1[order], starts),
        np.minimum.reduceat(glyphs.top[order], starts),
        np.maximum.reduceat(glyphs.bottom[order], starts),
        lines.base[first],
        lines.size[first],
        cells[order][starts],
        first,
    )
    return [
        Segment(text=text.strip(), x0=x0, x1=x1, top=top, bottom=bottom, base=base, size=size, cell=cell, line=line)
        for text, x0, x1, top, bottom, base, size, cell, line in zip(
            texts, *(column.tolist() for column in columns), strict=True
        )
    ]
