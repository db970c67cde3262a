"""Games with a high Pareto k: leave-one-out by moment matching equals refits without them."""

import numpy as np
import pytest

from halfpoint.apps import workflows
from halfpoint.apps.workflows.moment_matching import match_moments
from halfpoint.evaluation.comparison import comparison_line
from halfpoint.inference.fit import fit
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.declaration.elo_scale import reader_of
from halfpoint.models.declaration.posterior_reader import draws_of
from halfpoint.models.games.errors import HalfpointError, count_noun
from halfpoint.models.games.select import select
from halfpoint.models.games.simulate import Truth, round_robin, simulate


@pytest.fixture(scope="module")
def few_games():
    """Two or three games per player on average and a wide prior, so that single games determine a strength."""
    rng = np.random.default_rng(0)
    names = np.array([f"player {k}" for k in range(60)])
    games = simulate(Truth(names, rng.normal(15.0, 1.5, 60), 0.3, 0.3), round_robin(60, 1), 1)
    games = games.take(np.sort(rng.choice(len(games), 75, replace=False)))
    declared = declare("bt", select(games, games.players, "both"), "computed")
    return declared, fit(declared, "nuts", draws=1000, chains=2, seed=1)


def test_moments_that_match_leave_games_out_as_refits_do(few_games):
    declared, tree = few_games
    before = comparison_line(tree)
    after = match_moments(tree, before)
    assert before.unreliable > 0
    assert after.unreliable == 0
    assert after.max_pareto_k < 0.7
    changed = np.flatnonzero(after.terms["elpd_loo"] != before.terms["elpd_loo"])
    assert len(changed) == before.unreliable
    worst = changed[np.argmax(np.abs(after.terms["elpd_loo"] - before.terms["elpd_loo"])[changed])]
    for game in {worst, changed[0]}:
        weight = np.ones(len(declared.selection))
        weight[game] = 0.0
        again = fit(declared.weighing(weight), "nuts", draws=1000, chains=4, seed=2, pointwise_draws=0)
        one, drawn = np.array([game]), draws_of(again["posterior"].to_dataset())
        told = reader_of(declared).at(drawn, declared.game_rows.take(one)).under(drawn).log_probability()
        seen = np.exp(told[:, 0, declared.selection.games.outcome[game]])
        error = 2.0 * seen.std() / seen.mean() / np.sqrt(1000.0)  # a thousand effective draws of either
        assert after.terms["elpd_loo"][game] == pytest.approx(np.log(seen.mean()), abs=4 * error)


def test_compare_says_what_was_mended(few_games):
    _, tree = few_games
    answer = workflows.compare([tree])
    assert (answer.frame["games_above_0.7"] == 0).all()
    high = comparison_line(tree).unreliable
    assert (
        f"Of {count_noun(high, 'game')} with a Pareto k above 0.7, moment matching corrected {high}."
        in answer.about["note"]
    )


def test_two_traces_without_a_list_are_refused_in_one_line(few_games):
    _, tree = few_games
    with pytest.raises(HalfpointError, match=r"expected a trace or more, found none"):
        workflows.compare([])
    with pytest.raises(HalfpointError, match=r"expected one list of traces.*compare\(\[one, other\]\)"):
        workflows.compare(tree, tree)
