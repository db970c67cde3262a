"""Effects of columns: targets, grouped effects, and refusals."""

from dataclasses import replace

import numpy as np
import pytest
from composed import DrawParameter, Model, about, game_rows
from extended_games import log_probability, play, schedule, truth

from halfpoint.inference.sample import sample
from halfpoint.models.declaration.catalogue import declare, find
from halfpoint.models.errors import ModelError
from halfpoint.models.formulas.davidson import DAVIDSON
from halfpoint.models.games.select import select
from halfpoint.models.rows.column_coding import code_columns
from halfpoint.models.rows.effects import Effects

PLAIN = Model("plain", DAVIDSON, draws=DrawParameter())
SITES = np.array(["Bled", "Linares", "Wijk"])


def aged(selection):
    played, age = selection.games, 20.0 + 3.0 * np.arange(selection.games.players.size)
    ages = {"white_age": age[played.white], "black_age": age[played.black]}
    return select(replace(played, covariates={**played.covariates, **ages}), selection.players.tolist())


def at_sites(selection):
    site = SITES[np.random.default_rng(5).integers(0, SITES.size, len(selection))]
    return replace(selection, games=replace(selection.games, covariates={**selection.games.covariates, "site": site}))


def test_an_effect_moves_the_outcome_it_acts_on():
    entry, selection = find("davidson-rapid"), schedule(60, 4, 2)
    p, rows = truth(entry, 4, 3), game_rows(entry, selection)
    none = {f"{target}_effect": np.zeros((1, 1)) for target in about(entry).effects.formulas}
    change = (log_probability(entry, p, rows) - log_probability(entry, {**p, **none}, rows))[0]
    rapid = selection.games.covariates["rapid"]
    np.testing.assert_allclose(change[:, 2] - change[:, 0], 0.6 * rapid, atol=1e-9)
    np.testing.assert_allclose(change[:, 1] - change[:, [0, 2]].mean(axis=1), 0.6 * rapid, atol=1e-9)


def test_a_players_column_acts_at_their_seat_and_not_on_anchored_opponents():
    selection = aged(schedule(60, 4, 4))
    entry = replace(PLAIN, name="aging", effects=Effects({"strength": "0 + age"}))
    p = {**truth(PLAIN, 4, 5), "strength_effect": np.array([[0.02]])}
    white, black = (selection.games.covariates[f"{side}_age"] for side in ("white", "black"))
    shifted = 0.02 * (np.where(selection.white >= 0, white, 0) - np.where(selection.black >= 0, black, 0))
    ours = log_probability(entry, p, game_rows(entry, selection))[0]
    plain = log_probability(PLAIN, p, game_rows(PLAIN, selection))[0]
    np.testing.assert_allclose((ours - plain)[:, 2] - (ours - plain)[:, 0], shifted, atol=1e-9)
    declared = declare(entry, selection)
    assert declared.model["strength_effect"].ndim == 1
    assert declared.cells.weight.sum() == 60


@pytest.mark.parametrize("target", ["advantage", "log_draw"])
def test_a_grouped_effect_moves_the_games_of_its_level(target):
    selection = at_sites(schedule(60, 4, 6))
    entry = replace(PLAIN, name="sites", effects=Effects({target: "0 + rapid + (1 | site)"}))
    effect, rapid = np.array([0.5, -0.3, 0.1]), selection.games.covariates["rapid"]
    p = {**truth(PLAIN, 4, 7), f"{target}_site": effect[None], f"{target}_effect": np.array([[0.2]])}
    ours = log_probability(entry, p, game_rows(entry, selection))[0]
    change = ours - log_probability(PLAIN, p, game_rows(PLAIN, selection))[0]
    expected = effect[np.searchsorted(SITES, selection.games.covariates["site"])] + 0.2 * rapid
    if target == "advantage":
        np.testing.assert_allclose(change[:, 2] - change[:, 0], expected, atol=1e-9)
    else:
        np.testing.assert_allclose(change[:, 1] - change[:, [0, 2]].mean(axis=1), expected, atol=1e-9)


