"""A fresh database for each test, on every database the stores promise to work on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.support.databases import KINDS, empty, server_database


@pytest.fixture(scope="session")
def server_urls() -> Iterator[dict[str, str]]:
    """Addresses by kind, filled as tests ask for them; what was made for the session goes with it."""
    with ExitStack() as stack:
        urls = _Urls(stack)
        yield urls


class _Urls(dict[str, str]):
    def __init__(self, stack: ExitStack) -> None:
        super().__init__()
        self._stack = stack

    def __missing__(self, kind: str) -> str:
        self[kind] = self._stack.enter_context(server_database(kind))
        return self[kind]


@pytest.fixture(params=KINDS)
def database_url(request: pytest.FixtureRequest, tmp_path: Path, server_urls: dict[str, str]) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/not/yet/there/app.db"
    url = server_urls[request.param]
    empty(url)
    return url
