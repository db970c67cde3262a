"""User models and effects of columns on the command line: complete runs, and refusals in one line."""

import json
import os
import re

import numpy as np
import pandas as pd
import pytest
from few_cases import few

import halfpoint as hp
from halfpoint.apps.workflows.calibration import Part, experiment_of
from halfpoint.apps.workflows.options import Trial
from halfpoint.inference.traces.netcdf import read
from halfpoint.models.formulas.davidson import scores

MODELS = """
import pymc as pm
import pytensor.tensor as pt
from halfpoint.models import outcome


def normal(white, black, lam):
    gap, threshold = white - black, pt.exp(lam)
    lost, won = (pt.erfc((threshold + sign * gap) / 2**0.5) / 2 for sign in (1, -1))
    drawn = (pt.erf((gap + threshold) / 2**0.5) - pt.erf((gap - threshold) / 2**0.5)) / 2
    return pt.log(lost), pt.log(drawn), pt.log(won)


def ties(games, advantage=(0.0, 0.5)):
    with pm.Model(coords=games.coords) as model:
        mean, spread = pm.Normal("strength_mean", 15.6, 2.3), pm.HalfNormal("strength_spread", 2.3)
        strength = pm.Normal("strength", mean, spread, dims="player")
        delta, lam = pm.Normal("advantage", *advantage), pm.Normal("log_draw", 0.0, 1.0)
        white = games.white(strength) + SHARE * delta
        outcome(games, normal, white=white, black=games.black(strength) - (1 - SHARE) * delta, lam=lam)
    return model


SHARE = 0.5
number = 3
"""
NARROW = """
import pymc as pm
from halfpoint.models import davidson


def ties(games):
    with pm.Model(coords=games.coords) as model:
        strength = pm.Normal("strength", 0.0, 0.3, dims="player")
        delta, log_draw = pm.Normal("advantage", 0.0, 0.3), pm.Normal("log_draw", 0.0, 0.3)
        black = games.black(strength)
        davidson(games, white=games.white(strength) + delta, black=black, log_draw=log_draw)
    return model
"""
RAPID = 1.0  # what rapid play adds to White's advantage, natural units
SHORT = ("--draws", 150, "--tune", 150, "--chains", 2, "--quiet")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Folder with models and 800 games of 8 players, in which rapid games increase White's advantage."""
    place = tmp_path_factory.mktemp("own")
    (place / "mine.py").write_text(MODELS)
    rng = np.random.default_rng(12)
    strength, count = np.linspace(-0.6, 0.6, 8), 800
    white = rng.integers(0, 8, count)
    black = (white + rng.integers(1, 8, count)) % 8
    rapid, month = rng.integers(0, 2, count), rng.integers(1, 7, count)
    odds = np.exp(np.stack(scores(strength[white] + 0.3 + RAPID * rapid, strength[black], 0.0)))
    outcome = (rng.random(count) > np.cumsum(odds / odds.sum(axis=0), axis=0)).sum(axis=0)
    names = np.array([f"Player {letter}" for letter in "ABCDEFGH"])
    columns = {"white": names[white], "black": names[black], "score": outcome / 2, "rapid": rapid}
    columns |= {"site": rng.integers(0, 3, count), "date": [f"2020-{one:02d}-01" for one in month]}
    pd.DataFrame(columns).to_csv(place / "games.csv", index=False)
    return place


@pytest.fixture
def elsewhere(zygote, folder):
    """Function: command -> exit code, output and errors in another process."""
    return lambda *words: zygote.run(words, folder)[:3]


