"""Six tools of the airflow review, from upload to report: each reads, lets `algorithms` work, saves the whole, tells the digest."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any, Final, TypeVar

from algorithms.airflow_review.documents.document import Document
from algorithms.airflow_review.documents.reader import read_document
from algorithms.airflow_review.documents.scan.reader import read_recognizing
from algorithms.airflow_review.model import InputFile, Review, Severity
from algorithms.airflow_review.pipeline import review_extracts
from algorithms.airflow_review.reading.plan import read_plan
from algorithms.airflow_review.reading.report import read_report
from algorithms.airflow_review.reading.template import extraction_template
from algorithms.airflow_review.reading.validate import validate_plan_extraction
from algorithms.airflow_review.render.digest import (
    citations,
    first_rows,
    plan_digest,
    report_digest,
    review_digest,
    rule_citations,
)
from algorithms.airflow_review.render.json_text import review_from_mapping, review_to_json_text
from algorithms.airflow_review.render.report_files import write_review
from algorithms.airflow_review.render.sections.conclusion import verdict_sentence
from algorithms.airflow_review.render.words import Lang, load_words
from algorithms.airflow_review.rules.library import load_rules
from config import get_settings
from extensions.vent_airflow.extract_files import plan_from_mapping, plan_to_text, report_from_mapping, report_to_text
from extensions.vent_airflow.monitoring import get_source
from extensions.vent_airflow.monitoring_check import monitoring_check
from extensions.vent_airflow.overlay import session_settled
from extensions.vent_airflow.tool_support import _load_argument, _readable_errors, is_empty, new_output, save_result
from extensions.vent_airflow.workspace_paths import existing_file, to_virtual
from tools.registry import AgentContext, JsonObjectOrText, ToolError, ToolPayload, agent_tool, sourced

CATEGORY: Final = "airflow"
_PARSING_TIMEOUT_S: Final = (
    720  # above what reading a scan may take; a printed file ends far below by limits of its own
)
_Parsed = TypeVar("_Parsed")
QUICK_TIMEOUT_S: Final = 60
_PLAN_KINDS: Final = "pdf、docx、txt"


@agent_tool(
    name="airflow_plan_preprocess",
    title="解析配风计划",
    description="""
    读取用户上传的配风计划：还原表格与算式，提取用风地点、回风系统、印出的算式。
    返回概况、前若干个地点、extract_path（完整提取结果）和 template_path（带候选值的提取模板，可供核对与改正）。
    plan_path 为 /workspace/uploads/ 下的文件路径；文件只能由用户上传，没有时请用户上传。
    """,
    category=CATEGORY,
    timeout_s=_PARSING_TIMEOUT_S,
    idempotent=True,
)
@_readable_errors
def airflow_plan_preprocess(plan_path: str, ctx: AgentContext) -> ToolPayload:
    """Read a plan and save the extract and the template."""
    words, max_items = load_words("zh"), get_settings().airflow_max_inline_items
    document = _read(plan_path)
    extract = read_plan(document)
    if not extract.places:
        raise ToolError(
            f"{document.file} 中没有读出用风地点，可能不是配风计划",
            hint=f"请确认文件，上传含配风计划表的文件（{_PLAN_KINDS}）；扫描件须先识别文字。",
            code="not_a_plan",
        )
    template = extraction_template(document, extract, load_rules().parameter_markers())
    data = plan_digest(extract, words, max_items=max_items) | {
        "pages": document.pages,
        "extract_path": save_result("plan-extract", plan_to_text(extract, _input("plan", document))),
        "template_path": save_result("plan-template", json.dumps(template, ensure_ascii=False, indent=1)),
    }
    evidence = (item for place in extract.places for item in place.evidence[:1])
    return sourced(data, citations(evidence, words, max_items=max_items))


@agent_tool(
    name="airflow_plan_validate",
    title="校验提取结果",
    description="""
    校验提取模板：逐值核对能否在计划原文关于该地点的段落中找到，找不到或与原文不符的不采用，列出并转人工复核；不作任何静默修正。
    extraction 为模板的路径（template_path，或改正后另存的文件）或 JSON 文本；plan_path 为同一份配风计划。
    返回 issues（问题清单）和 extract_path（校验后的提取结果，供复算与比较使用）。
    """,
    category=CATEGORY,
    timeout_s=_PARSING_TIMEOUT_S,
    idempotent=True,
)
@_readable_errors
def airflow_plan_validate(extraction: JsonObjectOrText, plan_path: str, ctx: AgentContext) -> ToolPayload:
    """Check a filled template against the plan's own text and save what holds."""
    words, max_items = load_words("zh"), get_settings().airflow_max_inline_items
    filled = _load_argument(extraction, "extraction")
    document = _read(plan_path)
    result = validate_plan_extraction(filled, document)
    data = plan_digest(result.extract, words, max_items=max_items) | {
        "valid": not result.issues,
        "issues": first_rows(({"path": issue.path, "message": issue.message} for issue in result.issues), max_items),
        "extract_path": save_result("plan-validated", plan_to_text(result.extract, _input("plan", document))),
    }
    return sourced(data, [_document_source(document)])


