"""R-POL-1: a policy that names what does not exist stops the start with a sentence; it does not pass for one that works."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from agents.guards.policy import AgentPolicy
from agents.policy_check import check_policies
from agents.profiles import AgentProfile, ProfileError, load_profiles
from extensions.loader import load_extensions
from tests.support.governed import governed_registry
from tools.registry import load_builtin_tools


@pytest.fixture(scope="module")
def registry():
    made = governed_registry()
    load_builtin_tools(made)
    load_extensions(made)
    yield made
    made.close()


def profile(**policy: Any) -> AgentProfile:
    allow = policy.pop("allow", ["issue_refund", "read_file"])
    return AgentProfile.model_validate(
        {"name": "desk", "title": "t", "description": "d", "prompt": "p", "policy": {"allow": allow, **policy}}
    )


def test_the_shipped_policies_name_only_what_there_is(registry):
    check_policies(load_profiles(), registry)


@pytest.mark.parametrize(
    ("policy", "said"),
    [
        ({"outcomes": {"paid": ["refund.isued"]}}, ["policy.outcomes.paid", "'refund.isued'", "refund.issued"]),
        ({"outcomes": {"told": ["email.sent"]}}, ["policy.outcomes.told", "'email.sent'", "allow the tool"]),
        ({"effect_words": {"refund.isued": {"nouns": ["款"], "verbs": ["退"]}}},
         ["policy.effect_words", "'refund.isued'", "refund.issued"]),
        ({"critical_fields": {"nope": []}}, ["policy.critical_fields", "'nope'", "order_lookup"]),
        ({"critical_fields": {"issue_refund": ["airflow.x"]}},
         ["policy.critical_fields.issue_refund", "'airflow.x'", "take it out"]),
        ({"allow": ["isue_refund"]}, ["policy.allow", "'isue_refund'", "issue_refund"]),
    ],
    ids=["effect", "effect-of-another", "words", "field-tool", "field", "tool"],
)  # fmt: skip
def test_r_pol_1_a_typo_is_named_with_file_key_and_remedy(registry, policy, said):
    with pytest.raises(ProfileError) as refusal:
        check_policies({"desk": profile(**policy)}, registry)

    (sentence,) = str(refusal.value).splitlines()
    assert [part for part in ["profile desk.toml", *said] if part not in sentence] == []


def test_r_pol_1_a_sampling_rate_of_a_tool_that_is_not_allowed_is_refused():
    with pytest.raises(ValidationError, match=r"review.sampling_rates names \['order_lokup'\]"):
        AgentPolicy.model_validate({"allow": ["order_lookup"], "review": {"sampling_rates": {"order_lokup": 0.5}}})
