"""Which uploaded file is the airflow plan and which the measurement report, judged by name and kind."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from extensions.vent_airflow.monitoring import is_monitoring_file

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
    usable = [f for f in files if _kind(f) in _PLAN_KINDS | _REPORT_KINDS and not is_monitoring_file(f)]
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


def choose_roles(
    files: Sequence[str], new_files: Sequence[str], *, not_plans: frozenset[str] = frozenset()
) -> UploadRoles:
    """The same for a message of a longer session: what came with it goes before what was there.

    A new file that turned out to be no plan is never replaced by an older plan: the review would be of another document
    than the one the user has just sent.
    """
    fresh = find_roles(new_files, not_plans=not_plans)
    older = find_roles([file for file in files if file not in new_files], not_plans=not_plans)
    if fresh.plan is None and not_plans.isdisjoint(new_files):
        return UploadRoles(plan=older.plan, report=fresh.report or older.report, other_plans=older.other_plans)
    is_missing_report = older.plan is not None and older.report is None and fresh.report is None
    if is_missing_report and fresh.plan is not None and _leaning(fresh.plan) == 0:
        return UploadRoles(plan=older.plan, report=fresh.plan, other_plans=(fresh.plan,))
    return UploadRoles(plan=fresh.plan, report=fresh.report or older.report, other_plans=fresh.other_plans)


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
