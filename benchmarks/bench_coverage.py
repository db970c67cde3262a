"""Coverage of `rate` without options: leagues simulated from five models, each rated as a file of games.

python benchmarks/bench_coverage.py leagues [--leagues 500] [--model ROW] [--kept FILE] [TRUTH ...]

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

p of the test of changing strengths for constant strengths: python benchmarks/bench_coverage.py moving.

SIMULATED truths of tests/helpers/moving_truths.py: constant strengths, and strengths that walk by 200 Elo during the
games.

Coverage of `rate` on matches of two players with few games and many draws.

    .venv/bin/python benchmarks/bench_coverage.py matches [--files 40] [--sd 100]

simulates matches of 2 to 20 games by Davidson's model, with alternating colours and no advantage, and rates each as
`rate` does. The two players draw 50% to 98% of their games, whatever their strengths, whose difference is normal with
standard deviation `--sd`, in Elo points of decided games. Prints for each number of games and share of draws: the share
of 95% intervals of the difference in Elo points of the expected score that contain the truth and their median width,
the same for the share of draws between the two, the same for matches with a draw, and CPU seconds a match.
"""

import argparse
import json
import os
import sys
import time
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import records
from scipy.stats import chi2, kstest, ncx2

from halfpoint.apps import workflows
from halfpoint.apps.workflows.suggest import in_time
from halfpoint.evaluation.movement import movement
from halfpoint.models.games.select import select
from halfpoint.models.games.table import GameTable
from halfpoint.models.games.units import ELO_PER_NATURAL

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "helpers"))
from moving_truths import DESIGNS, one_swiss

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


def main_of_leagues():
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
    mark = records.mark(f"python benchmarks/bench_coverage.py leagues --leagues {asked.leagues}")
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


STILL, MOVED = 500, 60
LEVELS_OF_MOVING = (0.01, 0.05, 0.1, 0.5, 0.9)


def probabilities(design, moved_elo: float, count: int):
    """p and the upper bound of the walk for simulated files, shape (file,), and the number of games of a file."""
    found = []
    for seed in range(count):
        white, black, score, day = design(np.random.default_rng([seed, 42]), moved_elo)
        seats = white.astype(np.int32), black.astype(np.int32)
        found.append(movement(*seats, score, day.astype(np.float64), np.zeros(score.size)))
    p, _, longest = np.array(found).T
    return p, longest, score.size


def of_leagues(count: int):
    """Mean non-centrality and power of a line for each player at the true parameters; share of significant p."""
    found, seen, levels = [], [], np.array(LEVELS_OF_MOVING[:3])
    for seed in range(count):
        table, at, _ = league("improving", np.random.default_rng([seed, 42]))
        day = (table.date - np.datetime64("2020-01-01")).astype(int)
        way, who, gain = day / (at.shape[1] - 1.0), np.arange(len(table)), at[:, -1] - at[:, 0]
        eta = at[table.white, day] - at[table.black, day] + ADVANTAGE
        share = np.exp(np.stack([-eta / 2, np.full(eta.size, LOG_DRAW), eta / 2]))
        _, draw, win = share / share.sum(axis=0)
        design = np.zeros((eta.size, 2 * PLAYERS + 1))
        for side, sign in ((table.white, 1.0), (table.black, -1.0)):
            design[who, side] += sign
            design[who, PLAYERS + side] += sign * way
        design[:, -1] = 1.0
        fisher = design.T @ (design * (win + draw / 4.0 - (win + draw / 2.0) ** 2)[:, None])
        lines = np.arange(PLAYERS, 2 * PLAYERS)
        rest = np.setdiff1d(np.arange(2 * PLAYERS + 1), lines)
        inner = np.linalg.pinv(fisher[np.ix_(rest, rest)]) @ fisher[np.ix_(rest, lines)]
        far = gain @ (fisher[np.ix_(lines, lines)] - fisher[np.ix_(lines, rest)] @ inner) @ gain
        found.append([far, *ncx2.sf(chi2.isf(levels, PLAYERS - 1), PLAYERS - 1, far)])
        seats = table.white, table.black
        seen.append(movement(*seats, table.score, day.astype(float), np.zeros(day.size))[0] < levels)
    return np.mean(found, axis=0), np.mean(seen, axis=0)


