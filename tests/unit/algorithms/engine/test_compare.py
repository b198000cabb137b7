"""Three comparisons kept apart, thresholds of the object's own type (contract §3, domain notes §2.3)."""

from __future__ import annotations

from decimal import Decimal

import pytest

from algorithms.airflow_review.engine.compare import policy
from algorithms.airflow_review.evidence import Evidence, Method, PlaceType
from algorithms.airflow_review.extract import FanExtract
from algorithms.airflow_review.model import Finding, FindingKind, Severity
from tests.support.surveys import extract_of, kinds, place, plan, printed, reading, report, review, rules, verdict

PLACES = [
    (PlaceType.COAL_FACE, "face", "7301综采工作面"),
    (PlaceType.STANDBY_FACE, "face", "7303备用工作面"),
    (PlaceType.HEADING, "heading", "7302运输巷掘进工作面"),
    (PlaceType.CHAMBER, "chamber", "北翼泵房"),
    (PlaceType.OTHER_ROADWAY, "other", "北翼石门"),
]


@pytest.mark.parametrize(("kind", "station", "name"), PLACES)
@pytest.mark.parametrize(
    ("flow", "expected"),
    [
        ("1100", "ok"),
        ("1050", "ok"),
        ("1049", "watch"),
        ("1000", "watch"),
        ("999", "shortage"),
        ("750", "shortage"),
        ("749", "serious"),
    ],
)
def test_below_the_need_is_a_shortage_for_every_type(kind, station, name, flow, expected):
    result = review(plan(place(name, kind, "1000")), report(reading(name, station, flow)))

    assert verdict(result, name) == expected
    loud = {"shortage": ["measured_shortage"], "serious": ["measured_serious"]}.get(expected, [])
    assert [f.kind.value for f in result.findings if f.severity is not Severity.NOTE] == loud


def test_r_pit_21_no_threshold_is_taken_from_another_type():
    assert policy(rules(), PlaceType.COAL_FACE).value == Decimal("0.75")
    assert policy(rules(), PlaceType.RETURN_SYSTEM).value == Decimal("0.95")
    assert policy(rules(), PlaceType.DISTRICT).value == Decimal("0.75"), (
        "a type without a policy is judged as a coal face"
    )


def test_a_face_is_judged_by_the_smaller_of_intake_and_return():
    own = plan(place("7301综采工作面", PlaceType.COAL_FACE, "1000"))

    result = review(
        own, report(reading("7301综采工作面进风", "face", "1100"), reading("7301综采工作面回风", "face", "980"))
    )

    row = next(c for c in result.comparisons if c.basis == "measured_required" and c.subject == "P001")
    assert (row.measured, row.verdict.value, row.margin_m3_min) == (Decimal(980), "shortage", Decimal(-20))


def test_below_the_plan_with_the_need_met_is_watch_and_no_finding():
    own = plan(place("北翼泵房", PlaceType.CHAMBER, "100", "110"))

    result = review(own, report(reading("北翼泵房", "chamber", "107")))

    assert verdict(result, "北翼泵房", "measured_planned") == "watch"
    assert verdict(result, "北翼泵房") == "ok"
    assert kinds(result) == []


@pytest.mark.parametrize(
    ("kind", "station", "name", "limit"),
    [(k, s, n, limit) for (k, s, n), limit in zip(PLACES, ("1150", "1300", "1150", "1500", None), strict=True)],
)
def test_excess_is_a_note_above_the_limit_of_the_type(kind, station, name, limit):
    at = limit or "5000"
    above = str(int(at) + 1)
    own = plan(place(name, kind, "1000"))

    calm = review(own, report(reading(name, station, at)))
    loud = review(own, report(reading(name, station, above)))

    assert kinds(calm) == []
    assert kinds(loud) == ([("measured_excess", "note", name)] if limit else [])


