"""The drawings of a review, cut into parts that fit a printed page each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import pairwise
from typing import Final

from algorithms.airflow_review.render.air_speeds import AirSpeed
from algorithms.airflow_review.render.blocks import Chart
from algorithms.airflow_review.render.standing import Standing
from algorithms.airflow_review.render.sum_tree import Level, TreeRow
from algorithms.airflow_review.render.svg.bullets import bullet_rows
from algorithms.airflow_review.render.svg.hierarchy import TreeScale, height_of, tree_rows
from algorithms.airflow_review.render.svg.speeds import speed_rows
from algorithms.airflow_review.render.words import Words

_ROWS_A_PAGE: Final = 40
_TREE_HEIGHT_A_PAGE: Final = Decimal(880)


def bullet_charts(lines: Sequence[Standing], words: Words, *, has_report: bool) -> list[Chart]:
    """Required, planned and measured airflow of every object."""
    names = _told_apart([(line.name, (line.reason if line.is_whole else line.system) or "") for line in lines], words)
    parts = _slices(len(lines), _ROWS_A_PAGE)
    return [
        Chart(
            svg=bullet_rows(
                lines[part], words, names=names[part], has_report=has_report, part=_part(index, parts, words)
            ),
            caption=words.say("chart.bullets_desc") if index == len(parts) else "",
        )
        for index, part in enumerate(parts, start=1)
    ]


def speed_charts(lines: Sequence[AirSpeed], words: Words, *, systems: dict[str, str], has_report: bool) -> list[Chart]:
    """Air speeds against their limits; `systems` gives the name of a place's system by the place's id."""
    names = _told_apart([(line.name, systems.get(line.subject, "")) for line in lines], words)
    parts = _slices(len(lines), _ROWS_A_PAGE)
    return [
        Chart(
            svg=speed_rows(
                lines[part], words, names=names[part], has_report=has_report, part=_part(index, parts, words)
            ),
            caption=words.say("chart.speeds_desc") if index == len(parts) else "",
        )
        for index, part in enumerate(parts, start=1)
    ]


def tree_charts(rows: Sequence[TreeRow], words: Words, *, has_report: bool) -> list[Chart]:
    """The tree of sums; a system that goes on in the next part is named there again."""
    scale = TreeScale(rows)
    parts = _tree_parts(rows, words)
    return [
        Chart(
            svg=tree_rows(part, scale, words, has_report=has_report, part=_part(index, parts, words)),
            caption=words.say("chart.tree_desc") if index == len(parts) else "",
        )
        for index, part in enumerate(parts, start=1)
    ]


def _tree_parts(rows: Sequence[TreeRow], words: Words) -> list[list[TreeRow]]:
    parts: list[list[TreeRow]] = [[]]
    height, above = Decimal(0), None
    for index, one in enumerate(rows):
        # A system's row never stands alone at the foot of a page.
        needed = height_of(one) + (
            height_of(rows[index + 1]) if one.level < Level.PLACE and index + 1 < len(rows) else 0
        )
        if parts[-1] and height + needed > _TREE_HEIGHT_A_PAGE:
            parts.append([])
            height = Decimal(0)
            if above is not None and one.level is Level.PLACE:
                again = replace(above, name=words.say("chart.continued", name=above.name), sum_text="", notes=())
                parts[-1].append(again)
                height += height_of(again)
        if one.level < Level.PLACE:
            above = one
        parts[-1].append(one)
        height += height_of(one)
    return parts


def _slices(count: int, most: int) -> list[slice]:
    """Parts of nearly equal length: 41 rows are 21 and 20, not 40 and one."""
    parts = max(1, -(-count // most))
    bounds = [count * index // parts for index in range(parts + 1)]
    return [slice(start, end) for start, end in pairwise(bounds)]


def _part(index: int, parts: Sequence[object], words: Words) -> str:
    return words.say("chart.part", part=index, parts=len(parts)) if len(parts) > 1 else ""


def _told_apart(names: Sequence[tuple[str, str]], words: Words) -> list[str]:
    """Names with what sets them apart, where two objects bear one name."""
    counts = Counter(name for name, _ in names)
    return [
        words.say("chart.named", name=name, more=more) if counts[name] > 1 and more else name for name, more in names
    ]
