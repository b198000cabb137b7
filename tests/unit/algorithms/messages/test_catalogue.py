"""Every sentence of the review exists in Chinese and in English, is used, and stands in the catalogue only."""

import ast
import json
import re
from pathlib import Path
from string import Formatter

import pytest

from algorithms.airflow_review.evidence import Method
from algorithms.airflow_review.messages import catalogue
from algorithms.airflow_review.messages.catalogue import NOTHING, Text, chained, listed, rule_words, say, sentences
from algorithms.airflow_review.rules.library import load_rules
from algorithms.airflow_review.rules.records import Constant, Formula

PACKAGE = Path(catalogue.__file__).parents[1]
CHINESE = re.compile(r"[\u3000-\u303f\u3400-\u9fff\uff00-\uffef]")
SCRIPTS = PACKAGE.parents[1] / "scripts"
SAYING = (PACKAGE / "engine", PACKAGE / "documents", PACKAGE / "reading", PACKAGE / "rules", SCRIPTS)
ENGINE = sorted((PACKAGE / "engine").glob("*.py"))


def trees(*folders):
    for folder in folders:
        for path in sorted(folder.rglob("*.py")):
            yield path, ast.parse(path.read_text(encoding="utf-8"))


def said_keys():
    """First arguments of `say`: whole keys, and beginnings of keys that end in a value."""
    keys, beginnings = set(), set()
    for _, tree in trees(*SAYING):
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "say" and node.args:
                first = node.args[0]
                branches = (first.body, first.orelse) if isinstance(first, ast.IfExp) else (first,)
                keys |= {branch.value for branch in branches if isinstance(branch, ast.Constant)}
                if isinstance(first, ast.JoinedStr) and isinstance(first.values[0], ast.Constant):
                    beginnings.add(first.values[0].value)
    return keys, beginnings


def literals():
    return {
        node.value
        for _, tree in trees(*SAYING)
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def places(text):
    return sorted({name for _, name, _, _ in Formatter().parse(text) if name})


def test_every_key_that_is_said_exists():
    keys, beginnings = said_keys()

    assert len(keys) > 100
    assert keys <= sentences().keys()
    assert beginnings
    for beginning in beginnings:
        assert any(key.startswith(beginning) for key in sentences()), beginning


def test_every_sentence_is_used():
    _, beginnings = said_keys()
    # Keys chosen beforehand stand as literals; those of the report's stated figures begin with an underscore there.
    used = literals() | {text.replace("_", ".", 1) for text in literals()}

    assert [key for key in sentences() if key not in used and not key.startswith(tuple(beginnings))] == []


def test_no_key_stands_in_two_files():
    names = [p for p in (PACKAGE / "messages").glob("*.json") if p.stem != "rule_words"]
    listed_keys = [key for path in names for key in json.loads(path.read_text(encoding="utf-8"))]

    assert len(names) == 6
    assert sorted(listed_keys) == sorted(sentences())


@pytest.mark.parametrize("key", sorted(sentences()))
def test_both_languages_have_the_same_places_and_english_has_no_chinese(key):
    zh, en = sentences()[key]

    assert zh
    assert en
    assert places(zh) == places(en)
    assert not CHINESE.search(en)
    if zh.endswith("。"):
        assert en.endswith(".")


@pytest.mark.parametrize("path", ENGINE, ids=lambda path: path.name)
def test_the_engine_holds_no_chinese_but_in_docstrings(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and isinstance(node.body[0], ast.Expr)
        and isinstance(node.body[0].value, ast.Constant)
    }
    found = [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and id(node) not in docstrings
        and CHINESE.search(node.value)
    ]

    assert found == []


def test_a_text_is_put_into_a_sentence_language_by_language():
    station = Text("一号", "No. 1")

    assert say("reason.station", station=station) == Text("测点：一号", "station: No. 1")
    assert say("reason.station", station="中央变电所") == Text("测点：中央变电所", "station: 中央变电所")


def test_lists_are_separated_as_each_language_does():
    assert listed(["甲", Text("乙", "B")]) == Text("甲、乙", "甲, B")
    assert chained([Text("甲", "A"), Text("乙", "B")]) == Text("甲；乙", "A; B")
    assert listed([]) == NOTHING
    assert not NOTHING


def test_an_unknown_key_or_a_missing_place_is_an_error():
    with pytest.raises(KeyError):
        say("no.such_key")
    with pytest.raises(KeyError):
        say("reason.station")


def test_a_language_that_is_not_english_is_shown_chinese():
    text = Text("矿井", "Mine")

    assert [text.in_language(lang) for lang in ("en", "zh", "")] == ["Mine", "矿井", "矿井"]


def test_every_method_a_rule_may_ask_for_has_a_name():
    from algorithms.airflow_review.engine.methods import method_name

    asked = {record.method for record in load_rules().records if isinstance(record, Formula)}

    assert len(asked) == 12
    assert [method for method in asked if not CHINESE.search(method_name(method).zh)] == []
    assert method_name(Method.OTHER) == Text("other", "other")


def shown_rule_texts():
    rules = load_rules()
    yield from rules.source.sources
    for quantity in rules.quantities.values():
        yield from (quantity.text, quantity.unit)
    for record in rules.records:
        yield record.clause
        if isinstance(record, Constant):
            yield from (record.policy_source or "",)
            # The sources of these constants are told in messages.
            if record.id.startswith(("gas.", "heat.", "rates.leakage")):
                yield record.source


def test_what_a_report_shows_of_the_rule_library_has_an_english_text():
    shown = {text for text in shown_rule_texts() if CHINESE.search(text)}

    assert len(shown) > 50
    assert [text for text in shown if CHINESE.search(rule_words(text).en)] == []


def test_a_text_that_a_mine_has_written_itself_stays_as_it_is():
    assert rule_words("本矿细则第 3 条") == Text("本矿细则第 3 条", "本矿细则第 3 条")
