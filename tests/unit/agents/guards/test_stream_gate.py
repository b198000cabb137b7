"""Words flow, sentences with numbers or effects wait for their verdict, and how the stream was cut changes nothing."""

from __future__ import annotations

import random
import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.guards.claims.finder import find_claims
from agents.guards.sentences import find_end, sentences
from agents.guards.stream_gate import StreamGate
from tests.unit.agents.guards.governance_sets import LEXICON, cases

SAMPLE = (
    "您好，我来看看这个订单。退款128元已经办理，请查收！The fan ran at 3.5 m/s, e.g. in June. Then your money was refunded. "
    "No. 5 is fine... ok? WRONG 7 here; and more；\n| 列 | 值 |\n| a | 12 |\n- 半数\n1. first item\n收到\u200b。\uff11\uff12号“好。”twenty"
)


class Clock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


def verify(sentence):
    if "BROKEN" in sentence:
        raise RuntimeError("the guard is broken")
    return "【更正】" if "WRONG" in sentence else None


def gate(**more):
    return StreamGate(**{"hold_words": LEXICON.trigger_pattern, "verify": verify, "clock": Clock(), **more})


def run(chunks, **more):
    """Every released character with its state, and every sentence that was judged."""
    judged = []

    def judge(sentence):
        judged.append(sentence)
        return verify(sentence)

    opened = gate(verify=judge, **more)
    pieces = [piece for chunk in chunks for piece in opened.feed(chunk)] + opened.close()
    return [(char, piece.state) for piece in pieces for char in piece.text], judged


def cuts(text, places):
    edges = [0, *sorted(places), len(text)]
    return [text[a:b] for a, b in pairwise(edges)]


def test_every_cut_in_two_releases_the_same():
    whole = run([SAMPLE])

    assert all(run(cuts(SAMPLE, [place])) == whole for place in range(len(SAMPLE) + 1))


def test_character_by_character_releases_the_same():
    assert run(list(SAMPLE)) == run([SAMPLE])


def test_random_cuts_of_real_answers_release_the_same():
    chance = random.Random(7)
    for case in cases("claims_dev.json")[::4]:
        text = case["text"]
        whole = run([text])
        for _ in range(5):
            assert run(cuts(text, [chance.randrange(len(text) + 1) for _ in range(6)])) == whole


@settings(max_examples=400, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                "退款",
                "已",
                "3.5",
                "。",
                ". ",
                ".",
                "\n",
                "e.g. ",
                "WRONG",
                " ",
                "ref",
                "unded",
                "１",
                "\u200b",
                "”",
                "十",
                "BROKEN",
                "ok",
            ]
        )
        | st.text(max_size=3),
        max_size=25,
    ).map("".join),
    st.lists(st.integers(0, 80), max_size=8),
    st.integers(4, 30),
)
def test_any_cut_of_any_text_releases_the_same(text, places, most):
    cut = cuts(text, [min(place, len(text)) for place in places])

    assert run(cut, max_held_chars=most) == run([text], max_held_chars=most)


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=200))
def test_nothing_is_lost_or_added_where_nothing_is_wrong(text):
    opened = gate(verify=lambda _: None)
    pieces = [*opened.feed(text), *opened.close()]

    assert "".join(piece.text for piece in pieces) == text


@pytest.mark.parametrize(
    "numeral", ["7", "\uff17", "七", "柒", "seven", "Seven", "½", "٧", "②", "twelve", "百", "dozen", "s\u200beven"]
)
def test_a_numeral_of_any_script_holds_the_sentence(numeral):
    opened = gate()
    before = opened.feed("There are ")
    held = opened.feed(f"{numeral} fans in the drift")

    assert [piece.state for piece in before] == ["free"]
    assert "fans" not in "".join(piece.text for piece in held)
    assert [piece.state for piece in opened.feed(". ")] == ["verified"]


@pytest.mark.parametrize("words", ["您的退款已", "The money was refunded to", "Then I emailed the", "报告发布"])
def test_the_verb_of_an_effect_holds_the_sentence(words):
    opened = gate()
    opened.feed(words + " xx ")

    assert opened.held == 1


@pytest.mark.parametrize("name", ["claims_dev.json", "claims_own.jsonl"])
def test_no_claim_goes_out_before_it_was_judged(name):
    for case in cases(name):
        for claim in find_claims(case["text"], LEXICON):
            if claim.polarity == "done":
                _, judged = run([case["text"][claim.start : claim.end]])
                assert judged, case["text"]


