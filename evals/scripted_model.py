"""The model of scripted scenarios: says the next scripted turn, to the agent and to each of its workers."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from evals.model_server import Reply, written_model
from evals.scenario import Scenario, ScriptedCall, ScriptedTurn

MODEL_NAME: Final = "scripted"
SCRIPT_ENDED: Final = "(end of script)"
_PIECE_CHARS: Final = 6


@dataclass(slots=True)
class ScriptedModel:
    """Plays one scenario at a time.

    Which turn comes next is read from the request, by how often the model has answered in it: a repeated request gets the same turn.

    Attributes:
        base_url: Address of the served model.
        calls: Requests of this scenario.
        beyond: Those that came after the script's end.
    """

    base_url: str = ""
    calls: int = 0
    beyond: int = 0
    _scenario: Scenario | None = None
    _at_work: Sequence[ScriptedTurn] = ()

    def play(self, scenario: Scenario) -> None:
        """Begin a scenario anew."""
        self.calls = self.beyond = 0
        self._scenario, self._at_work = scenario, ()

    def answer(self, request: Mapping[str, Any]) -> Reply:
        """The turn this request asks for; after the script's end the last text again."""
        self.calls += 1
        if self._scenario is None:
            raise RuntimeError("a scenario has to be begun before anybody asks")
        is_agent = not self._at_work or _is_agent(request, self._scenario.user_text)
        script = self._scenario.scripted_model if is_agent else self._at_work
        said = sum(message["role"] == "assistant" for message in request["messages"])
        if said >= len(script):
            self.beyond += 1
            return _reply(ScriptedTurn(text=next((turn.text for turn in reversed(script) if turn.text), SCRIPT_ENDED)))
        if is_agent:
            self._at_work = script[said].subagent
        return _reply(script[said])


@contextmanager
def scripted_model() -> Iterator[ScriptedModel]:
    """Serve a scripted model on a free port of this machine."""
    model = ScriptedModel()
    with written_model(model.answer) as server:
        model.base_url = server.base_url
        yield model


def _is_agent(request: Mapping[str, Any], user_text: str) -> bool:
    """Whether the agent asks, not a worker: it hears the user, and where there are workers it alone can call them."""
    hears_user = any(
        message["role"] == "user" and user_text.strip() in _text(message) for message in request["messages"]
    )
    return hears_user and "task" in {tool["function"]["name"] for tool in request.get("tools", ())}


def _reply(turn: ScriptedTurn) -> Reply:
    usage = {"prompt_tokens": turn.usage.input_tokens, "completion_tokens": turn.usage.output_tokens}
    return Reply(
        text=turn.text, pieces=_pieces(turn.text), calls=tuple(_call(call) for call in turn.tool_calls), usage=usage
    )


def _call(call: ScriptedCall) -> tuple[str, str]:
    return call.name, json.dumps(call.args, ensure_ascii=False, default=_number)


def _number(value: object) -> int | float:
    if not isinstance(value, Decimal):
        raise TypeError(f"{type(value).__name__} is no JSON value")
    return int(value) if value == value.to_integral_value() else float(value)


def _pieces(text: str) -> tuple[str, ...]:
    return tuple(text[start : start + _PIECE_CHARS] for start in range(0, len(text), _PIECE_CHARS)) or ("",)


def _text(message: Mapping[str, Any]) -> str:
    content = message.get("content") or ""
    if isinstance(content, str):
        return content
    return "".join(part.get("text", "") for part in content)
