"""What changed between two reviews, as groups of sentences: for a terminal, and for the chapter of the report."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from decimal import Decimal
from typing import TypeVar

from algorithms.airflow_review.changes import (
    Changes,
    Edition,
    FindingEntry,
    SubjectChange,
    SubjectEntry,
    ValueChange,
    VerdictChange,
)
from algorithms.airflow_review.render.figures import figure, window_text
from algorithms.airflow_review.render.words import Words
from algorithms.airflow_review.value_class import dataclass

_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Changes of one sort: a title that counts them, one sentence each."""

    key: str
    title: str
    items: tuple[str, ...]


def change_lines(changes: Changes, words: Words) -> tuple[str, ...]:
    """Head, cautions and every group with its sentences, one a line."""
    lines = [*head_sentences(changes, words)]
    for group in change_groups(changes, words):
        lines += [group.title, *(words.say("changes.line", text=item) for item in group.items)]
    return tuple(lines)


def head_sentences(changes: Changes, words: Words) -> tuple[str, ...]:
    """Which two reviews these are, how their verdicts differ, and what to keep in mind."""
    old, new = (_edition_text(edition, words) for edition in (changes.old, changes.new))
    verdicts = [_verdict_of(edition, words) for edition in (changes.old, changes.new)]
    key = "changes.verdict_same" if verdicts[0] == verdicts[1] else "changes.verdict_other"
    return (
        words.say("changes.head", old=old, new=new),
        words.say(key, old=verdicts[0], new=verdicts[1]),
        *(words.name("changes.caution", caution) for caution in changes.cautions),
    )


def change_groups(changes: Changes, words: Words) -> tuple[Group, ...]:
    """All groups in a fixed order; an empty one says so by its count of 0."""

    def group(key: str, items: Iterable[_Item], text: Callable[[_Item, Words], str]) -> Group:
        sentences = tuple(text(item, words) for item in items)
        return Group(key=key, title=words.say(f"changes.{key}", count=len(sentences)), items=sentences)

    return (
        group("added", changes.added, _entry_text),
        group("removed", changes.removed, _entry_text),
        group("altered", changes.altered, _altered_text),
        group("values", changes.values, _value_text),
        group("verdicts", changes.verdicts, _verdict_text),
        group("findings_new", changes.findings_new, _finding_text),
        group("findings_gone", changes.findings_gone, _finding_text),
        group("findings_still", changes.findings_still, _finding_text),
    )


def subject_text(name: str, system: str | None, words: Words) -> str:
    """A name, with its system where it has one: two systems may hold places of one name."""
    shown = words.subject(name)
    return shown if system is None else words.say("changes.subject", name=shown, system=system)


def signed(value: Decimal | None, words: Words) -> str:
    """A difference with its sign."""
    if value is None:
        return words.say("none")
    text = figure(value, words)
    return f"+{text}" if value > 0 else text


def _edition_text(edition: Edition, words: Words) -> str:
    files = words.say("changes.files_join").join(edition.files)
    return words.say("changes.edition", period=window_text(edition.period, words), files=files)


def _verdict_of(edition: Edition, words: Words) -> str:
    verdict = words.name("changes.verdict", edition.verdict)
    return (
        verdict if edition.short is None else words.say("changes.verdict_short", verdict=verdict, short=edition.short)
    )


def _entry_text(entry: SubjectEntry, words: Words) -> str:
    return words.say(
        "changes.entry",
        subject=subject_text(entry.name, entry.system, words),
        type=words.name("type", entry.type),
        required=figure(entry.required_m3_min, words),
        planned=figure(entry.planned_m3_min, words),
    )


def _altered_text(change: SubjectChange, words: Words) -> str:
    pairs = [
        ("changes.altered_name", *change.name),
        ("changes.altered_type", *(words.name("type", value) for value in change.type)),
        ("changes.altered_system", *(value or words.say("none") for value in change.system)),
    ]
    parts = [words.say(key, old=old, new=new) for key, old, new in pairs if old != new]
    joined = words.say("changes.parts_join").join(parts)
    return words.say("changes.item", subject=subject_text(change.name[1], change.system[1], words), text=joined)


def _value_text(change: ValueChange, words: Words) -> str:
    text = words.say(
        "changes.value",
        quantity=words.say(f"column.{change.quantity}"),
        old=figure(change.old, words),
        new=figure(change.new, words),
        difference=signed(change.difference, words),
    )
    return words.say("changes.item", subject=subject_text(change.name, change.system, words), text=text)


def _verdict_text(change: VerdictChange, words: Words) -> str:
    text = words.say(
        "changes.verdict_change",
        basis=words.name("basis", change.basis),
        old=words.name("verdict", change.old),
        new=words.name("verdict", change.new),
    )
    return words.say("changes.item", subject=subject_text(change.name, change.system, words), text=text)


def _finding_text(entry: FindingEntry, words: Words) -> str:
    severities = [words.name("severity", s) for s in (entry.severity_old, entry.severity_new) if s is not None]
    return words.say(
        "changes.finding",
        id=words.say("changes.arrow").join(dict.fromkeys(i for i in (entry.id_old, entry.id_new) if i is not None)),
        severity=words.say("changes.arrow").join(dict.fromkeys(severities)),
        kind=words.name("kind", entry.kind),
        subject=words.subject(entry.subject_name),
        message=words.choose(entry.message, entry.message_en),
    )