def test_a_plan_below_the_need_never_suppresses_measured_against_required():
    own = plan(place("北翼泵房", PlaceType.CHAMBER, "100", "90"))

    result = review(own, report(reading("北翼泵房", "chamber", "95")))

    assert verdict(result, "北翼泵房", "plan_required") == "shortage"
    assert verdict(result, "北翼泵房") == "shortage"


def test_one_reading_of_a_heading_is_the_supply_at_the_fan_site():
    own = plan(
        place(
            "7302运输巷掘进工作面", PlaceType.HEADING, "600", methods=[(Method.LOCAL_FAN, "600"), (Method.GAS, "200")]
        )
    )

    result = review(own, report(reading("7302运输巷掘进工作面", "heading", "590")))

    assert verdict(result, "7302运输巷掘进工作面") == "shortage"


@pytest.mark.parametrize(("at_face", "expected"), [("250", "ok"), ("190", "shortage"), ("140", "serious")])
def test_two_stations_of_a_heading_are_judged_each_by_its_own_need(at_face, expected):
    own = plan(
        place(
            "7302运输巷掘进工作面",
            PlaceType.HEADING,
            "600",
            methods=[(Method.LOCAL_FAN, "600"), (Method.GAS, "200"), (Method.PEOPLE, "80")],
        )
    )

    result = review(
        own,
        report(
            reading("7302运输巷掘进工作面局扇处", "heading", "640"),
            reading("7302运输巷掘进工作面回风流", "heading", at_face),
        ),
    )

    assert verdict(result, "7302运输巷掘进工作面") == expected


def test_a_fan_that_takes_more_than_its_site_gets_is_always_serious():
    own = plan(place("7302运输巷掘进工作面", PlaceType.HEADING, "300"))

    result = review(own, report(reading("7302运输巷掘进工作面", "heading", "350", extra={"fan_intake_m3_min": "380"})))

    assert verdict(result, "7302运输巷掘进工作面") == "serious"


def test_a_reading_that_contradicts_itself_passes_only_by_its_smaller_flow():
    own = plan(place("北翼泵房", PlaceType.CHAMBER, "100"))

    passes = review(own, report(reading("北翼泵房", "chamber", "190", area="3.0", speed="0.60")))
    stays_open = review(own, report(reading("北翼泵房", "chamber", "180", area="3.0", speed="0.50")))

    assert verdict(passes, "北翼泵房") == "ok"
    assert verdict(stays_open, "北翼泵房") == "not_judged"
    assert ("reading_inconsistent", "warning", "北翼泵房") in kinds(stays_open)


def test_a_flow_in_the_wrong_unit_is_not_judged():
    own = plan(place("北翼泵房", PlaceType.CHAMBER, "100"))

    result = review(own, report(reading("北翼泵房", "chamber", "1.8", area="3.0", speed="0.60")))

    assert verdict(result, "北翼泵房") == "not_judged"
    assert kinds(result) == [("unit_suspect", "warning", "北翼泵房")]


def test_a_place_without_a_reading_is_not_measured():
    own = plan(place("北翼泵房", PlaceType.CHAMBER), place("南翼泵房", PlaceType.CHAMBER))

    result = review(own, report(reading("北翼泵房", "chamber", "120"), reading("南翼泵房", "chamber", None)))

    assert kinds(result) == [("not_measured", "warning", "南翼泵房")]
    assert verdict(result, "南翼泵房") == "not_judged"


def test_a_row_without_station_or_stopped_is_no_missing_reading():
    own = plan(place("北翼胶轮车", PlaceType.OTHER_ROADWAY), place("7304综采工作面", PlaceType.COAL_FACE))
    flags = extract_of(own, **{"北翼胶轮车": {"no_station": True}, "7304综采工作面": {"stopped": True}})

    result = review(own, report(reading("一号井", "intake", "2000")), flags)

    assert kinds(result) == []


