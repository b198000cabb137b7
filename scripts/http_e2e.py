"""Drive a running server through its whole job: health, chat, upload, review, approval, files, usage, sessions.

    python scripts/http_e2e.py [--base http://127.0.0.1:8080] [--plan FILE --report FILE]

The server's `/health` says whether a language model is configured. Offline the embedded model runs the review by itself; with a
model server that takes its orders from the message (`[[tool=… args=…]]`, the scripted server of the tests) every tool is ordered
one by one: pass --scripted. Exit 0: every step passed; 1: the step that failed is named.
"""

from __future__ import annotations

import argparse
import json
import sys
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

ROOT = Path(__file__).resolve().parent.parent
SAMPLES = ROOT / "static" / "samples"
Frame = dict[str, Any]


class StepError(Exception):
    """A step did not do what it should."""


def expect(truth: object, what: str) -> None:
    """Raise unless `truth` holds."""
    if not truth:
        raise StepError(what)


class Driver:
    """A user with a session of its own on one server."""

    def __init__(self, client: httpx.Client, *, scripted: bool) -> None:
        self.client = client
        self.scripted = scripted
        self.user = f"e2e-{uuid.uuid4().hex[:8]}"
        self.session = ""

    def get(self, path: str, status: int = 200, **params: str) -> Any:
        """The JSON answer of a GET with the expected status."""
        answer = self.client.get(path, params={"user_name": self.user, **params})
        expect(answer.status_code == status, f"GET {path}: {answer.status_code} {answer.text[:300]}")
        return answer.json()

    def chat(self, message: str, files: tuple[Path, ...] = ()) -> list[Frame]:
        """Send a message in the session and read the stream to its end."""
        form = {"message": message, "user_name": self.user} | ({"session_id": self.session} if self.session else {})
        parts = [("files", (path.name, path.read_bytes())) for path in files]
        with self.client.stream("POST", "/api/chat", data=form, files=parts or {"files": ("", b"")}) as answer:
            frames = read_frames(answer)
        self.session = frames[0]["session_id"]
        return frames

    def resume(self, decision: Mapping[str, Any]) -> list[Frame]:
        """Answer a pending approval and read the stream on."""
        body = {"session_id": self.session, "user_name": self.user, "decisions": [dict(decision)]}
        with self.client.stream("POST", "/api/chat/resume", json=body) as answer:
            return read_frames(answer)

    def order(self, tool: str, args: Mapping[str, str], offline: str) -> str:
        """The message that makes the model call `tool`: an order to the scripted model, words for the embedded one."""
        if not self.scripted:
            return offline
        text = json.dumps(args, ensure_ascii=False, separators=(",", ":"))
        return f"[[tokens=5 tool={tool} args={text}]]"


def read_frames(answer: httpx.Response) -> list[Frame]:
    """All frames of a stream that ends well."""
    if answer.status_code != httpx.codes.OK:
        raise StepError(f"stream: {answer.status_code} {answer.read().decode(errors='replace')[:300]}")
    frames = [json.loads(line[5:]) for line in answer.iter_lines() if line.startswith("data:")]
    expect(
        frames and frames[0]["type"] == "session" and frames[-1]["type"] == "done",
        "a stream opens with session and ends with done",
    )
    return frames


def of_type(frames: list[Frame], kind: str) -> list[Frame]:
    """The frames of one type."""
    return [frame for frame in frames if frame["type"] == kind]


def text_of(frames: list[Frame]) -> str:
    """The text a user saw."""
    return "".join(frame["content"] for frame in of_type(frames, "token"))


def check_service(driver: Driver) -> None:
    """Alive, ready, and it says what it has."""
    expect(driver.get("/health")["status"] == "ok", "health is ok")
    expect(driver.get("/ready")["status"] == "ready", "ready")
    expect(
        any(agent["name"] == "ventilation" for agent in driver.get("/api/agents")["items"]),
        "agent ventilation is listed",
    )
    names = {tool["name"] for tool in driver.get("/api/tools")["items"]}
    expect(
        {"plan_submit", "airflow_plan_preprocess", "airflow_report_write"} <= names,
        f"tools are listed: {sorted(names)}",
    )


