"""The embedded model's way through an airflow review: from the uploaded files to the report, then simple questions."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from extensions.vent_airflow import playbook_texts as texts
from extensions.vent_airflow.upload_roles import UploadRoles, choose_roles
from tools.registry import PlaybookResult, PlaybookStep, PlaybookView

PREPROCESS: Final = "airflow_plan_preprocess"
VALIDATE: Final = "airflow_plan_validate"
PARSE: Final = "airflow_report_parse"
VERIFY: Final = "airflow_plan_verify"
COMPARE: Final = "airflow_measure_compare"
WRITE: Final = "airflow_report_write"
PUBLISH: Final = "airflow_report_publish"

_REVIEW: Final = re.compile(
    r"研判|审查|审核|审一|复核|复算|核对|比对|对比|检查|分析|评审|review|check|audit", re.IGNORECASE
)
_AGAIN: Final = re.compile(r"重新|再(次|来|审|研|算|做|跑)|again|re-?run", re.IGNORECASE)
_SHORT: Final = re.compile(r"不足|缺风|不够|短缺|低于|满足|达标|shortage|short of air", re.IGNORECASE)
_DOUBT: Final = re.compile(r"人工|存疑|疑问|未判定|不确定|问题|错误|警告|doubt|finding", re.IGNORECASE)
_FILES: Final = re.compile(r"报告|下载|文件|导出|report file|download", re.IGNORECASE)
_PUBLISH: Final = re.compile(r"发布|publish", re.IGNORECASE)
_RESULT: Final = re.compile(r"结论|结果|总体|怎么样|verdict|conclusion", re.IGNORECASE)
_LATIN_ONLY: Final = re.compile(r"[^\u4e00-\u9fff]*[A-Za-z]{3}[^\u4e00-\u9fff]*")


@dataclass(frozen=True, slots=True)
class _Step:
    tool: str
    title: str
    told: Callable[[texts.Payload], str]


_STEPS: Final = (
    _Step(PREPROCESS, "解析配风计划", texts.told_preprocess),
    _Step(VALIDATE, "校验提取结果", texts.told_validate),
    _Step(PARSE, "解析测风报表", texts.told_report),
    _Step(VERIFY, "复算需风量", texts.told_verify),
    _Step(COMPARE, "比较风量", texts.told_compare),
    _Step(WRITE, "写出报告", lambda _: ""),
)
_TOOLS: Final = frozenset(step.tool for step in _STEPS)


class AirflowPlaybook:
    """Asks for missing files, calls the six tools in order, says what they found; stops at the first failure."""

    @property
    def name(self) -> str:
        """Short name, for logs."""
        return "airflow"

    def next_step(self, view: PlaybookView) -> PlaybookStep | None:
        """The next step of a review, an answer from an earlier one, or None for other business."""
        if not view.tools >= _TOOLS:
            return None
        if any(result.name in _TOOLS for result in view.results):
            return _go_on(view)
        if (step := _publish(view)) is not None:
            return step
        if (answer := _answer(view)) is not None:
            return PlaybookStep(text=answer)
        return _begin(view) if _wants_review(view) else None


def _publish(view: PlaybookView) -> PlaybookStep | None:
    """Hand over the report written last, once; whether that may happen a person decides."""
    written = [result for result in view.earlier if result.name == WRITE and result.status == "ok"]
    if PUBLISH not in view.tools or not written or view.new_files or not _PUBLISH.search(view.user_text):
        return None
    if (done := next((result for result in view.results if result.name == PUBLISH), None)) is not None:
        return PlaybookStep(text=texts.published(done.payload))
    report = written[-1].payload["data"]
    args = {key: report[key] for key in ("review_path", "review_sha256", "open_checks")}
    return PlaybookStep(
        text=texts.ask_to_publish(report),
        tool=PUBLISH,
        args={**args, "name": report["name"], "lang": written[-1].args.get("lang", "zh")},
    )


def _wants_review(view: PlaybookView) -> bool:
    return bool(view.new_files) or any(pattern.search(view.user_text) for pattern in (_REVIEW, _SHORT))


def _begin(view: PlaybookView) -> PlaybookStep:
    roles = choose_roles(view.files, view.new_files)
    if roles.plan is None:
        return PlaybookStep(text=texts.ask_for_plan(roles.report) if roles.report else texts.ASK_BOTH)
    return PlaybookStep(text=texts.opening(roles.plan, roles.report), tool=PREPROCESS, args={"plan_path": roles.plan})


def _go_on(view: PlaybookView) -> PlaybookStep:
    done = [result for result in view.results if result.name in _TOOLS]
    last = done[-1]
    step = next(step for step in _STEPS if step.tool == last.name)
    not_plans = frozenset(str(r.args.get("plan_path")) for r in done if r.payload.get("code") == "not_a_plan")
    roles = choose_roles(view.files, view.new_files, not_plans=not_plans)
    if last.status != "ok":
        return _after_failure(step, last, roles, not_plans)
    found = {result.name: result.payload["data"] for result in done if result.status == "ok"}
    plan_path = next(str(r.args["plan_path"]) for r in done if r.name == PREPROCESS and r.status == "ok")
    report = roles.report if roles.report != plan_path else None
    if last.name == WRITE:
        return PlaybookStep(text=texts.closing(found[COMPARE], found[WRITE]))
    tool, args = _next_call(last.name, found, plan_path=plan_path, report=report, user_text=view.user_text)
    return PlaybookStep(text=step.told(last.payload["data"]), tool=tool, args=args)


def _next_call(
    last: str, found: dict[str, Any], *, plan_path: str, report: str | None, user_text: str
) -> tuple[str, dict[str, Any]]:
    if last == PREPROCESS:
        return VALIDATE, {"extraction": found[PREPROCESS]["template_path"], "plan_path": plan_path}
    if last == VALIDATE and report is not None:
        return PARSE, {"report_path": report}
    plan = found[VALIDATE]["extract_path"]
    if last in {VALIDATE, PARSE}:
        return VERIFY, {"plan": plan}
    if last == VERIFY:
        return COMPARE, {"plan": plan, "report": found[PARSE]["extract_path"] if PARSE in found else ""}
    lang = "en" if _LATIN_ONLY.fullmatch(user_text) else "zh"
    return WRITE, {"review": found[COMPARE]["review_path"], "lang": lang}


def _after_failure(step: _Step, last: PlaybookResult, roles: UploadRoles, not_plans: frozenset[str]) -> PlaybookStep:
    """A file that is no plan may be the report under a misleading name: the next file is tried once, nothing else is."""
    text = texts.failed(step.title, last.payload)
    untried = [file for file in (roles.plan, *roles.other_plans) if file is not None and file not in not_plans]
    if last.payload.get("code") == "not_a_plan" and untried:
        return PlaybookStep(
            text=f"{text}\n\n改用另一份文件作为配风计划。\n\n", tool=PREPROCESS, args={"plan_path": untried[0]}
        )
    return PlaybookStep(text=text)


def _answer(view: PlaybookView) -> str | None:
    """The answer to a question about the last review of this session."""
    earlier = {result.name: result.payload["data"] for result in view.earlier if result.status == "ok"}
    if COMPARE not in earlier or view.new_files or _AGAIN.search(view.user_text):
        return None
    review = earlier[COMPARE]
    for name in texts.known_names(review):
        if name in view.user_text:
            return texts.answer_place(review, name)
    answers: tuple[tuple[re.Pattern[str], Callable[[], str]], ...] = (
        (_SHORT, lambda: texts.answer_shortages(review)),
        (_DOUBT, lambda: texts.answer_doubts(review)),
        (_RESULT, lambda: texts.conclusion(review)),
        (_FILES, lambda: texts.files(earlier[WRITE]) if WRITE in earlier else texts.conclusion(review)),
    )
    return next((answer() for pattern, answer in answers if pattern.search(view.user_text)), None)
