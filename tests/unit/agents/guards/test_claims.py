"""What an answer claims is found in Chinese and English, and told apart from plans, questions, drafts and other people's words."""

from __future__ import annotations

from typing import Any

import pytest

from agents.guards.claims.finder import find_claims
from agents.guards.claims.lexicon import build_lexicon, lacks_chinese
from agents.guards.policy import EffectWords
from extensions.loader import load_extensions
from obs.metrics import ToolMetrics
from tests.unit.agents.guards.governance_sets import LEXICON, WRONG, cases, judged
from tools.invocation import Ports
from tools.registry import ToolRegistry, load_builtin_tools


def claimed(text, lexicon=LEXICON, **more):
    return {claim.effect for claim in find_claims(text, lexicon, **more) if claim.polarity == "done"}


@pytest.mark.parametrize("name", ["claims_dev.json", "claims_own.jsonl"])
def test_r_grd_3_claims_are_found_and_false_alarms_are_rare(name):
    results = [(case, judged(case)) for case in cases(name)]
    to_flag = [(case, result) for case, result in results if case["expect"] in WRONG]
    right = [(case, result) for case, result in results if case["expect"] not in WRONG]
    missed = [case["id"] for case, result in to_flag if result.verdict not in WRONG]
    alarms = [case["id"] for case, result in right if result.verdict in WRONG]
    stated = [
        effect in {claim.effect for claim in result.claims if claim.polarity == "done"}
        for case, result in results
        for effect in case["effects_claimed"]
    ]

    assert len(missed) <= 0.02 * len(to_flag), missed
    assert len(alarms) <= 0.01 * len(right), alarms
    assert sum(stated) >= 0.97 * len(stated)


@pytest.mark.parametrize("verdict", ["supported", "unsupported", "contradicts", "no_claim"])
def test_each_verdict_is_the_right_one(verdict):
    wrong = [case["id"] for case in cases("claims_dev.json") if case["expect"] == verdict != judged(case).verdict]

    assert len(wrong) <= 1, wrong


@pytest.mark.parametrize(
    "text",
    [
        "如果您同意，我就退款。",
        "退款完成后会短信通知您。",
        "要不要现在退款？",
        "客户说已经退款了。",
        "以下是草稿：\n退款已办理，请查收。",
        "例如可以写：“退款已办理”。",
        "正在为您退款，请稍候。",
        "已退款的订单不能再次申请。",
        "退款没有成功。",
        "退款政策规定七天内完成退款。",
        "`退款已完成`",
        "> 退款已完成",
        "下一步：\n- 退款\n- 发送邮件",
        "Once approved, the refund will be issued.",
        "Has the refund been issued?",
        "You said the refund was issued.",
        "Here is a draft:\nYour refund has been issued.",
        "The refund could not be issued.",
        "Refunds are issued within five days.",
        "I'm issuing the refund now.",
        "To get the refund issued, press the button.",
    ],
)
def test_r_grd_1_what_is_not_told_as_a_fact_is_no_claim(text):
    assert claimed(text) == set()


@pytest.mark.parametrize(
    ("text", "effect"),
    [
        ("已为您办理退款。", "refund.issued"),
        ("已為您辦理退款。", "refund.issued"),
        ("已为您办理退\u200b款。", "refund.issued"),
        ("Ｒｅｆｕｎｄ issued.", "refund.issued"),
        ("完成情况：\n- 给客户发送邮件\n- 核对台账", "email.sent"),
        ("| 关闭工单 | 已完成 |", "ticket.closed"),
        ("TK-9，我刚看过了。现在关闭了。", "ticket.closed"),
        ("I put the 30 dollars back on your card.", "refund.issued"),
        ("REFUND_PROPOSED: see above", "refund.issued"),
        ("**Refund proposed:** see above", "refund.issued"),
    ],
)
def test_r_grd_1_a_claim_is_found_however_it_is_written(text, effect):
    assert effect in claimed(text)


def test_a_claim_is_where_its_sentence_is():
    text = "您好！退款\u200b５元已完成。请查收。"
    (claim,) = find_claims(text, LEXICON)

    assert text[claim.start : claim.end] == "退款\u200b５元已完成。"


def test_what_is_denied_is_not_claimed():
    (claim,) = find_claims("The email was not sent.", LEXICON)

    assert (claim.effect, claim.polarity) == ("email.sent", "denied")


def test_only_registered_effects_are_looked_for():
    assert claimed("退款已完成，邮件已发送。", build_lexicon(["email.sent"])) == {"email.sent"}
    assert claimed("退款已完成，邮件已发送。", build_lexicon([])) == set()


def test_an_effect_without_words_of_its_own_is_known_by_its_english_name():
    lexicon = build_lexicon(["valve.opened_wide"])

    assert claimed("The valve was opened wide.", lexicon) == {"valve.opened_wide"}
    assert claimed("The valve was painted.", lexicon) == set()


LEAVE = {
    "leave.granted": EffectWords(nouns=("休假", "年假", "leave"), verbs=("批准", "准", "grant", "sign off:signed off"))
}


@pytest.mark.parametrize(
    "text",
    ["您的年假已批准。", "休假申请我已经批准了。", "Your leave has been granted.", "I have signed off your leave."],
)
def test_a_policy_brings_the_words_by_which_claims_of_its_effects_are_found(text):
    assert claimed(text, build_lexicon(["leave.granted"], None, LEAVE)) == {"leave.granted"}


@pytest.mark.parametrize("text", ["您的年假还没有批准。", "是否批准休假，由班组长决定。", "Shall I grant the leave?"])
def test_words_of_a_policy_are_read_as_carefully_as_the_servers_own(text):
    assert claimed(text, build_lexicon(["leave.granted"], None, LEAVE)) == set()


@pytest.mark.parametrize(
    ("effect", "words", "lacks"),
    [
        ("refund.issued", {}, False),
        ("leave.granted", {}, True),
        ("refund.granted", {}, True),
        ("leave.issued", {}, True),
        ("leave.granted", LEAVE, False),
        ("leave.granted", {"leave.granted": EffectWords(nouns=("leave",), verbs=("批准",))}, True),
    ],
)
def test_an_effect_is_known_in_chinese_by_its_object_and_by_what_is_done(effect, words, lacks):
    assert lacks_chinese(effect, words) is lacks


@pytest.fixture
def registry():
    """Every tool of the server, to be read and not called."""
    unused: Any = None
    registry = ToolRegistry(Ports(ledger=unused, facts=unused, metrics=ToolMetrics()), threads=1)
    load_builtin_tools(registry)
    load_extensions(registry)
    yield registry
    registry.close()


def test_the_effects_of_our_own_tools_have_words_in_both_languages(registry):
    effects = {effect for tool in registry.descriptors for effect in tool.effects}
    lexicon = build_lexicon(effects)

    for table in (lexicon.nouns, lexicon.zh_verbs):
        known = {effect for word, entry in table.items() if not word.isascii() for effect in entry.effects}
        assert known == effects
    assert {effect for entry in lexicon.en_past.values() for effect in entry.effects} == effects


@pytest.mark.parametrize(
    "text",
    [
        "采煤工作面 3107 的计划风量已由 720 调整为 760 m³/min。",
        "局部通风机已开启，实测风量 420 m³/min。",
        "已完成复核：共 14 项，12 项一致。",
        "复核报告已生成，保存在 outputs/airflow/review.json。",
        "Row 12 was changed from 420 to 402 between the two versions.",
    ],
)
def test_a_report_about_documents_claims_nothing(text):
    assert claimed(text) == set()