def test_a_sharp_judge_stretches_the_difference_and_leaves_ties_between_equals_alone():
    selection = at_sites(schedule(60, 4, 6))
    entry = replace(PLAIN, name="judges", effects=Effects({"sharpness": "1 | site"}))
    effect = np.array([0.5, -1.0, -1.3])
    p = {**truth(PLAIN, 4, 7), "sharpness_site": effect[None]}
    ours = log_probability(entry, p, game_rows(entry, selection))[0]
    plain = log_probability(PLAIN, p, game_rows(PLAIN, selection))[0]
    odds, before = (one[:, 2] - one[:, 0] for one in (ours, plain))
    advantage = p["advantage"][0]
    sharp = 1 + effect[np.searchsorted(SITES, selection.games.covariates["site"])]
    np.testing.assert_allclose(odds, sharp * (before - advantage) + advantage, atol=1e-9)
    draws, mean = ours[:, 1] - ours[:, [0, 2]].mean(axis=1), plain[:, 1] - plain[:, [0, 2]].mean(axis=1)
    np.testing.assert_allclose(draws, mean, atol=1e-9)


def test_a_sharpness_of_all_games_is_refused():
    with pytest.raises(ModelError, match=r'sharpness: expected grouped terms, such as "1 \| judge"'):
        Effects({"sharpness": "0 + rapid"})


def test_a_level_without_a_draw_of_its_own_is_the_population_mean():
    entry = replace(PLAIN, name="sites", effects=Effects({"advantage": "1 | site"}))
    selection = at_sites(schedule(60, 4, 6))
    p = {**truth(PLAIN, 4, 7), "advantage_site": np.array([[0.5, -0.3]])}
    coding = code_columns(entry.effects, selection.games)
    known = replace(coding, levels={"site": np.array(["Bled", "Linares"])})
    rows = game_rows(entry, selection, known)
    ours = log_probability(entry, p, rows)[0]
    plain = log_probability(PLAIN, p, game_rows(PLAIN, selection))[0]
    unknown = selection.games.covariates["site"] == "Wijk"
    np.testing.assert_allclose(ours[unknown], plain[unknown], rtol=1e-12)
    assert np.abs(ours - plain)[~unknown].max() > 0.05


@pytest.mark.draws
def test_grouped_effects_are_recovered():
    entry = replace(PLAIN, name="sites", effects=Effects({"advantage": "1 | site"}))
    effect = np.array([0.5, -0.4, 0.0])
    selection = at_sites(schedule(3000, 6, 8))
    p = {**truth(PLAIN, 6, 7), "advantage_site": effect[None]}
    declared = declare(entry, play(entry, selection, p, 9))
    trace = sample(declared, draws=500, tune=500, chains=2, cores=2, seed=3, pointwise_draws=0, adapt=False)
    assert trace.attrs["route"] == "compiled"
    assert trace.attrs["divergences"] < 5
    found = trace["posterior"]["advantage_site"]
    contrast = found - found.mean("site")
    away = contrast.mean(("chain", "draw")) - (effect - effect.mean())
    assert (np.abs(away) < 4 * contrast.std(("chain", "draw"))).all()


@pytest.mark.parametrize(
    ("formulas", "says"),
    [
        ({"colour": "0 + rapid"}, "advantage | log_draw | log_width | strength"),
        ({"advantage": "0 + open('x')"}, "calls of C, I"),
        ({"advantage": "0 + np.exp(rapid)"}, "np.exp(...)"),
        ({"strength": "0 + age + (1 | site)"}, "its effect cancels"),
    ],
)
def test_what_a_formula_may_not_say_is_refused(formulas, says):
    with pytest.raises(ModelError) as caught:
        Effects(formulas)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_model_without_its_column_says_so():
    selection = schedule(30, 3, 7)
    selection = replace(selection, games=replace(selection.games, covariates={}))
    with pytest.raises(ModelError, match="effects on advantage"):
        declare("davidson-rapid", selection)
    with pytest.raises(ModelError, match="expected the column 'site', found none"):
        declare(replace(PLAIN, name="sites", effects=Effects({"advantage": "1 | site"})), selection)