@pytest.mark.further
@pytest.mark.parametrize(("before", "after"), few([("2**0.5", "3**0.5"), ("SHARE = 0.5", "SHARE = 0.6")], 1))
def test_a_formula_and_a_function_of_ones_own_go_the_whole_way(
    folder, halfpoint, elsewhere, monkeypatch, before, after
):
    out = folder / "list"
    monkeypatch.chdir(folder)
    words = ("rate", "games.csv", "--out", out, "--model", "mine.py:ties", *SHORT, "--method", "nuts", "--force")
    code, printed, error = halfpoint(*words)
    assert code in (0, 3), error
    assert "two equals draw" in printed.lower()
    assert (out / "report.html").read_text().count("Player A")
    tree = read(out / "trace.nc")
    assert tree.attrs["route"] == "compiled"
    assert tree["log_likelihood"]["score"].sizes["game"] == 800
    pair = (out / "trace.nc", "Player A", "Player H")
    code, printed, error = elsewhere("match", *pair)
    assert (code, printed) == (2, "")
    assert error.count("\n") == 1
    assert "--model FILE.py:NAME" in error
    code, printed, error = elsewhere("match", *pair, "--model", "mine.py:ties", "--json")
    assert code in (0, 3), error
    code, printed, error = halfpoint("compare", out / "trace.nc", out / "trace.nc")
    assert "ties" in printed + error
    (folder / "mine.py").write_text(MODELS.replace(before, after))
    code, printed, error = elsewhere("match", *pair, "--model", "mine.py:ties")
    (folder / "mine.py").write_text(MODELS)
    assert code == 2
    assert "the function 'ties' of mine:ties differs from that of the fit" in error


@pytest.mark.parametrize(
    ("model", "message"),
    [
        ("nowhere.py:ties", "expected a file of models, found none at 'nowhere.py'"),
        ("mine.py:number", "expected a function of games in mine.py (normal, ties), found 'number'"),
        ("mine.py:nothing", "expected a function of games in mine.py (normal, ties), found 'nothing'"),
        ("broken.py:ties", "broken.py does not run: SyntaxError"),
        ("unsaid.py:said", "expected keywords that a trace can store (numbers, texts, tuples and mappings of them)"),
        (
            "stolen.py:taken",
            "model davidson: the catalogue has this name, with other priors or another formula. Rename yours",
        ),
    ],
)
def test_a_file_of_models_that_does_not_serve_is_told_in_one_line(folder, halfpoint, monkeypatch, model, message):
    monkeypatch.chdir(folder)
    (folder / "broken.py").write_text("ties = (")
    (folder / "unsaid.py").write_text(
        MODELS + "\nfrom halfpoint.models import Model\nsaid = Model('said', ties, {'advantage': {1}})\n"
    )
    (folder / "stolen.py").write_text(
        "from halfpoint.models import find\ntaken = find('davidson').but('davidson', strength=(0.0, 1.0))\n"
    )
    code, printed, error = halfpoint("fit", "games.csv", "--out", "out.nc", "--model", model)
    assert (code, printed, error.count("\n")) == (2, "", 1)
    assert message in error
    assert not (folder / "out.nc").exists()


@pytest.mark.draws
@pytest.mark.slow
def test_effects_are_found_and_forecast(folder, halfpoint, monkeypatch):
    monkeypatch.chdir(folder)
    plain = ("--model", "davidson-population")  # the default walks by the months of the file
    effects = ("--effects", "advantage ~ 0 + rapid", "--effects", "log_draw ~ 1 | site")
    code, printed, error = halfpoint("rate", "games.csv", "--out", "effects", *plain, *effects, *SHORT)
    assert code in (0, 3), error
    printed = " ".join(printed.split())
    assert re.search(r"first move is worth [^;]* where rapid = 0; two equals draw", printed)
    tree = read(folder / "effects" / "trace.nc")
    assert tree.attrs["model"].endswith("with advantage ~ 0 + rapid; log_draw ~ 1 | site")
    found = tree["posterior"]["advantage_effect"].isel(advantage_term=0)
    assert abs(float(found.mean()) - RAPID) < 4 * float(found.std())
    assert float(found.std()) < 0.3
    coming = pd.DataFrame({"white": ["Player A"] * 2, "black": ["Player B"] * 2, "rapid": [0, 1], "site": [0, 9]})
    coming.to_csv("coming.csv", index=False)
    code, printed, error = halfpoint("forecast", "effects/trace.nc", "coming.csv", "--json")
    assert code in (0, 3), error
    slow, fast = (one["expected_percent"] for one in json.loads(printed)["rows"])
    assert fast - slow > 5  # a natural unit is far more than 5 % of the points
    code, printed, error = halfpoint(
        "forecast", "effects/trace.nc", "--white", "Player A", "--black", "Player B", "--json"
    )
    assert code in (0, 3), error
    [alone] = json.loads(printed)["rows"]
    assert alone["expected_percent"] == pytest.approx(slow, abs=2)  # no rapid play, a site like any


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("advantage", '--effects: expected "TARGET ~ FORMULA"'),
        ("speed ~ 0 + rapid", "effects: expected advantage | log_draw | log_width | strength"),
        ("advantage ~ 0 + altitude", "expected a column 'altitude'"),
        ("advantage ~ 0 + eval(rapid)", "calls of C, I, center"),
        ("advantage ~ 1 + rapid", "intercept"),
    ],
)
def test_effects_that_cannot_be_are_told_in_one_line(folder, halfpoint, monkeypatch, text, message):
    monkeypatch.chdir(folder)
    model = ("--model", "davidson-population", "--effects", text)
    code, _, error = halfpoint("fit", "games.csv", "--out", "out.nc", *model, *SHORT)
    assert code == 2
    assert error.count("\n") == 1
    assert message in error


