"""Where the frames say that a guard stepped in: code points of the message, so that a page can mark the place."""

from __future__ import annotations

import re
from typing import Any, Final

import pytest
from langchain_core.messages import AIMessage, AIMessageChunk
from typing_extensions import override

from api.answer_check import Finding
from api.answer_guard import AnswerGuard, GuardedMessage
from api.source_tracker import SourceTracker
from api.sse_core import RunMemory, StreamSplitter
from api.sse_events import EventType
from api.tool_cards import ToolCards

BAD = re.compile("坏话[0-9]")


class Blocked:
    """Replaces a sentence with 坏话."""

    guard: Final = "outcome"

    def __call__(self, text: str, start: int) -> Finding | None:
        found = BAD.search(text, start)
        if found is None:
            return None
        spans = ({"start": 0, "end": len(text) - start, "reason": "x"},)
        return Finding(
            guard="outcome", verdict="blocked", code="x", instead=f"【更正】{found.group()[-1]}。", spans=spans
        )


class Unverified:
    """Marks the number 777; breaks at 999."""

    guard: Final = "response"

    def __call__(self, text: str, start: int) -> Finding | None:
        if "999" in text[start:]:
            raise ValueError("broken")
        at = text.find("777", start)
        if at < 0:
            return None
        spans = ({"start": at - start, "end": at - start + 3, "reason": "y"},)
        return Finding(guard="response", verdict="unverified", code="y", mark="（未核验）", spans=spans)


class Guards(AnswerGuard):
    """Checks by these two."""

    @override
    def open(self, message_id: str, *, may_reject: bool = False) -> GuardedMessage:
        return GuardedMessage(message_id, [Blocked(), Unverified()], None, self.clock, self.on_failure)


def frames_of(text: str, *, seconds_each: float = 0.0, kind: type[Guards] = Guards) -> list[dict[str, Any]]:
    """The frames of one message that is streamed character by character, `seconds_each` apart."""
    frames: list[dict[str, Any]] = []
    now = [0.0]

    def emit(event: EventType, /, **fields: Any) -> int:
        frames.append({"type": event.value, **fields})
        return len(frames)

    guard = kind(claims=None, numbers=None, lexicon=None, on_failure=lambda _: None, clock=lambda: now[0])
    splitter = StreamSplitter(emit, cards=ToolCards(()), sources=SourceTracker(), memory=RunMemory(), guard=guard)
    for char in text:
        now[0] += seconds_each
        splitter.feed({"ns": (), "type": "messages", "data": (AIMessageChunk(id="m", content=char), {})})
    splitter.feed({"ns": (), "type": "updates", "data": {"model": {"messages": [AIMessage(id="m", content=text)]}}})
    return frames


def marked(frames: list[dict[str, Any]]) -> list[str]:
    """What of the final text the `guard` frames point at."""
    (message,) = [frame for frame in frames if frame["type"] == "message"]
    guards = [frame for frame in frames if frame["type"] == "guard" and frame["code"] != "held_too_long"]
    return [message["content"][span["start"] : span["end"]] for frame in guards for span in frame["spans"]]


def test_r_grd_3_a_guard_names_the_place_of_the_correction_and_of_the_number_in_the_message() -> None:
    frames = frames_of("好的，先说一句。坏话1在这里。\n\n风量 777 立方。再有坏话2，完。读数 999。末。")

    assert marked(frames) == ["【更正】1。", "777", "【更正】2。", "（未核验）"]
    assert [frame for frame in frames if frame["type"] == "correction"] == []


def test_r_grd_3_a_late_correction_names_the_place_of_what_had_been_shown() -> None:
    frames = frames_of("先说一句。坏话1慢慢说完。风量777。坏话2也慢。末句。", seconds_each=1.0)

    assert marked(frames) == ["【更正】1。", "777", "【更正】2。"]
    (correction,) = [frame for frame in frames if frame["type"] == "correction"]
    assert correction["content"] == "先说一句。【更正】1。风量777。（未核验）【更正】2。末句。"
    text = "先说一句。坏话1慢慢说完。风量777。坏话2也慢。末句。"
    for span in reversed(correction["spans"]):
        text = text[: span["start"]] + span["replacement"] + text[span["end"] :]
    assert text == correction["content"], "its spans turn what was shown into what stands there now"


