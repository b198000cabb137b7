"""Which places are in the plan: listed twice, left out, stopped, in series."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from algorithms.airflow_review.engine.document_words import document_words
from algorithms.airflow_review.engine.issue import MINE, Subject, make_finding, show
from algorithms.airflow_review.engine.names import GROUP_OF_TYPE, NameKey, NameWords, likeness
from algorithms.airflow_review.engine.place_review import PlaceReview
from algorithms.airflow_review.evidence import PlaceType
from algorithms.airflow_review.extract import Mention, PlanExtract
from algorithms.airflow_review.messages.catalogue import listed, say
from algorithms.airflow_review.model import Finding, FindingKind, Severity
from algorithms.airflow_review.reading.text import normal_name
from algorithms.airflow_review.rules.library import RuleSet

_MANY: Final = 3  # fewer missing places are single faults


def check_roster(
    plan: PlanExtract, places: Sequence[PlaceReview], rules: RuleSet, uncounted: frozenset[str] = frozenset()
) -> tuple[Finding, ...]:
    """All findings about the list of places; `uncounted` are rows that the sums leave out."""
    words = NameWords.of(rules.data["names"])
    return (
        *_duplicates(places, words, rules),
        *_missing(plan, places, words, rules),
        *_stopped(plan, places, words, rules),
        *_series([place for place in places if place.place.id not in uncounted], places, words, rules),
        *_wrong_system(plan, places, words, rules),
    )


def _key(words: NameWords, name: str, place_type: PlaceType | None) -> NameKey:
    return words.key(name, GROUP_OF_TYPE.get(place_type, "") if place_type is not None else "")


def _duplicates(places: Sequence[PlaceReview], words: NameWords, rules: RuleSet) -> Iterator[Finding]:
    seen: dict[str, list[PlaceReview]] = {}
    for place in places:
        if place.facts.extract.stopped and not _has_air(place):
            continue
        seen.setdefault(words.key(place.place.name).full, []).append(place)
    for same in seen.values():
        for later in same[1:]:
            yield _duplicate(same[0], later, words, rules)


def _duplicate(first: PlaceReview, later: PlaceReview, words: NameWords, rules: RuleSet) -> Finding:
    apart = _are_apart(first, later, words)
    same = first.facts.extract.system == later.facts.extract.system
    where = say("place.in_one_system" if same else "place.in_two_systems")
    return make_finding(
        rules,
        FindingKind.DUPLICATE_ENTRY,
        later.facts.subject,
        rule="sum.duplicate",
        severity=Severity.NOTE if apart else None,
        stated=later.place.stated_required_m3_min,
        unit="m3/min",
        evidence=(*later.facts.extract.evidence[:3], *first.facts.extract.evidence[:3]),
        message=say("place.maybe_twice" if apart else "place.twice", place=later.place.name, where=where),
        clears_when=say("place.twice.clear"),
    )


def _are_apart(first: PlaceReview, later: PlaceReview, words: NameWords) -> bool:
    """Whether the two rows may well be two places: other inputs, or names that only mean the same (变电所, 变电硐室)."""
    if _inputs(first) and _inputs(later) and _inputs(first) != _inputs(later):
        return True
    if words.key(first.place.name).exact == words.key(later.place.name).exact:
        return False
    figures = [(p.place.stated_required_m3_min, p.place.planned_m3_min) for p in (first, later)]
    return first.facts.extract.system == later.facts.extract.system or figures[0] != figures[1]


def _inputs(place: PlaceReview) -> tuple[object, ...]:
    """What the place's own calculations are made of; empty where it has none."""
    return tuple((c.method, c.expression.replace(" ", ""), c.stated) for c in place.facts.extract.calculations)


def _missing(plan: PlanExtract, places: Sequence[PlaceReview], words: NameWords, rules: RuleSet) -> Iterator[Finding]:
    """Places of the text without a row; where that is most of them, the table was not read whole: one manual finding."""
    if not places:
        return
    keys = [_key(words, place.place.name, place.facts.extract.type) for place in places]
    threshold = float(rules.constant("roster.same_name").value)
    told: set[str] = {key.full for key in keys}
    absent: list[Mention] = []
    for mention in plan.mentions:
        key = _key(words, mention.name, mention.type)
        if (
            key.full in told
            or _is_stopped(mention.status)
            or any(likeness(key, other, words) >= threshold for other in keys)
        ):
            continue
        told.add(key.full)
        absent.append(mention)
    listed = len({_key(words, mention.name, mention.type).full for mention in plan.mentions})
    if len(absent) >= _MANY and 2 * len(absent) > listed:
        yield _unread_finding(absent, rules)
    else:
        for mention in absent:
            key = _key(words, mention.name, mention.type)
            yield _missing_finding(mention, rules, has_kin=any(_is_kin(key, other) for other in keys))


