"""Every model call is counted once, by the provider's figures where there are any, however the call ends."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

import pytest
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.outputs import ChatGeneration, LLMResult

from api.context_meter import Billed, ContextMeter, ModelCall, estimate_tokens, extract_usage

ASKED: list[BaseMessage] = [HumanMessage("需风量是多少")]


class Ledger:
    """Takes calls; refuses the first `failures` writes."""

    def __init__(self, failures: int = 0) -> None:
        self.calls: list[ModelCall] = []
        self.failures = failures

    async def record(self, call: ModelCall) -> Billed:
        if self.failures:
            self.failures -= 1
            raise OSError("disk full")
        self.calls.append(call)
        return Billed(call=call, cost_micro=None, currency="")


def make_meter(ledger: Ledger) -> ContextMeter:
    return ContextMeter(ledger.record, lambda error: isinstance(error, ConnectionRefusedError))


def usage(**figures: Any) -> AIMessage:
    return AIMessage("1221", usage_metadata={"input_tokens": 0, "output_tokens": 0, "total_tokens": 0, **figures})


async def begin(meter: ContextMeter, **metadata: Any) -> UUID:
    run_id = uuid4()
    await meter.on_chat_model_start({}, [ASKED], run_id=run_id, metadata={"ls_model_name": "m", **metadata})
    return run_id


async def end(meter: ContextMeter, run_id: UUID, answer: AIMessage) -> None:
    await meter.on_llm_end(LLMResult(generations=[[ChatGeneration(message=answer)]]), run_id=run_id)


def test_r_inv_3_the_providers_figures_count() -> None:
    answer = usage(
        input_tokens=100,
        output_tokens=20,
        input_token_details={"cache_read": 60, "cache_creation": 5},
        output_token_details={"reasoning": 8},
    )

    counted = extract_usage(answer, ASKED)

    assert (counted.input_tokens, counted.output_tokens) == (100, 20)
    assert (counted.cache_read_tokens, counted.cache_write_tokens, counted.reasoning_tokens) == (60, 5, 8)
    assert counted.usage_source == "provider"


def test_r_inv_3_without_the_providers_figures_the_estimate_is_marked() -> None:
    counted = extract_usage(AIMessage("1221 m³/min"), ASKED)

    assert counted.usage_source == "estimate"
    assert counted.input_tokens > 0
    assert counted.output_tokens > 0


def test_r_inv_3_an_explicit_zero_stays_zero() -> None:
    counted = extract_usage(usage(), ASKED)

    assert (counted.input_tokens, counted.output_tokens, counted.usage_source) == (0, 0, "provider")


def test_r_inv_3_a_model_that_only_estimates_says_so() -> None:
    answer = usage(input_tokens=9)
    answer.response_metadata["usage_source"] = "estimate"

    assert extract_usage(answer, ASKED).usage_source == "estimate"


@pytest.mark.parametrize(("text", "least", "most"), [("", 0, 0), ("abcd" * 10, 8, 12), ("风量" * 10, 10, 20)])
def test_an_estimate_is_in_the_range_of_common_vocabularies(text: str, least: int, most: int) -> None:
    assert least <= estimate_tokens(text) <= most


@pytest.mark.parametrize(
    "figures",
    [
        {"input_tokens": -5, "output_tokens": 7},
        {"input_tokens": 11, "output_tokens": 10**30},
        {"input_tokens": 11, "output_tokens": 7, "input_token_details": {"cache_read": -1}},
    ],
)
def test_r_inv_3_figures_that_cannot_be_are_replaced_by_an_estimate(figures: dict[str, Any]) -> None:
    counted = extract_usage(usage(**figures), ASKED)

    assert counted.usage_source == "estimate"
    assert 0 < counted.input_tokens < 100


async def test_r_pit_9_main_sub_agent_and_summariser_are_told_apart() -> None:
    ledger = Ledger()
    meter = make_meter(ledger)

    for metadata in (
        {"langgraph_checkpoint_ns": "model:1"},
        {"langgraph_checkpoint_ns": "tools:1|model:2"},
        {"langgraph_checkpoint_ns": "model:1", "lc_source": "summarization"},
    ):
        await end(meter, await begin(meter, **metadata), usage(input_tokens=5))

    assert [call.role for call in ledger.calls] == ["main", "subagent", "summary"]
    assert len({call.call_id for call in ledger.calls}) == 3


async def test_the_context_is_as_full_as_the_main_agents_latest_call() -> None:
    meter = make_meter(Ledger())

    await end(meter, await begin(meter), usage(input_tokens=90, output_tokens=10))
    await end(meter, await begin(meter, lc_source="summarization"), usage(input_tokens=5_000))

    assert meter.used_tokens == 100


async def test_r_pit_9_a_cancelled_call_is_estimated_when_the_turn_settles() -> None:
    ledger = Ledger()
    meter = make_meter(ledger)
    run_id = await begin(meter)
    await meter.on_llm_new_token("已经说了", run_id=run_id)

    await meter.settle()
    await meter.settle()

    (call,) = ledger.calls
    assert call.call_id == str(run_id)
    assert (call.usage.usage_source, call.usage.output_tokens) == ("estimate", estimate_tokens("已经说了"))


async def test_r_pit_9_a_call_the_provider_refused_is_recorded_with_nothing_used() -> None:
    ledger = Ledger()
    meter = make_meter(ledger)

    await meter.on_llm_error(ConnectionRefusedError(), run_id=await begin(meter))

    (call,) = ledger.calls
    assert (call.usage.input_tokens, call.usage.output_tokens) == (0, 0)


async def test_r_pit_9_a_call_that_broke_off_is_estimated() -> None:
    ledger = Ledger()
    meter = make_meter(ledger)
    run_id = await begin(meter)
    await meter.on_llm_new_token("半句", run_id=run_id)

    await meter.on_llm_error(ConnectionRefusedError(), run_id=run_id)

    assert ledger.calls[0].usage.output_tokens > 0
    assert ledger.calls[0].usage.usage_source == "estimate"


async def test_r_pit_9_a_failed_write_is_made_good_before_the_turn_ends() -> None:
    ledger = Ledger(failures=1)
    meter = make_meter(ledger)
    await end(meter, await begin(meter), usage(input_tokens=5))
    assert meter.take_billed() == []

    await meter.settle()

    assert [item.call.usage.input_tokens for item in meter.take_billed()] == [5]
    assert len(ledger.calls) == 1


async def test_r_pit_9_a_turn_whose_calls_cannot_be_written_does_not_end_as_paid() -> None:
    meter = make_meter(Ledger(failures=9))
    await end(meter, await begin(meter), usage(input_tokens=5))

    with pytest.raises(OSError, match="disk full"):
        await meter.settle()


async def test_what_was_billed_is_told_once() -> None:
    meter = make_meter(Ledger())
    await end(meter, await begin(meter), usage(input_tokens=5))

    assert len(meter.take_billed()) == 1
    assert meter.take_billed() == []
