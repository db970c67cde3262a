"""Updated traces compared with a fit of all games, in any order, by function and by command."""

from dataclasses import replace

import numpy as np
import pytest
from monte_carlo import LIMIT

from halfpoint.apps import workflows
from halfpoint.models.games.errors import GameTableError

GAMES, PLAYERS = 1200, 12


@pytest.fixture(scope="module")
def table():
    return workflows.simulate(games=GAMES, players=PLAYERS, seed=4)[0]


@pytest.fixture(scope="module")
def before(table):
    """Trace of the first 800 games."""
    return workflows.rate(table.take(np.arange(800)), model="davidson-population", method="normal").trace


def apart(one, other):
    """Largest distance of means and standard deviations of ratings, in their Monte Carlo errors."""
    x, y = (tree["posterior"]["rating_elo"].transpose("chain", "draw", "player") for tree in (one, other))
    x, y = (value.to_numpy().reshape(-1, value.shape[-1]) for value in (x, y))
    n = [1.0 / tree.attrs["effective_draws"] for tree in (one, other)]
    sd = y.std(axis=0)
    mean = np.abs(x.mean(axis=0) - y.mean(axis=0)) / (sd * np.sqrt(sum(n)))
    return max(mean.max(), (np.abs(x.std(axis=0) / sd - 1.0) / np.sqrt(sum(n) / 2.0)).max())


@pytest.mark.cases(1)
@pytest.mark.draws
@pytest.mark.parametrize(("count", "anew"), [(1, False), (20, False), (400, True)])
def test_an_update_is_the_fit_of_all_games(table, before, count, anew):
    after = workflows.update(before, table.take(np.arange(800, 800 + count)))
    assert after.attrs["updated"].startswith("fitted" if anew else "draws reweighted")
    assert after.attrs["games"] == 800 + count == after["observed_data"].sizes["game"]
    whole = table.take(np.arange(800 + count))
    assert apart(after, workflows.rate(whole, model="davidson-population", method="normal", seed=9).trace) < LIMIT


@pytest.mark.draws
@pytest.mark.parametrize("count", [1, 60])
def test_updates_of_an_index_know_the_shots_of_earlier_games(count):
    """Shots measure strengths with less noise than goals, which alone have another width."""
    table, _ = workflows.simulate(games=260, players=8, seed=6)
    rng = np.random.default_rng(6)
    leads = 2.0 * table.score - 1.0
    counts = {"white_goals": leads + 2.0, "black_goals": np.full(leads.size, 2.0), "margin": leads}
    for column, noise in (("shots_on_target", 1.0), ("shots", 2.0)):
        counts |= {f"white_{column}": 12.0 + leads + noise * rng.standard_normal(leads.size)}
        counts |= {f"black_{column}": np.full(leads.size, 12.0)}
    table = replace(table, covariates={**table.covariates, **counts})
    earlier, whole = (
        workflows.rate(table.take(np.arange(last)), model="shots-matched", method="normal", seed=seed).trace
        for last, seed in ((200, 1), (200 + count, 9))
    )
    after = workflows.update(earlier, table.take(np.arange(200, 200 + count)))
    assert apart(after, whole) < LIMIT


@pytest.mark.draws
def test_one_by_one_and_in_the_other_order(table, before):
    found = []
    for games in (range(800, 815), range(814, 799, -1)):
        tree = before
        for game in games:
            tree = workflows.update(tree, table.take(np.array([game])))
        found.append(tree)
    assert apart(*found) < LIMIT
    assert all(tree.attrs["games"] == 815 for tree in found)


def test_a_new_player_enters_and_is_listed(table, before):
    names = np.append(table.players, "Zeno")
    one = replace(table, players=names, white=np.where(np.arange(GAMES) < 3, PLAYERS, table.white).astype(np.int32))
    after = workflows.update(before, one.take(np.arange(3)))
    assert after.attrs["updated"].startswith("fitted again to all games, since 1 new player")
    assert "Zeno" in after["posterior"]["player"].to_numpy()


def test_what_cannot_go_on_is_one_line(table, before):
    strange = before.copy()
    strange.attrs = before.attrs | {"weighting": "recency"}
    with pytest.raises(GameTableError, match=r"--from: expected a trace with its games and equal weights"):
        workflows.update(strange, table.take(np.arange(2)))
    with pytest.raises(GameTableError, match=r"--from: expected the model of the trace"):
        workflows.rate(table.take(np.arange(2)), model="bt", earlier=before)