def _is_kin(one: NameKey, other: NameKey) -> bool:
    """Whether one name holds the other (水泵房, 中央水泵房): it may be the same place named in short."""
    numbers, others = set(one.numbers), set(other.numbers)
    holds = one.core in other.core or other.core in one.core
    return holds and one.group == other.group and (numbers <= others or others <= numbers)


def _unread_finding(absent: Sequence[Mention], rules: RuleSet) -> Finding:
    names = listed(mention.name for mention in absent[:_MANY])
    return make_finding(
        rules,
        FindingKind.MISSING_PLACE,
        MINE,
        rule="sum.missing",
        severity=Severity.MANUAL,
        evidence=[where for mention in absent for where in mention.evidence[:1]],
        message=say("place.many_missing", count=len(absent), names=names),
        clears_when=say("place.many_missing.clear"),
    )


def _is_stopped(status: str) -> bool:
    return any(word in status for word in document_words().stopped)


def _missing_finding(mention: Mention, rules: RuleSet, *, has_kin: bool) -> Finding:
    if mention.status:
        message = say("place.missing_with_status", place=mention.name, status=mention.status)
    else:
        message = say("place.missing", place=mention.name)
    return make_finding(
        rules,
        FindingKind.MISSING_PLACE,
        Subject(id=mention.name, name=mention.name),
        rule="sum.missing",
        severity=Severity.NOTE if has_kin else None,
        evidence=mention.evidence,
        message=message,
        clears_when=say("place.missing.clear"),
    )


def _stopped(plan: PlanExtract, places: Sequence[PlaceReview], words: NameWords, rules: RuleSet) -> Iterator[Finding]:
    stopped = {
        _key(words, mention.name, mention.type).full: mention
        for mention in plan.mentions
        if _is_stopped(mention.status)
    }
    for place in places:
        mention = stopped.get(words.key(place.place.name).full)
        if not _has_air(place) or (mention is None and not place.facts.extract.stopped):
            continue
        why = mention.status if mention is not None else say("place.stopped_mark")
        yield make_finding(
            rules,
            FindingKind.STOPPED_PLACE,
            place.facts.subject,
            rule="sum.stopped",
            stated=place.place.planned_m3_min,
            unit="m3/min",
            evidence=(*place.facts.extract.evidence[:4], *(mention.evidence if mention is not None else ())),
            message=say(
                "place.stopped",
                place=place.place.name,
                status=why,
                flow=show(place.place.planned_m3_min or place.place.stated_required_m3_min),
            ),
            clears_when=say("place.stopped.clear"),
        )


def _has_air(place: PlaceReview) -> bool:
    values = (place.facts.extract.planned, place.facts.extract.required)
    return any(value is not None and value.value > 0 for value in values)


def _series(
    counted: Sequence[PlaceReview], places: Sequence[PlaceReview], words: NameWords, rules: RuleSet
) -> Iterator[Finding]:
    by_name = {words.key(place.place.name).full: place for place in places}
    by_name |= {normal_name(place.place.name): place for place in places}
    for place in counted:
        after = place.facts.extract.series_after
        if after is None or not _has_air(place):
            continue
        before = by_name.get(normal_name(after)) or by_name.get(words.key(after).full)
        if before is None or before is place or not _has_air(before):
            continue
        yield make_finding(
            rules,
            FindingKind.SERIES_COUNTED_TWICE,
            place.facts.subject,
            rule="sum.series",
            stated=place.place.stated_required_m3_min,
            unit="m3/min",
            evidence=(*place.facts.extract.evidence[:4], *before.facts.extract.evidence[:3]),
            message=say("place.series", place=place.place.name, before=before.place.name),
            clears_when=say("place.series.clear"),
        )


def _wrong_system(
    plan: PlanExtract, places: Sequence[PlaceReview], words: NameWords, rules: RuleSet
) -> Iterator[Finding]:
    """A place whose list names one system and whose row stands in the table of another."""
    systems = {normal_name(place.facts.extract.system) for place in places if place.facts.extract.system}
    by_key: dict[str, list[PlaceReview]] = {}
    for place in places:
        by_key.setdefault(words.key(place.place.name).full, []).append(place)
    for mention in plan.mentions:
        listed = normal_name(mention.system) if mention.system else ""
        same = by_key.get(_key(words, mention.name, mention.type).full, [])
        rows = {normal_name(place.facts.extract.system or "") for place in same}
        if listed in systems and same and listed not in rows and not _is_stopped(mention.status):
            yield make_finding(
                rules,
                FindingKind.CONFLICTING_VALUES,
                same[0].facts.subject,
                rule="plan.conflict",
                stated=same[0].facts.extract.system,
                expected=mention.system,
                evidence=(*same[0].facts.extract.evidence[:4], *mention.evidence),
                message=say(
                    "place.other_system",
                    place=mention.name,
                    listed=mention.system,
                    table=same[0].facts.extract.system,
                ),
                clears_when=say("place.other_system.clear"),
            )
