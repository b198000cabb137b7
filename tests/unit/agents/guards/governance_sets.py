"""The sets of `tests/fixtures/governance`, and how claims are scored on them."""

from __future__ import annotations

import json
from pathlib import Path

from agents.guards.claims.lexicon import build_lexicon
from agents.guards.outcome_integrity import judge
from agents.guards.receipts import Receipt

FOLDER = Path(__file__).resolve().parents[3] / "fixtures" / "governance"
EFFECTS = (
    "refund.issued",
    "approval.submitted",
    "report.published",
    "email.sent",
    "ticket.closed",
    "record.updated",
    "schedule.created",
    "plan.approved",
)
OUTCOMES = {"refund_proposed": ["refund.issued"]}
LEXICON = build_lexicon(EFFECTS, OUTCOMES)
WRONG = {"unsupported", "contradicts"}


def cases(name):
    text = (FOLDER / name).read_text(encoding="utf-8")
    return json.loads(text) if name.endswith(".json") else [json.loads(line) for line in text.splitlines()]


def receipts(case):
    return [
        Receipt(
            receipt_id=f"r{index}",
            effect=entry["effect"],
            tool="some_tool",
            status=entry["status"],
            args=entry.get("args", {}),
            turn=entry.get("turn", "this"),
        )
        for index, entry in enumerate(case["ledger"])
    ]


def judged(case):
    return judge(case["text"], receipts(case), LEXICON)
