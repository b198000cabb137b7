"""Which uploaded file is the airflow plan and which the measurement report, judged by name and kind."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

_PLAN_WORDS: Final = ("配风", "计划", "分配", "plan")
_REPORT_WORDS: Final = ("测风", "报表", "旬报", "实测", "测定", "report", "measure")
_PLAN_KINDS: Final = frozenset({".pdf", ".docx", ".txt"})
_REPORT_KINDS: Final = frozenset({".pdf", ".docx", ".xlsx", ".xls", ".csv", ".txt"})
_SHEETS: Final = _REPORT_KINDS - _PLAN_KINDS


@dataclass(frozen=True, slots=True, kw_only=True)
class UploadRoles:
    """The files a review would use; a name alone can mislead, so the other possible plans are kept."""

    plan: str | None
    report: str | None
    other_plans: tuple[str, ...] = ()


def find_roles(files: Iterable[str], *, not_plans: frozenset[str] = frozenset()) -> UploadRoles:
    """Choose the newest file of each role; `files` are oldest first.

    A file whose name says nothing takes the role that is still open, plan first. Files in `not_plans` have been read
    and are no plan.
    """
    usable = [file for file in files if _kind(file) in _PLAN_KINDS | _REPORT_KINDS]
    leaning = {file: _leaning(file) for file in usable}
    plans = [file for file in usable if leaning[file] > 0 and file not in not_plans]
    reports = [file for file in usable if leaning[file] < 0 or file in not_plans]
    unnamed = [file for file in usable if leaning[file] == 0 and file not in not_plans]
    plan = plans[-1] if plans else None
    if plan is None and unnamed:
        plan = unnamed.pop(0)
    report = next((file for file in reversed(reports) if _kind(file) in _REPORT_KINDS), None)
    if report is None and unnamed:
        report = unnamed[-1]
    others = [file for file in usable if file not in not_plans and file != plan and _kind(file) in _PLAN_KINDS]
    return UploadRoles(plan=plan, report=report, other_plans=tuple(others))


def _leaning(file: str) -> int:
    """Above zero for a plan, below for a report."""
    name = PurePosixPath(file).stem.casefold()
    if _kind(file) in _SHEETS:
        return -1
    plan = any(word in name for word in _PLAN_WORDS)
    report = any(word in name for word in _REPORT_WORDS)
    return int(plan) - int(report)


def _kind(file: str) -> str:
    return PurePosixPath(file).suffix.casefold()
