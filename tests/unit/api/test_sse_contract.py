"""The contract with clients of the stream. It only grows: a name that stands here is never renamed, moved or removed."""

from __future__ import annotations

import json
import re
from pathlib import Path

import orjson
import pytest

from api.sse_events import (
    COMMON_FIELDS,
    FIELDS,
    HEARTBEAT,
    INTERRUPT_FIELDS,
    TOOL_RESULT_MAX_CHARS,
    EventType,
    frame,
    sse_block,
)

ROOT = Path(__file__).resolve().parents[3]

CONTRACT = {
    "session": {"thread_id", "title", "agent", "mode", "model_mode"},
    "run": {"status", "position"},
    "token": {"content", "message_id", "offset"},
    "reasoning": {"content", "message_id", "offset"},
    "message": {"message_id", "content", "covers"},
    "tool_call": {"tool_call_id", "name", "title", "args", "category"},
    "tool_result": {"tool_call_id", "name", "status", "content", "truncated", "data_path", "elapsed_ms"},
    "todo": {"items"},
    "file": {"path", "name", "media_type", "size"},
    "sources": {"items", "message_id"},
    "usage": {
        "model",
        "input_tokens",
        "output_tokens",
        "cache_read_tokens",
        "reasoning_tokens",
        "usage_source",
        "cost",
        "currency",
    },
    "context": {"used_tokens", "window_tokens", "ratio", "compacted"},
    "quota": {"scope", "used", "limit", "resets_at", "level"},
    "guard": {"guard", "verdict", "code", "message_id", "spans", "policy_version", "audit_id"},
    "correction": {"message_id", "spans", "content"},
    "interrupt": {"interrupts"},
    "gap": {"requested", "earliest", "latest", "recover"},
    "error": {"code", "message", "hint", "retryable", "incident_id"},
    "done": {"status", "final", "outcome", "stop_reason", "usage", "message_id"},
}


def make_frame(event: EventType = EventType.TOKEN, **fields: object) -> str:
    return frame(event, fields, run_id="r1", seq=7, session_id="s1", ts="2024-12-01T00:00:00.000001Z")


def test_r_lay_3_no_event_or_field_of_the_contract_is_missing() -> None:
    for name, fields in CONTRACT.items():
        assert fields <= FIELDS[EventType(name)], name


def test_r_lay_3_every_declared_event_has_its_fields() -> None:
    assert set(FIELDS) == set(EventType)


def test_every_frame_carries_the_common_fields_first() -> None:
    written = json.loads(make_frame(content="风", message_id="m1", offset=0))

    assert list(written)[:5] == ["type", "run_id", "seq", "session_id", "ts"] == list(COMMON_FIELDS)
    assert written == {
        "type": "token",
        "run_id": "r1",
        "seq": 7,
        "session_id": "s1",
        "ts": "2024-12-01T00:00:00.000001Z",
        "content": "风",
        "message_id": "m1",
        "offset": 0,
    }


def test_a_field_outside_the_contract_is_refused() -> None:
    with pytest.raises(ValueError, match="delta"):
        make_frame(delta="风")


def test_a_frame_is_one_data_line_and_a_blank_line_whatever_it_says() -> None:
    text = "一\n二\r三\u2028四\u2029五\x85六\x0b七"

    block = sse_block(make_frame(content=text, message_id="m", offset=0)).decode()

    assert len(block.splitlines()) == 2
    assert re.fullmatch(r"data: [^\n\r]*\n\n", block)
    assert json.loads(block[6:])["content"] == text


def test_a_naive_reader_of_version_1_can_parse_the_whole_frame_as_json() -> None:
    block = sse_block(make_frame(content="x", message_id="m", offset=0)).decode()

    assert json.loads(block.removeprefix("data: "))["type"] == "token"


def test_an_id_line_stands_only_where_it_was_asked_for() -> None:
    assert sse_block("{}", event_id=7) == b"id: 7\ndata: {}\n\n"
    assert b"id:" not in sse_block("{}")


def test_half_a_surrogate_pair_or_a_huge_number_breaks_no_frame() -> None:
    written = orjson.loads(make_frame(content="\ud83d", message_id="m", offset=2**70))

    assert (written["content"], written["offset"]) == ("\ufffd", str(2**70))


def test_the_heartbeat_is_a_comment() -> None:
    assert HEARTBEAT == b": hb\n\n"


def test_r_pit_12_cards_are_keyed_by_the_id_of_the_call() -> None:
    assert "tool_call_id" in FIELDS[EventType.TOOL_CALL] & FIELDS[EventType.TOOL_RESULT]
    assert "tool_call_id" in INTERRUPT_FIELDS


def test_an_approval_says_what_is_asked() -> None:
    assert set(INTERRUPT_FIELDS) == {
        "interrupt_id",
        "tool_call_id",
        "name",
        "title",
        "args",
        "args_digest",
        "allowed",
        "schema",
        "reason",
        "expires_at",
    }


def test_a_tool_result_holds_at_most_4000_characters() -> None:
    assert TOOL_RESULT_MAX_CHARS == 4_000


def test_r_lay_3_nobody_else_writes_a_data_line() -> None:
    packages = ("agents", "algorithms", "api", "billing", "db", "extensions", "obs", "scheduler", "tools")
    sources = [path for name in packages for path in (ROOT / name).rglob("*.py")]

    writers = [path.name for path in sources if re.search(r"""["']data: ?|\}data: """, path.read_text("utf-8"))]

    assert writers == ["sse_events.py"]
