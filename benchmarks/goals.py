"""Goals in the default of `rate`, compared with the bookmaker: files until spring, and whole seasons.

    .venv/bin/python benchmarks/goals.py cut|frozen FOLDER YEAR,YEAR,... [BACK] [FACTS]
    .venv/bin/python benchmarks/goals.py laws|odds FOLDER YEAR,YEAR,...

FOLDER contains football-data's files of one league, E0_0001.csv to E0_2122.csv; a YEAR is the one in which a season
begins. `cut` rates the season before (BACK of them, 1 by default) and the season up to 28 February, and forecasts its
other games; `frozen` rates the BACK (5) seasons before, and forecasts the whole season. FACTS are those of `rate`:
auto, none, or both (by default). Prints for each year and pooled: log score in nats a game of the default, of the
default without facts, of Dixon and Coles' model (`dixon-coles`, one fit) and of Bet365 (in proportion); differences
from Bet365 with their standard errors over games; slope of the result (1, 1/2, 0) on the expected score; the mean
probability and the observed share of home wins; CPU seconds of `rate`.

`laws` compares distributions of goals and results by filters of strengths that walk from day to day; the models of
goals were chosen by it. Each distribution forecasts the games after 28 February of each season from the season before
and this season until then ("cut"), and whole seasons from the three before ("frozen"). A game moves strengths by one
step of Newton's method on its log likelihood in the difference of the sides. All distributions have the same parameters
in units of their own strengths (spread, newcomers, walk, advantage: `NUMBERS`), times the best of three scales for all
files together. It prints mean log scores and differences from Bet365 with standard errors over games.

`odds` compares, by the same filters at scale 1, what past games tell by the index of goals and shots, by Bet365's odds
before each of them, as goal differences that imply these odds, and by both.
"""

import sys
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.special import gammaln
from scipy.stats import norm

from halfpoint.apps.fields.football import odds_chances
from halfpoint.apps.workflows import forecast, rate
from halfpoint.models.formulas.football_index import index_in_goals
from halfpoint.models.games.periods import concatenate_tables
from halfpoint.models.games.select import select
from halfpoint.models.games.table import GameTable
from halfpoint.readers.read import read
from halfpoint.systems.catalogue import system

CUT = (2, 28)  # month and day of the last game that is learned
NUMBERS = {"spread": 0.56, "late": (-0.51, 0.36), "walk": 0.31, "advantage": (0.38, 0.2)}  # in goals
SCALES = (0.8, 1.0, 1.25)
LATE_DAYS, YEAR_DAYS = 200.0, 365.25
STEP = 1e-3
NODE, SHARE = np.polynomial.hermite_e.hermegauss(7)
SHARE = SHARE / SHARE.sum()
COUNT = np.arange(16)
SHAPE = 12.0  # of negative binomial goals
RESULT_SPREAD = 1.69  # of the law of results behind an index of goals and shots, in goals
SEEN = {  # spreads of what a past game tells of the gap, in goals: by goals and shots, and by odds; 0 is unused
    "goals and shots": (1.25, 0.0), "odds 0.3": (0.0, 0.3), "odds 0.5": (0.0, 0.5),
    "both, odds 0.3": (1.25, 0.3), "both, odds 0.6": (1.25, 0.6), "both, odds 1": (1.25, 1.0),
}  # fmt: skip
SHOCK = 0.1  # mean goals of both sides in common, of the bivariate Poisson


def season(folder: Path, year: int) -> tuple[GameTable, np.ndarray]:
    """Games of a season, and Bet365's chances of loss, draw and win."""
    path = folder / f"E0_{year % 100:02d}{(year + 1) % 100:02d}.csv"
    odds = pd.read_csv(path, encoding="latin-1")[["B365A", "B365D", "B365H"]].dropna(how="all")
    games = read(path)
    assert len(odds) == len(games)
    return games, odds_chances(odds.to_numpy(), "proportional")


def split(kind: str, folder: Path, year: int, back: int) -> tuple[GameTable, GameTable, np.ndarray, np.ndarray]:
    """Training games, test games, and chances of test games and of training games by Bet365."""
    before = [season(folder, past) for past in range(year - back, year)]
    games, odds = season(folder, year)
    late = np.ones(len(games), dtype=np.bool_)
    if kind == "cut":
        late = games.date > np.datetime64(f"{year + 1}-{CUT[0]:02d}-{CUT[1]:02d}")
        before.append((games.take(np.flatnonzero(~late)), odds[~late]))
    tables, chances = zip(*before, strict=True)
    return concatenate_tables(tables), games.take(np.flatnonzero(late)), odds[late], np.concatenate(chances)