def test_words_flow_before_anything_needs_a_verdict():
    opened = gate()
    shown = "".join(piece.text for piece in opened.feed("好的，我先看看这几份资料"))

    assert shown == "好的，我先看看这几"  # the newest characters wait for the word they may begin


def test_a_sentence_is_judged_whole_also_the_part_that_flowed():
    _, judged = run(["The fan moves 12 m³ of air. Fine."])

    assert judged == ["The fan moves 12 m³ of air."]


def test_a_wrong_sentence_is_replaced_from_where_it_was_held():
    released, _ = run(["Read this: WRONG 7 apples. Good."])

    assert "".join(char for char, _ in released) == "Read this: WRONG 【更正】 Good."


def test_a_guard_that_fails_costs_a_mark_and_not_the_answer():
    opened = gate()
    pieces = opened.feed("BROKEN 7。next")

    assert ("7。", "unverified") in [(piece.text, piece.state) for piece in pieces]
    assert opened.failures == 1


def test_a_long_sentence_is_released_unverified_and_judged_at_its_end():
    opened = gate(max_held_chars=10)
    out = opened.feed("共 7 个" + "很" * 30)

    assert {piece.state for piece in out} == {"free", "unverified"}
    assert [piece.state for piece in opened.feed("WRONG。")] == ["unverified", "correction"]


def test_what_is_held_too_long_is_released_unverified():
    clock = Clock()
    opened = gate(clock=clock)
    opened.feed("There are 7 fans")
    assert opened.tick() == []
    clock.now = 2.0

    assert [(piece.text, piece.state) for piece in opened.tick()] == [("7 fans", "unverified")]
    assert [piece.state for piece in opened.feed(" more. ")] == ["unverified"]
    assert [piece.state for piece in opened.feed("Bye. ")] == ["free"]


def test_late_words_are_released_with_the_next_chunk_too():
    clock = Clock()
    opened = gate(clock=clock)
    opened.feed("There are 7 fans")
    clock.now = 2.5

    assert opened.feed(" more")[0].state == "unverified"


def test_without_effects_only_numbers_are_held():
    opened = gate(hold_words=None)
    opened.feed("Your money was refunded to you")

    assert opened.held == 0


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("风速 3.5 m/s。好", ["风速 3.5 m/s。", "好"]),
        ("It is 3.5 m/s. Good.", ["It is 3.5 m/s.", " Good."]),
        ("Use e.g. a fan. Yes", ["Use e.g. a fan.", " Yes"]),
        ("See No. 5 and Fig. 2 there. Ok", ["See No. 5 and Fig. 2 there.", " Ok"]),
        ("1. one\n2. two\n", ["1. one\n", "2. two\n"]),
        ("| a | 1 |\n| b | 2 |\n", ["| a | 1 |\n", "| b | 2 |\n"]),
        ("Really?Yes! Ok", ["Really?Yes!", " Ok"]),
        ("好!是", ["好!", "是"]),
        ('He said "done." Then', ['He said "done."', " Then"]),
        ("a；b", ["a；", "b"]),
        ("J. Smith of Dept. 4 came. Ok", ["J. Smith of Dept. 4 came.", " Ok"]),
        ("Dispatch knows at 5 p.m. Today. Ok", ["Dispatch knows at 5 p.m. Today.", " Ok"]),
    ],
)
def test_sentences_end_where_they_should(text, parts):
    assert [text[start:end] for start, end in sentences(text)] == parts


def test_a_full_stop_at_the_end_of_what_came_so_far_is_not_yet_an_end():
    assert find_end("It is 3.", complete=False) is None
    assert find_end("It is 3.", complete=True) == 8
    assert find_end("完。", complete=False) == 2


LABELS = re.compile("需风量|风速")


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("需风量为 1221 立方。", ""),
        ("说明：需风量约 1221 立方。", "说明："),
        ("需风量的计算办法见规程，风速的见后文。末句。", "需风量的计算办法见规程，风速的见后文。末句。"),
        ("需风量与各处的风速为 3.5。", "需风量与各处的"),
        ("需风量", "需风量"),
    ],
)
def test_a_label_waits_for_the_numeral_right_behind_it_and_no_longer(text, first):
    whole = run([text], labels=LABELS)
    assert "".join(char for char, _ in whole[0]) == text
    assert "".join(char for char, state in whole[0] if state == "free").startswith(first)
    held = [char for char, state in whole[0] if state != "free"]
    assert "".join(held).startswith(text[len(first) :][: len(held)].split("。")[0] if held else "")
    for at in range(len(text)):
        assert run([text[:at], text[at:]], labels=LABELS) == whole
    assert run(list(text), labels=LABELS) == whole
