"""R-POL-3, R-POL-5 on the page: an operator decides what waits in other people's sessions and judges what guards passed on."""

from __future__ import annotations

from collections.abc import Iterator
from secrets import token_hex

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Watched
from tests.support.server import RunningServer, running_server

pytestmark = pytest.mark.browser

DANGER = "11302工作面着火了，有人被困，<b>怎么办</b>"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with running_server(tmp_path_factory.mktemp("desk")) as running:
        yield running


@pytest.fixture
def watched(page: Page, server: RunningServer) -> Iterator[Watched]:
    found = Watched(page)
    found.watch(server.base_url)
    page.goto(server.base_url)
    page.wait_for_selector("body[data-ready]")
    page.locator("#user").fill("调度员")
    page.locator("#user").press("Tab")
    yield found
    assert found.errors == []
    assert found.foreign == []


def open_desk(page: Page) -> None:
    page.get_by_role("button", name="人工处理台").click()
    expect(page.locator("#desk").get_by_role("heading", level=2)).to_be_focused()


def test_r_pol_5_an_escalation_is_read_and_judged(watched: Watched, server: RunningServer) -> None:
    session_id = server.chat(DANGER)[0]["session_id"]
    (item,) = [one for one in server.json("/api/reviews")["items"] if one["session_id"] == session_id]
    page = watched.page
    open_desk(page)
    review = page.locator(f"[data-review='{item['review_id']}']")

    expect(review.locator("blockquote")).to_have_text(DANGER)
    expect(review).to_contain_text("safety_incident")
    expect(review).to_contain_text("请立即向矿调度室报告")
    expect(page.get_by_label("消息", exact=True)).to_be_hidden()
    review.get_by_label("说明").fill("已电话确认")
    review.get_by_role("button", name="处理正确").click()

    expect(review).to_contain_text("处理正确 · 调度员")
    decided = {one["review_id"]: one for one in server.json("/api/reviews", state="decided")["items"]}
    found = decided[item["review_id"]]
    assert (found["verdict"], found["note"], found["decided_by"]) == ("right", "已电话确认", "调度员")
    page.reload()
    page.wait_for_selector("body[data-ready]")
    expect(page.locator("#desk").get_by_role("heading", level=2)).to_be_visible()
    expect(review).to_have_count(0)


def test_r_pol_5_an_item_that_somebody_else_judged_says_so(watched: Watched, server: RunningServer) -> None:
    session_id = server.chat(DANGER)[0]["session_id"]
    (item,) = [one for one in server.json("/api/reviews")["items"] if one["session_id"] == session_id]
    page = watched.page
    open_desk(page)
    body = {"verdict": "wrong", "decided_by": "别人"}
    assert server.client.post(f"/api/reviews/{item['review_id']}", json=body).status_code == 200

    review = page.locator(f"[data-review='{item['review_id']}']")
    review.get_by_role("button", name="处理正确").click()

    expect(review.locator(".problem")).to_be_visible()
    watched.errors.clear()  # the browser itself reports a 409 answer on the console


def test_r_pol_3_a_call_of_another_user_is_approved_at_the_desk(watched: Watched, server: RunningServer) -> None:
    frames = server.chat("提交计划 调风：核对测点；调整风窗")
    page = watched.page
    open_desk(page)
    card = page.locator("#desk .approval").last

    expect(card).to_contain_text(server.user)
    expect(card).to_contain_text("调风")
    card.get_by_role("button", name="批准").click()

    expect(card).to_contain_text("已批准")
    server.await_run(frames[0]["run_id"], "succeeded")
    page.get_by_role("button", name="返回对话").click()
    expect(page.get_by_label("消息", exact=True)).to_be_visible()


def test_the_desk_of_a_server_with_a_token_asks_for_it(page: Page, tmp_path_factory: pytest.TempPathFactory) -> None:
    token = token_hex(16)
    with running_server(tmp_path_factory.mktemp("locked"), admin_token=token) as server:
        page.goto(server.base_url)
        page.wait_for_selector("body[data-ready]")
        open_desk(page)
        expect(page.get_by_role("alert")).to_be_hidden()
        page.get_by_label("管理员口令").fill("another")
        page.get_by_role("button", name="进入").click()
        expect(page.get_by_role("alert")).to_contain_text("口令不对")
        page.get_by_label("管理员口令").fill(token)
        page.get_by_role("button", name="进入").click()

        expect(page.locator("#desk")).to_contain_text("没有待处理的事项。")
        expect(page.get_by_role("alert")).to_be_hidden()
        assert token not in page.evaluate("JSON.stringify([localStorage, sessionStorage, location.href])")
