r"""Checks of a fitted leaderboard: held-out battles and the audit.

    position        z = mean / sd of the advantage of being shown first; p = 2 Phi(-|z|)
    intransitivity  T = sum over pairs r_ij^2 / v_ij,  r_ij: score less expected score of a pair's judgements, v_ij: its
                    variance; compared with the T of judgements simulated from the posterior (posterior predictive)
    concentration   n_eff = 1 / sum_k share_k^2: the number of equally frequent judges with as much weight

Under a model of strengths and a position effect r_ij is pure chance; a circle (A beats B, B beats C, C beats A) remains
in r_ij. A test is significant if p < 0.01, so that a valid board fails one of the two tests in at most 2% of cases;
posterior predictive p-values tend to the middle, so that the second test is conservative. Concentration is not a test:
it is reported if one judge gives at least a tenth of the judgements, or if n_eff < 10.

Gelman, Meng & Stern (1996) Stat. Sinica 6:733 for posterior predictive discrepancies; Jiang, Lim, Yao & Ye (2011)
Math. Program. 127:203 for circles as the part not explained by strengths; Hirschman-Herfindahl's index for n_eff.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.stats import norm

from halfpoint.apps.fields.arena.clusters import LEAST, codes_of
from halfpoint.apps.fields.arena.fit import Board
from halfpoint.apps.fields.arena.refits import BoardRefits
from halfpoint.evaluation.differences import sum_difference
from halfpoint.evaluation.digits import decimals, interval
from halfpoint.evaluation.rating_list import interval_ends
from halfpoint.evaluation.scores import log_score, squared_error
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.gaussian.mode import mode
from halfpoint.models.declaration.declare_model import declare_model
from halfpoint.models.declaration.elo_scale import reader_of
from halfpoint.models.declaration.posterior_reader import draws_of
from halfpoint.models.formulas.rao_kupper import RAO_KUPPER
from halfpoint.models.games.components import unbounded_players
from halfpoint.models.games.table import Booleans, Codes, Floats, Integers
from halfpoint.models.language.model import Model
from halfpoint.models.study import bt
from halfpoint.systems.elo import Elo
from halfpoint.systems.k_factor import constant

ALPHA = 0.01
_LARGEST_SHARE, _FEWEST_JUDGES = 0.1, 10.0
_LEAST_VARIANCE = 0.5  # of a pair's score: about three judgements; fewer are no evidence of a circle


@dataclass(frozen=True)
class Finding:
    """Result of one check of an audit."""

    name: str  #: its name in JSON
    found: bool | None  #: whether the fault was found; None if the check only reports, or lacks data
    words: str  #: the answer, one sentence
    numbers: Mapping[str, object] = field(default_factory=dict)  #: the numbers on which it is based


def position_finding(
    first_wins: int, second_wins: int, worth_elo: Floats, sides: tuple[str, str], unit: str = "judgement"
) -> Finding:
    """Test of the first-position advantage, from its draws in Elo points, shape (draw,)."""
    mean, sd = float(worth_elo.mean()), float(worth_elo.std(ddof=1))
    p = float(2.0 * norm.sf(abs(mean) / sd)) if sd > 0 else 1.0
    share = first_wins / max(first_wins + second_wins, 1)
    low, high = interval_ends(worth_elo)
    worth = interval({"mean": mean, "low": low, "high": high}, noun=" Elo")
    digits = decimals(200.0 / np.sqrt(max(first_wins + second_wins, 1)))
    wins = f"{sides[0]} wins {100 * share:.{digits}f}% of the decided {unit}s; all else equal it"
    wins = wins if first_wins + second_wins else f"no {unit} is decided; {sides[0]}"
    words = f"{wins} is worth {worth}, which the ratings allow for"
    is_found = p < ALPHA if unit == "judgement" else None
    return Finding("position", is_found, words, {"share": share, "worth_elo": mean, "sd_elo": sd, "p": p})


def _by_pair(white: Codes, black: Codes, players: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """Number of each game's pair, and the sign of its first side: 1 for the smaller code."""
    low, high = np.minimum(white, black).astype(np.int64), np.maximum(white, black)
    return np.unique(low * players + high, return_inverse=True)[1].ravel(), np.where(white < black, 1.0, -1.0)


