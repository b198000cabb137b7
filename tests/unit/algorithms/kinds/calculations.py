"""Kinds about a printed calculation: documents that earn them, and sound ones that look as if they did."""

from __future__ import annotations

from dataclasses import replace

from tests.support.papers.judging import Found, Near, needing
from tests.support.papers.plan_paper import (
    CROSSCUT,
    FACE,
    HEADING,
    ROADWAY,
    SOUND,
    STANDBY,
    STORE,
    SUBSTATION,
    WEST,
    Part,
)
from tests.support.papers.survey_paper import SOUND as SURVEY

CLIMATE = "60×11.3×1.0×1.2×1.5=1221"
REFUGE = Part(
    name="避难硐室", kind="硐室", lines=("小型硐室，按经验取20m³/min，需风量为20m³/min。",), need="20", planned="20"
)

FOUND: dict[str, Found] = {
    "a governing result too large": Found(
        kind="arithmetic_mismatch",
        subject=FACE,
        papers=lambda: (needing(SOUND, FACE, "1311", {CLIMATE: "60×11.3×1.0×1.2×1.5=1311"}), None),
    ),
    "swapped digits of a result that does not govern": Found(
        kind="arithmetic_mismatch",
        subject=FACE,
        papers=lambda: (SOUND.changed(FACE, {"4×42=168": "4×42=186"}), None),
    ),
    "less planned than the exact need": Found(
        kind="rounded_down",
        subject=HEADING,
        papers=lambda: (needing(SOUND, HEADING, "627", {"15×18.5=628": "15×18.5=627"}), None),
    ),
    "rounded down with more planned": Found(
        kind="rounded_down",
        subject=FACE,
        severity="note",
        papers=lambda: (needing(SOUND, FACE, "1220", {CLIMATE: CLIMATE.replace("1221", "1220")}, "1225"), None),
    ),
    "seventy per cent of an effective area": Found(
        kind="variant_mismatch",
        subject=FACE,
        papers=lambda: (needing(SOUND, FACE, "855", {CLIMATE: "60×70%×11.3×1.0×1.2×1.5=855"}), None),
    ),
    "all of a net area": Found(
        kind="variant_mismatch",
        subject=FACE,
        papers=lambda: (
            needing(
                SOUND.said(
                    "Q=60×v×S×K采高×K采面长，S为平均有效净断面积，已扣除控顶区占用，不再乘70%",
                    "Q=60×70%×v×S×K采高×K采面长，S为净断面积",
                ),
                FACE,
                "1750",
                {CLIMATE: "60×16.2×1.0×1.2×1.5=1750", "平均有效净断面积11.3": "平均净断面积16.2"},
                area="16.2",
            ),
            None,
        ),
    ),
    "gas taken although climate gave more": Found(
        kind="not_the_maximum",
        subject=FACE,
        papers=lambda: (needing(SOUND, FACE, "299", {}), None),
    ),
    "half of the working need left out": Found(
        kind="not_the_maximum",
        subject=STANDBY,
        papers=lambda: (needing(SOUND, STANDBY, "299", {"按生产时需风量的一半：Q备=1254×50%=627m³/min": ""}), None),
    ),
    "eight metres a second for a heading": Found(
        kind="speed_check_failed",
        subject=HEADING,
        papers=lambda: (SOUND.changed(HEADING, {"60×4×18.5=4440": "60×8×18.5=8880"}), None),
    ),
    "the least speed by the least section": Found(
        kind="speed_check_failed",
        subject=FACE,
        papers=lambda: (SOUND.changed(FACE, {"60×0.25×11.9=178.5": "60×0.25×10.6=159"}), None),
    ),
    "people printed and not calculated": Found(
        kind="missing_method",
        subject=FACE,
        papers=lambda: (SOUND.changed(FACE, {"按人数：Q采=4×42=168m³/min": ""}), None),
    ),
    "carbon dioxide printed and not calculated": Found(
        kind="missing_method",
        subject=FACE,
        papers=lambda: (
            SOUND.changed(FACE, {"瓦斯绝对涌出量2.13": "二氧化碳绝对涌出量1.20m³/min，瓦斯绝对涌出量2.13"}),
            None,
        ),
    ),
    "cubic metres a second in the table": Found(
        kind="unit_suspect",
        subject=FACE,
        papers=lambda: (
            replace(SOUND.changed(FACE, planned="20.4"), planned_subtotals={"东风井系统": "2965"}),
            None,
        ),
    ),
    "a measured flow a second": Found(
        kind="unit_suspect",
        subject=ROADWAY,
        papers=lambda: (SOUND, SURVEY.changed(ROADWAY, flow="7.6")),
    ),
    "a division sign lost in the text": Found(
        kind="extraction_doubt",
        subject=SUBSTATION,
        severity="note",
        papers=lambda: (SOUND.changed(SUBSTATION, {"0.02÷(1.2": "0.02+(1.2"}), None),
    ),
}

