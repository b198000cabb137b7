"""A real Chromium, a page that reports every error and every foreign request, and the project's static files."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import Browser, Page, Route, sync_playwright
from typing_extensions import override

from config import PROJECT_ROOT

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


# Not for the whole session: the driver keeps an event loop running in this thread, and no test of a coroutine could follow.
@pytest.fixture(scope="package")
def browser(chromium_path: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        instance = playwright.chromium.launch(executable_path=chromium_path, args=FLAGS)
        yield instance
        instance.close()


@dataclass(slots=True)
class Watched:
    """A page with what went wrong on it."""

    page: Page
    errors: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)

    def watch(self, base: str) -> None:
        """Collect page errors, console errors and requests that leave `base`."""
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda message: self.errors.append(message.text) if message.type == "error" else None)
        self.page.on(
            "request",
            lambda request: (
                None if request.url.startswith((base, "blob:", "data:")) else self.foreign.append(request.url)
            ),
        )


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(locale="zh-CN", viewport={"width": 1366, "height": 768}, accept_downloads=True)
    context.set_default_timeout(30_000)
    yield context.new_page()
    context.close()


def hold(page: Page, address: str) -> list[Route]:
    """Keep the requests to an address waiting; the list fills with them."""
    held: list[Route] = []

    def keep(route: Route) -> None:
        held.append(route)

    page.route(address, keep)
    return held


class _Quiet(SimpleHTTPRequestHandler):
    @override
    def log_message(self, format: str, *args: object) -> None:
        return


@pytest.fixture(scope="session")
def static_address() -> Iterator[str]:
    """The project's folder over HTTP, for tests of single modules."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(PROJECT_ROOT)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()