@pytest.mark.parametrize("seconds_each", [0.0, 1.0], ids=["held", "late"])
def test_the_mark_of_a_tables_row_stands_in_its_last_cell_where_it_is_seen(seconds_each: float) -> None:
    frames = frames_of("读数：\n\n| 项目 | 值 |\n|---|---|\n| 风量 | 777 立方 |\n\n末句。", seconds_each=seconds_each)

    (message,) = [frame for frame in frames if frame["type"] == "message"]
    assert "| 风量 | 777 立方（未核验） |\n" in message["content"]
    assert marked(frames) == ["777"]


class SecondTime:
    """Replaces the second sentence of the same words: what stands above it decides, not what it says."""

    guard: Final = "response"

    def __call__(self, text: str, start: int) -> Finding | None:
        if "风量 5" not in text[start:] or "副井" not in text[:start]:
            return None
        return Finding(guard="response", verdict="blocked", code="x", instead="【已拦截】")


class SecondTimeGuards(Guards):
    @override
    def open(self, message_id: str, *, may_reject: bool = False) -> GuardedMessage:
        return GuardedMessage(message_id, [SecondTime(), Unverified()], None, self.clock, self.on_failure)


@pytest.mark.parametrize(("seconds_each", "kept"), [(0.0, "风量 "), (1.0, "")], ids=["held", "late"])
def test_of_two_sentences_of_the_same_words_the_judged_one_is_replaced(seconds_each: float, kept: str) -> None:
    said = "主井：\n风量 5 立方每分钟，正常。\n副井：\n风量 5 立方每分钟，正常。\n末句。"
    frames = frames_of(said, seconds_each=seconds_each, kind=SecondTimeGuards)

    (message,) = [frame for frame in frames if frame["type"] == "message"]
    assert message["content"] == f"主井：\n风量 5 立方每分钟，正常。\n副井：\n{kept}【已拦截】\n末句。"
    assert marked(frames) == ["【已拦截】"]


def test_r_grd_3_a_late_correction_keeps_the_order_of_the_contract_and_offsets_of_the_message() -> None:
    text = "先说一句。坏话1慢慢说完。中间的话。坏话2也慢。末句。"
    frames = [frame for frame in frames_of(text, seconds_each=1.0) if frame["type"] != "usage"]

    waits = [frame for frame in frames if frame.get("code") == "held_too_long"]
    assert [frame["verdict"] for frame in waits] == ["unverified"] * len(waits)
    assert len(waits) >= 2
    frames = [frame for frame in frames if frame not in waits]
    kinds = [frame["type"] for frame in frames]
    first = kinds.index("guard")
    assert set(kinds[:first]) == {"token"}
    assert kinds[first:] == ["guard", "guard", "token", "correction", "message"]
    tokens = frames[:first]
    assert "".join(frame["content"] for frame in tokens) == text
    assert [frame["offset"] for frame in tokens] == [
        sum(len(one["content"]) for one in tokens[:at]) for at in range(len(tokens))
    ]
    (correction,) = [frame for frame in frames if frame["type"] == "correction"]
    assert [text[span["start"] : span["end"]] for span in correction["spans"]] == ["坏话1慢慢说完。", "坏话2也慢。"]


@pytest.mark.parametrize(("tail", "late"), [("坏话1" + "慢" * 450, True), ("坏话1，没说完", False)])
def test_r_grd_3_what_was_out_when_the_answer_broke_off_is_judged_too(tail: str, late: bool) -> None:
    frames: list[dict[str, Any]] = []

    def emit(event: EventType, /, **fields: Any) -> int:
        frames.append({"type": event.value, **fields})
        return len(frames)

    guard = Guards(claims=None, numbers=None, lexicon=None, on_failure=lambda _: None, clock=lambda: 0.0)
    splitter = StreamSplitter(emit, cards=ToolCards(()), sources=SourceTracker(), memory=RunMemory(), guard=guard)
    for char in f"先说一句。第1件：{tail}":
        splitter.feed({"ns": (), "type": "messages", "data": (AIMessageChunk(id="m", content=char), {})})
    kept = splitter.finish_partial()

    assert kept is not None
    assert "坏话" not in kept[1]
    verdicts = [frame["verdict"] for frame in frames if frame["type"] == "guard"]
    assert verdicts == (["unverified", "blocked"] if late else [])
    assert any(frame["type"] == "correction" for frame in frames) is late
