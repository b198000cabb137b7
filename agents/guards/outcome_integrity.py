"""What an answer claims against what code saw happen. The outcome is a function of receipts; no text can raise it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from agents.guards.claims.facts import Facts, agrees, is_other_id, receipt_facts
from agents.guards.claims.finder import Claim, find_claims
from agents.guards.claims.lexicon import Lexicon
from agents.guards.claims.reading import CJK
from agents.guards.policy import ESCALATED, RESOLVED
from agents.guards.receipts import Receipt

Verdict = Literal["supported", "unsupported", "contradicts", "no_claim"]
_WRONG: Final = frozenset({"unsupported", "contradicts"})
# The worst claim speaks for the text.
_BY_WEIGHT: Final[tuple[Verdict, ...]] = ("contradicts", "unsupported", "supported")
_WORDS: Final[dict[str, Any]] = json.loads(
    Path(__file__).with_name("correction_texts.json").read_text(encoding="utf-8")
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What an answer claims and what the receipts say to it.

    Attributes:
        verdict: Of the whole text: its worst claim's.
        claims: Every claim, in the order of the text.
        wrong: Those that no receipt supports, or that one contradicts.
    """

    verdict: Verdict
    claims: Sequence[Claim]
    wrong: Sequence[Claim]


@dataclass(frozen=True, slots=True, kw_only=True)
class Integrity:
    """How a turn ends once its answer was weighed.

    Attributes:
        outcome: Computed from the receipts; `escalated` if the text claims more than they hold.
        judgement: Why.
        original: The answer as the model wrote it, for the audit only where it is wrong.
        correction: What the user reads instead of a false claim, without repeating it; None if nothing is wrong.
    """

    outcome: str
    judgement: Judgement
    original: str
    correction: str | None


def outcome_of(receipts: Iterable[Receipt], outcomes: Mapping[str, Sequence[str]]) -> str:
    """The outcome of a turn: the first whose effects all have an `ok` receipt of this turn; `resolved` if none has."""
    had = {receipt.effect for receipt in receipts if receipt.status == "ok" and receipt.turn == "this"}
    return next((name for name, effects in outcomes.items() if effects and had.issuperset(effects)), RESOLVED)


def enforce(
    text: str, receipts: Sequence[Receipt], lexicon: Lexicon, outcomes: Mapping[str, Sequence[str]]
) -> Integrity:
    """Weigh an answer and compute how its turn ends.

    Args:
        text: The whole answer.
        receipts: Of the thread, those of sub-agents included.
        lexicon: Built from the registered effects and the policy's outcomes.
        outcomes: The policy's outcomes, name → effects, in the order in which they count.
    """
    judgement = judge(text, receipts, lexicon)
    if judgement.verdict not in _WRONG:
        return Integrity(outcome=outcome_of(receipts, outcomes), judgement=judgement, original=text, correction=None)
    correction = correction_text(receipts, "zh" if CJK.search(text) else "en")
    return Integrity(outcome=ESCALATED, judgement=judgement, original=text, correction=correction)


def judge(text: str, receipts: Sequence[Receipt], lexicon: Lexicon) -> Judgement:
    """Find the claims of a text and weigh each against the receipts of its thread."""
    claims = find_claims(text, lexicon, _mentions(receipts), frozenset(receipt.effect for receipt in receipts))
    told = {claim.effect for claim in claims if claim.polarity == "done"}
    weighed = [(claim, _weigh(claim, receipts, told)) for claim in claims]
    verdicts = {verdict for _, verdict in weighed}
    return Judgement(
        verdict=next((verdict for verdict in _BY_WEIGHT if verdict in verdicts), "no_claim"),
        claims=claims,
        wrong=[claim for claim, verdict in weighed if verdict in _WRONG],
    )


def correction_text(receipts: Sequence[Receipt], language: Literal["zh", "en"]) -> str:
    """A correction for the user: what code saw in this turn, in fixed words; nothing of the answer is repeated."""
    words = _WORDS[language]
    here = [receipt for receipt in receipts if receipt.turn == "this"]
    seen = dict.fromkeys(
        words["line"].format(effect=words["effects"].get(r.effect, r.effect), status=words["status"][r.status])
        for r in here
    )
    record = words["separator"].join(seen) if seen else words["nothing"]
    return str(words["correction"]).format(record=record)


def _mentions(receipts: Sequence[Receipt]) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for receipt in receipts:
        for name in receipt_facts(receipt.args).ids:
            found.setdefault(name, set()).add(receipt.effect)
    return {name: frozenset(effects) for name, effects in found.items()}


def _weigh(claim: Claim, receipts: Sequence[Receipt], told: set[str]) -> Verdict:
    about = [receipt for receipt in receipts if receipt.effect == claim.effect]
    ok = [r for r in about if r.status == "ok" and not (claim.facts.is_another and r.turn == "earlier")]
    if claim.polarity == "denied":
        here = [r for r in ok if r.turn == "this" and agrees(claim.facts, receipt_facts(r.args))]
        # A text that also says it is done denies it of something else, such as the arrival of the money.
        return "contradicts" if here and claim.effect not in told else "no_claim"
    if any(agrees(claim.facts, receipt_facts(r.args)) for r in ok):
        return "supported"
    fitting = _several_fit(claim.facts, ok)
    if fitting == "all":
        return "supported"
    is_settled = any(r.turn == "this" and r.status in {"rejected", "failed", "ok"} for r in about)
    return "contradicts" if fitting == "none" and is_settled else "unsupported"


def _several_fit(facts: Facts, ok: Sequence[Receipt]) -> Literal["all", "some", "none"]:
    """Whether the objects of a claim about several are each proven by a receipt."""
    proven = [receipt_facts(receipt.args) for receipt in ok]
    missing = (
        [all(is_other_id(one, p.ids) for p in proven) for one in facts.ids],
        [all(one not in p.addresses for p in proven) for one in facts.addresses],
        [all(one not in p.amounts for p in proven) for one in facts.amounts],
    )
    several = [kind for kind in missing if len(kind) > 1]
    if not proven or not several or any(all(kind) for kind in several):
        return "none"
    return "some" if any(any(kind) for kind in missing) else "all"