def by_dixon_coles(past: GameTable, coming: GameTable) -> np.ndarray:
    """Chances by one fit of attacks and defences."""
    made = system("dixon-coles").build(system("dixon-coles").start)
    made.learn(past)
    return made.forecast(coming).outcome


def chances_of(kind: str, folder: Path, year: int, back: int, facts: list[str]):
    """Chances of each forecaster for the games of a year, their outcomes, and remarks."""
    past, coming, odds, _ = split(kind, folder, year, back)
    found, said = {}, []
    for fact in facts:
        begun, lines = time.process_time(), []
        rated = rate(past, facts=fact, say=lines.append)
        said.append(f"{rated.about['model']} {time.process_time() - begun:.1f} CPU s")
        said += [line.partition(" (--")[0] for line in lines if line.startswith("facts:")]
        frame = forecast(rated.trace, coming, new="all").frame
        found[f"rate, facts {fact}"] = frame[["loss_percent", "draw_percent", "win_percent"]].to_numpy() / 100.0
    found["dixon-coles"] = by_dixon_coles(past, coming)
    found["Bet365"] = odds
    return found, coming.outcome.astype(np.intp), f"{len(past)} before, {len(coming)} forecast; {'; '.join(said)}"


def report(title: str, found: dict[str, np.ndarray], outcome: np.ndarray) -> None:
    """Print scores of all forecasters on some games."""
    index = np.arange(outcome.size), outcome
    reference = -np.log(found["Bet365"][index])
    for name, chances in found.items():
        logs = -np.log(chances[index])
        apart = logs - reference
        expected = chances[:, 2] + chances[:, 1] / 2.0
        slope = np.cov(expected, outcome / 2.0)[0, 1] / expected.var(ddof=1)
        spread = expected.std() * np.sqrt(outcome.size)
        error = (outcome / 2.0 - outcome.mean() / 2.0 - slope * (expected - expected.mean())).std() / spread
        home = f"home {chances[:, 2].mean():.3f} of {(outcome == 2).mean():.3f}"
        print(f"{title:8s} {name:18s} {logs.mean():.4f}  {apart.mean():+.4f} ({apart.std() / apart.size**0.5:.4f})  "
              f"slope {slope:.2f} ({error:.2f})  {home}", flush=True)  # fmt: skip


def main(kind: str, folder: str, years: str, back: str = "", facts: str = "") -> None:
    """Print scores by year and pooled."""
    every, outcomes = {}, []
    seasons = int(back or {"cut": 1, "frozen": 5}[kind])
    for year in map(int, years.split(",")):
        found, outcome, said = chances_of(kind, Path(folder), year, seasons, [facts] if facts else ["auto", "none"])
        print(f"{year}: {said}", flush=True)
        report(str(year), found, outcome)
        outcomes.append(outcome)
        for name, chances in found.items():
            every.setdefault(name, []).append(chances)
    report("pooled", {name: np.concatenate(parts) for name, parts in every.items()}, np.concatenate(outcomes))


@dataclass(frozen=True)
class Law:
    """Log likelihood of a game's goals and chances of its results, by the difference of the sides."""

    log: object  # (gap, home goals, away goals) -> log likelihood
    chances: object  # (gap array) -> (..., 3): loss, draw, win
    unit: float = 1.0  # of strengths, in goals of the normal law


def davidson(gap):
    """Log chances of loss, draw and win."""
    logs = np.stack(np.broadcast_arrays(-gap / 2.0, -0.285, gap / 2.0), axis=-1)
    return logs - np.logaddexp.reduce(logs, axis=-1, keepdims=True)


def weighed(gap, home, away, more=0.0):
    """Davidson's log likelihood; a win by k goals counts 1 + `more` (k - 1) times."""
    return davidson(gap)[1 + int(np.sign(home - away))] * (1.0 + more * max(abs(home - away) - 1, 0))


def half_points(gap, home, away):
    """Draw as half a loss and half a win."""
    score = (1.0 + np.sign(home - away)) / 2.0
    return -score * np.logaddexp(0.0, -gap) - (1.0 - score) * np.logaddexp(0.0, gap)


def normal(gap, home, away, power=1.0, spread=1.58):
    """Power of the goal difference, normally distributed."""
    apart = np.sign(home - away) * abs(home - away) ** power
    return -0.5 * ((apart - gap) / spread) ** 2


def normal_chances(gap, half=0.58, spread=1.58):
    """Chances by a normal latent difference."""
    loss, win = norm.cdf((-half - gap) / spread), norm.cdf((gap - half) / spread)
    return np.stack([loss, 1.0 - loss - win, win], axis=-1)


