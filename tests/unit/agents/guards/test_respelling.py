"""Metamorphic: the way a right number is written never changes the verdict, and one changed digit always does."""

from collections.abc import Callable

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from agents.guards.evidence.seen_result import SeenResult
from agents.guards.response_guard import ResponseGuard
from tools.critical_fields import CriticalField, FieldValue

DIGITS = "零一二三四五六七八九"
WIDE = str.maketrans("0123456789.", "０１２３４５６７８９．")
QUICK = settings(
    max_examples=5_000,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


def chinese(number):
    """A whole number below a hundred million in Chinese numerals."""
    if number >= 10_000:
        low = number % 10_000
        return chinese(number // 10_000) + "万" + (("零" if 0 < low < 1000 else "") + chinese(low) if low else "")
    said, gap = "", False
    for power, sign in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit = number // power % 10
        if digit:
            said += ("零" if gap and said else "") + DIGITS[digit] + sign
            gap = False
        else:
            gap = True
    return said or "零"


def chinese_decimal(text):
    whole, _, fraction = text.partition(".")
    said = chinese(int(whole))
    return said + "点" + "".join(DIGITS[int(digit)] for digit in fraction) if fraction else said


def grouped(text):
    whole, _, fraction = text.partition(".")
    return f"{int(whole):,}" + (f".{fraction}" if fraction else "")


SPELLINGS: dict[str, Callable[[str], str]] = {
    "plain": str,
    "thousands": grouped,
    "full width": lambda text: text.translate(WIDE),
    "bold": lambda text: f"**{text}**",
    "trailing zero": lambda text: text + "0" if "." in text else text + ".0",
    "ten thousands": lambda text: f"{int(text) / 10_000:.4f}万" if "." not in text else text,
    "chinese": chinese_decimal,
}
FRAMES = (
    "总进风为{} m³/min，满足要求。",
    "- **总进风**：{}立方米每分钟",
    "| 指标 | 数值(m³/min) |\n|---|---:|\n| 总进风 | {} |",
    "The total intake is {} m³/min this month.",
    "Total intake: {} m³/min.",
    "本月总进风 {} 立方米/分钟；其余正常。",
)
PATTERN = CriticalField(
    name="intake",
    labels=("总进风", "total intake"),
    source_tools=frozenset({"totals"}),
    extract=lambda data: [FieldValue("total_intake_m3_min", data["total_intake_m3_min"])],
)
numbers = st.one_of(
    st.integers(min_value=11, max_value=99_999).map(str),
    st.decimals(min_value=11, max_value=99_999, places=1).filter(lambda value: value % 1 != 0).map(str),
    st.decimals(min_value=11, max_value=9_999, places=2).filter(lambda value: value * 10 % 1 != 0).map(str),
)


def verdict_on(text, truth, *, critical):
    data = {"total_intake_m3_min": float(truth)}
    found = ResponseGuard().verify(text, [SeenResult("totals", data)], (PATTERN,) if critical else ())
    claims = [verdict for verdict in found if verdict.grounding != "exempt"]
    assert len(claims) == 1, (text, found)
    return claims[0]


@QUICK
@given(
    truth=numbers, spelling=st.sampled_from(sorted(SPELLINGS)), frame=st.sampled_from(FRAMES), critical=st.booleans()
)
def test_another_spelling_of_a_right_number_is_right(truth, spelling, frame, critical):
    assert not verdict_on(frame.format(SPELLINGS[spelling](truth)), truth, critical=critical).is_flagged


@QUICK
@given(
    truth=numbers,
    spelling=st.sampled_from(sorted(SPELLINGS)),
    frame=st.sampled_from(FRAMES),
    place=st.integers(min_value=0, max_value=9),
    digit=st.sampled_from("0123456789"),
    critical=st.booleans(),
)
def test_one_changed_digit_is_found(truth, spelling, frame, place, digit, critical):
    places = [at for at, sign in enumerate(truth) if sign.isdigit()]
    at = places[place % len(places)]
    assume(truth[at] != digit and not (at == 0 and digit == "0"))
    wrong = truth[:at] + digit + truth[at + 1 :]
    assert verdict_on(frame.format(SPELLINGS[spelling](wrong)), truth, critical=critical).is_flagged
