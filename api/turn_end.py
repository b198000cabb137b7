"""How a turn can be stopped or fail, and what is said then: one `error` frame with words and remedy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from agents.guards.policy import LIMITED
from api.sse_core import Emit, ResultStatus
from api.sse_events import EventType
from api.turn import TurnEnd
from db.records import RunStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class Stop:
    """What a stop from outside means; only one that nobody asked for (`hint`) is an error."""

    status: RunStatus
    message: str
    hint: str = ""
    call_status: ResultStatus = "cancelled"
    """What becomes of calls that have no result."""


_KEPT: Final = "已输出的内容保留在会话中。"

STOPS: Final[Mapping[str, Stop]] = {
    "user_cancelled": Stop(status=RunStatus.CANCELLED, message="已由用户停止。"),
    "superseded": Stop(status=RunStatus.CANCELLED, message="已被新的消息取代。"),
    "policy_changed": Stop(status=RunStatus.CANCELLED, message="助手的规则变了，等待批准的操作已作废。"),
    "approval_expired": Stop(
        status=RunStatus.CANCELLED, message="等待批准的时间已过，操作按驳回处理，没有执行。", call_status="denied"
    ),
    "session_deleted": Stop(status=RunStatus.CANCELLED, message="会话已删除。"),
    "run_timeout": Stop(
        status=RunStatus.FAILED,
        message="处理时间超过上限，已停止。",
        hint=f"请把任务拆小后重试；上限由 RUN_TIMEOUT_S 设置。{_KEPT}",
    ),
    "time_limit": Stop(
        status=RunStatus.LIMITED,
        message="本次运行的用时达到该助手的上限，已停止。",
        hint=f"请把任务拆小后继续；上限由该助手策略的 max_run_s 设置，等待批准的时间不计。{_KEPT}",
    ),
    "server_stopping": Stop(
        status=RunStatus.FAILED,
        message="服务正在停止，任务中断。",
        hint=f"请在服务恢复后重新发送；{_KEPT}",
    ),
    "run_broke": Stop(
        status=RunStatus.FAILED,
        message="处理过程中出现内部错误。",
        hint=f"请重试；若反复出现，请把运行编号告诉管理员。{_KEPT}",
    ),
    "process_lost": Stop(
        status=RunStatus.FAILED,
        message="服务曾意外停止，这次处理没有完成。",
        hint=f"请重新发送；{_KEPT}",
    ),
}


def end_stopped(emit: Emit, reason: str, *, message_id: str | None = None) -> TurnEnd:
    """The end of a turn that was stopped from outside; `reason` is a row of `STOPS`."""
    stop = STOPS[reason]
    if stop.hint:
        return end_failed(
            emit,
            code=reason,
            message=stop.message,
            hint=stop.hint,
            retryable=stop.status is RunStatus.FAILED,
            status=stop.status,
            message_id=message_id,
        )
    return TurnEnd(status=stop.status, stop_reason=reason, message_id=message_id)


def end_failed(
    emit: Emit,
    *,
    code: str,
    message: str,
    hint: str,
    retryable: bool,
    incident_id: str | None = None,
    status: RunStatus = RunStatus.FAILED,
    message_id: str | None = None,
) -> TurnEnd:
    """The end of a turn that failed; the reader is told before `done`."""
    emit(EventType.ERROR, code=code, message=message, hint=hint, retryable=retryable, incident_id=incident_id)
    outcome = LIMITED if status is RunStatus.LIMITED else None
    return TurnEnd(status=status, stop_reason=code, error_code=code, message_id=message_id, outcome=outcome)
