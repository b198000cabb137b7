"""A single digit that changes in a printed result of a plan without a fault does not go unnoticed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache
from typing import Any

import pytest

from algorithms.airflow_review.engine.plan_review import review_plan
from algorithms.airflow_review.evidence import Printed
from algorithms.airflow_review.extract import PlanExtract
from algorithms.airflow_review.rules.library import RuleSet, load_rules
from tests.support import plans

TRIES = 500
LEAST_SHARE = 0.995


@lru_cache(maxsize=1)
def rules() -> RuleSet:
    return load_rules()


def other_digit(text: str, chance: random.Random) -> str:
    """The number with one digit replaced by another; a leading zero would be another kind of slip."""
    spots = [index for index, char in enumerate(text) if char.isdigit()]
    spot = chance.choice(spots)
    taken = {text[spot], "0"} if spot == 0 else {text[spot]}
    return text[:spot] + chance.choice([digit for digit in "0123456789" if digit not in taken]) + text[spot + 1 :]


def changed(value: Printed, chance: random.Random) -> Printed:
    text = other_digit(value.text, chance)
    return replace(value, value=Decimal(text), text=text)


def change_one(plan: PlanExtract, chance: random.Random) -> PlanExtract:
    """One printed result of the plan with another digit: a calculation, a need, a speed, a sum or a total."""
    kind = chance.choice(("calculation", "required", "chapter", "speed", "bound", "system", "total"))
    if kind == "total" and plan.mine_total is not None:
        return replace(plan, mine_total=changed(plan.mine_total, chance))
    if kind == "system":
        field = chance.choice(("subtotal", "required", "planned_subtotal"))
        system = plan.systems[0]
        other: dict[str, Any] = {field: changed(getattr(system, field), chance)}
        return replace(plan, systems=(replace(system, **other),))
    rows = list(plan.places)
    index = chance.choice([i for i, row in enumerate(rows) if kind != "bound" or row.speed_checks])
    row = rows[index]
    if kind == "calculation":
        spot = chance.randrange(len(row.calculations))
        calculations = list(row.calculations)
        text = other_digit(str(calculations[spot].stated), chance)
        calculations[spot] = replace(
            calculations[spot], stated=Decimal(text), parts=(calculations[spot].expression, text)
        )
        row = replace(row, calculations=tuple(calculations))
    elif kind == "bound":
        check = row.speed_checks[0]
        row = replace(
            row, speed_checks=(replace(check, low_m3_min=Decimal(other_digit(str(check.low_m3_min), chance))),)
        )
    elif kind == "speed" and row.table_speed is not None:
        row = replace(row, table_speed=changed(row.table_speed, chance))
    elif kind == "chapter" and row.chapter_required is not None:
        row = replace(row, chapter_required=changed(row.chapter_required, chance))
    elif row.required is not None:
        row = replace(row, required=changed(row.required, chance))
    rows[index] = row
    return replace(plan, places=tuple(rows))


def tries() -> Iterator[PlanExtract]:
    chance = random.Random(20241201)
    sound = plans.sound_plan()
    assert review_plan(sound, rules()).findings == ()
    for _ in range(TRIES):
        yield change_one(sound, chance)


@pytest.mark.slow
def test_a_random_digit_change_in_a_printed_result_is_found() -> None:
    found = sum(bool(review_plan(plan, rules()).findings) for plan in tries())

    assert found >= LEAST_SHARE * TRIES