NEAR: dict[str, Near] = {
    "rounded on the way": Near(
        kind="arithmetic_mismatch",
        papers=lambda: (SOUND.changed(FACE, {CLIMATE: "60×11.3×1.0×1.2×1.5=1220.4=1221"}), None),
    ),
    "rounded half up": Near(
        kind="arithmetic_mismatch",
        papers=lambda: (
            SOUND.changed(FACE, {"100×2.13×1.4=298.2": "100×2.134×1.4=299", "涌出量2.13": "涌出量2.134"}),
            None,
        ),
    ),
    "the result with all its decimals": Near(
        kind="rounded_down",
        papers=lambda: (SOUND.changed(FACE, {CLIMATE: CLIMATE.replace("1221", "1220.4")}), None),
    ),
    "half a cubic metre rounded up": Near(
        kind="rounded_down",
        papers=lambda: (needing(SOUND, HEADING, "628", {"15×18.5=628": "15×18.5=627.5"}), None),
    ),
    "seventy per cent of a net area": Near(
        kind="variant_mismatch",
        papers=lambda: (
            needing(
                SOUND.said("S为平均有效净断面积，已扣除控顶区占用，不再乘70%", "S为平均净断面积，乘70%为有效断面").said(
                    "Q=60×v×S×K采高", "Q=60×70%×v×S×K采高"
                ),
                FACE,
                "1225",
                {CLIMATE: "60×70%×16.2×1.0×1.2×1.5=1225", "平均有效净断面积11.3": "平均净断面积16.2"},
                area="16.2",
            ),
            None,
        ),
    ),
    "the general formula has 70 %, the substituted area is effective": Near(
        kind="variant_mismatch",
        papers=lambda: (
            SOUND.said(
                "Q=60×v×S×K采高×K采面长，S为平均有效净断面积，已扣除控顶区占用，不再乘70%", "Q=60×70%×v×S×K采高×K采面长"
            ),
            None,
        ),
    ),
    "a round figure above the largest": Near(
        kind="not_the_maximum", papers=lambda: (needing(SOUND, FACE, "1230", {}), None)
    ),
    "gas of a standby face above half of its working need": Near(
        kind="not_the_maximum",
        papers=lambda: (
            needing(SOUND, STANDBY, "650", {"100×2.30×1.3=299": "100×5.00×1.3=650", "涌出量2.30": "涌出量5.00"}),
            None,
        ),
    ),
    "five metres a second with infusion and sprays": Near(
        kind="speed_check_failed",
        papers=lambda: (
            SOUND.said(
                "再作风速验算。", "再作风速验算。综采工作面采取煤层注水和采煤机喷雾降尘措施，最高风速取5m/s。"
            ).changed(FACE, {"60×4×10.6=2544": "60×5×10.6=3180"}),
            None,
        ),
    ),
    "a roadway at its least speed": Near(
        kind="speed_check_failed",
        papers=lambda: (needing(SOUND, CROSSCUT, "130", {"60×0.25×14.4=216": "60×0.15×14.4=130"}), None),
    ),
    "no explosive in a mechanised heading": Near(
        kind="missing_method",
        papers=lambda: (SOUND.changed(HEADING, {"煤巷，综掘": "煤巷，综掘，不使用炸药"}), None),
    ),
    "a small chamber taken by experience": Near(
        kind="missing_method",
        papers=lambda: (
            SOUND.more(replace(REFUGE, lines=("最多6人。需风量按经验定为65m³/min。",), need="65", planned="65")),
            None,
        ),
    ),
    "small air beside large": Near(kind="unit_suspect", papers=lambda: (SOUND.more(REFUGE), None)),
    "a small measured flow with its own speed and section": Near(
        kind="unit_suspect",
        papers=lambda: (
            SOUND.more(REFUGE),
            SURVEY.more(
                replace(SURVEY.stations[-4], name="避难硐室", block="硐室", area="2.5", speed="0.15", flow="22")
            ),
        ),
    ),
    "two fans in one heading": Near(
        kind="extraction_doubt",
        papers=lambda: (
            needing(
                SOUND,
                HEADING,
                "1048",
                {
                    "350×1+15×18.5=628": "350+420+15×18.5=1048",
                    "一台，实测吸风量350m³/min": "两台，实测吸风量350m³/min、420m³/min",
                },
            ),
            None,
        ),
    ),
    "a store by a slash": Near(
        kind="extraction_doubt", papers=lambda: (SOUND.changed(STORE, {"4×1500÷60": "4×1500/60"}, system=WEST), None)
    ),
}