def check_chat(driver: Driver) -> None:
    """A tool is called once, answered once, and the turn is in the history."""
    frames = driver.chat(driver.order("math_evaluate", {"expression": "60*11.3*1.2"}, "算 60*11.3*1.2"))
    calls, results = of_type(frames, "tool_call"), of_type(frames, "tool_result")
    expect(
        [c["tool_call_id"] for c in calls] == [r["tool_call_id"] for r in results] and len(calls) == 1,
        "one call, one result",
    )
    expect(json.loads(results[0]["content"])["data"]["value"] == "813.6", "60 × 11.3 × 1.2 = 813.6")
    expect(frames[-1]["status"] == "succeeded" and text_of(frames), "the turn succeeded with a text")
    history = driver.get(f"/api/sessions/{driver.session}/messages")["items"]
    expect([item["role"] for item in history] == ["user", "assistant"], "the history has both messages in order")


def run_review(driver: Driver, plan: Path, report: Path) -> list[Frame]:
    """Upload both documents and have the review made."""
    if not driver.scripted:
        return driver.chat("请研判", (plan, report))
    upload = driver.chat("[[tokens=3]]", (plan, report))
    expect(upload[-1]["status"] == "succeeded", "the upload turn succeeded")
    return review_by_orders(driver, f"/workspace/uploads/{plan.name}", f"/workspace/uploads/{report.name}")


def review_by_orders(driver: Driver, plan: str, report: str) -> list[Frame]:
    """Order the tools of the review one by one, each with the file the one before wrote."""
    frames: list[Frame] = []

    def call(tool: str, args: Mapping[str, str]) -> str:
        turn = driver.chat(driver.order(tool, args, ""))
        frames.extend(turn)
        (result,) = of_type(turn, "tool_result")
        expect(result["status"] == "ok", f"{tool}: {result['content'][:300]}")
        return str(result["data_path"])

    extract = call("airflow_plan_preprocess", {"plan_path": plan})
    readings = call("airflow_report_parse", {"report_path": report})
    call("airflow_plan_verify", {"plan": extract})
    review = call("airflow_measure_compare", {"plan": extract, "report": readings})
    call("airflow_report_write", {"review": review})
    return frames


def check_review(driver: Driver, plan: Path, report: Path) -> None:
    """The review is made and its files can be loaded."""
    frames = run_review(driver, plan, report)
    expect(all(r["status"] == "ok" for r in of_type(frames, "tool_result")), "every tool of the review succeeded")
    files = {frame["name"]: frame for frame in of_type(frames, "file")}
    expect({"review.json", "report.docx"} <= files.keys(), f"report files were announced: {sorted(files)}")
    review = json.loads(load_file(driver, files["review.json"]["path"]))
    expect(
        review["schema"] == "airflow_review/1" and review["plan"]["places"] and review["comparisons"],
        "review.json is a review",
    )
    expect(load_file(driver, files["report.docx"]["path"])[:2] == b"PK", "report.docx is a docx")
    listed = {item["name"] for item in driver.get(f"/api/sessions/{driver.session}/files")["items"]}
    expect({plan.name, report.name, "report.docx"} <= listed, "uploads and reports are listed")


def load_file(driver: Driver, path: str) -> bytes:
    """Content of a file of the session."""
    address = f"/api/sessions/{driver.session}/files/{path.removeprefix('/workspace/')}"
    answer = driver.client.get(address, params={"user_name": driver.user})
    expect(answer.status_code == httpx.codes.OK, f"GET {address}: {answer.status_code}")
    return answer.content


