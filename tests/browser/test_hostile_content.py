"""What users, models and documents write is shown and never run; what comes late is shown where it belongs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Watched, hold
from tests.support.model_server import Reply, written_model
from tests.support.server import RunningServer, live_settings, running_server

pytestmark = pytest.mark.browser

MARK = '<img src=x onerror="window.ran=1"><script>window.ran=2</script>'
LINKS = "[a](javascript:window.ran=3) [b](data:text/html,x) [c](//evil.example) [d](/\\evil.example) ![e](https://evil.example/e.png)"


def script(body: dict[str, Any]) -> Reply:
    asked = [message["content"] for message in body["messages"] if message["role"] == "user"][-1]
    if body["messages"][-1]["role"] == "tool":
        return Reply(pieces=(f"{MARK}\n\n{LINKS}\n\n", f"```html\n{MARK}\n```\n\n| {MARK} |\n|---|\n| `{MARK}` |"))
    if asked.startswith("批准"):
        return Reply(calls=(("plan_submit", {"title": MARK, "steps": MARK}),))
    if asked.startswith("闲聊"):
        return Reply(text=f"答：{asked}")
    path = f"/workspace/outputs/{MARK.replace('/', '_')}.txt"
    return Reply(
        reasoning=MARK,
        calls=(
            ("math_evaluate", {"expression": MARK, MARK: MARK}),
            ("write_file", {"file_path": path, "content": MARK}),
            (MARK, {}),
        ),
    )


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with (
        written_model(script) as model,
        running_server(
            tmp_path_factory.mktemp("hostile"), **live_settings(model.base_url), default_agent="general"
        ) as running,
    ):
        yield running


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


def assert_nothing_ran(page: Page) -> None:
    assert page.evaluate("window.ran") is None
    assert page.locator("main img, main script, nav img, nav script, header img").count() == 0


def test_markup_in_messages_names_calls_and_answers_is_shown_as_text(watched: Watched, tmp_path: Path) -> None:
    page = watched.page
    page.locator("#user").fill(f"u{MARK}"[:60])
    page.locator("#user").press("Tab")
    attached = tmp_path / '"><img src=x onerror=window.ran=4>.txt'
    attached.write_text("x", encoding="utf-8")
    page.set_input_files("#files", attached)

    send(page, MARK)
    expect(page.get_by_role("button", name="发送")).to_be_visible()
    expect(page.locator(".seg pre")).to_be_visible()
    assert_nothing_ran(page)
    page.reload()
    page.wait_for_selector("body[data-ready]")

    expect(page.locator(".seg pre")).to_be_visible()
    assert_nothing_ran(page)
    assert page.locator("#sessions").inner_text().startswith("<img src=x")
    addresses = page.locator(".seg a").evaluate_all("nodes => nodes.map(node => node.getAttribute('href'))")
    assert addresses == ["https://evil.example/e.png"]  # a link to follow, not an image that loads


def test_markup_in_the_arguments_of_an_approval_is_shown_as_text(watched: Watched) -> None:
    send(watched.page, "批准")

    expect(watched.page.locator(".approval dd").first).to_have_text(MARK)
    assert_nothing_ran(watched.page)


def test_the_documentation_page_is_quiet(watched: Watched, server: RunningServer) -> None:
    watched.page.goto(f"{server.base_url}/docs")

    expect(watched.page.get_by_role("heading", level=1)).to_contain_text("接口文档")


def test_a_session_that_loads_slowly_does_not_mix_with_the_one_opened_after_it(
    watched: Watched, server: RunningServer
) -> None:
    page = watched.page
    sessions = []
    for text in ("闲聊甲", "闲聊乙"):
        page.get_by_role("button", name="新建研判").click()
        send(page, text)
        expect(page.locator(".seg")).to_have_text(f"答：{text}")
        expect(page.get_by_role("button", name="发送")).to_be_visible()
        sessions.append(page.evaluate("location.hash").removeprefix("#/s/"))
    page.get_by_role("button", name="新建研判").click()
    held = hold(page, f"**/api/sessions/{sessions[0]}/messages*")

    page.get_by_role("button", name="闲聊甲", exact=True).click()
    page.get_by_role("button", name="闲聊乙", exact=True).click()
    expect(page.locator(".seg")).to_have_text("答：闲聊乙")
    with page.expect_response(lambda answer: sessions[0] in answer.url and "messages" in answer.url):
        held[0].continue_()
    page.wait_for_timeout(300)

    expect(page.locator(".seg")).to_have_text(["答：闲聊乙"])
    assert page.evaluate("location.hash") == f"#/s/{sessions[1]}"


def test_an_answer_to_a_message_of_another_session_is_not_drawn_here(watched: Watched) -> None:
    page = watched.page
    send(page, "闲聊丙")
    expect(page.locator(".seg")).to_have_text("答：闲聊丙")
    expect(page.get_by_role("button", name="发送")).to_be_visible()
    page.get_by_role("button", name="新建研判").click()
    held = hold(page, "**/api/chat")

    send(page, "闲聊丁")
    expect(page.get_by_role("button", name="停止")).to_be_visible()
    page.get_by_role("button", name="闲聊丙", exact=True).click()
    expect(page.locator(".seg")).to_have_text("答：闲聊丙")
    with page.expect_response("**/api/chat"):
        held[0].continue_()

    expect(page.get_by_role("button", name="闲聊丁", exact=True)).to_be_visible()
    expect(page.locator(".seg")).to_have_text(["答：闲聊丙"])
    assert "闲聊丁" not in page.locator("#thread").inner_text()
    assert page.evaluate("location.hash") != "#/"
