"""The drawn horizontal and vertical lines of a page, merged where they continue each other."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import groupby, pairwise
from typing import Final

import numpy as np
import pypdfium2_raw as pdfium

from algorithms.airflow_review.documents.pdf import native
from algorithms.airflow_review.documents.pdf.glyphs import Turn
from algorithms.airflow_review.value_class import dataclass

_SNAP_PT: Final = 2.0  # rules closer than this are one rule
_BRIDGE_PT: Final = 3.0  # gap that a continued rule may have
_THIN_PT: Final = 3.0  # a filled shape thinner than this is a rule
_SHORT_PT: Final = 4.0
_SLOPE: Final = 0.02
_WHITE: Final = 250
_MAX_OBJECTS: Final = 60_000
_MAX_DEPTH: Final = 4

Point = tuple[float, float]
Matrix = tuple[float, float, float, float, float, float]


@dataclass(frozen=True, slots=True)
class Rule:
    """A straight line: `at` is its y (horizontal) or x (vertical), `start` and `end` run along it [pt]."""

    at: float
    start: float
    end: float

    def covers(self, where: float) -> bool:
        """Whether the line passes the given place along it."""
        return self.start <= where <= self.end


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """What a page draws apart from text."""

    horizontal: tuple[Rule, ...]
    vertical: tuple[Rule, ...]
    picture_pt2: float  # area of all pictures [pt²]


def read_drawing(page: object, turn: Turn) -> Drawing:
    """Visible rules in reading space; white and transparent ones divide nothing and are left out."""
    walk = _Walk(is_straight=not turn.is_skewed)
    handle = native.address_of(page)
    walk.objects(native.page_objects(handle), partial(native.page_object, handle), (), 0)
    points = np.array(walk.ends, np.float64).reshape(-1, 2)
    xs, ys = turn.apply(points[:, 0], points[:, 1])
    flat: list[Rule] = []
    upright: list[Rule] = []
    for x0, x1, y0, y1 in zip(xs[::2].tolist(), xs[1::2].tolist(), ys[::2].tolist(), ys[1::2].tolist(), strict=True):
        wide, tall = abs(x1 - x0), abs(y1 - y0)
        if tall <= max(_SLOPE * wide, 0.6):
            flat.append(Rule((y0 + y1) / 2, min(x0, x1), max(x0, x1)))
        elif wide <= max(_SLOPE * tall, 0.6):
            upright.append(Rule((x0 + x1) / 2, min(y0, y1), max(y0, y1)))
    return Drawing(horizontal=merged_rules(flat), vertical=merged_rules(upright), picture_pt2=walk.picture_pt2)


def merged_rules(rules: Iterable[Rule]) -> tuple[Rule, ...]:
    """Rules on one line joined where they touch; what stays short is no rule."""
    ordered = sorted(rules, key=lambda rule: rule.at)
    merged: list[Rule] = []
    for _, group in groupby(_numbered(ordered), key=lambda pair: pair[0]):
        level = sorted((rule for _, rule in group), key=lambda rule: rule.start)
        at = sum(rule.at for rule in level) / len(level)
        start, end = level[0].start, level[0].end
        for rule in level[1:]:
            if rule.start <= end + _BRIDGE_PT:
                end = max(end, rule.end)
            else:
                merged.append(Rule(at, start, end))
                start, end = rule.start, rule.end
        merged.append(Rule(at, start, end))
    return tuple(rule for rule in merged if rule.end - rule.start >= _SHORT_PT)


def _numbered(ordered: Iterable[Rule]) -> Iterator[tuple[int, Rule]]:
    level, last = 0, float("-inf")
    for rule in ordered:
        if rule.at - last > _SNAP_PT:
            level += 1
        last = rule.at
        yield level, rule


class _Walk:
    """Collects the end points of rules over page objects and form objects."""

    def __init__(self, *, is_straight: bool) -> None:
        self._is_straight = is_straight
        self.ends: list[Point] = []
        self.picture_pt2 = 0.0
        self._left = _MAX_OBJECTS
        self._colors, self._modes = native.Uints4(), native.Ints2()
        self._point, self._bounds = native.Floats2(), native.Floats4()
        bounds_at = ctypes.addressof(self._bounds)
        self._bounds_at = (bounds_at, bounds_at + 4, bounds_at + 8, bounds_at + 12)
        at = ctypes.addressof(self._colors)
        self._color_at = (at, at + 4, at + 8, at + 12)
        self._modes_at = ctypes.addressof(self._modes)
        self._point_at = ctypes.addressof(self._point)

    def objects(self, count: int, item: Callable[[int], int], matrices: tuple[Matrix, ...], depth: int) -> None:
        handles = list(map(item, range(min(count, self._left))))
        self._left -= len(handles)
        for handle, kind in zip(handles, map(native.object_type, handles), strict=True):
            if kind == pdfium.FPDF_PAGEOBJ_PATH:
                self._path(handle, matrices)
            elif kind == pdfium.FPDF_PAGEOBJ_IMAGE:
                self.picture_pt2 += _area((_matrix(handle), *matrices))
            elif kind == pdfium.FPDF_PAGEOBJ_FORM and depth < _MAX_DEPTH:
                inner = (_matrix(handle), *matrices)
                self.objects(native.form_objects(handle), partial(native.form_object, handle), inner, depth + 1)

    def _path(self, handle: int, matrices: tuple[Matrix, ...]) -> None:
        native.draw_mode(handle, self._modes_at, self._modes_at + 4)
        is_filled, is_stroked = self._modes[0] != 0, self._modes[1] != 0
        color = native.stroke_color if is_stroked else native.fill_color
        if not (is_filled or is_stroked) or not self._is_visible(color, handle):
            return
        if self._is_straight and not matrices and self._is_bar(handle):
            return
        own = (_matrix(handle), *matrices)
        for shape in self._shapes(handle):
            moved = [_move(point, own) for point in shape]
            for start, end in pairwise(moved if is_stroked else _thin_axis(moved)):
                self.ends += (start, end)

    def _is_bar(self, handle: int) -> bool:
        """Takes a path whose bounds are thin as one rule; saves the walk along its segments, which most rules need not."""
        if not native.object_bounds(handle, *self._bounds_at):
            return False
        left, bottom, right, top = self._bounds
        wide, tall = right - left, top - bottom
        if min(wide, tall) > _THIN_PT:
            return False
        if wide > tall:
            self.ends += ((left, (bottom + top) / 2), (right, (bottom + top) / 2))
        else:
            self.ends += (((left + right) / 2, bottom), ((left + right) / 2, top))
        return True

    def _is_visible(self, color: native.Native, handle: int) -> bool:
        if not color(handle, *self._color_at):
            return True
        red, green, blue, alpha = self._colors
        return alpha > 0 and min(red, green, blue) < _WHITE

    def _shapes(self, handle: int) -> Iterator[list[Point]]:
        """The straight pieces of a path as point lists; a curve ends one piece and starts the next."""
        shape: list[Point] = []
        for at in range(native.path_segments(handle)):
            segment = native.path_segment(handle, at)
            native.segment_point(segment, self._point_at, self._point_at + 4)
            point = (self._point[0], self._point[1])
            if native.segment_type(segment) == pdfium.FPDF_SEGMENT_LINETO:
                shape.append(point)
            else:
                yield shape
                shape = [point]
            if native.segment_closes(segment) and len(shape) > 1:
                shape.append(shape[0])
        yield shape


def _thin_axis(shape: list[Point]) -> list[Point]:
    """The middle line of a thin filled bar; nothing for any other shape, which is shading."""
    corners = list(dict.fromkeys(shape))
    if len(corners) != 4:  # noqa: PLR2004 - a bar has four corners
        return []
    one, two, three, four = corners
    if min(math.dist(one, two), math.dist(two, three)) > _THIN_PT:
        return []
    if math.dist(one, two) > math.dist(two, three):
        one, two, three, four = two, three, four, one
    return [_middle(one, two), _middle(three, four)]


def _middle(one: Point, two: Point) -> Point:
    return ((one[0] + two[0]) / 2, (one[1] + two[1]) / 2)


def _matrix(handle: int) -> Matrix:
    values = native.Floats6()
    if not native.object_matrix(handle, ctypes.addressof(values)):
        return (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
    a, b, c, d, e, f = values
    return (a, b, c, d, e, f)


def _area(matrices: Iterable[Matrix]) -> float:
    """What the unit square, where a picture is drawn, becomes [pt²]."""
    return math.prod(abs(a * d - b * c) for a, b, c, d, _, _ in matrices)


def _move(point: Point, matrices: Iterable[Matrix]) -> Point:
    x, y = point
    for a, b, c, d, e, f in matrices:
        x, y = a * x + c * y + e, b * x + d * y + f
    return x, y
