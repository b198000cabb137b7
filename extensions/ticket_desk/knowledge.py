"""Finds articles by the words of a question, in Chinese and English; no index, the base is small."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Final

from extensions.ticket_desk.records import Article

_WORD: Final = re.compile(r"[a-z0-9]+")
_HAN: Final = re.compile(r"[\u4e00-\u9fff]+")
_NO_TERMS: Final = frozenset(
    {"a", "an", "and", "are", "can", "do", "for", "how", "i", "in", "is", "it", "my", "of", "on", "or", "the", "to"}
)
_TITLE_WEIGHT: Final = 3


def find_articles(articles: Mapping[str, Article], query: str, *, limit: int) -> list[str]:
    """Ids of the articles that share most terms with the query, best first; those that share none are left out."""
    wanted = _terms(query)
    scores = {
        identity: _TITLE_WEIGHT * len(wanted & _terms(article.title)) + len(wanted & _terms(article.text))
        for identity, article in articles.items()
    }
    found = [identity for identity, score in scores.items() if score]
    return sorted(found, key=lambda identity: (-scores[identity], identity))[:limit]


def _terms(text: str) -> frozenset[str]:
    """English words without the commonest, and pairs of neighbouring Chinese characters."""
    plain = unicodedata.normalize("NFKC", text).lower()
    words = {word.removesuffix("s") for word in _WORD.findall(plain)} - _NO_TERMS
    pairs = {run[start : start + 2] for run in _HAN.findall(plain) for start in range(max(len(run) - 1, 1))}
    return frozenset(words | pairs)
