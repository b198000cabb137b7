"""Kinds about sums and the list of places: documents that earn them, and sound ones near by."""

from __future__ import annotations

from dataclasses import replace

from tests.support.papers.judging import Found, Near
from tests.support.papers.plan_paper import (
    EAST,
    FACE,
    HEADING,
    PARTS,
    ROADWAY,
    ROCK,
    SOUND,
    STANDBY,
    STOPPED,
    SUBSTATION,
    WEST,
    part,
)

AGAIN = replace(part(SUBSTATION), system=WEST, lines=())
OTHER_SUBSTATION = replace(
    part(SUBSTATION),
    system=WEST,
    lines=(
        "设备总功率330kW，θ=0.02，温差5℃。",
        "按设备发热量：Q硐=3600×330×0.02÷(1.2×1.0006×60×5)=66m³/min",
        "需风量为66m³/min。",
    ),
    need="66",
    planned="66",
)
SECOND = "103回风顺槽掘进工作面"
IN_SERIES = replace(
    part(HEADING),
    name=SECOND,
    remark=f"与{HEADING}串联，用其回风",
)
COUNTED_ONCE = replace(IN_SERIES, need="—", planned="—", speed="—", remark=f"与{HEADING}串联，不重复计风量")

FOUND: dict[str, Found] = {
    "three too many in a subtotal": Found(
        kind="subtotal_mismatch", subject=EAST, papers=lambda: (replace(SOUND, subtotals={EAST: "2955"}), None)
    ),
    "a row deleted after summing": Found(
        kind="subtotal_mismatch",
        subject=WEST,
        papers=lambda: (
            replace(SOUND.without("二采区石门"), subtotals={WEST: "1372"}),
            None,
        ),
    ),
    "swapped digits behind the coefficient": Found(
        kind="total_mismatch", subject=EAST, papers=lambda: (replace(SOUND, system_needs={EAST: "3524.4"}), None)
    ),
    "a mine total that is not the sum of its systems": Found(
        kind="total_mismatch", subject="矿井", papers=lambda: (replace(SOUND, total="5198.8"), None)
    ),
    "one chamber in two systems": Found(
        kind="duplicate_entry", subject=SUBSTATION, papers=lambda: (SOUND.more(AGAIN), None)
    ),
    "one roadway twice in a table": Found(
        kind="duplicate_entry", subject=ROADWAY, papers=lambda: (SOUND.more(replace(part(ROADWAY), lines=())), None)
    ),
    "a heading of the working plan without a row": Found(
        kind="missing_place", subject=ROCK, papers=lambda: (SOUND.changed(ROCK, row=False, lines=()), None)
    ),
    "a heading that starts this month": Found(
        kind="missing_place",
        subject="107开切眼掘进工作面",
        papers=lambda: (
            SOUND.more(replace(part(HEADING), name="107开切眼掘进工作面", lines=(), row=False, status="本月开工")),
            None,
        ),
    ),
    "a stopped heading with air": Found(
        kind="stopped_place", subject=HEADING, papers=lambda: (SOUND.changed(HEADING, status="停掘"), None)
    ),
    "a sealed roadway with air": Found(
        kind="stopped_place", subject=ROADWAY, papers=lambda: (SOUND.changed(ROADWAY, remark="已封闭"), None)
    ),
    "the second of a series as if by fresh air": Found(
        kind="series_counted_twice", subject=SECOND, papers=lambda: (SOUND.more(IN_SERIES), None)
    ),
    "a series named in the text": Found(
        kind="series_counted_twice",
        subject=SECOND,
        papers=lambda: (
            replace(
                SOUND.more(replace(IN_SERIES, remark="")),
                remarks=(f"{SECOND}与{HEADING}为串联通风，{HEADING}在前，其回风供{SECOND}使用。",),
            ),
            None,
        ),
    ),
    "one place short though the mine has enough": Found(
        kind="planned_below_required",
        subject=FACE,
        severity="error",
        papers=lambda: (SOUND.changed(FACE, planned="1150", speed="1.70"), None),
    ),
    "a chamber below its floor's need": Found(
        kind="planned_below_required",
        subject=SUBSTATION,
        severity="error",
        papers=lambda: (SOUND.changed(SUBSTATION, planned="55"), None),
    ),
    "a fan weaker than its system": Found(
        kind="fan_capacity",
        subject=EAST,
        severity="error",
        papers=lambda: (
            replace(SOUND, fans=(("东风井主扇", EAST, "", "3400", "2056", "2876"), SOUND.fans[1])),
            None,
        ),
    ),
    "a duty near the hump of the curve": Found(
        kind="fan_capacity",
        subject=EAST,
        severity="error",
        papers=lambda: (
            replace(SOUND, fans=(("东风井主扇", EAST, "", "4600", "2750", "2876"), SOUND.fans[1])),
            None,
        ),
    ),
}

