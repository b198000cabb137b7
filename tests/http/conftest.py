"""One real server for each way of running, shared by the tests of this folder; every test is a user of its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from uuid import uuid4

import pytest

from tests.support.model_server import bench_model
from tests.support.server import RunningServer, live_settings, running_server


@pytest.fixture(scope="session")
def offline_process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with running_server(tmp_path_factory.mktemp("offline"), tfagents_max_upload_mb=2) as server:
        yield server


@pytest.fixture(scope="session")
def bench_url() -> Iterator[str]:
    """Address of the scripted model server."""
    with bench_model() as base_url:
        yield base_url


@pytest.fixture(scope="session")
def live_process(tmp_path_factory: pytest.TempPathFactory, bench_url: str) -> Iterator[RunningServer]:
    with running_server(tmp_path_factory.mktemp("live"), **live_settings(bench_url)) as server:
        yield server


@pytest.fixture
def offline(offline_process: RunningServer) -> Iterator[RunningServer]:
    """A server without a model key, asked by a user nobody else is."""
    yield from _as_new_user(offline_process)


@pytest.fixture
def live(live_process: RunningServer) -> Iterator[RunningServer]:
    """A server with a scripted model, asked by a user nobody else is."""
    yield from _as_new_user(live_process)


def _as_new_user(server: RunningServer) -> Iterator[RunningServer]:
    mine = replace(server, user=f"user-{uuid4().hex[:8]}", _client=None)
    yield mine
    mine.client.close()
