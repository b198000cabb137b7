"""The tool that hands a report over: an issue of its own under the review's digest, which nobody changes afterwards."""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import Field

from algorithms.airflow_review.model import Review, Severity
from algorithms.airflow_review.render.json_text import review_from_mapping, review_to_json_text
from algorithms.airflow_review.render.report_files import safe_filename, write_review, write_whole
from algorithms.airflow_review.render.sections.conclusion import verdict_sentence
from algorithms.airflow_review.render.words import Lang, load_words
from extensions.vent_airflow.overlay import session_settled
from extensions.vent_airflow.tool_support import OUTPUTS, _readable_errors
from extensions.vent_airflow.tools import CATEGORY, QUICK_TIMEOUT_S, _input_source, _parsed
from extensions.vent_airflow.workspace_paths import session_workspace, to_virtual
from tools.registry import AgentContext, ToolError, ToolPayload, agent_tool, sourced

PUBLISHED: Final = f"{OUTPUTS}/published"
_NOTE: Final = "published.json"
_SHOWN_CHECKS: Final = 10
_READ_ONLY: Final = 0o444


def _evidence(data: Mapping[str, Any]) -> str | None:
    return str(data["review_sha256"])


@agent_tool(
    name="airflow_report_publish",
    title="发布研判报告",
    description="""
    把研判报告作为发布稿交付：在 /workspace/outputs/airflow/published/ 下生成一份不再改动的报告，附研判结果的摘要值、发布人和时间。
    只在用户明确要求发布时调用，须经人批准，发布后不能撤回。
    review_path、review_sha256 取 airflow_report_write（或 airflow_measure_compare）返回的同名字段；研判结果变了须重新研判、重新批准。
    name 为发布稿名称，例如“示例矿2025年4月风量研判”；lang 为 zh 或 en。
    open_checks 为仍待人工复核的问题数：发布前把这些问题逐条告诉用户，与实际数目不符时拒绝。
    """,
    category=CATEGORY,
    timeout_s=QUICK_TIMEOUT_S,
    write_action=True,
    destructive=True,
    effects=("report.published",),
    evidence=_evidence,
    idempotent=True,
)
@_readable_errors
def airflow_report_publish(
    review_path: Annotated[str, Field(min_length=1, max_length=500)],
    review_sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")],
    name: Annotated[str, Field(min_length=1, max_length=80)],
    ctx: AgentContext,
    open_checks: Annotated[int, Field(ge=0)] = 0,
    lang: Lang = "zh",
) -> ToolPayload:
    """Publish the review that was approved, or say why it is not that one any more."""
    review = _parsed("review", review_path, review_from_mapping)
    _require_approved(review, review_sha256)
    _require_stated(review, open_checks)
    folder = session_workspace() / PUBLISHED / f"{safe_filename(name)}-{lang}-{review_sha256[:16]}"
    is_new = not folder.exists() and _issue(review, folder, lang, _about(review, review_sha256, name, ctx))
    note = _checked_note(folder)
    return sourced(
        {
            "summary": verdict_sentence(review, load_words(lang)),
            "is_new": is_new,
            "folder": to_virtual(folder),
            **note,
            "files": [
                {"name": file, "path": to_virtual(folder / file), "sha256": digest}
                for file, digest in note["files"].items()
            ],
        },
        [_input_source(item) for item in review.inputs],
    )


def _require_approved(review: Review, approved_sha256: str) -> None:
    if hashlib.sha256(review_to_json_text(review).encode()).hexdigest() != approved_sha256:
        raise ToolError(
            "没有发布：研判结果与批准的不是同一份（摘要值不符）",
            hint="请重新写出报告，用返回的 review_path 和 review_sha256 重新提交批准。",
            code="review_changed",
        )
    if set(session_settled(review.inputs)) != set(review.settled):
        raise ToolError(
            "没有发布：这次研判之后又有人工核定，研判结果已经过时",
            hint="请重新比较风量、写出报告，再提交发布。",
            code="review_outdated",
        )


def _require_stated(review: Review, stated: int) -> None:
    checks = [finding for finding in review.findings if finding.severity is Severity.MANUAL]
    if len(checks) != stated:
        listed = "；".join(
            f"{finding.id} {finding.subject_name}：{finding.message}" for finding in checks[:_SHOWN_CHECKS]
        )
        raise ToolError(
            f"没有发布：仍有 {len(checks)} 项待人工复核，而提交的 open_checks 为 {stated}",
            hint=f"请把待复核的问题告诉用户，用户同意带着它们发布时改正 open_checks。{listed}",
            code="open_checks",
        )


def _about(review: Review, review_sha256: str, name: str, ctx: AgentContext) -> dict[str, Any]:
    checks = [finding.id for finding in review.findings if finding.severity is Severity.MANUAL]
    return {
        "name": name,
        "review_sha256": review_sha256,
        "verdict": review.summary.verdict,
        "open_checks": checks,
        "published_by": ctx.user_id,
        "published_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "run_id": ctx.turn_id,
    }


def _issue(review: Review, folder: Path, lang: Lang, about: Mapping[str, Any]) -> bool:
    """Write the issue beside its place and move it there whole; False if another call was faster."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    scratch = Path(tempfile.mkdtemp(prefix=".publishing-", dir=folder.parent))
    try:
        files = write_review(review, scratch, lang)
        note = {**about, "files": {file.name: _sha256(file) for file in files}}
        write_whole(scratch / _NOTE, json.dumps(note, ensure_ascii=False, indent=1).encode())
        for file in scratch.iterdir():
            file.chmod(_READ_ONLY)
        scratch.chmod(0o755)
        scratch.rename(folder)
    except OSError:
        if folder.is_dir():
            return False
        raise
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return True


def _checked_note(folder: Path) -> dict[str, Any]:
    """What stands in the issue about itself; an issue that was changed on disk is not passed on as the published one."""
    note: dict[str, Any] = {}
    try:
        note = json.loads((folder / _NOTE).read_text(encoding="utf-8"))
        changed = [name for name, digest in note["files"].items() if _sha256(folder / name) != digest]
    except (OSError, ValueError, KeyError, AttributeError):
        changed = [_NOTE]
    if changed:
        raise ToolError(
            f"发布稿 {folder.name} 已被改动：{'、'.join(changed)}",
            hint="不要使用这份发布稿；请用户换一个名称重新发布，并把情况告诉管理员。",
            code="published_changed",
        )
    return note


def _sha256(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()