def _discrepancy(score: Floats, expected: Floats, variance: Floats, pair: Integers, sign: Floats) -> float:
    """Discrepancy T, the sum over pairs of squared standardised surplus."""
    count = int(pair.max()) + 1
    surplus = np.bincount(pair, sign * (score - expected), count)
    total = np.bincount(pair, variance, count)
    informative = total >= _LEAST_VARIANCE
    return float((surplus[informative] ** 2 / total[informative]).sum())


def intransitivity(
    white: Codes, black: Codes, score: Floats, draws: Iterable[Floats], players: int, seed: int = 7
) -> Finding:
    """Test whether head-to-head results fit the strengths; `draws` has probabilities (game, 3), a draw each."""
    pair, sign = _by_pair(white, black, players)
    rng = np.random.default_rng([seed, 8])
    observed, simulated = [], []
    for p in draws:
        expected = p[:, 2] + 0.5 * p[:, 1]
        variance = p[:, 2] + 0.25 * p[:, 1] - expected**2
        uniform = rng.random(score.size)
        again = np.where(uniform < p[:, 2], 1.0, np.where(uniform < p[:, 2] + p[:, 1], 0.5, 0.0))
        observed.append(_discrepancy(score, expected, variance, pair, sign))
        simulated.append(_discrepancy(again, expected, variance, pair, sign))
    exceedances = int((np.array(simulated) >= np.array(observed)).sum())
    p_value = (1 + exceedances) / (1 + len(simulated))
    ratio = float(np.mean(observed) / max(np.mean(simulated), 1e-12))
    words = (
        f"results of pairs differ from their expectation by {ratio:.2f} times the random variation "
        f"(posterior predictive p {p_value:.3f})"
    )
    numbers = {"ratio": ratio, "p": p_value, "pairs": int(pair.max()) + 1, "replications": len(simulated)}
    return Finding("intransitivity", p_value < ALPHA, words, numbers)


def concentration(judges: npt.NDArray[np.generic]) -> Finding:
    """Check whether few judges dominate."""
    names, counts = np.unique(judges, return_counts=True)
    share = counts / counts.sum()
    effective, top = float(1.0 / (share**2).sum()), int(np.argmax(share))
    is_found = bool(share[top] >= _LARGEST_SHARE or effective < _FEWEST_JUDGES)
    words = (
        f"{names.size:,} judges, equivalent to {effective:.0f} with equal numbers of judgements; "
        f"{str(names[top])[:40]} gives {share[top]:.1%} of the judgements"
    )
    numbers = {"judges": int(names.size), "effective": effective, "largest_share": float(share[top])}
    return Finding("concentration", is_found, words, numbers)


def swap_consistency(
    white: Codes, black: Codes, score: Floats, group: npt.NDArray[np.generic], sides: tuple[str, str] | None = None
) -> Finding | None:
    """Share of verdicts that stay with the seat if a pair is shown in the other order; None without such pairs."""
    low, high = np.minimum(white, black), np.maximum(white, black)
    key = pd.DataFrame({"group": group, "low": low, "high": high})
    turned = white > black
    if sides is not None:  # an opening that is played again makes another pair of games
        key["again"] = key.groupby([*key.columns, turned]).cumcount()
    number = key.groupby(list(key.columns), sort=False).ngroup().to_numpy()
    means = pd.DataFrame({"first": np.where(turned, np.nan, score), "second": np.where(turned, 1.0 - score, np.nan)})
    both_orders = means.groupby(number).mean().dropna()
    if both_orders.empty:
        return None
    pairs, first, second = len(both_orders), both_orders["first"], both_orders["second"]
    agree = float((first == second).mean())
    seat, last = (float(((a > 0.5) & (b < 0.5)).mean()) for a, b in ((first, second), (second, first)))
    words = (
        f"{pairs:,} pairs judged in both orders: {agree:.1%} get the same verdict, {seat:.1%} go to the answer "
        "shown first "
        f"both times and {last:.1%} to the answer shown second"
        if sides is None
        else f"{pairs:,} pairs of games with reversed seats: of {seat:.1%} {sides[0]} wins both games, of {last:.1%} "
        f"{sides[1]}"
    )
    numbers = {"pairs": pairs, "same": agree, "first_both_times": seat, "second_both_times": last}
    return Finding("both orders", None, words, numbers)


