"""Posteriors for posteriordb: the PyMC program, the model of the catalogue and Stan have the same density.

At 20 random points, up to a constant. Stan's values are in `benchmarks/posteriors/data.json`, which `python
benchmarks/posteriordb.py --out FOLDER` writes.
"""

import numpy as np
import posteriordb
import pytensor
import pytest
from natural_density import INTERPRETED, NaturalDensity

from halfpoint.apps.fields.races.model import DeclaredRaces
from halfpoint.apps.fields.races.table import RaceTable
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.games.select import select
from halfpoint.models.games.table import GameTable, code_players
from halfpoint.models.games.units import to_elo

STAN = posteriordb.stored()["log_densities"]
NEAR = {"abs": 1e-7, "rel": 1e-10}


def points_of(one, data):
    """Random points of a program."""
    rng, players = np.random.default_rng(5), data["players"]
    shape = {"strength": (players - 1,), "strength_raw": (players,), "level_raw": (players,)}
    shape |= {"step_raw": (players, data.get("periods", 1) - 1)}
    shape |= {"advantage": (players - 1,)} if one.model == "davidson_player" else {}
    made = [{name: rng.normal(size=shape.get(name, ())) for name in one.sampled} for _ in range(20)]
    return [{k: np.exp(v / 2) if k in one.positive else np.asarray(v) for k, v in point.items()} for point in made]


def by_program(one, data):
    """Log density of the PyMC program."""
    names = {}
    exec(posteriordb.PROGRAMS[one.model]["pymc"], names)
    model = names["model"](data)
    logp = pytensor.function(model.value_vars, model.logp(jacobian=False), mode=INTERPRETED)
    names = [variable.name for variable in model.value_vars]

    def density(values):
        logs = {f"{name}_log__": np.log(values[name]) for name in one.positive}
        return float(logp(*((values | logs)[name] for name in names)))

    return density


def table(one, found):
    """Games in halfpoint's form; the last player of programs with a known strength is anchored there."""
    data, count = found["data"], found["data"]["players"]
    names = np.array(found.get("players", [f"{k:02d}" for k in range(count)]))
    rows = np.arange(data["rows"])
    each = [(rows, np.array(data[key]), score) for key, score in (("wins", 1.0), ("ties", 0.5), ("losses", 0.0))
            if key in data] or [(rows, np.ones(rows.size), 0.5)]  # fmt: skip
    at = np.concatenate([rows[number > 0] for rows, number, _ in each])
    weight = np.concatenate([number[number > 0] for _, number, _ in each]).astype(float)
    score = np.concatenate([np.full((number > 0).sum(), score) for _, number, score in each])
    first, second = (names[np.array(data[key])[at] - 1] for key in ("first", "second"))
    players, white, black = code_players(first.tolist(), second.tolist())
    known = np.full(at.size, to_elo(data.get("known", 0.0)))
    columns = {"margin": np.array(data["margin"])} if "margin" in data else {}
    month = 3 * np.array(data["period"])[at] - 2 if "period" in data else None
    return names, GameTable(
        players, white, black, score, weight=weight, white_rating_elo=known, black_rating_elo=known, period=month,
        covariates=columns,
    )  # fmt: skip


def races(data):
    """Events in halfpoint's form."""
    order = np.array(data["order"]) - 1
    names, events = (np.array([f"{k:02d}" for k in range(count)]) for count in (data["players"], data["events"]))
    start, group = np.arange(0, order.size + 1, data["places"]), np.tile(np.arange(data["places"]), data["events"])
    return RaceTable(names, events, start, order.ravel().astype(np.int32), group.astype(np.int32))


def by_row(one, found):
    """Log density of the model of the catalogue at values of a program with non-centred populations."""
    order = slice(None)
    if one.row == "plackett-luce":
        model = DeclaredRaces(races(found["data"])).model
    else:
        names, games = table(one, found)
        fixed = not one.positive
        monitored = games.players[games.players != names[-1]] if fixed else games.players
        order = np.searchsorted(monitored, names[:-1] if fixed else names).argsort()
        model = declare(one.row, select(games, monitored, "any" if fixed else "both")).model
    further = {"anchor_scale": 1.0} if one.row == "margin-normal" else {}  # without anchors its prior is by itself
    density = NaturalDensity(model, (*one.shown, *further), (*one.positive, *further))

    def natural(values):
        spread, scale = values.get("strength_spread"), 0.0
        if "strength_raw" in values:
            values = values | {"strength": values.get("strength_mean", 0.0) + spread * values["strength_raw"]}
            scale = values["strength"].size * np.log(spread)
        if "step_raw" in values:
            step, innovation = values["step_raw"], values["innovation_spread"]
            walk = np.concatenate([np.zeros((len(step), 1)), innovation * step.cumsum(axis=1)], axis=1)
            level = values["strength_mean"] + spread * values["level_raw"]
            values = values | {"strength": level[:, None] + walk - walk.mean(axis=1, keepdims=True)}
            scale = len(step) * np.log(spread) + step.size * np.log(innovation)
        own = {"strength", *({"advantage"} if one.row == "davidson-player" else ())}
        shown = {name: values[name][order] if name in own else values[name] for name in one.shown}
        return density(shown | further) + scale

    return natural


@pytest.mark.cases(4)
@pytest.mark.parametrize("one", posteriordb.POSTERIORS, ids=lambda one: one.name)
def test_program_and_row_have_one_density(one):
    found = posteriordb.data_of(one.data)
    program, row = by_program(one, found["data"]), by_row(one, found)
    values = np.array([(program(point), row(point)) for point in points_of(one, found["data"])]).T
    steps = values - values[:, :1]
    assert np.ptp(steps[0]) > 1.0
    assert steps[1] == pytest.approx(steps[0], **NEAR)


@pytest.mark.parametrize("one", [one for one in posteriordb.POSTERIORS if one.model in STAN], ids=lambda one: one.name)
def test_stan_has_it_too(one):
    points = [{k: np.asarray(v) for k, v in point["values"].items()} for point in STAN[one.model]]
    expected = np.array([point["log_density"] for point in STAN[one.model]])
    density = by_program(one, posteriordb.data_of(one.data)["data"])
    values = np.array([density(point) for point in points])
    assert len(points) == 20
    assert values - values[0] == pytest.approx(expected - expected[0], **NEAR)


def test_the_simulated_data_are_those_of_their_seeds():
    assert posteriordb.simulated() == posteriordb.stored()["simulated"]


def test_every_posterior_has_a_program_in_both_languages():
    assert posteriordb.PROGRAMS.keys() == {one.model for one in posteriordb.POSTERIORS}
    for programs in posteriordb.PROGRAMS.values():
        assert "parameters {" in programs["stan"]
        assert "def model(data):" in programs["pymc"]
