"""Where mistakes are sown: the mine, what has been touched, and the findings that a reviewer must come to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from tests.support.corpus.family import Family
from tests.support.corpus.model import Finding, Method, Mine, Place, Survey
from tests.support.corpus.need import settle
from tests.support.corpus.style import Style

CORRECTED_NEED = (
    "planned_below_required",
    "not_the_maximum",
    "measured_shortage",
    "measured_serious",
    "conflicting_values",
)


@dataclass(slots=True, kw_only=True)
class Ground:
    """One case while mistakes are being sown."""

    mine: Mine
    style: Style
    family: Family
    rng: Random
    survey: Survey | None = None
    findings: list[Finding] = field(default_factory=list)
    done: list[str] = field(default_factory=list)
    judged: bool = True

    def seed(self, name: str, sow: Callable[[Ground], list[Finding] | None]) -> None:
        """Sows one mistake, if the mine has a place for it."""
        findings = sow(self)
        if findings:
            self.findings += findings
            self.done.append(name)

    def pick(self, *kinds: str, having: str = "", method: str = "") -> Place | None:
        """An untouched place of these kinds, marked as touched."""
        rows = [
            p
            for p in self.mine.places
            if p.kind in kinds
            and not p.touched
            and not p.series_after
            and (not having or having in p.facts)
            and (not method or p.method(method) is not None)
        ]
        if not rows:
            return None
        place = self.rng.choice(rows)
        place.touched = True
        return place

    def restate(self, place: Place) -> None:
        """The author goes on with the wrong value: states the need and plans the air from it."""
        settle(place, self.mine)

    def consequences(self, place: Place, cause: str, *more: str) -> list[Finding]:
        """What the corrected need may bring; neither asked for nor held against a program."""
        return [
            Finding(
                kind=kind, subject=place.name, note=f"consequence of {cause}", optional=True, any_subject=place.stations
            )
            for kind in (*CORRECTED_NEED, *more)
        ]


def proof_of(ground: Ground, method: Method) -> str:
    """The method's line as printed."""
    formula = method.formula.replace("×", ground.style.times).replace("÷", ground.style.divide)
    return f"{formula}={method.printed}"


def found_at(ground: Ground, place: Place, kind: str, note: str, *, method: Method | None = None, **more) -> Finding:
    """The finding at a place, proved by the method's line or by the place's row."""
    proof = proof_of(ground, method) if method else place.name
    return Finding(kind=kind, subject=place.name, note=note, any_subject=place.stations, proof=proof, **more)
