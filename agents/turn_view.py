"""What a playbook sees, read out of the messages a model gets."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, HumanMessage, ToolMessage

from tools.registry import PlaybookResult, PlaybookView, ToolPayload
from tools.results import refused

SUMMARY_SOURCE: Final = "summarization"
_DIGEST_OPEN: Final = "<digest>"
_DIGEST_CLOSE: Final = "</digest>"


@dataclass(slots=True, kw_only=True)
class TurnFacts:
    """The conversation as a playbook needs it; a digest of evicted messages holds the same facts."""

    user_text: str = ""
    files: list[str] = field(default_factory=list)
    new_files: list[str] = field(default_factory=list)
    results: list[PlaybookResult] = field(default_factory=list)
    earlier: list[PlaybookResult] = field(default_factory=list)

    def begin_turn(self, text: str, files: Sequence[str]) -> None:
        """A new message of the user: what was found so far becomes earlier."""
        self.user_text, self.new_files = text, list(files)
        self.files.extend(file for file in files if file not in self.files)
        self.earlier.extend(self.results)
        self.results = []


def read_facts(messages: Iterable[BaseMessage]) -> TurnFacts:
    """Read the facts from the messages, oldest first; a summary stands for what it replaced."""
    facts = TurnFacts()
    calls: dict[str, dict[str, Any]] = {}
    for message in messages:
        match message:
            case HumanMessage() if message.additional_kwargs.get("lc_source") == SUMMARY_SOURCE:
                facts = _from_digest(message.text)
            case HumanMessage():
                extra = message.additional_kwargs
                facts.begin_turn(str(extra.get("text", message.text)), extra.get("files", ()))
            case AIMessage():
                calls.update({str(call["id"]): call["args"] for call in message.tool_calls})
            case ToolMessage():
                facts.results.append(_to_result(message, calls.get(message.tool_call_id, {})))
    return facts


def to_view(facts: TurnFacts, tools: frozenset[str]) -> PlaybookView:
    """The facts as a playbook takes them."""
    return PlaybookView(
        user_text=facts.user_text,
        files=tuple(facts.files),
        new_files=tuple(facts.new_files),
        results=tuple(facts.results),
        earlier=tuple(facts.earlier),
        tools=tools,
    )


def to_digest(messages: Sequence[AnyMessage]) -> str:
    """Summarise without a language model: the facts a playbook needs to go on, as JSON.

    Results of the running turn are kept whole; of earlier turns the newest of each tool.
    """
    facts = read_facts(messages)
    newest = {result.name: result for result in facts.earlier}
    facts.earlier = list(newest.values())
    return f"{_DIGEST_OPEN}{json.dumps(asdict(facts), ensure_ascii=False)}{_DIGEST_CLOSE}"


def _from_digest(text: str) -> TurnFacts:
    _, _, rest = text.partition(_DIGEST_OPEN)
    body, closed, _ = rest.rpartition(_DIGEST_CLOSE)
    if not closed:
        return TurnFacts()  # a language model wrote this summary, in words
    values = json.loads(body)
    for key in ("results", "earlier"):
        values[key] = [PlaybookResult(**result) for result in values[key]]
    return TurnFacts(**values)


def _to_result(message: ToolMessage, args: dict[str, Any]) -> PlaybookResult:
    payload = _payload(message)
    failed = message.status == "error" or payload.get("ok") is False
    return PlaybookResult(name=message.name or "", args=args, status="error" if failed else "ok", payload=payload)


def _payload(message: ToolMessage) -> ToolPayload:
    # A large result is moved to a file and its content replaced; the artifact still holds the whole of it.
    if isinstance(message.artifact, dict):
        return message.artifact
    try:
        payload = json.loads(message.text)
    except ValueError:
        payload = None
    if isinstance(payload, dict):
        return payload
    if message.status == "error":
        return refused(message.text)
    return {"ok": True, "data": message.text, "sources": []}
