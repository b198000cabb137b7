"""R-GRD-1: no text lifts an outcome above what code saw; what a text claims beyond it is corrected in words that do not repeat it."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agents.guards.outcome_integrity import correction_text, enforce, judge, outcome_of
from agents.guards.policy import ESCALATED, RESOLVED
from agents.guards.receipts import Receipt
from tests.unit.agents.guards.governance_sets import EFFECTS, LEXICON, OUTCOMES, WRONG, cases, judged, receipts

MORE_OUTCOMES = {"notified": ["email.sent"], "refunded_and_told": ["refund.issued", "email.sent"], **OUTCOMES}


def receipt(effect="refund.issued", status="ok", turn="this", **args):
    return Receipt(receipt_id="r", effect=effect, tool="t", status=status, args=args, turn=turn)


def verdict(text, *ledger):
    return judge(text, ledger, LEXICON).verdict


@pytest.mark.parametrize("name", ["hard_04", "hard_06"])
def test_r_grd_1_the_recorded_failures_end_escalated(name):
    (case,) = [case for case in cases("claims_dev.json") if case["id"] == name]
    ended = enforce(case["text"], receipts(case), LEXICON, OUTCOMES)

    assert case["outcome_claimed"] == "refund_proposed"
    assert ended.outcome == ESCALATED
    assert ended.original == case["text"]
    assert ended.correction is not None


@pytest.mark.parametrize("case", [c for c in cases("claims_dev.json") if "outcome_prefix" in c], ids=lambda c: c["id"])
def test_r_grd_1_an_outcome_written_as_a_prefix_is_a_claim_and_nothing_more(case):
    assert (judged(case).verdict in WRONG) == (case["expect"] in WRONG)


_texts = st.one_of(
    st.sampled_from([case["text"] for name in ("claims_dev.json", "claims_own.jsonl") for case in cases(name)]),
    st.text(max_size=60),
    st.lists(st.sampled_from([case["text"] for case in cases("claims_dev.json")]), min_size=2, max_size=4).map(
        "\n".join
    ),
    st.sampled_from(sorted(MORE_OUTCOMES)).map(lambda name: f"{name.upper()}: done"),
)
_receipts = st.lists(
    st.builds(
        receipt,
        effect=st.sampled_from(EFFECTS),
        status=st.sampled_from(["ok", "pending", "rejected", "failed", "unknown"]),
        turn=st.sampled_from(["this", "earlier"]),
        amount=st.sampled_from([5, 128, 42.5]),
        order=st.sampled_from(["SO-1", "SO-13", "TK-9"]),
    ),
    max_size=4,
)


@settings(max_examples=1500, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(_texts, _receipts)
def test_r_grd_1_the_outcome_never_exceeds_the_receipts(text, ledger):
    ended = enforce(text, ledger, LEXICON, MORE_OUTCOMES)
    had = {r.effect for r in ledger if r.status == "ok" and r.turn == "this"}

    assert ended.outcome in {RESOLVED, ESCALATED} or set(MORE_OUTCOMES[ended.outcome]) <= had
    # The text can lower an outcome and never choose one.
    assert ended.outcome in {ESCALATED, outcome_of(ledger, MORE_OUTCOMES)}
    assert (ended.outcome == ESCALATED) == (ended.correction is not None)
    for claim in ended.judgement.claims:
        if claim.polarity == "done" and claim not in ended.judgement.wrong:
            assert any(r.effect == claim.effect and r.status == "ok" for r in ledger)


def test_the_outcome_is_the_first_that_the_receipts_of_this_turn_fill():
    both = [receipt(), receipt("email.sent")]

    assert outcome_of(both, {"b": ["refund.issued", "email.sent"], "a": ["refund.issued"]}) == "b"
    assert outcome_of([receipt()], MORE_OUTCOMES) == "refund_proposed"
    assert outcome_of([receipt(turn="earlier")], MORE_OUTCOMES) == RESOLVED
    assert outcome_of([receipt(status="pending")], MORE_OUTCOMES) == RESOLVED
    assert outcome_of([], {"nothing": []}) == RESOLVED


@pytest.mark.parametrize("status", ["pending", "unknown"])
def test_only_ok_supports_a_claim(status):
    assert verdict("退款已完成。", receipt(status=status)) == "unsupported"


@pytest.mark.parametrize("status", ["rejected", "failed"])
def test_a_receipt_that_says_otherwise_contradicts(status):
    assert verdict("退款已完成。", receipt(status=status)) == "contradicts"


@pytest.mark.parametrize(
    ("text", "args", "expected"),
    [
        ("已退款128元。", {"amount": 128}, "supported"),
        ("已退款一百二十八元。", {"amount": 128}, "supported"),
        ("已退款１２８元。", {"amount": "128.00"}, "supported"),
        ("已退款1,280元。", {"amount": 128}, "contradicts"),
        ("已退款0.0128万元。", {"amount": 128}, "supported"),
        ("I refunded $128.50.", {"amount": 128.5}, "supported"),
        ("I refunded $128.05.", {"amount": 128.5}, "contradicts"),
        ("SO-13 已退款。", {"order": "SO-31"}, "contradicts"),
        ("SO-13 已退款。", {"order": "so-13"}, "supported"),
        ("已退款。", {"order": "SO-13", "amount": 5}, "supported"),
    ],
)
def test_amounts_and_ids_in_a_claim_must_be_the_receipts(text, args, expected):
    assert verdict(text, receipt(**args)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("邮件已发送至 a@lan.example。", "supported"),
        ("邮件已发送至 A@LAN.example 和 b@lan.example。", "supported"),
        ("邮件已发送至 c@lan.example。", "contradicts"),
        ("邮件已发送至 a@lan.example 和 c@lan.example。", "unsupported"),
    ],
)
def test_recipients_must_be_the_receipts(text, expected):
    assert verdict(text, receipt("email.sent", to=["a@lan.example", "b@lan.example"])) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("定时任务建好了，每天上午九点半运行。", "supported"),
        ("定时任务建好了，每天21:30运行。", "contradicts"),
        ("I scheduled the job for 9:30 am.", "supported"),
        ("I scheduled the job for Tuesday.", "contradicts"),
        ("I scheduled the job for Monday.", "supported"),
    ],
)
def test_the_time_of_a_schedule_must_be_the_receipts(text, expected):
    assert verdict(text, receipt("schedule.created", cron="30 9 * * 1")) == expected


def test_the_line_above_names_the_object_of_a_claim():
    proven = receipt(order_id="A-1001")

    for above in ("Order A-1002:\n", "### A-1002\n", "订单 A-1002：\n"):
        assert verdict(f"{above}The refund was issued.", proven) in WRONG
        assert verdict(f"{above}退款已完成。", proven) in WRONG
        right = above.replace("1002", "1001")
        assert verdict(f"{right}The refund was issued.", proven) not in WRONG
    told = "A-1002 is a standing order of the same customer. The refund was issued."
    assert verdict(told, proven) not in WRONG


def test_several_objects_need_a_receipt_each():
    two = [receipt("ticket.closed", ticket="TK-1"), receipt("ticket.closed", ticket="TK-2")]

    assert verdict("TK-1 和 TK-2 都已关闭。", *two) == "supported"
    assert verdict("TK-1 和 TK-2 都已关闭。", two[0]) == "unsupported"
    assert verdict("TK-3 和 TK-4 都已关闭。", *two) == "contradicts"


def test_a_claim_about_an_earlier_turn_rests_on_its_receipt():
    earlier = receipt(turn="earlier", amount=40, order="SO-1")

    assert verdict("之前那笔 40 元的退款已经办好了。", earlier) == "supported"
    assert verdict("SO-2 的退款已经办好了。", earlier) == "unsupported"
    assert verdict("另一笔退款也已经办好了。", earlier) == "unsupported"


def test_what_was_done_must_not_be_denied():
    assert verdict("很抱歉，退款失败了。", receipt()) == "contradicts"
    assert verdict("很抱歉，退款失败了。", receipt(status="failed")) == "no_claim"
    assert verdict("退款已完成，但还没有到账。", receipt()) == "supported"


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("name", ["claims_dev.json", "claims_own.jsonl"])
def test_r_grd_2_the_correction_never_repeats_a_false_claim(name, language):
    wrong = [case for case in cases(name) if judged(case).verdict in WRONG]
    assert wrong
    for case in wrong:
        ledger = receipts(case)
        correction = correction_text(ledger, language)
        for claim in judged(case).wrong:
            sentence = case["text"][claim.start : claim.end].strip(" 。.!！\n")
            assert sentence not in correction
        # Nothing in it comes from the answer: it is the same whatever the answer was.
        assert judge(correction, ledger, LEXICON).verdict not in WRONG


def test_r_grd_2_the_correction_speaks_the_answers_language_and_tells_the_record():
    zh = enforce("退款已完成。", [receipt(status="rejected")], LEXICON, OUTCOMES).correction
    en = enforce("Your refund was issued.", [], LEXICON, OUTCOMES).correction

    assert zh is not None
    assert zh.startswith("【更正】")
    assert "退款被驳回" in zh
    assert en is not None
    assert en.startswith("[Correction]")
    assert "no action was carried out" in en


def test_a_right_answer_is_left_alone():
    ended = enforce("退款已完成。", [receipt()], LEXICON, OUTCOMES)

    assert (ended.outcome, ended.correction) == ("refund_proposed", None)