@pytest.mark.further
def test_own_models_and_effects_are_fitted_and_backtested(folder, halfpoint, monkeypatch):
    monkeypatch.chdir(folder)
    effects = ("--effects", "advantage ~ 0 + rapid")
    code, _, error = halfpoint(
        "fit", "games.csv", "--out", "fit.nc", "--model", "mine.py:ties", *effects, "--method", "normal"
    )
    assert code in (0, 3), error
    assert read(folder / "fit.nc").attrs["model"] == "ties with advantage ~ 0 + rapid"
    games = ("backtest", "games.csv", "--systems", "elo", "--models", "mine.py:ties", *effects, "--from", 5)
    code, _, error = halfpoint(*games, "--draws", 200, "--chains", 2, "--monitor", 8, "--out", "backtest")
    assert code in (0, 3), error
    scores_of = pd.read_csv(folder / "backtest" / "scores.csv").set_index("system")["log_score"]
    assert scores_of.filter(like="ties").item() < scores_of["elo"]  # who knows what rapid play is worth


@pytest.mark.further
@pytest.mark.parametrize("method", ["normal", pytest.param("nuts", marks=pytest.mark.slow)])  # NUTS takes two minutes
def test_own_models_and_effects_are_calibrated(folder, halfpoint, monkeypatch, method):
    monkeypatch.chdir(folder)
    (folder / "narrow.py").write_text(NARROW)
    file = {"normal": "narrow.py:ties", "nuts": "mine.py:ties"}[method]
    words = (file, "--effects", "advantage ~ 0 + rapid", "--method", method)
    code, printed, error = halfpoint("calibrate", *words, "--simulations", 20, "--out", f"ranks-{method}")
    assert code in (0, 1), error  # 20 simulations say little; that it runs is tested here
    assert "advantage_effect" in printed


def test_ranks_of_a_file_that_changed_since_are_not_taken_for_its_own(tmp_path):
    marks = []
    for text in (MODELS, MODELS.replace("SHARE = 0.5", "SHARE = 0.6"), MODELS):
        (tmp_path / "file.py").write_text(text)
        experiment_of.cache_clear()  # once in a process
        marks.append(Part(tmp_path, f"{tmp_path}/file.py:ties", Trial(), 0, 25).mark)
    assert marks[0] == marks[2] != marks[1]


@pytest.mark.parametrize(
    "words",
    [
        ("rate", "games.csv", "--out", "none", "--model"),
        ("fit", "games.csv", "--out", "none.nc", "--model"),
        ("rank", "trace.nc", "--model"),
        ("backtest", "games.csv", "--every", "month", "--models"),
        ("calibrate",),
        ("models",),
        ("study", "--replica", "--models"),
    ],
)
def test_the_help_of_what_runs_a_file_says_so(words, folder, halfpoint, monkeypatch):
    monkeypatch.chdir(folder)
    code, out, _ = halfpoint(words[0], "--help")
    assert (code, "runs the file" in " ".join(re.sub("[│\n]", " ", out).split())) == (0, True)
    ran = folder / "ran"
    ran.unlink(missing_ok=True)
    (folder / "loud.py").write_text(f"from pathlib import Path\nPath({str(ran)!r}).touch()\n")
    code, _, error = halfpoint(*words, "loud.py:model")
    assert code == 2, error
    assert ran.exists() or words[0] == "rank", error  # which finds no trace first


