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
    catalogue = script.load_catalogue()
    policies = {name: profile.policy.tools for name, profile in load_profiles().items()}
    written = (ROOT / "docs" / "agent-surface-area.md").read_text(encoding="utf-8")

    assert written == surface_markdown(catalogue.descriptors, policies)
    for descriptor in catalogue.descriptors:
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
    catalogue = script.load_catalogue()
    assert set(script.marked_tools()) == {descriptor.name for descriptor in catalogue.descriptors}

    (tmp_path / "extensions" / "lost").mkdir(parents=True)
    (tmp_path / "extensions" / "lost" / "tools.py").write_text(
        "@agent_tool(name='lost_tool', title='t')\ndef lost(ctx): ...\n", encoding="utf-8"
    )
    monkeypatch.setattr(script, "ROOT", tmp_path)
    assert script.marked_tools() == {"lost_tool": "extensions/lost/tools.py:2"}


@pytest.mark.parametrize(("tools", "is_triggered"), [(2, False), (3, True)])
def test_r_reg_3_look_ups_of_session_facts_in_tools_are_counted_and_the_third_is_reported(
    script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tools: int, is_triggered: bool
) -> None:
    (tmp_path / "extensions").mkdir()
    for number in range(tools):
        (tmp_path / "extensions" / f"tool_{number}.py").write_text(
            f"@agent_tool(name='some_tool{number}')\ndef tool(ctx):\n    return session_facts(ctx).locale\n", "utf-8"
        )
    (tmp_path / "extensions" / "helper.py").write_text("def helper(ctx):\n    return other(ctx)\n", encoding="utf-8")
    monkeypatch.setattr(script, "ROOT", tmp_path)

    used = script.look_ups()

    assert used[0] == "some_tool0 (extensions/tool_0.py:3)"
    assert len(used) == tools
    assert ("AgentContext" in script.look_up_sentence(used)) == is_triggered
    assert f"{tools} look-ups" in script.look_up_sentence(used)
