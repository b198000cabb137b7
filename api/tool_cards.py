"""What a tool card on the page is called and where it belongs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from tools.registry import ToolDescriptor

# The framework's own tools have no descriptor; their effects stay inside the session's workspace.
_FRAMEWORK_TITLES: Final[Mapping[str, str]] = {
    "ls": "列出文件",
    "read_file": "读取文件",
    "write_file": "写入文件",
    "edit_file": "修改文件",
    "delete": "删除文件",
    "glob": "查找文件",
    "grep": "搜索内容",
    "write_todos": "更新计划",
    "task": "委派子任务",
}
_FRAMEWORK_CATEGORY: Final = "workspace"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCard:
    """Title and category of a tool, as a person reads them."""

    title: str
    category: str


class ToolCards:
    """Looks up cards by tool name; a name nobody registered is shown as it is."""

    def __init__(self, descriptors: Iterable[ToolDescriptor]) -> None:
        self._cards = {
            name: ToolCard(title=title, category=_FRAMEWORK_CATEGORY) for name, title in _FRAMEWORK_TITLES.items()
        }
        self._cards |= {d.name: ToolCard(title=d.title, category=d.category) for d in descriptors}

    def card(self, name: str) -> ToolCard:
        """The card of a tool."""
        return self._cards.get(name) or ToolCard(title=name, category="other")
