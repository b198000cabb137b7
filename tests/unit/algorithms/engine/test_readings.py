"""Checks inside the report: Q = 60·v·S, units, instruments, limits, totals, leakage, rates (domain checks 35, 40–42)."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.airflow_review.evidence import PlaceType
from algorithms.airflow_review.extract import FanExtract, Statement
from tests.support.surveys import kinds, place, plan, printed, reading, report, review

OWN = plan(place("北翼泵房", PlaceType.CHAMBER, "1"))
PUMP = reading("北翼泵房", "chamber", "108", area="3.0", speed="0.60")


def loud(*readings, own=OWN, **values):
    """Kinds and subjects of findings above note, of a report with these readings."""
    result = review(own, report(PUMP, *readings, **values))
    return [(kind, name) for kind, severity, name in kinds(result) if severity != "note"]


def closure(*readings, **values):
    """The same without the effective rate, which is low where a report holds little but shafts."""
    return [found for found in loud(*readings, **values) if found[0] != "effective_rate"]


def shaft(name: str, kind: str, flow: str, row: int = 1):
    return reading(name, kind, flow, row=row)


@given(
    speed=st.integers(20, 900).map(lambda n: Decimal(n) / 100),
    area=st.integers(20, 900).map(lambda n: Decimal(n) / 10),
    dv=st.integers(-49, 49),
    ds=st.integers(-49, 49),
)
def test_a_flow_of_unrounded_speed_and_section_is_never_a_finding(speed, area, dv, ds):
    true_flow = 60 * (speed + Decimal(dv) / 10000) * (area + Decimal(ds) / 1000)
    own = reading("南翼石门", "other", str(round(true_flow)), area=f"{area:.1f}", speed=f"{speed:.2f}")

    assert [k for k, _ in loud(own) if k in {"reading_inconsistent", "unit_suspect"}] == []


def test_swapped_digits_of_a_flow_are_found():
    assert loud(reading("南翼石门", "other", "1524", area="11.3", speed="1.85")) == [
        ("reading_inconsistent", "南翼石门")
    ]


def test_zeros_that_a_spreadsheet_drops_do_not_widen_the_interval():
    rows = [reading(f"{i}号石门", "other", "660", area="11.0", speed="1.01") for i in range(3)]
    doubtful = reading("南翼石门", "other", "690", area="11.0", speed="1")

    as_sheet = review(OWN, report(PUMP, *rows, doubtful)).findings
    sheet = review(
        OWN, type(report())(file="r.xlsx", window=report().window, readings=(PUMP, *rows, doubtful))
    ).findings

    assert [f.kind.value for f in as_sheet if f.subject_name == "南翼石门" and f.severity != "note"] == []
    assert [f.kind.value for f in sheet if f.subject_name == "南翼石门" and f.severity != "note"] == [
        "reading_inconsistent"
    ]


def test_the_measurers_own_section_taken_off_throughout_is_a_method_and_no_fault():
    rows = [
        reading(f"{i}号石门", "other", str(round(60 * (area - Decimal("0.4")) * 2)), area=str(area), speed="2.00")
        for i, area in enumerate(map(Decimal, ("6.0", "7.0", "8.0")))
    ]

    assert [k for k, _ in loud(*rows)] == []


def test_seconds_for_minutes_replace_the_inconsistent_reading():
    assert loud(reading("南翼石门", "other", "20.93", area="9.6", speed="2.18")) == [("unit_suspect", "南翼石门")]


def test_seconds_for_minutes_are_seen_by_the_plan_where_no_speed_is_printed():
    assert loud(reading("南翼石门", "other", "5.2", planned="300")) == [("unit_suspect", "南翼石门")]


def test_a_whole_report_in_another_unit_is_one_finding():
    rows = [reading(f"{i}号石门", "other", "22", area="11.0", speed="2.00") for i in range(4)]

    assert loud(*rows) == [("unit_suspect", "矿井")]


def test_a_fraction_among_percents_is_a_unit_fault():
    rows = [reading(f"{i}号石门", "other", "660", ch4="0.20") for i in range(4)]

    assert loud(*rows, reading("南翼石门", "other", "660", ch4="0.0021")) == [("unit_suspect", "南翼石门")]


def test_a_speed_outside_every_anemometer_is_doubtful():
    medium = Statement(key="instrument_class", scope="medium", text="中速")

    assert loud(reading("南翼石门", "other", "198", area="11.0", speed="0.30"), statements=(medium,)) == [
        ("reading_inconsistent", "南翼石门")
    ]


@pytest.mark.parametrize(
    ("station", "kind", "values", "finds"),
    [
        ("7301综采工作面回风", "face", {"ch4": "1.00"}, True),
        ("7301综采工作面回风", "face", {"ch4": "0.99"}, False),
        ("7301综采工作面回风", "face", {"co2": "1.5"}, True),
        ("南风井总回风", "return", {"ch4": "0.75"}, False),
        ("南风井总回风", "return", {"ch4": "0.76"}, True),
        ("一号井", "intake", {"co2": "0.51"}, True),
        ("7301综采工作面回风", "face", {"temperature": "26.0"}, False),
        ("7302运输巷掘进工作面", "heading", {"temperature": "26.1"}, True),
        ("北翼变电所", "chamber", {"temperature": "27"}, False),
        ("北翼变电所", "chamber", {"temperature": "30.5"}, True),
    ],
)
def test_gas_and_heat_limits_hold_at_their_kind_of_station(station, kind, values, finds):
    result = review(OWN, report(PUMP, reading(station, kind, "600", **values)))

    found = [f for f in result.findings if f.kind.value == "gas_or_heat_limit"]
    assert [(f.severity.value, f.subject_name) for f in found] == ([("error", station)] if finds else [])


@pytest.mark.parametrize(
    ("station", "kind", "speed", "finds"),
    [
        ("7301综采工作面回风", "face", "4.00", False),
        ("7301综采工作面回风", "face", "4.10", True),
        ("7301综采工作面回风", "face", "0.24", True),
        ("7302运输巷掘进工作面", "heading", "4.20", True),
        ("7302运输巷掘进工作面", "heading", "0.20", False),
        ("7302运输巷掘进工作面", "heading", "0.14", True),
        ("南翼石门", "other", "0.14", True),
        ("南风井总回风巷", "return", "8.10", True),
        ("南风井总回风", "return", "8.10", False),
    ],
)
def test_measured_speeds_are_held_to_the_limits_of_their_airway(station, kind, speed, finds):
    area = "10.0"
    flow = str(round(60 * Decimal(speed) * Decimal(area)))

    result = review(OWN, report(PUMP, reading(station, kind, flow, area=area, speed=speed)))

    assert [f.subject_name for f in result.findings if f.kind.value == "speed_check_failed"] == (
        [station] if finds else []
    )


def test_a_total_that_is_not_the_sum_of_its_rows_is_found_once():
    shafts = (shaft("一号井", "intake", "5000"), shaft("二号井", "intake", "6000"), shaft("总回风", "return", "11100"))

    assert closure(*shafts, total_intake=printed("11900", 9), total_return=printed("11100", 8)) == [
        ("reading_inconsistent", "矿井")
    ]
    assert closure(*shafts, total_intake=printed("11000", 9), total_return=printed("11100", 8)) == []


@pytest.mark.parametrize(("total", "finds"), [("11001", False), ("11000", True), ("11002", True)])
def test_l29_a_rounded_or_raised_sum_is_no_fault(total, finds):
    shafts = (
        shaft("一号井", "intake", "5000.4"),
        shaft("二号井", "intake", "6000.2"),
        shaft("总回风", "return", "11100"),
    )

    assert bool(closure(*shafts, total_intake=printed(total, 9))) is finds


def test_intake_and_return_that_do_not_close_are_found():
    shafts = (shaft("一号井", "intake", "10000"), shaft("总回风", "return", "9400"))

    assert closure(*shafts) == [("reading_inconsistent", "矿井")]


@pytest.mark.parametrize(
    ("fan", "hoist", "finds"),
    [
        ("10500", False, []),
        ("10600", False, ["leakage"]),
        ("11700", True, []),
        ("11800", True, ["leakage"]),
        ("9900", False, ["reading_inconsistent"]),
    ],
)
def test_external_leakage_is_held_to_the_limit_that_applies(fan, hoist, finds):
    statements = (Statement(key="return_shaft_hoist", text="回风井兼提升"),) if hoist else ()
    shafts = (shaft("一号井", "intake", "9900"), shaft("总回风", "return", "10000"))

    found = closure(*shafts, fans=(FanExtract(name="主扇", flow=printed(fan)),), statements=statements)

    assert [kind for kind, _ in found] == finds


def effective(*, stated: str | None = None, flow: str = "900"):
    rates = {} if stated is None else {"effective_rate": printed(stated)}
    readings = (
        shaft("一号井", "intake", "1200"),
        shaft("总回风", "return", "1210"),
        reading("南翼石门", "other", flow),
    )
    return loud(*readings, stated_rates=rates)


def test_the_effective_rate_is_the_air_at_the_places_over_the_intake():
    assert effective(flow="912") == []  # (108 + 912) / 1200 = 85 %
    assert effective(flow="911") == [("effective_rate", "矿井")]


def test_a_stated_rate_that_the_readings_do_not_give_is_doubtful():
    assert effective(stated="91.0", flow="800") == [("reading_inconsistent", "矿井")]


def test_a_face_counts_by_its_return_and_a_heading_by_its_fan_site():
    own = plan(
        place("北翼泵房", PlaceType.CHAMBER, "1"),
        place("7301综采工作面", PlaceType.COAL_FACE, "1"),
        place("7302运输巷掘进工作面", PlaceType.HEADING, "1"),
    )
    result = review(
        own,
        report(
            PUMP,
            reading("7301综采工作面进风", "face", "1000"),
            reading("7301综采工作面回风", "face", "1010"),
            reading("7302运输巷掘进工作面局扇处", "heading", "500"),
            reading("7302运输巷掘进工作面回风流", "heading", "480"),
        ),
    )

    assert result.report.rates is not None
    assert result.report.rates.effective_m3_min == 108 + 1010 + 500


def test_one_quantity_with_two_values_in_the_report_is_a_conflict():
    both = tuple(
        Statement(key="stated_effective_rate", text=t, low=Decimal(t), high=Decimal(t)) for t in ("88.5", "91.2")
    )
    same = tuple(
        Statement(key="stated_effective_rate", text=t, low=Decimal(t), high=Decimal(t)) for t in ("90.9", "90.86")
    )

    assert loud(statements=both) == [("conflicting_values", "矿井")]
    assert loud(statements=same) == []


def test_the_equivalent_orifice_follows_its_definition():
    # A = 1.19 / √R and R = h / Q², Q in m³/s: 4200 m³/min at 2800 Pa is R = 0.5714, A = 1.574 (domain notes G41, G42).
    fan = FanExtract(name="主扇", flow=printed("4200"), pressure=printed("2800"), pressure_kind="static")

    rates = review(OWN, report(PUMP, fans=(fan,))).report.rates

    assert rates is not None
    assert rates.resistance is not None
    assert rates.equivalent_orifice_m2 is not None
    assert round(rates.resistance, 3) == Decimal("0.571")
    assert round(rates.equivalent_orifice_m2, 2) == Decimal("1.57")


def test_a_total_return_that_is_a_station_of_its_own_is_not_added_to_its_branches():
    stations = (
        shaft("一号井", "intake", "12900", 1),
        shaft("东风井总回风", "return", "6000", 2),
        shaft("西风井总回风", "return", "7000", 3),
        shaft("矿井总回风", "return", "13050", 4),
    )

    assert closure(*stations, total_return=printed("13050", 4)) == []


def test_a_fan_in_cubic_metres_a_second_is_a_unit_fault_and_no_leakage():
    fan = FanExtract(name="南风井主扇", flow=printed("170"))
    stations = (
        shaft("一号井", "intake", "9900"),
        shaft("总回风", "return", "10000"),
        reading("南风井主扇", "fan", "170"),
    )

    assert closure(*stations, fans=(fan,)) == [("unit_suspect", "南风井主扇")]
