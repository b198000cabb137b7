"""An answer on its way to the user: held where it could claim or state something, verified, released or replaced."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any, Final

import structlog

from agents.guards.claims.finder import Claim
from agents.guards.claims.lexicon import Lexicon
from agents.guards.outcome_integrity import correction_text, judge
from agents.guards.receipts import Receipt
from agents.guards.sentences import sentences
from agents.guards.stream_gate import Piece, StreamGate
from api.answer_check import UNVERIFIED, Finding, Language, SentenceCheck, language_of
from api.number_check import NumberCheck
from db.db_conn import new_id

log = structlog.get_logger(__name__)

_CONTEXT_CHARS: Final = 2_000
"""Characters before a sentence that tell what it speaks of."""
HELD_TOO_LONG: Final = "held_too_long"
_FAILED: Final = "guard_failed"
_REDRAFT: Final[Mapping[Language, str]] = {
    "zh": "系统核对：上一稿没有发给用户，因为下列句子里的数值在任何工具结果中都没有依据：\n{sentences}\n"
    "请重写这条回答：只写工具结果中的数值；需要的数值先调用工具取得；取不到的，写明没有依据、需人工核对。",
    "en": "Check by the system: your draft was not sent, because no tool result bears out the numbers of these sentences:\n"
    "{sentences}\nWrite the answer anew: state only numbers of tool results, call a tool for those you need, and say of the rest "
    "that there is no basis and a person has to check.",
}
_BLOCKING: Final = frozenset({"blocked", "corrected"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A finding about a message, with the identity its record will have."""

    audit_id: str
    message_id: str
    sentence: str
    at: int
    """Where the sentence begins in what the model wrote."""
    start: int
    """Where the sentence, or what stands in its place, begins in the message as it reads in the end."""
    shown: str
    """What of the sentence had been shown before it was judged: its first words, or all of it."""
    finding: Finding

    @property
    def is_late(self) -> bool:
        """Whether the user had read the whole sentence."""
        return self.shown == self.sentence

    @property
    def streamed(self) -> str | None:
        """What the gate sends for the part that was held; None sends it as it is, or sends nothing of what was out."""
        if self.is_late:
            return None
        if self.finding.instead is not None:
            return self.finding.instead + _ending(self.sentence)
        if self.finding.mark:
            return self._marked[len(self.shown) :]
        return None

    @property
    def replacement(self) -> str | None:
        """What stands for the sentence in the end: the words that were shown stay, but for a false sentence that was shown whole."""
        if self.finding.instead is not None:
            return self._kept + self.finding.instead + _ending(self.sentence)
        return self._marked if self.finding.mark else None

    @property
    def reads(self) -> str:
        """What the user reads of it in the end; nothing of a draft that was written anew."""
        if self.finding.verdict == "regenerated":
            return ""
        return self.sentence if self.replacement is None else self.replacement

    @property
    def places(self) -> list[dict[str, Any]]:
        """Spans in code points of the message as it reads in the end: what is doubtful, or what was put in its place or behind it."""
        finding = self.finding
        if finding.instead is None and finding.spans:
            return [{**s, "start": self.start + s["start"], "end": self.start + s["end"]} for s in finding.spans]
        added = finding.mark if finding.instead is None else finding.instead
        start = self.start + len(self.sentence.rstrip() if finding.instead is None else self._kept)
        return [{"start": start, "end": start + len(added), "reason": self.reason}] if added else []

    @property
    def reason(self) -> str:
        """Why, as the span that was found first says it."""
        return str(self.finding.spans[0]["reason"]) if self.finding.spans else self.finding.code

    @property
    def growth(self) -> int:
        """Code points by which the message is longer for it."""
        return 0 if self.replacement is None else len(self.replacement) - len(self.sentence)

    @property
    def _marked(self) -> str:
        body = self.sentence.rstrip()
        # Behind a table's row nothing is shown: the mark stands in its last cell.
        is_row = body.lstrip().startswith("|") and body.endswith("|")
        kept, close = (body[:-1].rstrip(), " |") if is_row else (body, "")
        return kept + self.finding.mark + close + _ending(self.sentence)

    @property
    def _kept(self) -> str:
        return "" if self.is_late else self.shown


class ClaimCheck:
    """Whether a sentence says that something was done which no receipt supports."""

    guard: Final = "outcome"

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self.receipts: Sequence[Receipt] = ()

    def __call__(self, text: str, start: int) -> Finding | None:
        """The first claim of the sentence that receipts do not bear out."""
        cut = max(0, start - _CONTEXT_CHARS)
        text, start = text[cut:], start - cut
        wrong = next((claim for claim in judge(text, self.receipts, self._lexicon).wrong if claim.end > start), None)
        return None if wrong is None else self._finding(wrong, text[start:])

    def review(self, text: str) -> list[tuple[int, Finding]]:
        """What is wrong with a whole text, by the place of the sentence."""
        wrong = judge(text, self.receipts, self._lexicon).wrong
        return [(claim.start, self._finding(claim, text[claim.start : claim.end])) for claim in wrong]

    def _finding(self, wrong: Claim, sentence: str) -> Finding:
        return Finding(
            guard="outcome",
            verdict="blocked",
            code=wrong.effect,
            instead=correction_text(self.receipts, language_of(sentence)),
            spans=({"start": 0, "end": len(sentence), "reason": wrong.effect},),
        )


