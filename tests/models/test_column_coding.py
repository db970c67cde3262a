"""Coding of columns and levels: stored in the trace, read in another process, equal for a single game."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from extended_games import play, schedule, truth
from scipy.stats import kstest

from halfpoint.apps.workflows.trace_of_games import same_games
from halfpoint.inference.forecast import Rule, forecast
from halfpoint.inference.sample import sample
from halfpoint.inference.traces.netcdf import read, write
from halfpoint.models.declaration.catalogue import declare, find, with_effects
from halfpoint.models.errors import ModelError
from halfpoint.models.formulas.davidson import DAVIDSON
from halfpoint.models.rows.effects import Effects
from halfpoint.readers.read import read as read_games

KINDS = np.array(["blitz", "rapid", "standard"])
FORMULAS = {"log_draw": "0 + kind + (1 | event)", "advantage": "0 + scale(height) + bs(height, df=4) + C(round)"}
ENTRY = with_effects(find("davidson-common"), [f"{target} ~ {formula}" for target, formula in FORMULAS.items()])
CODES = tuple(range(3))
READER = """
import json, sys
from halfpoint.readers.read import read as read_games
from halfpoint.inference.forecast import forecast
from halfpoint.inference.traces.netcdf import read
import pandas

trace, found = read(sys.argv[1]), []
for row in json.loads(sys.argv[2]):
    games = read_games(pandas.DataFrame([row]), covariates=("kind", "height", "round"), scored=False)
    found.append(forecast(trace, games).mean_probability[0].tolist())
