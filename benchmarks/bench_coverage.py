"""Coverage of `rate` without options: leagues simulated from five models, each rated as a file of games.

python benchmarks/bench_coverage.py [--leagues 500] [--model ROW] [--kept FILE] [TRUTH ...] > benchmarks/coverage.md

Twenty regulars play 400 games in ten months, some players three times as many as others; strengths have standard
deviation 0.9 (97 Elo points), the first seat is worth 0.25 (27 Elo), two equals draw 38% of their games. These are the
assumptions of the default, and the first model. In the other models

- heavy tails: strengths are Student's t with 3 degrees of freedom, of the same standard deviation;
- improving: three players in ten gain 2 natural units (216 Elo) over the period; the truth is the strength at the end;
- draws by strength: the draw parameter grows by 1 per natural unit of the mean strength of the two;
- rare players: 150 guests of one to four games, an adverse design: the strong half meets ten of the regulars, the weak
  half the other ten. Only regulars are compared, with one another.

Intervals are equal-tailed 90% intervals. Ranks and the best player are discrete, so their sets are randomised to a
posterior probability of exactly 90%. Standard errors are over leagues, not players. "Warned": leagues for which `rate`
notes a deviation from the model, or uses a random-walk model.
"""

import argparse
import json
import os
import time
from itertools import product
from pathlib import Path

import numpy as np
import records

from halfpoint.apps import workflows
from halfpoint.apps.workflows.suggest import in_time
from halfpoint.models.games.select import select
from halfpoint.models.games.table import GameTable
from halfpoint.models.games.units import ELO_PER_NATURAL

PLAYERS, GAMES, DAYS = 20, 400, 300
SPREAD, ADVANTAGE, LOG_DRAW = 0.9, 0.25, 0.2  # natural units: 108 Elo points at this draw rate, 30 Elo, 38% of draws
TAIL = (0.05, 0.95)
UNSEEN, LEVELS = (2.0, 2.2, 2.4, 2.6, 3.0), (0.3, 0.4, 0.5)  # limits of the note, and of p, that are compared


def pairs(rng, count, games):
    """Draw the two sides of each game, shape (game,): some players play much more than others."""
    often = rng.lognormal(0.0, 0.5, count)
    white = rng.choice(count, games, p=often / often.sum())
    black = rng.choice(count, games, p=often / often.sum())
    while (same := white == black).any():
        black[same] = rng.choice(count, int(same.sum()), p=often / often.sum())
    return white, black


