"""The scorer of the fixtures over cases that were written just now."""

from __future__ import annotations

import importlib.util
import io
import json
from contextlib import redirect_stdout
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


def _module(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _review(command: ModuleType, folder: Path, row: dict[str, Any]) -> dict[str, Any]:
    target = folder / f"{row['id']}.json"
    with redirect_stdout(io.StringIO()):
        code = command.main([str(folder / row["plan"]), str(folder / row["report"]), "--json", str(target)])
    assert code == 0, row["id"]
    out: dict[str, Any] = json.loads(target.read_text(encoding="utf-8"))
    return out


def scored(folder: Path, rows: list[dict[str, Any]]) -> tuple[Any, list[str]]:
    """Review every case of a folder; the figures and, line by line, what was missed or falsely found."""
    score = _module(ROOT / "tests/fixtures/airflow/score.py")
    command = _module(ROOT / "scripts/airflow_review.py")
    figures = score.Score()
    lines: list[str] = []
    for row in rows:
        out = _review(command, folder, row)

        def log(*words: object, case: str = row["id"]) -> None:
            lines.append(" ".join(map(str, (case, *words))))

        ids = score.names_of(out)
        score.compare_plan(row["truth"]["plan"], out, ids, row["plan"], figures, log)
        score.compare_report(row["truth"]["report"], out, figures, log)
        score.compare_findings(row, out, ids, figures, log)
        score.compare_verdicts(row, out, ids, figures, log)
    return figures, lines