class GuardedMessage:
    """One message on its way; what is shown and what the message finally says may differ where a judgement came late."""

    def __init__(
        self,
        message_id: str,
        checks: Sequence[SentenceCheck],
        lexicon: Lexicon | None,
        clock: Callable[[], float],
        on_failure: Callable[[str], None],
        *,
        may_reject: bool = False,
    ) -> None:
        self.message_id = message_id
        self.decisions: list[Decision] = []
        self._overdue: list[Decision] = []
        self.is_kept_back = False
        """Whether nothing of it is shown, because its first sentence states a critical number without any basis."""
        self._kept_back: list[str] = []
        self._may_reject = may_reject
        self._checks = checks
        self._on_failure = on_failure
        self._text = ""
        hold_words = lexicon.trigger_pattern if lexicon is not None and lexicon.effects else None
        # Once 需风量为 is read, the number that follows can only be marked.
        labels = next((check.label_pattern for check in checks if isinstance(check, NumberCheck)), None)
        self._gate = StreamGate(
            hold_words=hold_words,
            verify=self._verify,
            clock=clock,
            labels=labels if may_reject else None,
            on_give_up=self._give_up,
        )

    @property
    def is_empty(self) -> bool:
        """Whether the model has written nothing yet."""
        return not self._text

    def feed(self, text: str) -> Iterator[str]:
        """Take what the model wrote; give what may be shown now."""
        self._text += text
        yield from self._passed(self._gate.feed(text))

    def tick(self) -> Iterator[str]:
        """Give what was held too long."""
        yield from self._passed(self._gate.tick())

    def close(self) -> Iterator[str]:
        """Give the rest; the message is complete."""
        yield from self._passed(self._gate.close())

    def accept(self) -> Iterator[str]:
        """Give what was kept back for another draft: this one stays."""
        self.is_kept_back = False
        kept, self._kept_back = self._kept_back, []
        yield from kept

    def cut(self) -> None:
        """The message ends here, in the middle: what is held was never said, and what is out of the last sentence is judged as it stands."""
        start, shown = self._gate.sentence_start, self._gate.shown_part
        self._text = self._text[: start + len(shown)]
        if shown.strip() and not self.is_kept_back:
            self._judge(shown, start, shown=shown)

    @property
    def final_text(self) -> str:
        """What the message says: the model's text with every blocked sentence replaced."""
        parts, at = [], 0
        for decision in self.decisions:
            if (instead := decision.replacement) is None:
                continue
            parts += [self._text[at : decision.at], instead]
            at = decision.at + len(decision.sentence)
        return "".join([*parts, self._text[at:]])

    @property
    def late(self) -> list[Decision]:
        """Decisions about sentences that had been shown."""
        return [one for one in self.decisions if one.is_late and one.replacement is not None]

    def reject(self) -> list[Decision]:
        """The decisions about a draft that nobody will read: the numbers for which the model has to write another one."""
        loose = [one for one in self.decisions if _is_loose(one.finding)]
        again = [replace(one.finding, verdict="regenerated", mark="", spans=()) for one in loose]
        return [replace(one, audit_id=new_id(), finding=finding) for one, finding in zip(loose, again, strict=True)]

    def take_overdue(self) -> list[Decision]:
        """The stretches that were released unverified since the last time this was asked; each is judged when its sentence ends."""
        overdue, self._overdue = self._overdue, []
        return overdue

    def _give_up(self) -> None:
        if not self.is_kept_back:
            shown = self._gate.shown_part
            spans = ({"start": 0, "end": len(shown), "reason": HELD_TOO_LONG},)
            finding = Finding(guard="response", verdict="unverified", code=HELD_TOO_LONG, spans=spans)
            start = self._gate.sentence_start
            self._overdue.append(
                _decision(self.message_id, shown, finding, earlier=self.decisions, start=start, shown=shown)
            )

    def _passed(self, pieces: Sequence[Piece]) -> Iterator[str]:
        if self.is_kept_back:
            self._kept_back += [piece.text for piece in pieces]
        else:
            yield from (piece.text for piece in pieces)

    def _verify(self, sentence: str) -> str | None:
        shown = sentence if self._gate.is_out else sentence[: self._gate.released_chars]
        return self._judge(sentence, self._gate.sentence_start, shown=shown)

    def _judge(self, sentence: str, start: int, *, shown: str) -> str | None:
        for check in self._checks:
            finding = self._found(check, self._text[: start + len(sentence)], start)
            if finding is None:
                continue
            if self._may_reject and _is_loose(finding) and not shown and not self._text[:start].strip():
                self.is_kept_back = True
            decision = _decision(self.message_id, sentence, finding, earlier=self.decisions, start=start, shown=shown)
            self.decisions.append(decision)
            if decision.replacement is not None:  # one thing stands for a sentence
                return decision.streamed
        return None

    def _found(self, check: SentenceCheck, text: str, start: int) -> Finding | None:
        try:
            return check(text, start)
        except Exception:
            # A broken guard must not cost the user the answer; it is told, counted, kept on record, and the sentence says so.
            log.exception("guard_failed", guard=check.guard)
            self._on_failure(check.guard)
            mark = UNVERIFIED[language_of(text[start:])]
            return Finding(guard=check.guard, verdict="unverified", code=_FAILED, mark=mark)


