"""Drives one scenario over HTTP as a client and a person with approvals would, and reads what happened from the run's records."""

from __future__ import annotations

import json
import time
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Final
from uuid import uuid4

import httpx

from evals.scenario import Approval, Edit, Rejection, Scenario

Frame = Mapping[str, Any]
_MOST_PAUSES: Final = 50
_AUDIT_PAGE: Final = 500
# Refused before anybody looked whether the call could be done; such a call is no step of the trajectory.
_NEVER_TRIED: Final = frozenset(
    {"not_allowed", "not_available", "read_only", "plan_required", "unknown_tool", "call_limit", "approval_required", "call_closed"}
)  # fmt: skip


class DriveError(Exception):
    """The server did not answer as its contract says."""


@dataclass(frozen=True, kw_only=True)
class Observed:
    """What one try of a scenario came to.

    Attributes:
        status: Of the run, from its last `done`.
        outcome: From the same; None where the server computes none.
        trajectory: Calls of registered tools that were tried or rejected by a person, in the order the models asked.
        executed_gated_tools: Those that a person approved and that ended well.
        text: What the user reads in the history afterwards.
        unanswered: Tools that waited for a person when the scenario had no approval left.
        model_calls: As billed; the scripted model's own count is not asked.
        cost: In units of `currency`; None if a call has no price.
        latency_s: From the message to the last frame, decisions included.
    """

    run_id: str
    status: str
    outcome: str | None
    trajectory: tuple[str, ...]
    executed_gated_tools: tuple[str, ...]
    text: str
    unanswered: tuple[str, ...] = ()
    model_calls: int = 0
    cost: Decimal | None = None
    currency: str = ""
    latency_s: float = 0.0


@dataclass
class _Drive:
    """One run under way."""

    session_id: str = ""
    frames: list[Frame] = field(default_factory=list)
    unanswered: list[str] = field(default_factory=list)


class Driver:
    """A client of one server; every scenario is a user of its own."""

    def __init__(self, base_url: str, *, timeout_s: float = 300.0) -> None:
        self._client = httpx.Client(base_url=base_url, timeout=timeout_s, trust_env=False)
        self._tools = {tool["name"] for tool in self._get("/api/tools")["items"]}

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def run(self, scenario: Scenario) -> Observed:
        """Send the message, answer what waits for a person, and read the records.

        Raises:
            DriveError: The server refused, or its stream broke its contract.
        """
        try:
            return self._run(scenario, f"eval-{uuid4().hex[:12]}")
        except httpx.TransportError as error:
            raise DriveError(f"the server does not answer ({type(error).__name__})") from error

    def _run(self, scenario: Scenario, user: str) -> Observed:
        drive, started = _Drive(), time.perf_counter()
        form = {"message": scenario.user_text, "user_name": user, "agent": scenario.agent}
        parts = {name: (None, value) for name, value in form.items()}
        self._follow(drive, self._client.build_request("POST", "/api/chat", files=parts))
        self._decide(drive, user, scenario.approvals)
        latency_s = time.perf_counter() - started
        return self._observed(drive, user, latency_s)

    def _decide(self, drive: _Drive, user: str, approvals: Sequence[Approval]) -> None:
        left = deque(approvals)
        for _ in range(_MOST_PAUSES):
            if drive.frames[-1]["status"] != "interrupted":
                return
            items = next(frame for frame in reversed(drive.frames) if frame["type"] == "interrupt")["interrupts"]
            if len(items) > len(left):
                drive.unanswered = [item["name"] for item in items[len(left) :]]
                self._client.post(f"/api/runs/{drive.frames[0]['run_id']}/cancel", params={"user_name": user})
                return
            decisions = [_decision(item, left.popleft()) for item in items]
            body = {"session_id": drive.session_id, "user_name": user, "decisions": decisions}
            self._follow(drive, self._client.build_request("POST", "/api/chat/resume", json=body))
        raise DriveError(f"the run waited for a person more than {_MOST_PAUSES} times")

    def _follow(self, drive: _Drive, request: httpx.Request) -> None:
        answer = self._client.send(request, stream=True)
        try:
            if answer.status_code != httpx.codes.OK:
                detail = answer.read().decode(errors="replace")[:300]
                raise DriveError(f"{request.url.path}: {answer.status_code} {detail}")
            frames = [json.loads(line[5:]) for line in answer.iter_lines() if line.startswith("data:")]
        finally:
            answer.close()
        if not frames or frames[0]["type"] != "session" or frames[-1]["type"] != "done":
            raise DriveError(f"{request.url.path}: the stream does not run from session to done")
        drive.session_id = frames[0]["session_id"]
        drive.frames += frames

    def _observed(self, drive: _Drive, user: str, latency_s: float) -> Observed:
        run_id, done = drive.frames[0]["run_id"], drive.frames[-1]
        before, ended = self._calls(run_id)
        asked = {f["tool_call_id"]: f["seq"] for f in drive.frames if f["type"] == "tool_call"}
        tried = [row for row in before if row["tool"] in self._tools and row["code"] not in _NEVER_TRIED]
        # Records are written as calls begin; of parallel calls the one that waits begins last, wherever the model put it.
        tried.sort(key=lambda row: (asked.get(row["tool_call_id"], 0), row["seq"]))
        usage = done["usage"]
        return Observed(
            run_id=run_id,
            status=done["status"],
            outcome=done["outcome"],
            trajectory=tuple(row["tool"] for row in tried),
            executed_gated_tools=tuple(
                row["tool"] for row in tried if row["approval_id"] and ended.get(row["audit_id"]) == "ok"
            ),
            text=self._text(drive.session_id, user),
            unanswered=tuple(drive.unanswered),
            model_calls=usage["calls"],
            cost=None if usage["cost"] is None else Decimal(str(usage["cost"])),
            currency=usage["currency"] or "",
            latency_s=latency_s,
        )

    def _calls(self, run_id: str) -> tuple[list[dict[str, Any]], dict[str, str]]:
        """The run's calls as they were admitted or refused, oldest first, and how each ended."""
        rows: list[dict[str, Any]] = []
        cursor: dict[str, str] = {}
        while True:
            page = self._get("/api/audit", run_id=run_id, limit=str(_AUDIT_PAGE), **cursor)
            rows += page["items"]
            if page["next_before_seq"] is None:
                break
            cursor = {"before_seq": str(page["next_before_seq"])}
        rows.reverse()
        before = [row for row in rows if row["phase"] == "before"]
        return before, {row["audit_id"]: row["outcome"] for row in rows if row["phase"] == "end"}

    def _text(self, session_id: str, user: str) -> str:
        messages = self._get(f"/api/sessions/{session_id}/messages", user_name=user)["items"]
        return "\n\n".join(message["content"] for message in messages if message["role"] == "assistant")

    def _get(self, path: str, **params: str) -> Any:
        answer = self._client.get(path, params=params)
        if answer.status_code != httpx.codes.OK:
            raise DriveError(f"{path}: {answer.status_code} {answer.text[:300]}")
        return answer.json()


def _decision(item: Mapping[str, Any], approval: Approval) -> dict[str, Any]:
    """A scripted person's answer to one waiting call."""
    answer = {"interrupt_id": item["interrupt_id"], "args_digest": item["args_digest"]}
    match approval:
        case Edit():
            return {**answer, "decision": "edit", "args": json.loads(json.dumps(approval.edit, default=float))}
        case Rejection():
            return {**answer, "decision": "reject", "reason": approval.reject}
        case _:
            return {**answer, "decision": approval}
