"""Figures of the rating office: the study's sampler with its printed settings, and simulated tournaments.

    python benchmarks/bench_office.py sampler [MODEL ...]     three chains of 130,000 iterations on the study's games
    python benchmarks/bench_office.py tournaments             8 players, 128 and 200, compared with plain simulations
    python benchmarks/bench_office.py swiss                   a Swiss of 200, compared with a plain program, minutes
    python benchmarks/bench_office.py competition             Elo++ and others by the competition's protocol, simulated

The plain Swiss (`pairs_of`, `play`) is written from the documentation of `halfpoint.evaluation.pairing` without its
code; it needs an even number of players.

The protocol of the competition that Elo++ won: Elo versus the Rest of the World, Kaggle 2010.

65,053 games of 8,631 players over 100 months had results, 7,809 games of months 101 to 105 did not. A forecast is
White's expected score of each game; the criterion is the error of its sums by player and month:

    RMSE = sqrt( mean over (player, month) of (points scored - points expected)^2 )

Sonas (2010), kaggle.com/c/chess, "Evaluation"; Sismanis (2010), section 4. Files of the competition (Month #, White
Player #, Black Player #, Score) are read by `halfpoint.readers.read.read` with columns={"period": "Month #", "white":
"White Player #", "black": "Black Player #", "score": "Score"}; `simulated_competition` makes as many games.
"""

import sys
import time
from collections.abc import Mapping

import arviz as az
import numpy as np
import pandas as pd
import xarray as xr
from numba import njit

from halfpoint.apps.study.teaching import (
    Settings,
    brooks_gelman,
    geweke,
    heidelberger_welch,
    metropolis,
    raftery_lewis,
)
from halfpoint.evaluation.errors import EvaluationError
from halfpoint.evaluation.knockout import match_chances
from halfpoint.evaluation.scores import Floats, check_expected
from halfpoint.evaluation.tournament_options import Rules
from halfpoint.evaluation.tournaments import outlook
from halfpoint.models.declaration.catalogue import declare, find
from halfpoint.models.declaration.posterior_reader import Reading
from halfpoint.models.games.rating_system import Newcomer, RatingSystem
from halfpoint.models.games.select import select
from halfpoint.models.games.table import GameTable, code_players
from halfpoint.models.games.units import to_elo
from halfpoint.models.reading.reads import Reads
from halfpoint.models.reading.traits import Traits
from halfpoint.readers.datasets.study import monitored_names, training_file
from halfpoint.systems.elo import Elo
from halfpoint.systems.elo_plus_plus import EloPlusPlus
from halfpoint.systems.glicko import Glicko
from halfpoint.systems.k_factor import constant

PRINTED = {  # thesis, table 7: -mean(l) and sd(l); 4423.6 of bt-common is right for equal weights
    "bt": (4468.2, 0.10), "bt-common": (4423.6, 0.09), "bt-player": (4439.3, 0.07), "davidson": (6343.5, 0.16),
    "davidson-common": (6238.6, 0.28), "davidson-player": (6212.6, 0.11),
}  # fmt: skip


