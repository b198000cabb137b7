"""Facts about the tree that no tool of `make check` holds."""

from __future__ import annotations

import ast
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

from config import PROJECT_ROOT

PACKAGES = ("agents", "algorithms", "api", "billing", "db", "extensions", "obs", "scheduler", "tools")
LINE_LIMIT = 500


def tracked(*suffixes: str) -> list[Path]:
    """Files git knows or would add, outside fixtures."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=PROJECT_ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    paths = [PROJECT_ROOT / name for name in listed if not name.startswith("tests/fixtures/")]
    return [path for path in paths if path.suffix in suffixes and path.is_file()]


def product_files() -> list[Path]:
    return [p for p in tracked(".py") if p.relative_to(PROJECT_ROOT).parts[0] in (*PACKAGES, "main.py")]


def shown(path: Path) -> str:
    return str(path.relative_to(PROJECT_ROOT))


def test_r_lay_6_no_source_file_is_over_500_lines() -> None:
    long = {
        shown(p): n
        for p in tracked(".py", ".js", ".css", ".html", ".sh")
        if (n := len(p.read_text(encoding="utf-8").splitlines())) > LINE_LIMIT
    }

    assert long == {}


def test_no_module_has_a_name_that_says_nothing() -> None:
    assert [shown(p) for p in tracked(".py") if p.stem in {"utils", "helpers", "common", "misc"}] == []


def test_r_lay_2_the_environment_is_read_in_config_only() -> None:
    pattern = re.compile(r"\bos\.(getenv|environ)\b|\bfrom os import .*\b(getenv|environ)\b")

    assert [shown(p) for p in product_files() if pattern.search(p.read_text(encoding="utf-8"))] == []


def _is_frame_head(text: str | bytes) -> bool:
    plain = text if isinstance(text, str) else text.decode("latin-1")
    return plain.startswith("data: ") or "\ndata: " in plain


def test_r_lay_3_only_sse_events_writes_data_lines() -> None:
    writers = {
        shown(path)
        for path in product_files()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes) and _is_frame_head(node.value)
    }

    assert writers == {"api/sse_events.py"}


def test_r_lay_1_obs_and_config_import_no_layer() -> None:
    for path in [PROJECT_ROOT / "config.py", *(PROJECT_ROOT / "obs").rglob("*.py")]:
        upper = {name for name in imported(path) if name.split(".")[0] in {*PACKAGES, "main"} - {"obs"}}
        assert upper == set(), shown(path)


def imported(path: Path) -> set[str]:
    """Dotted names a file imports, each with what it takes from it."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    taken = (node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom))
    return names | {f"{node.module}.{alias.name}" for node in taken for alias in node.names}


def test_r_lay_1_tools_and_extensions_take_only_the_runs_configuration_from_the_graph() -> None:
    paths = [p for p in product_files() if p.relative_to(PROJECT_ROOT).parts[0] in {"tools", "extensions"}]
    taken = {name for path in paths for name in imported(path) if name.startswith("langgraph")}

    assert taken == {"langgraph.config.get_config"}


def test_nobody_imports_the_composition_root() -> None:
    paths = [p for p in product_files() if p.name != "main.py"]

    assert [shown(p) for p in paths if any(name.split(".")[0] == "main" for name in imported(p))] == []


def test_the_product_knows_no_evaluation() -> None:
    assert [shown(p) for p in product_files() if any(name.split(".")[0] == "evals" for name in imported(p))] == []


def test_algorithms_read_no_settings() -> None:
    paths = [p for p in product_files() if p.relative_to(PROJECT_ROOT).parts[0] == "algorithms"]

    assert [shown(p) for p in paths if any(name.split(".")[0] == "config" for name in imported(p))] == []


def test_r_lay_7_extensions_hold_no_formula_and_no_threshold() -> None:
    numbers = re.compile(r"\b(0\.75|0\.95|1\.05|1\.15|0\.25|133|125|67)\b")
    paths = [p for p in product_files() if p.relative_to(PROJECT_ROOT).parts[:2] == ("extensions", "vent_airflow")]

    assert paths
    assert [shown(p) for p in paths if numbers.search(p.read_text(encoding="utf-8"))] == []


def test_r_pit_18_no_folder_named_workspace_is_part_of_the_repository() -> None:
    assert not (PROJECT_ROOT / "workspace").exists()


@pytest.mark.parametrize(
    "pattern", [r"/wo" + r"rk/", r"/ro" + r"ot/", "py" + r"pi\.org", "python" + "hosted", "npm" + r"js\.org"]
)
def test_no_machine_path_and_no_registry_host_stands_in_the_tree(pattern: str) -> None:
    found = subprocess.run(
        ["git", "grep", "-nIE", pattern, "--", ".", ":!tests/fixtures"],
        cwd=PROJECT_ROOT,
        capture_output=True,
        text=True,
        check=False,
    ).stdout

    assert found == ""


def test_the_development_environment_holds_the_extra_so_that_no_test_of_scans_is_skipped() -> None:
    project = tomllib.loads((PROJECT_ROOT / "pyproject.toml").read_text(encoding="utf-8"))

    assert set(project["project"]["optional-dependencies"]["ocr"]) <= set(project["dependency-groups"]["dev"])


def test_the_runtime_lock_is_without_the_extra() -> None:
    lock = (PROJECT_ROOT / "requirements.lock").read_text(encoding="utf-8")

    assert re.findall(r"^(rapidocr|onnxruntime|opencv\S*)==", lock, re.MULTILINE) == []