def test_a_changed_source_is_refused_whether_or_not_the_answer_needs_it(tmp_path, monkeypatch):
    from halfpoint.apps.cli.options import know
    from halfpoint.models.declaration.own_file import load
    from halfpoint.models.errors import OwnCodeError
    from halfpoint.models.language.model_functions import MODEL_FUNCTIONS

    monkeypatch.setattr(MODEL_FUNCTIONS, "of_traces", None)
    file, place = tmp_path / "narrow.py", tmp_path / "trace.nc"
    file.write_text(NARROW)
    rng = np.random.default_rng(3)
    games = pd.DataFrame({"white": list("abcd") * 8, "black": list("bcda") * 8, "score": rng.integers(3, size=32) / 2})
    chosen = hp.select(hp.read(games), list("abcd"))
    hp.sample(hp.declare(load(f"{file}:ties"), chosen), draws=20, tune=30, chains=2, seed=1).to_netcdf(place)
    know(f"{file}:ties")
    assert len(hp.rank(place).frame) == 4
    file.write_text(NARROW.replace("0.0, 0.3, dims", "0.0, 0.4, dims"))
    os.utime(file, ns=(1, 1))
    know(f"{file}:ties")
    with pytest.raises(OwnCodeError, match="differs from that of the fit"):
        hp.rank(place)
    know(None)
    assert len(hp.rank(place).frame) == 4


def test_a_prior_reads_the_columns_of_a_file(tmp_path, halfpoint):
    (tmp_path / "speedy.py").write_text(NARROW.replace("delta, black", 'delta * games.column("speed"), black'))
    games = pd.DataFrame({"white": ["A", "B"], "black": ["B", "A"], "result": ["1-0", "0-1"], "speed": [0, 1]})
    games.to_csv(tmp_path / "games.csv", index=False)
    words = ("models", f"{tmp_path / 'speedy.py'}:ties")
    code, _, error = halfpoint(*words, "--prior")
    assert (code, "speed" in error) == (2, True)
    code, printed, error = halfpoint(*words, "--prior", "--games", tmp_path / "games.csv")
    assert (code, "share of draws" in printed) == (0, True), error
    row = "davidson-common with advantage ~ 0 + speed"
    code, printed, error = halfpoint("models", row, "--prior", "--games", tmp_path / "games.csv")
    assert (code, "effect of speed" in printed) == (0, True), error
    code, _, error = halfpoint(*words, "--games", tmp_path / "games.csv")
    assert (code, "Add --prior" in error) == (2, True)


@pytest.mark.further
def test_a_list_of_a_model_of_ones_own_is_updated_by_its_file(folder, elsewhere):
    (folder / "narrow.py").write_text(NARROW)
    pd.read_csv(folder / "games.csv")[:20].assign(date="2020-08-01").to_csv(folder / "later.csv", index=False)
    quick = (*SHORT, "--method", "normal")
    code, printed, error = elsewhere("rate", "games.csv", "--out", "grown", "--model", "narrow.py:ties", *quick)
    assert code in (0, 3), error
    assert "--model narrow.py:ties" in " ".join(printed.split())  # in the next command
    update = ("rate", "later.csv", "--from", "grown", "--out", "updated", *quick)
    for other, says in (("davidson-common", "the model of the trace"), ("mine.py:ties", "differs from that")):
        code, _, error = elsewhere(*update, "--model", other)
        assert code == 2
        assert says in error
    code, _, error = elsewhere(*update, "--model", "narrow.py:ties")
    assert code in (0, 3), error
    assert read(folder / "updated" / "trace.nc").attrs["games"] == 820
