"""Frames folded for the history say the same as the stream did, in the same order."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from api.history import cut_message, fold, make_title, text_of


def token(seq: int, content: str, message_id: str = "m1") -> dict[str, Any]:
    return {"type": "token", "seq": seq, "content": content, "message_id": message_id, "offset": 0}


def whole(seq: int, content: str, message_id: str = "m1", covers: tuple[int, ...] = (1, 2)) -> dict[str, Any]:
    return {"type": "message", "seq": seq, "content": content, "message_id": message_id, "covers": list(covers)}


CALL = {"type": "tool_call", "seq": 4, "tool_call_id": "c1", "name": "n"}


def test_tokens_become_one_message_where_the_first_of_them_stood() -> None:
    parts = fold(
        [token(1, "我来"), token(2, "算"), whole(3, "我来算"), CALL, token(5, "得", "m2"), whole(6, "得", "m2")]
    )

    assert [(part["type"], part.get("content")) for part in parts] == [
        ("message", "我来算"),
        ("tool_call", None),
        ("message", "得"),
    ]
    assert [part["seq"] for part in parts] == [1, 4, 5]


def test_a_message_that_was_cut_is_as_long_as_it_was_shown() -> None:
    (part,) = fold([token(1, "说到"), token(2, "一半")])

    assert (part["type"], part["content"]) == ("message", "说到一半")


def test_thinking_is_folded_and_stays_apart() -> None:
    thought = {"type": "reasoning", "seq": 1, "content": "先看", "message_id": "m1", "offset": 0}

    parts = fold([thought, {**thought, "seq": 2, "content": "计划"}, token(3, "结论"), whole(4, "结论")])

    assert [(part["type"], part["content"]) for part in parts] == [("reasoning", "先看计划"), ("message", "结论")]


def test_the_stream_is_left_as_it_was() -> None:
    frames = [token(1, "a"), token(2, "b")]

    fold(frames)

    assert [frame["content"] for frame in frames] == ["a", "b"]


@given(st.lists(st.tuples(st.sampled_from(["m1", "m2"]), st.text(min_size=1, max_size=5)), max_size=20))
def test_no_text_is_lost_or_doubled(pieces: list[tuple[str, str]]) -> None:
    parts = fold([token(seq, text, name) for seq, (name, text) in enumerate(pieces, start=1)])

    for name in ("m1", "m2"):
        said = "".join(text for owner, text in pieces if owner == name)
        assert "".join(part["content"] for part in parts if part["message_id"] == name) == said


def test_the_text_of_a_turn_is_its_messages() -> None:
    assert text_of(fold([token(1, "甲"), CALL, token(5, "乙", "m2")])) == "甲\n\n乙"


def test_a_log_that_ends_in_the_middle_of_a_message_names_what_is_missing() -> None:
    frames = [token(1, "完"), whole(2, "完"), token(3, "半", "m2"), token(5, "句", "m2")]

    assert cut_message(frames) == {"message_id": "m2", "content": "半句", "covers": [3, 5]}
    assert cut_message(frames[:2]) is None


def test_r_lay_8_a_title_is_made_by_cutting() -> None:
    assert make_title("  请审查\n计划 ", ()) == "请审查 计划"
    assert make_title("长" * 100, ()) == "长" * 29 + "…"
    assert make_title("", ("配风计划.pdf", "测风报表.xlsx")) == "配风计划.pdf、测风报表.xlsx"
    assert make_title("", ()) == "新会话"
