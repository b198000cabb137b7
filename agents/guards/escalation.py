"""Messages that go to people before any model sees them: patterns as data, matched on the user's raw words with disguises off."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from agents.guards.folding import plain_character
from agents.guards.pattern_folding import compile_folded

_RULES_FILE: Final = Path(__file__).with_name("escalation.toml")


def _checked(pattern: str) -> str:
    compile_folded(pattern)
    return pattern


Pattern = Annotated[str, AfterValidator(_checked)]


class EscalationRule(BaseModel):
    """What sends a message to people under one name. Patterns are checked to run in linear time, and their literals folded, when they are loaded."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    match: tuple[Pattern, ...] = Field((), description="A hit wherever it stands.")
    match_live: tuple[Pattern, ...] = Field((), description="A hit unless its sentence is calm and not urgent.")
    calm: tuple[Pattern, ...] = Field((), description="Marks a sentence that asks about rules, drills, templates.")
    urgent: tuple[Pattern, ...] = Field((), description="Marks a sentence about something that happens now.")
    ignore: tuple[Pattern, ...] = Field((), description="Taken out before anything is matched.")
    reply: Mapping[Literal["zh", "en"], str] = Field(description="What the user reads, by language; both are needed.")

    @model_validator(mode="after")
    def _check(self) -> Self:
        if not (self.match or self.match_live):
            raise ValueError("the rule has no pattern and would never fire; add one to match or match_live")
        if missing := [language for language in ("zh", "en") if not self.reply.get(language, "").strip()]:
            raise ValueError(f"reply has no words in {missing}; users who write so would get none: add them")
        return self


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """Why a message goes to people: the rule's name, the pattern that fitted, and what the user reads."""

    name: str
    pattern: str
    reply: Mapping[Literal["zh", "en"], str]


def load_rules(file: Path = _RULES_FILE) -> dict[str, EscalationRule]:
    """Read rules of a TOML file, name → rule, in its order.

    Raises:
        ValidationError: A rule has unknown keys, or a pattern that might not run in linear time; the message says which and why.
    """
    return {
        name: EscalationRule.model_validate(rule)
        for name, rule in tomllib.loads(file.read_text(encoding="utf-8")).items()
    }


class Screen:
    """Looks for the first rule that a message fits. Holds no state; safe to share."""

    def __init__(self, rules: Mapping[str, EscalationRule]) -> None:
        self._rules = [_Compiled(name, rule) for name, rule in rules.items()]

    def find(self, text: str) -> Hit | None:
        """The first rule that the raw text of a user fits, in the order of the rules; None if it fits none."""
        readings = list(dict.fromkeys(_readings(text)))
        for rule in self._rules:
            for reading in readings:
                if (pattern := rule.fits(reading)) is not None:
                    return Hit(name=rule.name, pattern=pattern, reply=rule.reply)
        return None


class _Compiled:
    def __init__(self, name: str, rule: EscalationRule) -> None:
        self.name = name
        self.reply = rule.reply
        self._match = [compile_folded(pattern) for pattern in rule.match]
        self._live = [compile_folded(pattern) for pattern in rule.match_live]
        self._calm = [compile_folded(pattern) for pattern in rule.calm]
        self._urgent = [compile_folded(pattern) for pattern in rule.urgent]
        self._ignore = [compile_folded(pattern) for pattern in rule.ignore]

    def fits(self, reading: str) -> str | None:
        for pattern in self._ignore:
            reading = pattern.sub("〇", reading)
        if (found := _first(self._match, reading)) is not None:
            return found
        for sentence in _SENTENCE_END.split(reading) if self._live else ():
            found = _first(self._live, sentence)
            is_calm = _first(self._calm, sentence) is not None and _first(self._urgent, sentence) is None
            if found is not None and not is_calm:
                return found
        return None


def _first(patterns: Sequence[re.Pattern[str]], text: str) -> str | None:
    return next((pattern.pattern for pattern in patterns if pattern.search(text)), None)


_SENTENCE_END: Final = re.compile(r"(?<=[。！？；!?;\n])|(?<=[a-z]\.)(?= )")
_SPACE: Final = re.compile(r"\s{1,}")
# Marks that nobody sets inside a word but to hide it. A comma or a full stop between two Chinese characters ends a clause.
_INSIDE: Final = r"[ .·•・*_\-/|~`^+=#@&'\"“”‘’—…\\<>\[\](){}（）]{1,3}"
_INSIDE_CHINESE: Final = re.compile(f"(?<=[\u4e00-\u9fff]){_INSIDE}(?=[\u4e00-\u9fff])")
_INSIDE_LATIN: Final = re.compile(r"(?<=[a-z])[.·•*_\-/|~`^+=#\\]{1,3}(?=[a-z])")
_SPELLED: Final = re.compile(r"(?<![a-z])(?:[a-z][ .·•*_\-/|~]{1,2}){2,40}[a-z](?![a-z])")
_NOT_LETTERS: Final = re.compile("[^a-z]")


def _readings(text: str) -> Iterator[str]:
    """The text folded; then with the marks inside words taken out; then with words put together that were spelled letter by letter."""
    folded = _SPACE.sub(" ", "".join(char if char == "\n" else plain_character(char) for char in text))
    yield folded
    yield _INSIDE_LATIN.sub("", _INSIDE_CHINESE.sub("", folded))
    yield _SPELLED.sub(lambda found: _NOT_LETTERS.sub("", found.group()), folded)
    # `i s u e` is a pronoun and a word.
    yield _SPELLED.sub(lambda found: found.group()[0] + " " + _NOT_LETTERS.sub("", found.group()[1:]), folded)
