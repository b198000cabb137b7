"""The review in words passes the number guard, whoever writes it: a finding that is told as the tools told it is never withheld."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from agents.guards.evidence.seen_result import SeenResult
from api.answer_guard import GuardedMessage
from api.number_check import NumberCheck
from extensions.vent_airflow import playbook_texts
from extensions.vent_airflow.critical_fields import CRITICAL_FIELDS

FAULTS = Path(__file__).resolve().parents[3] / "fixtures" / "airflow" / "faults"
PLANS = sorted(path.name for path in FAULTS.glob("*_plan.*"))


def guarded(text: str, results: list[SeenResult]) -> GuardedMessage:
    numbers = NumberCheck(CRITICAL_FIELDS)
    numbers.learn(results)
    message = GuardedMessage("m", [numbers], None, lambda: 0.0, lambda _: None)
    list(message.feed(text))
    list(message.close())
    return message


@pytest.mark.parametrize("plan", PLANS)
async def test_r_grd_2_the_tools_own_words_about_every_document_stand_as_they_are(empty_workspace, call, plan):
    files = sorted(FAULTS.glob(f"{plan.split('_', maxsplit=1)[0]}_*"))
    for file in files:
        shutil.copy(file, empty_workspace / "uploads" / file.name)
    seen: list[SeenResult] = []

    async def ask(tool, **arguments):
        data = (await call(tool, **arguments))["data"]
        seen.append(SeenResult(tool, data, f"c{len(seen)}", arguments))
        return data

    read = await ask("airflow_plan_preprocess", plan_path=f"/workspace/uploads/{plan}")
    papers = {"plan": read["extract_path"]}
    said = [playbook_texts.told_preprocess(read)]
    for report in (file.name for file in files if "_report" in file.name):
        measured = await ask("airflow_report_parse", report_path=f"/workspace/uploads/{report}")
        papers["report"] = measured["extract_path"]
        said.append(playbook_texts.told_report(measured))
    review = await ask("airflow_measure_compare", **papers)
    written = await ask("airflow_report_write", review=review["review_path"])
    said += [playbook_texts.told_compare(review), playbook_texts.closing(review, written)]

    for text in said:
        message = guarded(text, seen)
        lost = [
            (
                one.sentence,
                one.finding.code,
                one.finding.instead,
                [one.sentence[s["start"] : s["end"]] for s in one.finding.spans],
            )
            for one in message.decisions
            if one.replacement is not None
        ]
        assert lost == []
        assert message.final_text == text
