"""Places named outside the distribution tables: working plan tables, lists and sentences of the text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from algorithms.airflow_review.documents.document import Document, Table
from algorithms.airflow_review.evidence import PlaceType
from algorithms.airflow_review.extract import Mention, PlaceExtract
from algorithms.airflow_review.reading.grid import Grid, is_banner, read_grid
from algorithms.airflow_review.reading.headers import word_table
from algorithms.airflow_review.reading.known_names import NameFinder, Squeezed, squeeze_mapped
from algorithms.airflow_review.reading.numbers import missing_mark
from algorithms.airflow_review.reading.paragraphs import Paragraph, read_paragraphs
from algorithms.airflow_review.reading.place_type import type_of_category, type_of_name
from algorithms.airflow_review.reading.plan_columns import column_key
from algorithms.airflow_review.reading.system_names import SystemNames
from algorithms.airflow_review.reading.text import normal_name, squeeze

_LIST: Final = re.compile(
    r"(?:^|[。;；，,])([^。;；，,、：:]*?)(?:[：:]|分别为|包括|如下|有|为|是)([^。；;：:]*、[^。；;：:]*|[^。：:]*[；;][^。：:]*)"
)
# 掘进：A，B，C。 - commas part a list only behind a colon
_COMMA_LIST: Final = re.compile(r"(?:^|[。;；])([^。;；，,、：:]*?)[：:]([^。;；：:、]*[，,][^。;；：:、]*)")
# 掘进面3个（A、B、C）
_COUNTED_LIST: Final = re.compile(
    r"(?:^|[。;；，,、])([^。;；，,、：:（(]*?\d+[个处座])[（(]([^。;；：:]*、[^。;；：:]*)[)）]"
)
_STOP: Final = re.compile(
    r"(?:已于|已经|已|现已|于|目前|本月|现|均)?[^,，。;；]{0,12}?(停采|停掘|停产|停工|封闭|停止作业|停用|回撤结束|采完|密闭)"
)
_PLACE_NAME: Final = re.compile(
    r"[A-Za-z\d\u4e00-\u9fff#＃()（）-]{3,26}(?:工作面|迎头|掘进面|采煤面|硐室|变电所|水泵房|巷|上山|下山|石门)"
)
_WORKING: Final = r"[A-Za-z\d\u4e00-\u9fff#＃-]{2,22}(?:工作面|迎头|掘进面|掘进头|采煤面|采面|综采面|综放面)"
_ADDED: Final = re.compile(
    rf"(?:新增|增加|新开工?|新投产|新布置|新掘|新开掘)的?(?:1个|一个|一处)?(?P<after>{_WORKING})"
    rf"|(?:新增|新建|新投入?(?:使用|运行)?|新启用|启用)的?(?:[1一][个处座])?(?P<room>[A-Za-z\d\u4e00-\u9fff#＃-]{{2,16}}(?:硐室|变电所|配电所|配电点|水泵房|泵房|库))"
    rf"|(?:^|[。；;，,])\s*(?:本月)?(?P<before>{_WORKING})(?:已?(?:于|自|从)?[^，,。；;]{{0,8}})(?:开始施工|开工|开始掘进|开始回采|投产|投入生产)"
)
_NOT_LIST: Final = re.compile(r"系数|公式|瓦斯|措施|制度|检查|应|必须|不得|按|规定|《|风门|风窗|采用|煤层|气体")
_ITEM_NUMBER: Final = re.compile(r"^(?:[(（]?\d{1,2}[)）、.．](?!\d)|[①-⑳])")
_ITEM_END: Final = re.compile(r"[、，,；;](?![^（(]*[)）])")  # not inside brackets
_NO_ITEM: Final = re.compile(
    r"^(?:各|其[他它]|用风|采煤|回采|备用|掘进|综采|综放|独立|机电|通风|煤|岩|半煤岩)*(?:工作面|面|迎头|硐室|巷道|巷|地点)$|取|=|\d(?:m|立方)"
)
_STATE: Final = re.compile(r"生产|备用|准备|停|正常|掘|采|安装|回撤|煤巷|岩")
_LEVELS: Final = re.compile(r"^\d{1,2}(?:\.\d{1,2})+\s+")
_MAX_ITEM: Final = 26
_SHORTEST_ROOM: Final = 4  # 变电所 alone may be any of them


def read_mentions(
    document: Document, places: Sequence[PlaceExtract], systems: SystemNames, distribution: frozenset[int]
) -> tuple[Mention, ...]:
    """Mentions in document order: rows of working plan tables, items of lists, places a sentence calls stopped."""
    finder = NameFinder([place.name for place in places])
    printed = {normal_name(place.name): place.name for place in places}
    found: list[Mention] = []
    for item in read_paragraphs(document.blocks):
        if isinstance(item, Table):
            if item.index not in distribution:
                grid = read_grid(document.file, item, column_key)
                if grid is not None and is_working_plan(grid):
                    found += _rows(grid, systems)
        else:
            found += _listed(document.file, item, printed)
            found += _stopped(document.file, item, finder, printed)
            found += _started(document.file, item)
    return tuple(found)


def is_working_plan(grid: Grid) -> bool:
    """A table of places with kind or state, without any air."""
    return (
        grid.column("place") is not None
        and grid.column("type", "status") is not None
        and grid.column("required", "planned", "measured", "fan_capacity", "subtotal", "system_required") is None
    )


def _rows(grid: Grid, systems: SystemNames) -> Iterator[Mention]:
    column = grid.column("place")
    for row in grid.body():
        name = grid.text(row, column)
        if column is None or not name or missing_mark(name) is not None or is_banner(grid.table.rows[row]):
            continue
        kind = type_of_category(grid.text(row, grid.column("type"))) or type_of_name(name)
        if kind is None:
            continue
        system = grid.text(row, grid.column("system"))
        yield Mention(
            name=name,
            type=kind,
            status=grid.text(row, grid.column("status")) or grid.text(row, grid.column("remark")),
            system=systems.resolve(system) if system else None,
            evidence=(grid.evidence(row, column),),
        )


def _listed(file: str, paragraph: Paragraph, known: Mapping[str, str]) -> Iterator[Mention]:
    """`本月使用的硐室：A、B、C。` names A, B and C; at least half of a list must be places of the plan."""
    for match in (
        *_LIST.finditer(paragraph.text),
        *_COMMA_LIST.finditer(paragraph.text),
        *_COUNTED_LIST.finditer(paragraph.text),
    ):
        lead = squeeze(match[1])
        kind_word = word_table("list_leads", "plan_words").key_of(lead)
        if kind_word is None or _NOT_LIST.search(lead):
            continue
        items = [_item(text) for text in _ITEM_END.split(match[2])]
        names = [
            (name, status)
            for name, status in items
            if name and len(name) <= _MAX_ITEM and type_of_name(name) is not None and not _NO_ITEM.search(name)
        ]
        if 2 * sum(normal_name(name) in known for name, _ in names) < len(names):
            continue
        for name, status in names:
            is_standby = "备" in status
            yield Mention(
                name=name,
                type=listed_type(name, PlaceType.STANDBY_FACE if is_standby else PlaceType(kind_word)),
                status=status,
                evidence=paragraph.evidence(file, name),
            )


def _item(text: str) -> tuple[str, str]:
    """Name and state of one item of a list: `3102综采面（备用）`."""
    name = _ITEM_NUMBER.sub("", text.strip()).rstrip("等。")
    told = re.fullmatch(r"(.+?)[（(]([^（()）]*)[)）]", name)
    return (told[1], told[2]) if told is not None and _STATE.search(told[2]) else (name, "")


def listed_type(name: str, kind: PlaceType) -> PlaceType:
    """The kind of a listed place: a gateway under 掘进 is being driven, a face under 备用 stands by."""
    own = type_of_name(name)
    is_driven = kind is PlaceType.HEADING and own is PlaceType.OTHER_ROADWAY
    is_standby = kind is PlaceType.STANDBY_FACE and own is PlaceType.COAL_FACE
    return kind if own is None or is_driven or is_standby else own


def _stopped(file: str, paragraph: Paragraph, finder: NameFinder, printed: Mapping[str, str]) -> Iterator[Mention]:
    """`N1204综采工作面已停采`: the name may or may not be known."""
    for sentence in re.split(r"[。；;]", paragraph.text):
        stop = _STOP.search(sentence)
        if stop is None or re.search(r"不得|应|必须|如|若|时应|严禁|达到", sentence):
            continue
        mapped = squeeze_mapped(sentence)
        all_known = finder.find(mapped)
        known = [found for found in all_known if found.start < len(squeeze(sentence[: stop.end(1)]))] or all_known
        names = [printed[found.name] for found in known]
        if not names:
            lead = _ITEM_NUMBER.sub("", _LEVELS.sub("", sentence[: stop.start(1)].strip()))
            parts = (_PLACE_NAME.match(part.strip()) for part in re.split(r"[、与和及]", lead))
            names = [part.group() for part in parts if part is not None and re.search(r"\d|[A-Z]", part.group())]
        for name in names:
            yield Mention(
                name=name, type=type_of_name(name), status=stop[1], evidence=paragraph.evidence(file, sentence.strip())
            )


def _started(file: str, paragraph: Paragraph) -> Iterator[Mention]:
    """`本月新增9827联络巷掘进工作面`, `9827联络巷掘进工作面自月初开始施工`: works of the month told in a sentence."""
    for match in _ADDED.finditer(paragraph.text):
        name = match["after"] or match["before"] or match["room"]
        is_one = re.search(r"\d|[A-Z]", name) or (match["room"] is not None and len(name) > _SHORTEST_ROOM)
        if is_one and type_of_name(name) is not None:
            yield Mention(name=name, type=type_of_name(name), status="新增", evidence=paragraph.evidence(file, name))


def series_in_text(items: Sequence[Paragraph | Table], places: Sequence[PlaceExtract]) -> dict[str, str]:
    """Which place uses whose return air, by normal name: downstream → upstream's printed name."""
    finder = NameFinder([place.name for place in places])
    printed = {normal_name(place.name): place.name for place in places}
    told: dict[str, str] = {}
    supposed: list[tuple[str, str]] = []
    for item in items:
        if isinstance(item, Table) or "串" not in item.text:
            continue
        for sentence in re.split(r"[。；;]", item.text):
            mapped = squeeze_mapped(sentence)
            text = mapped.text
            if "串" not in text or re.search(r"未布置串联|无串联|没有串联|不得串联|严禁串联|不存在串联", text):
                continue
            names = list(dict.fromkeys(found.name for found in finder.find(mapped)))
            if len(names) != 2:  # noqa: PLR2004 - a pair
                continue
            pair = _told_pair(mapped, finder, names)
            if pair is not None:
                told[pair[1]] = printed[pair[0]]
            else:
                supposed.append((names[0], names[1]))
    for upstream, downstream in supposed:  # the order of the names says less than a sentence that tells whose air it is
        if normal_name(told.get(upstream, "")) != downstream:
            told.setdefault(downstream, printed[upstream])
    return told


