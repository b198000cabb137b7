"""Both languages say the same things; every closed vocabulary has its words."""

import re
from string import Formatter

import pytest

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


def test_the_english_table_holds_no_chinese_but_the_mark_of_unchecked_clauses():
    han = re.compile(r"[\u4e00-\u9fff]+")
    found = {match for text in load_words("en").texts.values() for match in han.findall(text)}

    assert found == {"待核对"}


@pytest.mark.parametrize("lang", LANGS)
def test_no_word_certifies_anything(lang):
    """R-PIT-21, R-AIR-10: the report compares; it certifies nothing."""
    assert not [text for text in load_words(lang).texts.values() if "合格" in text]
