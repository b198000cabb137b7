"""Mistakes of the plan in sums, coefficients of systems and fans."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from tests.support.corpus.figures import fixed, plain
from tests.support.corpus.model import Finding, System
from tests.support.corpus.seeding import Ground

Sower = Callable[[Ground], list[Finding] | None]


def _total_again(ground: Ground) -> None:
    ground.mine.total = plain(sum((Fraction(s.required) for s in ground.mine.systems), Fraction(0)))


def _afterwards(system: System, ground: Ground, cause: str) -> list[Finding]:
    kinds = ("total_mismatch", "subtotal_mismatch", "conflicting_values", "coefficient_inconsistent", "arithmetic_mismatch", "fan_capacity", "measured_shortage", "measured_serious", "coefficient_out_of_bracket")  # fmt: skip
    return [
        Finding(kind=kind, subject=subject, note=f"consequence of {cause}", optional=True)
        for kind in kinds
        for subject in (system.name, "矿井")
    ]


def _subtotal(ground: Ground) -> list[Finding] | None:
    system = ground.rng.choice(ground.mine.systems)
    system.subtotal = str(int(system.subtotal) + ground.rng.choice((-40, 27, 63, 110)))
    system.required = plain(Fraction(system.subtotal) * Fraction(system.coefficient))
    _total_again(ground)
    found = Finding(
        kind="subtotal_mismatch",
        subject=system.name,
        note="the printed subtotal is not the sum of the rows",
        proof=system.subtotal,
    )
    return [found, *_afterwards(system, ground, "subtotal_mismatch")]


def _total_system(ground: Ground) -> list[Finding] | None:
    system = ground.rng.choice(ground.mine.systems)
    system.required = plain(Fraction(system.required) + ground.rng.choice((90, 100, -150, 270)))
    _total_again(ground)
    found = Finding(
        kind="total_mismatch", subject=system.name, note="subtotal × coefficient is not the printed requirement",
        other_kinds=["arithmetic_mismatch"], proof=system.required,
    )  # fmt: skip
    return [found, *_afterwards(system, ground, "total_mismatch")]


def _total_mine(ground: Ground) -> list[Finding] | None:
    mine = ground.mine
    if len(mine.systems) < 2:
        return None
    mine.total = plain(Fraction(mine.total) + ground.rng.choice((200, -180, 99, 900)))
    mine.total_open = True
    found = Finding(
        kind="total_mismatch", subject="矿井", note="the printed need of the mine is not the sum of the systems",
        any_subject=[mine.name, "矿井总需风量", "合计"], other_kinds=["arithmetic_mismatch"], proof=mine.total,
    )  # fmt: skip
    return [
        found,
        Finding(kind="conflicting_values", subject="矿井", note="consequence of total_mismatch", optional=True),
    ]


def _reserve_text(ground: Ground) -> list[Finding] | None:
    mine = ground.mine
    mine.reserve_in_text = "1.15" if Fraction(mine.reserve) != Fraction(115, 100) else "1.2"
    words = ["备用系数", "K通", "通风系数", mine.name, *(s.name for s in mine.systems)]
    return [
        Finding(
            kind="coefficient_inconsistent", subject="矿井", note=f"{mine.reserve_in_text} in the text, {mine.reserve} in the tables",
            any_subject=words, other_kinds=["conflicting_values"], proof=f"取{mine.reserve_in_text}",
        ),
        *[f for s in mine.systems for f in _afterwards(s, ground, "coefficient_inconsistent")],
    ]  # fmt: skip


def _reserve_one(ground: Ground) -> list[Finding] | None:
    mine = ground.mine
    if len(mine.systems) < 2:
        return None
    system = ground.rng.choice(mine.systems)
    system.coefficient = ground.rng.choice(("1.1", "1.05", "1.0"))
    system.required = plain(Fraction(system.subtotal) * Fraction(system.coefficient))
    _total_again(ground)
    return [
        Finding(
            kind="coefficient_inconsistent", subject=system.name, note=f"{system.coefficient} for this system, {mine.reserve} for the others",
            any_subject=["备用系数", "K通", "矿井", mine.name, *(s.name for s in mine.systems)], proof=system.required,
            other_kinds=["conflicting_values"],
        ),
        *_afterwards(system, ground, "coefficient_inconsistent"),
    ]  # fmt: skip


def _reserve_twice(ground: Ground) -> list[Finding] | None:
    mine = ground.mine
    if len(mine.systems) < 2:
        return None
    mine.total = fixed(Fraction(mine.total) * Fraction(mine.reserve), 4).rstrip("0").rstrip(".")
    mine.total_open = True
    return [
        Finding(
            kind="coefficient_inconsistent", subject="矿井", note="the reserve is applied to the systems and again to their sum",
            any_subject=[mine.name, "备用系数", "矿井总需风量", "合计"], other_kinds=["total_mismatch", "arithmetic_mismatch"], proof=mine.total,
        ),
        Finding(kind="conflicting_values", subject="矿井", note="consequence of coefficient_inconsistent", optional=True),
    ]  # fmt: skip


def _fan_small(ground: Ground) -> list[Finding] | None:
    system = ground.rng.choice(ground.mine.systems)
    system.fan_limit_m3_min = int(Fraction(system.required) * ground.rng.randrange(86, 97) / 100)
    return [
        Finding(
            kind="fan_capacity", subject=system.name, note="the system needs more than its fan can give", severity_min="error",
            any_subject=[system.fan, "主要通风机", "矿井", ground.mine.name], proof=str(system.fan_limit_m3_min),
        )
    ]  # fmt: skip


SUM_MISTAKES: dict[str, Sower] = {
    "subtotal": _subtotal,
    "total_system": _total_system,
    "total_mine": _total_mine,
    "reserve_text": _reserve_text,
    "reserve_one": _reserve_one,
    "reserve_twice": _reserve_twice,
    "fan_small": _fan_small,
}
