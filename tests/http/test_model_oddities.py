"""Whatever a model sends: each stream ends with `done`, each call has its result, and the session goes on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.model_server import Reply, written_model
from tests.support.server import RunningServer, live_settings, of_type, running_server, text_of

NESTED = '{"expression": ' + "[" * 300 + "]" * 300 + "}"
ODDITIES = {
    "half": Reply(pieces=("风\ud83d", "\ude00量")),
    "lone": Reply(pieces=("风\ud83d",)),
    "negative": Reply(text="好", usage={"prompt_tokens": -5, "completion_tokens": 7}),
    "endless-figures": Reply(text="好", usage={"prompt_tokens": 10**30, "completion_tokens": 7}),
    "argument": Reply(calls=(("math_evaluate", '{"expression": "\\ud800"}'),)),
    "key": Reply(calls=(("math_evaluate", '{"\\ud800": 1}'),)),
    "large": Reply(calls=(("math_evaluate", f'{{"expression": {"9" * 40}}}'),)),
    "nested": Reply(calls=(("math_evaluate", NESTED),)),
    "name": Reply(calls=(("a\ud800", {}),)),
    "broken": Reply(calls=(("math_evaluate", "no json"),)),
    "empty": Reply(pieces=("",)),
    "page": Reply(page="<html>login</html>"),
}


def script(body: dict[str, Any]) -> Reply:
    asked = [message["content"] for message in body["messages"] if message["role"] == "user"][-1]
    if body["messages"][-1]["role"] == "tool":
        return Reply(text="完成")
    return ODDITIES.get(asked, Reply(text="照常"))


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with (
        written_model(script) as model,
        running_server(tmp_path_factory.mktemp("odd"), **live_settings(model.base_url)) as server,
    ):
        yield server


@pytest.mark.parametrize("case", ODDITIES)
def test_a_turn_ends_and_the_session_goes_on(odd: RunningServer, case: str) -> None:
    frames = odd.chat(case)
    session_id = frames[0]["session_id"]

    assert [frame["seq"] for frame in frames] == list(range(1, len(frames) + 1))
    assert frames[-1]["type"] == "done"
    assert [c["tool_call_id"] for c in of_type(frames, "tool_call")] == [
        r["tool_call_id"] for r in of_type(frames, "tool_result")
    ]
    assert frames[-1]["usage"]["calls"] == len(of_type(frames, "usage"))
    assert (
        odd.messages(session_id)[1]["status"]
        == frames[-1]["status"]
        == odd.await_run(frames[0]["run_id"], "succeeded", "failed")["status"]
    )
    assert (frames[-1]["status"] == "failed") == bool(of_type(frames, "error")) == (case in {"empty", "page"})
    assert text_of(odd.chat("下一问", session_id=session_id)).strip() == "照常"


def test_a_character_cut_between_two_pieces_arrives_whole(odd: RunningServer) -> None:
    frames = odd.chat("half")

    assert text_of(frames) == "风😀量"
    assert odd.messages(frames[0]["session_id"])[1]["content"] == "风😀量"
