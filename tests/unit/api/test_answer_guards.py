"""An effect whose claims cannot be found in Chinese is named at the start, with what follows and what to write."""

from __future__ import annotations

from typing import Any

from structlog.testing import capture_logs

from agents.profiles import AgentProfile
from api.answer_guards import AnswerGuards
from tests.support.governed import governed_registry
from tools.registry import AgentContext, ToolPayload, agent_tool, for_feature, sourced

WORDS = {"leave.granted": {"nouns": ["休假"], "verbs": ["批准"]}}


@agent_tool(
    name="leave_grant",
    title="批假",
    description="批准一次休假。",
    category="leave",
    effects=("leave.granted",),
    write_action=True,
)
def leave_grant(ctx: AgentContext) -> ToolPayload:
    """Grant a leave."""
    return sourced(data=ctx.user_id)


def warnings(**policy: Any) -> list[dict[str, Any]]:
    registry = governed_registry()
    registry.add_feature(for_feature("leave", domain="leave", tools=[leave_grant]))
    profile = AgentProfile.model_validate(
        {
            "name": "staff",
            "title": "t",
            "description": "d",
            "prompt": "p",
            "policy": {"allow": ["leave_grant"], **policy},
        }
    )
    with capture_logs() as logs:
        AnswerGuards({"staff": profile}, registry)
    registry.close()
    return [dict(entry) for entry in logs]


def test_an_effect_without_chinese_words_is_warned_about_with_consequence_and_remedy() -> None:
    (warning,) = warnings()

    assert (warning["event"], warning["log_level"]) == ("effect_without_chinese_words", "warning")
    assert (warning["agent"], warning["effect"]) == ("staff", "leave.granted")
    assert "neither found nor corrected" in warning["consequence"]
    assert '[policy.effect_words."leave.granted"]' in warning["remedy"]


def test_words_of_the_policy_end_the_warning() -> None:
    assert warnings(effect_words=WORDS) == []
