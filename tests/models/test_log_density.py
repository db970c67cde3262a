"""A frozen name keeps its log density: against stored values, a formula in plain Python, and finite differences."""

import json
from pathlib import Path

import make_logp
import numpy as np
import pytest
from own_units import INTERPRETED, Density, point_of

from halfpoint.games.readers.csv_files import read_csv
from halfpoint.games.select import select
from halfpoint.models.catalogue import EDITIONS, MODELS, declare

REFERENCE = Path(__file__).parent.parent / "reference"
STORED = json.loads((REFERENCE / "logp.json").read_text(encoding="utf-8"))
ROWS = make_logp.games()


@pytest.fixture(scope="module")
def selection():
    return select(read_csv(REFERENCE / "small_games.csv"), make_logp.MONITORED)


def test_every_name_and_edition_is_stored():
    assert set(STORED) == {f"{name}--{edition}" for name in MODELS for edition in EDITIONS}
    assert tuple(MODELS) == make_logp.NAMES


def test_the_stored_values_are_those_of_the_script_beside_them():
    for key, stored in STORED.items():
        name, edition = key.split("--")
        values = [make_logp.log_density(name, edition, make_logp.point(name, i), ROWS) for i in range(3)]
        assert values == pytest.approx(stored, abs=1e-8)


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("name", MODELS)
def test_log_density_at_three_stored_points(name, edition, selection):
    model = declare(name, selection, edition).model
    compiled = model.compile_logp(mode=None if edition == "computed" else INTERPRETED)
    found = []
    for number in range(3):
        point, log_scale = point_of(model, make_logp.point(name, number))
        found.append(float(compiled(point)) - log_scale)
    assert found == pytest.approx(STORED[f"{name}--{edition}"], abs=1e-7)


@pytest.mark.parametrize("name", MODELS)
def test_log_density_and_gradient_at_random_points(name, selection):
    values = make_logp.point(name, 1)
    density = Density(declare(name, selection, "computed").model, values)
    centre = np.concatenate([np.atleast_1d(value) for value in values.values()])
    chance = np.random.default_rng(11)
    for _ in range(3):
        flat = centre + density.unit * chance.normal(size=centre.size)
        value, gradient = density(flat)
        parts = density.split(flat)
        parts = {key: part if np.ndim(values[key]) else float(part[0]) for key, part in parts.items()}
        assert value == pytest.approx(make_logp.log_density(name, "computed", parts, ROWS), abs=1e-7)
        steps = 1e-4 * density.unit * np.eye(centre.size)
        slopes = [(density(flat + step)[0] - density(flat - step)[0]) / (2 * step.sum()) for step in steps]
        assert gradient * density.unit == pytest.approx(np.array(slopes) * density.unit, abs=1e-6)