_HELD_OUT = 0.2
_FEWEST_HELD_OUT = 40
_REPLICATIONS = 200
_AHEAD = 100.0  # Elo points, at which the share of higher grades is reported
HALF_TIE = Model("half-tie", bt, {"strength": (0.0, 10.0)})
_K_FACTORS = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0)
_HALF = np.array([0.0, 0.5, 1.0])


def expected_log_score(expected: Floats, score: Floats) -> Floats:
    """Return -s log E - (1 - s) log(1 - E), a tie as half a win and half a loss: lower is better."""
    safe = np.clip(expected, 1e-12, 1.0 - 1e-12)
    return np.asarray(-score * np.log(safe) - (1.0 - score) * np.log1p(-safe))


def half_tie(board: Board, in_training: npt.NDArray[np.bool_]) -> Floats:
    """Strengths by Bradley-Terry with ties as half wins, natural units."""
    selection = board.declared.selection
    some = replace(selection, games=replace(selection.games), weight=selection.weight * in_training)
    strength = mode(declare_model(HALF_TIE, some)).values["strength"]
    return np.asarray(strength - strength.mean())


def _elo_expected(board: Board, in_training: npt.NDArray[np.bool_]) -> tuple[Floats, float]:
    """Expected scores by Elo for held-out judgements, and its K: the best on the last fifth of the training set."""
    games = board.games
    rows = np.flatnonzero(in_training)
    early, late = rows[: int(0.8 * rows.size)], rows[int(0.8 * rows.size) :]

    def foreseen(k: float, train: npt.NDArray[np.int64], test: Integers | Booleans) -> Floats:
        system = Elo(constant(k), update="game")
        system.learn(replace(games.take(train), period=None))
        return system.forecast(games.take(test)).expected_score

    losses = [expected_log_score(foreseen(k, early, late), games.score[late]).mean() for k in _K_FACTORS]
    best = _K_FACTORS[int(np.argmin(losses))]
    return foreseen(best, rows, ~in_training), best


