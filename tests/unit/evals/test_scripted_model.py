"""The scripted model finds its place in every conversation: the agent's, each worker's, and one that asks again."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from evals.scenario import Expectation, Scenario, ScriptedTurn
from evals.scripted_model import SCRIPT_ENDED, ScriptedModel, scripted_model


def scenario(*turns: dict[str, Any], user_text: str = "Refund A-1") -> Scenario:
    script = tuple(ScriptedTurn.model_validate(turn) for turn in turns)
    return Scenario(user_text=user_text, scripted_model=script, expect=Expectation())


def request(opening: str, answers: int = 0, *, has_task: bool = False) -> dict[str, Any]:
    """What a conversation looks like after so many answers of the model."""
    answered = [{"role": "assistant", "content": "…"}, {"role": "tool", "content": "{}"}] * answers
    tools = [
        {"type": "function", "function": {"name": name}} for name in ["order_lookup", *(["task"] if has_task else [])]
    ]
    return {
        "messages": [{"role": "system", "content": "s"}, {"role": "user", "content": opening}, *answered],
        "tools": tools,
    }


def playing(*turns: dict[str, Any]) -> ScriptedModel:
    model = ScriptedModel()
    model.play(scenario(*turns))
    return model


CALL = {"tool_calls": [{"name": "order_lookup", "args": {"order_id": "A-1", "amount": 19.9}}]}
TASK = {
    "tool_calls": [{"name": "task", "args": {"description": "do it", "subagent_type": "refund_worker"}}],
    "subagent": [CALL, {"text": "worker done"}],
}


def test_turns_come_in_order_and_a_repeated_request_gets_the_same_turn() -> None:
    model = playing(CALL, {"text": "done"})

    first, again = model.answer(request("Refund A-1")), model.answer(request("Refund A-1"))
    last = model.answer(request("Refund A-1", 1))

    assert first.calls == again.calls == (("order_lookup", '{"order_id": "A-1", "amount": 19.9}'),)
    assert "".join(last.pieces) == last.text == "done"
    assert (model.calls, model.beyond) == (3, 0)


def test_after_the_end_the_last_text_comes_again_and_is_counted() -> None:
    model = playing(CALL, {"text": "done"})

    assert model.answer(request("Refund A-1", 2)).text == "done"
    assert model.beyond == 1
    assert playing().answer(request("Refund A-1")).text == SCRIPT_ENDED


@pytest.mark.parametrize("description", ["do it", "Refund A-1"], ids=["other words", "the user's own words"])
def test_a_worker_has_a_script_of_its_own(description: str) -> None:
    task = {**TASK, "tool_calls": [{"name": "task", "args": {"description": description}}]}
    model = playing(task, {"text": "agent done"})

    assert model.answer(request("Refund A-1", 0, has_task=True)).calls[0][0] == "task"
    assert model.answer(request(description, 0)).calls[0][0] == "order_lookup"
    assert model.answer(request(description, 1)).text == "worker done"
    assert model.answer(request("Refund A-1", 1, has_task=True)).text == "agent done"
    assert model.beyond == 0


def test_a_new_scenario_forgets_the_old_one() -> None:
    model = playing(TASK)
    model.answer(request("Refund A-1", 0, has_task=True))
    model.answer(request("do it", 5))

    model.play(scenario({"text": "new"}, user_text="Other"))

    assert (model.calls, model.beyond) == (0, 0)
    assert model.answer(request("Other")).text == "new"


def test_it_is_served_with_the_usage_of_the_script() -> None:
    turn = {"text": "Guten Tag, schöne Grüße", "usage": {"input_tokens": 1234, "output_tokens": 5}}
    with scripted_model() as model:
        model.play(scenario(turn))
        body = {**request("Refund A-1"), "model": "scripted"}
        answer = httpx.post(f"{model.base_url}/chat/completions", json=body, trust_env=False).json()

    assert answer["choices"][0]["message"]["content"] == turn["text"]
    assert answer["usage"] == {"prompt_tokens": 1234, "completion_tokens": 5, "total_tokens": 1239}
