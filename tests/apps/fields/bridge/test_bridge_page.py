"""Page of bridge players, pairs and partnerships: the answer, and inseparable players."""

import pandas as pd
import pytest
from browser import faults_of_access, opened

from halfpoint.apps.fields.bridge.page import bridge_page as page_of_bridge
from halfpoint.apps.fields.bridge.page import strongest_in_words
from halfpoint.apps.pages.page import page_html

PLAYERS = pd.DataFrame({
    "rank": [1, 2, 3], "player": ["<b>Ann</b>", "Cy + Di", "Bo"], "imps": [0.61, 0.13, -0.74], "sd": [0.4, 0.5, 0.4],
    "low": [-0.04, -0.62, -1.52], "high": [1.32, 0.94, -0.13], "results": [144, 288, 140],
    "told": ["yes", "only together", "only among their own kind"],
})  # fmt: skip
PAIRS = pd.DataFrame({
    "rank": [1, 2], "pair": ["<b>Ann</b> + Bo", "Cy + Di"], "imps": [0.4, -0.1], "sd": [0.5, 0.4],
    "low": [-0.5, -0.9], "high": [1.4, 0.6], "results": [140, 288],
})  # fmt: skip
ABOUT = {
    "data": "club.csv", "simulated": False, "converged": True, "verdict": "converged", "model": "bridge-ability",
    "spreads": {"player_imps": 0.62, "partnership_imps": 0.31, "result_imps": 4.6},
    "not_told": ["never apart: Cy + Di"], "note": "As told.",
}  # fmt: skip


def bridge_page(*shown):
    """Page as HTML."""
    players, pairs, _, about, _ = shown
    answer = {"answer": strongest_in_words(players, pairs)}
    return page_html(page_of_bridge(*shown[:3], about | answer, shown[4]))


def test_the_page_says_the_answer_first_and_a_failed_run_in_red():
    page = bridge_page(PLAYERS, PAIRS, PAIRS, ABOUT, 286)
    assert "<b>Ann</b>" not in page
    assert page.index(
        "is estimated to add most to a board: 0.6 IMPs (−0.0 to 1.3)".replace("−0.0", "0.0")
    ) < page.index('class="list"')
    assert "1 other player may be as good" in page
    assert "286 of 4 players, 2 pairs" in page
    failed = bridge_page(PLAYERS, PAIRS, PAIRS, ABOUT | {"converged": False, "verdict": "NOT CONVERGED: R-hat"}, 286)
    assert 'class="warning" role="alert">The sampler did NOT converge' in failed
    assert "No player has enough results" in bridge_page(PLAYERS.head(0), PAIRS.head(0), PAIRS.head(0), ABOUT, 3)


@pytest.mark.further
@pytest.mark.browser
@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (1280, "light")])
def test_nothing_is_cut_and_columns_sort_and_filter(tmp_path, width, scheme):
    path = tmp_path / "page.html"
    path.write_text(bridge_page(PLAYERS, PAIRS, PAIRS, ABOUT, 286), encoding="utf-8")
    with opened(path, tmp_path / "profile", width, scheme) as (page, complaints):
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        names = "#players-list tbody th button"
        assert page.locator(names).all_inner_texts() == PLAYERS["player"].tolist()
        page.click("#players-list thead button >> text=Player")
        assert page.locator(names).all_inner_texts() == sorted(PLAYERS["player"])
        page.click("#players-list button >> text=Cy + Di")
        assert "only together" in page.inner_text("tr.panel")
        assert faults_of_access(page) == []
        assert complaints == []
