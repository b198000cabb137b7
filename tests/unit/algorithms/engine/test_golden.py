"""The golden table of the domain notes (§7): printed calculations of public documents, re-computed there by hand."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import pytest

from algorithms.airflow_review.engine.arithmetic import judge_chain
from algorithms.airflow_review.engine.formula import compute
from algorithms.airflow_review.engine.plan_review import review_plan
from algorithms.airflow_review.evidence import PlaceType
from algorithms.airflow_review.extract import FanExtract
from algorithms.airflow_review.model import FindingKind
from algorithms.airflow_review.rules.library import load_rules
from tests.support import plans, surveys

# id, expression, printed, exact value by the table, rounding
PRINTED = [
    ("G01", "60×11.3×1.0×1.2×1.5", "1221", "1220.4", "ceil"),
    ("G03", "9228×1.2", "11073.6", "11073.6", "exact"),
    ("G04", "17853×1.2", "21423.6", "21423.6", "exact"),
    ("G05", "(9228+17853)×1.2", "32497.2", "32497.2", "exact"),
    ("G08", "60×4.6×1.62×70 %×1.2", "376", "375.58", "ceil"),
    ("G09", "376×1.0×1.3×1.5", "733", "733.2", "half_up"),
    ("G10", "100×3.41×1.2", "409.2", "409.2", "exact"),
    ("G11", "4×42", "168", "168", "exact"),
    ("G12", "4×120×1.10", "528", "528", "exact"),
    ("G13", "150×2.2×3.2×6/1440", "4.4", "4.4", "exact"),
    ("G14", "100×4.4×1.2", "528", "528", "exact"),
    ("G15", "(4.2×2.2+3.2×2.2)/2", "8.2", "8.14", "ceil"),
    ("G16", "4×26", "104", "104", "exact"),
    ("G19", "100×3.4×1.39", "472.60", "472.6", "exact"),
    ("G20", "4×12", "48.0", "48", "exact"),
    ("G21", "60×0.25×18", "270.0", "270", "exact"),
    ("G22", "60×8.0×18", "8640", "8640", "exact"),
    ("G23", "5×√18", "21.21", "21.213", "half_up"),
    ("G24", "902.236/10", "91", "90.2236", "ceil"),
    ("G29", "100×2.0×2", "400", "400", "exact"),
    ("G30", "567+338", "905", "905", "exact"),
    ("G31", "4×29", "116", "116", "exact"),
    ("G37", "974/1116×100", "87.3", "87.28", "ceil"),
    ("G39", "636/739×100", "86.1", "86.06", "ceil"),
    ("G41", "2800/70²", "0.571", "0.5714", "half_up"),
    ("G42", "1.19/√0.571", "1.57", "1.5748", "half_up"),
]
# id, expression, value by the table
COMPUTED = [
    ("G02", "60×0.7×11.3×1.0×1.2×1.5", "854.28"),
    ("G06", "35181/32497.2", "1.0826"),
    ("G07", "(22512.68+13716.14-35713)/36228.82×100", "1.424"),
    ("G46", "3000-5×60-0.25×60²", "1800"),
    ("G46 resistance", "0.5×60²", "1800"),
    ("G47", "3600×100×0.02/(1.2×1.0006×60×5)", "19.988"),
    ("G48", "200×0.3", "60"),
]


@pytest.mark.parametrize(
    ("case", "expression", "stated", "exact", "rounding"), PRINTED, ids=[row[0] for row in PRINTED]
)
def test_golden_calculations_keep_their_verdict(
    case: str, expression: str, stated: str, exact: str, rounding: str
) -> None:
    result = judge_chain((expression, stated), Decimal(stated))

    assert result.exact is not None
    places = max(0, len(exact.partition(".")[2]))
    assert round(result.exact, places) == Fraction(exact), case
    assert result.rounding == rounding


@pytest.mark.parametrize(("case", "expression", "value"), COMPUTED, ids=[row[0] for row in COMPUTED])
def test_golden_values_without_a_print_are_reached(case: str, expression: str, value: str) -> None:
    assert round(compute(expression), len(value.partition(".")[2])) == Fraction(value), case


def test_every_row_of_the_golden_table_is_here() -> None:
    table = {*range(1, 17), *range(19, 25), *range(29, 32), 37, 39, 41, 42, 46, 47, 48}

    assert {int(case[1:3]) for case, *_ in (*PRINTED, *COMPUTED)} == table


@pytest.mark.parametrize(
    ("case", "effective", "intake", "rate", "verdict"),
    [
        ("G37", "974", "1116", "87.28", []),
        ("G39", "636", "739", "86.06", []),
        ("below the limit", "948", "1116", "84.95", [FindingKind.EFFECTIVE_RATE]),
    ],
)
def test_g37_g39_effective_rates_are_judged_by_85_per_cent(
    case: str, effective: str, intake: str, rate: str, verdict: list[FindingKind]
) -> None:
    own = surveys.plan(surveys.place("北翼石门", PlaceType.OTHER_ROADWAY, "100"))
    measured = surveys.report(
        surveys.reading("一号井", "intake", intake),
        surveys.reading("总回风", "return", intake),
        surveys.reading("北翼石门", "other", effective),
    )

    result = surveys.review(own, measured)

    assert result.report.rates is not None
    assert result.report.rates.effective_rate is not None, case
    assert round(result.report.rates.effective_rate, 2) == Decimal(rate)
    assert [f.kind for f in result.findings if f.kind is FindingKind.EFFECTIVE_RATE] == verdict


def test_g06_g07_the_published_mine_is_supplied_and_leaks_within_its_limit() -> None:
    own = surveys.plan(
        surveys.place("一号巷", PlaceType.OTHER_ROADWAY, "9228", system="S1"),
        surveys.place("二号巷", PlaceType.OTHER_ROADWAY, "17853", system="S2"),
        systems=(("一号回风立井系统", "11073.6"), ("二号回风立井系统", "21423.6")),
        total="32497.2",
    )
    measured = surveys.report(
        surveys.reading("主斜井", "intake", "35181"),
        surveys.reading("总回风", "return", "35713"),
        total_intake=surveys.printed("35181"),
        total_return=surveys.printed("35713"),
        fans=(
            FanExtract(name="二号回风立井主扇", flow=surveys.printed("22512.68")),
            FanExtract(name="一号回风立井主扇", flow=surveys.printed("13716.14")),
        ),
    )

    result = surveys.review(own, measured)

    mine = next(c for c in result.comparisons if c.subject == "矿井" and c.basis == "measured_required")
    assert mine.ratio is not None
    assert (round(mine.ratio, 4), mine.verdict.value) == (Decimal("1.0826"), "ok")
    assert result.report.rates is not None
    assert result.report.rates.external_leakage is not None
    assert round(result.report.rates.external_leakage, 3) == Decimal("1.424")
    assert FindingKind.LEAKAGE not in {f.kind for f in result.findings}


def _kinds(plan: object) -> set[FindingKind]:
    return {f.kind for f in review_plan(plan, load_rules()).findings if f.severity != "note"}  # type: ignore[arg-type]


def test_r_pit_16_g01_takes_the_effective_area_although_the_formula_names_70_percent() -> None:
    face = plans.face()
    climate = replace(face.calculations[0], formula="Q采=60×70%×v采×S采×K采高×K采面长")

    judged = review_plan(plans.sound_plan(plans.face(calculations=(climate, *face.calculations[1:]))), load_rules())

    calculation = judged.plan.places[0].calculations[0]
    assert calculation.variant == "mean_effective_net"
    assert calculation.variant_selection == "declared"
    assert calculation.recomputed == Decimal("1220.4")
    assert judged.findings == ()


def test_g02_is_not_chosen_without_a_declaration_either() -> None:
    plan = replace(plans.sound_plan(plans.face()), statements=())

    calculation = review_plan(plan, load_rules()).plan.places[0].calculations[0]

    assert calculation.variant == "mean_effective_net"
    assert calculation.variant_selection == "inferred_from_stated_calculation"


def test_r_pit_16_a_printed_70_percent_that_the_result_does_not_hold_is_inferred_away() -> None:
    face = plans.face()
    climate = plans.calculation("climate", "60×70%×11.3×1.0×1.2×1.5=1221")
    plan = replace(plans.sound_plan(plans.face(calculations=(climate, *face.calculations[1:]))), statements=())

    calculation = review_plan(plan, load_rules()).plan.places[0].calculations[0]

    assert calculation.status == "ok"
    assert calculation.variant_selection == "inferred_from_stated_calculation"


def test_g10_the_gas_result_is_not_the_maximum() -> None:
    low = plans.face(required=plans.printed("299"), chapter_required=plans.printed("299"))

    assert _kinds(plans.sound_plan(low)) == {FindingKind.NOT_THE_MAXIMUM}


def test_g22_a_heading_checked_against_eight_metres_a_second_fails() -> None:
    check = plans.speed_check("60×0.25×18.5=277.5", "628", "60×8×18.5=8880")

    assert _kinds(plans.sound_plan(plans.heading(speed_checks=(check,)))) == {FindingKind.SPEED_CHECK_FAILED}


@pytest.mark.parametrize(
    ("name", "method", "chain", "basis", "floor"),
    [
        (
            "G47",
            "heat",
            "3600×100×0.02÷(1.2×1.0006×60×5)=20",
            {"heat_kw": "100", "theta": "0.02", "delta_t_c": "5"},
            "60",
        ),
        ("G48", "hydrogen", "200×0.3=60", {"hydrogen_m3_min": "0.3"}, "100"),
    ],
)
def test_the_floor_of_a_chamber_wins(name: str, method: str, chain: str, basis: dict[str, str], floor: str) -> None:
    where = "一采区变电所" if method == "heat" else "充电硐室"
    rule = plans.statement("floor_m3_min", floor, scope="变电所" if method == "heat" else "充电硐室")
    row = plans.place(where, "chamber", floor, floor, plans.calculation(method, chain), basis=basis)

    judged = review_plan(replace(plans.plan((row,)), statements=(rule,)), load_rules())

    assert judged.findings == (), name
    assert judged.plan.places[0].required_m3_min == Decimal(floor)
