"""R-AIR-12: two reviews laid beside each other; every difference is told, nothing is told twice."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from algorithms.airflow_review.changes import Caution, Changes, find_changes
from algorithms.airflow_review.engine.names import NameWords
from algorithms.airflow_review.evidence import PlaceType, Window, WindowStatus
from algorithms.airflow_review.extract import PlaceExtract, ReportExtract
from algorithms.airflow_review.model import AlignmentStatus, Review
from algorithms.airflow_review.pipeline import review_extracts
from algorithms.airflow_review.render.changed import change_groups, change_lines
from algorithms.airflow_review.render.json_text import changes_to_json_text, review_from_json_text, review_to_json_text
from algorithms.airflow_review.render.report_files import write_review
from algorithms.airflow_review.render.words import load_words
from tests.support.plans import face, heading, printed, roadway, sound_plan, substation, sums_of
from tests.support.surveys import reading, report, rules

DECEMBER = Window(start=date(2024, 12, 11), end=date(2024, 12, 20), text="2024-12-11~20", status=WindowStatus.OK)


def reviewed(*places: PlaceExtract, measured: ReportExtract | None = None, **values) -> Review:
    return review_extracts(sound_plan(*places, **values), measured, rules(), ())


def measured(**flows: str) -> ReportExtract:
    """Readings of the face and the substation."""
    stations = {"face": ("101综采工作面回风", "face"), "room": ("一采区变电所", "chamber")}
    return report(*(reading(*stations[key], flow) for key, flow in flows.items()), window=DECEMBER)


def changes(old: Review, new: Review) -> Changes:
    return find_changes(old, new, NameWords.of(rules().data["names"]))


def test_r_air_12_the_same_review_has_no_changes():
    one = reviewed(measured=measured(face="1100", room="70"))
    found = changes(one, review_from_json_text(review_to_json_text(one)))

    assert (found.added, found.removed, found.altered, found.values, found.verdicts) == ((), (), (), (), ())
    assert (found.findings_new, found.findings_gone, found.cautions) == ((), (), ())
    assert [(f.id_old, f.id_new) for f in found.findings_still] == [(f.id, f.id) for f in one.findings]
    assert one.findings


def test_r_air_12_places_added_and_removed_are_told_whatever_the_order():
    old = reviewed(face(), substation(), roadway())
    new = reviewed(heading(), roadway(), face())
    found = changes(old, new)

    assert [(e.name, e.type, e.required_m3_min) for e in found.added] == [
        ("103运输顺槽掘进工作面", PlaceType.HEADING, Decimal(628))
    ]
    assert [(e.name, e.type) for e in found.removed] == [("一采区变电所", PlaceType.CHAMBER)]
    assert found.altered == ()
    assert {change.name for change in found.values} == {"东风井系统", "矿井"}, "the others have their old figures"


def test_r_air_12_another_spelling_type_or_system_of_one_place_is_a_change_of_it():
    east = (face(), substation())
    west = (face("101备用工作面", type=PlaceType.STANDBY_FACE), substation(system="西风井系统"))
    new = reviewed(*west, systems=(sums_of("东风井系统", west), sums_of("西风井系统", west)))
    found = changes(reviewed(*east), new)

    assert [(c.name, c.type, c.system) for c in found.altered] == [
        (
            ("101综采工作面", "101备用工作面"),
            (PlaceType.COAL_FACE, PlaceType.STANDBY_FACE),
            ("东风井系统", "东风井系统"),
        ),
        (("一采区变电所", "一采区变电所"), (PlaceType.CHAMBER, PlaceType.CHAMBER), ("东风井系统", "西风井系统")),
    ]
    assert [(e.name, e.type) for e in found.added] == [("西风井系统", PlaceType.RETURN_SYSTEM)]
    assert found.removed == ()


def test_r_pit_15_of_two_entries_of_one_name_one_may_go():
    rooms = (substation(), substation(planned=printed("65")))
    found = changes(reviewed(face(), *rooms), reviewed(face(), substation()))

    assert [(e.name, e.planned_m3_min) for e in found.removed] == [("一采区变电所", Decimal(65))]


def test_a_place_that_could_be_either_of_two_is_neither():
    old = reviewed(substation("一采区变电所", system="甲系统"), substation("一采区变电所", system="乙系统"), systems=())
    new = reviewed(substation("一采区变电所", system="丙系统"), systems=())
    found = changes(old, new)

    assert len([e for e in found.removed if e.type is PlaceType.CHAMBER]) == 2
    assert len([e for e in found.added if e.type is PlaceType.CHAMBER]) == 1


def test_r_air_12_values_come_with_their_difference_and_verdicts_with_both_words():
    old = reviewed(face(), substation(), measured=measured(face="1000", room="70"))
    new = reviewed(face(planned=printed("1300")), substation(), measured=measured(face="1290", room="70"))
    found = changes(old, new)

    values = {(c.name, c.quantity): (c.old, c.new, c.difference) for c in found.values}
    assert values["101综采工作面", "planned"] == (Decimal(1225), Decimal(1300), Decimal(75))
    assert values["101综采工作面", "measured"] == (Decimal(1000), Decimal(1290), Decimal(290))
    assert ("101综采工作面", "required") not in values
    verdicts = {(c.name, c.basis): (c.old, c.new) for c in found.verdicts}
    assert verdicts["101综采工作面", "measured_required"] == ("shortage", "ok")
    assert next((f.kind, f.subject_name) for f in found.findings_gone) == ("measured_shortage", "101综采工作面")
    assert not [f for f in found.findings_still if f.kind == "measured_shortage"]
    assert (found.old.short, found.new.short) == (1, 0)
    assert "实测不足 1 个" in change_lines(found, load_words("zh"))[1], "the word of the verdict alone is the same"


@pytest.mark.parametrize(
    ("flow", "kind", "severity"), [("950", "measured_shortage", "warning"), ("900", "measured_serious", "error")]
)
def test_a_shortage_that_grew_is_still_there(flow, kind, severity):
    old = reviewed(face(), measured=measured(face="1000"))
    found = changes(old, reviewed(heading(), face(), measured=measured(face=flow)))
    still = [f for f in found.findings_still if f.kind == kind]

    assert [(f.subject_name, f.id_old) for f in still] == [("101综采工作面", old.findings[0].id)]
    assert (still[0].severity_old, still[0].severity_new) == ("warning", severity)
    assert flow in still[0].message
    assert found.findings_gone == ()


def test_a_value_missing_on_one_side_has_no_difference():
    found = changes(reviewed(face()), reviewed(face(planned=None)))
    (change,) = [c for c in found.values if c.name == "101综采工作面"]

    assert (change.old, change.new, change.difference) == (Decimal(1225), None, None)


def test_a_finding_that_is_gone_without_a_measurement_is_not_called_mended():
    old = reviewed(face(), measured=measured(face="1000"))
    plan_only = changes(old, reviewed(face()))
    late = Window(start=date(2025, 2, 1), end=date(2025, 2, 10), text="2月", status=WindowStatus.OK)
    apart = reviewed(face(), measured=replace(measured(face="1300"), window=late))

    assert Caution.NO_REPORT in plan_only.cautions
    assert plan_only.values == (), "what the plan says is the same with and without a report"
    assert {c.basis for c in plan_only.verdicts} <= {"plan_required"}
    assert apart.alignment is not None
    assert apart.alignment.status is AlignmentStatus.ALIGN_FAILED
    assert changes(old, apart).cautions == (Caution.NOT_ALIGNED,)


def test_other_rules_another_mine_and_settled_values_are_said():
    one = reviewed(face())
    other = replace(one, rules=replace(one.rules, id="other"), plan=replace(one.plan, mine="乙煤矿"))

    assert changes(one, other).cautions == (Caution.OTHER_MINE, Caution.OTHER_RULES)


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_every_sort_of_change_has_its_sentence_and_the_report_its_chapter(tmp_path, lang):
    old = reviewed(face(), substation(), measured=measured(face="1000", room="70"))
    new = reviewed(face("101综采面", planned=printed("1300")), heading(), measured=measured(face="1290"))
    found, words = changes(old, new), load_words(lang)
    groups = {group.key: group for group in change_groups(found, words)}
    files = {path.name: path for path in write_review(new, tmp_path, lang, changes=found)}

    assert all(groups[key].items for key in ("added", "removed", "altered", "values", "verdicts", "findings_gone"))
    assert "+75" in "\n".join(groups["values"].items)
    assert "+75" in files["report.md"].read_text(encoding="utf-8")
    assert words.say("section.changes") in files["report.html"].read_text(encoding="utf-8")
    assert files["changes.json"].read_text(encoding="utf-8") == changes_to_json_text(found)
    assert len(change_lines(found, words)) == len(groups) + sum(len(g.items) for g in groups.values()) + 2 + len(
        found.cautions
    )


def test_r_air_12_the_same_two_reviews_give_the_same_bytes():
    old = reviewed(face(), substation(), measured=measured(face="1000", room="70"))
    new = reviewed(heading(), face(), measured=measured(face="1290"))

    assert changes_to_json_text(changes(old, new)) == changes_to_json_text(changes(old, new))
