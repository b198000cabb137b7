"""Reviews made by hand for the drawings: speeds beyond limits, sums that are off, two places, very many places."""

from dataclasses import replace
from decimal import Decimal

from algorithms.airflow_review import model as m
from algorithms.airflow_review.evidence import PlaceType
from tests.unit.algorithms.render.sample import comparison, finding, place, sample_review


def speed_check(
    speed: str | None, low: str | None = "0.25", high: str | None = "4", status=m.CheckStatus.OK
) -> m.SpeedCheck:
    low_m_s, high_m_s, v_m_s = (None if text is None else Decimal(text) for text in (low, high, speed))
    return m.SpeedCheck(area_m2=Decimal("11.3"), v_m_s=v_m_s, min=low_m_s, max=high_m_s, status=status)


def reading(number: int, station: str, place_id: str | None, speed: str, kind: str = "heading") -> m.Reading:
    return m.Reading(
        id=f"R{number:03}", station=station, place_id=place_id, kind=kind, area_m2=Decimal("11.3"), speed_m_s=Decimal(speed),
        flow_m3_min=Decimal(700), temperature_c=None, ch4_pct=None, co2_pct=None,
    )  # fmt: skip


def speedy_review() -> m.Review:
    """Speeds on every side of their limits; P001 and R006 are found at fault, P005 is beyond and nobody has said so."""
    review = sample_review()
    assert review.report is not None
    places = (
        place(1, "过快面", speed_check=speed_check("4.6", status=m.CheckStatus.MISMATCH)),
        place(2, "平常面", speed_check=speed_check("1.8")),
        place(3, "近下限巷", type=PlaceType.OTHER_ROADWAY, speed_check=speed_check("0.26", "0.15", "8")),
        place(4, "变电所", type=PlaceType.CHAMBER, speed_check=speed_check("0.4", None, None)),
        place(5, "无人指出", type=PlaceType.HEADING, speed_check=speed_check("0.2")),
        place(6, "单位错", type=PlaceType.HEADING, speed_check=speed_check("0.0042", status=m.CheckStatus.MISMATCH)),
        place(7, "未测掘进", type=PlaceType.HEADING, speed_check=speed_check("0.9")),
        place(8, "无计划", type=PlaceType.HEADING, planned_m3_min=None, speed_check=speed_check("1")),
    )
    readings = (
        reading(1, "过快面测点", "P001", "4.61"),
        reading(2, "平常面进风", "P002", "1.75"),
        reading(3, "平常面回风", "P002", "1.92"),
        reading(4, "近下限测点", "P003", "0.3"),
        reading(5, "无人指出测点", "P005", "0.5"),
        reading(6, "总回风巷", None, "12.5", kind="return"),
        reading(7, "单位错测点", "P006", "0.41"),
        reading(8, "无计划测点", "P008", "1.1"),
    )
    failed = m.FindingKind.SPEED_CHECK_FAILED
    findings = (
        finding(1, failed, m.Severity.WARNING, subject="P001", subject_name="过快面", stated=Decimal("4.6"), expected=Decimal(4), unit="m/s"),
        finding(2, failed, m.Severity.WARNING, subject="R006", subject_name="总回风巷", stated=Decimal("12.5"), expected=Decimal(8), unit="m/s"),
    )  # fmt: skip
    system = replace(review.plan.systems[0], members=tuple(p.id for p in places))
    plan = replace(review.plan, places=places, systems=(system,))
    return replace(review, plan=plan, report=replace(review.report, readings=readings), findings=findings)


def unsound_sums_review() -> m.Review:
    """System S1 is off by +100 by itself, S2 by -8 because of a row; one place stands twice, one recomputes to another need."""
    review = sample_review()
    first, second = review.plan.systems
    places = list(review.plan.places)
    places[0] = replace(places[0], required_m3_min=Decimal("1566.3"))
    systems = (
        replace(first, subtotal_stated=Decimal(9328), required_stated=Decimal("11193.6"), status=m.CheckStatus.MISMATCH, members=("P001", "P002", "P001")),
        replace(second, required_recomputed=Decimal("21999.9")),
    )  # fmt: skip
    kind = m.FindingKind.SUBTOTAL_MISMATCH
    findings = (
        finding(1, kind, m.Severity.WARNING, subject="S1", stated=Decimal(9328), expected=Decimal(9228), unit="m3/min"),
        finding(2, kind, m.Severity.NOTE, subject="S2", stated=Decimal(17845), expected=Decimal(17853), unit="m3/min", cause="F009"),
    )  # fmt: skip
    return replace(review, plan=replace(review.plan, places=tuple(places), systems=systems), findings=findings)


def two_places_review() -> m.Review:
    review = sample_review()
    places = tuple(replace(one, speed_check=speed_check("1.84")) for one in review.plan.places[:2])
    return replace(review, plan=replace(review.plan, places=places, systems=review.plan.systems[:1]))


def crowded_review() -> m.Review:
    """Three systems of 41 places with long names, very large and very small airflows, verdicts of all kinds."""
    review = sample_review()
    verdicts = list(m.Verdict)
    places, comparisons, systems = [], [], []
    for number in range(1, 124):
        need = Decimal(number) ** 3 + Decimal("0.1234")
        name = f"{number}盘区西翼第{number}号集中辅助运输大巷联络巷掘进工作面" if number % 3 else f"Q{number}"
        measured = None if number % 11 == 0 else need * number / 60
        verdict = m.Verdict.NOT_JUDGED if measured is None else verdicts[number % len(verdicts)]
        check = speed_check(f"{number / 100}", status=m.CheckStatus.OK)
        places.append(place(number, name, system=f"S{number % 3 + 1}", stated_required_m3_min=need, required_m3_min=need + number % 2,
                            planned_m3_min=None if number % 13 == 0 else need, speed_check=check))  # fmt: skip
        comparisons.append(comparison(f"P{number:03}", name, "measured_required", verdict, required=need, planned=need, measured=measured,
                                      ratio=None if measured is None else measured / need, margin_m3_min=None if measured is None else measured - need))  # fmt: skip
    for index in range(3):
        members = tuple(one.id for one in places if one.system == f"S{index + 1}")
        systems.append(replace(review.plan.systems[0], id=f"S{index + 1}", name=f"第{index + 1}回风斜井回风系统", members=members, required_stated=Decimal("12345678.25")))  # fmt: skip
    plan = replace(review.plan, places=tuple(places), systems=tuple(systems))
    return replace(review, plan=plan, comparisons=tuple(comparisons))


CASES = {
    "sample": sample_review,
    "plan_alone": lambda: sample_review(has_report=False),
    "not_aligned": lambda: sample_review(is_aligned=False),
    "speedy": speedy_review,
    "unsound_sums": unsound_sums_review,
    "two_places": two_places_review,
    "crowded": crowded_review,
}