@agent_tool(
    name="airflow_report_parse",
    title="解析测风报表",
    description="""
    读取用户上传的测风报表：测点、断面、风速、风量、温度、瓦斯，总进风与总回风，主要通风机。
    返回概况、前若干条记录和 extract_path。report_path 为 /workspace/uploads/ 下的文件路径。
    """,
    category=CATEGORY,
    timeout_s=_PARSING_TIMEOUT_S,
    idempotent=True,
)
@_readable_errors
def airflow_report_parse(report_path: str, ctx: AgentContext) -> ToolPayload:
    """Read a measurement report and save the extract."""
    words, max_items = load_words("zh"), get_settings().airflow_max_inline_items
    document = _read(report_path)
    extract = read_report(document)
    if not extract.readings and not extract.fans:
        raise ToolError(
            f"{document.file} 中没有读出测风记录，可能不是测风报表",
            hint="请确认文件，上传含测点与风量的测风报表（xlsx、xls、csv、pdf、docx）。",
            code="not_a_report",
        )
    data = report_digest(extract, words, max_items=max_items) | {
        "extract_path": save_result("report-extract", report_to_text(extract, _input("report", document))),
    }
    evidence = (item for reading in extract.readings for item in reading.evidence[:1])
    return sourced(data, citations(evidence, words, max_items=max_items))


@agent_tool(
    name="airflow_plan_verify",
    title="复算配风计划",
    description="""
    只审计划：逐式复算、核对口径与系数、风速验算、小计与合计、计划风量是否满足需风量。
    plan 为 airflow_plan_validate（或 airflow_plan_preprocess）返回的 extract_path 或其 JSON 文本。
    返回结论、问题清单（前若干项）和 plan_review_path。
    """,
    category=CATEGORY,
    timeout_s=QUICK_TIMEOUT_S,
    idempotent=True,
)
@_readable_errors
def airflow_plan_verify(plan: JsonObjectOrText, ctx: AgentContext) -> ToolPayload:
    """Review the plan alone and save the review."""
    extract, source = _parsed("plan", plan, plan_from_mapping)
    review = review_extracts(extract, None, load_rules(), (source,), session_settled((source,)))
    return _reviewed(review, "plan-review", "plan_review_path")


@agent_tool(
    name="airflow_measure_compare",
    title="比较风量",
    description="""
    完整研判：复算计划，核对测风时间，把测点对应到地点，比较 计划/需风、实测/计划、实测/需风，逐项判定。
    plan 为计划的 extract_path；report 为报表的 extract_path，留空则只审计划，实测风量不判定。
    返回结论、风量不足的对象、待处理的问题、未判定的对象（各前若干项）和 review_path（完整 review.json）；
    monitoring 为会话中的安全监测数据，没有数据源时须人工核对。
    """,
    category=CATEGORY,
    timeout_s=QUICK_TIMEOUT_S,
    idempotent=True,
)
@_readable_errors
def airflow_measure_compare(plan: JsonObjectOrText, ctx: AgentContext, report: JsonObjectOrText = "") -> ToolPayload:
    """Review plan and report together and save the review."""
    plan_extract, plan_source = _parsed("plan", plan, plan_from_mapping)
    sources: tuple[InputFile, ...] = (plan_source,)
    report_extract = None
    if not is_empty(report):
        report_extract, report_source = _parsed("report", report, report_from_mapping)
        sources = (plan_source, report_source)
    review = review_extracts(plan_extract, report_extract, load_rules(), sources, session_settled(sources))
    payload = _reviewed(review, "review", "review_path")
    monitoring = monitoring_check(review, get_source(), max_items=get_settings().airflow_max_inline_items)
    return {**payload, "data": payload["data"] | {"monitoring": monitoring}}


