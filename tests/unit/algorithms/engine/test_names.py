"""One place under many names; what is not sure stays open (domain check 38, trap L21)."""

from __future__ import annotations

import pytest

from algorithms.airflow_review.engine.names import NameWords, likeness, mentions
from algorithms.airflow_review.evidence import PlaceType
from tests.support.surveys import extract_of, kinds, place, plan, reading, report, review, rules, verdict


@pytest.fixture(name="words", scope="module")
def _words() -> NameWords:
    return NameWords.of(rules().data["names"])


@pytest.mark.parametrize(
    ("station", "name"),
    [
        ("11302综采面", "11302综采工作面"),
        ("11302工作面回风", "11302综采工作面"),
        ("113-02面", "11302综采工作面"),
        ("11302综采工作面（进风）", "11302采煤工作面"),
        ("11采区11302综采工作面回风侧", "11302综采工作面"),
        ("12306工作面", "12306备用工作面"),
        ("609备用进风顺槽", "609备用工作面"),
        ("N202备采回风", "N202备采工作面"),
        ("7上112下顺槽掘进迎头局部通风机处", "7上112下顺槽掘进工作面"),
        ("11304运输巷掘进面回风流", "11304运输顺槽掘进工作面"),
        ("北翼1#变电所", "北翼一号变电所"),
        ("十一采区变电硐室", "11采区变电所"),
        ("井下爆破材料库", "爆炸物品库"),
        ("皮带机头碉室", "胶带机头硐室"),
        ("二号联巷", "2#联络巷"),
        ("7304面-进", "7304综放工作面"),
        ("17层左六片采面（回风流）", "17层左六片综采队"),
        ("7305待采面-回", "7305待采工作面"),
        ("31405连采面", "31405连采工作面"),
        ("15207综采进风测点", "15207综采工作面"),
    ],
)
def test_two_spellings_of_one_place_are_equal(words, station, name):
    assert likeness(words.key(station), words.key(name), words) >= 0.95


@pytest.mark.parametrize(
    ("station", "name"),
    [
        ("11302综采工作面", "11303综采工作面"),
        ("11采区变电所", "12采区变电所"),
        ("11304运输巷掘进工作面", "11304回风巷掘进工作面"),
        ("11304运输巷", "11304运输巷掘进工作面"),
        ("井下主变", "中央变电所"),
        ("42煤一盘区无轨胶轮车", "42煤一盘区回风巷"),
        ("4#硐室", "10盘区1号变电所"),
        ("一号中央变电所", "二号中央变电所"),
        ("11302综采工作面", "21302综采工作面"),
    ],
)
def test_other_places_are_never_taken_for_one(words, station, name):
    assert likeness(words.key(station), words.key(name), words) < 0.9


def test_only_the_alias_table_makes_other_words_one_place():
    data = dict(rules().data["names"])
    data["aliases"] = [{"names": ["中央变电所", "井下主变"]}]
    words = NameWords.of(data)

    assert likeness(words.key("井下主变"), words.key("中央变电所"), words) == 1


@pytest.mark.parametrize(
    ("name", "core"),
    [
        ("一号立井回风系统总回风", "1号"),
        ("一号回风立井", "1号"),
        ("白石沟主扇", "白石沟"),
        ("北风井1#主通风机", "北"),
        ("东风井总回风巷", "东"),
        ("总回风", ""),
    ],
)
def test_a_system_is_known_by_its_core(words, name, core):
    assert words.system_core(name) == core


def test_a_core_with_a_number_is_not_found_inside_another_number(words):
    assert mentions("硐室（1号风井）", "1号", words)
    assert not mentions("硐室（11号风井）", "1号", words)


FACE, CHAMBER, ROAD = PlaceType.COAL_FACE, PlaceType.CHAMBER, PlaceType.OTHER_ROADWAY


def test_elimination_is_not_confidence():
    own = plan(place("北翼变电所", CHAMBER), place("北翼泵房", CHAMBER))

    result = review(own, report(reading("北翼泵房", "chamber", "120"), reading("4#硐室", "chamber", "120")))

    assert ("alias_uncertain", "manual", "4#硐室") in kinds(result)
    assert ("not_measured", "note", "北翼变电所") in kinds(result)
    assert verdict(result, "北翼变电所") == "not_judged"
    assert result.report.readings[1].place_id is None


