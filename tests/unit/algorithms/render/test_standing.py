"""How objects stand: nothing unjudged looks judged, short ones come first."""

from dataclasses import replace
from decimal import Decimal

from algorithms.airflow_review.model import Verdict
from algorithms.airflow_review.render.standing import severest_first, standings
from algorithms.airflow_review.render.words import load_words
from tests.unit.algorithms.render.sample import sample_review


def lines_of(review):
    return standings(review, load_words("zh"))


def test_every_place_and_system_has_a_line_and_fans_follow():
    names = [line.subject for line in lines_of(sample_review())]

    assert names == ["矿井", "S1", "S2", "P001", "P002", "P003", "P004", "P005", "一号主扇"]


def test_a_place_without_a_comparison_is_not_judged_and_says_why():
    lines = {line.subject: line for line in lines_of(sample_review())}

    assert lines["P003"].verdict is Verdict.NOT_JUDGED
    assert lines["P003"].reason == "没有可比较的实测数据"
    assert lines["P003"].planned_verdict is Verdict.NOT_JUDGED


def test_without_a_report_no_object_is_judged_by_measurement():
    lines = lines_of(sample_review(has_report=False))

    assert {line.verdict for line in lines} == {Verdict.NOT_JUDGED}
    assert {line.reason for line in lines} == {"未提供测风报表"}
    assert next(line for line in lines if line.subject == "P001").planned_verdict is Verdict.OK


def test_a_failed_time_gate_is_the_reason_of_what_was_not_compared():
    lines = {line.subject: line for line in lines_of(sample_review(is_aligned=False))}

    assert lines["P003"].reason == "测风时间不在计划期内"
    assert lines["P001"].verdict is Verdict.NOT_JUDGED


def test_short_places_come_first_then_the_unjudged():
    verdicts = [line.verdict for line in severest_first(lines_of(sample_review()))]

    assert verdicts[0] is Verdict.SHORTAGE
    assert verdicts[1:6] == [Verdict.NOT_JUDGED] * 5
    assert verdicts[-1] is Verdict.OK


def test_two_places_of_one_name_stay_two_lines():
    lines = [line for line in lines_of(sample_review()) if line.name == "变电所"]

    assert [line.system for line in lines] == ["一号回风立井系统", "二号回风立井系统"]


def test_a_fan_nothing_was_compared_for_is_listed_beside_its_systems_need():
    review = sample_review()
    places_only = replace(review, comparisons=tuple(row for row in review.comparisons if row.subject != "一号主扇"))
    fan = lines_of(places_only)[-1]

    assert (fan.name, fan.measured, fan.verdict) == ("一号主扇", Decimal("13716.14"), Verdict.NOT_JUDGED)
    assert fan.reason == "通风机只列出，未与需风量比较"
