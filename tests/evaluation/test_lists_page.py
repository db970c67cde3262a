"""The page of lists with intervals, as bridge has it: places on the axis, digits, who is known only with others."""

import numpy as np
import pandas as pd
import pytest
from browser import opened

from halfpoint.evaluation.report.lists import ListsPage, forest_list, lists_page, ticks_of
from halfpoint.fields.bridge.page import bridge_page

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


@pytest.mark.parametrize(("low", "high"), [(-1.5, 2.3), (0.0, 0.0), (-0.02, 0.5), (3.0, 900.0), (-7.1, -2.0)])
def test_the_axis_has_round_numbers_around_everything(low, high):
    ticks = np.array(ticks_of(low, high))
    assert ticks[0] <= low
    assert ticks[-1] >= high
    assert 2 <= ticks.size <= 8
    np.testing.assert_allclose(np.diff(ticks), ticks[1] - ticks[0])


def test_rows_lie_where_their_numbers_are():
    made = forest_list("players", "Players", "", PLAYERS, "imps", "IMPs a board")
    ends = [float(label.replace("−", "-")) for label, _ in made.ticks]
    length = ends[-1] - ends[0]
    for row, (_, table) in zip(made.rows, PLAYERS.iterrows(), strict=True):
        assert ends[0] + row.dot / 100 * length == pytest.approx(table["imps"], abs=0.01)
        assert ends[0] + row.left / 100 * length == pytest.approx(table["low"], abs=0.01)
        assert row.width / 100 * length == pytest.approx(table["high"] - table["low"], abs=0.01)
    assert [row.mean for row in made.rows] == ["0.6", "0.1", "−0.7"]
    assert [row.told for row in made.rows] == ["", "only together", "only among their own kind"]
    empty = forest_list("players", "Players", "", PLAYERS.head(0), "imps", "IMPs a board")
    assert empty.rows == ()


def test_the_page_says_the_answer_first_and_a_failed_run_in_red():
    page = bridge_page(PLAYERS, PAIRS, PAIRS, ABOUT, 286)
    assert "<b>Ann</b>" not in page
    assert page.index("adds most to a board: 0.6 IMPs (−0.0 to 1.3)".replace("−0.0", "0.0")) < page.index("<table")
    assert "1 other may be as good" in page
    assert "286 of 4 players" in page
    failed = bridge_page(PLAYERS, PAIRS, PAIRS, ABOUT | {"converged": False, "verdict": "NOT CONVERGED: R-hat"}, 286)
    assert 'class="warning">The sampler did NOT converge' in failed
    assert "Nobody has results enough" in bridge_page(PLAYERS.head(0), PAIRS.head(0), PAIRS.head(0), ABOUT, 3)


@pytest.mark.browser
@pytest.mark.parametrize(("width", "scheme"), [(390, "light"), (390, "dark"), (1280, "light"), (1280, "dark")])
def test_nothing_is_cut_and_columns_sort_and_filter(tmp_path, width, scheme):
    path = tmp_path / "page.html"
    path.write_text(bridge_page(PLAYERS, PAIRS, PAIRS, ABOUT, 286), encoding="utf-8")
    with opened(path, tmp_path / "profile", width, scheme) as (page, complaints):
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.click("#players thead button >> text=Results")
        names = page.eval_on_selector_all("#players tbody tr", "rows => rows.map(row => row.cells[5].textContent)")
        assert names == ["140", "144", "288"]
        page.fill("#pairs-filter", "cy")
        assert page.inner_text("[data-counts=pairs-table]") == "1 rows"
        assert complaints == []


def test_a_page_of_anything_with_intervals():
    made = ListsPage("T", "A", "V", True, True, {}, [forest_list("x", "X", "", PAIRS, "imps", "u")], "95% interval")
    assert "SIMULATED" in lists_page(made)
