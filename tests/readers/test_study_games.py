"""The study's files: counts of its tables, and figures that only the right games reproduce."""

import numpy as np
import pytest

from halfpoint.models.games.select import select
from halfpoint.models.games.weights import weights
from halfpoint.readers.datasets.study import COVARIATES, games_2013, monitored_names, set_a, set_b, training_file

pytestmark = pytest.mark.real


def counts(games):
    """Wins, draws and losses for White."""
    return np.bincount(games.outcome, minlength=3)[::-1].tolist()


def test_training_counts_and_weights():
    games = training_file()
    assert len(games) == 28_042
    selection = select(games, monitored_names())
    assert (len(selection), counts(selection.games)) == (6807, [1964, 3658, 1185])
    assert len(select(games, monitored_names(), "both")) == 1842
    time = selection.games.time
    assert (time.min(), time.max()) == (1, 35)
    assert weights("computed", time).sum() == pytest.approx(12109.1, abs=0.05)  # half the printed 16786.8 / ln 2
    assert weights("recency", time).sum() == pytest.approx(11955.0, abs=0.05)


def test_test_sets():
    assert len(games_2013()) == 2201
    a, b = set_a(), set_b()
    assert (len(a), counts(a), a.players.size) == (411, [114, 235, 62], 36)
    assert (len(b), counts(b), b.players.size) == (732, [234, 344, 154], 87)
    assert [int((games.event == "EventWRBC2013").sum()) for games in (a, b)] == [46, 314]
    assert b.date.max() == np.datetime64("2013-10-04")


@pytest.mark.parametrize(("games", "printed"), [(set_a, 570.46), (set_b, 995.18)])
def test_the_december_2012_list_gives_the_printed_elo_reference(games, printed):
    games = games()
    white, black = (games.covariates[name] for name in COVARIATES)
    win = 1.0 / (1.0 + 10.0 ** ((black - white) / 400.0))
    found = -2.0 * (games.score * np.log(win) + (1.0 - games.score) * np.log1p(-win)).sum()
    assert found == pytest.approx(printed, abs=0.005)


def test_ratings_on_the_day_give_the_printed_training_reference():
    games = select(training_file(), monitored_names()).games
    win = 1.0 / (1.0 + 10.0 ** ((games.black_rating_elo - games.white_rating_elo) / 400.0))
    found = -2.0 * (games.score * np.log(win) + (1.0 - games.score) * np.log1p(-win)).sum()
    assert found == pytest.approx(8947.48, abs=0.01)
