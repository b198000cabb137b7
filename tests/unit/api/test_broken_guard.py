"""A guard that breaks costs nobody the answer, and nobody takes the answer for checked."""

from __future__ import annotations

import pytest

from agents.guards.claims.lexicon import build_lexicon
from api.answer_check import Finding
from api.answer_guard import GuardedMessage, is_escalating

LEXICON = build_lexicon(["plan.submitted"], {})


class Broken:
    """A check with a bug."""

    def __init__(self, guard):
        self.guard = guard

    def __call__(self, text: str, start: int) -> Finding | None:
        raise ZeroDivisionError(text[start:])


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("共有 3 处。好。", "共有 3 处。（未核验）好。"),
        ("There are 3 places. Fine.", "There are 3 places. (unverified) Fine."),
    ],
)
@pytest.mark.parametrize(("guard", "escalates"), [("response", False), ("outcome", True)])
def test_the_sentence_goes_out_marked_and_is_counted_and_kept(text, shown, guard, escalates):
    failures: list[str] = []
    message = GuardedMessage("m", [Broken(guard)], LEXICON, lambda: 0.0, failures.append)

    said = "".join([*message.feed(text), *message.close()])

    assert said == message.final_text == shown
    assert failures == [guard]
    (decision,) = message.decisions
    assert (decision.finding.verdict, decision.finding.code) == ("unverified", "guard_failed")
    assert is_escalating(decision) is escalates, "where nobody could check what was claimed, a person looks"
