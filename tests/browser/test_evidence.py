"""The evidence drawer in a real browser: the cited page with its place framed, what follows from it, keys and focus."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Watched, hold
from tests.support.server import RunningServer, of_type, start_server

pytestmark = pytest.mark.browser

# Brightness apart, the frame is the only colour on a page that is black on white.
FRAME = """image => {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
  const [xs, ys] = [[], []];
  for (let at = 0; at < data.length; at += 4)
    if (data[at] - data[at + 2] > 60) { xs.push((at / 4) % canvas.width); ys.push(Math.floor(at / 4 / canvas.width)); }
  const least = list => list.reduce((a, b) => Math.min(a, b)), most = list => list.reduce((a, b) => Math.max(a, b));
  return [least(xs), least(ys), most(xs), most(ys)];
}"""
# Whether the framed place can be seen without scrolling the page's picture.
IN_SIGHT = """(sheet, box) => {
  const image = sheet.querySelector("img"), ratio = image.clientWidth / image.naturalWidth * 2;
  const middle = (box[1] + box[3]) / 2 * ratio - sheet.scrollTop, across = (box[0] + box[2]) / 2 * ratio - sheet.scrollLeft;
  return middle > 0 && middle < sheet.clientHeight && across > 0 && across < sheet.clientWidth;
}"""


@dataclass(frozen=True, kw_only=True)
class Reviewed:
    """A server with one review in a session of the page's default user."""

    server: RunningServer
    session_id: str
    review: dict[str, Any]

    def finding(self, kind: str) -> dict[str, Any]:
        found: dict[str, Any] = next(item for item in self.review["findings"] if item["kind"] == kind)
        return found


@pytest.fixture(scope="module")
def reviewed(tmp_path_factory: pytest.TempPathFactory, fixtures_path: Path) -> Iterator[Reviewed]:
    server = start_server(tmp_path_factory.mktemp("evidence"))
    server.user = "default"
    folder = fixtures_path / "airflow" / "faults"
    frames = server.chat(
        "请研判", files=[(name, (folder / name).read_bytes()) for name in ("f01_plan.pdf", "f01_report.xlsx")]
    )
    session_id = frames[0]["session_id"]
    path = next(file["path"] for file in of_type(frames, "file") if file["name"] == "review.json")
    review = json.loads(server.get(f"/api/sessions/{session_id}/files/{path.removeprefix('/workspace/')}").content)
    yield Reviewed(server=server, session_id=session_id, review=review)
    server.stop()


@pytest.fixture
def watched(page: Page, reviewed: Reviewed) -> Iterator[Watched]:
    found = Watched(page)
    found.watch(reviewed.server.base_url)
    page.goto(f"{reviewed.server.base_url}/#/s/{reviewed.session_id}")
    page.wait_for_selector("body[data-ready]")
    expect(page.locator("#review")).to_be_visible()
    yield found
    assert found.errors == []
    assert found.foreign == []


def drawer(page: Page) -> Locator:
    return page.locator("#evidence")


def picture(page: Page) -> Locator:
    """The page's picture, once it is there; a busy machine takes seconds to draw it."""
    image = drawer(page).locator("img")
    expect(image).to_be_visible(timeout=30_000)
    return image


def chip(page: Page, kind: str) -> Locator:
    return page.locator(f".findings tr[data-kind={kind}] .chip").first


def until(page: Page, holds: Callable[[], bool]) -> None:
    """Wait for what no element shows."""
    for _ in range(200):
        if holds():
            return
        page.wait_for_timeout(50)
    raise AssertionError("it did not come true")


def test_a_chip_opens_the_cited_page_with_the_place_framed(watched: Watched, reviewed: Reviewed) -> None:
    page, finding = watched.page, reviewed.finding("arithmetic_mismatch")
    (at,) = finding["evidence"]
    expect(drawer(page)).to_be_hidden()

    chip(page, "arithmetic_mismatch").click()

    expect(drawer(page).get_by_role("heading")).to_have_text(f"f01_plan.pdf 第 {at['page']} 页")
    expect(drawer(page).get_by_role("heading")).to_be_focused()
    expect(drawer(page).locator("blockquote")).to_have_text(at["quote"])
    expect(drawer(page)).to_contain_text(finding["message"])
    image = picture(page)
    assert at["quote"] in (image.get_attribute("alt") or "")
    assert image.evaluate(FRAME) == pytest.approx([2 * edge for edge in at["bbox"]], abs=6)  # margin and line
    assert drawer(page).locator(".sheet").evaluate(IN_SIGHT, at["bbox"])


