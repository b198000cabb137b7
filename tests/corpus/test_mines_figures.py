"""The engine's figures over clean mines of another author, two seeds: the goals of the contract, nothing above a note."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.corpus.write_browser import open_browser
from tests.support.mines.truth import write_case
from tests.support.scoring import scored

DRAWN = [(11, number) for number in range(1, 9)]
PRINTED = [(12, number) for number in range(1, 5)]
GOALS = {
    "objects": 99.5,
    "types": 99.5,
    "cells": 99.8,
    "calculations": 99.0,
    "readings": 100.0,
    "findings": 98.0,
    "evidence": 100.0,
    "verdicts": 100.0,
}


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, list[str]]:
    folder = tmp_path_factory.mktemp("mines_drawn")
    return scored(folder, [write_case(folder, None, seed, number) for seed, number in DRAWN])


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, list[str]]:
    folder = tmp_path_factory.mktemp("mines_printed")
    with open_browser() as browser:
        rows = [write_case(folder, browser, seed, number) for seed, number in PRINTED]
    return scored(folder, rows)


def _held(figures: Any, lines: list[str], key: str) -> None:
    percent = figures.pct(key)
    assert percent is None or percent >= GOALS[key], "\n".join([f"{key} {percent} %", *lines[:60]])


@pytest.mark.parametrize("key", GOALS)
def test_the_goal_of_the_contract_holds_over_mines_of_eight_coal_fields(drawn: tuple[Any, list[str]], key: str) -> None:
    _held(*drawn, key)


def test_no_clean_mine_gets_a_finding_above_a_note(drawn: tuple[Any, list[str]]) -> None:
    figures, lines = drawn

    assert figures.false_clean == [], "\n".join(lines[:60])


@pytest.mark.browser
@pytest.mark.parametrize("key", GOALS)
def test_the_goal_holds_over_mines_a_browser_printed(printed: tuple[Any, list[str]], key: str) -> None:
    _held(*printed, key)


@pytest.mark.browser
def test_no_printed_clean_mine_gets_a_finding_above_a_note(printed: tuple[Any, list[str]]) -> None:
    figures, lines = printed

    assert figures.false_clean == [], "\n".join(lines[:60])