@dataclass(kw_only=True)
class AnswerGuard:
    """The guard of one segment of a run."""

    claims: ClaimCheck | None
    numbers: NumberCheck | None
    lexicon: Lexicon | None
    on_failure: Callable[[str], None]
    """Told the name of a guard that broke."""
    clock: Callable[[], float] = monotonic

    def open(self, message_id: str, *, may_reject: bool = False) -> GuardedMessage:
        """Begin a message; with `may_reject` another draft is asked for where the first sentence states a baseless number."""
        checks: list[SentenceCheck] = [check for check in (self.claims, self.numbers) if check is not None]
        return GuardedMessage(message_id, checks, self.lexicon, self.clock, self.on_failure, may_reject=may_reject)

    def review(self, message_id: str, text: str) -> tuple[str, list[Decision]]:
        """Look at a whole message again, when all of it is known; its final text, and what was found only now."""
        if self.claims is None:
            return text, []
        parts: list[str] = []
        found: list[Decision] = []
        findings = self.claims.review(text)
        for start, end in sentences(text):
            sentence = text[start:end]
            finding = next((one for at, one in findings if start <= at < end), None)
            if finding is None:
                parts.append(sentence)
                continue
            decision = _decision(message_id, sentence, finding, earlier=found, start=start, shown=sentence)
            parts.append(decision.replacement or "")
            found.append(decision)
        return "".join(parts), found


def redraft_note(rejected: Sequence[Decision]) -> str:
    """What the model is told about a draft that was rejected."""
    sentences_ = "\n".join(f"- {one.sentence.strip()}" for one in rejected)
    return _REDRAFT[language_of(rejected[0].sentence)].format(sentences=sentences_)


def _is_loose(finding: Finding) -> bool:
    """Whether a critical number has no basis at all; one that differs from its value is withheld, not asked for again."""
    return finding.guard == "response" and finding.verdict == "unverified" and finding.code != _FAILED


def is_escalating(decision: Decision) -> bool:
    """Whether the run ends in the queue for people."""
    finding = decision.finding
    return escalates(finding.guard, finding.verdict, finding.code)


def escalates(guard: str, verdict: str, code: str) -> bool:
    """Whether a guard's decision sends a run to people: its answer claimed what was not done, or nobody could check whether it did."""
    return guard == "outcome" and (verdict in _BLOCKING or code == _FAILED)


def corrected_spans(decisions: Sequence[Decision]) -> list[dict[str, Any]]:
    """The spans of a `correction`: sentences of the message as it was shown, each with what stands there now."""
    spans: list[dict[str, Any]] = []
    grown = 0
    for one in decisions:
        start = one.start - grown
        place = {"start": start, "end": start + len(one.sentence), "reason": one.reason}
        spans.append({**place, "replacement": one.replacement or ""})
        grown += one.growth
    return spans


def _decision(
    message_id: str, sentence: str, finding: Finding, *, earlier: Sequence[Decision], start: int, shown: str
) -> Decision:
    # What was done is said once: a second such sentence is left out. A withheld number is told each time, or a finding would vanish.
    if (
        finding.guard == "outcome"
        and finding.instead is not None
        and any(one.finding.instead == finding.instead for one in earlier)
    ):
        # Of one whose first words are out something has to stand there, or they would begin the next sentence.
        finding = replace(finding, instead="…" if shown not in {"", sentence} else "")
    grown = start + sum(one.growth for one in earlier)
    return Decision(
        audit_id=new_id(), message_id=message_id, sentence=sentence, at=start, start=grown, shown=shown, finding=finding
    )


def _ending(sentence: str) -> str:
    """White space a sentence ends with: what stands in its place keeps lines and lists apart."""
    return sentence[len(sentence.rstrip()) :]