def test_what_follows_from_the_place_is_said_beside_it(watched: Watched, reviewed: Reviewed) -> None:
    page, finding = watched.page, reviewed.finding("arithmetic_mismatch")
    chip(page, "arithmetic_mismatch").click()

    facts = drawer(page).locator(".facts").inner_text()

    # 60 × 13.1 × 1.0 × 1.2 × 1.40 by hand; the plan prints 1411.
    assert "1,320.48 m³/min · 不一致" in facts
    assert "1,411 m³/min" in facts
    assert "平均有效净断面（计划书写明）" in facts
    assert finding["rule"]["id"] in facts
    assert finding["clears_when"] in facts


def test_keys_walk_through_the_evidence_and_escape_gives_the_focus_back(watched: Watched, reviewed: Reviewed) -> None:
    page = watched.page
    spots = [at for row in reviewed.review["findings"] if row["severity"] != "note" for at in row["evidence"]]
    opener = page.locator(".findings .chip").first
    opener.click()
    count = drawer(page).locator(".count")
    total = (count.text_content() or "").split(" / ")[1]
    assert int(total) == len({json.dumps(at) for at in spots})
    first = drawer(page).get_by_role("heading").inner_text()

    page.keyboard.press("ArrowLeft")
    expect(count).to_have_text(f"1 / {total}")
    page.keyboard.press("ArrowRight")
    expect(count).to_have_text(f"2 / {total}")
    assert drawer(page).get_by_role("heading").inner_text() != first
    drawer(page).get_by_role("button", name="下一条").click()
    expect(count).to_have_text(f"3 / {total}")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(drawer(page).get_by_role("heading")).to_have_text(first)
    picture(page)

    page.keyboard.press("Escape")
    expect(drawer(page)).to_be_hidden()
    expect(opener).to_be_focused()


def test_arrows_in_the_message_move_the_cursor_and_not_the_evidence(watched: Watched) -> None:
    page = watched.page
    page.locator(".findings .chip").first.click()
    message = page.get_by_label("消息", exact=True)
    message.fill("半句")
    message.press("ArrowLeft")
    message.press("ArrowRight")

    expect(drawer(page).locator(".count")).to_have_text(re.compile("^1 / "))


def test_a_row_of_a_workbook_is_shown_by_sheet_row_and_quote(watched: Watched, reviewed: Reviewed) -> None:
    page = watched.page
    row = next(
        row
        for row in reviewed.review["comparisons"]
        if row["basis"] == "measured_required" and row["verdict"] in {"shortage", "serious"}
    )
    at = row["evidence"][0]
    reading = next(
        item
        for item in reviewed.review["report"]["readings"]
        if any(spot["row"] == at["row"] and spot["table"] == at["table"] for spot in item["evidence"])
    )
    assert at["sheet"]

    page.locator(".comparisons tr", has_text=row["subject_name"]).get_by_role("button").first.click()

    expect(drawer(page).locator("blockquote")).to_have_text(at["quote"])
    expect(drawer(page).locator(".locator")).to_have_text(
        f"f01_report.xlsx {at['sheet']} 表 {at['table']} 第 {at['row']} 行 第 {at['column']} 列"
    )
    facts = drawer(page).locator(".facts").inner_text()
    assert reading["station"] in facts
    assert f"{reading['speed_m_s']} m/s" in facts
    assert drawer(page).locator("img").count() == 0
    # The plan's row and the printed calculations of the place follow.
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(drawer(page).get_by_role("heading")).to_contain_text("f01_plan.pdf")
    picture(page)


