"""The calculation chapter cut into sections: one place each, the mine, or something else."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import field
from enum import StrEnum
from typing import Final

from algorithms.airflow_review.documents.document import Table
from algorithms.airflow_review.evidence import PlaceType
from algorithms.airflow_review.reading.equations import relations_of
from algorithms.airflow_review.reading.known_names import Found, NameFinder, squeeze_mapped
from algorithms.airflow_review.reading.paragraphs import Paragraph
from algorithms.airflow_review.reading.place_type import type_of_category, type_of_name
from algorithms.airflow_review.reading.text import normal_name, squeeze
from algorithms.airflow_review.value_class import dataclass

NUMBERING: Final = re.compile(
    r"^(?:[①-⑳◆●■★→▲◇○※§#*-]|第?\d+[号#][点、.]?(?=[^\u4e00-\u9fff]|[\u4e00-\u9fff])(?<=[点、.])|[(\[]?[一二三四五六七八九十百]+[)\]、.]|[(\[]?\d{1,3}[)\]、]|\d{1,2}(?:[.-]\d{1,2})*[.、:]?(?=[^\d.%]|\d{4})"
    r"|第[一二三四五六七八九十\d]+(?:[章节条点]|部分)|地点\d*:|:)+"
)
_TAIL: Final = re.compile(
    r"^(?:的)?(?:\([^)=]*\))?(?:的)?(?:需要?风量|需供风量|风量|用风量|配风量|供风量|用风|所需风量)?(?:的)?(?:计算|确定|核算|验算|校核|核定)?(?:过程|书|如下|结果|依据)*(?:\([^)=]*\))?[:。;]?$"
)
_HEADING_TAIL: Final = re.compile(
    r"(?:(?<=[时的])所)?(?:需要?风量计算|需要?风量(?:的)?(?:确定|核定)|需要?风量$)|风量计算$"
)
_SEVERAL: Final = re.compile(r"\0+(?:[、,和及与]\0+)+(?:等)?(?:的)?(?:需要?风量|配风量)?(?:计算)?[:。]?")
_MINE: Final = re.compile(r"(?:全矿井?|矿井|全井)(?:总)?(?:需要?风量|需用风量|风量|所需风量|供风量)")
_CHAPTER: Final = re.compile(
    r"^(?:第[一二三四五六七八九十\d]+(?:[章节]|部分)|§[\d.]+|[一二三四五六七八九十]+、|\([一二三四五六七八九十]+\)|\d{1,2}(?:[.-]\d{1,2})?[.、\s])"
)
_TOP_LEVEL: Final = re.compile(
    r"^(?:第[一二三四五六七八九十\d]+(?:章|部分)|[一二三四五六七八九十]+、|\d{1,2}[、.]?(?=[\u4e00-\u9fff]))"
)
_PRINCIPLES: Final = re.compile(r"^(?!.*(?:过程|计算书|结果)).*(?:原则|方法|公式|规定|细则|取值|标准|参数)")
_QUANTITY: Final = re.compile(r"\d\s*(?:m[³3²2]?(?![A-Za-z\d])|kW|kg|℃|人|%)")
_METHOD_LINE: Final = re.compile(
    r"按|法[:(—-]|法$|计算[:,]|公式|式中|验算|(?:尾气|散热|产氢|呼吸|涌出|换气|折半|作业|稀释)[,:]?$"
)
_MAX_HEADING: Final = 40
_CODE_DIGITS: Final = 3  # 42105 and N1206 are codes of faces, 1号 is not
_LONGEST_LEAD: Final = 16  # 五、矿井总需风量计算：
_SHORTEST_NAME: Final = 4
_LONGEST_NAME: Final = 29


class SectionKind(StrEnum):
    """What a section is about."""

    PLACE = "place"
    MINE = "mine"
    OTHER = "other"


@dataclass(slots=True, kw_only=True)
class Section:
    """Consecutive paragraphs and tables under one heading."""

    kind: SectionKind
    place: int | None = None  # index of the place
    name_key: str = ""  # normal form of the place's name
    name: str = ""  # as the heading prints it, where no place of that name is known
    heading: Paragraph | None = None
    type: PlaceType | None = None
    also: tuple[int, ...] = ()  # further places the same heading names
    blocks: list[Paragraph | Table] = field(default_factory=list)


class PlaceHeadings:
    """Recognises which place a heading names; equal names are met in the order of the distribution tables."""

    def __init__(self, names: Sequence[str], systems: Sequence[str | None] = ()) -> None:
        self.finder = NameFinder(names)
        self._systems = tuple(systems) or (None,) * len(names)
        self._indexes: dict[str, list[int]] = {}
        for index, name in enumerate(names):
            self._indexes.setdefault(normal_name(name), []).append(index)
        self._met: Counter[str] = Counter()
        self._names = tuple(names)

    def take(self, name: str) -> int:
        """The place the next heading of this name means."""
        index = self.nth(name, self._met[name])
        self._met[name] += 1
        return index

    def nth(self, name: str, count: int) -> int:
        """The place of a name that stands `count` further down than its first row; the last one where there are fewer."""
        indexes = self._indexes[name]
        return indexes[min(count, len(indexes) - 1)]

    def settle(self, section: Section, neighbours: Sequence[Section | None]) -> None:
        """Give the only section of a name that stands in several rows to the row in the system of its neighbours."""
        indexes = self._indexes.get(section.name_key, [])
        if len(indexes) < 2 or self._met[section.name_key] != 1:  # noqa: PLR2004 - rows of one name
            return
        alike = [other for other in neighbours if other is not None and other.type is section.type]
        systems = [self._systems[other.place] for other in alike if other.place is not None]
        section.place = next(
            (index for system in systems for index in indexes if self._systems[index] == system), section.place
        )

    def first(self, name: str) -> int:
        """The first place of a name."""
        return self._indexes[name][0]

    def similar(self, text: str) -> int | None:
        """The only place with the same code and kind as a heading's name (`42105工作面` for `42105综采工作面`)."""
        codes, kind = _codes(text), type_of_name(text)
        if not codes or kind is None:
            return None
        near = [i for i, name in enumerate(self._names) if _codes(name) == codes and type_of_name(name) is kind]
        words = set(squeeze(text))
        near = [
            i for i in near if words <= set(squeeze(self._names[i])) or set(squeeze(self._names[i])) <= words
        ] or near
        return near[0] if len(near) == 1 else None


