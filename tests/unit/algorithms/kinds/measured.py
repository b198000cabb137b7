"""Kinds about time, names and measured air: reports that earn them, and sound ones near by."""

from __future__ import annotations

from dataclasses import replace

from tests.support.papers.judging import Found, Near
from tests.support.papers.plan_paper import (
    CHARGING,
    FACE,
    HEADING,
    ROADWAY,
    ROCK,
    SOUND,
    STOPPED,
    STORE,
    SUBSTATION,
    VEHICLES,
)
from tests.support.papers.survey_paper import (
    EAST_FAN,
    EAST_RETURN,
    FACE_IN,
    FACE_OUT,
    HEADINGS,
    MAIN_SHAFT,
    SIDE_SHAFT,
    WEST_RETURN,
    Station,
    SurveyPaper,
    flow_of,
)
from tests.support.papers.survey_paper import SOUND as SURVEY


def leaking(*, hoist: bool = False, fan: str = "3900") -> SurveyPaper:
    """A report whose east fan moves more than its return."""
    report = SURVEY.changed(EAST_FAN, flow=fan)
    return replace(report, notes=("东风井总回风井筒装有提升设备，兼作回风立井提升。",)) if hoist else report


FOUND: dict[str, Found] = {
    "a plan for no readable time": Found(
        kind="unparsable_effective_window",
        subject="矿井",
        severity="manual",
        papers=lambda: (replace(SOUND, period="自批准之日起执行"), SURVEY),
    ),
    "a report of this ten days": Found(
        kind="unparsable_effective_window",
        subject="矿井",
        severity="manual",
        papers=lambda: (SOUND, replace(SURVEY, dates="本旬")),
    ),
    "measured a year later": Found(
        kind="window_mismatch",
        subject="矿井",
        severity="manual",
        papers=lambda: (SOUND, replace(SURVEY, dates="2026年3月11日至2026年3月20日")),
    ),
    "measured in the month before": Found(
        kind="window_mismatch",
        subject="矿井",
        severity="manual",
        papers=lambda: (SOUND, replace(SURVEY, dates="2025年2月21日至2025年2月28日")),
    ),
    "a number for a name": Found(
        kind="alias_uncertain",
        subject="3号硐室",
        severity="manual",
        papers=lambda: (SOUND, SURVEY.changed(SUBSTATION, name="3号硐室")),
    ),
    "a heading of another name": Found(
        kind="alias_uncertain",
        subject="106皮带巷掘进工作面",
        severity="manual",
        papers=lambda: (SOUND, SURVEY.changed(ROCK, name="106皮带巷掘进工作面")),
    ),
    "a tenth below the need": Found(
        kind="measured_shortage",
        subject=HEADING,
        papers=lambda: (SOUND, SURVEY.flowing(HEADING, "18.5", "0.51")),
    ),
    "the return of a face below its need": Found(
        kind="measured_shortage",
        subject=FACE,
        papers=lambda: (SOUND, SURVEY.flowing(FACE_OUT, "12.5", "1.60")),
    ),
    "below three quarters of the need": Found(
        kind="measured_serious",
        subject=STORE,
        severity="error",
        papers=lambda: (SOUND, SURVEY.flowing(STORE, "3.5", "0.33")),
    ),
    "a rock heading below three quarters of its need": Found(
        kind="measured_serious",
        subject=ROCK,
        severity="error",
        papers=lambda: (SOUND, SURVEY.flowing(ROCK, "13.3", "0.37").flowing(FACE_OUT, "12.5", "1.80")),
    ),
    "a fifth more than planned in a heading": Found(
        kind="measured_excess",
        subject=HEADING,
        severity="note",
        papers=lambda: (SOUND, SURVEY.flowing(HEADING, "18.5", "0.69")),
    ),
    "a chamber with twice its plan": Found(
        kind="measured_excess",
        subject=SUBSTATION,
        severity="note",
        papers=lambda: (SOUND, SURVEY.flowing(SUBSTATION, "3.6", "0.60")),
    ),
    "swapped digits of a flow": Found(
        kind="reading_inconsistent",
        subject=VEHICLES,
        papers=lambda: (SOUND, SURVEY.changed(VEHICLES, flow="514")),
    ),
    "a total that is not the sum of its shafts": Found(
        kind="reading_inconsistent",
        subject="矿井",
        papers=lambda: (SOUND, replace(SURVEY, total_intake="5396")),
    ),
    "a fan that moves seven per cent more than its return": Found(
        kind="leakage", subject="矿井", papers=lambda: (SOUND, leaking())
    ),
    "sixteen per cent though a hoist stands in the return shaft": Found(
        kind="leakage", subject="矿井", papers=lambda: (SOUND, leaking(hoist=True, fan="4600"))
    ),
    "a third of the intake lost": Found(
        kind="effective_rate",
        subject="矿井",
        papers=lambda: (
            SOUND,
            SURVEY.flowing(SIDE_SHAFT, "16.0", "3.80")
            .flowing(EAST_RETURN, "15.0", "4.50")
            .changed(EAST_FAN, flow="4100"),
        ),
    ),
    "a rate just below its limit": Found(
        kind="effective_rate",
        subject="矿井",
        papers=lambda: (
            SOUND,
            SURVEY.flowing(SIDE_SHAFT, "16.0", "3.51")
            .flowing(EAST_RETURN, "15.0", "4.15")
            .changed(EAST_FAN, flow="3800"),
        ),
    ),
    "gas of a face's return at its limit": Found(
        kind="gas_or_heat_limit",
        subject=FACE_OUT,
        severity="error",
        papers=lambda: (SOUND, SURVEY.changed(FACE_OUT, ch4="1.00")),
    ),
    "a hot heading": Found(
        kind="gas_or_heat_limit",
        subject=HEADING,
        severity="error",
        papers=lambda: (SOUND, SURVEY.changed(HEADING, temperature="26.5")),
    ),
    "a chamber without a row": Found(
        kind="not_measured",
        subject=CHARGING,
        papers=lambda: (SOUND, SURVEY.without(CHARGING)),
    ),
    "a heading marked as not measured": Found(
        kind="not_measured",
        subject=ROCK,
        papers=lambda: (SOUND, SURVEY.changed(ROCK, flow="未测", speed="", area="")),
    ),
}

