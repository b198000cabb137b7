"""The command: exit codes, one readable line on failure, files where they were asked for, a light start."""

import importlib
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from algorithms.airflow_review.render.json_text import review_from_json_text
from scripts.airflow_review import main

ROOT = Path(__file__).resolve().parents[3]
FIXTURES = ROOT / "tests" / "fixtures" / "airflow"
PLAN, REPORT = FIXTURES / "faults" / "c03_plan.txt", FIXTURES / "faults" / "c03_report.pdf"
HOSTILE = sorted(path for path in (FIXTURES / "hostile").iterdir() if path.name.startswith("h"))


def test_a_review_writes_what_was_asked_for_and_tells_the_conclusion(tmp_path, capsys):
    code = main([str(PLAN), str(REPORT), "--json", str(tmp_path / "x.json"), "--out", str(tmp_path / "out")])
    said = capsys.readouterr()

    assert code == 0
    review = review_from_json_text((tmp_path / "x.json").read_text(encoding="utf-8"))
    assert [item.role for item in review.inputs] == ["plan", "report"]
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        "review.json", "report.md", "report.docx", "report.xlsx", "report.html",
    }  # fmt: skip
    assert (tmp_path / "out" / "review.json").read_bytes() == (tmp_path / "x.json").read_bytes()
    assert said.out.startswith("研判完成")
    assert str(tmp_path / "x.json") in said.out
    assert not said.err


def test_a_plan_alone_is_reviewed(tmp_path, capsys):
    assert main([str(PLAN), "--json", str(tmp_path / "x.json"), "--lang", "en"]) == 0

    assert json.loads((tmp_path / "x.json").read_text(encoding="utf-8"))["report"] is None
    assert "No measurement report was given" in capsys.readouterr().out


@pytest.mark.parametrize("path", HOSTILE, ids=lambda path: path.name)
def test_an_unreadable_input_is_refused_in_one_line_that_names_it(path, capsys):
    is_plan = path.suffix in {".pdf", ".docx"}
    arguments = [str(path)] if is_plan else [str(FIXTURES / "hostile" / "ok_plan.txt"), str(path)]

    assert main(arguments) == 2

    said = capsys.readouterr()
    assert path.name in said.err
    assert len(said.err.strip().splitlines()) == 1
    assert "Traceback" not in said.err
    assert not said.out


@pytest.mark.parametrize("path", HOSTILE, ids=lambda path: path.name)
def test_a_refusal_is_english_where_english_is_asked_for(path, capsys):
    is_plan = path.suffix in {".pdf", ".docx"}
    arguments = [str(path)] if is_plan else [str(FIXTURES / "hostile" / "ok_plan.txt"), str(path)]

    assert main([*arguments, "--lang", "en"]) == 2

    said = capsys.readouterr().err.strip()
    assert said.startswith(f"{path.name}: ")
    assert len(said.splitlines()) == 1
    assert not re.search(r"[\u3000-\u303f\u3400-\u9fff\uff00-\uffef]", said)


def test_a_missing_file_and_a_missing_rule_folder_are_named(tmp_path, capsys):
    assert main([str(tmp_path / "没有.pdf")]) == 2
    assert "没有.pdf" in capsys.readouterr().err

    assert main([str(PLAN), "--rules", str(tmp_path / "规则")]) == 2
    assert "规则" in capsys.readouterr().err


def test_a_place_that_cannot_be_written_is_named(tmp_path, capsys):
    (tmp_path / "file").write_text("x")

    assert main([str(PLAN), "--out", str(tmp_path / "file" / "out")]) == 2

    assert "file" in capsys.readouterr().err


def test_even_a_bug_of_ours_is_one_line_without_a_traceback(monkeypatch, capsys):
    def broken(*_, **__):
        raise KeyError("something\nwith a line break")

    monkeypatch.setattr(importlib.import_module("algorithms.airflow_review.pipeline"), "review_extracts", broken)

    assert main([str(PLAN)]) == 2

    error = capsys.readouterr().err
    assert PLAN.name in error
    assert re.search(r"KeyError", error)
    assert len(error.strip().splitlines()) == 1


def test_help_and_wrong_arguments_answer_without_loading_the_engine():
    code = (
        "import runpy, sys; sys.argv = ['airflow_review.py', '--help']\n"
        "try: runpy.run_path('scripts/airflow_review.py', run_name='__main__')\n"
        "except SystemExit as end: assert end.code == 0\n"
        "print([name for name in sys.modules if name.split('.')[0] in {'algorithms', 'numpy', 'pydantic', 'docx'}])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)

    assert done.stdout.splitlines()[-1] == "[]"


def test_a_review_loads_neither_numpy_nor_pydantic_nor_a_report_writer(tmp_path):
    code = (
        "import sys; from scripts.airflow_review import main\n"
        f"main([{str(PLAN)!r}, '--json', {str(tmp_path / 'x.json')!r}])\n"
        "print(sorted({name.split('.')[0] for name in sys.modules} & {'numpy', 'pydantic', 'docx', 'xlsxwriter', 'lxml'}))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)

    assert done.stdout.splitlines()[-1] == "[]"


def test_r_air_12_two_months_are_compared_on_the_screen_in_a_file_and_in_the_report(tmp_path, capsys):
    assert main([str(PLAN), "--json", str(tmp_path / "old.json")]) == 0
    capsys.readouterr()

    compared = main([str(PLAN), "--compare", str(tmp_path / "old.json"), "--out", str(tmp_path / "out")])

    assert compared == 0
    said = capsys.readouterr().out
    assert "与上次研判相比" in said
    assert "新增的地点和系统：0 个" in said
    assert json.loads((tmp_path / "out" / "changes.json").read_text(encoding="utf-8"))["values"] == []
    assert "与上次研判的变化" in (tmp_path / "out" / "report.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("content", [None, "{", "[]", '{"schema": "airflow_review/1"}'])
def test_an_earlier_review_that_is_none_is_refused_in_one_line(tmp_path, capsys, content):
    if content is not None:
        (tmp_path / "old.json").write_text(content, encoding="utf-8")

    assert main([str(PLAN), "--compare", str(tmp_path / "old.json")]) == 2

    error = capsys.readouterr().err
    assert "old.json" in error
    assert len(error.strip().splitlines()) == 1
