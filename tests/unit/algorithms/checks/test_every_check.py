"""A reviewer's list has 42 checks, and each has a test that bears its number."""

from __future__ import annotations

import re

from tests.unit.algorithms.checks import test_calculation_checks, test_measurement_checks, test_structure_checks

CHECKS = 42


def test_every_check_of_the_list_has_its_test() -> None:
    modules = (test_calculation_checks, test_structure_checks, test_measurement_checks)
    names = [name for module in modules for name in vars(module)]
    numbers = {int(found[1]) for name in names if (found := re.match(r"test_check_(\d\d)_", name))}

    assert numbers == set(range(1, CHECKS + 1))
