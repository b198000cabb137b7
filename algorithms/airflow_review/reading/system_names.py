"""Names of return-air systems: where a plan prints them, and which one a caption or a cell means."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from algorithms.airflow_review.documents.document import Document, Table
from algorithms.airflow_review.reading.grid import joined, read_grid
from algorithms.airflow_review.reading.headers import word_table
from algorithms.airflow_review.reading.known_names import NameFinder, squeeze_mapped
from algorithms.airflow_review.reading.numbers import missing_mark, parse_number
from algorithms.airflow_review.reading.text import normal_name, squeeze

_TABLE_NUMBER: Final = re.compile(
    r"^(?:续)?(?:附)?表\s*[\d一二三四五六七八九十]*(?:[-.~—－]\d+)*[:.、]?|^[(]?(?:\d+(?:\.\d+)+|[一二三四五六七八九十\d]+[)、.])"
)
_TAIL: Final = re.compile(
    r"(?:各)?(?:用风地点|用风点|用风|配风|风量|供风|需风|通风(?!系统)|计划|分配|安排|一览|各地点|地点|明细|汇总|表|本月|\d{4}年).*$"
)
_SYSTEM_WORD: Final = re.compile(r"系统|风井|回风|立井|斜井|平硐|翼|风硐|主扇|通风机|盘区|采区")
_SYSTEM_ALONE: Final = re.compile(r"[\u4e00-\u9fffA-Za-z\d#]{1,12}(?:系统|风井|立井|斜井|翼)")
_TOLD: Final = re.compile(
    r"[\d一二两三四五六]个(?:独立)?(?:的)?(?:回风系统|通风系统|回风井|风井系统)(?:[:,]|(?=\()|分别为|即|为)([^。;]{2,80})"
)
_CAPTION: Final = re.compile(r"配风|风量|供风|需风|用风|分配|表")
_MAX_CAPTION_LINES: Final = 3
_MAX_CAPTION: Final = 40


class SystemNames:
    """The systems a plan names in columns, captions and text."""

    def __init__(self, names: Iterable[str]) -> None:
        self.names: tuple[str, ...] = tuple(dict.fromkeys(name for name in names if name))
        self._by_normal = {normal_name(name): name for name in self.names}
        self._finder = NameFinder(self.names)

    @property
    def only(self) -> str | None:
        """The system of a plan that has no other."""
        return self.names[0] if len(self.names) == 1 else None

    def in_text(self, text: str) -> str | None:
        """The first known system named in a text."""
        found = self._finder.find(squeeze_mapped(text))
        return self._by_normal[found[0].name] if found else None

    def in_text_loosely(self, text: str) -> str | None:
        """Like `in_text`; else the only system whose own part of the name (东翼 of 东翼回风井) stands in the text."""
        plain = normal_name(text)
        near = [name for normal, name in self._by_normal.items() if len(_core(normal)) > 1 and _core(normal) in plain]
        return self.in_text(text) or (near[0] if len(near) == 1 else None)

    def resolve(self, text: str) -> str | None:
        """The known system a cell means, else the cell's own text as a system of its own."""
        name = normal_name(text)
        if name in self._by_normal:
            return self._by_normal[name]
        core = _core(name)
        near = [
            known for normal, known in self._by_normal.items() if core and (core in normal or _core(normal) in name)
        ]
        return near[0] if len(near) == 1 else text.strip() or None

    def is_one(self, text: str) -> bool:
        """True for a cell that means a known system itself and not a place in it."""
        return _core(normal_name(text)) in {_core(known) for known in self._by_normal}

    def of_table(self, before: Sequence[str], titles: Sequence[str]) -> str | None:
        """The system a table's caption names: its own title rows first, then the lines above, nearest first."""
        lines = [text for text in reversed(before) if text.strip()][:_MAX_CAPTION_LINES]
        for text in (*titles, *lines):
            if len(squeeze(text)) <= _MAX_CAPTION:
                name = self.in_text(text) or self._resolve_caption(text)
                if name is not None:
                    return name
        return None

    def _resolve_caption(self, text: str) -> str | None:
        name = name_in_caption(text)
        return None if name is None else self.resolve(name)


def _core(name: str) -> str:
    """The part of a system's name that is its own: 东翼 of 东翼回风井, 一号 of 一号立井回风系统."""
    return re.sub(r"(?:总?回风)?(?:立井|斜井|风井|井)?(?:总?回风|通风)?(?:系统)?$", "", name)


def name_in_caption(text: str) -> str | None:
    """The system a caption names: `表6-1 南风井系统用风地点配风表`, `配风一览表（北回风立井系统）`; None where it names none."""
    caption = squeeze(text)
    if not _CAPTION.search(caption):
        alone = _TABLE_NUMBER.sub("", caption)
        return alone if _SYSTEM_ALONE.fullmatch(alone) else None
    for inside in re.findall(r"\(([^()]*)\)", caption):
        if _SYSTEM_WORD.search(inside) and parse_number(inside) is None:
            return str(_TAIL.sub("", inside) or inside)
    bare = re.sub(r"\([^()]*\)", "", caption)
    name = _TAIL.sub("", _TABLE_NUMBER.sub("", _TABLE_NUMBER.sub("", bare)))
    return name if name and _SYSTEM_WORD.search(name) else None


def collect_system_names(document: Document) -> SystemNames:
    """Systems from columns headed 回风系统 and the like, in document order; from captions where no column names any."""
    columns = word_table("columns")
    from_cells: list[str] = []
    from_captions: list[str] = []
    before: list[str] = []
    for block in document.blocks:
        if not isinstance(block, Table):
            before.append(block.text)
            continue
        grid = read_grid(document.file, block, columns.key_of)
        column = grid.column("system") if grid is not None else None
        if grid is not None and column is not None:
            cells = (grid.text(row, column) for row in grid.body())
            from_cells += [text for text in cells if _is_system(text)]
        if grid is not None and grid.column("place") is not None and grid.column("required", "planned") is not None:
            titles = [joined(row.cells[0].text) for row in block.rows[: grid.header_rows]]
            captions = (name_in_caption(text) for text in (*titles, *reversed(before[-_MAX_CAPTION_LINES:])))
            from_captions += [name for name in captions if name is not None][:1]
        before = []
    return SystemNames(from_cells or from_captions or _told(document))


def _told(document: Document) -> list[str]:
    """Systems that only a sentence names: `共有2个回风系统：东翼回风系统（…）、西翼回风系统`."""
    for line in document.lines:
        told = _TOLD.search(squeeze(line.text))
        if told is not None:
            items = re.split(r"[、,和及]", re.sub(r"\([^()]*\)", "", told[1]).strip("()"))
            return [item for item in items if item and _SYSTEM_WORD.search(item)]
    return []


def _is_system(text: str) -> bool:
    if missing_mark(text) is not None or parse_number(text) is not None:
        return False
    return word_table("sum_rows", "plan_words").key_of(text) is None
