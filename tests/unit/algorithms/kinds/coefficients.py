"""Kinds about coefficients, constants and values printed twice: documents that earn them, and sound ones near by."""

from __future__ import annotations

from dataclasses import replace

from tests.support.papers.judging import Found, Near, needing
from tests.support.papers.plan_paper import (
    CROSSCUT,
    EAST,
    FACE,
    HEADING,
    PARTS,
    ROADWAY,
    ROCK,
    SOUND,
    STORE,
    SUBSTATION,
    WEST,
)

CLIMATE = "60×11.3×1.0×1.2×1.5=1221"
SECOND = "102综采工作面"
LOWER_FACE = replace(
    PARTS[0],
    name=SECOND,
    lines=tuple(
        line.replace("采高3.8m，工作面长度240m", "采高2.3m，工作面长度140m")
        .replace("K采高=1.2，K采面长=1.5", "K采高=1.1，K采面长=1.0")
        .replace(CLIMATE, "60×11.3×1.0×1.1×1.0=746")
        .replace("1221", "746")
        for line in PARTS[0].lines
    ),
    need="746",
    planned="750",
    speed="1.11",
)

FOUND: dict[str, Found] = {
    "slow air in a warm face": Found(
        kind="coefficient_out_of_bracket",
        subject=FACE,
        papers=lambda: (SOUND.changed(FACE, {"进风流温度19℃": "进风流温度24℃"}), None),
    ),
    "unbalance below its range": Found(
        kind="coefficient_out_of_bracket",
        subject=FACE,
        papers=lambda: (
            SOUND.changed(FACE, {"（K=1.4）": "（K=1.05）", "100×2.13×1.4=298.2": "100×2.13×1.05=223.65"}),
            None,
        ),
    ),
    "heat of a substation taken too high": Found(
        kind="coefficient_out_of_bracket",
        subject=SUBSTATION,
        papers=lambda: (
            SOUND.changed(
                SUBSTATION,
                {"θ=0.02": "θ=0.15", "240×0.02": "240×0.15", "=48m": "=360m", "不足最小值，需风量为60": "需风量为360"},
                need="360",
                planned="360",
            ),
            None,
        ),
    ),
    "explained otherwise than substituted": Found(
        kind="coefficient_inconsistent",
        subject=FACE,
        papers=lambda: (SOUND.changed(FACE, {"K采面长=1.5）": "K采面长=1.4）"}), None),
    ),
    "the reserve given to one system only": Found(
        kind="coefficient_inconsistent",
        subject=WEST,
        papers=lambda: (replace(SOUND, coefficients={WEST: "1.0"}), None),
    ),
    "three cubic metres a person": Found(
        kind="wrong_constant",
        subject=FACE,
        papers=lambda: (SOUND.changed(FACE, {"4×42=168": "3×42=126"}), None),
    ),
    "the constant of rock for a coal heading": Found(
        kind="wrong_constant",
        subject=HEADING,
        papers=lambda: (needing(SOUND, HEADING, "517", {"350×1+15×18.5=628": "350×1+9×18.5=517"}), None),
    ),
    "a section of the table that is not the calculation's": Found(
        kind="conflicting_values",
        subject=FACE,
        papers=lambda: (SOUND.changed(FACE, area="15.6", speed="1.31"), None),
    ),
    "a summary with swapped digits": Found(
        kind="conflicting_values",
        subject=EAST,
        papers=lambda: (
            replace(SOUND, summary=((EAST, "2925", "1.2", "3542.4"), (WEST, "1372", "1.2", "1646.4"))),
            None,
        ),
    ),
}

NEAR: dict[str, Near] = {
    "at the lower edge of a bracket": Near(
        kind="coefficient_out_of_bracket",
        papers=lambda: (SOUND.changed(FACE, {"进风流温度19℃": "进风流温度20℃"}), None),
    ),
    "at the upper edge of a bracket": Near(
        kind="coefficient_out_of_bracket",
        papers=lambda: (
            needing(
                SOUND,
                FACE,
                "1831",
                {"进风流温度19℃": "进风流温度23℃", "v=1.0": "v=1.5", CLIMATE: "60×11.3×1.5×1.2×1.5=1831"},
            ),
            None,
        ),
    ),
    "the range of blasting headings": Near(
        kind="coefficient_out_of_bracket",
        papers=lambda: (
            SOUND.changed(ROCK, {"（K=1.9）": "（K=2.0）", "100×1.07×1.9=203.3": "100×1.07×2.0=214"}),
            None,
        ),
    ),
    "the same coefficient with another number of digits": Near(
        kind="coefficient_inconsistent",
        papers=lambda: (SOUND.changed(FACE, {"K采面长=1.5）": "K采面长=1.50）"}), None),
    ),
    "two faces with coefficients of their own": Near(
        kind="coefficient_inconsistent", papers=lambda: (SOUND.more(LOWER_FACE), None)
    ),
    "the reserve printed as 1.20": Near(
        kind="coefficient_inconsistent", papers=lambda: (replace(SOUND, coefficients={EAST: "1.20"}), None)
    ),
    "five cubic metres a person": Near(
        kind="wrong_constant", papers=lambda: (SOUND.changed(FACE, {"4×42=168": "5×42=210"}), None)
    ),
    "twenty-five for explosive of the first grade": Near(
        kind="wrong_constant",
        papers=lambda: (
            needing(
                SOUND.said("Q=10×A，使用三级煤矿许用炸药", "Q=25×A，使用一级煤矿许用炸药"),
                ROCK,
                "428",
                {"10×17.1=171": "25×17.1=428", "三级煤矿许用": "一级煤矿许用"},
            ),
            None,
        ),
    ),
    "six changes an hour in the store": Near(
        kind="wrong_constant",
        papers=lambda: (
            SOUND.changed(
                STORE, {"4×1500÷60=100": "6×1500÷60=150", "需风量为100": "需风量为150"}, need="150", planned="150"
            ),
            None,
        ),
    ),
    "the section with one more digit": Near(
        kind="conflicting_values", papers=lambda: (SOUND.changed(FACE, area="11.30"), None)
    ),
    "a summary that says the same": Near(
        kind="conflicting_values",
        papers=lambda: (
            replace(SOUND, summary=((EAST, "2952", "1.20", "3542.40"), (WEST, "1372", "1.2", "1646.4"))),
            None,
        ),
    ),
    "the section of the table rounded": Near(
        kind="conflicting_values",
        papers=lambda: (
            SOUND.changed(CROSSCUT, {"断面14.4m²": "断面14.37m²", "60×0.25×14.4=216": "60×0.25×14.37=216"}),
            None,
        ),
    ),
    "one roadway inside and one outside the district": Near(
        kind="wrong_constant",
        papers=lambda: (SOUND.changed(ROADWAY, {"按瓦斯涌出量": "位于采区内，按瓦斯涌出量"}), None),
    ),
}
