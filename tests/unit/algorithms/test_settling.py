"""R-AIR-11: a person's correction is applied to what was read, or refused with its reason; it is never silent."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from algorithms.airflow_review.evidence import PlaceType, Printed, Window, WindowStatus
from algorithms.airflow_review.extract import PlanExtract, ReportExtract
from algorithms.airflow_review.model import Review, Settled
from algorithms.airflow_review.pipeline import as_read, review, review_extracts
from algorithms.airflow_review.render.conclusion_text import conclusion_lines
from algorithms.airflow_review.render.json_text import review_to_json_text
from algorithms.airflow_review.render.words import load_words
from algorithms.airflow_review.settled_file import settled_from_json_text, settled_to_json_text
from algorithms.airflow_review.settling import SettlingError, apply_settled, current_text
from scripts.airflow_review import main
from tests.support.plans import face, printed, sound_plan, substation
from tests.support.surveys import reading, report, rules

ROOT = Path(__file__).resolve().parents[3]
WHEN = "2024-12-21T08:00:00+08:00"
MID_DECEMBER = Window(start=date(2024, 12, 11), end=date(2024, 12, 20), text="12月中旬", status=WindowStatus.OK)
PLAN = sound_plan(face(), substation())
REPORT = report(
    reading("101综采工作面回风", "face", "1300", temperature="22"),
    reading("一采区变电所", "chamber", "70"),
    window=MID_DECEMBER,
)


def entry(path: str, old: str | None, new: str, note: str = "") -> Settled:
    return Settled(path=path, old=old, new=new, who="张工", when=WHEN, note=note)


def settled_review(*entries: Settled, plan: PlanExtract = PLAN, measured: ReportExtract | None = REPORT) -> Review:
    return review_extracts(plan, measured, rules(), (), entries)


def verdict(result: Review, name: str) -> str:
    return next(
        c.verdict.value for c in result.comparisons if c.subject_name == name and c.basis == "measured_required"
    )


def test_r_air_11_a_settled_reading_is_judged_and_shown_with_who_and_when():
    one = entry("reading/101综采工作面回风/flow_m3_min", "1300", "1100", "原始记录为 1100")
    result = settled_review(one)

    assert verdict(settled_review(), "101综采工作面") == "ok"
    assert verdict(result, "101综采工作面") == "shortage"
    assert result.settled == (one,)
    assert any("人工核定" in line for line in conclusion_lines(result, load_words("zh")))
    assert not any("人工核定" in line for line in conclusion_lines(settled_review(), load_words("zh")))


@pytest.mark.parametrize(
    ("path", "old", "new", "found"),
    [
        ("place/101综采工作面/planned_m3_min", "1225", "1200", lambda p: p.planned.value == Decimal(1200)),
        ("place/P001/required_m3_min", "1221.0", "1230", lambda p: p.required.value == Decimal(1230)),
        ("place/101综采工作面/chapter_required_m3_min", "1221", "1230", lambda p: p.chapter_required.value == 1230),
        ("place/101综采工作面/table_area_m2", "11.3", "11.5", lambda p: p.table_area.text == "11.5"),
        ("place/101综采工作面/table_speed_m_s", "1.81", "1.8", lambda p: p.table_speed.value == Decimal("1.8")),
        ("place/101综采工作面/basis.people", "42", "45", lambda p: p.basis["people"].value == Decimal(45)),
        ("place/101综采工作面/basis.heat_kw", None, "5", lambda p: p.basis["heat_kw"].value == Decimal(5)),
        ("place/101综采工作面/basis.intake_temperature_c", "19", "-1", lambda p: p.basis["intake_temperature_c"].value == -1),
        ("place/101综采工作面/type", "coal_face", "standby_face", lambda p: p.type is PlaceType.STANDBY_FACE),
    ],
)  # fmt: skip
def test_r_air_11_every_value_of_a_place_can_be_settled(path, old, new, found):
    read = apply_settled([entry(path, old, new)], as_read(PLAN, None, rules()))

    assert found(read.plan.places[0])
    assert read.plan.places[1] == PLAN.places[1]
    assert PLAN.places[0].planned == printed("1225"), "what was read stays as it was"


@pytest.mark.parametrize(
    ("field", "old"),
    [("flow_m3_min", "1300"), ("area_m2", None), ("speed_m_s", None), ("temperature_c", "22"), ("ch4_pct", None), ("co2_pct", None)],
)  # fmt: skip
def test_r_air_11_every_value_of_a_reading_can_be_settled(field, old):
    read = apply_settled([entry(f"reading/R001/{field}", old, "0.5")], as_read(PLAN, REPORT, rules()))

    assert current_text(f"reading/101综采工作面回风/{field}", read) == "0.5"


def test_a_settled_value_keeps_the_spot_it_stands_at():
    read = apply_settled([entry("place/P001/planned_m3_min", "1225", "1300")], as_read(PLAN, None, rules()))
    missing = replace(PLAN, places=(face(planned=None),))
    filled = apply_settled([entry("place/P001/planned_m3_min", None, "1300")], as_read(missing, None, rules()))

    was = printed("1225")
    assert was is not None
    settled = Printed(value=Decimal(1300), text="1300", evidence=was.evidence)
    assert read.plan.places[0].planned == settled
    assert filled.plan.places[0].planned == replace(settled, evidence=PLAN.places[0].evidence[:1])


def test_the_other_value_printed_for_a_settled_input_is_decided_too():
    twice = sound_plan(face(basis_again=(("people", printed("52")), ("area_m2", printed("11.9")))))
    read = apply_settled([entry("place/P001/basis.people", "42", "42")], as_read(twice, None, rules()))

    assert [key for key, _ in read.plan.places[0].basis_again] == ["area_m2"]


def test_r_air_11_a_station_is_tied_to_the_place_a_person_names():
    strange = report(reading("胶带顺槽东头", "other", "1300"), window=MID_DECEMBER)
    open_result = settled_review(measured=strange)
    result = settled_review(entry("station/胶带顺槽东头/place", None, "101综采工作面"), measured=strange)

    assert open_result.report is not None
    assert open_result.report.readings[0].place_id is None
    assert result.report is not None
    assert result.report.readings[0].place_id == "P001"
    assert verdict(result, "101综采工作面") == "ok"
    assert not [f for f in result.findings if f.kind in {"not_measured", "alias_uncertain"} and f.subject == "P001"]


def test_r_air_11_a_wrong_tie_by_name_is_corrected_only_when_it_is_named():
    right = entry("station/一采区变电所/place", "一采区变电所", "101综采工作面")
    stale = entry("station/一采区变电所/place", None, "101综采工作面")

    moved = settled_review(right)
    assert moved.report is not None
    assert moved.report.readings[1].place_id == "P001"
    with pytest.raises(SettlingError, match="现在读出的是 一采区变电所"):
        settled_review(stale)


def test_r_air_11_a_settled_period_opens_the_time_gate():
    unread = replace(PLAN, period=Window(text="本月", status=WindowStatus.UNPARSABLE))
    opened = settled_review(entry("plan/period", None, "2024-12-01/2024-12-31"), plan=unread)
    shut = settled_review(entry("report/window", "2024-12-11/2024-12-20", "2025-02-01/2025-02-10"))

    assert settled_review(plan=unread).summary.verdict == "manual"
    assert opened.summary.verdict == "conclusive"
    assert opened.plan.period.text == "本月"
    assert shut.summary.verdict == "manual"


def test_a_later_entry_may_correct_an_earlier_one_and_both_are_shown():
    path = "place/P001/planned_m3_min"
    result = settled_review(entry(path, "1225", "1300"), entry(path, "1300", "1250"))

    assert result.plan.places[0].planned_m3_min == Decimal(1250)
    assert [item.new for item in result.settled] == ["1300", "1250"]


@pytest.mark.parametrize(
    ("one", "reason"),
    [
        (entry("place/101综采工作面/planned_m3_min", "1226", "1300"), "记录的原值为 1226，现在读出的是 1225"),
        (entry("place/101综采工作面/planned_m3_min", None, "1300"), "记录的原值为 空，现在读出的是 1225"),
        (entry("reading/R001/ch4_pct", "0.1", "0.2"), "没有读出数值"),
        (entry("place/102综采工作面/planned_m3_min", "1225", "1300"), "没有“102综采工作面”"),
        (entry("place/P003/planned_m3_min", "1225", "1300"), "没有“P003”"),
        (entry("place/P001/calculations", "1225", "1300"), "无法识别"),
        (entry("place/P001/basis.weather", None, "1"), "无法识别"),
        (entry("place/planned_m3_min", None, "1"), "无法识别"),
        (entry("reading/R001/place", None, "1"), "无法识别"),
        (entry("system/东风井系统/required", None, "1"), "无法识别"),
        (entry("place/P001/planned_m3_min", "1225", "1300 m³/min"), "不带单位"),
        (entry("place/P001/planned_m3_min", "1225", "-1"), "负数"),
        (entry("place/P001/planned_m3_min", "1225", "NaN"), "不带单位"),
        (entry("place/P001/planned_m3_min", "很多", "1300"), "不带单位"),
        (entry("place/P001/type", "coal_face", "mine"), "类型应为"),
        (entry("plan/period", "2024-12-01/2024-12-31", "12月"), "2025-04-01/2025-04-30"),
        (entry("plan/period", "2024-12-01/2024-12-31", "2024-12-31/2024-12-01"), "早于"),
        (entry("station/一采区变电所/place", "一采区变电所", "二采区变电所"), "没有“二采区变电所”"),
    ],
)
def test_r_air_11_what_cannot_be_applied_is_refused_with_its_reason(one, reason):
    with pytest.raises(SettlingError, match=re.escape(reason)) as refusal:
        settled_review(one)

    assert one.path in str(refusal.value)


def test_a_name_that_stands_twice_asks_for_the_id():
    twins = sound_plan(face(), substation(), substation(planned=printed("65")))

    with pytest.raises(SettlingError, match="P002、P003"):
        settled_review(entry("place/一采区变电所/planned_m3_min", "60", "70"), plan=twins, measured=None)
    result = settled_review(entry("place/P003/planned_m3_min", "65", "70"), plan=twins, measured=None)
    assert [p.planned_m3_min for p in result.plan.places] == [1225, 60, 70]


def test_a_correction_of_the_report_without_one_is_refused():
    for path in ("reading/R001/flow_m3_min", "report/window", "station/R001/place"):
        with pytest.raises(SettlingError, match="没有测风报表"):
            settled_review(entry(path, None, "1"), measured=None)


def test_r_air_12_the_same_corrections_give_the_same_bytes():
    entries = [entry("place/P001/planned_m3_min", "1225", "1300")]

    assert review_to_json_text(settled_review(*entries)) == review_to_json_text(settled_review(*entries))


def test_an_overlay_survives_its_file():
    entries = (
        entry("plan/period", None, "2024-12-01/2024-12-31", "见封面"),
        entry("place/P001/type", "heading", "chamber"),
    )

    assert settled_from_json_text(settled_to_json_text(entries)) == entries


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"path": ""}, "path"),
        ({"new": 5}, "new"),
        ({"who": None}, "who"),
        ({"when": "gestern"}, "when"),
        ({"old": 5}, "old"),
        ({"note": None}, "note"),
    ],
)
def test_an_entry_without_value_name_or_time_is_refused(change, reason):
    sound = {"path": "plan/period", "old": None, "new": "x", "who": "张工", "when": WHEN, "note": ""}
    text = json.dumps({"schema": "airflow_settled/1", "entries": [sound, sound | change]})

    with pytest.raises(SettlingError, match=f"第 2 项.*{reason}"):
        settled_from_json_text(text)


@pytest.mark.parametrize("text", ["[", "[]", "{}", '{"schema": "airflow_settled/1"}', '{"schema": "airflow_settled/1", "entries": [1]}'])  # fmt: skip
def test_a_file_that_is_no_overlay_is_refused(text):
    with pytest.raises(SettlingError, match="核定文件"):
        settled_from_json_text(text)


PAPERS = {
    "plan.txt": "范例煤矿配风计划\n计划执行期：本月。\n配风计划表\n序号\t用风地点\t类别\t需风量（m³/min）\t配风量（m³/min）\n"
    "1\t101综采工作面\t采煤工作面\t1221\t—\n2\t一采区变电所\t硐室\t70\t75\n\t小计\t\t1291\t1300\n",
    "report.csv": "范例煤矿测风报表\n测定日期：2025-04-01至2025-04-10\n序号,测风地点,断面(m2),风速(m/s),风量(m3/min)\n"
    "1,胶带顺槽工作面,11.0,1.95,1287\n2,一采区变电所,4.0,0.32,77\n",
}


def example(folder: Path) -> list[str]:
    """The papers of the document's example and its overlay, as arguments of the command."""
    text = (ROOT / "docs" / "settling.md").read_text(encoding="utf-8")
    blocks = dict(re.findall(r"^```\w+ (\S[^\n]*)\n(.*?\n)```$", text, re.MULTILINE | re.DOTALL))
    for name, content in (PAPERS | blocks).items():
        (folder / name).write_text(content, encoding="utf-8")
    return [str(folder / "plan.txt"), str(folder / "report.csv"), "--settled", str(folder / "settled.json")]


