"""Each kind of finding a measurement report can earn: reports that earn it, and sound ones that look as if they did."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from algorithms.airflow_review.engine.report_review import ReportResult
from algorithms.airflow_review.evidence import PlaceType, Window, WindowStatus
from algorithms.airflow_review.extract import FanExtract, ReadingExtract, ReportExtract, Statement
from tests.support.surveys import extract_of, place, plan, printed, reading, report, review, verdict

Build = Callable[[], ReportResult]

FACE, HEADING, CHAMBER, ROAD = (
    PlaceType.COAL_FACE,
    PlaceType.HEADING,
    PlaceType.CHAMBER,
    PlaceType.OTHER_ROADWAY,
)
OWN = plan(
    place("301综采工作面", FACE, "1200", "1250"),
    place("303皮带巷掘进工作面", HEADING, "560", "600"),
    place("中央水泵房", CHAMBER, "80", "90"),
    place("三采区轨道巷", ROAD, "240", "300"),
    systems=(("南风井系统", "2184"),),
    total="2184",
)
INTAKE = reading("301工作面进风", "face", "1264", area="12.4", speed="1.70")
RETURN = reading("301工作面回风", "face", "1290", area="12.5", speed="1.72")
DRIVE = reading("303皮带巷掘进面", "heading", "610", area="15.4", speed="0.66")
PUMP = reading("中央水泵房", "chamber", "92", area="5.1", speed="0.30")
ROADWAY = reading("三采区轨道巷", "other", "305", area="12.1", speed="0.42")
SHAFT = reading("副斜井", "intake", "2400", area="16.0", speed="2.50")
UPCAST = reading("南风井总回风", "return", "2430", area="15.0", speed="2.70")
FAN = FanExtract(name="南风井主通风机", flow=printed("2500"))
ALL = (INTAKE, RETURN, DRIVE, PUMP, ROADWAY, SHAFT, UPCAST)


def measured(*changes: tuple[ReadingExtract, ReadingExtract | None], **values: Any) -> ReportExtract:
    """The sound report; each change replaces a reading, or drops it for None."""
    swaps = {id(old): new for old, new in changes}
    rows = [swaps.get(id(row), row) for row in ALL]
    figures: dict[str, Any] = {"fans": (FAN,), "total_intake": printed("2400"), "total_return": printed("2430")}
    return report(*(row for row in rows if row is not None), **{**figures, **values})


def loud(result: ReportResult) -> list[tuple[str, str]]:
    return [(f.kind.value, f.subject_name) for f in result.findings if f.severity.value != "note"]


def flow(row: ReadingExtract, value: str, **values: str) -> ReadingExtract:
    changes: dict[str, Any] = {key: printed(text) for key, text in values.items()}
    return replace(row, flow=printed(value), **changes)


def days(start: date, end: date) -> Window:
    return Window(start=start, end=end, text=f"{start}～{end}", status=WindowStatus.OK)


FOUND: tuple[tuple[str, str, Build], ...] = (
    (
        "window_mismatch",
        "矿井",
        lambda: review(OWN, measured(window=days(date(2026, 5, 1), date(2026, 5, 10)))),
    ),
    (
        "unparsable_effective_window",
        "矿井",
        lambda: review(OWN, measured(window=Window(text="本旬", status=WindowStatus.UNPARSABLE))),
    ),
    ("alias_uncertain", "3号硐室", lambda: review(OWN, measured((PUMP, replace(PUMP, station="3号硐室"))))),
    (
        "measured_shortage",
        "303皮带巷掘进工作面",
        lambda: review(OWN, measured((DRIVE, flow(DRIVE, "500", speed="0.54")))),
    ),
    (
        "measured_serious",
        "303皮带巷掘进工作面",
        lambda: review(OWN, measured((DRIVE, flow(DRIVE, "400", speed="0.43")))),
    ),
    ("reading_inconsistent", "三采区轨道巷", lambda: review(OWN, measured((ROADWAY, flow(ROADWAY, "350"))))),
    ("reading_inconsistent", "矿井", lambda: review(OWN, measured(total_intake=printed("2700")))),
    ("unit_suspect", "三采区轨道巷", lambda: review(OWN, measured((ROADWAY, flow(ROADWAY, "5.08"))))),
    ("leakage", "矿井", lambda: review(OWN, measured(fans=(replace(FAN, flow=printed("2620")),)))),
    (
        "effective_rate",
        "矿井",
        lambda: review(
            OWN,
            measured(
                (SHAFT, flow(SHAFT, "2880", speed="3.00")),
                (UPCAST, flow(UPCAST, "2880", speed="3.20")),
                total_intake=printed("2880"),
                total_return=printed("2880"),
                fans=(replace(FAN, flow=printed("2960")),),
            ),
        ),
    ),
    (
        "gas_or_heat_limit",
        "301工作面回风",
        lambda: review(OWN, measured((RETURN, replace(RETURN, ch4=printed("1.05"))))),
    ),
    (
        "gas_or_heat_limit",
        "南风井总回风",
        lambda: review(OWN, measured((UPCAST, replace(UPCAST, ch4=printed("0.80"))))),
    ),
    (
        "gas_or_heat_limit",
        "中央水泵房",
        lambda: review(OWN, measured((PUMP, replace(PUMP, temperature=printed("31.0"))))),
    ),
    ("gas_or_heat_limit", "副斜井", lambda: review(OWN, measured((SHAFT, replace(SHAFT, co2=printed("0.60")))))),
    ("not_measured", "中央水泵房", lambda: review(OWN, measured((PUMP, None)))),
    (
        "speed_check_failed",
        "三采区轨道巷",
        lambda: review(OWN, measured((ROADWAY, flow(ROADWAY, "300", speed="0.13", area="38.5")))),
    ),
    (
        "speed_check_failed",
        "三采区胶带上山",
        lambda: review(
            plan(place("三采区胶带上山", ROAD, "240", "300")),
            report(reading("三采区胶带上山", "other", "1020", area="2.5", speed="6.80")),
        ),
    ),
    (
        "conflicting_values",
        "矿井",
        lambda: review(
            OWN,
            measured(
                statements=(
                    Statement(key="stated_total_return", text="2430", low=Decimal(2430)),
                    Statement(key="stated_total_return", text="2340", low=Decimal(2340)),
                )
            ),
        ),
    ),
)


@pytest.mark.parametrize(("kind", "subject", "build"), FOUND, ids=[f"{k}-{s}" for k, s, _ in FOUND])
def test_a_fault_of_the_report_gives_this_one_finding_above_a_note(kind: str, subject: str, build: Build) -> None:
    assert loud(build()) == [(kind, subject)]


SOUND: tuple[tuple[str, str, Build], ...] = (
    ("every kind", "a report without a fault", lambda: review(OWN, measured())),
    (
        "window_mismatch",
        "measured on the first and the last day of the month",
        lambda: review(OWN, measured(window=days(date(2025, 3, 1), date(2025, 3, 31)))),
    ),
    (
        "window_mismatch",
        "measured on one day",
        lambda: review(OWN, measured(window=days(date(2025, 3, 8), date(2025, 3, 8)))),
    ),
    (
        "alias_uncertain",
        "stations with side words",
        lambda: review(
            OWN,
            measured(
                (PUMP, replace(PUMP, station="中央水泵房回风侧")),
                (DRIVE, replace(DRIVE, station="303皮带巷综掘迎头（全风压处）")),
            ),
        ),
    ),
    (
        "alias_uncertain",
        "a roadway the plan does not list",
        lambda: review(OWN, report(*ALL, reading("南翼大巷", "other", "900", area="12.0", speed="1.25"), fans=(FAN,))),
    ),
    (
        "measured_shortage",
        "less than planned, more than needed",
        lambda: review(
            OWN, measured((INTAKE, flow(INTAKE, "1215", speed="1.63")), (RETURN, flow(RETURN, "1230", speed="1.64")))
        ),
    ),
    (
        "measured_shortage",
        "no station by its remark",
        lambda: review(
            OWN, measured((PUMP, None)), extract_of(OWN, 中央水泵房={"no_station": True, "remark": "不设测点"})
        ),
    ),
    (
        "measured_serious",
        "a second station in the return of a heading",
        lambda: review(
            OWN,
            report(
                *ALL[:2],
                replace(DRIVE, station="303皮带巷掘进面全风压处"),
                reading("303皮带巷掘进面回风流", "heading", "330", area="15.4", speed="0.36"),
                *ALL[3:],
                fans=(FAN,),
            ),
        ),
    ),
    (
        "measured_excess",
        "a chamber with a third more than planned",
        lambda: review(OWN, measured((PUMP, flow(PUMP, "120", speed="0.39")))),
    ),
    (
        "measured_excess",
        "a roadway is judged by its speed only",
        lambda: review(OWN, measured((ROADWAY, flow(ROADWAY, "380", speed="0.52")))),
    ),
    (
        "reading_inconsistent",
        "a flow rounded up to tens digits of speed",
        lambda: review(OWN, measured((ROADWAY, flow(ROADWAY, "308", speed="0.42")))),
    ),
    (
        "reading_inconsistent",
        "three per cent more return than intake",
        lambda: review(
            OWN,
            measured(
                (UPCAST, flow(UPCAST, "2475", speed="2.75")),
                total_return=printed("2475"),
                fans=(replace(FAN, flow=printed("2550")),),
            ),
        ),
    ),
    ("leakage", "just below five per cent", lambda: review(OWN, measured(fans=(replace(FAN, flow=printed("2555")),)))),
    (
        "leakage",
        "ten per cent where a hoist stands in the return shaft",
        lambda: review(
            OWN,
            measured(
                fans=(replace(FAN, flow=printed("2700")),),
                statements=(Statement(key="return_shaft_hoist", text="回风立井设有提升设备"),),
            ),
        ),
    ),
    (
        "effective_rate",
        "a place that is measured twice counts once",
        lambda: review(OWN, measured(stated_rates={"effective_rate": printed("95.7")})),
    ),
    (
        "effective_rate",
        "a place without a station would mend the rate",
        lambda: review(
            OWN,
            measured((ROADWAY, None)),
            extract_of(OWN, 三采区轨道巷={"no_station": True, "remark": "不设测点"}),
        ),
    ),
    (
        "gas_or_heat_limit",
        "below every limit",
        lambda: review(
            OWN,
            measured(
                (RETURN, replace(RETURN, ch4=printed("0.92"), co2=printed("0.9"), temperature=printed("26.0"))),
                (PUMP, replace(PUMP, temperature=printed("30.0"))),
                (UPCAST, replace(UPCAST, ch4=printed("0.75"))),
            ),
        ),
    ),
    (
        "gas_or_heat_limit",
        "a hot roadway has no limit of its own",
        lambda: review(OWN, measured((ROADWAY, replace(ROADWAY, temperature=printed("27.5"))))),
    ),
    (
        "not_measured",
        "a stopped place",
        lambda: review(OWN, measured((PUMP, None)), extract_of(OWN, 中央水泵房={"stopped": True})),
    ),
    (
        "not_measured",
        "only speed and section are printed",
        lambda: review(OWN, measured((PUMP, replace(PUMP, flow=None)))),
    ),
    (
        "unit_suspect",
        "a small flow with its own speed and section",
        lambda: review(
            plan(place("躲避硐室", CHAMBER, "20", "20")),
            report(reading("躲避硐室", "chamber", "21", area="2.5", speed="0.14")),
        ),
    ),
)


@pytest.mark.parametrize(("kind", "case", "build"), SOUND, ids=[f"{k}-{c}" for k, c, _ in SOUND])
def test_what_only_looks_like_a_fault_of_the_report_gives_nothing_above_a_note(
    kind: str, case: str, build: Build
) -> None:
    assert loud(build()) == [], (kind, case)


def test_excess_is_a_note() -> None:
    result = review(OWN, measured((DRIVE, flow(DRIVE, "720", speed="0.78"))))

    assert [(f.kind.value, f.severity.value) for f in result.findings if f.subject_name.startswith("303")] == [
        ("measured_excess", "note")
    ]


def test_a_main_fan_has_a_row_of_its_own_against_the_printed_need_of_its_system() -> None:
    result = review(OWN, measured())

    rows = [c for c in result.comparisons if c.type is PlaceType.MAIN_FAN]
    assert [(r.subject, r.basis, r.required, r.measured, r.verdict.value) for r in rows] == [
        ("南风井主通风机", "measured_required", Decimal(2184), Decimal(2500), "ok")
    ]
    assert "南风井系统" in rows[0].reason


def test_a_fan_short_of_its_system_is_told_once_at_the_system() -> None:
    low = measured(
        (UPCAST, flow(UPCAST, "2100", speed="2.33")),
        total_return=printed("2100"),
        fans=(replace(FAN, flow=printed("2150")),),
    )
    result = review(OWN, low)

    assert verdict(result, "南风井主通风机") == "shortage"
    assert [s for k, s in loud(result) if k.startswith("measured_")] == ["南风井系统"]


def test_two_fans_of_one_system_are_judged_together() -> None:
    fans = (
        replace(FAN, name="南风井1号主通风机", flow=printed("1300")),
        replace(FAN, name="南风井2号主通风机", flow=printed("1200")),
    )
    rows = [c for c in review(OWN, measured(fans=fans)).comparisons if c.type is PlaceType.MAIN_FAN]

    assert [(r.measured, r.verdict.value) for r in rows] == [(Decimal(2500), "ok"), (Decimal(2500), "ok")]


def test_a_fan_that_no_system_claims_is_not_judged() -> None:
    two = plan(place("中央水泵房", CHAMBER, "80"), systems=(("南风井系统", "900"), ("北风井系统", "800")))
    result = review(two, report(PUMP, fans=(FanExtract(name="备用扇", flow=printed("1000")),)))

    assert verdict(result, "备用扇") == "not_judged"


def test_most_faces_without_a_like_name_are_one_question_about_the_plan() -> None:
    strange = [reading(f"{n}工作面回风", "face", "1300", area="12.0", speed="1.81") for n in (801, 802, 803, 805)]
    result = review(OWN, report(*strange, PUMP))

    assert [x for x in loud(result) if x[0] == "alias_uncertain"] == [("alias_uncertain", "矿井")]


def test_the_very_name_wins_over_a_name_of_the_same_meaning() -> None:
    two = plan(place("一采区变电所", CHAMBER, "80"), place("一采区变电硐室", CHAMBER, "100"))
    result = review(
        two,
        report(
            reading("一采区变电硐室", "chamber", "110"),
            reading("一采区变电所", "chamber", "85"),
        ),
    )

    assert [r.place_id for r in result.report.readings] == ["P002", "P001"]
    assert loud(result) == []


def test_a_station_without_a_block_is_a_face_by_its_type_word() -> None:
    result = review(OWN, measured((INTAKE, replace(INTAKE, station="301面进风侧", kind="other"))))

    assert result.report.readings[0].kind == "face"
    assert result.report.readings[0].place_id == "P001"
