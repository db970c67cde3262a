"""Untrusted claims of a trace: printed numbers are computed from its draws, and contradictions are refused."""

import re
import shutil

import h5py
import numpy as np
import pytest
import xarray as xr
from few_cases import few

from halfpoint.apps.fields.arena.next_pairs import next_comparisons
from halfpoint.apps.workflows.answers import rank
from halfpoint.apps.workflows.simulation import simulate
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.fit import fit
from halfpoint.inference.sample import sample
from halfpoint.inference.traces.netcdf import BELIEVED, read, write
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.games.errors import HalfpointError
from halfpoint.models.games.select import select
from halfpoint.models.games.table import GameTable


@pytest.fixture(scope="module")
def declared():
    games, _ = simulate(games=300, players=5)
    return declare("davidson-common", select(games, games.players, "both"))


@pytest.fixture(scope="module")
def sound(declared, tmp_path_factory):
    path = tmp_path_factory.mktemp("trace") / "trace.nc"
    write(sample(declared, draws=500, tune=500, chains=2, adapt=False), path)
    return path


@pytest.fixture
def edited(sound, tmp_path):
    """Function that edits a copy of the trace and returns its path."""

    def edit(change):
        path = tmp_path / "edited.nc"
        shutil.copy(sound, path)
        with h5py.File(path, "r+") as file:
            change(file)
        return path

    return edit


@pytest.mark.draws
def test_a_verdict_is_that_of_the_draws(sound, edited):
    truth = read(sound).attrs

    def lie(file):
        file.attrs["verdict"], file.attrs["max_rhat"], file.attrs["min_ess_bulk"] = "NOT CONVERGED: no", 5.0, 3.0

    told = read(edited(lie)).attrs
    for name in ("verdict", "converged", "max_rhat", "min_ess_bulk", "min_ess_tail", "divergences"):
        assert told[name] == truth[name]


def test_a_chain_elsewhere_is_seen(edited):

    def shift(file):
        posterior = file["posterior"]
        strength, rating = posterior["strength"], posterior["rating_elo"]
        worth = (rating[1, :, 1] - rating[1, :, 0]) / (strength[1, :, 1] - strength[1, :, 0])  # Elo a natural unit
        strength[1, :, 0] += np.log(10.0)
        rating[1, :, 0] += np.log(10.0) * worth
        rating[1] -= (np.log(10.0) * worth / rating.shape[-1])[:, None]  # where the average player stands

    told = read(edited(shift)).attrs
    assert told["verdict"].startswith("NOT CONVERGED: R-hat")
    assert not told["converged"]
    assert told["max_rhat"] > 1.5


def put(group, value, *where):
    """Change some draws to a value."""

    def change(file):
        file[group][where or ...] = value

    return change


def elsewhere(file):
    """Shift the second chain by 400 Elo points."""
    file["posterior/rating_elo"][1] += 400.0


def apart(file):
    """Move two players of the second chain apart."""
    file["posterior/rating_elo"][1] += [400.0, -400.0, 0.0, 0.0, 0.0]


@pytest.mark.cases(5)
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda file: file.attrs.__setitem__("games", -5), "-5 games in the attributes, and 300 in the groups"),
        (lambda file: file.attrs.__setitem__("players", 6), "6 players in the attributes, and 5 in the groups"),
        (lambda file: file.attrs.__setitem__("divergences", -1), "divergences -1 in the attributes"),
        (lambda file: file.attrs.__setitem__("converged", 7), "converged 7 in the attributes"),
        (lambda file: file.attrs.__setitem__("goals_product", "x"), "no number in the attribute 'goals_product'"),
        (lambda file: file.attrs.__setitem__("goals_product", [1.0, 2]), "no number in the attribute 'goals_product'"),
        (lambda file: file.attrs.__setitem__("goals_product", np.nan), "goals_product nan in the attributes"),
        (put("posterior/draw_rate", 1.43), "draw rates beyond 0 and 1"),
        (apart, "ratings that are not those of its strengths"),
        (elsewhere, "ratings whose level differs from the recorded level"),
        (lambda file: file.attrs.__setitem__("level_elo", "high"), "no number in the attribute 'level_elo'"),
        (lambda file: file.attrs.__setitem__("approximate", 1), "approximate in the attributes, and transitions"),
        (lambda file: file.attrs.__setitem__("sampler", "normal"), "sampler in the attributes, and transitions"),
        (put("constant_data/weight", -1.0), "weights of games that are not numbers from 0"),
        (put("constant_data/weight", np.nan, 3), "weights of games that are not numbers from 0"),
    ],
)
def test_what_cannot_be_is_refused(edited, change, message):
    with pytest.raises(InferenceError, match=message):
        read(edited(change))


def test_what_no_draws_tell_is_as_the_file_says(declared, tmp_path):
    tree = fit(declared, "normal", draws=200, chains=2)
    verdict = tree.attrs["verdict"]
    write(tree, tmp_path / "approximate.nc")
    again = read(tmp_path / "approximate.nc")
    assert again.attrs["verdict"] == verdict + BELIEVED
    write(again, tmp_path / "approximate.nc")
    assert read(tmp_path / "approximate.nc").attrs["verdict"] == verdict + BELIEVED  # said once


