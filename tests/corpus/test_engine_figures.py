"""The engine's figures over documents of another author; the goals are those of the contract (airflow-contract.md §5)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.corpus.case import make_case, write_case
from tests.support.corpus.write_browser import open_browser
from tests.support.scoring import scored

BROWSERLESS = [(101, number) for number in range(1, 11)]
BROWSER = [(202, number) for number in range(1, 5)]
GOALS = {
    "objects": 99.5,
    "cells": 99.8,
    "calculations": 99.0,
    "readings": 100.0,
    "faults": 95.0,
    "findings": 98.0,
    "evidence": 100.0,
    "verdicts": 100.0,
}


@pytest.fixture(scope="module")
def browserless(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, list[str]]:
    folder = tmp_path_factory.mktemp("drawn")
    rows = []
    for seed, number in BROWSERLESS:
        row = write_case(make_case(seed, number, browserless=True), folder, None)
        rows.append(row)
    return scored(folder, rows)


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, list[str]]:
    folder = tmp_path_factory.mktemp("printed")
    with open_browser() as browser:
        rows = [write_case(make_case(seed, number), folder, browser) for seed, number in BROWSER]
    return scored(folder, rows)


def _held(figures: Any, lines: list[str], key: str) -> None:
    percent = figures.pct(key)
    assert percent is None or percent >= GOALS[key], "\n".join([f"{key} {percent} %", *lines[:60]])


@pytest.mark.parametrize("key", GOALS)
def test_the_goal_of_the_contract_holds_over_unseen_documents(browserless: tuple[Any, list[str]], key: str) -> None:
    _held(*browserless, key)


def test_no_clean_unseen_document_gets_a_finding_above_a_note(browserless: tuple[Any, list[str]]) -> None:
    figures, lines = browserless

    assert figures.false_clean == [], "\n".join(lines[:60])


@pytest.mark.browser
@pytest.mark.parametrize("key", GOALS)
def test_the_goal_holds_over_documents_a_browser_printed(printed: tuple[Any, list[str]], key: str) -> None:
    _held(*printed, key)