print(json.dumps(found))
"""


def fitted_on(selection):
    rng, count = np.random.default_rng(8), len(selection)
    columns = {"kind": KINDS[rng.integers(0, 3, count)], "height": rng.uniform(10.0, 90.0, count)}
    columns |= {"round": rng.integers(1, 4, count).astype(np.float64)}
    events = np.array(["Bled", "Wijk"])[rng.integers(0, 2, count)]
    return replace(selection, games=replace(selection.games, covariates=columns, event=events))


@pytest.fixture(scope="module")
def trace():
    plain = replace(ENTRY, effects=Effects({}))
    played = play(plain, schedule(400, 5, 3), truth(plain, 5, 2), 4)
    return sample(
        declare(ENTRY, fitted_on(played)), draws=150, tune=200, chains=2, seed=5, pointwise_draws=0, adapt=False
    )


def coming(trace, **columns):
    players = trace["posterior"]["player"].to_numpy()[:2]
    frame = pd.DataFrame({"white": players[0], "black": players[1], **columns})
    return frame, read_games(frame, covariates=[one for one in columns if one != "event"], scored=False)


COLUMNS = {"kind": ["rapid", "standard", "rapid", "blitz"], "height": [72.0, 30.0, 55.0, 95.0], "round": [3, 1, 2, 3]}
EVENTS = {"event": ["Wijk", "Linares", "Linares", "Bled"]}


@pytest.mark.further
def test_one_game_at_a_time_in_another_process_is_forecast_as_all_of_them_together(trace, tmp_path, zygote):
    frame, games = coming(trace, **COLUMNS, **EVENTS)
    together = forecast(trace, games).mean_probability
    write(trace, tmp_path / "trace.nc")
    arguments = [str(tmp_path / "trace.nc"), frame.to_json(orient="records")]
    code, printed, errors, _ = zygote.run(arguments, tmp_path, program=READER)
    assert code == 0, errors
    np.testing.assert_allclose(json.loads(printed), together, rtol=1e-12)
    assert np.ptp(together, axis=0).min() > 0.01


def test_the_draw_rate_is_that_of_the_reference_level_and_says_so(trace):
    posterior = trace["posterior"]
    assert posterior["log_draw_term"].to_numpy().tolist() == ["kind[rapid]", "kind[standard]"]
    assert posterior["draw_rate"].attrs["where"] == "kind = blitz"
    assert posterior["advantage_elo"].attrs["where"] == "scale(height) = 0, bs(height, df=4) = 0, C(round) = 1"
    _, games = coming(trace, **{name: value[:1] for name, value in COLUMNS.items()}, event=["Bled"])
    bare = forecast(trace, games, Rule(columns=False)).probability
    p = posterior.to_dataset().stack(sample=("chain", "draw"))
    white, black = (p["strength"].isel(player=number).to_numpy() for number in CODES[:2])
    alone = np.exp(DAVIDSON.log_probability(white + p["advantage"].to_numpy(), black, p["log_draw"].to_numpy()))
    np.testing.assert_allclose(bare.reshape(3, -1).T, alone, rtol=1e-9)


def test_an_event_nobody_knows_is_drawn_from_the_spread_of_events(trace):
    ask = {name: [value[0]] * 3 for name, value in COLUMNS.items()}
    _, games = coming(trace, **ask, event=["Linares", "Linares", "Sofia"])
    found = np.log(forecast(trace, games).probability.reshape(3, -1, 3))
    odds = found[1] - (found[0] + found[2]) / 2
    np.testing.assert_array_equal(odds[:, 0], odds[:, 1])
    assert np.abs(odds[:, 0] - odds[:, 2]).max() > 0.1
    p = trace["posterior"].to_dataset().stack(sample=("chain", "draw"))
    level = p["log_draw"] + p["log_draw_effect"].sel(log_draw_term="kind[rapid]")
    for column in (0, 2):
        drawn = (odds[:, column] - level.to_numpy()) / p["log_draw_event_spread"].to_numpy()
        assert kstest(drawn, "norm").pvalue > 0.01


def test_a_game_without_an_event_has_no_effect_of_one(trace):
    _, games = coming(trace, **{name: value[:1] for name, value in COLUMNS.items()}, event=[""])
    found = np.log(forecast(trace, games).probability.reshape(3, -1))
    p = trace["posterior"].to_dataset().stack(sample=("chain", "draw"))
    level = p["log_draw"] + p["log_draw_effect"].sel(log_draw_term="kind[rapid]")
    np.testing.assert_allclose(found[1] - (found[0] + found[2]) / 2, level.to_numpy(), rtol=1e-9)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"kind": ["rapid", "untimed"]}, "row 2: effects on log_draw: expected one of the levels of the fit"),
        ({"round": [1, 7]}, "(1, 2, 3) in the column 'round', found '7'"),
        ({"height": [np.nan, 20.0]}, "row 1: effects on advantage: expected a value in the column 'height'"),
    ],
)
def test_what_the_trace_cannot_code_is_refused_in_one_line(trace, changes, says):
    ask = {name: value[:2] for name, value in COLUMNS.items()} | changes
    _, games = coming(trace, **ask)
    with pytest.raises(ModelError) as caught:
        forecast(trace, games)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_trace_whose_columns_are_coded_otherwise_is_refused(trace, tmp_path):
    _, games = coming(trace, **COLUMNS)
    changed = read(write(trace, tmp_path / "trace.nc"))
    changed["constant_data"]["column_height"][0] += 1.0
    with pytest.raises(ModelError, match=r"differ from those of the fit: formulae .* Fit the model again\.$"):
        forecast(changed, games)
    changed["constant_data"] = changed["constant_data"].to_dataset().drop_vars("column_height")
    with pytest.raises(ModelError, match=r"'column_height', which its effects use, is missing\."):
        forecast(changed, games)


def test_columns_of_games_are_compared_before_a_trace_is_used_again(trace):
    plain = replace(ENTRY, effects=Effects({}))
    selection = fitted_on(play(plain, schedule(400, 5, 3), truth(plain, 5, 2), 4))
    assert same_games(trace, selection)
    kind = selection.games.covariates["kind"].copy()
    kind[:2] = kind[1::-1] if kind[0] != kind[1] else KINDS[::2]
    other = replace(selection.games, covariates={**selection.games.covariates, "kind": kind})
    assert not same_games(trace, replace(selection, games=other))