NEAR: dict[str, Near] = {
    "a place in series left out of the subtotal": Near(
        kind="subtotal_mismatch", papers=lambda: (SOUND.more(COUNTED_ONCE), None)
    ),
    "rows in another order": Near(
        kind="subtotal_mismatch", papers=lambda: (replace(SOUND, parts=tuple(reversed(PARTS))), None)
    ),
    "a total raised to the next whole number": Near(
        kind="total_mismatch", papers=lambda: (replace(SOUND, system_needs={EAST: "3543", WEST: "1647"}), None)
    ),
    "a coefficient with two digits": Near(
        kind="total_mismatch", papers=lambda: (replace(SOUND, coefficients={EAST: "1.20", WEST: "1.20"}), None)
    ),
    "two chambers of one name, each with its own calculation": Near(
        kind="duplicate_entry", papers=lambda: (SOUND.more(replace(OTHER_SUBSTATION, name="二采区变电所")), None)
    ),
    "names that differ by one digit": Near(
        kind="duplicate_entry", papers=lambda: (SOUND.more(replace(part(ROADWAY), name="三采区回风巷")), None)
    ),
    "the text names a place in short": Near(
        kind="missing_place",
        papers=lambda: (replace(SOUND, remarks=("本月101综采面正常回采，103运输顺槽掘进面正常掘进。",)), None),
    ),
    "a finished face named in the text": Near(
        kind="missing_place", papers=lambda: (replace(SOUND, remarks=("99综采工作面已采完并封闭，不再配风。",)), None)
    ),
    "a stopped heading without air": Near(
        kind="stopped_place",
        papers=lambda: (
            SOUND.more(STOPPED),
            None,
        ),
    ),
    "a face standing by is not stopped": Near(
        kind="stopped_place", papers=lambda: (SOUND.changed(STANDBY, remark="备用，随时恢复生产"), None)
    ),
    "a series counted once": Near(kind="series_counted_twice", papers=lambda: (SOUND.more(COUNTED_ONCE), None)),
    "no series, and so said": Near(
        kind="series_counted_twice",
        papers=lambda: (replace(SOUND, remarks=("各采掘工作面均为独立通风，无串联通风。",)), None),
    ),
    "planned exactly as needed": Near(
        kind="planned_below_required", papers=lambda: (SOUND.changed(FACE, planned="1221", speed="1.80"), None)
    ),
    "twice the need of a chamber": Near(
        kind="planned_below_required", papers=lambda: (SOUND.changed(SUBSTATION, planned="120"), None)
    ),
    "a fan that just suffices": Near(
        kind="fan_capacity",
        papers=lambda: (
            replace(SOUND, fans=(("东风井主扇", EAST, "", "3600", "2056", "2876"), SOUND.fans[1])),
            None,
        ),
    ),
    "a fan at nine tenths of its pressure": Near(
        kind="fan_capacity",
        papers=lambda: (
            replace(SOUND, fans=(("东风井主扇", EAST, "", "4600", "2588", "2876"), SOUND.fans[1])),
            None,
        ),
    ),
}
