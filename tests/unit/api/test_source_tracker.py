"""R-INV-4: sources are read out of tools' answers, never asked of the model."""

from __future__ import annotations

import json
from typing import Any

import pytest
from langchain_core.messages import ToolMessage

from api.source_tracker import SourceTracker
from tools.registry import sourced

PAGE = {"id": "p17", "title": "配风计划", "kind": "document", "locator": {"file": "plan.pdf", "page": 17}}


def message(payload: Any, **more: Any) -> ToolMessage:
    content = payload if isinstance(payload, str) else json.dumps(payload, ensure_ascii=False)
    return ToolMessage(content, tool_call_id="c", **more)


def test_r_inv_4_a_tools_sources_are_taken_out_of_its_message() -> None:
    tracker = SourceTracker()

    tracker.add(message(sourced({"flow_m3_min": 1221}, [PAGE])))

    assert tracker.items == [{**PAGE, "url": None}]


def test_r_inv_4_a_source_named_twice_is_shown_once() -> None:
    tracker = SourceTracker()

    tracker.add(message(sourced(1, [PAGE])))
    tracker.add(message(sourced(2, [{**PAGE, "id": "another-id"}])))

    assert [item["id"] for item in tracker.items] == ["p17"]


def test_r_inv_4_two_pages_of_one_document_are_two_sources() -> None:
    tracker = SourceTracker()

    tracker.add(message(sourced(1, [PAGE, {**PAGE, "id": "p18", "locator": {"file": "plan.pdf", "page": 18}}])))

    assert [item["locator"]["page"] for item in tracker.items] == [17, 18]


def test_r_inv_4_sources_survive_a_content_that_was_moved_to_a_file() -> None:
    tracker = SourceTracker()

    tracker.add(message("Tool result too large, saved at /large_tool_results/c", artifact=sourced(1, [PAGE])))

    assert len(tracker.items) == 1


@pytest.mark.parametrize("content", ["plain text", "{broken", "[1]", '{"ok": false, "sources": [{"id": "x"}]}', ""])
def test_an_answer_without_sources_is_fine(content: str) -> None:
    tracker = SourceTracker()

    tracker.add(message(content))

    assert tracker.items == []