def league(truth, rng, players=PLAYERS, games=GAMES):
    """Table, strengths by day, shape (player, day), with the list of the last day, and the mask of scored players."""
    white, black = pairs(rng, players, games)
    day = np.sort(rng.integers(0, DAYS, games))
    strength = rng.normal(0.0, SPREAD, players)
    slope, now = 0.0, np.zeros((players, DAYS))
    if truth == "heavy tails":
        strength = SPREAD / np.sqrt(3.0) * rng.standard_t(3, players)
    if truth == "improving":
        better = rng.random(players) < 0.3
        now += np.where(better, 2.0, 0.0)[:, None] * np.linspace(0.0, 1.0, DAYS)
    if truth == "draws by strength":
        slope = 1.0
    if truth == "rare players":
        rare = 150
        strong = np.arange(rare) < rare // 2
        strength = np.append(strength, rng.normal(np.where(strong, 1.0, -1.0), SPREAD))
        now = np.zeros((players + rare, DAYS))
        one = np.repeat(players + np.arange(rare), rng.integers(1, 5, rare))
        two = rng.integers(0, players // 2, one.size) + np.where(strong[one - players], 0, players // 2)
        turn = rng.random(one.size) < 0.5
        white = np.append(white, np.where(turn, one, two))
        black = np.append(black, np.where(turn, two, one))
        day = np.append(day, rng.integers(0, DAYS, one.size))
    at = strength[:, None] + now
    x, middle = at[white, day] - at[black, day] + ADVANTAGE, (at[white, day] + at[black, day]) / 2
    log_draw = LOG_DRAW + slope * middle
    share = np.exp(np.stack([-x / 2, log_draw, x / 2], axis=-1))
    share /= share.sum(axis=-1, keepdims=True)
    score = (rng.random(x.size)[:, None] >= share.cumsum(axis=-1)[:, :2]).sum(axis=-1) / 2.0
    names = np.array([f"Player {number:03d}" for number in range(strength.size)])
    date = np.datetime64("2020-01-01") + day
    table = GameTable(
        names, white.astype(np.int32), black.astype(np.int32), score, date=date, name="league", simulated=True
    )
    return table, at, names[:players]


def within(draws, value):
    """Mask of values between the 5% and 95% quantiles of draws, shape (draw, ...)."""
    low, high = np.quantile(draws, TAIL, axis=0)
    return (low <= value) & (value <= high)


def ranks(values):
    """Ranks over the last axis, 1 the largest."""
    return (-values).argsort(axis=-1).argsort(axis=-1) + 1


def judge(truth, seed, model):
    """Coverage by quantity, the list, and CPU seconds."""
    rng = np.random.default_rng([seed, 42])
    table, at, judged = league(truth, rng)
    began = time.process_time()
    rated = workflows.rate(table, model=model, draws=500)
    spent = time.process_time() - began
    posterior = rated.trace["posterior"].to_dataset()
    judged = judged[np.isin(judged, posterior["player"].to_numpy().astype(str))]
    here = np.isin(table.players, judged)
    drawn = (
        posterior["rating_elo"]
        .sel(player=judged)
        .transpose("chain", "draw", "player")
        .to_numpy()
        .reshape(-1, judged.size)
    )
    draw_rate = np.exp(LOG_DRAW) / (2.0 + np.exp(LOG_DRAW))
    scale = ELO_PER_NATURAL * (1.0 - draw_rate)
    known = scale * at[here, -1]
    one, two = np.triu_indices(judged.size, 1)
    found = {"differences": within(drawn[:, one] - drawn[:, two], known[one] - known[two]).mean()}
    order, true = ranks(drawn), ranks(known)
    lottery = rng.random(judged.size)
    at = (order < true).mean(axis=0) + lottery * (order == true).mean(axis=0)
    found["ranks"] = ((TAIL[0] < at) & (at < TAIL[1])).mean()
    best = (order == 1).mean(axis=0)
    above = best[best > best[true == 1]].sum()
    found["best"] = float(above + lottery[0] * best[true == 1][0] < 0.9)
    found["draw rate"] = float(within(posterior["draw_rate"].to_numpy().ravel(), draw_rate))
    found["first seat"] = float(within(posterior["advantage_elo"].to_numpy().ravel(), scale * ADVANTAGE))
    return found, rated, spent


TRUTHS = ("as assumed", "heavy tails", "improving", "draws by strength", "rare players")


def league_row(truth, seed, model):
    """Row of a league: coverage by quantity, warnings of `rate`, CPU seconds."""
    found, rated, seconds = judge(truth, seed, model)
    about = rated.about
    walks = str(about["model"]).endswith("-walk")
    warned = bool(walks or about["not_told"] or about["time"] or not rated.converged)
    shares = {name: float(share) for name, share in found.items()}
    return {"truth": truth, "seed": seed, "within": shares, "warned": warned, "walks": walks, "seconds": seconds}


def line(truth, rows):
    """Cells of a simulated model, from its leagues."""
    within = np.array([list(row["within"].values()) for row in rows])
    mean, error = 100.0 * within.mean(axis=0), 100.0 * within.std(axis=0) / np.sqrt(len(rows))
    cells = [f"{one:.1f} ± {other:.1f}" for one, other in zip(mean, error, strict=True)]
    warned, walks = (sum(row[name] for row in rows) for name in ("warned", "walks"))
    seconds = np.median([row["seconds"] for row in rows])
    return [truth, len(rows), *cells, f"{100.0 * warned / len(rows):.0f}", walks, f"{seconds:.2f}"]


def noted(truth, leagues):
    """On other seeds, shares with a random walk or a bound above multiples of the median sd, and shares of small p."""
    found = []
    for seed in range(leagues):
        table, _, _ = league(truth, np.random.default_rng([seed, 4242]))
        rated, known = workflows.rate(table, draws=500), in_time(select(table, table.players, "both"))
        unseen = known.longest / rated.frame["sd_elo"].median()
        found.append((np.inf if str(rated.about["model"]).endswith("-walk") else unseen, known.p))
    unseen, p = np.transpose(found)
    shares = [*(np.mean(unseen > limit) for limit in UNSEEN), *(np.mean(p < level) for level in LEVELS)]
    return [truth, leagues, *(f"{100.0 * share:.0f}" for share in shares)]


def main():
    """Print the table; leagues in a file of records are not rated again, and new ones are added to it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("truths", nargs="*", default=TRUTHS)
    parser.add_argument("--leagues", type=int, default=500)
    parser.add_argument("--model", default="auto")
    parser.add_argument("--kept", type=Path, default=Path(os.devnull))
    parser.add_argument("--noted", type=int, default=0, help="leagues of other seeds by limits of the note instead")
    asked = parser.parse_args()
    if asked.noted:
        heads = *(f"beyond {limit:g} sd, %" for limit in UNSEEN), *(f"p < {level:g}, %" for level in LEVELS)
        print(f"| truth | leagues | {' | '.join(heads)} |\n|---|{'--:|' * (1 + len(heads))}")
        for truth in asked.truths:
            print(f"| {' | '.join(map(str, noted(truth, asked.noted)))} |", flush=True)
        return
    mark = records.mark(f"python benchmarks/bench_coverage.py --leagues {asked.leagues}")
    rows = [json.loads(one) for one in asked.kept.read_text().splitlines()] if asked.kept.is_file() else []
    done = {(row["truth"], row["seed"]) for row in rows}
    with asked.kept.open("a") as kept:
        for one in product(range(asked.leagues), asked.truths):  # all truths get on alike
            if one[::-1] not in done:
                rows.append(league_row(one[1], one[0], asked.model))
                print(json.dumps(rows[-1]), file=kept, flush=True)
    print(f"# Coverage of the default of `rate`\n\n{mark}\n{__doc__}")
    heads = "truth", "leagues", "differences, %", "ranks, %", "best, %", "draw rate, %", "first seat, %"
    print(f"| {' | '.join(heads)} | warned, % | walks | CPU s, median |\n|---|{'--:|' * 9}")
    for truth in asked.truths:
        print(f"| {' | '.join(map(str, line(truth, [row for row in rows if row['truth'] == truth])))} |")


if __name__ == "__main__":
    main()
