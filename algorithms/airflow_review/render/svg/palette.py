"""The colours of the drawings by what they mean, on a bright and on a dark page."""

from __future__ import annotations

from typing import Final

from algorithms.airflow_review.model import Verdict
from algorithms.airflow_review.render.words import Words

# role → (bright page, dark page). Texts keep a contrast of at least 4.5 to 1 against the page.
_COLOURS: Final = {
    "ink": ("#1c2733", "#e6ebf0"),
    "faint": ("#5b6875", "#a3afbb"),
    "rule": ("#d5dce3", "#3a4650"),
    "zebra": ("#f4f7fa", "#1d252d"),
    "band": ("#c9d6e4", "#3b5066"),
    "plan": ("#3f6ea5", "#8fb8e8"),
    "good": ("#2f7d5b", "#6cc79c"),
    "watch": ("#946000", "#e0a93f"),
    "bad": ("#c0362c", "#ff8b80"),
    "worst": ("#8c1d18", "#ff6f61"),
    "manual": ("#6b46c1", "#b79bf2"),
}

ROLE_OF_VERDICT: Final = {
    Verdict.OK: "good",
    Verdict.WATCH: "watch",
    Verdict.EXCESS: "watch",
    Verdict.SHORTAGE: "bad",
    Verdict.SERIOUS: "worst",
    Verdict.NOT_JUDGED: "manual",
}


def tag_of(verdict: Verdict, words: Words, *, is_planned_short: bool) -> tuple[str, str]:
    """The word of a verdict and its role; a plan that gives too little is told where the measured air hides it."""
    if is_planned_short and verdict not in {Verdict.SHORTAGE, Verdict.SERIOUS}:
        return words.say("chart.planned_short"), "bad"
    return words.name("verdict", verdict), ROLE_OF_VERDICT[verdict]


def bright(role: str) -> str:
    """The colour of a role on a bright page; an unknown role is a bug and raises KeyError."""
    return _COLOURS[role][0]


def dark_rules() -> str:
    """Rules for the style sheet of a dark page: they outrank the attributes of the drawings."""
    fills = [f"svg .{role} {{ fill: {dark}; }}" for role, (_, dark) in _COLOURS.items()]
    return " ".join([*fills, f"svg .unknown {{ stroke: {_COLOURS['manual'][1]}; }}"])
