"""The doors: which classes of secrets each of them hides, in texts and in nested values."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from obs.sanitize import account, command, credential, database, network, path, person, stack, statement
from obs.sanitize.text import RuleSet, hide
from obs.sanitize.value import redacted
from obs.sanitize.view import REDACTED

_CREDENTIALS: Final = RuleSet(everywhere=credential.PLACES, wrapped=credential.SHAPES)
_ALL: Final = RuleSet(
    everywhere=(
        *credential.DENSE,
        *network.RULES,
        *path.RULES,
        *stack.RULES,
        *statement.RULES,
        *database.RULES,
        *account.RULES,
        *command.RULES,
    ),
    wrapped=credential.SHAPES,
    spared=path.SPARED,
    personal=(*credential.PLACES, *person.RULES),
)
MOST_CHARS: Final = 16_384
"""Longest text `sanitize` returns; what is longer is cut behind the redaction."""
_MARGIN_CHARS: Final = 2_048  # a secret that begins before the cut is seen whole
_CUT: Final = "…"
_SHORT_CHARS: Final = 64  # names of events, tools, fields and outcomes, which come again with every line and call
_MOST_KNOWN: Final = 4_096


def sanitize(text: str) -> str:
    """`text` with every class of secret replaced by the mark; of a text over `MOST_CHARS` characters the beginning.

    Applied to its own result it changes nothing.
    """
    if len(text) <= _SHORT_CHARS:
        return _own(text, _short(text))
    if len(text) > MOST_CHARS:
        spans = _ALL.spans(text[: MOST_CHARS + _MARGIN_CHARS])
        begun = [(start, min(end, MOST_CHARS)) for start, end in spans if start < MOST_CHARS]
        text = _cut(hide(text[:MOST_CHARS], begun))
    text = _ALL.settled(text)
    while len(text) > MOST_CHARS:  # marks may be longer than what they hide
        text = _ALL.settled(_cut(text))
    return text


def _cut(text: str) -> str:
    """At most the allowed characters, with neither a word nor a mark cut in two."""
    kept = text[: MOST_CHARS - len(REDACTED) - len(_CUT)]
    blank = max(kept.rfind(" "), kept.rfind("\n"))
    return (kept[:blank] if blank > len(kept) - 512 else kept[:-512]) + _CUT


def sanitize_value(value: Any) -> Any:
    """`value` with every text in it sanitized, keys of mappings too; what is no JSON-like value is shown by its `repr`, if that hides anything.

    Where nothing is hidden the same object comes back.
    """
    return redacted(value, sanitize, _ALL, foreign=True)


def redact_credentials(value: Any) -> Any:
    """`value`, a text or nested values, with credentials only replaced by the mark; the same object where there are none.

    Texts of any length are read whole; objects that are no JSON-like values are left alone.
    """
    return redacted(value, _without_credentials, _CREDENTIALS, foreign=False)


def _without_credentials(text: str) -> str:
    if len(text) <= _SHORT_CHARS:
        return _own(text, _short_without_credentials(text))
    return _CREDENTIALS.settled(text)


def _own(text: str, shown: str) -> str:
    """What is remembered may be another object that says the same: where nothing is hidden a caller gets his own back."""
    return text if shown == text else shown


@lru_cache(_MOST_KNOWN)
def _short(text: str) -> str:
    return _ALL.settled(text)


@lru_cache(_MOST_KNOWN)
def _short_without_credentials(text: str) -> str:
    return _CREDENTIALS.settled(text)