def held_out(board: Board, seed: int) -> tuple[pd.DataFrame | None, list[Finding]]:
    """Score held-out battles, None if too few: this model, another tie formula, half-tie, Elo, base rates."""
    games = board.games
    rng = np.random.default_rng([seed, 9])
    in_training = rng.random(len(games)) >= _HELD_OUT
    rated = (
        np.bincount(np.concatenate([games.white[in_training], games.black[in_training]]), minlength=games.players.size)
        > 0
    )
    test = ~in_training & rated[games.white] & rated[games.black]
    in_training = ~test
    if test.sum() < _FEWEST_HELD_OUT:
        return None, []
    outcome, score = games.outcome[test], games.score[test]
    forecasts: dict[str, tuple[Floats | None, Floats]] = {}
    p = board.refits.probabilities(board.refits.on(in_training), test)
    forecasts["this board (Davidson)"] = p, p @ _HALF
    rao_kupper = BoardRefits(declare_model(board.declared.spec.but(formula=RAO_KUPPER), board.declared.selection))
    with suppress(InferenceError):
        p = rao_kupper.probabilities(rao_kupper.on(in_training, start=board.refits.whole), test)
        forecasts["Rao-Kupper ties"] = p, p @ _HALF
    strength = half_tie(board, in_training)
    expected = 1.0 / (1.0 + np.exp(strength[games.black] - strength[games.white]))
    forecasts["half-tie Bradley-Terry"] = None, expected[test]
    expected, k = _elo_expected(board, in_training)
    forecasts[f"Elo, K = {k:g}"] = None, expected
    rates = np.bincount(games.outcome[in_training], minlength=3) + 0.5
    base = np.repeat((rates / rates.sum())[None], int(test.sum()), axis=0)
    forecasts["base rates"] = base, base @ _HALF
    name, cluster = _unit_of_errors(board)
    labels, n = cluster[test], int(test.sum())
    losses = {system: expected_log_score(forecast, score) for system, (_, forecast) in forecasts.items()}
    gaps = [sum_difference(loss, next(iter(losses.values())), labels) for loss in losses.values()]
    frame = pd.DataFrame({
        "system": list(forecasts),
        "log_score": [np.nan if three is None else float(log_score(three, outcome).mean())
                      for three, _ in forecasts.values()],
        "expected_log_score": [float(loss.mean()) for loss in losses.values()],
        "squared_error": [float(squared_error(forecast, score).mean()) for _, forecast in forecasts.values()],
        "difference": [gap.mean / n for gap in gaps],
        "standard_error": [np.nan, *(gap.standard_error / n for gap in gaps[1:])],
    })  # fmt: skip
    frame.attrs |= {"held_out": n, "cluster": name}
    return frame, [_tie_convention(forecasts, outcome, labels, n)] if "Rao-Kupper ties" in forecasts else []


def _unit_of_errors(board: Board) -> tuple[str, npt.NDArray[np.int64]]:
    """Column by which errors of scores are clustered: the most correlated column, else the compared pair."""
    look, games = board.clusters.columns, board.games
    if len(look):
        name = str(look.sort_values("z", ascending=False)["cluster"].iloc[0])
        return name, codes_of(games.covariates[name])
    return "pair", _by_pair(games.white, games.black, games.players.size)[0]


def _tie_convention(forecasts: Any, outcome: Any, labels: Any, n: int) -> Finding:
    """Better formula of ties on held-out judgements, by the probabilities of three outcomes."""
    davidson, rao_kupper = (
        log_score(forecasts[name][0], outcome) for name in ("this board (Davidson)", "Rao-Kupper ties")
    )
    gap = sum_difference(rao_kupper, davidson, labels)
    mean, error = gap.mean / n, gap.standard_error / n
    better = "Davidson's" if mean > 0 else "Rao and Kupper's"
    verdict = (
        f"{better} ties forecast better" if abs(mean) > 2.0 * error else "no formula of ties is significantly better"
    )
    odds = f"{better} by odds of {np.exp(100.0 * abs(mean)):.1f} to 1 on 100 of them"
    words = f"{verdict} ({odds}); half points have no probability of a tie and are compared by expected scores"
    return Finding("tie convention", None, words, {"rao_kupper_less_davidson": mean, "standard_error": error})


def _probabilities_of_draws(board: Board, count: int) -> Iterator[Floats]:
    """Yield the probabilities of all judgements under draws of the model's posterior, shape (game, 3)."""
    draws = draws_of(board.own["posterior"].to_dataset())
    sides = reader_of(board.declared).at(draws, board.declared.game_rows)
    total = len(draws["strength"])
    for place in np.linspace(0, total - 1, min(count, total)).astype(int):
        draw = {name: value[[place]] for name, value in draws.items()}
        yield np.exp(sides.under(draw).log_probability())[0]


