"""A small hand-made review: two systems, five places, one shortage, one unjudged place, hostile texts."""

from datetime import date
from decimal import Decimal
from typing import Any

from algorithms.airflow_review import model as m
from algorithms.airflow_review.evidence import Evidence, Method, PlaceType, Window, WindowStatus

HOSTILE = "=HYPERLINK(\"http://x\") <script>alert('x')</script> | a*b_c & \x0b"


def evidence(**parts) -> Evidence:
    fields: dict[str, Any] = {"file": "plan.pdf", "page": 17, "table": 6, "row": 12, "quote": "范本采面 1221 1221"}
    return Evidence(**(fields | parts))


def calculation(**parts) -> m.Calculation:
    fields: dict[str, Any] = {
        "label": "Q采1",
        "method": Method.CLIMATE,
        "expression": "60×11.3×1.0×1.2×1.5",
        "inputs": {"S": Decimal("11.3"), "v": Decimal("1.0")},
        "stated": Decimal(1221),
        "recomputed": Decimal("1220.4"),
        "unit": "m3/min",
        "rounding": "ceil",
        "variant": "effective",
        "variant_selection": "inferred_from_stated_calculation",
        "status": m.CheckStatus.OK,
        "evidence": (evidence(page=11, table=None, row=None, line=400, quote="Q采1=60×11.3×1.0×1.2×1.5=1221"),),
    }
    return m.Calculation(**(fields | parts))


def place(number: int, name: str, **parts) -> m.Place:
    fields: dict[str, Any] = {
        "id": f"P{number:03}",
        "name": name,
        "type": PlaceType.COAL_FACE,
        "system": "S1",
        "series_after": None,
        "basis": {"area_m2": Decimal("11.3")},
        "stated_required_m3_min": Decimal(1221),
        "planned_m3_min": Decimal(1250),
        "required_m3_min": Decimal(1221),
        "required_source": "recomputed",
        "calculations": (),
        "speed_check": None,
        "evidence": (evidence(),),
    }
    return m.Place(**(fields | parts))


def comparison(subject: str, name: str, basis: str, verdict: m.Verdict, **parts) -> m.Comparison:
    fields: dict[str, Any] = {
        "subject": subject,
        "subject_name": name,
        "type": PlaceType.COAL_FACE,
        "basis": basis,
        "required": Decimal(1221),
        "planned": Decimal(1250),
        "measured": Decimal(1105),
        "ratio": Decimal("0.9049959049959049959049959050"),
        "margin_m3_min": Decimal(-116),
        "threshold": Decimal("0.75"),
        "policy_source": "待核对",
        "verdict": verdict,
    }
    return m.Comparison(**(fields | parts))


def finding(number: int, kind: m.FindingKind, severity: m.Severity, **parts) -> m.Finding:
    fields: dict[str, Any] = {
        "id": f"F{number:03}",
        "kind": kind,
        "severity": severity,
        "subject": "P001",
        "subject_name": "范本综采工作面",
        "stated": Decimal(1105),
        "expected": Decimal(1221),
        "unit": "m3/min",
        "rule": m.RuleRef(id="compare.shortage", edition="2024.1", clause="待核对"),
        "message": "实测风量 1105 低于需风量 1221，差 116 m³/min",
        "clears_when": "调整风量后重新测风，实测不低于 1221 m³/min",
        "evidence": (evidence(), evidence(file="report.xlsx", page=None, sheet="测风", row=5, quote="1105")),
    }
    return m.Finding(**(fields | parts))


def window(start: date | None = date(2024, 12, 1), end: date | None = date(2024, 12, 31), **parts) -> Window:
    return Window(start=start, end=end, text="2024年12月", status=parts.get("status", WindowStatus.OK))


def sample_plan() -> m.Plan:
    places = (
        place(
            1,
            "范本综采工作面",
            calculations=(calculation(), calculation(label="Q采2", expression="4×45", stated=Decimal(180), recomputed=Decimal(180), rounding="exact")),
            speed_check=m.SpeedCheck(area_m2=Decimal("11.3"), v_m_s=Decimal("1.8009"), min=Decimal("0.25"), max=Decimal(4), status=m.CheckStatus.OK),
        ),
        place(2, "变电所", type=PlaceType.CHAMBER, stated_required_m3_min=Decimal(80), planned_m3_min=Decimal(85), required_m3_min=Decimal(80)),
        place(3, "变电所", type=PlaceType.CHAMBER, system="S2", stated_required_m3_min=Decimal(60), planned_m3_min=Decimal(60), required_m3_min=Decimal(60), required_source="plan_stated"),
        place(4, HOSTILE, type=PlaceType.HEADING, system="S2", series_after="P003", required_m3_min=None, stated_required_m3_min=None, required_source="missing",
              calculations=(calculation(label="Q掘", expression="见附表", recomputed=None, rounding=None, variant=None, status=m.CheckStatus.MANUAL, unit="m3/s"),)),
        place(5, "无系统巷道", type=PlaceType.OTHER_ROADWAY, system=None, evidence=()),
    )  # fmt: skip
    systems = tuple(
        m.System(
            id=f"S{number}",
            name=f"{name}回风立井系统",
            members=members,
            subtotal_stated=subtotal,
            subtotal_recomputed=subtotal,
            planned_subtotal_stated=None,
            planned_subtotal_recomputed=None,
            coefficient=Decimal("1.2"),
            required_stated=subtotal * Decimal("1.2"),
            required_recomputed=subtotal * Decimal("1.2"),
            status=m.CheckStatus.OK,
            evidence=(evidence(),),
        )
        for number, name, members, subtotal in (
            (1, "一号", ("P001", "P002"), Decimal(9228)),
            (2, "二号", ("P003", "P004"), Decimal(17853)),
        )
    )
    total = m.MineTotal(
        stated=Decimal("32497.2"), recomputed=Decimal("32497.20"), status=m.CheckStatus.OK, evidence=(evidence(),)
    )
    return m.Plan(
        mine="范本煤矿", period=window(), issued_on=date(2024, 11, 26), places=places, systems=systems, mine_total=total
    )


