"""docs/tools.md: its example is a tool that works as the page says."""

from __future__ import annotations

import re
from pathlib import Path

from tests.support.governed import SOMEBODY, governed_registry
from tools.registry import for_feature

PAGE = Path(__file__).resolve().parents[3] / "docs" / "tools.md"


async def test_the_example_of_the_page_registers_answers_and_refuses(tmp_path: Path) -> None:
    code = re.search(r"```python\n# extensions/my_mine/tools.py\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert code is not None
    names: dict[str, object] = {"__name__": "example"}
    exec(compile(code[1], str(tmp_path / "tools.py"), "exec"), names)  # noqa: S102 - the page's own code
    registry = governed_registry()
    registry.add_feature(for_feature("my_mine", domain="mine", tools=[names["mine_level_find"]]))  # type: ignore[list-item]

    found = await registry.invoke("mine_level_find", {"name": "一水平"}, context=SOMEBODY)
    unknown = await registry.invoke("mine_level_find", {"name": "九水平"}, context=SOMEBODY)
    registry.close()

    assert found.payload["data"] == {"name": "一水平", "elevation_m": -650}
    assert (unknown.payload["error"], unknown.payload["code"]) == ("没有名为“九水平”的水平", "no_level")
