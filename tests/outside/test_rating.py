"""The default command on every kind of outside file: its output, and its list compared with the truth."""

import json

import numpy as np
import pytest
import xarray as xr
from outside.judged import judge
from outside.kinds import KINDS, MODEL, outcomes
from scipy import stats

from halfpoint.apps import workflows
from halfpoint.inference.effort_limits import Effort
from halfpoint.inference.reweighted_sampler import ReweightedSampler
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.formulas.davidson import DAVIDSON
from halfpoint.models.games.errors import HalfpointError
from halfpoint.models.games.select import select
from halfpoint.models.games.table import GameTable, code_players

# Minutes on two cores; the others together are to stay below three minutes of processor time.
SLOW = ("league of seasons", "internationals", "tennis", "arena", "swiss", "club with ratings", "without draws")
ODD = ("two groups", "separated", "engine final")  # with tests of their own
USUAL = [pytest.param(kind, marks=[pytest.mark.slow] * (kind in SLOW)) for kind in KINDS if kind not in ODD]


@pytest.fixture
def rate(tmp_path):
    """A function: kind -> exit code, answer, the line of a refusal, truth."""

    def run(kind):
        path, truth = KINDS[kind].make(tmp_path)
        try:
            answer = json.loads(workflows.rate(path, tmp_path / "run").json())
        except HalfpointError as error:
            return 2, None, str(error), truth
        return 0, answer, "", truth

    return run


def check_list(answer, truth):
    found = judge(answer["rows"], truth)
    # Sums of squares over the standard deviations are near chi-square; a prior that pulls in makes them smaller. The
    # errors of a few players go together, since one learned spread pulls them all in: many evenings are judged below.
    limit = stats.chi2.ppf(0.9999, found.players) / found.players
    assert found.players < 20 or found.error_elo**2 < limit * found.expected_elo**2
    assert found.covered >= stats.binom.ppf(0.0005, found.players, 0.95)
    return found


@pytest.mark.cases(2)
@pytest.mark.parametrize("kind", USUAL)
def test_the_default_command_is_green_and_its_list_holds_the_truth(rate, kind):
    code, answer, told, truth = rate(kind)
    assert code == 0, told
    assert answer["converged"] is True, answer["verdict"]
    assert answer["verdict"].startswith("converged")
    assert answer["model"] == MODEL.get(kind, "davidson-matched")
    # One learned spread is behind every interval of the club, which is too small in this file: see
    # `test_the_intervals_of_many_files_hold_the_truth`, where it is one of nine.
    found = judge(answer["rows"], truth) if kind == "club with ratings" else check_list(answer, truth)
    assert found.players >= 0.5 * len(truth.rating_elo)  # those with five games or more
    if truth.rated:
        assert abs(found.level_elo) < 30  # ratings in the file are used: the list stays near them
        assert found.error_elo < 1.6 * found.expected_elo
        assert kind == "club with ratings" or found.worst_elo < 200  # its visitors without ratings may be far off


def test_two_engines_are_as_far_apart_as_their_score_says(rate):
    """100 games at 36 points, 78 of them drawn: Elo means Elo."""
    code, answer, told, truth = rate("engine final")
    assert code == 0, told
    assert answer["converged"] is True, answer["verdict"]
    assert answer["model"] == "davidson-matched"
    check_list(answer, truth)
    first, second = (row["rating_elo"] for row in answer["rows"])
    gap = max(truth.rating_elo.values()) - min(truth.rating_elo.values())
    sd = answer["rows"][0]["sd_elo"] * 2  # the two are mirror images of one another
    assert sd < 25
    assert abs((first - second) - gap) < 3 * sd


def test_two_groups_are_refused_with_the_options_or_rated_apart(rate):
    code, _, told, _ = rate("two groups")
    assert code == 2
    assert "never meet" in told
    assert "--groups" in told


def test_separated_players_are_named_or_the_list_is_green(rate):
    code, answer, told, truth = rate("separated")
    assert code == 0, told
    check_list(answer, truth)
    ranked = [row["player"] for row in answer["rows"]]
    assert (ranked[0], ranked[-1]) == truth.separated
    assert all(np.isfinite(row["rating_elo"]) and abs(row["rating_elo"]) < 10_000 for row in answer["rows"])


@pytest.mark.slow
@pytest.mark.parametrize(("model", "evenings"), [("davidson-population", 30)])
def test_intervals_of_many_evenings_hold_the_truth(model, evenings):
    inside = []
    for seed in range(evenings):
        chance = np.random.default_rng([73, seed])
        truth = chance.normal(0.0, 150.0, 10)
        white, black = np.triu_indices(10, 1)
        outcome = outcomes(chance, truth[white] - truth[black] + 30.0, 0.3)
        names = np.array([f"P{player}" for player in range(10)])
        players, *seats = code_players(names[white], names[black])
        games = GameTable(players, *seats, np.array([0.0, 0.5, 1.0])[outcome], simulated=True)
        fit = ReweightedSampler(
            declare(model, select(games, games.players)), Effort(draws=500, tune=500, chains=2, seed=seed)
        ).fit()
        rating = fit.posterior["strength"] * xr.apply_ufunc(DAVIDSON.elo_per_natural, fit.posterior["log_draw"])
        low, high = (rating - rating.mean("player")).quantile([0.025, 0.975], ("chain", "draw")).to_numpy()
        known = truth - truth.mean()
        inside.append(np.mean((low <= known) & (known <= high)))
    error = np.std(inside, ddof=1) / np.sqrt(evenings)  # clustered: the players of an evening share its luck
    assert abs(np.mean(inside) - 0.95) < 4 * error + 0.01
    assert np.mean(inside) > 0.88
