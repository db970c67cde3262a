"""Headless Chromium for the tests of pages."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.resources import files
from pathlib import Path

import pytest
from playwright.sync_api import Page, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
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


@cache
def executable() -> str | None:
    """Path of a browser: the system's, else Playwright's; None if there is none."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is not None:
        return found
    with sync_playwright() as play:
        own = play.chromium.executable_path
    return own if own and os.access(own, os.X_OK) else None


def needed() -> str:
    """Path of the browser; the test fails without one."""
    found = executable()
    if found is None:
        pytest.fail("no browser on this machine: .ci/browser gets one")
    return found


@cache
def axe() -> str:
    """Source of axe-core, which checks the accessibility of a page."""
    return files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")


def faults_of_access(page: Page) -> list[str]:
    """List serious and critical violations of axe-core on an open page, and every repeated id."""
    page.evaluate(axe())
    found = page.evaluate("axe.run()")["violations"]
    serious = [one for one in found if one["impact"] in ("serious", "critical")]
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map((one) => one.id)")
    twice = sorted({one for one in ids if ids.count(one) > 1})
    return [f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in serious] + twice


@contextmanager
def opened(path: Path, profile: Path, width: int = 1280, scheme: str = "light") -> Iterator[tuple[Page, list[str]]]:
    """Open a page from a file; yield it with the list of console messages."""
    chromium = needed()
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
