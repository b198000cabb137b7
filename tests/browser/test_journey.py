"""The page in a real browser against a real server: drop two documents, get the review, load the report; approve; come back."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Watched
from tests.support.server import RunningServer, start_server

pytestmark = pytest.mark.browser

REVIEW_MS = 90_000


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    running = start_server(tmp_path_factory.mktemp("browser"))
    yield running
    running.stop()


@pytest.fixture
def watched(page: Page, server: RunningServer) -> Iterator[Watched]:
    found = Watched(page)
    found.watch(server.base_url)
    page.goto(server.base_url)
    page.wait_for_selector("body[data-ready]")
    yield found
    assert found.errors == []
    assert found.foreign == []


def send(page: Page, text: str) -> None:
    page.get_by_label("消息", exact=True).fill(text)
    page.get_by_label("消息", exact=True).press("Enter")


def idle(page: Page) -> None:
    expect(page.get_by_role("button", name="发送")).to_be_visible(timeout=REVIEW_MS)


def kinds(page: Page) -> list[str]:
    found: list[str] = page.locator("article.bot > *").evaluate_all("nodes => nodes.map(node => node.classList[0])")
    return found


@pytest.mark.parametrize(("reads_scans", "told"), [(True, "未经人工核对不下合格结论"), (False, "只读有文字层的文件")])
def test_the_page_says_whether_scans_are_read(watched: Watched, server: RunningServer, reads_scans, told) -> None:
    page = watched.page
    page.route("**/health?*", lambda route: route.fulfill(json={**server.json("/health"), "reads_scans": reads_scans}))
    page.reload()
    page.wait_for_selector("body[data-ready]")

    expect(page.locator("#scans")).to_contain_text(told)


def test_r_run_1_two_dropped_documents_become_a_review_and_a_report(
    watched: Watched, fixtures_path: Path, tmp_path: Path
) -> None:
    page = watched.page
    reference = fixtures_path / "airflow" / "reference"
    page.set_input_files("#zone-plan input", reference / "plan.pdf")
    page.set_input_files("#zone-report input", reference / "report.xlsx")
    page.get_by_role("button", name="开始研判").click()

    panel = page.locator("#review")
    expect(panel).to_be_visible(timeout=REVIEW_MS)
    idle(page)

    # Published totals of document 004 and the fixture's README.
    figures = {
        key: panel.locator(f"[data-figure={key}]").text_content()
        for key in ("required_total", "total_intake", "total_return", "places", "readings")
    }
    assert figures == {
        "required_total": "32,497.2",
        "total_intake": "35,181",
        "total_return": "35,713",
        "places": "92",
        "readings": "95",
    }
    order = kinds(page)
    tools = page.locator("article.bot .tool").evaluate_all(
        "nodes => nodes.map(node => [node.dataset.name, node.dataset.status])"
    )
    assert [name for name, _ in tools] == [
        "airflow_plan_preprocess",
        "airflow_plan_validate",
        "airflow_report_parse",
        "airflow_plan_verify",
        "airflow_measure_compare",
        "airflow_report_write",
    ]
    assert {status for _, status in tools} == {"ok"}
    assert order.index("seg") < order.index("tool")
    assert order[::-1].index("seg") < order[::-1].index("tool"), "the last text stands below the last card"

    panel.get_by_role("button", name="显示全部").click()
    assert panel.locator("tr[data-verdict]").count() >= 92
    with page.expect_download() as loading:
        panel.get_by_role("link", name=re.compile("docx")).click()
    target = tmp_path / "report.docx"
    loading.value.save_as(target)
    assert target.read_bytes()[:2] == b"PK"

    live = kinds(page), page.locator("article.bot").inner_text()
    page.reload()
    page.wait_for_selector("body[data-ready]")
    expect(panel).to_be_visible()
    assert (kinds(page), page.locator("article.bot").inner_text()) == live, "history is drawn like the live stream"


def test_the_approval_survives_a_reload_and_runs_after_the_click(watched: Watched) -> None:
    page = watched.page
    send(page, "提交计划 调风：核对测点；调整风窗")
    card = page.locator(".approval")
    expect(card).to_be_visible()
    expect(page.get_by_role("status")).to_have_text("等待您的批准")

    page.reload()
    page.wait_for_selector("body[data-ready]")
    expect(card).to_be_visible()
    card.get_by_role("button", name="批准").click()
    idle(page)

    expect(card).to_contain_text("已批准")
    expect(page.locator(".tool")).to_have_attribute("data-status", "ok")
    assert page.locator(".approval").count() == 1


def test_a_rejection_needs_a_reason_and_the_agent_hears_it(watched: Watched) -> None:
    page = watched.page
    send(page, "提交计划 停风：关闭风门")
    card = page.locator(".approval")
    card.get_by_role("button", name="驳回").click()
    card.get_by_role("button", name="驳回").click()
    expect(card.locator(".problem")).to_contain_text("驳回理由")

    card.get_by_label("驳回理由").fill("时间不合适")
    card.get_by_role("button", name="驳回").click()
    idle(page)

    expect(card).to_contain_text("已驳回")
    expect(page.locator(".tool")).to_have_attribute("data-status", "denied")


def test_r_pit_12_two_calls_of_one_tool_keep_their_own_results(watched: Watched) -> None:
    page = watched.page
    for expression in ("算 1+1", "算 2+3"):
        send(page, expression)
        idle(page)

    shown = page.locator(".tool pre").all_text_contents()
    assert len(shown) == 2
    values = [
        json.loads(text[text.index('"value"') :].split("\n")[0].split(":")[1].strip().rstrip(",")) for text in shown
    ]
    assert values == ["2", "5"]


def test_a_refused_upload_keeps_what_was_chosen_and_the_page_usable(watched: Watched) -> None:
    page = watched.page
    page.set_input_files("#files", {"name": "坏.exe", "mimeType": "application/octet-stream", "buffer": b"MZ"})
    send(page, "看看")

    expect(page.get_by_role("alert")).to_contain_text("坏.exe")
    expect(page.get_by_label("消息", exact=True)).to_have_value("看看")
    assert page.locator("#chips li").count() == 1
    watched.errors.clear()  # the browser itself reports a 422 answer on the console

    page.locator("#chips button").click()
    send(page, "现在几点")
    idle(page)
    expect(page.locator("article.bot")).to_contain_text("现在是")


def test_enter_of_an_input_method_does_not_send(watched: Watched) -> None:
    page = watched.page
    page.get_by_label("消息", exact=True).fill("半句")
    page.get_by_label("消息", exact=True).dispatch_event(
        "keydown", {"key": "Enter", "isComposing": True, "bubbles": True}
    )

    assert page.locator("article.user").count() == 0
    expect(page.get_by_label("消息", exact=True)).to_have_value("半句")


def test_the_sample_documents_can_be_tried_with_two_clicks(watched: Watched) -> None:
    page = watched.page
    page.get_by_role("button", name="用示例资料试一次").click()
    expect(page.locator("#zone-plan")).to_contain_text("plan.pdf")
    page.get_by_role("button", name="开始研判").click()

    expect(page.locator("#review .verdict")).to_be_visible(timeout=REVIEW_MS)
    idle(page)


def test_the_english_page_has_no_chinese_in_its_own_words(watched: Watched) -> None:
    page = watched.page
    page.get_by_role("button", name="English").click()
    page.wait_for_selector("body[data-ready]")

    chrome = page.locator(".top").inner_text() + page.locator("#empty > :not(#examples)").all_inner_texts().__str__()
    assert not re.search("[\u4e00-\u9fff]", chrome.replace("中文", ""))
    page.get_by_role("button", name="中文").click()
    page.wait_for_selector("body[data-ready]")


@pytest.mark.parametrize(("width", "height"), [(1366, 768), (390, 844)])
def test_nothing_sticks_out_of_the_window(watched: Watched, width: int, height: int) -> None:
    page = watched.page
    page.set_viewport_size({"width": width, "height": height})

    assert page.evaluate("document.documentElement.scrollWidth") <= width
