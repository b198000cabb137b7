"""R-GRD-3, R-POL-2 on the page: who is handed over, what was corrected and what is not verified is told, not by colour alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Watched
from tests.support.model_server import Reply, written_model
from tests.support.server import RunningServer, live_settings, running_server

pytestmark = pytest.mark.browser

DANGER = "11302工作面着火了，有人被困，怎么办"
CLAIM = "月度复测计划已提交，编号 P-7。"
LONG_CLAIM = f"月度复测计划已提交，{'一号测点和二号测点的记录都要再看一遍，' * 30}编号 P-7。"
MODEL_CALLS = 3


def script(body: dict[str, Any]) -> Reply:
    asked = [message["content"] for message in body["messages"] if message["role"] == "user"][-1]
    if "一直算" in asked:
        return Reply(calls=(("math_evaluate", {"expression": "1+1"}),))
    if "慢慢说" in asked:
        return Reply(text=f"- 先看记录。\n- {LONG_CLAIM}\n\n还有**别的**问题吗？")
    if "总进风" in asked:
        return Reply(
            text="请看：\n\n| 项目 | 数值 |\n|---|---|\n| 总进风量 | 36181 m³/min |\n\n矿井总进风量为 **36181** m³/min。 上月多 77 次。"
        )
    return Reply(text=f"好的。{CLAIM}\n\n还有**别的**问题吗？")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with (
        written_model(script) as model,
        running_server(
            tmp_path_factory.mktemp("guards"),
            **live_settings(model.base_url),
            default_agent="ventilation",
            max_model_calls_per_run=MODEL_CALLS,
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
    assert found.errors == [], "what the content policy refuses is reported on the console"
    assert found.foreign == []


def send(page: Page, text: str, *, label: str = "消息", button: str = "发送") -> None:
    page.get_by_label(label, exact=True).fill(text)
    page.get_by_label(label, exact=True).press("Enter")
    expect(page.locator("article.bot")).to_be_visible()
    expect(page.get_by_role("button", name=button)).to_be_visible()


def drawing(page: Page) -> str:
    """The turn as it is drawn."""
    drawn: str = page.locator("article.bot").inner_html()
    return drawn


def assert_redrawn_the_same(page: Page) -> None:
    live = drawing(page)
    page.reload()
    page.wait_for_selector("body[data-ready]")
    expect(page.locator("article.bot")).to_be_visible()
    assert drawing(page) == live, "history is drawn like the live stream"


def style_of(node: Locator, name: str) -> str:
    value: str = node.evaluate("(node, name) => getComputedStyle(node)[name]", name)
    return value


def test_r_pol_2_danger_is_an_alert_with_the_words_to_turn_to_the_dispatch(watched: Watched) -> None:
    page = watched.page
    send(page, DANGER)

    notice = page.locator("article.bot").get_by_role("alert")
    expect(notice.get_by_role("heading")).to_have_text("已转人工处理")
    expect(notice).to_contain_text("请立即向矿调度室报告")
    assert notice.get_attribute("data-code") == "safety_incident"
    expect(page.get_by_role("status")).to_have_text("已转人工处理")
    assert page.locator("article.bot > *").count() == 1, "said once"
    assert_redrawn_the_same(page)


def test_r_pol_2_the_english_page_says_it_in_english(watched: Watched) -> None:
    page = watched.page
    page.get_by_role("button", name="English").click()
    page.wait_for_selector("body[data-ready]")

    send(page, "There is a fire at 11302 and two miners are trapped", label="Message", button="Send")

    notice = page.locator("article.bot").get_by_role("alert")
    expect(notice.get_by_role("heading")).to_have_text("Handed to a person")
    expect(notice).to_contain_text("dispatch room")
    assert not re.search("[\u4e00-\u9fff]", page.locator("article.bot").inner_text())


def test_r_grd_3_a_blocked_claim_is_marked_where_the_correction_stands(watched: Watched) -> None:
    page = watched.page
    send(page, "提交复测计划")

    mark = page.locator("mark.blocked")
    expect(mark).to_have_count(1)
    expect(mark).to_contain_text(re.compile(r"^【更正】.*。$"))
    assert style_of(mark, "borderLeftStyle") == "solid", "not by colour alone"
    bot = page.locator("article.bot")
    expect(bot.locator(".guard-note")).to_have_text("系统核对：1 处说法没有记录支持，已更正。")
    expect(bot.locator("strong")).to_have_text("别的")
    expect(bot.locator(".handover h3")).to_have_text("已转人工处理")
    assert "P-7" not in bot.inner_text()
    expect(page.get_by_role("status")).to_have_text("已转人工处理 · 系统核对：1 处说法没有记录支持，已更正。")
    assert bot.get_by_role("alert").count() == 0, "an alert is for danger"
    assert_redrawn_the_same(page)


def test_r_grd_3_a_claim_that_was_shown_is_replaced_and_the_replacement_is_marked(watched: Watched) -> None:
    page = watched.page
    send(page, "提交复测计划，慢慢说")

    bot = page.locator("article.bot")
    expect(bot.locator("mark.blocked").first).to_contain_text("【更正】")
    assert "P-7" not in bot.inner_text()
    expect(bot.locator("li").first).to_have_text("先看记录。")
    assert_redrawn_the_same(page)


def test_r_pol_3_a_run_at_its_limit_says_so_and_keeps_its_results(watched: Watched) -> None:
    page = watched.page
    send(page, "一直算")

    bot = page.locator("article.bot")
    expect(bot.locator(".problem")).to_contain_text("达到上限")
    expect(bot.locator(".ending")).to_have_text("已达到本轮上限")
    expect(page.get_by_role("status")).to_have_text("已达到本轮上限")
    states = bot.locator(".tool").evaluate_all("nodes => nodes.map(node => node.dataset.status)")
    assert len(states) == MODEL_CALLS
    assert "running" not in states
    assert_redrawn_the_same(page)


def test_r_grd_2_a_number_that_no_tool_bears_out_is_marked_where_it_stands(watched: Watched) -> None:
    page = watched.page
    send(page, "总进风是多少")

    bot = page.locator("article.bot")
    expect(bot.locator("p:has(mark)")).to_have_text("矿井总进风量为 36181 m³/min。（未核验） 上月多 77无依据 次。")
    expect(bot.locator("td").last).to_have_text("36181 m³/min（未核验）")
    expect(bot.locator("mark.unverified")).to_have_text(["36181", "36181"])
    expect(bot.locator("mark.annotated")).to_have_text(["77"])
    expect(bot.locator(".guard-note")).to_have_text(NOTE)
    expect(page.get_by_role("status")).to_have_text(f"已完成 · {NOTE}")
    assert_redrawn_the_same(page)


NOTE = "系统核对：2 处数字未核验。 系统核对：1 处数字没有找到依据。"
NUMBERS = (
    "**需风量 1221** m³/min，\U0001f4a7 见[第 17 页](/docs?n=9228)：\n\n| 地点 | 需风量 |\n|---|---|\n| 22207 | 777 |"
)


def drawn(page: Page, *frames: dict[str, Any]) -> Locator:
    """A turn drawn from frames as the server writes them."""
    page.evaluate(
        """async frames => {
            const { Turn } = await import("/static/js/turn.js");
            const turn = new Turn({});
            document.getElementById("thread").append(turn.node);
            frames.forEach((frame, at) => turn.take({ seq: at + 1, ...frame }));
        }""",
        list(frames),
    )
    return page.locator("article.bot")


def guard(verdict: str, *words: str) -> dict[str, Any]:
    spans = [{"start": NUMBERS.index(one), "end": NUMBERS.index(one) + len(one), "reason": "x"} for one in words]
    return {"type": "guard", "guard": "response", "verdict": verdict, "code": "x", "message_id": "m", "spans": spans}


@pytest.mark.parametrize("is_live", [True, False], ids=["live", "history"])
def test_r_grd_4_a_number_without_a_source_carries_a_word_wherever_it_stands(watched: Watched, is_live: bool) -> None:
    tokens = [{"type": "token", "message_id": "m", "content": char} for char in NUMBERS] if is_live else []
    message = {"type": "message", "message_id": "m", "content": NUMBERS}
    guards = [guard("unverified", "777", "1221"), guard("annotated", "9228", "17")]
    done = {"type": "done", "status": "succeeded", "final": True}

    bot = drawn(watched.page, *([*tokens, *guards, message] if is_live else [message, *guards]), done)

    assert bot.locator("mark.unverified").all_text_contents() == ["1221", "777"]
    assert bot.locator("strong").inner_text() == "需风量 1221"
    assert bot.locator("td").all_inner_texts() == ["22207", "777"]
    assert "underline" in style_of(bot.locator("strong mark"), "textDecorationLine"), "not by colour alone"
    assert bot.locator("mark.annotated").all_text_contents() == ["17"]
    assert bot.locator("a").inner_text() == "第 17无依据 页", "not by colour alone"
    assert bot.locator("a").get_attribute("href") == "/docs?n=9228"
    expect(bot.locator(".guard-note")).to_have_text("系统核对：2 处数字未核验。 系统核对：2 处数字没有找到依据。")
    assert not re.search("[\ufdd0-\ufdd4]", bot.inner_text())


def test_signs_of_the_marks_in_a_model_s_text_are_no_marks(watched: Watched) -> None:
    content = "\ufdd0甲\ufdd4乙 8"
    mark = {"type": "guard", "guard": "response", "verdict": "unverified", "code": "x", "message_id": "m"}

    bot = drawn(
        watched.page,
        {"type": "message", "message_id": "m", "content": content},
        {**mark, "spans": [{"start": 5, "end": 6, "reason": "x"}, {"start": 5, "end": 900, "reason": "x"}]},
        {"type": "done", "status": "succeeded", "final": True},
    )

    assert bot.locator("mark").all_text_contents() == ["8"]
    assert bot.locator(".chunk").inner_text() == "\ufffd甲\ufffd乙 8"