def sampler(names: list[str]) -> None:
    """Print the three chains of each model: means, their sd, and coda's tests."""
    chosen = select(training_file(), monitored_names())
    metropolis(declare("davidson", chosen, "computed"), Settings(20, 10, 1, 1, 5))  # compiled, or from the cache
    for name in names:
        chains = metropolis(declare(name, chosen, "computed"), Settings())
        likelihood = -chains.log_likelihood
        means = likelihood.mean(axis=1)
        print(f"{name}: {chains.seconds:.0f} s, acceptance {chains.acceptance.mean():.2f}")
        print(f"  -mean l of the chains {means.round(2).tolist()}, sd of the three {means.std(ddof=1):.3f}, all "
              f"{means.mean():.2f}; printed {PRINTED[name][0]}, sd {PRINTED[name][1]}; sd of l in a chain "
              f"{likelihood.std(axis=1).round(2).tolist()}")  # fmt: skip
        ess = float(az.ess(xr.DataArray(likelihood, dims=("chain", "draw"), name="l").to_dataset())["l"])
        rhat = float(az.rhat(xr.DataArray(likelihood, dims=("chain", "draw"), name="l").to_dataset())["l"])
        length = raftery_lewis(likelihood[0])
        print(f"  l: R-hat {rhat:.4f}, bulk ESS {ess:.0f} of {likelihood.size}, Geweke "
              f"{[round(geweke(c), 2) for c in likelihood]}, Raftery-Lewis I {length.dependence:.2f}, at rest "
              f"{[heidelberger_welch(c).at_rest for c in likelihood]}")  # fmt: skip
        rating = to_elo(chains.posterior["strength"].to_numpy())
        spread, posterior = rating.mean(axis=1).std(axis=0, ddof=1), rating.std(axis=(0, 1))
        found = brooks_gelman(rating)
        effective = az.ess(chains.posterior)
        print(f"  ratings: sd of three chain means {spread.mean():.2f} Elo on average, {spread.max():.2f} at most, "
              f"where the posterior's sds are {posterior.min():.1f} to {posterior.max():.1f}; bulk ESS "
              f"{float(effective['strength'].min()):.0f} to {float(effective['strength'].max()):.0f}; Brooks-Gelman "
              f"{found.estimate.max():.4f} at most, upper limit {found.upper.max():.4f}, multivariate "
              f"{found.multivariate:.4f}")  # fmt: skip
        for other in ("advantage", "log_draw"):
            if other in chains.posterior and chains.posterior[other].ndim == 2:
                value = chains.posterior[other].to_numpy()
                value = to_elo(value) if other == "advantage" else value
                print(f"  {other}: {value.mean():.3f}, sd {value.std():.3f}, chain means {value.mean(axis=1).round(3)}")


def truth(count: int, seed: int) -> Reading:
    """Davidson's model with known strengths, 100 Elo apart on average at the top."""
    strength = np.sort(np.random.default_rng(seed).normal(0.0, 0.6, count))[::-1].copy()[None]
    p = {"strength": strength, "advantage": np.array([0.2]), "log_draw": np.array([0.3])}
    model, names = find("davidson-common"), np.array([f"player {number:03d}" for number in range(count)])
    return Reading(model.name, Traits(draws=True, seats="common"), Reads(), "davidson", p, names, given=model)


def chances(reading: Reading) -> np.ndarray:
    """Loss, draw and win for White i against Black j by the formula, independently written."""
    g = reading.p["strength"][0]
    white, black, lam = g[:, None] + 0.2, g[None, :], 0.3
    parts = np.exp(np.stack(np.broadcast_arrays(black, lam + (white + black) / 2, white), axis=-1))
    return parts / parts.sum(axis=-1, keepdims=True)


def forecast(reading: Reading, rules: Rules, count: int, seed: int = 1):
    """Title chances in the order of the players, and seconds."""
    seat, names = np.arange(reading.players.size, dtype=np.int32), reading.players.tolist()
    outlook(reading, seat, names, rules, np.random.default_rng(0), 1, np.empty((0, 3)))  # compiled, or from the cache
    begun = time.perf_counter()
    found = outlook(reading, seat, names, rules, np.random.default_rng(seed), count, np.empty((0, 3)))
    return found.table.loc[names, "title"].to_numpy(), time.perf_counter() - begun


def print_row(
    what: str, ours: np.ndarray, plain: np.ndarray, count: int, plain_count: int, seconds: float, plain_s: float
):
    """Print the largest difference in units of its Monte Carlo error."""
    likely = plain > 0.001  # below it the counts are too few for a normal error
    error = np.sqrt(plain * (1 - plain) * ((1 / count if count else 0) + 1 / plain_count))[likely]
    z = (ours - plain)[likely] / error
    print(
        f"{what}: first player {ours[0]:.4f}, plain {plain[0]:.4f}; largest difference of {z.size} likely players "
        f"{np.abs(ours - plain).max():.5f}, {np.abs(z).max():.1f} of its errors; {seconds:.2f} s, plain {plain_s:.1f} s"
    )