NEAR: dict[str, Near] = {
    "a period in figures": Near(
        kind="unparsable_effective_window", papers=lambda: (replace(SOUND, period="2025.3.1－2025.3.31"), SURVEY)
    ),
    "ten days by their name": Near(
        kind="unparsable_effective_window", papers=lambda: (SOUND, replace(SURVEY, dates="2025年3月中旬"))
    ),
    "measured on the last day": Near(
        kind="window_mismatch", papers=lambda: (SOUND, replace(SURVEY, dates="2025年3月31日"))
    ),
    "measured on the first day": Near(
        kind="window_mismatch", papers=lambda: (SOUND, replace(SURVEY, dates="2025-03-01"))
    ),
    "a face in short": Near(
        kind="alias_uncertain",
        papers=lambda: (SOUND, SURVEY.changed(FACE_IN, name="101面进风侧").changed(FACE_OUT, name="101面回风侧")),
    ),
    "blanks, brackets and wide digits": Near(
        kind="alias_uncertain",
        papers=lambda: (
            SOUND,
            SURVEY.changed(ROADWAY, name="一采区 回风巷（测点3）").changed(HEADING, name="１０３运输顺槽掘进面"),
        ),
    ),
    "less than planned, more than needed": Near(
        kind="measured_shortage",
        papers=lambda: (SOUND, SURVEY.changed(FACE_OUT, area="11.9", speed="1.71", flow="1222")),
    ),
    "exactly as needed": Near(
        kind="measured_shortage",
        papers=lambda: (SOUND, SURVEY.changed(STORE, flow="100", area="3.5", speed="0.48")),
    ),
    "a second station in the return of a heading": Near(
        kind="measured_serious",
        papers=lambda: (
            SOUND,
            SURVEY.changed(HEADING, name=f"{HEADING}全风压处").more(
                Station(
                    name=f"{HEADING}回风流", block=HEADINGS, area="18.5", speed="0.36", flow=flow_of("18.5", "0.36")
                )
            ),
        ),
    ),
    "more than three quarters is no serious want": Near(
        kind="measured_serious",
        papers=lambda: (SOUND, SURVEY.flowing(HEADING, "18.5", "0.51")),
        loud=(("measured_shortage", HEADING),),
    ),
    "a chamber with a third more than planned": Near(
        kind="measured_excess", papers=lambda: (SOUND, SURVEY.flowing(SUBSTATION, "3.6", "0.37"))
    ),
    "a roadway is judged by its speed": Near(
        kind="measured_excess", papers=lambda: (SOUND, SURVEY.flowing(ROADWAY, "18.5", "0.52"))
    ),
    "a flow of unrounded speed": Near(
        kind="reading_inconsistent", papers=lambda: (SOUND, SURVEY.changed(VEHICLES, flow="545"))
    ),
    "a person's section taken off everywhere": Near(
        kind="reading_inconsistent",
        papers=lambda: (SOUND, replace(SURVEY, total_return="5348.0")),
    ),
    "just below five per cent": Near(kind="leakage", papers=lambda: (SOUND, leaking(fan="3825"))),
    "seven per cent with a hoist in the return shaft": Near(
        kind="leakage", papers=lambda: (SOUND, leaking(hoist=True))
    ),
    "a rate just above its limit": Near(
        kind="effective_rate",
        papers=lambda: (
            SOUND,
            SURVEY.flowing(SIDE_SHAFT, "16.0", "3.45")
            .flowing(EAST_RETURN, "15.0", "4.10")
            .changed(EAST_FAN, flow="3780"),
        ),
    ),
    "a face counts once": Near(
        kind="effective_rate",
        papers=lambda: (SOUND, SURVEY.flowing(FACE_IN, "12.4", "1.80").flowing(FACE_OUT, "12.5", "1.80")),
    ),
    "gas just below every limit": Near(
        kind="gas_or_heat_limit",
        papers=lambda: (
            SOUND,
            SURVEY.changed(FACE_OUT, ch4="0.99", temperature="26.0").changed(WEST_RETURN, ch4="0.75"),
        ),
    ),
    "a warm substation": Near(
        kind="gas_or_heat_limit", papers=lambda: (SOUND, SURVEY.changed(SUBSTATION, temperature="29.5"))
    ),
    "the plan says it has no station": Near(
        kind="not_measured",
        papers=lambda: (SOUND.changed(SUBSTATION, remark="不设测点"), SURVEY.without(SUBSTATION)),
    ),
    "a stopped heading": Near(
        kind="not_measured",
        papers=lambda: (
            SOUND.more(STOPPED),
            SURVEY,
        ),
    ),
    "cool intake shafts": Near(
        kind="gas_or_heat_limit", papers=lambda: (SOUND, SURVEY.changed(MAIN_SHAFT, temperature="2.0", co2="0.50"))
    ),
}
