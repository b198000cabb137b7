"""The page's Markdown: multiplication signs survive, nothing dangerous is built, growing text ends like whole text."""

from __future__ import annotations

import random

import pytest
from playwright.sync_api import Page

pytestmark = pytest.mark.browser

RENDER = """async ([text, cuts]) => {
  const { MarkdownStream } = await import("/static/js/md.js");
  const node = document.createElement("div");
  const stream = new MarkdownStream(node);
  let from = 0;
  for (const cut of [...cuts, text.length]) { stream.tail += text.slice(from, cut); stream.flush(); from = cut; }
  return node.innerHTML;
}"""

SAMPLES = {
    "Q=60*11.3*1.0*1.2": '<div class="chunk"><p>Q=60*11.3*1.0*1.2</p></div>',
    "**注意：**请检查风量": '<div class="chunk"><p><strong>注意：</strong>请检查风量</p></div>',
    "**“示例矿”**的计划": '<div class="chunk"><p><strong>“示例矿”</strong>的计划</p></div>',
    "这是 *强调* 的": '<div class="chunk"><p>这是 <em>强调</em> 的</p></div>',
    "a_b_c 和 `60*1` ": '<div class="chunk"><p>a_b_c 和 <code>60*1</code> </p></div>',
    "## 结论\n正文": '<div class="chunk"><h4>结论</h4><p>正文</p></div>',
    "- 一\n- 二\n  - 三": '<div class="chunk"><ul><li>一</li><li>二<ul><li>三</li></ul></li></ul></div>',
    "3. 丙\n4. 丁": '<div class="chunk"><ol start="3"><li>丙</li><li>丁</li></ol></div>',
    "|地点|需风量|\n|---|---|\n|甲|1221|": (
        '<div class="chunk"><table><thead><tr><th>地点</th><th>需风量</th></tr></thead>'
        "<tbody><tr><td>甲</td><td>1221</td></tr></tbody></table></div>"
    ),
    "```\n60*11\n\n**x**\n```": '<div class="chunk"><pre><code>60*11\n\n**x**</code></pre></div>',
    "<img src=x onerror=alert(1)>": '<div class="chunk"><p>&lt;img src=x onerror=alert(1)&gt;</p></div>',
    "[点](/\\evil.example)": '<div class="chunk"><p>[点](/\\evil.example)</p></div>',
    "[点](javascript:alert(1))": '<div class="chunk"><p>[点](javascript:alert(1))</p></div>',
    "![图](x.png)": '<div class="chunk"><p>![图](x.png)</p></div>',
}


def render(page: Page, text: str, cuts: list[int] | None = None) -> str:
    html: str = page.evaluate(RENDER, [text, cuts or []])
    return html


@pytest.mark.parametrize(("source", "expected"), SAMPLES.items())
def test_samples(page: Page, static_address: str, source: str, expected: str) -> None:
    page.goto(f"{static_address}/README.md")
    if source == "![图](x.png)":
        assert "<img" not in render(page, source)
        return

    assert render(page, source) == expected


def test_a_growing_text_ends_like_the_whole_text(page: Page, static_address: str) -> None:
    page.goto(f"{static_address}/README.md")
    seed = 20261130
    chooser = random.Random(seed)
    pieces = [
        *SAMPLES,
        "普通一行",
        "",
        "  ",
        "> 引用\n> 二行",
        "---",
        "~~~\ncode\n~~~",
        "* 项\n* 项",
        "第一行\n```py\nx = 1\n```\n后文",
        "1) a\n\n2) b",
    ]

    for _ in range(150):
        text = "\n".join(chooser.choice(pieces) + chooser.choice(["", "\n"]) for _ in range(chooser.randint(1, 7)))
        cuts = sorted(chooser.sample(range(len(text) + 1), k=min(len(text), chooser.randint(1, 6))))
        assert render(page, text, cuts) == render(page, text), (seed, text, cuts)