@pytest.mark.parametrize(("model", "method"), [("bt-common", "normal"), ("bt-population", "auto")])
def test_words_of_a_verdict_stay_where_its_draws_confirm_it(tmp_path, model, method):
    """A to C win and lose among themselves; D lost to each."""
    white, black = np.array([0, 1, 2, 0, 1, 2] * 4 + [0, 1, 2]), np.array([1, 2, 0, 2, 0, 1] * 4 + [3, 3, 3])
    score = np.array([1.0, 0.0, 0.5, 1.0, 0.5, 0.0] * 4 + [1.0] * 3)
    games = GameTable(np.array(list("ABCD")), white.astype(np.int32), black.astype(np.int32), score)
    tree = fit(declare(model, select(games, games.players)), method, draws=1000, chains=4, seed=1)
    assert tree.attrs["verdict"].startswith("converged")
    assert "; separated: D (all won or all lost" in tree.attrs["verdict"]
    assert read(write(tree, tmp_path / "trace.nc")).attrs["verdict"] == tree.attrs["verdict"]
    with h5py.File(tmp_path / "trace.nc", "r+") as file:
        file.attrs["verdict"] = "converged\x1b[31m\nand more" + "!" * 5000
    words = read(tmp_path / "trace.nc").attrs["verdict"]  # one line of letters, of no great length
    assert words.startswith(r"converged\x1b[31m\nand more!")
    assert words.isprintable()
    assert len(words) < 1100


@pytest.fixture(scope="module")
def approximate(declared, tmp_path_factory):
    """Trace of an unreliable approximation: k 33, 24 effective draws."""
    tree = fit(declared, "normal", draws=100, chains=2)
    assert tree.attrs["verdict"].startswith("APPROXIMATE")
    tree.attrs |= {"pareto_k": 33.0, "effective_draws": 24.0}
    path = tmp_path_factory.mktemp("approximate") / "trace.nc"
    write(tree, path)
    return path


@pytest.mark.cases(2)
@pytest.mark.parametrize(
    ("removed", "forged", "message"),
    few(
        [
            ("approximate", {}, "no number in the attribute 'approximate'"),
            ("pareto_k", {}, "no number in the attribute 'pareto_k'"),
            ("effective_draws", {}, "no number in the attribute 'effective_draws'"),
            ("method", {"approximate": 0}, "converged in the attributes, and Pareto k 33.00 with 24 effective draws"),
            (
                "method",
                {"approximate": 0, "sampler": "nutpie", "pareto_k": 0.4},
                "Pareto k 0.40 with 24 effective draws",
            ),
            ("method", {"converged": 1}, "converged in the attributes, and Pareto k 33.00"),
            ("method", {"converged": 1, "pareto_k": np.nan}, "converged in the attributes, and Pareto k nan"),
            ("method", {"verdict": "converged"}, "approximate 1 in the attributes, and another verdict"),
            ("method", {"effective_draws": -1.0}, "effective_draws -1 in the attributes"),
        ],
        4,
    ),
)
def test_an_approximation_that_calls_itself_converged_is_refused(approximate, tmp_path, removed, forged, message):
    path = tmp_path / "forged.nc"
    shutil.copy(approximate, path)
    with h5py.File(path, "r+") as file:
        del file.attrs[removed]
        file.attrs.update(forged)
    assert read(approximate).attrs["converged"] == 0
    with pytest.raises(InferenceError, match=re.escape(message)):
        read(path)


@pytest.mark.parametrize("kept", ["pareto_k", "effective_draws"])
def test_transitions_of_a_sampler_beside_numbers_of_an_approximation_are_refused(approximate, tmp_path, kept):
    path = tmp_path / "forged.nc"
    with xr.open_datatree(approximate, engine="h5netcdf") as found:
        tree = found.load()
    for name in {"method", "sampler", "approximate", "pareto_k", "effective_draws"} - {kept}:
        tree.attrs.pop(name, None)
    total = tree["sample_stats"]["log_likelihood_total"]
    tree["sample_stats"] = tree["sample_stats"].to_dataset().assign(diverging=np.isnan(total))
    write(tree, path)
    with pytest.raises(InferenceError, match=f"{kept} in the attributes, and transitions of a sampler"):
        read(path)


def test_one_draw_has_no_interval(declared):
    tree = sample(declared, draws=10, tune=50, chains=1, adapt=False)
    with pytest.raises(HalfpointError, match=r"trace: expected at least two draws, found one\. Fit the model again"):
        rank(tree.isel(draw=slice(1)))


def test_next_needs_draws_that_differ(declared):
    tree = sample(declared, draws=10, tune=50, chains=1, adapt=False)
    with pytest.raises(HalfpointError, match="expected a trace of at least two draws, found one"):
        next_comparisons(tree.isel(draw=slice(1)))
    for name in ("strength", "rating_elo"):
        tree["posterior"][name] = tree["posterior"][name] * 0.0
    with pytest.raises(HalfpointError, match="draws that vary in the quantity of interest"):
        next_comparisons(tree, target="all")
