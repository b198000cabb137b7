"""docs/tools.md: a developer who copies its code has a tool, registered, gated and tested, that passes the checks of the project."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import extensions

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs" / "tools.md"
CODE = dict(re.findall(r"```python\n# (\S+\.py)\n(.*?)```", PAGE.read_text("utf-8"), flags=re.DOTALL))
TEST_FILE = "tests/unit/extensions/test_my_mine.py"


@pytest.fixture
def tests_of_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    for name, code in CODE.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(code, encoding="utf-8")
    monkeypatch.setattr(extensions, "__path__", [*extensions.__path__, str(tmp_path / "extensions")])
    monkeypatch.syspath_prepend(str((tmp_path / TEST_FILE).parent))
    yield importlib.import_module("test_my_mine")
    for name in [name for name in sys.modules if name.startswith(("extensions.my_mine", "test_my_mine"))]:
        del sys.modules[name]
    del extensions.my_mine  # type: ignore[attr-defined]


def test_the_page_has_the_whole_extension_and_its_test() -> None:
    assert set(CODE) == {
        "extensions/my_mine/__init__.py",
        "extensions/my_mine/extension.py",
        "extensions/my_mine/tools.py",
        TEST_FILE,
    }


async def test_the_tests_of_the_page_hold(tests_of_the_page: ModuleType) -> None:
    tests = [value for name, value in vars(tests_of_the_page).items() if name.startswith("test_")]

    assert len(tests) == 2
    for test in tests:
        await test()


@pytest.mark.parametrize("name", CODE)
def test_the_code_of_the_page_passes_the_checks_of_the_project(name: str) -> None:
    # Whether a package has its __init__ is told from the disk, where the page's code is not.
    for command in (["check", "--ignore", "INP001"], ["format", "--check"]):
        done = subprocess.run(
            [sys.executable, "-m", "ruff", *command, "--stdin-filename", name, "-"],
            input=CODE[name],
            cwd=ROOT,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout + done.stderr
