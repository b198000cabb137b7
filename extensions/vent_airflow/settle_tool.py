"""The tool by which a person's correction reaches the review: kept as an overlay, never written into a document."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Annotated

from pydantic import Field

from algorithms.airflow_review.model import InputFile, Settled
from algorithms.airflow_review.pipeline import review_extracts
from algorithms.airflow_review.rules.library import load_rules
from algorithms.airflow_review.settling import SettlingError
from extensions.vent_airflow.extract_files import plan_from_mapping, report_from_mapping
from extensions.vent_airflow.overlay import add_settled, session_settled
from extensions.vent_airflow.tool_support import _readable_errors, is_empty
from extensions.vent_airflow.tools import CATEGORY, QUICK_TIMEOUT_S, _parsed, _reviewed
from tools.registry import AgentContext, JsonObjectOrText, ToolError, ToolPayload, agent_tool

_LONGEST_VALUE = 200
_LONGEST_NOTE = 1000


@agent_tool(
    name="airflow_value_settle",
    title="人工核定",
    description="""
    记录用户对一个存疑数值、测点对应关系或时间的核定，并重新研判。只在用户明确说出核定值时调用，不得替用户决定。
    path 为核定的项目，例如 place/101综采工作面/planned_m3_min、reading/101面回风/flow_m3_min、
    station/113-02面/place（值为地点名称）、plan/period（值为 2025-04-01/2025-04-30）；重名时用编号（P003、R012）。
    old 为现在读出的原值，没有读出时留空；new 为核定值，不带单位。与读出的值不符时拒绝。原文件不改动。
    plan、report 为两份资料的 extract_path。返回新的结论、settled（全部核定项）和 review_path。
    """,
    category=CATEGORY,
    timeout_s=QUICK_TIMEOUT_S,
    effects=("airflow.value_settled",),
)
@_readable_errors
def airflow_value_settle(
    path: Annotated[str, Field(min_length=1, max_length=_LONGEST_VALUE)],
    new: Annotated[str, Field(min_length=1, max_length=_LONGEST_VALUE)],
    plan: JsonObjectOrText,
    ctx: AgentContext,
    old: Annotated[str, Field(max_length=_LONGEST_VALUE)] = "",
    report: JsonObjectOrText = "",
    note: Annotated[str, Field(max_length=_LONGEST_NOTE)] = "",
) -> ToolPayload:
    """Check the correction against what is read, keep it with user and time, and review again."""
    plan_extract, plan_source = _parsed("plan", plan, plan_from_mapping)
    sources: tuple[InputFile, ...] = (plan_source,)
    report_extract = None
    if not is_empty(report):
        report_extract, report_source = _parsed("report", report, report_from_mapping)
        sources = (plan_source, report_source)
    moment = datetime.now(UTC).isoformat(timespec="seconds")
    entry = Settled(
        path=path.strip(), old=old.strip() or None, new=new.strip(), who=ctx.user_id, when=moment, note=note
    )
    try:
        review = review_extracts(
            plan_extract, report_extract, load_rules(), sources, (*session_settled(sources), entry)
        )
    except SettlingError as error:
        hint = "没有记录。请把原因告诉用户，由用户对照原文件后再说出原值和核定值，不要自行改写后重试。"
        raise ToolError(str(error), hint=hint, code="not_settled") from error
    overlay = add_settled(entry, sources)
    # As the next comparison will list them: by document.
    payload = _reviewed(replace(review, settled=session_settled(sources)), "review", "review_path")
    return {**payload, "data": payload["data"] | {"overlay_path": overlay}}