def test_systems_are_judged_by_their_main_return_and_the_mine_by_its_intake():
    own = plan(
        place("北翼泵房", PlaceType.CHAMBER), systems=(("南风井系统", "1000"), ("北风井系统", "2000")), total="3000"
    )

    result = review(
        own,
        report(
            reading("北翼泵房", "chamber", "120"),
            reading("一号井", "intake", "2900"),
            reading("南风井总回风", "return", "1060"),
            reading("北风井系统总回风巷", "return", "1890"),
        ),
    )

    assert [verdict(result, name) for name in ("南风井系统", "北风井系统", "矿井")] == ["ok", "serious", "shortage"]


def test_a_fan_alone_proves_a_shortage_but_never_a_sufficiency():
    own = plan(place("北翼泵房", PlaceType.CHAMBER), systems=(("南风井系统", "1000"), ("北风井系统", "2000")))
    fans = tuple(
        FanExtract(name=name, flow=printed(flow)) for name, flow in (("南风井主扇", "1200"), ("北风井主扇", "1500"))
    )

    result = review(own, report(reading("北翼泵房", "chamber", "120"), fans=fans))

    assert [verdict(result, name) for name in ("南风井系统", "北风井系统")] == ["not_judged", "serious"]


def test_a_need_that_only_the_review_raised_makes_the_shortage_a_consequence():
    own = plan(place("北翼泵房", PlaceType.CHAMBER, "150", "110", stated="100"))
    fault = Finding(
        id="",
        kind=FindingKind.WRONG_CONSTANT,
        severity=Severity.WARNING,
        subject="P001",
        subject_name="北翼泵房",
        stated=None,
        expected=None,
        unit=None,
        rule=None,
        message="",
        clears_when="",
        evidence=(Evidence(file="plan"),),
    )

    result = review(own, report(reading("北翼泵房", "chamber", "120")), findings=[fault])

    finding = result.findings[0]
    assert (finding.kind.value, finding.severity.value, finding.cause) == (
        "measured_shortage",
        "note",
        "wrong_constant:P001",
    )
    assert verdict(result, "北翼泵房") == "shortage"


def test_every_finding_of_the_report_says_where_and_what_would_clear_it():
    own = plan(place("北翼泵房", PlaceType.CHAMBER, "100"), place("南翼泵房", PlaceType.CHAMBER, "100"))

    result = review(own, report(reading("北翼泵房", "chamber", "50")))

    for finding in result.findings:
        assert finding.message
        assert finding.clears_when
        assert finding.rule is not None


def test_two_return_stations_that_may_carry_the_same_air_are_not_added():
    own = plan(place("北翼泵房", PlaceType.CHAMBER), systems=(("南风井系统", "1500"),))
    returns = (reading("南风井总回风巷", "return", "1000", row=3), reading("南风井总回风", "return", "1010", row=4))

    in_line = review(own, report(reading("北翼泵房", "chamber", "120"), *returns))
    side_by_side = review(own, report(reading("北翼泵房", "chamber", "120"), *returns, total_return=printed("2010", 9)))

    assert verdict(in_line, "南风井系统") == "not_judged"
    assert verdict(side_by_side, "南风井系统") == "ok"


def test_a_mine_whose_total_contradicts_its_shafts_passes_only_by_the_smaller_figure():
    shafts = (reading("一号井", "intake", "1000", row=1), reading("二号井", "intake", "900", row=2))

    def of(need: str) -> str:
        own = plan(place("北翼泵房", PlaceType.CHAMBER), total=need)
        return verdict(review(own, report(*shafts, total_intake=printed("2400", 9))), "矿井")

    assert [of("1500"), of("2000"), of("2500")] == ["ok", "not_judged", "shortage"]


def test_a_main_return_that_contradicts_itself_passes_only_by_its_smaller_flow():
    own = plan(place("北翼泵房", PlaceType.CHAMBER), systems=(("南风井系统", "1000"),))
    torn = reading("南风井总回风", "return", "1200", area="10.0", speed="1.50")

    assert verdict(review(own, report(torn)), "南风井系统") == "not_judged"
