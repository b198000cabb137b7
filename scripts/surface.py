"""Writes docs/agent-surface-area.md, the list of all tools with flags and owners.

    python scripts/surface.py            writes it
    python scripts/surface.py --check    exit 1 if it is out of date, or if a module marks a tool that no feature lists

Also says how often tools look up session facts (from three times on a fact belongs into `AgentContext`).
"""

from __future__ import annotations

import argparse
import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from agents.profiles import load_profiles  # noqa: E402 - the project is no package on the path
from extensions.loader import load_extensions  # noqa: E402
from tools.registry import ToolCatalogue, load_builtin_tools  # noqa: E402
from tools.surface import surface_markdown  # noqa: E402

TARGET = ROOT / "docs" / "agent-surface-area.md"
LOOK_UP = "session_facts"
TRIGGER = 3


def load_catalogue() -> ToolCatalogue:
    """Every tool there is, as data."""
    catalogue = ToolCatalogue()
    load_builtin_tools(catalogue)
    load_extensions(catalogue)
    catalogue.check_complete()
    return catalogue


def marked_tools(roots: tuple[str, ...] = ("tools", "extensions")) -> dict[str, str]:
    """Every tool that the source marks, imported or not: name → file and line."""
    return {name: f"{file.relative_to(ROOT)}:{node.lineno}" for file, node, name in _marked(roots)}


def _marked(roots: tuple[str, ...]) -> Iterator[tuple[Path, ast.FunctionDef | ast.AsyncFunctionDef, str]]:
    for file in (file for root in roots for file in sorted((ROOT / root).rglob("*.py"))):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                continue
            for mark in node.decorator_list:
                if isinstance(mark, ast.Call) and getattr(mark.func, "id", "") == "agent_tool":
                    names = [keyword.value for keyword in mark.keywords if keyword.arg == "name"]
                    name = names[0].value if names and isinstance(names[0], ast.Constant) else node.name
                    yield file, node, str(name)


def look_ups(roots: tuple[str, ...] = ("tools", "extensions")) -> list[str]:
    """Where tools look up session facts: the name of each tool, with file and line, once for each call in its code."""
    return [
        f"{name} ({file.relative_to(ROOT)}:{call.lineno})"
        for file, node, name in _marked(roots)
        for call in ast.walk(node)
        if isinstance(call, ast.Call) and getattr(call.func, "id", getattr(call.func, "attr", "")) == LOOK_UP
    ]


def look_up_sentence(used: list[str]) -> str:
    """How many look-ups there are; from three on a fact belongs into `AgentContext` (document 001, Q1.3)."""
    names = f": {', '.join(used)}" if used else ""
    trigger = " — time to put the fact into AgentContext" if len(used) >= TRIGGER else ""
    return f"{len(used)} look-ups of session facts in tools{names}{trigger}"


def main() -> int:
    """Write or check."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--check", action="store_true", help="change nothing, exit 1 if something is out of date")
    is_checking = parser.parse_args().check
    catalogue = load_catalogue()
    registered = {descriptor.name for descriptor in catalogue.descriptors}
    unlisted = {name: where for name, where in marked_tools().items() if name not in registered}
    for name, where in unlisted.items():
        sys.stderr.write(f"{where}: tool {name!r} is marked and no feature lists it; list it or remove the mark.\n")
    policies = {name: profile.policy.tools for name, profile in load_profiles().items()}
    text = surface_markdown(catalogue.descriptors, policies)
    print(f"{len(registered)} tools; {look_up_sentence(look_ups())}")
    if not is_checking:
        TARGET.write_text(text, encoding="utf-8")
    elif not TARGET.is_file() or TARGET.read_text(encoding="utf-8") != text:
        sys.stderr.write(f"{TARGET.relative_to(ROOT)} is out of date: run python scripts/surface.py\n")
        return 1
    return 1 if unlisted else 0


if __name__ == "__main__":
    sys.exit(main())