def _codes(text: str) -> tuple[str, ...]:
    return tuple(
        code
        for code in re.findall(r"[A-Za-z]*\d+[A-Za-z\d-]*", squeeze(text))
        if sum(c.isdigit() for c in code) >= _CODE_DIGITS
    )


def split_sections(
    items: Iterable[Paragraph | Table], headings: PlaceHeadings, closing_tables: frozenset[int]
) -> tuple[Section, ...]:
    """Sections in document order; distribution tables close a section."""
    current = Section(kind=SectionKind.OTHER)
    sections = [current]
    kind: PlaceType | None = None
    chapter = ""
    items = tuple(items)
    for at, item in enumerate(items):
        if isinstance(item, Table):
            if item.index in closing_tables:
                current = Section(kind=SectionKind.OTHER)
                sections.append(current)
            else:
                current.blocks.append(item)
            continue
        chapter = _chapter_title(item) or chapter
        opened = _open(item, headings, current, kind)
        is_rule = opened is not None and opened.kind is SectionKind.PLACE and _states_rule(chapter, items[at : at + 3])
        if opened is not None and not is_rule:
            current = opened
            sections.append(current)
            kind = current.type if current.type is not None else kind
            rest = _rest_of_heading(item, current, headings)
            if rest:
                current.blocks.append(item)
        else:
            current.blocks.append(item)
    of_places = [section for section in sections if section.kind is SectionKind.PLACE]
    for before, section, after in zip([None, *of_places], of_places, [*of_places[1:], None], strict=False):
        headings.settle(section, (before, after))
    return tuple(sections)


def _chapter_title(item: Paragraph) -> str:
    """The text of a heading of the first level, else ""."""
    text = squeeze(item.text)
    return text if len(text) <= _MAX_HEADING and _TOP_LEVEL.match(text) and not re.search(r"[=。;]", text) else ""


def _states_rule(chapter: str, items: Sequence[Paragraph | Table]) -> bool:
    """True where a chapter of principles gives a formula in symbols for a kind of places: `爆炸材料库：Q=4×V÷60`."""
    if not _PRINCIPLES.search(chapter):
        return False
    relations = [r.equation for item in items if isinstance(item, Paragraph) for r in relations_of(item.text)]
    equations = [equation for equation in relations if equation is not None]
    return bool(equations) and all(equation.result is None for equation in equations)


