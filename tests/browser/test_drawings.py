"""The drawings in a real browser: no text on another, nothing outside the sheet, in both languages."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from algorithms.airflow_review.render.content import report_content
from algorithms.airflow_review.render.html import html_text
from algorithms.airflow_review.render.words import LANGS, load_words
from tests.unit.algorithms.render.drawing_cases import CASES

pytestmark = pytest.mark.browser

# Boxes of glyphs may touch by less than a pixel; text on a bar is wanted, text on text is not.
FIND_FAULTS = """() => {
  const faults = [];
  for (const svg of document.querySelectorAll("figure svg")) {
    const sheet = svg.getBoundingClientRect();
    const texts = [...svg.querySelectorAll("text")].filter((one) => one.textContent.trim());
    const boxes = texts.map((one) => {
      const box = one.getBBox(), at = one.getCTM();
      return { text: one.textContent, left: box.x * at.a + at.e, top: box.y * at.d + at.f, right: (box.x + box.width) * at.a + at.e, bottom: (box.y + box.height) * at.d + at.f };
    });
    for (const [i, one] of boxes.entries()) {
      if (one.left < -0.5 || one.top < -0.5 || one.right > sheet.width + 0.5 || one.bottom > sheet.height + 0.5) faults.push(`outside: ${one.text}`);
      for (const other of boxes.slice(i + 1)) {
        const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
        const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
        if (wide > 1 && high > 3) faults.push(`on each other: ${one.text} | ${other.text}`);
      }
    }
  }
  return { faults, drawings: document.querySelectorAll("figure svg").length, texts: document.querySelectorAll("figure svg text").length };
}"""


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("case", CASES)
def test_no_text_lies_on_another_or_outside_its_drawing(page: Page, case: str, lang: str) -> None:
    words = load_words("en" if lang == "en" else "zh")
    page.set_content(html_text(report_content(CASES[case](), words), words))
    found = page.evaluate(FIND_FAULTS)

    assert found["drawings"] >= 2
    assert found["texts"] > 30
    assert found["faults"] == []


def test_a_dark_page_has_bright_texts_and_print_has_dark_ones(page: Page) -> None:
    words = load_words("zh")
    page.emulate_media(color_scheme="dark")
    page.set_content(html_text(report_content(CASES["sample"](), words), words))
    look = "() => [getComputedStyle(document.querySelector('figure svg text.ink')).fill, getComputedStyle(document.body).backgroundColor]"

    assert page.evaluate(look) == ["rgb(230, 235, 240)", "rgb(20, 25, 30)"]
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate(look) == ["rgb(28, 39, 51)", "rgb(255, 255, 255)"]


def test_a_narrow_page_scrolls_a_drawing_and_keeps_it_legible(page: Page) -> None:
    words = load_words("zh")
    page.set_viewport_size({"width": 390, "height": 800})
    page.set_content(html_text(report_content(CASES["sample"](), words), words))
    sizes = page.evaluate(
        "() => [document.querySelector('figure svg').getBoundingClientRect().width, document.documentElement.scrollWidth]"
    )

    assert sizes[0] >= 640
    assert sizes[1] <= 390
