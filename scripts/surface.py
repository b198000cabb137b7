"""Writes docs/agent-surface-area.md, the list of all tools with flags and owners.

    python scripts/surface.py            writes it
    python scripts/surface.py --check    exit 1 if it is out of date, or if a module marks a tool that no feature lists

Also says how many tools look up session facts (three of them mean that a fact belongs into `AgentContext`).
"""

from __future__ import annotations

import argparse
import ast
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from agents.profiles import load_profiles  # noqa: E402 - the project is no package on the path
from extensions.loader import load_extensions  # noqa: E402
from obs.metrics import ToolMetrics  # noqa: E402
from tools.context import AgentContext  # noqa: E402
from tools.invocation import Ports  # noqa: E402
from tools.ports import Admission, CallEnd, CallEntry  # noqa: E402
from tools.registry import SessionFacts, ToolRegistry, load_builtin_tools  # noqa: E402
from tools.surface import surface_markdown  # noqa: E402

TARGET = ROOT / "docs" / "agent-surface-area.md"
LOOK_UP = "session_facts"
TRIGGER = 3


class _Nothing:
    """Ports of a registry that is only read."""

    async def facts_of(self, context: AgentContext) -> SessionFacts:
        raise NotImplementedError

    async def admit(self, entry: CallEntry) -> Admission:
        raise NotImplementedError

    async def close(self, end: CallEnd) -> None:
        raise NotImplementedError


def load_registry() -> ToolRegistry:
    """Every tool there is, for reading."""
    registry = ToolRegistry(Ports(ledger=_Nothing(), facts=_Nothing(), metrics=ToolMetrics()), threads=1)
    load_builtin_tools(registry)
    load_extensions(registry)
    registry.check_complete()
    return registry


def marked_tools(roots: tuple[str, ...] = ("tools", "extensions")) -> dict[str, str]:
    """Every tool that the source marks, imported or not: name → file and line."""
    found = {}
    for root in roots:
        for file in sorted((ROOT / root).rglob("*.py")):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    continue
                for mark in node.decorator_list:
                    if isinstance(mark, ast.Call) and getattr(mark.func, "id", "") == "agent_tool":
                        names = [keyword.value for keyword in mark.keywords if keyword.arg == "name"]
                        name = names[0].value if names and isinstance(names[0], ast.Constant) else node.name
                        found[str(name)] = f"{file.relative_to(ROOT)}:{node.lineno}"
    return found


def look_ups() -> list[str]:
    """Tool modules that look up session facts."""
    files = (file for root in ("extensions",) for file in sorted((ROOT / root).rglob("*.py")))
    return [str(file.relative_to(ROOT)) for file in files if f"{LOOK_UP}(" in file.read_text(encoding="utf-8")]


def main() -> int:
    """Write or check."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--check", action="store_true", help="change nothing, exit 1 if something is out of date")
    is_checking = parser.parse_args().check
    registry = load_registry()
    registered = {descriptor.name for descriptor in registry.descriptors}
    unlisted = {name: where for name, where in marked_tools().items() if name not in registered}
    for name, where in unlisted.items():
        sys.stderr.write(f"{where}: tool {name!r} is marked and no feature lists it; list it or remove the mark.\n")
    policies = {name: profile.policy for name, profile in load_profiles().items()}
    text = surface_markdown(registry.descriptors, policies)
    used = look_ups()
    trigger = " — time to put the fact into AgentContext" if len(used) >= TRIGGER else ""
    print(f"{len(registered)} tools; session facts looked up in {len(used)} tool modules{trigger}")
    if not is_checking:
        TARGET.write_text(text, encoding="utf-8")
    elif not TARGET.is_file() or TARGET.read_text(encoding="utf-8") != text:
        sys.stderr.write(f"{TARGET.relative_to(ROOT)} is out of date: run python scripts/surface.py\n")
        return 1
    return 1 if unlisted else 0


if __name__ == "__main__":
    sys.exit(main())