def _open(item: Paragraph, headings: PlaceHeadings, current: Section, kind: PlaceType | None) -> Section | None:
    """The section a paragraph opens, or None when it belongs to the current one."""
    mapped = squeeze_mapped(item.text)
    text, found = mapped.text, headings.finder.find(mapped)
    prefix = NUMBERING.match(_blanked(text, found))  # the digits of a name are not the number of its heading
    if found and _is_heading(text, found[0], prefix):
        if current.name_key == found[0].name and not (prefix is not None and _TAIL.match(text[found[0].end :])):
            return None
        return Section(
            kind=SectionKind.PLACE, place=headings.take(found[0].name), name_key=found[0].name, heading=item, type=kind
        )
    if len(found) > 1 and prefix is not None and _SEVERAL.fullmatch(_blanked(text, found)[prefix.end() :]):
        first, *others = (headings.take(one.name) for one in found)
        return Section(kind=SectionKind.PLACE, place=first, also=tuple(others), heading=item, type=kind)
    lead = text[prefix.end() :].partition(":")[0] if prefix is not None else ""
    if len(lead) <= _LONGEST_LEAD and _MINE.search(lead) and not re.search(r"\d", lead):
        return Section(kind=SectionKind.MINE, heading=item)
    if not text or len(text) > _MAX_HEADING or "=" in text or text.endswith(("。", ";", ",")):
        return None
    bare = text[prefix.end() :] if prefix is not None else text
    if _MINE.search(bare) and not re.search(r"\d(?![\d]*[年月])", bare):
        return Section(kind=SectionKind.MINE, heading=item)
    if found or _METHOD_LINE.search(bare):
        return None
    return _open_other(item, headings, current, kind, bare, numbered=prefix is not None)


def _blanked(text: str, found: Sequence[Found]) -> str:
    """The text with every known name turned into one mark, its length kept."""
    for one in found:
        text = text[: one.start] + "\0" * len(one.name) + text[one.end :]
    return text


def _open_other(
    item: Paragraph, headings: PlaceHeadings, current: Section, kind: PlaceType | None, bare: str, *, numbered: bool
) -> Section | None:
    """A heading that names no known place: a kind of places, a place under another name, or a chapter."""
    category = _category(bare)
    if category is not None and (numbered or _HEADING_TAIL.search(bare)):
        return Section(kind=SectionKind.OTHER, heading=item, type=category)
    named = _HEADING_TAIL.split(bare)[0]
    index = headings.similar(named) if numbered else None
    if index is not None:
        return Section(kind=SectionKind.PLACE, place=index, heading=item, type=kind)
    is_calculated = _HEADING_TAIL.search(bare) is not None or current.kind is SectionKind.PLACE
    if numbered and is_calculated and _is_place_name(named):
        return Section(kind=SectionKind.OTHER, name=_printed_name(item, named), heading=item, type=kind)
    if current.kind is not SectionKind.OTHER and _CHAPTER.match(squeeze(item.text)) and _is_chapter(bare):
        return Section(kind=SectionKind.OTHER, heading=item)
    return None


def _is_heading(text: str, found: Found, prefix: re.Match[str] | None) -> bool:
    before, after = text[: found.start], text[found.end :]
    numbered = prefix is not None and prefix.end() >= found.start
    if before and not numbered:
        return False
    if _TAIL.match(after):
        return True
    if not before and "=" in after and re.match(r"(?:的?需要?风量|计算)*[:,(]", after):
        return True
    return (
        numbered
        and not re.match(r"[①-⑳]", before)
        and after[:1] in {":", ",", "("}
        and ("=" in after or len(after) > 1)
    )


def _rest_of_heading(item: Paragraph, section: Section, headings: PlaceHeadings) -> bool:
    """True when the heading's own line goes on with content."""
    if section.kind is SectionKind.MINE:
        return squeeze(item.text).partition(":")[2] != ""
    if section.kind is not SectionKind.PLACE:
        return False
    mapped = squeeze_mapped(item.text)
    found = headings.finder.find(mapped)
    return bool(found) and not _TAIL.match(mapped.text[found[0].end :])


def _category(text: str) -> PlaceType | None:
    """The kind a heading is about, when it says nothing else (`掘进工作面需风量`, `开掘用风`)."""
    bare = re.sub(r"(?:各|需要?风量|供风量|配风量|用风量|用风|风量|计算|的|确定|与|及|和|部分|地点|过程)+", "", text)
    kind = type_of_category(bare) if bare else None
    if kind is None or re.search(r"\d|[a-z]", bare) or len(bare) > 14:  # noqa: PLR2004 - 其他用风巷道及无轨胶轮车
        return None
    return kind


def _is_place_name(text: str) -> bool:
    return (
        _SHORTEST_NAME <= len(text) <= _LONGEST_NAME
        and type_of_name(text) is not None
        and not _METHOD_LINE.search(text)
        and not _QUANTITY.search(text)
        and _category(text) is None
    )


def _is_chapter(bare: str) -> bool:
    return (
        re.search(r"配风|风量安排|风量计划|风量分配|通风机|风机|措施|设施|核算|汇总|附表|一览|注意|管理", bare)
        is not None
    )


def _printed_name(item: Paragraph, normal: str) -> str:
    mapped = squeeze_mapped(item.text)
    at = mapped.text.find(normal)
    return mapped.printed(at, at + len(normal)) if at >= 0 else normal