def tournaments() -> None:
    """Print a double round robin of 8, a knockout of 128 and a Swiss of 200, compared with plain simulations."""
    rng, plain_count = np.random.default_rng(99), 1_000_000
    eight = truth(8, 1)
    ours, seconds = forecast(eight, Rules(cycles=2), 20_000)
    begun, table = time.perf_counter(), chances(eight)
    title = np.zeros(8)
    for _ in range(10):
        points = np.zeros((plain_count // 10, 8))
        for i in range(8):
            for j in range(8):
                if i != j:
                    outcome = rng.choice(3, size=plain_count // 10, p=table[i, j]) / 2
                    points[:, i] += outcome
                    points[:, j] += 1 - outcome
        best = points == points.max(axis=1, keepdims=True)
        title += (best / best.sum(axis=1, keepdims=True)).sum(axis=0)
    print_row(
        "double round robin of 8", ours, title / plain_count, 20_000, plain_count, seconds, time.perf_counter() - begun
    )
    many = truth(128, 2)
    ours, seconds = forecast(many, Rules("knockout", games=2), 1)
    begun, beats = time.perf_counter(), match_chances(chances(many), 2, "replay")
    lines = [0]
    while len(lines) < 128:
        lines = [one for line in lines for one in (line, 2 * len(lines) - 1 - line)]
    won = np.zeros(128)
    for _ in range(20):
        alive = np.tile(np.array(lines), (plain_count // 20, 1))
        while alive.shape[1] > 1:
            one, two = alive[:, ::2], alive[:, 1::2]
            alive = np.where(rng.random(one.shape) < beats[one, two], one, two)
        won += np.bincount(alive[:, 0], minlength=128)
    print_row("knockout of 128", ours, won / plain_count, 0, plain_count, seconds, time.perf_counter() - begun)
    swiss, rules = truth(200, 3), Rules("swiss", rounds=9)
    ours, seconds = forecast(swiss, rules, 20_000)
    more, plain_s = forecast(swiss, rules, 200_000, seed=2)
    print_row("Swiss of 200, 9 rounds, 200,000 more", ours, more, 20_000, 200_000, seconds, plain_s)


@njit(cache=False)
def candidate(place, step, half, size):
    """Place of the `step`-th candidate of the player at `place`, -1 if no candidate is left."""
    if place >= half:
        return place + 1 + step if place + 1 + step < size else -1
    below = size - (half + place)  # from their partner in the lower half downwards
    if step < below:
        return half + place + step
    before = step - below  # then upwards within the lower half
    if before < place:
        return half + place - 1 - before
    own = before - place  # then the next of their own half, and on
    return place + 1 + own if place + 1 + own < size else -1


@njit(cache=False)
def pairs_of(points, opponents):
    """Each player's partner and the boards in the order of pairing; players are in seed order."""
    players = points.size
    partner = np.full(players, -1)
    upper = np.zeros(players // 2, np.int64)
    boards = 0
    waiting = np.zeros(0, np.int64)
    for score in np.unique(points)[::-1]:
        group = np.concatenate((waiting, np.flatnonzero(points == score)))
        size, half = group.size, group.size // 2
        for place in range(size):
            step = 0
            while partner[group[place]] < 0:
                to = candidate(place, step, half, size)
                if to < 0:
                    break
                if partner[group[to]] < 0 and not opponents[group[place], group[to]]:
                    partner[group[place]], partner[group[to]] = group[to], group[place]
                    upper[boards] = group[place]
                    boards += 1
                step += 1
        waiting = group[partner[group] < 0]
    while waiting.size:  # all of them have met: break a pair up, from the last board on
        one, two = waiting[0], waiting[1]
        for board in range(boards - 1, -1, -1):
            a, b = upper[board], partner[upper[board]]
            if not opponents[one, a] and not opponents[two, b]:
                partner[one], partner[a], partner[two], partner[b] = a, one, b, two
                upper[board], upper[boards] = a, b
                break
            if not opponents[one, b] and not opponents[two, a]:
                partner[one], partner[b], partner[two], partner[a] = b, one, a, two
                upper[board], upper[boards] = a, b
                break
        if partner[one] < 0:
            partner[one], partner[two] = two, one
            upper[boards] = one
        boards += 1
        waiting = waiting[2:]
    return partner, upper


@njit(cache=False)
def play(table, rounds, tournaments, seed):
    """Number of titles of each player; shared titles count in parts."""
    np.random.seed(seed)  # noqa: NPY002  numba's own state
    players = table.shape[0]
    titles = np.zeros(players)
    for _ in range(tournaments):
        points = np.zeros(players)
        opponents = np.zeros((players, players), np.bool_)
        balance = np.zeros(players, np.int64)  # Whites less Blacks
        previous = np.zeros(players, np.int64)
        for number in range(rounds):
            partner, upper = pairs_of(points, opponents)
            for board in range(players // 2):
                white, black = upper[board], partner[upper[board]]
                if balance[white] != balance[black]:
                    swap = balance[white] > balance[black]
                elif previous[white] != previous[black]:
                    swap = previous[white] > previous[black]
                else:
                    swap = (board + number) % 2 == 1
                if swap:
                    white, black = black, white
                luck = np.random.random()  # noqa: NPY002
                if luck < table[white, black, 2]:
                    points[white] += 1.0
                elif luck < table[white, black, 2] + table[white, black, 1]:
                    points[white] += 0.5
                    points[black] += 0.5
                else:
                    points[black] += 1.0
                opponents[white, black] = opponents[black, white] = True
                balance[white] += 1
                balance[black] -= 1
                previous[white], previous[black] = 1, -1
        best = points == points.max()
        titles += best / best.sum()
    return titles


def swiss() -> None:
    """Print title chances of a Swiss of 200 in nine rounds by `outlook` and by 1,000,000 plain tournaments."""
    reading, many = truth(200, 3), 1_000_000
    ours, seconds = forecast(reading, Rules("swiss", rounds=9), 20_000)
    play(chances(reading), 9, 1, 1)  # compiled
    begun = time.perf_counter()
    title = play(chances(reading), 9, many, 7) / many
    print_row("Swiss of 200, 9 rounds", ours, title, 20_000, many, seconds, time.perf_counter() - begun)
    longer, seconds = forecast(reading, Rules("swiss", rounds=9), 200_000, seed=2)
    print_row("the same, 200,000 of ours", longer, title, 200_000, many, seconds, time.perf_counter() - begun)


def competition() -> None:
    """Print the competition's RMSE of systems on simulated games of its size, three times."""
    start = Newcomer(2200.0, from_day=False)
    for seed in (1, 2, 3):
        training, test, truth = simulated_competition(seed)
        systems = {
            **{f"Elo, K {k}": Elo(constant(k), advantage_elo=35.0, newcomer=start) for k in (20.0, 32.0, 50.0)},
            **{f"Elo++, pull {pull}": EloPlusPlus(pull, newcomer=start) for pull in (0.1, 0.77)},
            "Glicko": Glicko(15.0, 350.0, 35.0, start),
        }
        begun = time.perf_counter()
        found = compete(training, test, systems)
        line = ", ".join(f"{row.system} {row.rmse:.4f}" for row in found.itertuples())
        print(f"seed {seed}: truth {monthly_error(test, truth):.4f}, {line}; {time.perf_counter() - begun:.0f} s")


PLAYERS, MONTHS, TEST_MONTHS = 8_631, 100, 5
GAMES, TEST_GAMES = 65_053, 7_809


def monthly_error(games: GameTable, expected_score: Floats) -> float:
    """RMSE of the competition over players and months; lower is better."""
    if games.period is None:
        raise EvaluationError(games.source, "a period for each game", "none")
    expected, score = check_expected(expected_score, games.score)
    surplus = score - expected
    player = np.concatenate([games.white, games.black]).astype(np.int64)
    month = np.concatenate([games.period, games.period])
    _, cell = np.unique(np.stack([player, month]), axis=1, return_inverse=True)
    total = np.bincount(cell.ravel(), np.concatenate([surplus, -surplus]))
    return float(np.sqrt(np.mean(total**2)))


def compete(training: GameTable, test: GameTable, systems: Mapping[str, RatingSystem]) -> pd.DataFrame:
    """RMSE of rating systems that learn only the training months, best first.

    Systems are new ones by name, which the function updates. Columns system and rmse.
    """
    if training.period is None:
        raise EvaluationError(training.source, "a period for each game", "none")
    rows = []
    for name, system in systems.items():
        for period in np.unique(training.period):
            system.learn(training.take(training.period == period))
        expected = np.empty(len(test))
        for month in () if test.period is None else np.unique(test.period):
            here = test.period == month
            expected[here] = system.forecast(test.take(here)).expected_score
        rows.append((name, monthly_error(test, expected)))
    return pd.DataFrame(rows, columns=["system", "rmse"]).sort_values("rmse", kind="stable").reset_index(drop=True)


def simulated_competition(seed: int = 1, scale: float = 1.0) -> tuple[GameTable, GameTable, Floats]:
    """SIMULATED training and test games of the competition's size, and White's true expected scores in the test.

    Strengths are normal with sd 200 Elo and walk by 10 Elo a month; players of similar strength meet, some play ten
    times as often as others, White's advantage is 35 Elo, and no rating is printed, as in the competition.
    """
    rng = np.random.default_rng(seed)
    players = max(4, round(PLAYERS * scale))
    counts = rng.multinomial(round(GAMES * scale), np.full(MONTHS, 1.0 / MONTHS))
    after = rng.multinomial(round(TEST_GAMES * scale), np.full(TEST_MONTHS, 1.0 / TEST_MONTHS))
    strength = rng.normal(0.0, 200.0, players)
    activity = rng.gamma(0.5, 1.0, players)
    names = np.array([f"{number}" for number in range(players)])
    parts: list[tuple[Floats, ...]] = []
    for number, count in enumerate([*counts.tolist(), *after.tolist()], 1):
        strength = strength + rng.normal(0.0, 10.0, players)
        white = rng.choice(players, count, p=activity / activity.sum())
        order = np.argsort(strength)
        rank = np.empty(players, dtype=np.int64)
        rank[order] = np.arange(players)
        step = rng.integers(1, max(2, players // 8), count) * rng.choice((-1, 1), count)
        black = order[(rank[white] + step) % players]
        black = np.where(black == white, order[(rank[white] + 1) % players], black)
        expected = 1.0 / (1.0 + 10.0 ** (-(strength[white] - strength[black] + 35.0) / 400.0))
        half = 0.35 * 2.0 * np.minimum(expected, 1.0 - expected)  # draws
        uniform = rng.random(count)
        score = np.where(uniform < expected - half / 2, 1.0, np.where(uniform < expected + half / 2, 0.5, 0.0))
        parts.append((white, black, score, np.full(count, number), expected))
    white, black, score, month, expected = (np.concatenate(column) for column in zip(*parts, strict=True))
    tables = []
    for here in (month <= MONTHS, month > MONTHS):
        known, one, two = code_players(names[white[here].astype(int)], names[black[here].astype(int)])
        period = month[here].astype(np.int64)
        tables.append(GameTable(known, one, two, score[here], period, name="SIMULATED competition", simulated=True))
    return tables[0], tables[1], expected[month > MONTHS]


if __name__ == "__main__":
    words = sys.argv[1:]
    if words[:1] in ([], ["sampler"]):
        sampler(words[1:] or list(PRINTED))
    if words in ([], ["tournaments"]):
        tournaments()
    if words == ["swiss"]:
        swiss()
    if words in ([], ["competition"]):
        competition()
    if words and words[0] not in ("sampler", "tournaments", "swiss", "competition"):
        sys.exit(__doc__)
