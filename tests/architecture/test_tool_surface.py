"""What agents can do is listed, and nothing is marked that is not: T13, T14, T15 of document 001."""

from __future__ import annotations

import importlib.util
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

from agents.profiles import load_profiles
from tools.surface import surface_markdown

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("surface_script", ROOT / "scripts" / "surface.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_t13_the_exposure_list_is_up_to_date_and_holds_every_tool_by_category(script: ModuleType) -> None:
    registry = script.load_registry()
    policies = {name: profile.policy for name, profile in load_profiles().items()}
    written = (ROOT / "docs" / "agent-surface-area.md").read_text(encoding="utf-8")
    registry.close()

    assert written == surface_markdown(registry.descriptors, policies)
    for descriptor in registry.descriptors:
        assert f"`{descriptor.name}`" in written
        assert f"## {descriptor.category}" in written


def test_t14_extensions_may_import_no_module_of_tools_but_the_door() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    (door,) = [one for one in contracts if one["name"] == "extensions see one door of tools"]
    modules = {f"tools.{file.stem}" for file in (ROOT / "tools").glob("*.py") if file.stem != "__init__"}

    # Arithmetic and passages are the demo tools' own; they decide nothing about calls.
    assert modules - {"tools.registry", "tools.arithmetic", "tools.passages", "tools.demo_playbook"} == set(
        door["forbidden_modules"]
    )


def test_t15_every_tool_that_the_source_marks_is_registered_also_in_modules_nobody_imports(
    script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    registry = script.load_registry()
    registry.close()
    assert set(script.marked_tools()) == {descriptor.name for descriptor in registry.descriptors}

    (tmp_path / "extensions" / "lost").mkdir(parents=True)
    (tmp_path / "extensions" / "lost" / "tools.py").write_text(
        "@agent_tool(name='lost_tool', title='t')\ndef lost(ctx): ...\n", encoding="utf-8"
    )
    monkeypatch.setattr(script, "ROOT", tmp_path)
    assert script.marked_tools() == {"lost_tool": "extensions/lost/tools.py:2"}
