"""R-POL-2: messages for people are found in the raw text before any model call, whatever they are dressed in."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from agents.guards.escalation import EscalationRule, Screen, load_rules
from agents.guards.linear_patterns import PatternError, compile_linear
from tests.unit.agents.guards.governance_sets import cases

SCREEN = Screen(load_rules())
REPLY = {"zh": "已转人工。", "en": "Passed on."}


def name_of(text):
    hit = SCREEN.find(text)
    return hit.name if hit else "none"


@pytest.mark.parametrize("name", ["policy_dev.json", "policy_own.jsonl"])
def test_r_pol_2_every_message_for_people_is_found_and_few_others(name):
    found = [(case, name_of(case["text"])) for case in cases(name)]
    missed = [case["id"] for case, got in found if case["expect"] != "none" and got != case["expect"]]
    others = [got for case, got in found if case["expect"] == "none"]

    assert missed == []
    assert sum(got != "none" for got in others) <= 0.05 * len(others)


def wide(text):
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)


def between(mark):
    return mark.join


DISGUISES = {
    "full-width": wide,
    "zero-width": between("\u200b"),
    "joiners": between("\u200d\ufe0f"),
    "soft hyphens": between("\u00ad"),
    "capitals": str.upper,
    "marks between": between("*"),
    "dots between": between("·"),
    "spaces between": between(" "),
}


@pytest.mark.parametrize("disguise", DISGUISES)
@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("我要起诉你们", "legal_threat"),
        ("lawyer", "legal_threat"),
        ("银行卡被盗刷", "fraud_flag"),
        ("unauthorized", "fraud_flag"),
        ("重复提交", "duplicate_ticket"),
        ("皮带机着火了", "safety_incident"),
        ("explosion", "safety_incident"),
    ],
)
def test_r_pol_2_a_disguise_does_not_help(text, name, disguise):
    assert name_of(DISGUISES[disguise](text)) == name


@pytest.mark.parametrize("text", ["我要起訴你們", "銀行卡被盜刷", "重複提交", "礦井發生爆炸，有人受傷"])
def test_traditional_characters_are_read_as_simplified_ones(text):
    assert name_of(text) != "none"


@pytest.mark.parametrize(
    "text",
    [
        "我不会起诉你们。",
        "没有人受伤，只是想要表格。",
        "这不是诈骗，是我误会了。",
        "没有重复提交。",
        "瓦斯超限的处理规定是什么？",
        "消防演练的方案",
        "我想起诉求表在哪",
        "Nobody was hurt.",
        "This is not a duplicate ticket.",
        "fire drill on Monday",
        "Sue from dispatch called.",
        "",
    ],
)
def test_negations_and_near_misses_stay_with_the_agent(text):
    assert name_of(text) == "none"


def test_an_urgent_message_is_found_although_it_names_a_rule():
    assert name_of("瓦斯超限了，有人晕倒，规程里怎么说？快！") == "safety_incident"


def test_safety_counts_before_everything_else():
    hit = SCREEN.find("我要起诉你们，井下着火了，有人被困！")

    assert hit is not None
    assert hit.name == "safety_incident"
    assert "矿调度室" in hit.reply["zh"]


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        ("(a+)+b", "without a bound"),
        ("a*b", "without a bound"),
        (".{0,500}x", "without a bound"),
        ("(?:a|ab){1,20}c", "varies itself"),
        ("(?:a?){20}a", "varies itself"),
        ("(?:a?){30}a{30}", "varies itself"),
        ("(?:a|.){24}!", "varies itself"),
        ("(?:a|a){24}!", "varies itself"),
        ("(?:ab|[a-c]b){20}!", "varies itself"),
        ("(?:(?:a|bc)|(?:bc|a)){20}!", "varies itself"),
        ("(?:x{0,2}y){24}", "varies itself"),
        ("(?:[^b]|.(?=a)){24}!", "varies itself"),
        ("(?:(?=a|.)a){24}!", "varies itself"),
        ("a?" * 30 + "a" * 30, "ways"),
        ("(?:a|.)" * 30 + "!", "ways"),
        (".{0,60}a{0,60}.{0,60}!", "ways"),
        ("(?:(?:(?:.{60}){60}){60}){60}!", "steps"),
        ("(?i:ab|Ab){24}!", "sets a flag"),
        ("(?i)(?:ab|Ab){24}!", "sets a flag"),
        (r"(a)?(?(1)b|c)", "refers back"),
        (r"(a)\1", "refers back"),
        (".{0,50}.{0,50}.{0,50}x", "ways"),
        ("(a", "not a pattern"),
    ],
)
def test_r_pol_2_a_pattern_that_may_run_away_is_refused_in_a_clear_sentence(pattern, why):
    with pytest.raises(PatternError, match=why):
        compile_linear(pattern)
    with pytest.raises(ValidationError, match=why):
        EscalationRule(match=(pattern,), reply=REPLY)


def test_a_pattern_with_bounded_repeats_is_admitted():
    assert compile_linear("a{0,8}(?:b|cd)?(?<!x)e").search("aabe")


@pytest.mark.parametrize(
    "pattern", ["(?:ab|cd){0,24}!", "(?:a[.]|b[.]|[^ab]x){24}!", "(?:[a-z]|_){24}!", "(?:人|工人|矿工){1,6}"]
)
def test_a_choice_whose_words_exclude_each_other_may_be_repeated(pattern):
    assert compile_linear(pattern).search("?") is None


@pytest.mark.parametrize("reply", [{"zh": "已转人工。"}, {"en": "Passed on."}, {"zh": "已转人工。", "en": " "}, {}])
def test_a_rule_that_has_no_words_for_half_of_its_users_is_refused(reply):
    with pytest.raises(ValidationError, match="reply has no words in"):
        EscalationRule(match=("bomb",), reply=reply)


@pytest.mark.parametrize("patterns", [{}, {"calm": ("drill",), "ignore": ("x",)}])
def test_a_rule_that_could_never_fire_is_refused(patterns):
    with pytest.raises(ValidationError, match="would never fire"):
        EscalationRule(**patterns, reply=REPLY)


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (r"\bLawyer\b", "my Lawyer says"),
        (r"\BAWYER\b", "my lawyer"),
        ("起訴", "我要起诉你们"),
        ("起訴", "我要起訴你們"),
        ("[訴告]了", "起诉了"),
        ("ＡＢＣ", "abc"),
        ("炸彈！", "有炸弹!"),
        ("(?P<Who>Lawyer)", "lawyer"),
        ("[A-C]1(?!X)", "b1"),
        ("真的？", "真的?"),
        (r"\W(?<=[^A-Z])Bomb\D", "a bomb!"),
    ],
)
def test_a_pattern_fires_however_its_letters_are_written(pattern, text):
    screen = Screen({"mine": EscalationRule(match=(pattern,), reply=REPLY)})

    assert screen.find(text) is not None


@pytest.mark.parametrize(
    ("pattern", "instead"),
    [
        (r"\x41bc", "'a'"),
        (r"\u8a34", "'诉'"),
        (r"[\x41-\x43]x", "'a'"),
        (r"(?:a|(?=\uff01))", "'!'"),
        (r"(?>\x41){2}", "'a'"),
    ],
)
def test_a_pattern_that_folded_text_never_fits_is_refused_with_what_to_write(pattern, instead):
    with pytest.raises(ValidationError, match="once it is folded; write") as refusal:
        EscalationRule(match=(pattern,), reply=REPLY)

    assert instead in str(refusal.value)


def test_a_rule_with_unknown_keys_is_refused():
    with pytest.raises(ValidationError):
        EscalationRule.model_validate({"matches": ["a"], "reply": REPLY})


@pytest.mark.parametrize(
    "text",
    [
        "3号面起火，应急预案在哪",
        "工作面瓦斯达到2%是否需要撤人？",
        "探头显示瓦斯百分之三",
        "甲烷到了三点五",
        "CO 120ppm at the face, what is the limit?",
        "There's a fire in the belt entry, what does the emergency plan say?",
        "the roof came down on Li",
        "waste water bursting into the heading",
    ],
)
def test_an_accident_that_is_told_beside_a_question_about_rules_is_an_accident(text: str) -> None:
    hit = Screen({"safety_incident": load_rules()["safety_incident"]}).find(text)

    assert hit is not None


@pytest.mark.parametrize(
    "text",
    [
        "请解释一下煤与瓦斯突出矿井的配风要求",
        "采空区自燃隐患对配风有什么要求",
        "风量不够会不会导致瓦斯超限",
        "报表里3208回风瓦斯写成5.2%，应该是0.52%",
        "测风员受伤请假，上旬少测一次，怎么标注",
        "3201工作面起火事故的案例里风量怎么定",
    ],
)
def test_an_engineers_question_about_dangers_is_a_question(text: str) -> None:
    assert Screen({"safety_incident": load_rules()["safety_incident"]}).find(text) is None