@agent_tool(
    name="airflow_report_write",
    title="写出研判报告",
    description="""
    把研判结果写成报告文件：review.json、report.md、report.docx、report.xlsx、report.html，供用户下载。
    review 为 airflow_measure_compare 返回的 review_path（或 plan_review_path）；lang 为 zh 或 en。
    """,
    category=CATEGORY,
    timeout_s=QUICK_TIMEOUT_S,
    idempotent=True,
)
@_readable_errors
def airflow_report_write(review: JsonObjectOrText, ctx: AgentContext, lang: Lang = "zh") -> ToolPayload:
    """Write the report files of a review into a folder of their own."""
    judged = _parsed("review", review, review_from_mapping)
    text = review_to_json_text(judged)
    folder = new_output(f"{judged.plan.mine or '矿井'}-风量研判")
    files = [
        {"name": path.name, "path": to_virtual(path), "size": path.stat().st_size}
        for path in write_review(judged, folder, lang)
    ]
    words = load_words(lang)
    data = {
        "summary": verdict_sentence(judged, words),
        "review_path": save_result("review", text) if isinstance(review, (dict, list)) else review,
        "review_sha256": _sha256(text),
        "open_checks": sum(finding.severity is Severity.MANUAL for finding in judged.findings),
        "name": f"{judged.plan.mine or '矿井'}风量研判",
        "folder": to_virtual(folder),
        "files": files,
        "report_path": next(file["path"] for file in files if file["name"] == "report.docx"),
    }
    return sourced(
        data,
        [
            {"id": item.sha256, "title": item.file, "kind": "document", "locator": {"file": item.file}}
            for item in judged.inputs
        ],
    )


def _read(virtual_path: str) -> Document:
    """The uploaded file; its scanned pages are recognised where the administrator has switched that on."""
    path = existing_file(virtual_path)
    return read_recognizing(path) if get_settings().airflow_ocr else read_document(path)


TOOLS: Final = (
    airflow_plan_preprocess,
    airflow_plan_validate,
    airflow_report_parse,
    airflow_plan_verify,
    airflow_measure_compare,
    airflow_report_write,
)


def _reviewed(review: Review, name: str, path_key: str) -> ToolPayload:
    """The digest of a review; evidence of what is short and of what needs an answer comes along as sources."""
    words, max_items = load_words("zh"), get_settings().airflow_max_inline_items
    loud = [finding for finding in review.findings if finding.severity is not Severity.NOTE]
    text = review_to_json_text(review)
    data = review_digest(review, words, max_items=max_items) | {
        "settled": first_rows(map(asdict, review.settled), max_items),
        path_key: save_result(name, text),
        "review_sha256": _sha256(text),
    }
    evidence = (item for finding in loud for item in finding.evidence)
    sources = [_input_source(item) for item in review.inputs]
    sources += citations(evidence, words, max_items=max_items) + rule_citations(loud, words, max_items=max_items)
    return sourced(data, sources)


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _parsed(what: str, argument: object, read: Callable[[Mapping[str, Any]], _Parsed]) -> _Parsed:
    """Turn an argument into a record; a wrong shape is told in one sentence, not as a list of fields."""
    raw = _load_argument(argument, what)
    try:
        return read(raw)
    except ValueError as error:
        first = str(error).splitlines()[0]
        raise ToolError(
            f"{what} 不是这一步需要的结果（{first}）",
            hint="请传入上一步工具返回的 *_path，不要传概况或改写过的内容。",
            code="bad_arguments",
        ) from error


def _input(role: str, document: Document) -> InputFile:
    return InputFile(role=role, file=document.file, sha256=document.sha256, pages=document.pages)


def _document_source(document: Document) -> dict[str, Any]:
    return _input_source(_input("plan", document))


def _input_source(item: InputFile) -> dict[str, Any]:
    return {"id": item.sha256, "title": item.file, "kind": "document", "locator": {"file": item.file}}