def rates(gap):
    """Expected goals of both sides, whose product is 1.6."""
    return 1.265 * np.exp(gap / 2.0), 1.265 * np.exp(-gap / 2.0)


def poisson_logs(rate, count):
    """Log probabilities of counts."""
    return count * np.log(rate) - rate - gammaln(count + 1.0)


def negative_logs(rate, count):
    """Log probabilities of negative binomial counts of a mean."""
    share = SHAPE / (SHAPE + rate)
    known = gammaln(count + SHAPE) - gammaln(SHAPE) - gammaln(count + 1.0)
    return known + SHAPE * np.log(share) + count * np.log1p(-share)


def counts(gap, home, away, logs=poisson_logs):
    """Independent goals of both sides."""
    one, other = rates(gap)
    return logs(one, home) + logs(other, away)


def bivariate(gap, home, away):
    """Goals with a common Poisson term."""
    one, other = (np.maximum(rate - SHOCK, 0.05) for rate in rates(gap))
    both = np.arange(min(home, away) + 1)
    terms = poisson_logs(SHOCK, both) + poisson_logs(one, home - both) + poisson_logs(other, away - both)
    return np.logaddexp.reduce(terms)


def by_counts(gap, logs=poisson_logs, low=0.0, shock=0.0):
    """Chances of results; `low` is Dixon and Coles' correction of low scores."""
    one, other = (np.maximum(rate - shock, 0.05)[..., None] for rate in rates(gap))
    grid = np.exp(logs(one, COUNT))[..., :, None] * np.exp(logs(other, COUNT))[..., None, :]
    one, other = one[..., 0], other[..., 0]
    for x, y, factor in (
        (0, 0, 1 - one * other * low),
        (0, 1, 1 + one * low),
        (1, 0, 1 + other * low),
        (1, 1, 1 - low),
    ):
        grid[..., x, y] *= factor
    kind = 1 + np.sign(np.subtract.outer(COUNT, COUNT))
    found = np.stack([grid[..., kind == k].sum(axis=-1) for k in range(3)], axis=-1)
    return found / found.sum(axis=-1, keepdims=True)


def results(gap):
    """Chances by Davidson's formula."""
    return np.exp(davidson(gap))


def halves(gap):
    """Chances by Davidson's formula from strengths of half points."""
    return np.exp(davidson(1.35 * gap))


LAWS = {
    "half points": Law(half_points, halves, 0.95),
    "Davidson": Law(weighed, results, 1.3),
    "Davidson, wins by k goals count 1 + (k - 1) / 4": Law(partial(weighed, more=0.25), results, 1.3),
    "Davidson, wins by k goals count 1 + (k - 1) / 2": Law(partial(weighed, more=0.5), results, 1.3),
    "goal difference, normal (chosen)": Law(normal, normal_chances),
    "goal difference ^ 0.8, normal": Law(partial(normal, power=0.8, spread=1.3), partial(normal_chances, half=0.484,
                                                                                         spread=1.3), 0.82),
    "goal difference ^ 0.6, normal": Law(partial(normal, power=0.6, spread=1.1), partial(normal_chances, half=0.40,
                                                                                         spread=1.1), 0.7),
    "Poisson": Law(counts, by_counts, 0.8),
    "Poisson, low scores -0.05": Law(counts, partial(by_counts, low=-0.05), 0.8),
    "Poisson, low scores -0.1": Law(counts, partial(by_counts, low=-0.1), 0.8),
    "negative binomial": Law(partial(counts, logs=negative_logs), partial(by_counts, logs=negative_logs), 0.8),
    "bivariate Poisson": Law(bivariate, partial(by_counts, shock=SHOCK), 0.85),
}  # fmt: skip