def check_approval(driver: Driver, decision: str) -> None:
    """The gated tool waits; approve runs it, reject does not."""
    args = {"title": "调风", "steps": "核对测点"}
    frames = driver.chat(driver.order("plan_submit", args, "提交计划：调风；核对测点"))
    expect(frames[-1]["status"] == "interrupted", f"the gated tool waits, got {frames[-1]['status']}")
    pending = driver.get("/api/chat/interrupt", session_id=driver.session)["interrupts"]
    expect(len(pending) == 1 and pending[0]["name"] == "plan_submit", "one approval is pending")
    answer = {
        "interrupt_id": pending[0]["interrupt_id"],
        "args_digest": pending[0]["args_digest"],
        "decision": decision,
    }
    after = driver.resume(answer | ({"reason": "测试驳回"} if decision == "reject" else {}))
    (result,) = of_type(after, "tool_result")
    wanted = "ok" if decision == "approve" else "denied"
    expect(result["status"] == wanted, f"{decision}: the result is {result['status']}, not {wanted}")
    expect(
        driver.get("/api/chat/interrupt", session_id=driver.session)["interrupts"] == [], "nothing is pending any more"
    )


def check_usage(driver: Driver) -> None:
    """What was used today is not zero and equals what the runs said."""
    usage = driver.get("/api/usage/today")
    expect(usage["calls"] > 0 and usage["output_tokens"] > 0, f"usage of today: {usage}")


def check_borders(driver: Driver) -> None:
    """Foreign and unknown things are refused in one shape, and the session stays usable."""
    error = driver.get(f"/api/sessions/{driver.session}", status=404, user_name="somebody-else")["error"]
    expect({"code", "message", "hint", "request_id"} <= error.keys(), "errors have one shape")
    answer = driver.client.post(
        "/api/chat",
        data={"message": "x", "user_name": driver.user, "session_id": driver.session, "thread_id": "another"},
    )
    expect(answer.status_code == httpx.codes.NOT_FOUND, "a thread id other than the session is 404")
    answer = driver.client.post("/api/chat", data={"message": "", "user_name": driver.user})
    expect(answer.status_code == httpx.codes.UNPROCESSABLE_ENTITY, "an empty message is refused")
    check_chat_again = driver.chat(driver.order("time_now", {}, "现在几点"))
    expect(check_chat_again[-1]["status"] == "succeeded", "the session is still usable")


def check_sessions(driver: Driver) -> None:
    """Rename, list, delete."""
    path = f"/api/sessions/{driver.session}"
    answer = driver.client.patch(path, params={"user_name": driver.user}, json={"title": "端到端检查"})
    expect(answer.status_code == httpx.codes.OK, f"rename: {answer.status_code} {answer.text[:200]}")
    expect(
        [item["title"] for item in driver.get("/api/sessions")["items"]] == ["端到端检查"],
        "the session is listed under its new title",
    )
    answer = driver.client.delete(path, params={"user_name": driver.user})
    expect(answer.is_success, f"delete: {answer.status_code}")
    driver.get(path, status=404)


@contextmanager
def step(name: str) -> Iterator[None]:
    """Print one line for a step."""
    try:
        yield
    except (StepError, httpx.HTTPError, KeyError, ValueError) as error:
        print(f"FAIL  {name}: {type(error).__name__}: {error}")
        raise SystemExit(1) from error
    print(f"ok    {name}")


def main() -> int:
    """Run every step in order."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--base", default="http://127.0.0.1:8080")
    parser.add_argument("--plan", type=Path, default=SAMPLES / "plan.pdf")
    parser.add_argument("--report", type=Path, default=SAMPLES / "report.xlsx")
    parser.add_argument(
        "--scripted", action="store_true", help="the server talks to the scripted model server of the tests"
    )
    args = parser.parse_args()
    with httpx.Client(base_url=args.base, timeout=180, trust_env=False) as client:
        driver = Driver(client, scripted=args.scripted)
        with step("service"):
            check_service(driver)
        with step("chat with a tool"):
            check_chat(driver)
        with step("upload and review"):
            check_review(driver, args.plan, args.report)
        for decision in ("approve", "reject"):
            with step(f"gated tool, {decision}"):
                check_approval(driver, decision)
        with step("usage"):
            check_usage(driver)
        with step("borders"):
            check_borders(driver)
        with step("sessions"):
            check_sessions(driver)
    print("all steps passed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
