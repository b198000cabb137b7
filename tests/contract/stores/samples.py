"""Records with plausible values; a test names what matters to it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from db.records import File, Message, Run, RunEvent, RunStatus, Session, UsageRow

NOON = datetime(2024, 12, 1, 12, 0, 0, 1, tzinfo=UTC)


def at(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


def a_session(session_id: str = "s1", **changes: Any) -> Session:
    values: dict[str, Any] = {
        "session_id": session_id,
        "user_name": "王工",
        "agent": "ventilation",
        "title": "12月配风计划",
        "permission_mode": "default",
        "plan_mode": "off",
        "created_at": NOON,
        "updated_at": NOON,
    }
    return Session(**values | changes)


def a_message(message_id: str = "m1", **changes: Any) -> Message:
    values: dict[str, Any] = {
        "message_id": message_id,
        "session_id": "s1",
        "run_id": "r1",
        "role": "assistant",
        "content": "需风量 9228 m³/min",
        "parts": [{"type": "token", "content": "需风量", "seq": 3}, {"type": "done", "final": True}],
        "status": "complete",
        "created_at": NOON,
    }
    return Message(**values | changes)


def a_file(path: str = "/workspace/uploads/计划.pdf", **changes: Any) -> File:
    values: dict[str, Any] = {
        "file_id": f"f{path}",
        "session_id": "s1",
        "run_id": None,
        "role": "upload",
        "path": path,
        "name": path.rsplit("/", 1)[-1],
        "media_type": "application/pdf",
        "size": 5_000_000_000,
        "created_at": NOON,
    }
    return File(**values | changes)


def a_run(run_id: str = "r1", **changes: Any) -> Run:
    values: dict[str, Any] = {
        "run_id": run_id,
        "session_id": "s1",
        "user_name": "王工",
        "agent": "ventilation",
        "status": RunStatus.QUEUED,
        "created_at": NOON,
    }
    return Run(**values | changes)


def an_event(seq: int, run_id: str = "r1", **changes: Any) -> RunEvent:
    values: dict[str, Any] = {
        "run_id": run_id,
        "seq": seq,
        "type": "token",
        "frame": f'{{"type":"token","seq":{seq},"content":"风"}}',
        "created_at": NOON,
    }
    return RunEvent(**values | changes)


def a_call(call_id: str = "c1", **changes: Any) -> UsageRow:
    values: dict[str, Any] = {
        "call_id": call_id,
        "run_id": "r1",
        "session_id": "s1",
        "user_name": "王工",
        "agent": "ventilation",
        "role": "main",
        "model": "gpt-5-mini",
        "input_tokens": 100,
        "output_tokens": 20,
        "cache_read_tokens": 64,
        "cache_write_tokens": 0,
        "reasoning_tokens": 7,
        "usage_source": "provider",
        "cost_micro": 150,
        "currency": "CNY",
        "price_version": "2024-12",
        "created_at": NOON,
    }
    return UsageRow(**values | changes)
