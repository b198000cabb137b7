"""Scenario files: what may stand in them, and that the shipped one holds what it must."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from config import PROJECT_ROOT
from evals.scenario import Edit, Rejection, ScenarioError, ScenarioFile, load_scenarios
from extensions.ticket_desk.store import demo_seed

SHIPPED = load_scenarios(PROJECT_ROOT / "evals" / "ticket_desk.json")


def write(tmp_path: Path, *scenarios: dict[str, Any], **meta: Any) -> Path:
    file = tmp_path / "f.json"
    file.write_text(json.dumps({"meta": meta, "scenarios": scenarios}), encoding="utf-8")
    return file


def test_everything_has_the_default_of_the_format(tmp_path: Path) -> None:
    known = load_scenarios(write(tmp_path, {"user_text": "hi", "expect": {}, "tag": "remark"}))

    (scenario,) = known.scenarios
    assert (scenario.id, scenario.agent, scenario.modes) == ("#1", "ticket_desk", ("scripted",))
    assert (scenario.expect.trajectory, scenario.expect.outcome) == (None, None)
    assert known.meta.store.approval is None


def test_amounts_are_exact_and_approvals_have_four_forms(tmp_path: Path) -> None:
    order = {"customer": "c", "total": 79.9, "eligible": True, "refundable": 49.9, "issue_refund_fails_with": "no"}
    approvals = ["approve", "reject", {"reject": "why"}, {"edit": {"amount": 19.9}}]
    known = load_scenarios(
        write(
            tmp_path,
            {"user_text": "hi", "approvals": approvals, "expect": {}},
            store={"orders": {"X": order}, "limits": {"max_cost_per_run_usd": 0.3}},
        )
    )

    assert known.meta.store.orders["X"].refundable == Decimal("49.9")
    assert known.meta.store.limits.max_cost_per_run_usd == Decimal("0.3")
    assert known.scenarios[0].approvals == (
        "approve",
        "reject",
        Rejection(reject="why"),
        Edit(edit={"amount": Decimal("19.9")}),
    )


def test_what_a_file_says_beside_the_format_is_left_alone(tmp_path: Path) -> None:
    order = {
        "customer": "c",
        "total": "5.00",
        "eligible": True,
        "refundable": 5,
        "note": "x",
        "issue_refund_fails_with": {"code": 7},
    }
    turns = [{"text": ""}, {"text": "x", "subagent": [], "why": "y"}]
    known = load_scenarios(
        write(tmp_path, {"user_text": "hi", "scripted_model": turns, "expect": {}}, store={"orders": {"X": order}})
    )

    seed = known.meta.store.seed(demo_seed())
    assert (seed.orders["X"].total, seed.orders["X"].issue_refund_fails_with) == (Decimal(5), "{'code': 7}")
    assert seed.articles == demo_seed().articles
    assert [turn.text for turn in known.scenarios[0].scripted_model] == ["", "x"]


@pytest.mark.parametrize(
    ("scenario", "named"),
    [
        ({"expect": {}}, "user_text"),
        ({"user_text": "hi"}, "expect"),
        ({"user_text": "hi", "expect": {}, "modes": ["mock"]}, "modes"),
        ({"user_text": "hi", "expect": {}, "scripted_model": [{}]}, "neither text nor tool_calls"),
        ({"user_text": "hi", "expect": {}, "scripted_model": [{"text": "x", "subagent": [{"text": "y"}]}]}, "task"),
        ({"user_text": "hi", "expect": {}, "approvals": ["maybe"]}, "approvals"),
    ],
)
def test_a_wrong_scenario_is_refused_by_file_and_place(tmp_path: Path, scenario: dict[str, Any], named: str) -> None:
    with pytest.raises(ScenarioError, match=named) as caught:
        load_scenarios(write(tmp_path, scenario))

    assert "f.json" in str(caught.value)


@pytest.mark.parametrize("text", ["{", "[]", '{"scenarios": []}'])
def test_what_is_no_scenario_file_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "f.json").write_text(text, encoding="utf-8")

    with pytest.raises(ScenarioError, match=r"f\.json"):
        load_scenarios(tmp_path / "f.json")


def test_ids_stand_once(tmp_path: Path) -> None:
    case = {"id": "a", "user_text": "hi", "expect": {}}

    with pytest.raises(ScenarioError, match="twice"):
        load_scenarios(write(tmp_path, case, case))


def by_id(known: ScenarioFile = SHIPPED) -> dict[str, Any]:
    return {scenario.id: scenario for scenario in known.scenarios}


@pytest.mark.parametrize("identity", ["hard_04", "hard_06"])
def test_r_grd_1_the_recorded_failures_are_scenarios(identity: str) -> None:
    case = by_id()[identity]

    assert case.expect.trajectory == ("order_lookup", "refund_eligibility")
    assert case.expect.outcome == "escalated"
    assert case.scripted_model[-1].text.startswith("REFUND_PROPOSED")
    assert "refund.issued" in case.expect.final_text_must_not_claim


def test_the_shipped_file_covers_what_the_desk_can_meet_in_both_languages() -> None:
    scenarios = SHIPPED.scenarios
    assert len(scenarios) >= 40
    chinese = [s for s in scenarios if re.search("[\u4e00-\u9fff]", s.user_text)]
    assert 0.35 < len(chinese) / len(scenarios) < 0.65
    assert {s.expect.outcome for s in scenarios} == {"resolved", "refund_proposed", "escalated", "limited"}
    kinds = {type(a).__name__ if not isinstance(a, str) else a for s in scenarios for a in s.approvals}
    assert kinds == {"approve", "reject", "Rejection", "Edit"}
    assert sum(any(turn.subagent for turn in s.scripted_model) for s in scenarios) >= 5
    called = {call.name for s in scenarios for turn in s.scripted_model for call in turn.tool_calls}
    assert called >= {"order_lookup", "refund_eligibility", "issue_refund", "kb_search", "send_email", "task"}


def test_what_is_escalated_before_the_model_has_no_script_and_no_trajectory() -> None:
    cases = [s for s in SHIPPED.scenarios if s.id.startswith("esc_") and "near_miss" not in s.id]

    assert len(cases) >= 6
    assert all(s.scripted_model == () and s.expect.trajectory == () and s.expect.outcome == "escalated" for s in cases)
