"""docs/extensions.md: its blocks are the desk's own code, and every file it names is there."""

from __future__ import annotations

import re

import pytest

from config import PROJECT_ROOT

PAGE = (PROJECT_ROOT / "docs" / "extensions.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```\w+\n# (\S+)\n(.*?)```", PAGE, re.DOTALL)


def test_the_page_shows_every_kind_of_file() -> None:
    assert len(BLOCKS) >= 5
    assert PAGE.count("```") == 2 * len(BLOCKS), "every block says where it stands"


@pytest.mark.parametrize(("file", "block"), BLOCKS, ids=[file for file, _ in BLOCKS])
def test_a_block_of_the_page_stands_in_its_file(file: str, block: str) -> None:
    assert block.strip("\n") in (PROJECT_ROOT / file).read_text(encoding="utf-8")


def test_every_path_the_page_names_exists() -> None:
    named = re.findall(r"`((?:extensions|agents|skills|tests|evals|docs|scripts)/[\w./-]+)", PAGE)

    assert named
    assert [path for path in named if not (PROJECT_ROOT / path).exists()] == []
    assert [
        name
        for name in re.findall(r"`(\w+\.py)`", PAGE)
        if not (PROJECT_ROOT / "extensions/ticket_desk" / name).is_file()
    ] == []
