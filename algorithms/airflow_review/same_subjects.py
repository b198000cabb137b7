"""Which subject of one review is which of another: ids follow the document's order, so names must tell."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from decimal import Decimal
from typing import Final, Generic, TypeVar

from algorithms.airflow_review.engine.issue import MINE
from algorithms.airflow_review.engine.names import GROUP_OF_TYPE, NameWords
from algorithms.airflow_review.evidence import PlaceType
from algorithms.airflow_review.model import Comparison, Place, Plan, Review, System, Verdict
from algorithms.airflow_review.reading.text import normal_name
from algorithms.airflow_review.value_class import dataclass

_MEASURED_REQUIRED: Final = "measured_required"
_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """One place, system, fan or the mine, with what a review says of it."""

    id: str
    name: str
    type: PlaceType
    system: str | None  # name
    figures: Mapping[str, Decimal | None]  # required, planned, measured; m³/min
    verdicts: Mapping[str, tuple[Verdict, ...]]  # by basis; a system may be judged twice

    @property
    def is_place(self) -> bool:
        """Whether air is given to it, not counted in it."""
        return self.type in GROUP_OF_TYPE


@dataclass(frozen=True, slots=True, kw_only=True)
class Paired(Generic[_Item]):
    """Two lists laid beside each other, each part in the order of its list."""

    both: tuple[tuple[_Item, _Item], ...]  # in the order of the new list
    gone: tuple[_Item, ...]
    added: tuple[_Item, ...]


def subjects_of(review: Review) -> tuple[Subject, ...]:
    """Places in document order, then systems, the mine and the fans."""
    rows: dict[tuple[str, bool], list[Comparison]] = defaultdict(list)
    for row in review.comparisons:
        # A fan's id is its name, which might be that of a system's id: kept apart.
        rows[row.subject, row.type is PlaceType.MAIN_FAN].append(row)
    systems = {system.id: system.name for system in review.plan.systems}
    places = [_place(place, systems, rows[place.id, False]) for place in review.plan.places]
    wholes = [_system(system, rows[system.id, False]) for system in review.plan.systems]
    fans = [_fan(found) for (_, is_fan), found in rows.items() if is_fan]
    return (*places, *wholes, _mine(review.plan, rows[MINE.id, False]), *fans)


def pair_subjects(old: Sequence[Subject], new: Sequence[Subject], names: NameWords) -> Paired[Subject]:
    """Pair by name and system; then by name as the engine reads it, where only one on each side can be meant."""

    def system(subject: Subject) -> str:
        return names.system_core(subject.system or "")

    def plain(subject: Subject) -> Hashable:
        return subject.is_place, normal_name(subject.name)

    def read(subject: Subject) -> Hashable:
        group = GROUP_OF_TYPE.get(subject.type, subject.type.value)
        kind = "face" if group == "standby" else group
        key = names.key(subject.name, kind)
        # A standby face that goes into work is still the same face.
        return subject.is_place, kind, key.core, key.qualifiers

    return pair_items(
        old,
        new,
        exact=(lambda s: (plain(s), system(s), s.type), lambda s: (plain(s), system(s))),
        loose=(lambda s: (read(s), system(s)), plain, read),
    )


def pair_items(
    old: Sequence[_Item],
    new: Sequence[_Item],
    *,
    exact: Sequence[Callable[[_Item], Hashable]],
    loose: Sequence[Callable[[_Item], Hashable]] = (),
) -> Paired[_Item]:
    """Pair items of equal keys, strictest key first.

    Under an `exact` key several of one kind are paired in their order; under a `loose` one only where each side has a
    single one left.
    """
    partner: dict[int, int] = {}  # new → old
    for key, one_only in (*((k, False) for k in exact), *((k, True) for k in loose)):
        taken = set(partner.values())
        waiting: dict[Hashable, list[int]] = defaultdict(list)
        for at, item in enumerate(old):
            if at not in taken:
                waiting[key(item)].append(at)
        open_keys = {at: key(item) for at, item in enumerate(new) if at not in partner}
        counts = Counter(open_keys.values())
        for at, found in open_keys.items():
            others = waiting.get(found, [])
            if others and (not one_only or (counts[found] == 1 and len(others) == 1)):
                partner[at] = others.pop(0)
    taken = set(partner.values())
    return Paired(
        both=tuple((old[partner[at]], new[at]) for at in sorted(partner)),
        gone=tuple(item for at, item in enumerate(old) if at not in taken),
        added=tuple(item for at, item in enumerate(new) if at not in partner),
    )


def _place(place: Place, systems: Mapping[str, str], rows: Sequence[Comparison]) -> Subject:
    required = place.required_m3_min if place.required_m3_min is not None else place.stated_required_m3_min
    return Subject(
        id=place.id,
        name=place.name,
        type=place.type,
        system=None if place.system is None else systems.get(place.system, place.system),
        figures={"required": required, "planned": place.planned_m3_min, "measured": _measured(rows)},
        verdicts=_verdicts(rows),
    )


def _system(system: System, rows: Sequence[Comparison]) -> Subject:
    required = system.required_recomputed if system.required_recomputed is not None else system.required_stated
    return Subject(
        id=system.id,
        name=system.name,
        type=PlaceType.RETURN_SYSTEM,
        system=None,
        figures={"required": required, "planned": system.planned_subtotal_stated, "measured": _measured(rows)},
        verdicts=_verdicts(rows),
    )


def _mine(plan: Plan, rows: Sequence[Comparison]) -> Subject:
    total = plan.mine_total
    required = total.recomputed if total.recomputed is not None else total.stated
    # From the plan, not from a comparison: a review without a report has none of the mine.
    subtotals = [system.planned_subtotal_stated for system in plan.systems]
    known = [value for value in subtotals if value is not None]
    planned = sum(known, Decimal(0)) if known and len(known) == len(subtotals) else None
    return Subject(
        id=MINE.id,
        name=MINE.name,
        type=PlaceType.MINE,
        system=None,
        figures={"required": required, "planned": planned, "measured": _measured(rows)},
        verdicts=_verdicts(rows),
    )


def _fan(rows: Sequence[Comparison]) -> Subject:
    first = rows[0]
    return Subject(
        id=first.subject,
        name=first.subject_name,
        type=first.type,
        system=None,
        figures={"required": first.required, "planned": first.planned, "measured": _measured(rows)},
        verdicts=_verdicts(rows),
    )


def _measured(rows: Sequence[Comparison]) -> Decimal | None:
    ordered = sorted(rows, key=lambda row: row.basis != _MEASURED_REQUIRED)
    return next((row.measured for row in ordered if row.measured is not None), None)


def _verdicts(rows: Sequence[Comparison]) -> dict[str, tuple[Verdict, ...]]:
    bases = dict.fromkeys(row.basis for row in rows)
    return {basis: tuple(row.verdict for row in rows if row.basis == basis) for basis in bases}
