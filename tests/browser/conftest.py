"""A site and a browser for the tests of the pages: Playwright drives the Chromium of the system."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

CHROMIUM = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None
)
STATIC = Path(__file__).parents[2] / "src" / "woodstock" / "web" / "static"
PATIENCE_MS = 20_000


class Server:
    """`woodstock web` as a process of its own; it can be killed and started again on the same port and file."""

    def __init__(self, *options: str) -> None:
        self._options = options
        self.port = 0
        self.start()

    def start(self) -> None:
        """Start it; returns when it has said where it is."""
        start = "from woodstock.cli import main; main()"
        options = ["web", "--no-browser", "--port", str(self.port), *self._options]
        command = [sys.executable, "-c", start, *options]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        assert self.process.stdout is not None
        for line in self.process.stdout:
            found = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
            if found:
                self.port = int(found[1])
                return
        code = self.process.wait()
        self.process.stdout.close()
        raise AssertionError(f"the site did not start: exit code {code}")

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def kill(self) -> None:
        """End it without a warning."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()


@pytest.fixture(scope="session", autouse=True)
def _needs() -> None:
    pytest.importorskip("starlette", reason="the pages need woodstock[web]")
    pytest.importorskip("playwright", reason="the tests of the pages need playwright")
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine: apt-get install chromium")
    if not (STATIC / "site.js").is_file():
        pytest.skip("the pages are not built: make build")


# Not for the whole session: while Playwright runs, its event loop runs in this thread, and tests elsewhere need theirs.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        options = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=options)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    found = Server("--memory")
    yield found
    found.close()


@pytest.fixture
def start_server() -> Iterator[Callable[..., Server]]:
    """Start a site with options of its own; it ends with the test."""
    made: list[Server] = []

    def start(*options: str) -> Server:
        made.append(Server(*options))
        return made[-1]

    yield start
    for one in made:
        one.close()


@pytest.fixture
def new_context(browser: Browser, server: Server) -> Iterator[Callable[..., BrowserContext]]:
    """Make a browser of its own, with its own cookies; errors on its pages fail the test."""
    made: list[BrowserContext] = []
    problems: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        # A server that was killed on purpose, and a page that is not there.
        is_expected = "WebSocket" in message.text or message.location["url"].endswith("/nothing")
        if message.type == "error" and not is_expected:
            problems.append(message.text)

    def make(**options: Any) -> BrowserContext:
        given: dict[str, Any] = {"base_url": server.address, "viewport": {"width": 1200, "height": 860}, **options}
        context = browser.new_context(**given)
        context.set_default_timeout(PATIENCE_MS)
        context.on("weberror", lambda error: problems.append(str(error.error)))
        context.on("console", hear)
        made.append(context)
        return context

    yield make
    for context in made:
        context.close()
    assert problems == []


@pytest.fixture
def page(new_context: Callable[..., BrowserContext]) -> Page:
    """A page of a fresh browser."""
    return new_context().new_page()
