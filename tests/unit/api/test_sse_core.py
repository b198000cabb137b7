"""From the framework's stream to events: channels are split, everything is said once and in order."""

from __future__ import annotations

from typing import Any

from langchain_core.messages import AIMessage, AIMessageChunk, HumanMessage, ToolMessage
from langgraph.types import Interrupt

from api.source_tracker import SourceTracker
from api.sse_core import RunMemory, StreamSplitter
from api.sse_events import EventType
from api.tool_cards import ToolCards

Event = tuple[str, dict[str, Any]]


class Recorder:
    """Takes events the way a run's log does."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def __call__(self, event: EventType, /, **fields: Any) -> int:
        self.events.append((event.value, fields))
        return len(self.events)

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [fields for event, fields in self.events if event == kind]

    @property
    def kinds(self) -> list[str]:
        return [event for event, _ in self.events]


def make_splitter(memory: RunMemory | None = None, denied: tuple[str, ...] = ()) -> tuple[StreamSplitter, Recorder]:
    recorder = Recorder()
    splitter = StreamSplitter(
        recorder, cards=ToolCards(()), sources=SourceTracker(), memory=memory or RunMemory(), denied=denied
    )
    return splitter, recorder


def chunk(text: str, *, message_id: str = "m1", **more: Any) -> dict[str, Any]:
    return message(AIMessageChunk(content=text, id=message_id, **more))


def message(content: Any, ns: tuple[str, ...] = (), **metadata: Any) -> dict[str, Any]:
    return {"type": "messages", "ns": ns, "data": (content, {"langgraph_node": "model", **metadata})}


def update(node: str, *messages: Any, ns: tuple[str, ...] = (), **more: Any) -> dict[str, Any]:
    return {"type": "updates", "ns": ns, "data": {node: {"messages": list(messages), **more}}}


def calling(*ids: str, text: str = "", message_id: str = "m1", name: str = "math_evaluate") -> AIMessage:
    calls = [{"name": name, "args": {"n": call_id}, "id": call_id, "type": "tool_call"} for call_id in ids]
    return AIMessage(text, id=message_id, tool_calls=calls)


def answer(call_id: str, content: str = "{}", **more: Any) -> ToolMessage:
    return ToolMessage(content, tool_call_id=call_id, name="math_evaluate", **more)


def test_text_comes_as_tokens_with_their_place_and_then_as_a_whole() -> None:
    splitter, seen = make_splitter()

    splitter.feed(chunk("需风量"))
    splitter.feed(chunk("𠀀合格"))
    splitter.feed(update("model", AIMessage("需风量𠀀合格", id="m1")))

    assert seen.events == [
        ("token", {"content": "需风量", "message_id": "m1", "offset": 0}),
        ("token", {"content": "𠀀合格", "message_id": "m1", "offset": 3}),
        ("message", {"message_id": "m1", "content": "需风量𠀀合格", "covers": [1, 2]}),
    ]
    assert (splitter.message_id, splitter.texts, splitter.partial) == ("m1", ["需风量𠀀合格"], None)


def test_r_pit_5_a_tool_message_never_becomes_text() -> None:
    splitter, seen = make_splitter()
    splitter.feed(update("model", calling("c1")))

    splitter.feed(message(answer("c1", '{"ok": true, "data": 813.6}'), langgraph_node="tools"))

    assert seen.kinds == ["tool_call", "tool_result"]


def test_r_pit_5_the_summarisers_words_never_become_text() -> None:
    splitter, seen = make_splitter()

    splitter.feed(message(AIMessageChunk(content="摘要", id="s"), lc_source="summarization"))
    splitter.feed(update("model", _summarization_event={"file": "x"}))

    assert seen.events == []
    assert splitter.is_compacted


def test_r_pit_5_what_a_sub_agent_says_never_becomes_text() -> None:
    splitter, seen = make_splitter()

    splitter.feed(message(AIMessageChunk(content="内部讨论", id="s1"), ns=("tools:t1",)))
    splitter.feed(update("model", AIMessage("内部讨论", id="s1"), ns=("tools:t1",)))

    assert seen.events == []


def test_human_messages_are_not_repeated() -> None:
    splitter, seen = make_splitter()

    splitter.feed(message(HumanMessage("你好", id="h1")))

    assert seen.events == []


def test_a_model_that_does_not_stream_is_still_read_from_a_token() -> None:
    splitter, seen = make_splitter()

    splitter.feed(message(AIMessage("一次给出", id="m1")))
    splitter.feed(update("model", AIMessage("一次给出", id="m1")))

    assert seen.kinds == ["token", "message"]


def test_thinking_is_kept_apart_from_text() -> None:
    splitter, seen = make_splitter()

    splitter.feed(chunk("", additional_kwargs={"reasoning_content": "先看"}))
    splitter.feed(chunk("", additional_kwargs={"reasoning_content": "计划"}))
    splitter.feed(chunk("结论"))

    assert [(kind, fields["content"], fields["offset"]) for kind, fields in seen.events] == [
        ("reasoning", "先看", 0),
        ("reasoning", "计划", 2),
        ("token", "结论", 0),
    ]


def test_r_pit_12_each_call_is_announced_once_with_all_its_arguments_and_answered_once() -> None:
    splitter, seen = make_splitter()

    splitter.feed(chunk("我来算"))
    splitter.feed(update("model", calling("c1", "c2", text="我来算")))
    splitter.feed(message(answer("c2", "二")))
    splitter.feed(update("tools", answer("c2", "二")))
    splitter.feed(update("tools", answer("c1", "一")))
    splitter.feed(message(answer("c1", "一")))

    assert seen.kinds == ["token", "message", "tool_call", "tool_call", "tool_result", "tool_result"]
    assert [call["args"] for call in seen.of("tool_call")] == [{"n": "c1"}, {"n": "c2"}]
    assert [(result["tool_call_id"], result["content"]) for result in seen.of("tool_result")] == [
        ("c2", "二"),
        ("c1", "一"),
    ]
    assert splitter.open_calls == []


def test_results_of_earlier_turns_in_a_repaired_history_are_not_announced() -> None:
    splitter, seen = make_splitter()

    splitter.feed(update("PatchToolCallsMiddleware.before_agent", AIMessage("旧的", id="old"), answer("old-call")))

    assert seen.events == []


def test_a_resumed_run_announces_no_earlier_message_or_call_again() -> None:
    memory = RunMemory.of_frames(
        [
            {"type": "message", "message_id": "m1", "content": "好"},
            {"type": "tool_call", "tool_call_id": "c1", "name": "plan_submit"},
            {"type": "tool_call", "tool_call_id": "c2", "name": "math_evaluate"},
            {"type": "tool_result", "tool_call_id": "c2", "status": "ok"},
        ]
    )
    splitter, seen = make_splitter(memory)

    splitter.feed(update("HumanInTheLoopMiddleware.after_model", calling("c1", "c2", text="请批准")))
    splitter.feed(update("tools", answer("c2"), answer("c1")))

    assert seen.kinds == ["tool_result"]
    assert seen.of("tool_result")[0]["tool_call_id"] == "c1"


def test_a_rejected_call_is_denied_not_failed() -> None:
    splitter, seen = make_splitter(RunMemory(calls={"c1": "plan_submit"}), denied=("c1",))

    splitter.feed(update("HumanInTheLoopMiddleware.after_model", answer("c1", "用户驳回", status="error")))

    assert seen.of("tool_result")[0]["status"] == "denied"


def test_a_result_says_how_it_went() -> None:
    splitter, seen = make_splitter(RunMemory(calls=dict.fromkeys(("a", "b", "c", "d"), "x_y")))

    splitter.feed(update("tools", answer("a", '{"ok": true}')))
    splitter.feed(update("tools", answer("b", '{"ok": false, "error": "没有文件"}')))
    splitter.feed(update("tools", answer("c", '{"ok": false, "code": "timeout"}', status="error")))
    splitter.feed(update("tools", answer("d", "Error", status="error")))

    assert [result["status"] for result in seen.of("tool_result")] == ["ok", "error", "timeout", "error"]


def test_a_long_result_is_cut_and_says_where_the_whole_is() -> None:
    splitter, seen = make_splitter(RunMemory(calls={"c1": "x_y"}))
    payload = {"ok": True, "data": {"note": "x", "review_path": "/workspace/outputs/airflow/1-review.json"}}

    splitter.feed(update("tools", answer("c1", "长" * 4001, artifact=payload)))

    (result,) = seen.of("tool_result")
    assert (len(result["content"]), result["truncated"]) == (4000, True)
    assert result["data_path"] == "/workspace/outputs/airflow/1-review.json"


def test_a_path_outside_the_workspace_is_not_passed_on() -> None:
    splitter, seen = make_splitter(RunMemory(calls={"c1": "x_y"}))

    splitter.feed(update("tools", answer("c1", '{"ok": true, "data": {"key_path": "/etc/passwd"}}')))

    assert seen.of("tool_result")[0]["data_path"] is None


def test_the_plan_of_the_agent_is_shown() -> None:
    splitter, seen = make_splitter()

    splitter.feed(update("tools", todos=[{"content": "解析计划", "status": "in_progress", "id": 3}]))

    assert seen.of("todo") == [{"items": [{"content": "解析计划", "status": "in_progress"}]}]


def test_an_interrupt_is_noticed_once_for_all() -> None:
    splitter, seen = make_splitter()
    part = {"type": "updates", "ns": ("tools:t1",), "data": {"__interrupt__": (Interrupt(value={}, id="i1"),)}}

    splitter.feed(part)
    splitter.feed({**part, "ns": ()})

    assert splitter.is_interrupted
    assert seen.events == []


def test_calls_of_a_sub_agent_name_the_call_that_opened_it() -> None:
    splitter, seen = make_splitter()
    splitter.feed(update("model", calling("task-1", name="task")))
    splitter.feed({"type": "tasks", "ns": (), "data": {"id": "t1", "name": "tools", "input": [{"id": "task-1"}]}})

    splitter.feed(update("model", calling("inner", message_id="s1"), ns=("tools:t1",)))
    splitter.feed(update("tools", answer("inner"), ns=("tools:t1",)))

    assert seen.events[-2][1]["agent_path"] == ["task-1"]
    assert seen.events[-1][1]["agent_path"] == ["task-1"]
    assert "agent_path" not in seen.of("tool_call")[0]


def test_a_message_that_was_cut_is_kept_as_far_as_it_was_shown() -> None:
    splitter, seen = make_splitter()
    splitter.feed(chunk("说到一"))

    assert splitter.finish_partial() == ("m1", "说到一")
    assert seen.of("message") == [{"message_id": "m1", "content": "说到一", "covers": [1, 1]}]
    assert splitter.finish_partial() is None


def test_an_open_call_gets_exactly_one_result_when_the_turn_is_cut() -> None:
    splitter, seen = make_splitter()
    splitter.feed(update("model", calling("c1", "c2")))
    splitter.feed(update("tools", answer("c1")))

    for call_id in (*splitter.open_calls, "c1", "unknown"):
        splitter.answer_call(call_id, status="cancelled", content="已由用户停止。")

    assert [(r["tool_call_id"], r["status"]) for r in seen.of("tool_result")] == [("c1", "ok"), ("c2", "cancelled")]


def test_a_character_cut_between_two_pieces_arrives_whole() -> None:
    splitter, seen = make_splitter()

    for piece in ("风\ud83d", "\ude00量", "\ude00"):
        splitter.feed(chunk(piece))
    splitter.feed(update("model", AIMessage("风😀量\ufffd", id="m1")))

    tokens = seen.of("token")
    assert [(token["content"], token["offset"]) for token in tokens] == [("风", 0), ("😀量", 1), ("\ufffd", 3)]
    assert seen.of("message")[0]["content"] == "".join(token["content"] for token in tokens)


def test_half_a_character_at_the_very_end_is_shown_as_unknown() -> None:
    splitter, seen = make_splitter()

    splitter.feed(chunk("风\ud83d"))
    splitter.feed(update("model", AIMessage("风\ufffd", id="m1")))

    assert [token["content"] for token in seen.of("token")] == ["风", "\ufffd"]


def test_updates_without_content_do_no_harm() -> None:
    splitter, seen = make_splitter()

    splitter.feed({"type": "updates", "ns": (), "data": {"x.before_agent": None}})
    splitter.feed({"type": "custom", "ns": (), "data": {"progress": 1}})

    assert seen.events == []
