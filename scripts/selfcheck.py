"""Is everything in place? Imports, rules, tables, agents, tools, a writable data folder, a single process.

    python scripts/selfcheck.py

Needs no key, no server and no network; works on a throw-away data folder and leaves yours as it is. Exit 0: all is well; 1: the
checks that failed are named with their reason.
"""

from __future__ import annotations

import asyncio
import importlib
import os
import pkgutil
import sys
import tempfile
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

PACKAGES = ("obs", "algorithms", "db", "tools", "billing", "agents", "extensions", "api")
_STARTED_BY_HAND = ("db.migrations",)  # run by the migration tool, not imported


def check_imports() -> str:
    """Every module of the project can be imported, and importing does nothing but define."""
    names = ["config", "main"]
    for package in PACKAGES:
        names += [m.name for m in pkgutil.walk_packages([str(ROOT / package)], f"{package}.")]
    wanted = [name for name in names if not name.startswith(_STARTED_BY_HAND)]
    for name in wanted:
        importlib.import_module(name)
    return f"{len(wanted)} modules"


def check_rules() -> str:
    """The rule library loads and has no gap, unknown symbol or unreachable variant."""
    from algorithms.airflow_review.rules.library import (
        load_rules,
    )  # after check_imports, so that its failure has a line of its own

    rules = load_rules()
    return f"rule library {rules.source.edition}"


async def check_server() -> str:
    """Tables, checkpoints, agents and tools come up on an empty data folder."""
    from config import Configuration, get_configuration
    from main import open_services

    configuration = get_configuration()
    with tempfile.TemporaryDirectory(prefix="selfcheck-") as folder:
        settings = configuration.settings.model_copy(update={"data_dir": Path(folder), "log_level": "ERROR"})
        async with AsyncExitStack() as stack:
            services = await open_services(
                Configuration(settings=settings, priority=configuration.priority, conflicts=()), stack
            )
            for check in services.readiness.values():
                await check()
            agents = ", ".join(f"{name} ({len(profile.tools)} tools)" for name, profile in services.profiles.items())
            nested = nested_input_sentence(services.registry.input_report())
            return f"agents {agents}; {len(services.registry.descriptors)} tools; {nested}; model {settings.model_mode}"


def nested_input_sentence(report: Mapping[str, object]) -> str:
    """Whether the trigger of document 001 (Q1.2) is met; the errors of a running server stand at `/api/tools`."""
    met = "met, so they are declared as JSON Schema" if report["is_triggered"] else "not met"
    return f"nested input in {report['tools_with_nested_input']} tools (trigger {met})"


def check_data_folder() -> str:
    """The configured data folder can be written."""
    from config import get_settings

    data = get_settings().data_path
    data.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=data, prefix=".selfcheck-"):
        return str(data)


def check_single_process() -> str:
    """One worker is configured."""
    from config import get_settings

    workers = get_settings().web_concurrency
    if workers > 1:
        raise ValueError(f"WEB_CONCURRENCY={workers}: this version runs as one process, set it to 1")
    return f"process {os.getpid()}, one worker"


CHECKS: tuple[tuple[str, Callable[[], str | Awaitable[str]]], ...] = (
    ("imports", check_imports),
    ("rules", check_rules),
    ("tables, agents, tools", check_server),
    ("data folder", check_data_folder),
    ("single process", check_single_process),
)


def run_check(check: Callable[[], str | Awaitable[str]]) -> str:
    """Run one check to its end, whichever kind it is."""
    result = check()
    if isinstance(result, str):
        return result

    async def wait() -> str:
        return await result

    return asyncio.run(wait())


def main() -> int:
    """Run every check and print a line for each."""
    failed = 0
    for name, check in CHECKS:
        try:
            print(f"ok    {name}: {run_check(check)}")
        except Exception as error:  # noqa: BLE001 - whatever a check meets is its result
            failed += 1
            print(f"FAIL  {name}: {type(error).__name__}: {error}")
    print("all is well" if not failed else f"{failed} of {len(CHECKS)} checks failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
