"""R-AIR-8: monitored values come from a file of the session or not at all; what is missing is a manual check."""

import json
import os
from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from algorithms.airflow_review.documents.document import InputError
from algorithms.airflow_review.evidence import Window, WindowStatus
from extensions.vent_airflow import tools
from extensions.vent_airflow.monitoring import LocalFileSource, get_source, is_monitoring_file
from extensions.vent_airflow.monitoring_check import monitoring_check
from extensions.vent_airflow.upload_roles import find_roles
from tests.support.governed import SOMEBODY
from tests.unit.algorithms.render.sample import sample_review
from tests.unit.extensions.vent_airflow.conftest import PLAN, REPORT

HEAD = "时间,地点,传感器,参数,数值,单位,状态\n"
ROWS = (
    "2024-12-11 08:00,范本综采工作面,T1,甲烷,0.30,%,正常\n"
    "2024/12/12 08:00:30,范本综采面回风,T1,甲烷,0.42,%,\n"
    "2024年12月20日 23:59,范本综采工作面,T1,甲烷,0.21,%,正常\n"
    "2024-12-12 08:00,范本综采工作面,T2,温度,24.5,℃,正常\n"
)


@pytest.fixture
def max_inline_items():
    return 9


@pytest.fixture
def workspace(empty_workspace):
    return empty_workspace


def source(folder, text, name="安全监测数据.csv"):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return LocalFileSource(path)


def check(review, given):
    return monitoring_check(review, given, max_items=9)


def test_r_air_8_without_a_source_a_person_has_to_look_and_nothing_is_invented(workspace):
    found = check(sample_review(), get_source())

    assert found["source"] is None
    assert found["status"] == "manual"
    assert "人工核对" in found["note"]
    assert "values" not in found


def test_r_air_8_readings_are_exact_and_carry_time_and_row(tmp_path):
    monitored = source(tmp_path, HEAD + ROWS).read()

    assert monitored.problems == ()
    assert [(r.place, r.quantity, r.value, str(r.at), r.row) for r in monitored.readings[1:3]] == [
        ("范本综采面回风", "ch4_pct", Decimal("0.42"), "2024-12-12 08:00:30", 2),
        ("范本综采工作面", "ch4_pct", Decimal("0.21"), "2024-12-20 23:59:00", 3),
    ]


def test_r_air_8_csv_and_json_give_the_same(tmp_path):
    rows = [
        {"time": "2024-12-11T08:00", "place": "范本综采工作面", "sensor": "T1", "quantity": "ch4_pct", "value": 0.30, "unit": "%"},
        {"time": "2024-12-12T00:00:30Z", "place": "范本综采面回风", "sensor": "T1", "quantity": "CH4", "value": "0.42%"},
    ]  # fmt: skip
    by_json = source(tmp_path, json.dumps({"readings": rows}), "monitoring.json").read()
    by_csv = source(tmp_path, HEAD + "".join(ROWS.splitlines(keepends=True)[:2])).read()

    assert by_json == by_csv


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("2024-12-11 08:00,甲,T,甲烷,,%,", "读不出"),
        ("2024-12-11 08:00,甲,T,甲烷,—,%,", "读不出"),
        ("2024-12-11 08:00,甲,T,甲烷,断线,%,", "读不出"),
        ("2024-12-11 08:00,甲,T,甲烷,0.3,,", "没有单位"),
        ("2024-12-11 08:00,甲,T,甲烷,0.3,℃,", "单位不符"),
        ("2024-12-11 08:00,甲,T,甲烷,0.3,桶,", "读不出"),
        ("2024-12-11 08:00,甲,T,一氧化碳,3,ppm,", "不能识别"),
        ("2024-12-11 08:00,甲,T,,3,%,", "不能识别"),
        ("2024-12-11 08:00,,T,甲烷,0.3,%,", "地点"),
        ("2024-13-11 08:00,甲,T,甲烷,0.3,%,", "时间"),
        ("0001-01-01T00:00:00+14:00,甲,T,甲烷,0.3,%,", "时间"),
        ("昨天,甲,T,甲烷,0.3,%,", "时间"),
        ("2024-12-11 08:00,甲,T,甲烷,0.3,%,故障", "故障"),
    ],
)
def test_r_air_8_a_row_that_cannot_be_read_is_told_and_not_mended(tmp_path, row, reason):
    monitored = source(tmp_path, HEAD + ROWS + row + "\n").read()

    assert len(monitored.readings) == 4
    assert len(monitored.problems) == 1
    assert monitored.problems[0].startswith("第 5 条")
    assert reason in monitored.problems[0]