def test_the_original_can_be_downloaded(watched: Watched, fixtures_path: Path) -> None:
    page = watched.page
    page.locator(".findings .chip").first.click()

    with page.expect_download() as loading:
        drawer(page).get_by_role("link", name="下载原件").click()

    assert loading.value.suggested_filename == "f01_plan.pdf"
    assert loading.value.path().read_bytes() == (fixtures_path / "airflow" / "faults" / "f01_plan.pdf").read_bytes()


def test_an_enlarged_page_keeps_the_place_in_sight(watched: Watched, reviewed: Reviewed) -> None:
    page = watched.page
    (at,) = reviewed.finding("arithmetic_mismatch")["evidence"]
    chip(page, "arithmetic_mismatch").click()
    image = picture(page)
    narrow = image.evaluate("node => node.clientWidth")

    drawer(page).get_by_role("button", name="放大").click()

    assert image.evaluate("node => node.clientWidth") > 2 * narrow
    assert drawer(page).locator(".sheet").evaluate(IN_SIGHT, at["bbox"])
    drawer(page).get_by_role("button", name="适合宽度").click()
    assert image.evaluate("node => node.clientWidth") == narrow


@pytest.mark.parametrize(("width", "height"), [(390, 844), (1024, 768)])
def test_on_a_narrow_page_the_drawer_lies_over_the_rest(watched: Watched, width: int, height: int) -> None:
    page = watched.page
    page.set_viewport_size({"width": width, "height": height})
    opener = page.locator(".comparisons .link").first
    opener.click()

    expect(page.get_by_role("dialog")).to_be_visible()
    box = drawer(page).bounding_box()
    assert box is not None
    assert (round(box["x"] + box["width"]), round(box["height"])) == (width, height)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator("main").evaluate("node => node.inert")
    for _ in range(12):
        page.keyboard.press("Tab")
        assert page.evaluate(
            "document.activeElement === document.body || !!document.activeElement.closest('#evidence')"
        )

    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert not page.locator("main").evaluate("node => node.inert")
    expect(opener).to_be_focused()


def test_a_page_that_cannot_be_drawn_says_so_and_the_quote_stays(watched: Watched, reviewed: Reviewed) -> None:
    page = watched.page
    body = json.dumps({"error": {"code": "document_unreadable", "message": "x", "hint": "", "details": None}})
    page.route("**/api/documents/*/pages/*", lambda route: route.fulfill(status=422, body=body))
    (at,) = reviewed.finding("arithmetic_mismatch")["evidence"]

    chip(page, "arithmetic_mismatch").click()

    expect(drawer(page).locator(".sheet .problem")).to_contain_text("无法绘制")
    expect(drawer(page).locator("blockquote")).to_have_text(at["quote"])
    watched.errors.clear()  # the browser itself reports a 422 answer on the console


def test_a_picture_that_comes_late_is_not_shown_for_another_place(watched: Watched) -> None:
    page = watched.page
    held = hold(page, "**/api/documents/*/pages/*")
    page.locator(".findings .chip").first.click()
    until(page, lambda: len(held) == 1)
    page.keyboard.press("ArrowRight")
    until(page, lambda: len(held) == 2)

    held[1].continue_()
    image = picture(page)
    shown = image.get_attribute("alt")
    held[0].continue_()
    page.wait_for_timeout(500)

    assert drawer(page).locator("img").count() == 1
    assert image.get_attribute("alt") == shown


def test_the_english_drawer_has_no_chinese_in_its_own_words(watched: Watched) -> None:
    page = watched.page
    page.get_by_role("button", name="English").click()
    page.wait_for_selector("body[data-ready]")
    page.locator(".findings .chip").first.click()
    picture(page)

    words = [
        *drawer(page).locator("h2, figcaption, dt, footer").all_inner_texts(),
        drawer(page).locator(".sheet").get_attribute("aria-label") or "",
    ]
    assert not re.search("[\u4e00-\u9fff]", " ".join(words))
    page.get_by_role("button", name="中文").click()
    page.wait_for_selector("body[data-ready]")


def test_another_session_closes_the_drawer(watched: Watched) -> None:
    page = watched.page
    page.locator(".findings .chip").first.click()
    expect(drawer(page)).to_be_visible()

    page.get_by_role("button", name="新建研判").click()

    expect(drawer(page)).to_be_hidden()
