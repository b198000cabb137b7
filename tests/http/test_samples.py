"""R-POL-5 over HTTP: what an agent did without a person is drawn for review, however its run ended."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.model_server import Reply, written_model
from tests.support.server import RunningServer, live_settings, of_type, running_server

PROFILES = Path(__file__).resolve().parents[2] / "agents" / "profiles"
PRICES = '[[price]]\nmodel = "fake"\ncurrency = "USD"\nfrom = 2020-01-01\ninput = "1"\noutput = "1"\n'
LOOKUP = ("order_lookup", {"order_id": "A-1001"})


def refund(order: str) -> tuple[str, dict[str, Any]]:
    return ("issue_refund", {"order_id": order, "amount": 10})


@pytest.fixture
def replies() -> list[Reply | float]:
    """What the model answers next; a number is a silence before the answer behind it."""
    return []


@pytest.fixture
def server(tmp_path: Path, replies: list[Reply | float]) -> Iterator[RunningServer]:
    """A server whose ticket desk refunds alone, at most three calls a run, and has every action reviewed."""
    profiles, prices = tmp_path / "profiles", tmp_path / "prices.toml"
    shutil.copytree(PROFILES, profiles)
    desk = profiles / "ticket_desk.toml"
    text = desk.read_text("utf-8")
    for was, now in (
        ('approval = ["issue_refund", "send_email"]', 'approval = ["send_email"]'),
        ("max_tool_calls_per_run = 8", "max_tool_calls_per_run = 3"),
        ("sampling_rate = 0.1", "sampling_rate = 1.0"),
    ):
        assert was in text
        text = text.replace(was, now)
    desk.write_text(text, "utf-8")
    prices.write_text(PRICES, "utf-8")

    def script(_: Any) -> Reply:
        while isinstance(one := replies.pop(0) if replies else Reply(text="ok"), float):
            time.sleep(one)
        return one

    with (
        written_model(script) as model,
        running_server(
            tmp_path / "data", **live_settings(model.base_url), prices_file=prices, profiles_dir=profiles
        ) as running,
    ):
        yield running


def samples(server: RunningServer, run_id: str) -> dict[str, str]:
    """Subjects of the run's samples by tool."""
    items = server.json("/api/reviews", kind="sample")["items"]
    return {item["tool"]: item["subject"] for item in items if item["run_id"] == run_id}


def test_r_pol_5_calls_without_an_effect_are_actions_too(server: RunningServer, replies: list[Any]) -> None:
    replies[:] = [Reply(calls=(LOOKUP,)), Reply(text="Order found.")]

    done = server.chat("look", agent="ticket_desk")[-1]

    assert done["status"] == "succeeded"
    drawn = samples(server, done["run_id"])
    assert set(drawn) == {"order_lookup"}
    assert "A-1001" in drawn["order_lookup"]


def test_r_pol_5_a_refund_of_a_run_that_reached_its_bound_is_drawn(server: RunningServer, replies: list[Any]) -> None:
    replies[:] = [Reply(calls=(refund("A-1006"),)), Reply(calls=(LOOKUP,) * 3), Reply(text="ok")]

    done = server.chat("refund", agent="ticket_desk")[-1]

    assert done["status"] == "limited"
    assert "issue_refund" in samples(server, done["run_id"])


def test_r_pol_5_a_refund_of_a_run_that_its_user_stopped_is_drawn(server: RunningServer, replies: list[Any]) -> None:
    replies[:] = [Reply(calls=(refund("A-1002"),)), 4.0, Reply(text="ok")]
    assert server.json("/api/audit")["items"] == [], "also opens the connections both threads use"
    heard: list[dict[str, Any]] = []
    asking = threading.Thread(target=lambda: heard.extend(server.chat("refund", agent="ticket_desk")))
    asking.start()
    deadline = time.monotonic() + 20
    while not server.json("/api/audit", tool="issue_refund", outcome="ok")["items"] and time.monotonic() < deadline:
        time.sleep(0.1)
    (row,) = server.json("/api/audit", tool="issue_refund", outcome="ok")["items"]
    server.client.post(f"/api/runs/{row['run_id']}/cancel", params={"user_name": server.user})
    asking.join()

    assert heard[-1]["status"] == "cancelled"
    assert "issue_refund" in samples(server, row["run_id"])


def test_r_pol_5_what_was_done_before_a_question_is_drawn_when_the_question_is_withdrawn(
    server: RunningServer, replies: list[Any]
) -> None:
    mail = ("send_email", {"to": "a@example.org", "subject": "s", "body": "b"})
    replies[:] = [Reply(calls=(LOOKUP,)), Reply(calls=(mail,))]
    frames = server.chat("mail", agent="ticket_desk")
    assert of_type(frames, "interrupt")
    run_id = frames[0]["run_id"]
    assert samples(server, run_id) == {}, "it is not over"

    server.client.post(f"/api/runs/{run_id}/cancel", params={"user_name": server.user})
    server.await_run(run_id, "cancelled")

    assert set(samples(server, run_id)) == {"order_lookup"}, "what a person was asked about is none"


def test_r_pol_5_the_shipped_agents_with_effects_have_a_rate() -> None:
    for name in ("ticket_desk", "ventilation"):
        assert "sampling_rate = 0.1" in (PROFILES / f"{name}.toml").read_text("utf-8")