def test_places_of_one_name_are_told_apart_by_the_system_in_the_name():
    own = plan(
        place("移动变电站硐室", CHAMBER, "63"),
        place("移动变电站硐室", CHAMBER, "110", system="S2"),
        systems=(("南风井", "500"), ("北风井", "600")),
    )

    result = review(
        own,
        report(
            reading("移动变电站硐室（北风井）", "chamber", "140"),
            reading("移动变电站硐室", "chamber", "70", location="南风井系统"),
        ),
    )

    assert [r.place_id for r in result.report.readings] == ["P002", "P001"]


def test_places_of_one_name_stay_uncertain_without_a_system_word():
    own = plan(place("移动变电站硐室", CHAMBER, "63"), place("移动变电站硐室", CHAMBER, "110"))

    result = review(own, report(reading("移动变电站硐室", "chamber", "140")))

    assert kinds(result)[0] == ("alias_uncertain", "manual", "移动变电站硐室")
    assert result.report.readings[0].place_id is None


def test_one_place_entered_twice_has_one_station_and_one_verdict():
    own = plan(
        place("充电硐室", CHAMBER, "100"),
        place("充电硐室", CHAMBER, "100", system="S2"),
        systems=(("南风井", "1"), ("北风井", "1")),
    )

    result = review(own, report(reading("充电硐室", "chamber", "120")))

    assert kinds(result) == []
    verdicts = [
        c.verdict.value for c in result.comparisons if c.subject_name == "充电硐室" and c.basis == "measured_required"
    ]
    assert verdicts == ["ok", "ok"]


def test_a_station_never_matches_a_vehicle_row_by_containment():
    own = plan(place("42煤一盘区无轨胶轮车", ROAD, "220"), place("42煤一盘区", ROAD, "100"))
    vehicles = extract_of(own, **{"42煤一盘区无轨胶轮车": {"no_station": True}})

    result = review(own, report(reading("42煤一盘区", "other", "130")), vehicles)

    assert result.report.readings[0].place_id == "P002"
    assert verdict(result, "42煤一盘区无轨胶轮车") == "not_judged"
    assert kinds(result) == []


def test_a_measured_roadway_that_is_not_in_the_plan_is_a_note_only():
    own = plan(place("北翼石门", ROAD))

    result = review(own, report(reading("北翼石门", "other", "110"), reading("南翼石门", "other", "110")))

    assert kinds(result) == [("alias_uncertain", "note", "南翼石门")]


def test_a_measured_face_that_is_not_in_the_plan_asks_for_a_person():
    own = plan(place("7301综采工作面", FACE))

    result = review(own, report(reading("7301综采面", "face", "106"), reading("7305综采面", "face", "106")))

    assert kinds(result) == [("alias_uncertain", "manual", "7305综采面")]


def test_a_roadway_word_is_part_of_a_headings_name_and_a_side_of_a_faces(words):
    assert words.key("11304回风巷", "heading").core == "11304回风巷"
    assert words.key("11302回风巷", "face").core == "11302"
    assert words.key("11302综采工作面运输巷进风").core == "11302"


def test_a_station_without_air_asks_for_nobody():
    own = plan(place("7301综采工作面", FACE))
    corner = reading("7301采空区", "face", None, ch4="0.6")

    assert kinds(review(own, report(reading("7301综采面", "face", "106"), corner))) == [
        ("alias_uncertain", "note", "7301采空区")
    ]


def test_a_coded_roadway_in_a_list_without_kinds_is_the_heading_that_drives_it() -> None:
    own = plan(
        place("2-105胶带顺槽掘进工作面", PlaceType.HEADING, "560", "600"),
        place("二采区回风大巷掘进工作面", PlaceType.HEADING, "400", "410"),
    )
    result = review(own, report(reading("2-105胶带顺槽", "other", "610"), reading("二采区回风大巷", "other", "420")))

    assert verdict(result, "2-105胶带顺槽掘进工作面") == "ok"
    assert verdict(result, "二采区回风大巷掘进工作面") == "not_judged", "a main in use may bear the name as well"
