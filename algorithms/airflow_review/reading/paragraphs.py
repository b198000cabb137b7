"""Lines put together again: sentences a page broke, formulas broken at an operator."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from algorithms.airflow_review.documents.document import Block, Line, Table
from algorithms.airflow_review.evidence import Evidence
from algorithms.airflow_review.reading.place_in_source import of_line
from algorithms.airflow_review.reading.text import fold, fold_operators, squeeze
from algorithms.airflow_review.value_class import dataclass

_STARTS_ANEW: Final = re.compile(
    r"^\s*(?:[①-⑳◆●■★→▲◇○※]|[(]?[一二三四五六七八九十\d]{1,3}(?:[)、]|\.(?!\d))|\[\d+\]|第[一二三四五六七八九十\d]+[章节部条]|§|表\s*\d|附[表图]|注:|\d+(?:[.-]\d+)+\s|\d+号点|式中|其中)"
)
_NEARLY: Final = 0.9
_SENTENCE_END: Final = tuple("。：:！!？?")
_OPEN: Final = re.compile(r"[=≈*/+(≤≥<>-]\s*$")
_LEVEL: Final = (
    r"[+-]\d{2,4}(?:m(?![³3²2/])|(?=[\u4e00-\u9fff])(?![人台个次种]))"  # -650m中央变电所, +1250水平大巷: a name
)
_RESULT_END: Final = re.compile(r"=\s*\d[\d.]*\s*\(?\s*m[³3]/min\s*\)?\s*$")
_OPENED: Final = re.compile(rf"^\s*(?!{_LEVEL})(?:[=≈*/+)≤≥<>]|-\s*[\d(])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph:
    """Text of one or more lines; `starts[i]` is where line i begins in `text`."""

    text: str
    lines: tuple[Line, ...]
    starts: tuple[int, ...]

    def evidence(self, file: str, quote: str) -> tuple[Evidence, ...]:
        """Where a printed part of the paragraph stands: one entry for each line it runs over."""
        at = self.text.find(quote) if quote else -1
        if at < 0:
            return (of_line(file, self.lines[0]),)
        end = at + len(quote)
        bounds = (*self.starts[1:], len(self.text))
        touched = [
            (line, max(at, start), min(end, stop))
            for line, start, stop in zip(self.lines, self.starts, bounds, strict=True)
            if start < end and stop > at
        ]
        if len(touched) == 1:
            return (of_line(file, touched[0][0]),)
        return tuple(of_line(file, line, self.text[start:stop].strip()) for line, start, stop in touched)


def read_paragraphs(blocks: Iterable[Block]) -> Iterator[Paragraph | Table]:
    """Blocks with broken lines joined; tables pass through."""
    blocks = tuple(blocks)
    margins = _right_margins(blocks)
    pending: list[Line] = []
    for block in blocks:
        if isinstance(block, Line) and (not pending or _goes_on(pending, block, margins)):
            pending.append(block)
            continue
        if pending:
            yield join_lines(pending)
        pending = [block] if isinstance(block, Line) else []
        if isinstance(block, Table):
            yield block
    if pending:
        yield join_lines(pending)


def join_lines(lines: Sequence[Line]) -> Paragraph:
    """One paragraph of the lines."""
    starts: list[int] = []
    text = ""
    for line in lines:
        starts.append(len(text))
        text += line.text
    return Paragraph(text=text, lines=tuple(lines), starts=tuple(starts))


def _right_margins(blocks: Sequence[Block]) -> Mapping[int, float]:
    """Right edge of the text on each page; a page of short lines has the edge of the whole document."""
    edges: dict[int, list[float]] = defaultdict(list)
    for block in blocks:
        if isinstance(block, Line) and block.page is not None and block.bbox is not None:
            edges[block.page].append(block.bbox[2])
    widest = max((max(found) for found in edges.values()), default=0.0)
    return {page: max(found) if max(found) > _NEARLY * widest else widest for page, found in edges.items()}


def _goes_on(pending: Sequence[Line], line: Line, margins: Mapping[int, float]) -> bool:
    last = pending[-1]
    before, after = fold_operators(last.text).rstrip(), fold_operators(line.text)
    if _OPENED.match(after) or (
        _OPEN.search(before) and not before.endswith("--") and re.match(r"\s*[\d(A-Za-z\u4e00-\u9fff]", after)
    ):
        return not _is_dash_end(last.text)
    if (
        before.count("(") > before.count(")")
        and "=" in before
        and "=" not in after.split(")")[0]
        and _is_full(last, margins)
    ):
        return True
    return _wraps(last, line, margins)


def _is_dash_end(text: str) -> bool:
    """`气象法——` introduces a formula; it is no minus sign."""
    return text.rstrip().endswith(("—", "―", "–")) or squeeze(text).endswith("--")


def _is_full(line: Line, margins: Mapping[int, float]) -> bool:
    if line.bbox is None or line.page is None:
        return False
    size = line.size or (line.bbox[3] - line.bbox[1])
    return line.bbox[2] > margins[line.page] - 2.5 * size


def _wraps(last: Line, line: Line, margins: Mapping[int, float]) -> bool:
    """A visual line that reaches the right margin goes on in the next one, unless that begins something new."""
    if last.bbox is None or line.bbox is None or not _is_full(last, margins):
        return False
    size = last.size or (last.bbox[3] - last.bbox[1])
    if last.text.rstrip().endswith(_SENTENCE_END) and line.bbox[0] > last.bbox[0] - size:
        return False
    if _RESULT_END.search(fold(last.text)) and re.match(r"\s*[A-Za-z\u4e00-\u9fff]", fold(line.text)):
        return False  # the calculation above is complete, and only by chance as long as the line
    indented = line.bbox[0] > last.bbox[0] + 0.5 * size
    return not indented and not _STARTS_ANEW.match(fold(line.text))
