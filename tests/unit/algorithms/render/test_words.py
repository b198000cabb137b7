"""Both languages say the same things; every closed vocabulary has its words."""

import json
import re
from pathlib import Path
from string import Formatter

import pytest

from algorithms.airflow_review import rules
from algorithms.airflow_review.evidence import Method, PlaceType
from algorithms.airflow_review.model import AlignmentStatus, CheckStatus, FindingKind, Severity, Verdict
from algorithms.airflow_review.render.words import LANGS, load_words

VOCABULARIES = {
    "kind": FindingKind,
    "severity": Severity,
    "verdict": Verdict,
    "status": CheckStatus,
    "alignment": AlignmentStatus,
    "type": PlaceType,
    "method": Method,
}


def test_both_tables_have_the_same_keys_and_places():
    zh, en = (load_words(lang).texts for lang in ("zh", "en"))

    assert zh.keys() == en.keys()
    for key, text in zh.items():
        places, others = ({name for _, name, _, _ in Formatter().parse(t) if name} for t in (text, en[key]))
        assert places == others, key


@pytest.mark.parametrize("lang", LANGS)
def test_every_closed_vocabulary_has_its_words(lang):
    words = load_words(lang)

    for group, vocabulary in VOCABULARIES.items():
        for value in vocabulary:
            assert words.texts[f"{group}.{value}"]


def test_the_english_table_holds_no_chinese():
    han = re.compile(r"[\u4e00-\u9fff]+")
    found = {match for text in load_words("en").texts.values() for match in han.findall(text)}

    assert found == set()


@pytest.mark.parametrize("lang", LANGS)
def test_no_word_certifies_anything(lang):
    """R-PIT-21, R-AIR-10: the report compares; it certifies nothing."""
    assert not [text for text in load_words(lang).texts.values() if "合格" in text]


@pytest.mark.parametrize("lang", LANGS)
def test_every_variant_and_every_quantity_of_the_rules_has_its_words(lang):
    """No reader should meet `limit_1.0_pct` or `area_m2` in a report."""
    words, folder = load_words(lang), Path(rules.__file__).parent
    formulas = json.loads((folder / "formulas.json").read_text(encoding="utf-8"))
    quantities = json.loads((folder / "quantities.json").read_text(encoding="utf-8"))["quantities"]
    variants = {variant["id"] for formula in formulas["formulas"] for variant in formula["variants"]}

    assert variants
    assert not {variant for variant in variants if f"variant.{variant}" not in words.texts}
    assert not {one["key"] for one in quantities if f"input.{one['key']}" not in words.texts}
