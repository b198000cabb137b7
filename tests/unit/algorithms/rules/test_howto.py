"""`docs/rules.md` is tried as a reader would: its files are written to folders, loaded, and judged by."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from algorithms.airflow_review import review
from algorithms.airflow_review.rules.library import RuleSet, load_rules
from algorithms.airflow_review.rules.rule_error import RuleError
from scripts.airflow_review import main

DOCUMENT: Final = Path(__file__).resolve().parents[4] / "docs" / "rules.md"
BLOCKS: Final = dict(
    re.findall(r"^```\w+ (\S[^\n]*)\n(.*?\n)```$", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
)
OWN: Final = sorted(name for name in BLOCKS if name.startswith("mine/") and name != "mine/library.json")
REFUSED: Final = sorted(name for name in BLOCKS if name.startswith("refused/"))


def written(folder: Path, *names: str) -> Path:
    """A folder with these blocks of the document as files."""
    folder.mkdir()
    for name in names:
        (folder / Path(name).name).write_text(BLOCKS[name], encoding="utf-8")
    return folder


def effect(folder: Path, rules: RuleSet) -> list[str]:
    """The findings about the document's small plan, as the document writes them."""
    papers = written(folder, "plan.txt", "report.csv")
    found = review(papers / "plan.txt", papers / "report.csv", rules=rules).findings
    return [
        f"{f.id} {f.kind} {f.severity} {f.subject_name} stated {f.stated} expected {f.expected}"
        f" rule {f.rule.id if f.rule else None} {f.rule.edition if f.rule else None}"
        for f in found
    ]


def test_every_block_of_the_document_is_one_that_is_tried():
    tried = {"plan.txt", "report.csv", "mine/library.json", "effect: none", *OWN, *REFUSED}
    tried |= {f"effect: {Path(name).name}" for name in OWN} | {f"refusal: {Path(name).name}" for name in REFUSED}

    assert set(BLOCKS) == tried
    assert len(OWN) >= 3
    assert len(REFUSED) >= 3
    assert DOCUMENT.read_text(encoding="utf-8").count("\n```\n") == len(BLOCKS)


def test_without_a_folder_the_small_plan_gives_what_the_document_says(tmp_path):
    assert effect(tmp_path / "papers", load_rules()) == BLOCKS["effect: none"].splitlines()


@pytest.mark.parametrize("name", OWN)
def test_r_air_3_each_rule_file_changes_the_review_as_the_document_says(tmp_path, name):
    rules = load_rules(written(tmp_path / "mine", "mine/library.json", name))

    assert rules.source.mine == "范例煤矿"
    assert effect(tmp_path / "papers", rules) == BLOCKS[f"effect: {Path(name).name}"].splitlines()


def test_the_command_of_the_document_takes_the_whole_folder(tmp_path, capsys):
    folder = written(tmp_path / "mine", "mine/library.json", *OWN)
    papers = written(tmp_path / "papers", "plan.txt", "report.csv")

    assert main([str(papers / "plan.txt"), str(papers / "report.csv"), "--rules", str(folder)]) == 0
    said = capsys.readouterr().out
    assert said.startswith("研判完成")
    # thresholds, limits, tables and formulas carry ids of ours; power.json adds a formula and a table.
    assert "本矿规则：范例煤矿 2025年版，替换 4 条、新增 2 条" in said.splitlines()


@pytest.mark.parametrize("name", REFUSED)
def test_the_refusals_of_the_document_are_real(tmp_path, capsys, name):
    folder = written(tmp_path / "mine", "mine/library.json", name)
    papers = written(tmp_path / "papers", "plan.txt")

    with pytest.raises(RuleError) as refusal:
        load_rules(folder)

    said = BLOCKS[f"refusal: {Path(name).name}"].strip()
    assert str(refusal.value) == said
    assert main([str(papers / "plan.txt"), "--rules", str(folder)]) == 2
    assert capsys.readouterr().err.strip() == said