def main_of_moving():
    """Print the section."""
    SCALE = 2.0 / (2.0 + np.exp(0.1))  # Elo points of expected scores for one of natural units, at these draws
    print("# Whether strengths moved: p by design\n")
    print(records.mark("python benchmarks/bench_coverage.py moving"))
    print(
        f"Written by `python benchmarks/bench_coverage.py moving`: {STILL:,} SIMULATED files of still strengths a "
        f"design, {MOVED} of"
    )
    print(
        "strengths that walk by 100 and by 200 points of natural units (64 and 129 Elo, standard deviation) over the "
        "time;"
    )
    print(
        f"errors of shares of {STILL:,} are 0.4, 1.0, 1.3, 2.2 and 1.3 points. KS: p of Kolmogorov and Smirnov's test "
        "that"
    )
    print(
        "p is uniform. Longest: median of the walk that is said to be the longest possible; how often it held "
        "129 Elo.\n"
    )
    heads = "longest, still", "64 Elo: p < 0.1", "129 Elo: p < 0.01", "p < 0.1", "held"
    print(
        f"| design | games | {' | '.join(f'p < {level:g}' for level in LEVELS_OF_MOVING)} | KS | {' | '.join(heads)} |"
    )
    print(f"|---|--:|{'--:|' * (len(LEVELS_OF_MOVING) + 1 + len(heads))}")
    for name, design in {**DESIGNS, "one Swiss event": one_swiss}.items():
        still, bound, games = probabilities(design, 0.0, STILL)
        little, _, _ = probabilities(design, 100.0, MOVED)
        moved, longest, _ = probabilities(design, 200.0, MOVED)
        shares = " | ".join(f"{100 * np.mean(still < level):.1f}%" for level in LEVELS_OF_MOVING)
        found = np.mean(little < 0.1), np.mean(moved < 0.01), np.mean(moved < 0.1), np.mean(longest >= 200.0 * SCALE)
        seen = " | ".join(f"{share:.0%}" for share in found)
        ks = kstest(still, "uniform").pvalue
        print(f"| {name} | {games} | {shares} | {ks:.2g} | {np.median(bound):.0f} | {seen} |", flush=True)

    (far, *powers), seen = of_leagues(100)
    print(
        "\nHigher power is not possible with so few games. In the leagues of [coverage](defaults.md) three players in"
    )
    print(
        "ten gain 216 Elo over 400 games of twenty players. Rao's score of a line through time for each player, by "
        "Fisher's"
    )
    print(
        f"information at the true strengths, advantage and draws, has a non-centrality of {far:.1f} with 19 degrees of "
        "freedom:"
    )
    print(
        f"it detects {', '.join(f'{power:.0%}' for power in powers)} of such leagues at levels of 0.01, 0.05 and 0.1 "
        "(100"
    )
    print(
        f"leagues); the test, without this knowledge, {', '.join(f'{share:.0%}' for share in seen)}. A test that is not"
    )
    print("significant is no proof of constant strengths, so the output also has the upper bound of the walk.")


GAMES_OF_MATCHES, DRAWN = (2, 4, 8, 20), (0.5, 0.8, 0.98)
ELO, TAILS = 400.0 / np.log(10.0), (0.025, 0.975)


def expected(x, log_draw):
    """Expected score of the first of two players whose strengths differ by x, natural units."""
    win, lost, drawn = np.exp(x / 2.0), np.exp(-x / 2.0), np.exp(log_draw)
    return (win + drawn / 2.0) / (win + lost + drawn)


def elo_of(score):
    """Elo points of an expected score."""
    return ELO * (np.log(score) - np.log1p(-score))


def judged(games, drawn, sd, seed):
    """One match: coverage and widths of intervals of difference and draws, whether a game was drawn, CPU seconds."""
    rng = np.random.default_rng([seed, games, round(100 * drawn)])
    x = rng.normal(0.0, sd / ELO)
    log_draw = np.log(drawn / (1.0 - drawn)) + np.log(2.0 * np.cosh(x / 2.0))
    truth = elo_of(expected(x, log_draw))
    share = np.array([np.exp(-x / 2.0), np.exp(log_draw), np.exp(x / 2.0)])
    score = rng.choice([0.0, 0.5, 1.0], games, p=share / share.sum())
    turned = np.arange(games) % 2 == 1
    file = pd.DataFrame({
        "white": np.where(turned, "B", "A"), "black": np.where(turned, "A", "B"),
        "score": np.where(turned, 1.0 - score, score),
    })  # fmt: skip
    begun = time.process_time()
    found = workflows.rate(file)
    seconds = time.process_time() - begun
    posterior = found.trace["posterior"].to_dataset().stack(sample=("chain", "draw"))
    strength = posterior["strength"].sel(player=["A", "B"]).transpose("player", "sample").to_numpy()
    apart = strength[0] - strength[1]
    if "log_draw" in posterior:
        level = posterior["log_draw"].to_numpy()
        gap = elo_of(expected(apart, level))
        share = 1.0 / (1.0 + 2.0 * np.cosh(apart / 2.0) * np.exp(-level))
    else:
        gap, share = ELO * apart, np.zeros(apart.size)
    low, high = np.quantile(gap, TAILS)
    less, more = np.quantile(share, TAILS)
    held = less <= drawn <= more
    return low <= truth <= high, high - low, held, more - less, seconds, held if (score == 0.5).any() else np.nan


def main_of_matches():
    """Simulate matches and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=40)
    parser.add_argument("--sd", type=float, default=100.0)
    asked = parser.parse_args()
    print("| games | drawn, % | differences, % | width, Elo | draws, % | width, % | draws where any, % | CPU s |")
    print("|--:|--:|--:|--:|--:|--:|--:|--:|", flush=True)
    every = []
    for games in GAMES_OF_MATCHES:
        for drawn in DRAWN:
            found = np.array([judged(games, drawn, asked.sd, seed) for seed in range(asked.files)], dtype=float)
            every.append(found)
            print(row(f"{games} | {100 * drawn:.0f}", found), flush=True)
    print(row("all |", np.concatenate(every)))


def row(name, found):
    """Row of the table."""
    any_drawn = found[~np.isnan(found[:, 5])]
    means = [with_error(values[:, k]) for values, k in ((found, 0), (found, 2), (any_drawn, 5))]
    width, share, seconds = np.median(found[:, [1, 3, 4]], axis=0)
    return f"| {name} | {means[0]} | {width:.0f} | {means[1]} | {100 * share:.0f} | {means[2]} | {seconds:.2f} |"


def with_error(held):
    """Share in percent with its standard error."""
    return f"{100 * held.mean():.0f} ± {100 * held.std() / len(held) ** 0.5:.0f}"


if __name__ == "__main__":
    records.run(leagues=main_of_leagues, moving=main_of_moving, matches=main_of_matches)
