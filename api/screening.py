"""Looks at a message before any model does; one that goes to people is answered by code and costs no token."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from agents.guards.escalation import Hit
from agents.guards.policy import ESCALATED
from agents.session_agent import SessionAgent, UserInput
from api.answer_check import Language
from api.guard_record import GuardRecord
from api.sse_core import Emit
from api.sse_events import EventType
from api.turn import TurnConfig, TurnEnd
from db.db_conn import new_id
from db.records import RunStatus

_CHINESE: Final = re.compile(r"[\u3400-\u9fff]")
# What the session's later turns have in place of the message, whose words no model reads.
_PASSED_ON: Final[Mapping[Language, str]] = {
    "zh": "（这条消息已转交给人处理，原文不在这里重复。）",
    "en": "(This message was passed on to people and is not repeated here.)",
}
_NO_WORDS: Final[Mapping[Language, str]] = {"zh": "已转人工处理。", "en": "Your message has been passed to a person."}


async def screen(turn: TurnConfig, ask: UserInput) -> Hit | None:
    """Why a message goes to people; None for one that does not."""
    # A long text takes a while, and other people's streams must not wait for it.
    return await asyncio.to_thread(turn.policy.screen.find, ask.text)


async def escalate(
    turn: TurnConfig, ask: UserInput, hit: Hit, *, agent: SessionAgent, emit: Emit, record: GuardRecord
) -> TurnEnd:
    """End the turn: the fixed words of the rule for the user, an item in the queue, nothing for a model."""
    message_id = new_id()
    language: Language = "zh" if _CHINESE.search(ask.text) else "en"
    text = _words(hit, language)
    audit_id = await record.decided(
        turn,
        "policy",
        "escalated",
        code=hit.name,
        message_id=message_id,
        original=ask.text,
        shown=text,
        review="escalation",
    )
    emit(
        EventType.GUARD,
        guard="policy",
        verdict="escalated",
        code=hit.name,
        message_id=message_id,
        spans=[],
        policy_version=turn.policy.version,
        audit_id=audit_id,
    )
    seq = emit(EventType.TOKEN, content=text, message_id=message_id, offset=0)
    emit(EventType.MESSAGE, message_id=message_id, content=text, covers=[seq, seq])
    # The graph's state is what the next turn's model reads; the words stay in the history and in the queue.
    await agent.note(turn.identity, replace(ask, text=_PASSED_ON[language]), message_id, text)
    return TurnEnd(status=RunStatus.ESCALATED, stop_reason=hit.name, outcome=ESCALATED, message_id=message_id)


def _words(hit: Hit, language: Language) -> str:
    """The rule's words in the user's language, or in another: that words are missing must not keep the message from people."""
    return hit.reply.get(language) or next((words for words in hit.reply.values() if words), _NO_WORDS[language])
