"""The English report holds no Chinese but names, quotes and labels out of the documents; the Chinese one is as before."""

import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from algorithms.airflow_review.changes import find_changes
from algorithms.airflow_review.engine.names import NameWords
from algorithms.airflow_review.model import FindingKind, Review
from algorithms.airflow_review.pipeline import review
from algorithms.airflow_review.render.changed import change_lines
from algorithms.airflow_review.render.digest import review_digest, rule_citations
from algorithms.airflow_review.render.json_text import review_from_json_text, review_to_json_text
from algorithms.airflow_review.render.words import load_words
from algorithms.airflow_review.rules.library import load_rules
from tests.unit.algorithms.render.sample import sample_review
from tests.unit.algorithms.render.test_reports import texts_of

FIXTURES = Path(__file__).parents[3] / "fixtures" / "airflow" / "faults"
PAIRS = [
    ("f14_plan.txt", "f14_report.docx"),
    ("f05_plan.docx", "f05_report.xlsx"),
    ("f07_plan.txt", "f07_report.xlsx"),
    ("f13_plan.pdf", "f13_report.csv"),
]
EN = load_words("en")
CHINESE = re.compile(r"[\u3000-\u303f\u3400-\u9fff\uff00-\uffef]+")


@cache
def reviewed(plan: str, report: str) -> Review:
    return review(FIXTURES / plan, FIXTURES / report)


def words_of_documents(result: Review) -> list[str]:
    """Whatever a document says itself, longest first: names, labels, expressions, windows, texts of cells."""
    places, systems = result.plan.places, result.plan.systems
    readings = result.report.readings if result.report else ()
    fans = result.report.fans if result.report else ()
    found = {item.file for item in result.inputs} | {
        result.plan.mine or "",
        result.report.mine or "" if result.report else "",
    }
    found |= {p.name for p in places} | {s.name for s in systems} | {f.name for f in fans}
    found |= {reading.station for reading in readings}
    found |= {text for place in places for c in place.calculations for text in (c.label, c.expression)}
    found |= {f.subject_name for f in result.findings}
    # A text that has no English of its own is a quote.
    found |= {
        value
        for f in result.findings
        for value, english in ((f.stated, f.stated_en), (f.expected, f.expected_en))
        if isinstance(value, str) and english is None
    }
    found |= {item.sheet or "" for f in result.findings for item in f.evidence}
    found |= {p.series_after or "" for p in places}
    return sorted((text for text in found if CHINESE.search(text) and text != "矿井"), key=len, reverse=True)


def own_chinese(text: str, result: Review) -> list[str]:
    """Chinese in a text that is neither in a quote nor a word of the documents."""
    text = " ".join(text.split())
    for said in words_of_documents(result):
        text = text.replace(" ".join(said.split()), "")
    text = re.sub(r"“[^“”]*”", "", text)
    return [match for match in CHINESE.findall(text) if re.search(r"[\u3400-\u9fff]", match)]


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair[0])
def test_an_english_report_holds_no_chinese_but_names_quotes_and_files(pair):
    result = reviewed(*pair)
    assert len(result.findings) >= 4

    for file, text in texts_of(result, EN).items():
        assert own_chinese(text, result) == [], file


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair[0])
def test_everything_the_review_says_is_said_in_english_too(pair):
    result = reviewed(*pair)

    for finding in result.findings:
        assert own_chinese(finding.message_en, result) == []
        assert CHINESE.search(finding.clears_when) or finding.clears_when == ""
        assert own_chinese(finding.clears_when_en, result) == []
        assert finding.message_en
        assert finding.clears_when_en
    for row in result.comparisons:
        assert bool(row.reason) == bool(row.reason_en)
        assert own_chinese(row.reason_en, result) == []
    assert result.alignment is not None
    assert result.alignment.reason_en
    assert not CHINESE.search(result.alignment.reason_en)


def test_the_pairs_show_many_kinds_of_findings():
    kinds = {finding.kind for pair in PAIRS for finding in reviewed(*pair).findings}

    assert len(kinds) >= 8
    assert kinds <= set(FindingKind)


def test_the_english_digest_and_its_rules_hold_no_chinese_of_their_own():
    result = reviewed(*PAIRS[0])
    digest = review_digest(result, EN, max_items=50)

    for item in (*digest["findings"]["items"], *digest["not_judged"]["items"]):
        for key in ("message", "clears_when", "reason", "kind", "type"):
            assert own_chinese(str(item.get(key, "")), result) == []
    for rule in rule_citations(result.findings, EN, max_items=50):
        assert not CHINESE.search(rule["locator"]["clause"])


def test_the_chapter_of_changes_is_english_too():
    old, new = (reviewed(*pair) for pair in PAIRS[:2])
    changes = find_changes(old, new, NameWords.of(load_rules().data["names"]))

    text = "\n".join(change_lines(changes, EN))
    for result in (old, new):
        for said in words_of_documents(result):
            text = text.replace(said, "")

    assert len(changes.findings_new) > 3
    assert not re.search(r"[\u3400-\u9fff]", re.sub(r"“[^“”]*”", "", text))


def test_a_review_without_english_texts_is_shown_in_chinese():
    """review.json of an earlier version has the Chinese texts only."""
    old = sample_review()
    assert old.findings[0].message_en == ""

    for text in texts_of(old, EN).values():
        assert old.findings[0].message in text


def test_the_english_texts_come_back_from_review_json():
    result = reviewed(*PAIRS[0])

    assert review_from_json_text(review_to_json_text(result)) == result
    # A file of before: the new fields are missing.
    bare = tuple(
        replace(f, message_en="", clears_when_en="", stated_en=None, expected_en=None) for f in result.findings
    )
    text = re.sub(
        r'^\s*"(message|clears_when|stated|expected)_en": .*\n', "", review_to_json_text(result), flags=re.MULTILINE
    )
    assert review_from_json_text(text).findings == bare
