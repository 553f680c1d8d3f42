"""Real Chromium for the tests of pages: watched, so that no error and no request to elsewhere goes unseen."""

import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = Path("/usr/bin/chromium")
MISSING = (
    "needs Playwright: pip install 'arena-referee[web-test]'"
    if importlib.util.find_spec("playwright") is None
    else f"needs Chromium at {CHROMIUM}"
    if not CHROMIUM.exists()
    else ""
)
needs_chromium = pytest.mark.skipif(bool(MISSING), reason=MISSING or "there")


@contextmanager
def chromium() -> Iterator[Any]:
    """A browser, headless."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM))
        yield browser
        browser.close()


class Watched:
    """A page of its own, with everything that went wrong in it."""

    def __init__(self, browser: Any, *, scheme: str = "light", width: int = 1280, height: int = 900) -> None:
        self.context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
        self.page = self.context.new_page()
        self.page.set_default_timeout(20_000)
        self.errors: list[str] = []
        self.requests: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda line: line.type in ("error", "warning") and self.errors.append(line.text))
        self.page.on("request", lambda request: self.requests.append(request.url))

    def open(self, url: str) -> Any:
        """The page at `url`, once its script has set it up."""
        self.page.goto(url)
        self.page.evaluate("globalThis.arenaReady instanceof Promise")
        return self.page

    def elsewhere(self, *own: str) -> list[str]:
        """Requests to anything but addresses that begin so."""
        return [url for url in self.requests if not url.startswith((*own, "data:"))]

    def close(self) -> None:
        self.context.close()
