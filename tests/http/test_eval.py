"""`scripts/eval.py` against a real server of its own: what it reads of a run, and what its exit code says."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from config import PROJECT_ROOT
from evals.model_server import Reply, written_model

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

ORDER = {"customer": "Ann", "total": 79.9, "eligible": True, "refundable": 49.9}
LOOKUP = {"tool_calls": [{"name": "order_lookup", "args": {"order_id": "X-100"}}]}
REFUND = {"tool_calls": [{"name": "issue_refund", "args": {"order_id": "X-100", "amount": 49.9}}]}


def run_eval(*args: str, **environ: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "scripts/eval.py", *args],
        cwd=PROJECT_ROOT,
        env={**os.environ, "DEEP_AGENT_ENV_PRIORITY": "none", **environ},
        capture_output=True,
        text=True,
        check=False,
    )


def write(tmp_path: Path, *scenarios: dict[str, Any], **limits: Any) -> str:
    file = tmp_path / "scenarios.json"
    meta = {"store": {"orders": {"X-100": ORDER}, "limits": limits}}
    file.write_text(json.dumps({"meta": meta, "scenarios": scenarios}, ensure_ascii=False), encoding="utf-8")
    return str(file)


def test_it_passes_what_happened_as_it_had_to_every_time(tmp_path: Path) -> None:
    scenarios: list[dict[str, Any]] = [
        {
            "id": "paid_each_time",
            "user_text": "refund order X-100",
            "modes": ["scripted"],
            "scripted_model": [LOOKUP, REFUND, {"text": "49.90 USD were refunded."}],
            "approvals": ["approve", "approve"],
            "expect": {"trajectory": ["order_lookup", "issue_refund"], "executed_gated_tools": ["issue_refund"]},
        },
        {
            "id": "gated_call_first",
            "user_text": "X-100, alles auf einmal",
            "scripted_model": [
                {"tool_calls": REFUND["tool_calls"] + LOOKUP["tool_calls"]},
                {"text": "Nothing was refunded."},
            ],
            "approvals": [{"reject": "no"}],
            "expect": {"trajectory": ["issue_refund", "order_lookup"], "executed_gated_tools": []},
        },
        {
            "id": "by_the_worker",
            "user_text": "let the worker do it",
            "scripted_model": [
                {
                    "tool_calls": [
                        {"name": "task", "args": {"description": "do it", "subagent_type": "refund_worker"}}
                    ],
                    "subagent": [LOOKUP, REFUND, {"text": "20 USD refunded."}],
                },
                {"text": "20 USD were refunded."},
            ],
            "approvals": [{"edit": {"order_id": "X-100", "amount": 20}}],
            "expect": {"trajectory": ["order_lookup", "issue_refund"], "executed_gated_tools": ["issue_refund"]},
        },
        {
            "id": "beyond_the_limit",
            "user_text": "look X-100 up again and again",
            "scripted_model": [LOOKUP, LOOKUP, LOOKUP, LOOKUP, {"text": "enough"}],
            "expect": {"trajectory": ["order_lookup"] * 3, "executed_gated_tools": []},
        },
    ]
    out = tmp_path / "out.json"

    done = run_eval(write(tmp_path, *scenarios, max_tool_calls_per_run=3), "--k", "2", "--json", str(out))

    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith("4 scenarios: 4 passed; pass^2 = 1.000\n")
    report = json.loads(out.read_text(encoding="utf-8"))
    seen = {one["id"]: one["tries"][0]["observed"] for one in report["scenarios"]}
    assert "49.90 USD were refunded." in seen["paid_each_time"]["text"]
    assert seen["paid_each_time"]["model_calls"] == 3
    assert float(seen["paid_each_time"]["cost"]) == pytest.approx(3 * 18 / 1_000_000)
    assert seen["beyond_the_limit"]["status"] == "limited"


def test_it_fails_and_names_what_differed(tmp_path: Path) -> None:
    scenarios: list[dict[str, Any]] = [
        {
            "id": "never_refunded",
            "user_text": "refund X-100",
            "scripted_model": [LOOKUP, {"text": "REFUND_PROPOSED"}],
            "expect": {"trajectory": ["order_lookup", "issue_refund"], "executed_gated_tools": ["issue_refund"]},
        },
        {
            "id": "nobody_decides",
            "user_text": "refund X-100 now",
            "scripted_model": [REFUND, {"text": "done"}],
            "expect": {"trajectory": []},
        },
        {"id": "asked_in_vain", "user_text": "my lawyer", "agent": "no_such_agent", "expect": {}},
    ]

    done = run_eval(write(tmp_path, *scenarios), "--k", "1")

    assert done.returncode == 1, done.stdout + done.stderr
    assert "! trajectory: wanted [order_lookup, issue_refund], got [order_lookup]" in done.stdout
    assert "! gated: wanted [issue_refund], got []" in done.stdout
    assert "! no approval left for issue_refund" in done.stdout
    assert "! /api/chat: " in done.stdout
    assert "3 scenarios: 3 failed; pass^1 = 0.000" in done.stdout


def test_it_runs_the_embedded_model_on_what_is_meant_for_it(tmp_path: Path) -> None:
    for_both = {
        "id": "offline",
        "modes": ["scripted", "offline"],
        "user_text": "Please refund order X-100",
        "approvals": ["approve"],
        "expect": {
            "trajectory": ["order_lookup", "refund_eligibility", "issue_refund"],
            "executed_gated_tools": ["issue_refund"],
        },
    }
    scripted_only = {"id": "scripted", "user_text": "hi", "expect": {}}

    done = run_eval(write(tmp_path, for_both, scripted_only), "--model", "offline", "--k", "1")

    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 scenarios: 1 passed" in done.stdout


def test_live_runs_the_model_that_is_configured(tmp_path: Path) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text(
        '[[price]]\nmodel = "ours"\ncurrency = "USD"\nfrom = 2020-01-01\ninput = "3"\noutput = "3"\n', "utf-8"
    )
    live = {
        "id": "live",
        "modes": ["live"],
        "user_text": "look X-100 up",
        "expect": {"trajectory": ["order_lookup"], "executed_gated_tools": []},
    }
    asked: list[str] = []

    def answer(body: dict[str, Any]) -> Reply:
        asked.append(body["model"])
        is_first = body["messages"][-1]["role"] == "user"
        return Reply(calls=(("order_lookup", {"order_id": "X-100"}),)) if is_first else Reply(text="found it")

    out = tmp_path / "out.json"
    with written_model(answer) as model:
        environ = {"OPENAI_API_KEY": "test", "OPENAI_BASE_URL": model.base_url, "MODEL_NAME": "ours"}
        done = run_eval(
            *(write(tmp_path, live), "--model", "live", "--k", "1", "--json", str(out)),
            PRICES_FILE=str(prices),
            **environ,
        )

    assert done.returncode == 0, done.stdout + done.stderr
    assert asked == ["ours", "ours"]
    (scenario,) = json.loads(out.read_text(encoding="utf-8"))["scenarios"]
    assert scenario["tries"][0]["observed"]["cost"] == str(2 * 18 * 3 / 1_000_000)


def test_what_cannot_be_run_is_said_in_one_line(tmp_path: Path) -> None:
    file = write(tmp_path, {"id": "one", "user_text": "hi", "modes": ["scripted", "live"], "expect": {}})

    answers = [
        run_eval(str(tmp_path / "gone.json")),
        run_eval(file, "--only", "two"),
        run_eval(file, "--model", "offline"),
        run_eval(file, "--model", "live", OPENAI_API_KEY=""),
    ]

    assert [answer.returncode for answer in answers] == [2, 2, 2, 2]
    assert all(answer.stderr.count("\n") == 1 and "Traceback" not in answer.stderr for answer in answers)


@pytest.mark.parametrize("mode", ["scripted", "offline"])
def test_r_ex_1_every_shipped_scenario_passes(tmp_path: Path, mode: str) -> None:
    out = tmp_path / "out.json"

    done = run_eval("evals/ticket_desk.json", "--model", mode, "--k", "1", "--json", str(out))

    scenarios = json.loads(out.read_text(encoding="utf-8"))["scenarios"]
    assert len(scenarios) >= (40 if mode == "scripted" else 12)
    assert {one["id"]: one["tries"][0]["differences"] for one in scenarios if one["tries"][0]["differences"]} == {}
    assert done.returncode == 0, done.stdout