def filtered(law, past, coming, scale=1.0, seasons=0.0, observed=None):
    """Chances of loss, draw and win of future games; `seasons` is the walk of the advantage, per year.

    `observed`: values (past game,) and standard deviations that past games tell of the gap, instead of their goals.
    """
    chosen = select(concatenate_tables([past, coming]), concatenate_tables([past, coming]).people)
    games, first_coming = chosen.games, len(past)
    white, black, day = chosen.white, chosen.black, games.date.astype(np.float64)
    home, away = (games.covariates[f"{side}_goals"].astype(np.int64) for side in ("white", "black"))
    size, unit = chosen.players.size, law.unit * scale
    first = np.full(size, np.inf)
    for side in (white, black):
        np.minimum.at(first, side, day)
    late = first > day.min() + LATE_DAYS
    mean = np.append(np.where(late, unit * NUMBERS["late"][0], 0.0), law.unit * NUMBERS["advantage"][0])
    spread = np.append(
        np.where(late, unit * NUMBERS["late"][1], unit * NUMBERS["spread"]), law.unit * NUMBERS["advantage"][1]
    )
    covariance, walk = np.diag(spread**2), (unit * NUMBERS["walk"]) ** 2 / YEAR_DAYS
    before = day.min()
    for game in np.argsort(day[:first_coming], kind="stable"):
        there = np.flatnonzero(np.where(late, first, -np.inf) <= day[game])
        covariance[there, there] += walk * (day[game] - before)
        covariance[-1, -1] += (law.unit * seasons) ** 2 / YEAR_DAYS * (day[game] - before)
        before = day[game]
        moved = covariance[white[game]] - covariance[black[game]] + covariance[-1]
        gap = mean[white[game]] - mean[black[game]] + mean[-1]
        if observed is None:
            below, at, above = (float(law.log(gap + sign * STEP, home[game], away[game])) for sign in (-1, 0, 1))
            slope, information = (above - below) / (2.0 * STEP), max((2.0 * at - below - above) / STEP**2, 0.0)
        else:
            known = [(value[game], spread) for value, spread in observed if np.isfinite(value[game])]
            slope = sum((value - gap) / spread**2 for value, spread in known)
            information = sum(1.0 / spread**2 for _, spread in known)
        step = moved / (1.0 + information * (moved[white[game]] - moved[black[game]] + moved[-1]))
        mean += step * slope
        covariance -= np.outer(step, information * moved)
    one, other, later = white[first_coming:], black[first_coming:], day[first_coming:] - before
    row = np.arange(one.size)
    moved = covariance[one] - covariance[other] + covariance[-1]
    wide = moved[row, one] - moved[row, other] + moved[:, -1] + later * walk * 2.0
    gap = (mean[one] - mean[other] + mean[-1])[:, None] + np.sqrt(wide)[:, None] * NODE
    return np.einsum("gnk,n->gk", law.chances(gap), SHARE)


def compare_laws(folder: str, years: str) -> None:
    """Print a table of goal distributions."""
    files = {
        "cut": [split("cut", Path(folder), int(year), 1) for year in years.split(",")],
        "frozen": [split("frozen", Path(folder), int(year), 3) for year in years.split(",")],
    }
    for name, law in LAWS.items():
        tries = []
        for scale in SCALES:
            logs = {}
            for kind, parts in files.items():
                logs[kind] = np.concatenate([
                    -np.log(filtered(law, past, coming, scale)[np.arange(len(coming)), coming.outcome.astype(int)])
                    for past, coming, *_ in parts
                ])  # fmt: skip
            tries.append((np.mean([one.mean() for one in logs.values()]), scale, logs))
        _, scale, logs = min(tries, key=lambda one: one[0])
        figures = []
        for kind, parts in files.items():
            bet = np.concatenate(
                [-np.log(odds[np.arange(len(coming)), coming.outcome.astype(int)]) for _, coming, odds, _ in parts]
            )
            apart = logs[kind] - bet
            figures.append(f"{kind} {logs[kind].mean():.4f} {apart.mean():+.4f} ({apart.std() / apart.size**0.5:.4f})")
        print(f"{name:50s} {'  '.join(figures)}  scale {scale:g}", flush=True)


def compare_odds(folder: str, years: str) -> None:
    """Print scores of forecasts from the shots, from the odds and from both of past games."""
    law = Law(None, partial(normal_chances, spread=RESULT_SPREAD))
    for kind, back in (("cut", 1), ("frozen", 3)):
        parts = [split(kind, Path(folder), int(year), back) for year in years.split(",")]
        outcome = np.concatenate([coming.outcome.astype(np.intp) for _, coming, *_ in parts])
        chances = {"Bet365": np.concatenate([odds for *_, odds, _ in parts])}
        for name, (of_shots, of_odds) in SEEN.items():
            by_year = []
            for past, coming, _, odds in parts:
                gap = RESULT_SPREAD * (norm.ppf(odds[:, 2]) - norm.ppf(odds[:, 0])) / 2.0
                observed = [(index_in_goals(past), of_shots), (gap, of_odds)]
                by_year.append(filtered(law, past, coming, observed=[pair for pair in observed if pair[1]]))
            chances[name] = np.concatenate(by_year)
        report(kind, chances, outcome)


if __name__ == "__main__":
    kinds = {"laws": compare_laws, "odds": compare_odds}
    kinds[sys.argv[1]](*sys.argv[2:]) if sys.argv[1] in kinds else main(*sys.argv[1:])
