"""Small plans and reports for the tests of the comparison."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from functools import lru_cache
from typing import Any

from algorithms.airflow_review.engine.report_review import ReportResult, review_report
from algorithms.airflow_review.evidence import Evidence, Method, PlaceType, Printed, Window, WindowStatus
from algorithms.airflow_review.extract import PlaceExtract, PlanExtract, ReadingExtract, ReportExtract
from algorithms.airflow_review.model import Calculation, CheckStatus, Finding, MineTotal, Place, Plan, System
from algorithms.airflow_review.rules.library import RuleSet, load_rules

MARCH = Window(start=date(2025, 3, 1), end=date(2025, 3, 31), text="2025年3月", status=WindowStatus.OK)
MID_MARCH = Window(start=date(2025, 3, 11), end=date(2025, 3, 20), text="2025年3月中旬", status=WindowStatus.OK)


@lru_cache(maxsize=1)
def rules() -> RuleSet:
    return load_rules()


def printed(text: str | None, row: int = 1) -> Printed | None:
    if text is None:
        return None
    return Printed(value=Decimal(text), text=text, evidence=(Evidence(file="report", table=1, row=row, quote=text),))


def reading(station: str, kind: str, flow: str | None = None, *, row: int = 1, **values: Any) -> ReadingExtract:
    """A reading; area, speed, temperature, ch4, co2, planned as texts, `extra` as texts by key."""
    extra = {key: value for key, text in values.pop("extra", {}).items() if (value := printed(text, row)) is not None}
    texts = {key: values.pop(key) for key in ("location", "block", "remark") if key in values}
    figures: dict[str, Any] = {key: printed(text, row) for key, text in values.items()}
    return ReadingExtract(
        station=station,
        kind=kind,
        flow=printed(flow, row),
        extra=extra,
        evidence=(Evidence(file="report", table=1, row=row, column=2, quote=station),),
        **figures,
        **texts,
    )


def report(*readings: ReadingExtract, window: Window = MID_MARCH, **values: Any) -> ReportExtract:
    return ReportExtract(file="report.docx", window=window, readings=readings, **values)


def place(
    name: str,
    kind: PlaceType,
    required: str | None = "100",
    planned: str | None = None,
    *,
    stated: str | None = None,
    system: str = "S1",
    methods: Sequence[tuple[Method, str]] = (),
) -> Place:
    """A place of the plan; P-numbers are given by `plan`."""
    need = None if required is None else Decimal(required)
    return Place(
        id="",
        name=name,
        type=kind,
        system=system,
        series_after=None,
        basis={},
        stated_required_m3_min=need if stated is None else Decimal(stated),
        planned_m3_min=need if planned is None else Decimal(planned),
        required_m3_min=need,
        required_source="recomputed",
        calculations=tuple(_calculation(method, result) for method, result in methods),
        speed_check=None,
    )


def _calculation(method: Method, result: str) -> Calculation:
    return Calculation(
        label="Q",
        method=method,
        expression="",
        inputs={},
        stated=Decimal(result),
        recomputed=Decimal(result),
        unit="m3/min",
        rounding="exact",
        variant=None,
        variant_selection="default",
        status=CheckStatus.OK,
    )


def plan(
    *places: Place,
    systems: Sequence[tuple[str, str]] = (("南风井系统", "1000"),),
    period: Window = MARCH,
    total: str | None = None,
) -> Plan:
    """A plan of these places; systems are (name, stated need)."""
    from dataclasses import replace

    own = tuple(replace(p, id=f"P{i + 1:03d}") for i, p in enumerate(places))
    return Plan(
        mine="试验沟煤矿",
        period=period,
        issued_on=None,
        places=own,
        systems=tuple(_system(f"S{i + 1}", name, need, own) for i, (name, need) in enumerate(systems)),
        mine_total=MineTotal(
            stated=None if total is None else Decimal(total),
            recomputed=None if total is None else Decimal(total),
            status=CheckStatus.OK,
        ),
    )


def _system(identity: str, name: str, need: str, places: Sequence[Place]) -> System:
    return System(
        id=identity,
        name=name,
        members=tuple(p.id for p in places if p.system == identity),
        subtotal_stated=None,
        subtotal_recomputed=None,
        planned_subtotal_stated=None,
        planned_subtotal_recomputed=None,
        coefficient=None,
        required_stated=Decimal(need),
        required_recomputed=Decimal(need),
        status=CheckStatus.OK,
    )


def extract_of(own: Plan, **flags: dict[str, Any]) -> PlanExtract:
    """The extract beside a plan; `flags` by place name, e.g. `{"no_station": True}`."""
    return PlanExtract(
        file="plan.docx",
        period=own.period,
        places=tuple(PlaceExtract(name=p.name, type=p.type, **flags.get(p.name, {})) for p in own.places),
    )


def review(
    own: Plan, measured: ReportExtract, plan_extract: PlanExtract | None = None, findings: Sequence[Finding] = ()
) -> ReportResult:
    return review_report(own, plan_extract or extract_of(own), measured, rules(), findings)


def kinds(result: ReportResult) -> list[tuple[str, str, str]]:
    """(kind, severity, subject name) of every finding, in order."""
    return [(f.kind.value, f.severity.value, f.subject_name) for f in result.findings]


def verdict(result: ReportResult, name: str, basis: str = "measured_required") -> str:
    return next(c.verdict.value for c in result.comparisons if c.subject_name == name and c.basis == basis)
