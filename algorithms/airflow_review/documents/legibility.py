"""Whether the text that came out of a file is text."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

from algorithms.airflow_review.documents import refusal
from algorithms.airflow_review.documents.document import Block, Line
from algorithms.airflow_review.messages.catalogue import say

_SAMPLE: Final = 20_000
_MAX_GARBAGE: Final = 0.2
_PRIVATE: Final = frozenset({"Co", "Cn", "Cc", "Cs"})


def check_legible(blocks: Iterable[Block], file: str) -> None:
    """Refuse a document without text, or one whose characters are mostly placeholders.

    Raises:
        InputError: nothing to read, or garbage (fonts without a character map, a wrong encoding).
    """
    sample = "".join(islice(_texts(blocks), _SAMPLE))[:_SAMPLE]
    if not sample:
        raise refusal.empty(file, say("refusal.no_content"))
    garbage = sum(char == "\ufffd" or unicodedata.category(char) in _PRIVATE for char in sample)
    if garbage > _MAX_GARBAGE * len(sample):
        raise refusal.damaged(file, say("refusal.garbled"))


def _texts(blocks: Iterable[Block]) -> Iterator[str]:
    for block in blocks:
        if isinstance(block, Line):
            yield block.text
        else:
            yield from (cell.text for row in block.rows for cell in row.cells if cell.origin and cell.text)