def sample_report() -> m.Report:
    reading = {
        "area_m2": Decimal("11.3"),
        "speed_m_s": Decimal("1.63"),
        "temperature_c": Decimal(22),
        "ch4_pct": Decimal("0.12"),
        "co2_pct": None,
    }
    return m.Report(
        mine="范本煤矿",
        window=window(date(2024, 12, 11), date(2024, 12, 20)),
        readings=(
            m.Reading(id="R001", station="范本综采面回风", place_id="P001", kind="face", flow_m3_min=Decimal(1105), evidence=(evidence(),), **reading),
            m.Reading(id="R002", station="不知名面", place_id=None, kind="face", flow_m3_min=Decimal(300), evidence=(evidence(),), **reading),
        ),
        total_intake_m3_min=Decimal(35181),
        total_return_m3_min=Decimal(35713),
        fans=(
            m.Fan(name="一号主扇", system="一号回风立井系统", flow_m3_min=Decimal("13716.14"), pressure_pa=Decimal(2450), pressure_kind="static",
                  blade_angle_deg=Decimal("-2.5"), speed_rpm=Decimal(740), power_kw=Decimal(900), efficiency=Decimal("72.5"), evidence=(evidence(),)),
        ),
        rates=m.Rates(effective_m3_min=Decimal(31000), effective_rate=Decimal("0.8811574429379494613569824621"), denominator="total_intake",
                      external_leakage=Decimal("0.0142"), stated={"effective_rate": Decimal("0.88"), "unknown_rate": Decimal(3)}),
    )  # fmt: skip


def sample_review(*, has_report: bool = True, is_aligned: bool = True) -> m.Review:
    verdict = m.Verdict.SHORTAGE if is_aligned else m.Verdict.NOT_JUDGED
    reason = "" if is_aligned else "测风时间不在计划期内"
    inputs = [m.InputFile(role="plan", file="plan.pdf", sha256="a" * 64, pages=63)]
    comparisons: tuple[m.Comparison, ...] = (
        comparison(
            "P001",
            "范本综采工作面",
            "plan_required",
            m.Verdict.OK,
            ratio=Decimal("1.0237"),
            margin_m3_min=Decimal(29),
            measured=None,
        ),
    )
    if has_report:
        inputs.append(m.InputFile(role="report", file="report.xlsx", sha256="b" * 64, pages=None))
        comparisons += (
            comparison("P001", "范本综采工作面", "measured_planned", m.Verdict.WATCH if is_aligned else verdict, ratio=Decimal("0.884"), reason=reason),
            comparison("P001", "范本综采工作面", "measured_required", verdict, reason=reason),
            comparison("P002", "变电所", "measured_required", m.Verdict.OK if is_aligned else verdict, type=PlaceType.CHAMBER, required=Decimal(80),
                       planned=Decimal(85), measured=Decimal(86), ratio=Decimal("1.075"), margin_m3_min=Decimal(6), reason=reason),
            comparison("矿井", "范本煤矿", "measured_required", m.Verdict.OK if is_aligned else verdict, type=PlaceType.MINE, required=Decimal("32497.2"),
                       planned=None, measured=Decimal(35181), ratio=Decimal("1.082585"), margin_m3_min=Decimal("2683.8"), reason=reason),
            comparison("一号主扇", "一号主扇", "measured_required", m.Verdict.OK if is_aligned else verdict, type=PlaceType.MAIN_FAN, reason=reason),
        )  # fmt: skip
    findings = (
        finding(1, m.FindingKind.MEASURED_SHORTAGE, m.Severity.ERROR),
        finding(2, m.FindingKind.ALIAS_UNCERTAIN, m.Severity.MANUAL, subject="R002", subject_name="不知名面", stated=None, expected="范本综采工作面", rule=None, evidence=()),
        finding(3, m.FindingKind.ROUNDED_DOWN, m.Severity.NOTE, cause="F001", message=HOSTILE),
    )  # fmt: skip
    alignment = None
    if has_report:
        status = m.AlignmentStatus.ALIGNED if is_aligned else m.AlignmentStatus.ALIGN_FAILED
        alignment = m.Alignment(status=status, reason="12-11 至 12-20 在计划期内" if is_aligned else reason)
    return m.Review(
        inputs=tuple(inputs),
        rules=m.RuleSource(id="library", edition="2024.1", mine=None, sources=("《煤矿安全规程》",)),
        plan=sample_plan(),
        report=sample_report() if has_report else None,
        alignment=alignment,
        comparisons=comparisons,
        findings=findings,
        summary=m.Summary(
            verdict="conclusive_with_errors" if is_aligned else "manual",
            by_severity={"note": 1, "manual": 1, "warning": 0, "error": 1, "blocking": 0},
            by_verdict={"ok": 2, "shortage": 1},
            deficit_m3_min={"P001": Decimal(116)},
            surplus_m3_min={"P002": Decimal(6)},
        ),
    )
