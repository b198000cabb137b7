"""Running heads, feet and page numbers: found by their place on most pages, and dropped."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from math import ceil
from typing import Final

from algorithms.airflow_review.documents.pdf.paging import Page, PageLine

_MARGIN: Final = 0.12  # of the page height, at the top and at the bottom
_SHARE: Final = 0.6
_STEP_PT: Final = 4.0
_NUMBER = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(
    r"第?\d+页?|[-—–·]\d+[-—–·]|\d+/\d+|第\d+页[,，/]?[（(]?共\d+页[）)]?|page\d+(of\d+)?", re.IGNORECASE
)

_Key = tuple[str, int]


def drop_furniture(pages: Sequence[Page]) -> None:
    """Removes from the pages the margin lines that stand on most of them, and page numbers at the foot.

    A running line says the same on every page, or differs by a number that counts with the pages.
    """
    counts = Counter(
        key for page in pages for key in {key for line in _margin_lines(page) for key in _keys(page, line)}
    )
    needed = max(2, ceil(_SHARE * len(pages)))
    for page in pages:
        running = {
            id(line)
            for line in _margin_lines(page)
            if _is_number(page, line) or any(_stands(counts, key, needed) for key in _keys(page, line))
        }
        page.blocks = [block for block in page.blocks if id(block) not in running]


def _margin_lines(page: Page) -> Iterator[PageLine]:
    for block in page.blocks:
        if isinstance(block, PageLine) and not _MARGIN * page.height < _middle(block) < (1 - _MARGIN) * page.height:
            yield block


def _middle(line: PageLine) -> float:
    return (line.bbox[1] + line.bbox[3]) / 2


def _keys(page: Page, line: PageLine) -> Iterator[_Key]:
    """The text, and the text with each number in turn counted from the page's; each with its height from the edge."""
    middle = _middle(line)
    step = round((middle if middle < page.height / 2 else middle - page.height) / _STEP_PT)
    text = re.sub(r"\s", "", line.text)
    yield text, step
    for number in _NUMBER.finditer(text):
        yield f"{text[: number.start()]}#{int(number[0]) - page.number}{text[number.end() :]}", step


def _stands(counts: Counter[_Key], key: _Key, needed: int) -> bool:
    text, step = key
    return sum(counts[text, near] for near in (step - 1, step, step + 1)) >= needed


def _is_number(page: Page, line: PageLine) -> bool:
    is_lowest = all(block is line or block.top < line.top for block in page.blocks)
    is_low = _middle(line) > (1 - _MARGIN) * page.height
    return is_lowest and is_low and _PAGE_NUMBER.fullmatch(re.sub(r"\s", "", line.text)) is not None
