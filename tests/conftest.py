"""Shared fixtures: a real browser, and a clear word where one is missing."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# How fast examples are made says something about the machine, not about the code.
settings.register_profile("any_machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any_machine")

FIXTURES = Path(__file__).parent / "fixtures"


@pytest.fixture(scope="session")
def fixtures_path() -> Path:
    """The folder of documents with known truth."""
    return FIXTURES


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """Path of Debian's chromium; without one the test is skipped, in CI it fails."""
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        message = "no chromium found: install the packages chromium and fonts-noto-cjk to run the browser tests"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    return path
