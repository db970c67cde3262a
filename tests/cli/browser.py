"""A headless Chromium for the tests of pages."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Page, sync_playwright

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@contextmanager
def opened(path: Path, profile: Path, width: int = 1280, scheme: str = "light") -> Iterator[tuple[Page, list[str]]]:
    """Open a page from a file; give it and the list of what the console complained about."""
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.fail("no chromium on this machine: apt-get install chromium")
    with sync_playwright() as play:
        context = play.chromium.launch_persistent_context(
            str(profile),
            executable_path=chromium,
            args=list(FLAGS),
            viewport={"width": width, "height": 900},
            color_scheme="dark" if scheme == "dark" else "light",
            offline=True,
        )
        page = context.new_page()
        complaints: list[str] = []
        page.on("console", lambda note: complaints.append(note.text) if note.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: complaints.append(request.url) if request.url.startswith("http") else None)
        page.goto(path.resolve().as_uri())
        yield page, complaints
        context.close()
