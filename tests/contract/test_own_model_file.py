"""docs/extending/own_model.py, followed literally: copied, renamed, fitted, and its traces used in other processes."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.special import softmax

from halfpoint.inference.traces.netcdf import read

TEMPLATE = Path(__file__).parents[2] / "docs" / "extending" / "own_model.py"
SLOPE = 0.4  # of the games, natural units


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """Folder with the file and with 2,000 games of 8 players simulated from its second model."""
    folder = tmp_path_factory.mktemp("template")
    shutil.copy(TEMPLATE, folder)
    rng, count = np.random.default_rng(5), 2000
    strength = np.linspace(-1.2, 1.2, 8)
    white = rng.integers(0, 8, count)
    black = (white + rng.integers(1, 8, count)) % 8
    chances = of_gap(strength[white] - strength[black] + 0.3, 1.0, SLOPE)
    outcome = (rng.random(count) > np.cumsum(chances, axis=-1).T).sum(axis=0)
    names = np.array([f"Player {letter}" for letter in "ABCDEFGH"])
    table = {"white": names[white], "black": names[black], "score": outcome / 2, "period": np.arange(count) // 500 + 1}
    pd.DataFrame(table).to_csv(folder / "games.csv", index=False)
    pd.DataFrame(table).drop(columns="score")[:20].to_csv(folder / "coming.csv", index=False)
    return folder


def of_gap(gap, log_draw, slope):
    """Chances of loss, draw and win by the formula of the file, independently written."""
    return softmax(np.stack([-gap / 2, log_draw - slope * gap**2, gap / 2], axis=-1), axis=-1)


def asked(place, *words):
    """Output of a command in another process."""
    script = Path(sys.executable).parent / "halfpoint"
    done = subprocess.run([script, *map(str, words)], capture_output=True, text=True, cwd=place, env=os.environ)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.draws
@pytest.mark.slow
@pytest.mark.parametrize(("name", "method"), [("split", "normal"), ("split", "nuts"), ("fewer", "auto")])
def test_a_row_of_the_file_goes_all_the_ways_that_a_row_goes(place, name, method):
    trace, own = f"{name}-{method}.nc", ("--model", f"own_model.py:{name}")
    code, _, error = asked(
        place, "fit", "games.csv", "--out", trace, *own, "--method", method, "--draws", 300, "--quiet"
    )
    assert code in (0, 3), error
    tree = read(place / trace)
    posterior = tree["posterior"].to_dataset().stack(all=("chain", "draw")).transpose("all", ...)
    if name == "fewer":
        slope = posterior["tie_slope"].to_numpy()
        assert abs(slope.mean() - SLOPE) < 4.0 * slope.std()
        assert slope.std() < 0.3  # the prior's is 0.5
    code, _, error = asked(place, "forecast", trace, "coming.csv")
    assert (code, error.count("\n")) == (2, 1)
    assert f"expected the function '{name}' of own_model:" in error
    assert "is missing. Pass it again: --model FILE.py:NAME" in error
    code, printed, error = asked(place, "forecast", trace, "coming.csv", *own, "--json")
    assert code in (0, 3), error
    found = pd.DataFrame(json.loads(printed)["rows"])
    strength = posterior["strength"].to_series().unstack("player")
    gap = strength[found["white"]].to_numpy() - strength[found["black"]].to_numpy()
    value = {key: posterior[key].to_numpy()[:, None] if key in posterior else 0.0 for key in ("advantage", "tie_slope")}
    chances = of_gap(gap + value["advantage"], posterior["log_draw"].to_numpy()[:, None], value["tie_slope"])
    columns = ["loss_percent", "draw_percent", "win_percent"]
    np.testing.assert_allclose(found[columns], 100 * chances.mean(axis=0), atol=0.01)  # single precision in the trace
    for words in (("match", trace, "Player A", "Player H"), ("rank", trace), ("compare", trace), ("criteria", trace)):
        code, _, error = asked(place, *words, *own, "--json")
        assert code in (0, 3), (words, error)
    assert TEMPLATE.read_text().count(") / 2\n") == 2
    (place / "own_model.py").write_text(TEMPLATE.read_text().replace(") / 2\n", ") / 3\n"))
    code, _, error = asked(place, "match", trace, "Player A", "Player H", *own)
    shutil.copy(TEMPLATE, place)
    assert (code, error.count("\n")) == (2, 1)
    assert "differs from that of the fit" in error


@pytest.mark.draws
@pytest.mark.slow
def test_rows_of_the_file_are_backtested_beside_one_another(place):
    rows = "own_model.py:split,own_model.py:fewer"
    words = ("backtest", "games.csv", "--systems", "elo", "--models", rows, "--monitor", 8, "--from", 4, "--draws", 300)
    code, _, error = asked(place, *words, "--out", "backtest")
    assert code in (0, 3), error
    scores = pd.read_csv(place / "backtest" / "scores.csv").set_index("system")["log_score"]
    assert scores.filter(like="fewer").item() < scores.filter(like="split").item() < scores["elo"]


@pytest.mark.slow
def test_the_second_row_is_refused_by_name_where_it_has_no_loop(place):
    for words in (("fit", "games.csv", "--out", "no.nc"), ("backtest", "games.csv", "--systems", "elo", "--from", 4)):
        model = "--models" if words[0] == "backtest" else "--model"
        code, _, error = asked(place, *words, model, "own_model.py:fewer", "--method", "normal")
        assert code == 2
        assert all(word in error for word in ("fewer: ", "tie_slope", "Use method nuts"))
