"""What was read only in part is asked about once, never judged away and never accused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache

from algorithms.airflow_review.documents.document import Doubt
from algorithms.airflow_review.engine.plan_review import review_plan
from algorithms.airflow_review.extract import PlanExtract
from algorithms.airflow_review.model import Severity
from algorithms.airflow_review.rules.library import RuleSet, load_rules
from tests.support.plans import (
    GAS,
    OWN_RULES,
    OWN_TABLES,
    PEOPLE,
    basis,
    calculated,
    calculation,
    face,
    heading,
    mention,
    plan,
    sound_plan,
    table,
)

Build = Callable[[], PlanExtract]


@lru_cache(maxsize=1)
def rules() -> RuleSet:
    return load_rules()


def loud(extract: PlanExtract) -> list[tuple[str, str]]:
    found = review_plan(extract, rules()).findings
    return [(f.kind.value, f.subject_name) for f in found if f.severity is not Severity.NOTE]


def two_figures_run_together() -> PlanExtract:
    row = replace(
        heading(), calculations=(*heading().calculations[:2], calculation("local_fan", "350×1+15×18.5=628630"))
    )
    return sound_plan(face(), row)


def test_most_places_of_the_text_without_a_row_are_one_question_about_the_reading() -> None:
    listed = tuple(mention(f"{n}综采工作面", "coal_face") for n in (201, 202, 203, 204))

    assert loud(replace(sound_plan(), mentions=listed)) == [("missing_place", "矿井")]


def test_a_table_of_its_own_is_followed_and_noted_beside_the_library() -> None:
    own = table("k_height", "mining_height_m", (None, "3.0", "1.05", "1.05"), ("3.0", None, "1.35", "1.35"))
    row = calculated(face(), calculation("climate", "60×11.3×1.0×1.35×1.5=1373"), GAS, PEOPLE, need="1373")
    extract = replace(sound_plan(basis(row, k_height="1.35")), tables=(OWN_TABLES[0], own, OWN_TABLES[2]))

    found = [f for f in review_plan(extract, rules()).findings if f.kind.value == "coefficient_out_of_bracket"]

    assert [(f.severity, f.subject) for f in found] == [(Severity.NOTE, "矿井")]
    assert "采高系数" in found[0].message


def test_repairs_of_the_text_layer_are_notes() -> None:
    doubt = Doubt(message="÷ 读作 +", quote="974+1116=87.3%")

    found = review_plan(replace(sound_plan(), doubts=(doubt,)), rules()).findings

    assert [(f.kind.value, f.severity) for f in found] == [("extraction_doubt", Severity.NOTE)]


def test_a_doubtful_calculation_never_lowers_the_need() -> None:
    review = review_plan(two_figures_run_together(), rules())

    assert review.plan.places[1].required_m3_min == Decimal(628)


def test_an_own_plan_without_tables_is_held_to_the_library() -> None:
    row = calculated(face(), calculation("climate", "60×11.3×1.0×1.1×1.5=1119"), GAS, PEOPLE, need="1119")
    extract = plan((basis(row, k_height="1.1"), heading()), statements=OWN_RULES)

    assert loud(extract) == [("coefficient_out_of_bracket", "101综采工作面")]