def test_r_air_11_the_command_takes_the_overlay_of_the_document(tmp_path, capsys):
    arguments = example(tmp_path)
    before = review(tmp_path / "plan.txt", tmp_path / "report.csv")

    assert main([*arguments, "--out", str(tmp_path / "out")]) == 0

    after = json.loads((tmp_path / "out" / "review.json").read_text(encoding="utf-8"))
    assert before.summary.verdict == "manual"
    assert after["summary"]["verdict"].startswith("conclusive")
    assert [item["who"] for item in after["settled"]] == ["张工"] * 3
    assert after["report"]["readings"][0]["place_id"] == "P001"
    assert "研判采用了 3 项人工核定" in capsys.readouterr().out
    assert "原件该格被印章遮住" in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(("content", "reason"), [(None, "找不到"), ("{", "JSON"), ("stale", "已失效")])
def test_r_air_11_the_command_refuses_in_one_line(tmp_path, capsys, content, reason):
    arguments = example(tmp_path)
    overlay = tmp_path / "settled.json"
    if content is None:
        overlay.unlink()
    else:
        stale = settled_to_json_text([entry("place/P002/planned_m3_min", "99", "100")])
        overlay.write_text(stale if content == "stale" else content, encoding="utf-8")

    assert main(arguments) == 2

    error = capsys.readouterr().err
    assert reason in error
    assert len(error.strip().splitlines()) == 1