def grade_finding(board: Board) -> Finding:
    """Frequency of higher grades, between equals and for a stronger model."""
    posterior, grade = board.tree["posterior"].to_dataset(), board.games.grade
    cut, slope = posterior["grade_cut"].isel(grade=0), posterior["grade_slope"] * (_AHEAD / board.scale())
    share, chances = float((grade > 1).sum() / (grade > 0).sum()), dict[str, dict[str, float]]()
    for name, log_odds in (("equals", cut), ("ahead", cut + slope)):
        chance: Floats = 1.0 / (1.0 + np.exp(-log_odds.to_numpy().ravel()))
        low, high = interval_ends(chance, 0.95)
        chances[name] = {"mean": float(chance.mean()), "low": float(low), "high": float(high)}
    equals, ahead = (interval(summary, 100.0, "%") for summary in chances.values())
    words = (
        f"much better in {share:.0%} of the decided verdicts: {equals} between equals, {ahead} if the "
        f"better one is {_AHEAD:.0f} Elo ahead; forecasts are of losses, ties and wins without grades"
    )
    return Finding("grades", None, words, {"share": share, **chances})


def cluster_finding(board: Board) -> Finding:
    """Check whether judgements are correlated by judge or prompt, and whether the list allows for it."""
    look = board.clusters.columns
    if look.empty:
        what = "openings" if board.judgements.unit == "game" else "judges or prompts"
        return Finding("clusters", None, f"the file has fewer than {LEAST} {what}", {"columns": []})
    prompt = "opening" if board.judgements.unit == "game" else "prompt"
    clauses = [
        f"{prompt if row.cluster == 'prompt' else str(row.cluster)}: {row.clusters:,} of them, {row.median_ratio:.2f} "
        "times the model's standard deviations"
        f"{'' if row.found else ', within chance'}"
        for row in look.itertuples()
    ]
    numbers = {"columns": look.to_dict("records"), "median_ratio": float(board.clusters.ratio["all"].median())}
    words = "; ".join([*clauses, board.clusters.words]) if board.clusters.correlated_columns else "; ".join(clauses)
    return Finding("clusters", bool(board.clusters.correlated_columns), words, numbers)


def audit(board: Board, seed: int, replications: int = _REPLICATIONS) -> list[Finding]:
    """Results of all checks of the judgements and the fit."""
    games, judgements = board.games, board.judgements
    players, covariates = games.players.size, games.covariates
    met = int(_by_pair(games.white, games.black, players)[0].max()) + 1
    possible = players * (players - 1) // 2
    fewest = int(np.bincount(np.concatenate([games.white, games.black]), minlength=players).min())
    words = (
        f"all {players} {judgements.noun}s are joined; {met:,} of {possible:,} pairs met, no "
        f"{judgements.noun} has fewer than {fewest:,} {judgements.unit}s"
    )
    numbers = {"pairs_met": met, "pairs": possible, "fewest_judgements": fewest}
    findings = [Finding("connectivity", False, words, numbers)]
    names = games.players[unbounded_players(board.declared.cells)].tolist()
    words = f"{', '.join(names[:5])}: all won or all lost, kept finite by the population alone"
    words = words if names else "no model won or lost everything"
    findings.append(Finding("separation", bool(names), words, {"separated": names}))
    posterior = board.tree["posterior"].to_dataset()
    if "advantage_elo" in posterior:
        wins = int((games.score == 1.0).sum()), int((games.score == 0.0).sum())
        findings.append(
            position_finding(*wins, posterior["advantage_elo"].to_numpy().ravel(), judgements.sides, judgements.unit)
        )
    draws = _probabilities_of_draws(board, replications)
    findings.append(intransitivity(games.white, games.black, games.score, draws, players, seed))
    if "judge" in covariates:
        findings.append(concentration(covariates["judge"]))
    if "prompt" in covariates:
        group = covariates["prompt"]
        if "judge" in covariates:
            group = np.char.add(np.char.add(group, " | "), covariates["judge"])
        sides = judgements.sides if judgements.unit == "game" else None
        findings += filter(None, [swap_consistency(games.white, games.black, games.score, group, sides)])
    findings += [grade_finding(board)] if board.declared.spec.grades else []
    share = float(np.mean(covariates.get("both_bad", 0.0)))
    if share > 0.0:
        words = f"{share:.1%} of the judgements find both answers bad; they count as ties"
        findings.append(Finding("both bad", None, words, {"share": share}))
    return findings
