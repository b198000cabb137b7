"""T16 as R-REG-7 reads it: every tool of the product is invoked and gives the fields that its page and its docstring promise."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from extensions.loader import load_extensions
from extensions.ticket_desk.extension import build_feature
from extensions.ticket_desk.store import TicketStore
from extensions.vent_airflow.extension import register
from tests.support.governed import SOMEBODY, governed_registry
from tests.unit.extensions.ticket_desk.conftest import SEED
from tests.unit.extensions.vent_airflow.conftest import empty_workspace, max_inline_items, workspace  # noqa: F401
from tools.registry import ToolRegistry, load_builtin_tools

Seen = dict[str, dict[str, Any]]
Arguments = Callable[[Seen], dict[str, Any]]

_PLAN: Final = ("summary", "file", "mine", "period", "statistics", "mine_required_m3_min", "systems", "places")
_REVIEW: Final = (
    "summary",
    "verdict",
    "conclusion",
    "period",
    "measured_window",
    "alignment",
    "statistics",
    "wholes",
    "shortages",
    "planned_shortages",
    "findings",
    "not_judged",
    "settled",
)


def planned(seen: Seen) -> Any:
    """The first place's planned airflow as the plan has it; a correction must name what it corrects."""
    return seen["extract"]["places"][0]["planned"]["value"]


# In the order in which one needs what another gave.
CALLS: Final[dict[str, tuple[Arguments, tuple[str, ...]]]] = {
    "time_now": (lambda _: {}, ("iso", "date", "time", "weekday", "timezone")),
    "docs_search": (lambda _: {"query": "需风量"}, ("query", "passages")),
    "math_evaluate": (lambda _: {"expression": "60*11.3*1.2"}, ("expression", "value")),
    "plan_submit": (
        lambda _: {"title": "复测", "steps": "一\n二"},
        ("plan_id", "title", "steps", "submitted_by", "submitted_at"),
    ),
    "airflow_plan_preprocess": (
        lambda _: {"plan_path": "/workspace/uploads/计划.txt"},
        (*_PLAN, "pages", "extract_path", "template_path"),
    ),
    "airflow_plan_validate": (
        lambda seen: {
            "extraction": seen["airflow_plan_preprocess"]["template_path"],
            "plan_path": "/workspace/uploads/计划.txt",
        },
        (*_PLAN, "valid", "issues", "extract_path"),
    ),
    "airflow_report_parse": (
        lambda _: {"report_path": "/workspace/uploads/报表.docx"},
        (
            "summary",
            "file",
            "mine",
            "window",
            "total_intake_m3_min",
            "total_return_m3_min",
            "statistics",
            "fans",
            "readings",
            "extract_path",
        ),
    ),
    "airflow_plan_verify": (
        lambda seen: {"plan": seen["airflow_plan_validate"]["extract_path"]},
        (*_REVIEW, "plan_review_path"),
    ),
    "airflow_measure_compare": (
        lambda seen: {
            "plan": seen["airflow_plan_validate"]["extract_path"],
            "report": seen["airflow_report_parse"]["extract_path"],
        },
        (*_REVIEW, "monitoring", "review_path"),
    ),
    "airflow_value_settle": (
        lambda seen: {
            "path": "place/P001/planned_m3_min",
            "old": str(planned(seen)),
            "new": str(planned(seen)),
            "plan": seen["airflow_plan_preprocess"]["extract_path"],
            "report": seen["airflow_report_parse"]["extract_path"],
        },
        (*_REVIEW, "overlay_path", "review_path"),
    ),
    "airflow_report_write": (
        lambda seen: {"review": seen["airflow_value_settle"]["review_path"]},
        ("summary", "name", "folder", "files", "report_path", "review_path", "review_sha256", "open_checks"),
    ),
    "airflow_report_publish": (
        lambda seen: {
            "name": "十二月研判",
            **{key: seen["airflow_report_write"][key] for key in ("review_path", "review_sha256", "open_checks")},
        },
        (
            "summary",
            "is_new",
            "folder",
            "files",
            "name",
            "review_sha256",
            "verdict",
            "open_checks",
            "published_by",
            "published_at",
            "run_id",
        ),
    ),
    "order_lookup": (lambda _: {"order_id": "O-100"}, ("order_id", "customer", "total", "currency", "refunds")),
    "refund_eligibility": (
        lambda _: {"order_id": "O-100"},
        ("order_id", "eligible", "refundable", "currency", "reason", "refunds"),
    ),
    "issue_refund": (
        lambda _: {"order_id": "O-100", "amount": 49.9},
        ("confirmation_id", "order_id", "amount", "currency"),
    ),
    "kb_search": (lambda _: {"query": "refund"}, ("query", "articles")),
    "send_email": (
        lambda _: {"to": "ann@mine.example", "subject": "s", "body": "b"},
        ("message_id", "to", "subject"),
    ),
}


@pytest.fixture
def registry(tmp_path: Path) -> Iterator[ToolRegistry]:
    registry = governed_registry()
    load_builtin_tools(registry)
    register(registry)
    registry.add_feature(build_feature(TicketStore(lambda: tmp_path / "desk.sqlite3", seed=lambda: SEED)))
    yield registry
    registry.close()


async def test_t16_every_tool_is_invoked_and_gives_the_fields_it_promises(
    registry: ToolRegistry,
    workspace: Path,  # noqa: F811 - the fixture that is imported above
) -> None:
    seen: Seen = {}
    for name, (arguments, fields) in CALLS.items():
        outcome = await registry.invoke(name, arguments(seen), context=SOMEBODY, call_id=f"c-{name}")

        assert outcome.status == "ok", (name, outcome.payload)
        data = outcome.payload["data"]
        assert set(fields) <= data.keys(), (name, sorted(set(fields) - data.keys()))
        assert outcome.payload["sources"] or name in {"send_email", "kb_search"}, f"{name} names no source"
        seen[name] = data
        if name == "airflow_plan_preprocess":
            file = workspace / str(data["extract_path"]).removeprefix("/workspace/")
            seen["extract"] = json.loads(file.read_text(encoding="utf-8"))["extract"]


def test_t16_no_tool_of_the_product_is_left_out() -> None:
    registry = governed_registry()
    load_builtin_tools(registry)
    load_extensions(registry)
    names = {descriptor.name for descriptor in registry.descriptors}
    registry.close()

    assert names == CALLS.keys()
