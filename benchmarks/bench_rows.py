"""Every model of the catalogue at this and an earlier commit, run alternately.

`python benchmarks/bench_rows.py OLD_PYTHON [ROW ...]` makes benchmarks/rows.md: OLD_PYTHON is the Python of the
environment in which the earlier commit is installed, in a checkout of its own. The twelve are on the study's SIMULATED
replica of 6,807 games, the others on 600 SIMULATED games of eight players and twelve rated opponents over six months;
NUTS with 4 chains of 1,000 + 2,000 draws, 4,000 normal draws, both at seed 1.
Seconds are those of the processor; each is the second of two runs, after loops are compiled.
"""

import importlib
import json
import subprocess
import sys
import time
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np

GAMES, PLAYERS, MONTHS, AT_ONCE = 600, 20, 6, 8
HERE = Path(__file__).resolve().parent


def selection():
    """Games with ratings, months, margins, deals, contexts and a covariate; eight players have parameters."""
    from halfpoint.models.games.select import select
    from halfpoint.models.games.simulate import Schedule, Truth, simulate
    from halfpoint.models.games.units import to_elo

    rng = np.random.default_rng(7)
    names = np.array([f"P{k:02d}" for k in range(PLAYERS)])
    strength = 15.5 + 0.5 * rng.standard_normal(PLAYERS)
    white = rng.integers(0, PLAYERS, GAMES).astype(np.int32)
    black = ((white + rng.integers(1, PLAYERS, GAMES)) % PLAYERS).astype(np.int32)
    elo = np.round(to_elo(strength) + 40.0 * rng.standard_normal(PLAYERS))
    months = np.arange(GAMES) * MONTHS // GAMES + 1
    schedule = Schedule(white, black, months, white_rating_elo=elo[white], black_rating_elo=elo[black])
    games = simulate(Truth(names, strength, 0.2, 0.3), schedule, 12)
    margin = np.round(2.0 * (strength[white] - strength[black]) + 1.5 * rng.standard_normal(GAMES))
    columns = {"rapid": (np.arange(GAMES) % 3 == 0).astype(float), "margin": margin, "deal": np.arange(GAMES) % 9}
    columns["context"] = np.array(["blitz", "rapid", "slow"])[rng.integers(0, 3, GAMES)]
    return select(replace(games, covariates=columns), names[:8])


def moments(tree):
    """Mean and standard deviation of the strengths, or of the first variable of players."""
    posterior = tree["posterior"].to_dataset()
    name = "strength" if "strength" in posterior else next(iter(posterior.data_vars))
    value = posterior[name].transpose("chain", "draw", ...).to_numpy()
    value = value.reshape(value.shape[0] * value.shape[1], -1)
    return value.mean(axis=0).tolist(), value.std(axis=0).tolist()


def measured(name, games):
    """Figures of one model by this installation."""
    from halfpoint.inference.fit import fit
    from halfpoint.models.declaration.catalogue import declare

    effort = importlib.import_module(fit.__globals__["Effort"].__module__).Effort
    found = {"row": name}
    for _ in range(2):
        began = time.process_time()
        declared = declare(name, games)
        _ = getattr(declared, "laws", None)
        found["declare"] = time.process_time() - began
    try:
        for _ in range(2):
            began = time.process_time()
            tree = fit(declare(name, games), "nuts", effort(draws=2000, tune=1000, chains=4, seed=1), 0, adapt=False)
            found["nuts_seconds"] = time.process_time() - began
        found["nuts_effective"] = float(tree.attrs["min_ess_bulk"])
        found["nuts"] = moments(tree)
        for _ in range(2):
            began = time.process_time()
            tree = fit(declare(name, games), "normal", effort(draws=1000, chains=4, seed=1), 0)
            found["normal_seconds"] = time.process_time() - began
        found["k"], found["normal"] = float(tree.attrs["pareto_k"]), moments(tree)
        found["normal_effective"] = float(tree.attrs["effective_draws"])
    except Exception as error:
        found["error"] = f"{type(error).__name__}: {error}"[:90]
    return found


