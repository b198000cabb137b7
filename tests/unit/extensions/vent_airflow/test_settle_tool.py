"""R-AIR-11 through the agent's tool: the overlay of the session, with user and time, and the review that follows."""

import json
import re
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest

from algorithms.airflow_review.model import InputFile, Settled
from algorithms.airflow_review.settled_file import settled_from_json_text
from algorithms.airflow_review.settling import SettlingError
from extensions.vent_airflow import overlay, workspace_paths
from extensions.vent_airflow.extension import FEATURE

PLAN_SOURCE = InputFile(role="plan", file="计划.txt", sha256="a" * 64, pages=None)
REPORT_SOURCE = InputFile(role="report", file="报表.xlsx", sha256="b" * 64, pages=None)


def first_reading(papers):
    raw = json.loads(workspace_paths.existing_file(papers["report"]).read_text(encoding="utf-8"))
    return next(r for r in raw["extract"]["readings"] if r["flow"] and r["kind"] == "heading")


async def test_r_air_11_a_correction_is_kept_with_user_and_time_and_reviewed(papers, call):
    reading = first_reading(papers)
    path = f"reading/{reading['station']}/flow_m3_min"
    before = await call("airflow_measure_compare", **papers)
    answer = await call(
        "airflow_value_settle", path=path, old=reading["flow"]["value"], new="1.5", note="复测", **papers
    )
    after = await call("airflow_measure_compare", **papers)

    assert answer["ok"] is True
    kept = settled_from_json_text(
        workspace_paths.existing_file(answer["data"]["overlay_path"]).read_text(encoding="utf-8")
    )
    assert [(e.path, e.old, e.new, e.who, e.note) for e in kept] == [
        (path, reading["flow"]["value"], "1.5", "local", "复测")
    ]
    assert abs((datetime.now(UTC) - datetime.fromisoformat(kept[0].when)).total_seconds()) < 60
    assert answer["data"]["settled"]["items"][0]["new"] == "1.5"
    assert before["data"]["settled"]["count"] == 0
    assert after["data"]["settled"]["count"] == 1, "the next comparison of the session uses it"
    assert after["data"]["shortages"] == answer["data"]["shortages"] != before["data"]["shortages"]
    written = await call("airflow_report_write", review=answer["data"]["review_path"])
    markdown = next(f["path"] for f in written["data"]["files"] if f["name"] == "report.md")
    assert "复测" in workspace_paths.existing_file(markdown).read_text(encoding="utf-8")


async def test_a_correction_of_the_plan_holds_for_the_plan_alone(papers, call):
    raw = json.loads(workspace_paths.existing_file(papers["plan"]).read_text(encoding="utf-8"))
    planned = raw["extract"]["places"][0]["planned"]["value"]
    answer = await call("airflow_value_settle", path="place/P001/planned_m3_min", old=planned, new="1", **papers)
    verified = await call("airflow_plan_verify", plan=papers["plan"])

    assert answer["ok"] is True
    assert verified["data"]["settled"]["count"] == 1
    assert verified["data"]["planned_shortages"]["count"] >= 1


@pytest.mark.parametrize(
    ("change", "part"),
    [
        ({"old": "0.001"}, "现在读出的是"),
        ({"old": ""}, "记录的原值为 空"),
        ({"path": "place/没有的地点/planned_m3_min"}, "没有“没有的地点”"),
        ({"path": "mine/mood"}, "无法识别"),
        ({"path": "../../etc/passwd"}, "无法识别"),
        ({"new": "约一千"}, "不带单位"),
    ],
)
async def test_r_air_11_a_refused_correction_leaves_no_trace(workspace, papers, call, change, part):
    reading = first_reading(papers)
    sound = {"path": f"reading/{reading['station']}/flow_m3_min", "old": reading["flow"]["value"], "new": "1.5"}
    answer = await call("airflow_value_settle", **papers, **(sound | change))

    assert answer["ok"] is False
    assert answer["code"] == "not_settled"
    assert part in answer["error"]
    assert "用户" in answer["hint"]
    assert not list(workspace.rglob("settled-*"))


async def test_a_damaged_overlay_is_told_and_nothing_is_judged(workspace, papers, call):
    reading = first_reading(papers)
    sound = {"path": f"reading/{reading['station']}/flow_m3_min", "old": reading["flow"]["value"], "new": "1.5"}
    answer = await call("airflow_value_settle", **papers, **sound)
    workspace_paths.existing_file(answer["data"]["overlay_path"]).write_text("{", encoding="utf-8")

    compared = await call("airflow_measure_compare", **papers)

    assert compared["ok"] is False
    assert compared["code"] == "settled_stale"


def settled(path, new="1"):
    return Settled(path=path, old=None, new=new, who="张工", when="2025-04-02T08:00:00+00:00", note="")


def test_corrections_follow_the_content_of_their_documents(workspace):
    both = (PLAN_SOURCE, REPORT_SOURCE)
    for path in ("station/a/place", "reading/R001/flow_m3_min", "plan/period"):
        overlay.add_settled(settled(path), both)
    other_report = InputFile(role="report", file=REPORT_SOURCE.file, sha256="c" * 64, pages=None)

    assert [e.path for e in overlay.session_settled(both)] == [
        "plan/period",
        "reading/R001/flow_m3_min",
        "station/a/place",
    ]
    assert [e.path for e in overlay.session_settled((PLAN_SOURCE,))] == ["plan/period"]
    assert [e.path for e in overlay.session_settled((PLAN_SOURCE, other_report))] == ["plan/period"]
    with pytest.raises(ValueError, match="none of the documents"):
        overlay.add_settled(settled("report/window"), (PLAN_SOURCE,))


def test_two_corrections_at_once_are_both_kept(workspace):
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: overlay.add_settled(settled("plan/period", str(n)), (PLAN_SOURCE,)), range(24)))

    assert sorted(int(e.new) for e in overlay.session_settled((PLAN_SOURCE,))) == list(range(24))


def test_a_damaged_overlay_is_not_written_over(workspace):
    path = workspace_paths.existing_file(overlay.add_settled(settled("plan/period"), (PLAN_SOURCE,)))
    path.write_text("{", encoding="utf-8")

    with pytest.raises(SettlingError):
        overlay.add_settled(settled("plan/period"), (PLAN_SOURCE,))
    assert path.read_text(encoding="utf-8") == "{"


def test_the_tool_says_that_it_has_an_effect_and_writes_only_into_the_session():
    (tool,) = [d for d in FEATURE.descriptors if d.name == "airflow_value_settle"]

    assert tool.effects == ("airflow.value_settled",)
    assert not tool.write_action
    assert "ctx" not in tool.arguments.model_fields, "who settles is no argument of the model"
    assert re.search("用户明确", tool.description)
