"""Facts the principles chapter states: factors of formulas, ranges of coefficients, floors, rounding, area basis."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from decimal import Decimal
from typing import Final

from algorithms.airflow_review.documents.document import Document, Table
from algorithms.airflow_review.evidence import Evidence, Method, PlaceType
from algorithms.airflow_review.extract import Statement
from algorithms.airflow_review.reading.grid import joined
from algorithms.airflow_review.reading.headers import word_table
from algorithms.airflow_review.reading.methods import methods_in
from algorithms.airflow_review.reading.numbers import NUMBER_PATTERN, parse_number
from algorithms.airflow_review.reading.paragraphs import Paragraph
from algorithms.airflow_review.reading.place_in_source import of_cell, of_line
from algorithms.airflow_review.reading.place_type import type_of_category
from algorithms.airflow_review.reading.text import fold_operators, squeeze
from algorithms.airflow_review.value_class import dataclass

_N: Final = NUMBER_PATTERN
_FORMULAS: Final = (
    # key, formula in ASCII operators; group 1 is the factor
    ("co2_factor", re.compile(rf"({_N})\*(?:Σ?q|Q)[采掘备其他]*(?:_?co2|c(?![a-z])|碳|二氧)", re.IGNORECASE)),
    (
        "gas_factor",
        re.compile(rf"({_N})\*Σ?q(?![采掘备其他]*(?:_?co2|c(?![a-gi-z])|h2?(?![a-z])|氢|碳|二氧))", re.IGNORECASE),
    ),
    ("hydrogen_factor", re.compile(rf"({_N})\*q(?:h2?|氢)", re.IGNORECASE)),
    ("explosive_factor", re.compile(rf"({_N})\*A")),
    ("people_factor", re.compile(rf"({_N})\*N(?![a-z])")),
    ("additive_per_m2", re.compile(rf"\+({_N}|60\*0?\.(?:25|15))\*S")),
    ("min_speed_m_s", re.compile(r"60\*(0?\.\d+|1\.0|1)\*S")),
    ("max_speed_m_s", re.compile(r"60\*([4-8](?:\.0)?)\*S")),
    ("diesel_factor", re.compile(rf"({_N})\*(?:Σ?P|N\*P)")),
)
_RANGE: Final = re.compile(rf"({_N})(?:[^\d~,;。]{{0,4}})~({_N})(%?)")
_FLOOR: Final = re.compile(
    rf"(?:不小于|不低于|不少于|不得小于|不得低于|最低|最小|至少)(?:配风量|风量|供风量|为|取)?({_N})(?:m[³3]/min|立方米/分)"
)
_RESERVE: Final = re.compile(
    rf"(?:备用系数|通风系数|K通|K矿|富[余裕]系数|储备系数|漏风[^\d,;。]{{0,10}}系数)[^\d;。]{{0,40}}?(?:取|为|=|:|采用)({_N})(?:~({_N}))?"
)
_RESERVE_SPAN: Final = re.compile(rf"(?:范围|允许|规定|应为|应取|一般)[^\d;。]{{0,6}}({_N})~({_N})")
_RESERVE_NEAR: Final = re.compile(rf"(?:抽出式|压入式)(?:通风)?[^\d;。]{{0,12}}?(?:取|为|=)({_N})(?:~({_N}))?")
_FORMULA_TAIL: Final = re.compile(
    r"(?:Q[^=≤≥]{0,6}[=≤≥].*|Q[扇f局≤≥].*|K[采掘通瓦备]*|取值?|为|[=≤≥]|\d.*|按|θ|[*+])+$"
)
_IMPLIED_TIMES: Final = re.compile(r"(?<=\d)(?=Σ|q|Q|N(?!o)|A|S|V|v|P(?!a)|K(?![WV])|θ)")  # 15S, 100qK
_INTRODUCES: Final = re.compile(r"^[^=。;]{2,26}:$")
_MAX_INTRODUCED: Final = 8  # lines: formula, symbols, range
_OTHER_K: Final = re.compile(
    r"K(?:[hHlLtTwW通矿]|cg|cl|采高|采面长|面长|高|长|温)[^K]*$|(?:采高|长度|面长|温度)[^K;,]{0,8}系数[^K]*$"
)
_NOT: Final = re.compile(r"未|没有|无|不(?:得|再|设|装|承担|作)|均无")
_OBJECTS: Final = ("各采掘", "采掘工作面", "采掘面")


@dataclass(slots=True, kw_only=True)
class _Scope:
    """What the sentences at hand are about: the kind the last heading named."""

    type: PlaceType | None = None
    found: list[Statement] = field(default_factory=list)


def read_statements(document: Document, items: Iterable[Paragraph | Table]) -> tuple[Statement, ...]:
    """Statements of the given paragraphs and tables (those outside the places' own sections), in order."""
    scope = _Scope()
    for item in _introduced(items):
        if isinstance(item, Table):
            for row_index, row in enumerate(item.rows):
                texts = [joined(cell.text) for cell in row.cells if cell.origin and cell.text.strip()]
                if len(texts) > 1 and any(re.search(r"[Q=]|[\u4e00-\u9fff]", text) for text in texts[1:]):
                    where = (of_cell(document.file, item, row_index, len(row.cells) - 1),)
                    _read(scope, "：".join(texts[:1]) + "：" + "（".join(texts[1:]), where, keep_type=False)
        else:
            evidence = tuple(of_line(document.file, line) for line in item.lines)
            _read(scope, item.text, evidence, keep_type=_is_heading(item.text))
    return tuple(dict.fromkeys(scope.found))


def _introduced(items: Iterable[Paragraph | Table]) -> Iterator[Paragraph | Table]:
    """The items, with what a line like `采掘工作面按瓦斯：` introduces joined to it."""
    group: list[Paragraph] = []
    for item in items:
        is_line = isinstance(item, Paragraph) and (not _is_heading(item.text) or _INTRODUCES.search(squeeze(item.text)))
        starts = isinstance(item, Paragraph) and is_line and _INTRODUCES.search(squeeze(item.text)) is not None
        if group and (starts or not is_line or len(group) > _MAX_INTRODUCED):
            yield _group(group)
            group = []
        if isinstance(item, Paragraph) and (starts or (group and is_line)):
            group.append(item)
        else:
            yield item
    if group:
        yield _group(group)


def _group(parts: Sequence[Paragraph]) -> Paragraph:
    """One paragraph of several: the introducing words, the formula, and what is said of it in brackets."""
    if len(parts) == 1:
        return parts[0]
    texts = [parts[0].text.rstrip(), parts[1].text, *(f"（{part.text}" for part in parts[2:])]
    lines = tuple(line for part in parts for line in part.lines)
    starts: list[int] = []
    at = 0
    for text, part in zip(texts, parts, strict=True):
        shift = at + len(text) - len(part.text) if part is not parts[0] else at
        starts.extend(shift + start for start in part.starts)
        at += len(text)
    return Paragraph(text="".join(texts), lines=lines, starts=tuple(starts))


def _is_heading(text: str) -> bool:
    plain = squeeze(text)
    return len(plain) < 24 and not re.search(r"[=×。;]", plain)  # noqa: PLR2004 - a heading is short


def _read(scope: _Scope, text: str, evidence: tuple[Evidence, ...], *, keep_type: bool) -> None:
    if keep_type:
        named = type_of_category(squeeze(text))
        if re.match(r"^(?:[(]?[一二三四五六七八九十\d]+[)、.]|§|第)", squeeze(text)):
            scope.type = named
        return
    scope.found.extend(_whole_text(text, evidence, scope.type))
    about = _About(type=scope.type, object="")
    for sentence in re.split(r"[。；;]", text):
        if sentence.strip():
            about = _about(sentence, about)
            scope.found.extend(_sentence(sentence, evidence, about))


@dataclass(frozen=True, slots=True, kw_only=True)
class _About:
    """What a sentence is about; a sentence that names nothing goes on about the same."""

    type: PlaceType | None
    object: str
    both: bool = False  # 各采掘面: faces and headings alike
    method: Method | None = None  # 瓦斯：Q=125×q×K names no place: it holds for faces and headings

    @property
    def types(self) -> tuple[PlaceType, ...]:
        if self.both:
            return (PlaceType.COAL_FACE, PlaceType.HEADING)
        return (self.type,) if self.type is not None else ()


def _about(sentence: str, before: _About) -> _About:
    """The words before a sentence's first formula or number name its object."""
    plain = fold_operators(squeeze(sentence))
    lead = re.split(r"[=:]|\d\*|\d~", re.sub(r"^(?:\d+[.)]\d*|[(]\d+[)]|[①-⑳])+", "", plain))[0]
    if any(word in lead for word in _OBJECTS):
        return _About(type=None, object=lead[:20], both=True)
    if "各地点" in lead or "各用风地点" in lead:
        return _About(type=None, object="")
    named = _named_type(lead) or _named_type(re.split(r"=|\d\*|\d~", plain)[0])
    if named is None and before.type is None and not before.both:
        methods = methods_in(lead)
        return _About(type=None, object="", method=methods[0] if len(methods) == 1 else before.method)
    if named is None or re.match(r"K|θ|ρ|[(]?K", lead):
        return before
    return _About(type=named, object=_object_of(plain))


def _named_type(text: str) -> PlaceType | None:
    return type_of_category(
        re.sub(r"备用(?:风量)?系数|备用风量|局部通风机|充电时|回采时|生产时|半?煤?岩巷|半?煤巷", "", text)
    )


def _statement(key: str, evidence: tuple[Evidence, ...], **fields: object) -> Statement:
    return Statement(key=key, evidence=evidence, **fields)  # type: ignore[arg-type]


def _whole_text(text: str, evidence: tuple[Evidence, ...], heading: PlaceType | None) -> Iterator[Statement]:
    """Facts whose words may stand in different sentences of one paragraph."""
    plain = squeeze(text)
    if re.search(r"向上取整|进一|只入不舍|进位取整|收尾取整|进位", plain):
        yield _statement("rounding", evidence, text="up", scope=text.strip())
    elif "四舍五入" in plain:
        yield _statement("rounding", evidence, text="half_up", scope=text.strip())
    for sentence in re.split(r"[。；;]", text):
        yield from _mine_facts(sentence, evidence)
    basis = None if re.search(r"验算|S大|Smax", plain) else _area_basis(plain)
    if basis is not None and not (heading is not None and heading not in {PlaceType.COAL_FACE, PlaceType.STANDBY_FACE}):
        yield _statement("area_basis", evidence, text=basis, scope=text.strip(), place_type=PlaceType.COAL_FACE)
    climate = re.search(r"Q[^=]{0,6}=60\*(70%\*|0\.70?\*)?[^,;。]*?S", fold_operators(plain))
    if climate is not None and re.search(r"[Vv]", climate.group()) and not re.search(r"0\.[12]5", climate.group()):
        yield _statement(
            "area_basis_formula",
            evidence,
            text="net" if climate[1] else "effective",
            scope=text.strip(),
            place_type=PlaceType.COAL_FACE,
        )


def _area_basis(plain: str) -> str | None:
    """What a sentence says of the section that goes into the climate formula."""
    if not re.search(r"断面", plain) or not re.search(r"S|代入|断面积?为|70%", plain):
        return None
    if re.search(
        r"(?:不再|不得再|不应再|无需再|不需再|不)乘|已(?:按|乘|扣除|折算|考虑|包含|计入)[^,。;]{0,8}(?:70%|0\.7|系数|扣除)",
        plain,
    ):
        return "mean_effective_net" if "平均有效净断面" in plain else "effective"
    if re.search(r"(?:须|应|需|再|要)乘以?(?:有效|70%|0\.7|断面)", plain):
        return "net"
    found = re.search(r"S[^,;。\dV=×*]{0,8}?(?:取|为|-+|是|采用)[^,;。]*?((?:平均)?(?:有效)?净?断面)", plain)
    if found is None:
        return None
    return word_table("area_basis", "plan_words").key_of(found[1] if found[1] != "断面" else "")


def _mine_facts(sentence: str, evidence: tuple[Evidence, ...]) -> Iterator[Statement]:
    plain = squeeze(sentence)
    if "注水" in plain and re.search(r"喷雾|喷水", plain) and not _NOT.search(plain):
        yield _statement("infusion_and_sprays", evidence, text=sentence.strip())
    hoist = re.search(r"回风[^,;。]{0,6}(?:井|斜井|立井)[^,;。]{0,12}(?:提升|箕斗|罐笼)", plain)
    if hoist is not None:
        none = re.search(r"(?:无|不设|未设|未装|没有|不装|不承担|不担负|未安装)[^,;。]{0,6}(?:提升|箕斗|罐笼)", plain)
        yield _statement("no_return_shaft_hoist" if none else "return_shaft_hoist", evidence, text=sentence.strip())
    if "有效风量率" in plain:
        denominator = re.search(r"(?:与|占|除以|比)[^,;。]{0,6}(总进风|主扇|主要通风机|主通风机)", plain)
        if denominator is not None:
            yield _statement("effective_rate_denominator", evidence, text=denominator[1], scope=sentence.strip())
    reserve = _RESERVE.search(plain) or (_RESERVE_NEAR.search(plain) if "系数" in plain or "K" in plain else None)
    if reserve is not None:
        low = parse_number(reserve[1])
        high = parse_number(reserve[2]) if reserve[2] else low
        if low is not None and 1 <= low < 2:  # noqa: PLR2004 - a reserve, not the factor of a formula
            yield _statement(
                "reserve_coefficient", evidence, low=low, high=high, text=reserve.group(), scope=sentence.strip()
            )
            span = _RESERVE_SPAN.search(plain, reserve.end())
            if span is not None:
                yield _statement(
                    "reserve_range",
                    evidence,
                    low=parse_number(span[1]),
                    high=parse_number(span[2]),
                    text=span.group(),
                    scope=sentence.strip(),
                )


def _sentence(sentence: str, evidence: tuple[Evidence, ...], about: _About) -> Iterator[Statement]:
    plain = _IMPLIED_TIMES.sub("*", fold_operators(squeeze(sentence)))
    for kind in about.types:
        yield from _factors(plain, evidence, kind)
        yield from _spans(plain, evidence, kind, about.object)
        yield from _demanded(plain, evidence, kind)
    if about.method is not None:
        yield from _of_every_working(plain, evidence)
    for floor in _FLOOR.finditer(plain) if about.type is PlaceType.CHAMBER else ():
        lead = re.split(r"[,;:(]", plain[: floor.start()])[-1]
        yield _statement(
            "floor_m3_min",
            evidence,
            low=parse_number(floor[1]),
            text=floor.group(),
            scope=lead if _named_type(lead) is PlaceType.CHAMBER else about.object,
            place_type=about.type,
        )


_WORKINGS: Final = (PlaceType.COAL_FACE, PlaceType.STANDBY_FACE, PlaceType.HEADING)
_SHARED: Final = frozenset({"gas_factor", "co2_factor", "people_factor"})


def _of_every_working(plain: str, evidence: tuple[Evidence, ...]) -> Iterator[Statement]:
    """A method told once for all faces and headings: its factor, and the ranges that name the kind they are for."""
    for kind in _WORKINGS:
        yield from (s for s in _factors(plain, evidence, kind) if s.key in _SHARED)
    yield from (s for s in _spans(plain, evidence, PlaceType.COAL_FACE, "") if _type_of_scope(s.scope) is not None)


def _object_of(plain: str) -> str:
    """The words a sentence begins with: what it is about."""
    lead = re.split(r"[:,(=]|按|每|Q", re.sub(r"^(?:\d+[.)]\d*|[(]\d+[)]|[①-⑳])+", "", plain))[0]
    return lead[:20]


def _lead_before(plain: str, at: int) -> str:
    """The words right before a formula or a range, since the last comma, bracket or formula."""
    lead = re.split(r"[,;(]|(?<=[KSAN\d])、", plain[:at])[-1]
    parts = [_FORMULA_TAIL.sub("", part).strip() for part in lead.split(":")]
    return next((part for part in reversed(parts) if part), "")


def _scope_behind(plain: str, at: int) -> str:
    """`+15*S(煤巷)`: the words in brackets right behind a formula."""
    found = re.match(r"\(([^()]{0,10}(?:煤|岩|采区|盘区|级)[^()]{0,8})\)", plain[at:])
    return found[1] if found is not None else ""


def _factors(plain: str, evidence: tuple[Evidence, ...], kind: PlaceType) -> Iterator[Statement]:
    for key, pattern in _FORMULAS:
        for match in pattern.finditer(plain):
            value = _factor_value(match[1])
            if value is None:
                continue
            scope = _scope_behind(plain, match.end()) or _lead_before(plain, match.start())
            if key == "gas_factor" and kind is PlaceType.CHAMBER:
                key = "hydrogen_factor"  # noqa: PLW2901 - q of a chamber is hydrogen
            if key == "gas_factor" and _is_of_co2(plain[: match.start()]):
                key = "co2_factor"  # noqa: PLW2901 - 二氧化碳：Q=67×q×K
            grade = _grade(plain) if key == "explosive_factor" else ""
            if grade and grade not in scope:
                scope = f"{scope} {grade}".strip()
            yield _statement(key, evidence, low=value, high=value, text=match.group(), scope=scope, place_type=kind)


def _is_of_co2(before: str) -> bool:
    named = methods_in(before)
    return bool(named) and named[-1] is Method.CO2 and Method.GAS not in named


def _factor_value(text: str) -> Decimal | None:
    if "*" in text:
        return {"25": Decimal(15), "15": Decimal(9)}[text[-2:]]
    return parse_number(text)


def _grade(plain: str) -> str:
    found = re.search(r"[一二三123]级(?:煤矿)?许用", plain)
    return found.group() if found is not None else ""


def _spans(plain: str, evidence: tuple[Evidence, ...], kind: PlaceType, about: str) -> Iterator[Statement]:
    """Ranges of coefficients: θ of chambers, unbalance of gas."""
    for match in _RANGE.finditer(plain):
        low, high = parse_number(match[1]), parse_number(match[2])
        before = plain[: match.start()]
        theta, unbalance = (
            max(before.rfind("θ"), before.rfind("发热系数")),
            max(before.rfind("K"), before.rfind("不均衡")),
        )
        if low is None or high is None or match[3]:
            continue
        is_other = _OTHER_K.search(before) is not None
        if theta > unbalance and high < 1:
            yield _statement(
                "theta",
                evidence,
                low=low,
                high=high,
                text=match.group(),
                scope=_lead_before(plain, match.start()),
                place_type=kind,
            )
        elif unbalance >= 0 and not is_other and 1 <= low < 4 and high <= 4:  # noqa: PLR2004 - an unbalance factor
            scope = _lead_before(plain, match.start())
            key = "co2_unbalance" if _is_of_co2(before) else "gas_unbalance"
            yield _statement(
                key,
                evidence,
                low=low,
                high=high,
                text=match.group(),
                scope=scope,
                place_type=_type_of_scope(scope) or kind,
            )
        elif kind is PlaceType.CHAMBER and low >= 10 and re.match(r"(?:m[³3]/min|立方米/分)", plain[match.end() :]):  # noqa: PLR2004 - a flow
            yield _statement(
                "empirical_m3_min", evidence, low=low, high=high, text=match.group(), scope=about, place_type=kind
            )


def _type_of_scope(scope: str) -> PlaceType | None:
    """The kind a range's own words tell (`综掘`) where its sentence is about several."""
    key = word_table("scope_types", "plan_words").key_of(scope)
    return None if key is None else PlaceType(key)


_DEMANDED: Final = {
    PlaceType.COAL_FACE: (Method.CLIMATE, Method.GAS, Method.CO2, Method.PEOPLE),
    PlaceType.STANDBY_FACE: (Method.STANDBY_HALF, Method.GAS, Method.PEOPLE),
    PlaceType.HEADING: (Method.GAS, Method.CO2, Method.PEOPLE, Method.LOCAL_FAN),
}


def _demanded(plain: str, evidence: tuple[Evidence, ...], kind: PlaceType) -> Iterator[Statement]:
    """Methods the chapter demands of faces and headings; conditional ones (炮掘) are left out."""
    if kind not in _DEMANDED or re.search(r"仅|只用于|不使用|验算", plain.split("(", maxsplit=1)[0]):
        return
    if not re.search(r"[*=]|计算|满足", plain):
        return
    for method in methods_in(plain):
        if method in _DEMANDED[kind]:
            yield _statement("method", evidence, text=method.value, scope="", place_type=kind)
