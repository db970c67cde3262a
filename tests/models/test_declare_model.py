"""Declaration of functions: refusals with their remedies, rows that merge, and the means of columns."""

from dataclasses import replace

import numpy as np
import pymc as pm
import pytest

from halfpoint.models.declaration.catalogue import find
from halfpoint.models.declaration.declare_model import check_weighting, declare_model
from halfpoint.models.errors import ModelError
from halfpoint.models.formulas.davidson import davidson
from halfpoint.models.games.select import select
from halfpoint.models.games.table import GameTable
from halfpoint.models.language.games import OWN
from halfpoint.models.language.model import Model

PLAYERS = np.array(["a", "b", "c"])


def selection(weight=None, **columns):
    """Selection of five games, a - b three times, b - c and c - a, in months 1, 1, 2, 2 and 4."""
    white, black = (np.array(codes, dtype=np.int32) for codes in ([0, 0, 0, 1, 2], [1, 1, 1, 2, 0]))
    games = GameTable(
        PLAYERS, white, black, np.array([1.0, 1.0, 0.0, 0.5, 0.5]), period=np.array([1, 1, 2, 2, 4]),
        weight=None if weight is None else np.array(weight), covariates=columns,
    )  # fmt: skip
    return select(games, PLAYERS, "both")


def own(games, column="", name="strength", dims="player"):
    with pm.Model(coords=games.coords) as model:
        heat = games.column(column) if column else 0.0
        strength = pm.Normal(name, 0.0, 1.0, dims=dims)
        davidson(games, games.white(strength) + 0.1 * heat, games.black(strength), pm.Normal("log_draw", 0.0, 1.0))
    return model


def walked(games):
    by_month = games.by(1)
    with pm.Model(coords=by_month.coords) as model:
        strength = pm.Normal("strength", 0.0, 1.0, dims="player")
        white = by_month.white(strength) + pm.Normal("drift", 0.0, 1.0) * by_month.period
        davidson(by_month, white, by_month.black(strength), pm.Normal("log_draw", 0.0, 1.0))
    return model


def test_weights_of_games_and_by_age_exclude_each_other():
    recent = find("davidson-weighted")
    check_weighting(recent, "equal")
    check_weighting(find("davidson"), "given")
    with pytest.raises(ModelError) as error:
        check_weighting(recent, "given")
    assert str(error.value) == (
        "model davidson-weighted: it sets its own weights by age, but the games have weights 'given'. Remove the "
        "weights, or use davidson, which counts games by them."
    )
    with pytest.raises(ModelError, match=r"'given'. Remove the weights\.$"):
        check_weighting(Model("own", own, {}, "recency"), "given")
    with pytest.raises(ModelError, match="model davidson-weighted: it sets its own weights by age"):
        declare_model(recent, selection([2.0, 1.0, 1.0, 1.0, 1.0]))


@pytest.mark.parametrize(("weighting", "half_life"), [("equal", 90.0), ("exponential", None), ("recency", 30.0)])
def test_half_lives_belong_to_exponential_weights(weighting, half_life):
    model = replace(find("davidson"), weighting=weighting, half_life=half_life)
    with pytest.raises(ModelError, match=rf"half_life=... belongs to .* '{weighting}' and half-life {half_life}"):
        declare_model(model, selection())


def test_exponential_weights_halve_with_the_half_life():
    model = replace(find("davidson"), weighting="exponential", half_life=1.0)
    weight = declare_model(model, selection()).selection.weight
    np.testing.assert_allclose(weight / weight[-1], [1 / 8, 1 / 8, 1 / 4, 1 / 4, 1.0])


def test_games_with_equal_columns_are_one_row():
    """Two wins and a loss of a against b; with a column, its values keep games apart."""
    declared = declare_model(find("davidson-common"), selection())
    assert len(declared.cells) == 3
    assert declared.cells.weight.tolist() == [[1.0, 0.0, 2.0], [0.0, 1.0, 0.0], [0.0, 1.0, 0.0]]
    by_heat = declare_model(Model("own", own, {"column": "heat"}), selection(heat=np.array([1.0, 3.0, 1.0, 0.0, 0.0])))
    assert sorted(by_heat.cells.weight.tolist()) == sorted(
        [[1.0, 0.0, 1.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [0.0, 1.0, 0.0]]
    )
    assert by_heat.reads.columns == (f"{OWN}heat",)
    walk = declare_model(find("davidson-walk"), selection())
    assert len(walk.cells) == 4  # the third game of a and b is in month 2
    assert (walk.first_period, walk.periods) == (1, 4)


def test_means_of_columns_count_games_by_their_weights():
    heat = np.array([1.0, 3.0, 2.0, 0.0, 4.0])
    model = Model("own", own, {"column": "heat"})
    assert declare_model(model, selection(heat=heat)).reads.means == {f"{OWN}heat": pytest.approx(2.0)}
    weighted = declare_model(model, selection([1.0, 3.0, 0.0, 0.0, 1.0], heat=heat))
    assert weighted.reads.means == {f"{OWN}heat": pytest.approx((1.0 + 9.0 + 4.0) / 5.0)}


def test_periods_without_a_variable_of_their_own_are_recorded():
    declared = declare_model(Model("own", walked), selection())
    assert declared.reads.span == (1, 4)
    assert declare_model(find("davidson-walk"), selection()).reads.span == ()


def test_names_of_dims_and_strengths_without_players_are_refused():
    with pytest.raises(ModelError, match="the name 'game' is reserved for a dim of every trace"):
        declare_model(Model("own", own, {"name": "game"}), selection())
    with pytest.raises(ModelError, match=r"expected strength with the dim of players, found outcome. Write"):
        declare_model(Model("own", own, {"dims": "outcome"}), selection())


def test_ratings_with_errors_need_a_model_that_reads_them():
    chosen = selection()
    prior = np.array([[1500.0, 20.0], [np.nan, np.nan], [np.nan, np.nan]])
    with pytest.raises(ModelError, match=r"model davidson-common does not use ratings with standard errors. Use"):
        declare_model(find("davidson-common"), replace(chosen, prior_elo=prior))
    nothing = replace(chosen, prior_elo=np.full((3, 2), np.nan))
    assert declare_model(find("davidson-common"), nothing).has_lam
    assert declare_model(find("davidson-population"), replace(chosen, prior_elo=prior)).has_lam


def test_a_function_whose_reads_never_end_is_refused():
    heats = iter(range(100))

    def restless(games):
        return own(games, column=f"heat{next(heats)}")

    columns = {f"heat{k}": np.arange(5.0) for k in range(100)}
    with pytest.raises(ModelError, match="reads other columns on its second run"):
        declare_model(Model("restless", restless), selection(**columns))


def test_the_text_of_a_model_counts_periods_where_strengths_change():
    still, walking = (declare_model(find(name), selection()).written()[1] for name in ("davidson", "davidson-walk"))
    assert still.endswith("3 players")
    assert walking.endswith("3 players, 4 periods")


def test_results_are_known_where_each_row_is_a_game():
    games = selection().games
    assert declare_model(find("davidson"), selection()).view().results is None  # three games of a and b are one row
    single = declare_model(find("davidson"), select(games.take(np.array([4, 3, 2])), PLAYERS, "both"))
    assert len(single.cells) == 3
    met = {(int(w), int(b)): 2 * s for w, b, s in zip(games.white[2:], games.black[2:], games.score[2:], strict=True)}
    rows = zip(single.rows.white.players[:, 0].tolist(), single.rows.black.players[:, 0].tolist(), strict=True)
    assert single.view().results.tolist() == [met[row] for row in rows]
    assert single.view(single.rows).results is None
