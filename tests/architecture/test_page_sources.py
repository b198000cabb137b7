"""What the page's sources promise: words in one place, names of events as the server writes them, no foreign address."""

from __future__ import annotations

import json
import re

import pytest

from api import sse_events
from config import PROJECT_ROOT

STATIC = PROJECT_ROOT / "static"
SCRIPTS = sorted((STATIC / "js").glob("*.js"))


def words(language: str) -> dict[str, str]:
    found: dict[str, str] = json.loads((STATIC / "i18n" / f"{language}.json").read_text(encoding="utf-8"))
    return found


def test_no_script_holds_a_chinese_sentence() -> None:
    assert [p.name for p in SCRIPTS if re.search("[\u4e00-\u9fff]", p.read_text(encoding="utf-8"))] == []


def test_both_languages_have_the_same_words_with_the_same_blanks() -> None:
    chinese, english = words("zh-CN"), words("en")

    assert chinese.keys() == english.keys()
    blanks = {
        k: (set(re.findall(r"\{(\w+)\}", chinese[k])), set(re.findall(r"\{(\w+)\}", english[k]))) for k in chinese
    }
    assert {k: v for k, v in blanks.items() if v[0] != v[1]} == {}


def test_every_word_the_page_asks_for_exists() -> None:
    text = "".join(p.read_text(encoding="utf-8") for p in [*SCRIPTS, STATIC / "index.html"])
    asked = set(re.findall(r'\bword\("([a-z_]+)"', text)) | set(
        re.findall(r'data-(?:word|label|hint|title)="([a-z_]+)"', text)
    )

    assert asked - words("zh-CN").keys() == set()


def test_the_page_draws_only_events_the_server_declares() -> None:
    handled = set(re.findall(r"^  on_(\w+)\(", (STATIC / "js" / "turn.js").read_text(encoding="utf-8"), re.MULTILINE))

    assert {"token", "tool_call", "tool_result", "interrupt", "error", "done"} <= handled
    assert handled - {str(e) for e in sse_events.EventType} == set()


@pytest.mark.parametrize(
    "pattern", [r"https?://(?!www\.w3\.org/)", r"innerHTML", r"\.textContent\s*\+=", r"\beval\(", r"style=\""]
)
def test_r_pit_13_the_sources_hold_nothing_that_reaches_out_or_breaks_nodes(pattern: str) -> None:
    texts = {p.name: p.read_text(encoding="utf-8") for p in [*SCRIPTS, STATIC / "index.html"]}
    allowed = {"md.js"} if pattern.startswith("https") else set()  # its allow list of links names the scheme

    assert [name for name, text in texts.items() if re.search(pattern, text) and name not in allowed] == []