@pytest.mark.parametrize(
    ("name", "text"), [("监测数据.json", "{"), ("监测数据.json", '{"a": 1}'), ("监测数据.csv", HEAD)]
)
def test_a_file_that_is_no_monitoring_data_is_a_manual_check_with_its_reason(tmp_path, name, text):
    given = source(tmp_path, text, name)

    with pytest.raises(InputError):
        given.read()
    found = check(sample_review(), given)
    assert (found["source"], found["status"]) == (name, "manual")
    assert "人工核对" in found["note"]


def test_r_air_8_latest_and_highest_within_the_days_of_the_measurement(tmp_path):
    outside = "2024-12-21 00:00,范本综采工作面,T1,甲烷,9.9,%,\n2024-12-15 08:00,不知名地点,T3,甲烷,0.1,%,\n"
    found = check(sample_review(), source(tmp_path, HEAD + ROWS + outside))
    (gas,) = [row for row in found["values"]["items"] if row["quantity"] == "ch4_pct"]

    assert found["status"] == "read"
    assert (gas["latest"], gas["highest"], gas["readings"], gas["row"]) == ("0.21", "0.42", 3, 2)
    assert found["unknown_places"]["items"] == ["不知名地点"]
    assert "变电所" in found["without_reading"]["items"]
    assert "人工核对" in found["note"]


def test_a_name_that_two_places_have_is_given_to_neither(tmp_path):
    found = check(sample_review(), source(tmp_path, HEAD + "2024-12-12 08:00,变电所,T,温度,26,℃,\n"))

    assert found["status"] == "manual"
    assert found["values"]["count"] == 0
    assert found["unknown_places"]["items"] == ["变电所"]


def test_without_a_readable_time_of_measurement_nothing_is_laid_beside_it(tmp_path):
    review = sample_review()
    assert review.report is not None
    unread = replace(review, report=replace(review.report, window=Window(text="上旬", status=WindowStatus.UNPARSABLE)))
    early = replace(review, report=replace(review.report, window=replace(review.report.window, start=date(2020, 1, 1), end=date(2020, 1, 9))))  # fmt: skip

    for one in (unread, early, sample_review(has_report=False)):
        found = check(one, source(tmp_path, HEAD + ROWS))
        assert found["status"] == "manual"
        assert "人工核对" in found["note"]


def test_r_air_8_the_newest_monitoring_file_of_the_session_is_the_source(workspace):
    for age, (folder, name) in enumerate([(workspace, "monitoring.json"), (workspace / "uploads", "安全监测.csv"), (workspace, "其他.csv")]):  # fmt: skip
        (folder / name).write_text(HEAD + ROWS, encoding="utf-8")
        os.utime(folder / name, (1_000_000 + age, 1_000_000 + age))
    (workspace / "监测数据.csv").symlink_to(workspace / "其他.csv")

    found = get_source()

    assert found is not None
    assert found.name == "安全监测.csv"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("/workspace/uploads/安全监测数据.csv", True),
        ("Monitoring-2024.JSON", True),
        ("测风监测数据.csv", False),
        ("监测数据.xlsx", False),
        ("配风计划.csv", False),
    ],
)
def test_only_its_name_makes_a_file_monitoring_data(name, expected):
    assert is_monitoring_file(name) is expected


def test_monitoring_data_is_never_taken_for_the_measurement_report():
    roles = find_roles(
        ["/workspace/uploads/计划.pdf", "/workspace/uploads/测风报表.xlsx", "/workspace/uploads/安全监测数据.csv"]
    )

    assert roles.report == "/workspace/uploads/测风报表.xlsx"
    assert find_roles(["/workspace/uploads/安全监测数据.csv"]).report is None


def test_r_air_8_the_comparison_tells_what_the_source_says(workspace):
    for name, path in (("计划.txt", PLAN), ("报表.docx", REPORT)):
        (workspace / "uploads" / name).write_bytes(path.read_bytes())
    plan = tools.airflow_plan_preprocess("计划.txt", SOMEBODY)["data"]["extract_path"]
    report = tools.airflow_report_parse("报表.docx", SOMEBODY)["data"]["extract_path"]
    without = tools.airflow_measure_compare(plan, SOMEBODY, report=report)["data"]["monitoring"]
    source(workspace / "uploads", HEAD + ROWS)
    with_file = tools.airflow_measure_compare(plan, SOMEBODY, report=report)["data"]["monitoring"]

    assert (without["source"], without["status"]) == (None, "manual")
    assert (with_file["source"], with_file["status"]) == ("安全监测数据.csv", "manual")