def _told_pair(mapped: Squeezed, finder: NameFinder, names: Sequence[str]) -> tuple[str, str] | None:
    """(upstream, downstream) where a sentence about two places tells it."""
    text, found = mapped.text, finder.find(mapped)
    for item in found:
        rest = text[item.end : item.end + 12]
        other = names[1] if item.name == names[0] else names[0]
        if re.match(
            r"(?:布置)?(?:在前|在上风侧|为前|位于上风|的?回风(?:流)?(?:供|串入|进入|引入|流经|送|经|作为))", rest
        ):
            return item.name, other
        if re.match(r"(?:在后|在下风侧|使用[^,]{0,4}回风|利用|串联?(?:于|在)[^,]{0,4}之后|为被串)", rest):
            return other, item.name
    if found[0].start == 0 and re.search(r"不(?:重复|再|单独|另)?计", text[found[-1].end :]):
        return names[1], names[0]  # `A：与B串联，风量不重复计算`: A's air is B's
    return None


def series_in_remark(place: PlaceExtract, places: Sequence[PlaceExtract]) -> str | None:
    """The upstream place a row's remark names: `与…串联，不重复计风量`, `用…回风`."""
    uses_return = re.search(r"(?:用|利用|使用|来自)[^,，。]*回风", place.remark) is not None
    is_second = place.required is None or re.search(r"不(?:重复|再|单独)?计|计入", place.remark) is not None
    if not uses_return and not ("串" in place.remark and is_second):
        return None
    finder = NameFinder([other.name for other in places])
    names = [found.name for found in finder.find(squeeze_mapped(place.remark)) if found.name != normal_name(place.name)]
    if not names or re.search(r"回风供|串入|供给", place.remark):
        return None
    return next((other.name for other in places if normal_name(other.name) == names[0]), None)
