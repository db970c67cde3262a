"""Headline numbers of the documents: each is on its page and reproduced by its command."""

import os
import re
from pathlib import Path

import headlines
import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
ALL = headlines.HEADLINES
needs_games = pytest.mark.skipif("HALFPOINT_DATA_DIR" not in os.environ, reason="HALFPOINT_DATA_DIR names no folder")


@pytest.mark.parametrize("one", ALL, ids=lambda one: one.name)
def test_a_headline_stands_on_its_page(one):
    page = (ROOT / one.page).read_text(encoding="utf-8")
    assert re.search(rf"(?<![\d.]){one.printed:.4f}(?!\d)", page)
    assert (ROOT / one.command.split()[1]).is_file()


@pytest.mark.slow
@needs_games
@pytest.mark.parametrize("one", ALL, ids=lambda one: one.name)
def test_a_headline_is_what_its_command_gives(one):
    value, _ = one.now()
    assert value == pytest.approx(one.printed, abs=one.within)