def work(rows):
    """Print the figures of some models, a line each."""
    import halfpoint as hp
    from halfpoint.models.declaration.catalogue import TWELVE

    warnings.simplefilter("ignore")
    games, played = selection(), hp.replica()
    study = hp.select(played.training, played.monitored)
    for name in rows:
        print("RESULT " + json.dumps(measured(name, study if name in TWELVE else games)), flush=True)


def asked(python, rows):
    """Figures of some models by an installation, by model."""
    done = subprocess.run([python, __file__, "--rows", *rows], capture_output=True, text=True, check=False)
    lines = [line.removeprefix("RESULT ") for line in done.stdout.splitlines() if line.startswith("RESULT ")]
    if not lines:
        print(done.stderr[-1500:])
    return {one["row"]: one for one in map(json.loads, lines)}


def line_of(name, new, old):
    """Row of the table, and its ratios of effective draws a second."""
    both = [one.get("error", "") for one in (new, old)]
    if not old or any(both):
        return f"| {name} | " + (" / ".join(filter(None, both)) or "not there") + " | | | | | | |", None
    nuts, normal = (
        (new[f"{way}_effective"] / new[f"{way}_seconds"]) / (old[f"{way}_effective"] / old[f"{way}_seconds"])
        for way in ("nuts", "normal")
    )
    (mean, sd), (other, wide) = new["normal"], old["normal"]
    few = min(new["normal_effective"], old["normal_effective"])
    apart = np.abs((np.array(mean) - np.array(other)) / np.array(wide)).max() * np.sqrt(few / 2.0)
    width = np.abs(np.array(sd) / np.array(wide) - 1.0).max()
    cells = (
        f"{new['nuts_effective']:.0f} / {old['nuts_effective']:.0f}", f"{nuts:.2f}", f"{normal:.2f}",
        f"{new['k']:.2f} / {old['k']:.2f}", f"{apart:.1f}", f"{100.0 * width:.1f}%",
        f"{new['declare']:.3f} / {old['declare']:.3f}",
    )  # fmt: skip
    return f"| {name} | {' | '.join(cells)} |", (nuts, normal)


def main(python, rows):
    """Measure models alternately and write the table as it grows."""
    import records

    from halfpoint.models.declaration.catalogue import CATALOGUE, TWELVE

    rows = rows or list(CATALOGUE)
    lines, ratios = [], {}
    for first in range(0, len(rows), AT_ONCE):
        some = rows[first : first + AT_ONCE]
        turns = [sys.executable, python] if first // AT_ONCE % 2 else [python, sys.executable]
        found = {one: asked(one, some) for one in turns}
        for name in some:
            line, ratio = line_of(name, found[sys.executable].get(name, {"error": "none"}), found[python].get(name, {}))
            lines.append(line)
            if ratio:
                ratios[name] = ratio
            print(line, flush=True)
        middle = {
            words: np.median([ratios[name] for name in ratios if (name in TWELVE) == twelve], axis=0)
            for words, twelve in (("the twelve", True), ("the others", False))
            if any((name in TWELVE) == twelve for name in ratios)
        }
        medians = "; ".join(f"{words} {one[0]:.2f} by NUTS and {one[1]:.2f} normal" for words, one in middle.items())
        text = [
            "# Every row and an earlier commit", "", records.mark("python benchmarks/bench_rows.py OLD_PYTHON"), "",
            "The earlier commit is `3ac705d1`. Pairs are new / old; ratios are effective draws a processor second, new",
            "by old. Apart is the largest difference of a strength's mean between the two in its Monte Carlo errors;",
            "the last but one column is the largest difference of a standard deviation.", "",
            f"Median ratios: {medians}.", "",
            "| row | NUTS, effective draws | NUTS, ratio | normal, ratio | k | apart | sd | seconds to declare |",
            "|---|--:|--:|--:|--:|--:|--:|--:|", *lines, "",
        ]  # fmt: skip
        (HERE / "rows.md").write_text("\n".join(text), encoding="utf-8")


if __name__ == "__main__":
    if "--rows" in sys.argv:
        work(sys.argv[2:])
    else:
        main(sys.argv[1], sys.argv[2:])
