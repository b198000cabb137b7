"""Rules to tables: which rules belong together, and which cells they enclose."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

from algorithms.airflow_review.documents.pdf.rules import Drawing, Rule
from algorithms.airflow_review.value_class import dataclass

_TOUCH_PT: Final = 3.0
_SNAP_PT: Final = 2.5
_OPEN_SIDE_PT: Final = 5.0  # rules that stick out further than this enclose an open column or row


@dataclass(frozen=True, slots=True, kw_only=True)
class Area:
    """A cell of a grid: its first row and column, and how many it covers."""

    row: int
    column: int
    rows: int
    columns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """A ruled table: borders [pt] and the cells between them, merged ones as one area."""

    xs: tuple[float, ...]
    ys: tuple[float, ...]
    areas: tuple[Area, ...]
    area_at: tuple[tuple[int, ...], ...]  # index into areas, for each elementary row and column

    def bbox(self, area: Area) -> tuple[float, float, float, float]:
        """x0, top, x1, bottom of a cell."""
        return (
            self.xs[area.column],
            self.ys[area.row],
            self.xs[area.column + area.columns],
            self.ys[area.row + area.rows],
        )


def find_grids(drawing: Drawing) -> list[Grid]:
    """The ruled tables of a page from top to bottom; a single frame around something is none."""
    grids = (_grid(flat, upright) for flat, upright in _components(drawing.horizontal, drawing.vertical))
    return sorted((grid for grid in grids if grid is not None), key=lambda grid: (grid.ys[0], grid.xs[0]))


def _components(flat: Sequence[Rule], upright: Sequence[Rule]) -> Iterable[tuple[list[Rule], list[Rule]]]:
    """Groups of rules that touch or cross each other."""
    parent = list(range(len(flat) + len(upright)))

    def root(at: int) -> int:
        while parent[at] != at:
            parent[at] = parent[parent[at]]
            at = parent[at]
        return at

    for i, across in enumerate(flat):
        for j, down in enumerate(upright, start=len(flat)):
            meets_across = across.start - _TOUCH_PT <= down.at <= across.end + _TOUCH_PT
            if meets_across and down.start - _TOUCH_PT <= across.at <= down.end + _TOUCH_PT:
                parent[root(i)] = root(j)
    groups: dict[int, tuple[list[Rule], list[Rule]]] = {}
    for at, rule in enumerate((*flat, *upright)):
        groups.setdefault(root(at), ([], []))[at >= len(flat)].append(rule)
    return groups.values()


def _grid(flat: Sequence[Rule], upright: Sequence[Rule]) -> Grid | None:
    if not flat or not upright:
        return None
    xs = _borders(upright, flat)
    ys = _borders(flat, upright)
    if len(xs) < 3 and len(ys) < 3:  # noqa: PLR2004 - two cells need three borders one way
        return None
    rows, columns = len(ys) - 1, len(xs) - 1
    # Open to the right / downwards: no rule passes the middle of the shared side.
    open_right = [[not side for side in line] for line in zip(*_covered(upright, xs[1:-1], ys), strict=True)]
    open_down = [[not side for side in line] for line in _covered(flat, ys[1:-1], xs)]
    areas, area_at = _areas(rows, columns, open_right, open_down)
    return Grid(xs=xs, ys=ys, areas=areas, area_at=area_at) if len(areas) > 1 else None


def _borders(rules: Sequence[Rule], crossing: Sequence[Rule]) -> tuple[float, ...]:
    """Places of the rules, with the far ends of the crossing rules where the outermost rule is missing."""
    places = sorted(rule.at for rule in rules)
    low, high = min(rule.start for rule in crossing), max(rule.end for rule in crossing)
    if places[0] - low > _OPEN_SIDE_PT:
        places.insert(0, low)
    if high - places[-1] > _OPEN_SIDE_PT:
        places.append(high)
    snapped = [[places[0]]]
    for place in places[1:]:
        if place - snapped[-1][-1] <= _SNAP_PT:
            snapped[-1].append(place)
        else:
            snapped.append([place])
    return tuple(sum(group) / len(group) for group in snapped)


def _covered(rules: Iterable[Rule], places: Sequence[float], crossing: Sequence[float]) -> list[list[bool]]:
    """For each place and each strip between crossing borders, whether a rule there passes the strip's middle."""
    middles = [(one + other) / 2 for one, other in pairwise(crossing)]
    result = [[False] * len(middles) for _ in places]
    for rule in rules:
        first, end = bisect_left(middles, rule.start), bisect_right(middles, rule.end)
        for at in range(bisect_left(places, rule.at - _SNAP_PT), bisect_right(places, rule.at + _SNAP_PT)):
            result[at][first:end] = [True] * (end - first)
    return result


def _areas(
    rows: int, columns: int, open_right: list[list[bool]], open_down: list[list[bool]]
) -> tuple[tuple[Area, ...], tuple[tuple[int, ...], ...]]:
    """Elementary cells joined over open sides, each group as the rectangle around it."""
    owner = [[-1] * columns for _ in range(rows)]
    areas: list[Area] = []
    for row in range(rows):
        for column in range(columns):
            if owner[row][column] >= 0:
                continue
            places = _flood(row, column, owner, len(areas), open_right, open_down)
            bottom, right = max(r for r, _ in places), max(c for _, c in places)
            left = min(c for _, c in places)
            areas.append(Area(row=row, column=left, rows=bottom - row + 1, columns=right - left + 1))
    return tuple(areas), tuple(tuple(line) for line in owner)


def _flood(
    row: int, column: int, owner: list[list[int]], mark: int, open_right: list[list[bool]], open_down: list[list[bool]]
) -> list[tuple[int, int]]:
    rows, columns = len(owner), len(owner[0])
    owner[row][column] = mark
    places = [(row, column)]
    for r, c in places:
        sides = (
            (r, c + 1, c + 1 < columns and open_right[r][c]),
            (r, c - 1, c > 0 and open_right[r][c - 1]),
            (r + 1, c, r + 1 < rows and open_down[r][c]),
            (r - 1, c, r > 0 and open_down[r - 1][c]),
        )
        for next_row, next_column, is_open in sides:
            if is_open and owner[next_row][next_column] < 0:
                owner[next_row][next_column] = mark
                places.append((next_row, next_column))
    return places
