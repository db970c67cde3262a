"""Claims of the four texts about ratings, judged on public games: an estimate with its error, and a verdict.

Curves are judged by the half-point log loss, - s log E - (1 - s) log(1 - E), with White's advantage and the scale of a
lead fitted for each; systems by the log loss of forecasts made before a month's games are learned. Differences are
paired by game, with errors clustered by month if there are more than five months. A claim holds if the 95% interval of
its quantity is on its side, falls if on the other side, and else is undecided. Bridge's 50.0158% is judged by
arithmetic.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log10

import numpy as np
import pandas as pd
from scipy.optimize import minimize
from scipy.special import expit

from halfpoint.apps.workflows.answer import Answer
from halfpoint.apps.workflows.intake import games_from
from halfpoint.apps.workflows.options import Games
from halfpoint.evaluation.differences import sum_difference
from halfpoint.evaluation.first_sentences.comparisons import claims_judged
from halfpoint.evaluation.scores import Floats
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.packaged import packaged_rows
from halfpoint.models.games.periods import with_periods
from halfpoint.models.games.table import GameTable
from halfpoint.models.games.units import to_natural
from halfpoint.readers.datasets.study import games_2013, training_file
from halfpoint.systems.catalogue import system
from halfpoint.systems.curves import Curve, expected_score

_Z = 1.959964
_WEAK = 1 / 3  # share of the games, by mean rating, that are those of the weaker players
_FAR_ELO, _FEWEST = 200.0, 30
_VERDICTS = {"holds": ("holds", "hold"), "falls": ("fails", "fail"), "undecided": ("is undecided", "are undecided")}
_WARM = 3  # months that are learned and not judged
_K_ABOVE = 2400.0
_RESULTS = 22_000_000  # of the bridge thesis (chapter 5)
_ACCURACY = 0.500158


@dataclass(frozen=True)
class Finding:
    """Estimate of the quantity in a claim, from games."""

    claim: str  # its name in text_claims.csv
    quantity: str  # the estimated quantity, with its unit
    estimate: float
    error: float  # standard error; 0 where the number is exact
    bound: float  # the claim: the quantity is above this, below if `above` is False, near if None
    games: int
    data: str
    above: bool | None = True
    width: float = 0.0  # of a claim that the quantity is near the bound: how near

    @property
    def verdict(self) -> str:
        """Verdict on the claim: holds, falls or undecided."""
        low, high = self.estimate - _Z * self.error - self.bound, self.estimate + _Z * self.error - self.bound
        if self.above is None:
            inside = -self.width <= low and high <= self.width
            return "holds" if inside else "falls" if low > self.width or high < -self.width else "undecided"
        low, high = (low, high) if self.above else (-high, -low)
        return "holds" if low > 0.0 else "falls" if high < 0.0 else "undecided"


def _rated(games: GameTable) -> tuple[GameTable, Floats, Floats]:
    """Games between rated players, White's lead and the mean rating, shape (game,) each."""
    white, black = games.white_rating_elo, games.black_rating_elo
    if white is None or black is None:
        raise GameTableError(games.source, "ratings on the day of both players", "none")
    rows = np.flatnonzero(~(np.isnan(white) | np.isnan(black)))
    return games.take(rows), (white - black)[rows], ((white + black) / 2.0)[rows]


def half_point_loss(expected: Floats, score: Floats) -> Floats:
    """The half-point log loss of each game, nats."""
    p = np.clip(expected, 1e-12, 1.0 - 1e-12)
    return np.asarray(-(score * np.log(p) + (1.0 - score) * np.log1p(-p)))


def _fitted(lead: Floats, score: Floats, curve: Curve) -> Floats:
    """Losses of a curve with the best advantage and scale of a lead."""

    def loss(b: Floats) -> Floats:
        return half_point_loss(expected_score(b[0] + b[1] * lead, curve), score)

    return loss(minimize(lambda b: float(loss(b).sum()), np.array([35.0, 1.0]), method="Nelder-Mead").x)


def _clusters(games: GameTable) -> Floats:
    """Month of each game, shape (game,)."""
    return np.asarray(np.zeros(len(games)) if games.period is None else games.period, dtype=np.float64)


def mean_error(first: Floats, second: Floats, month: Floats) -> tuple[float, float]:
    """Mean paired difference per thousand games and its error, clustered by month if there are several."""
    labels = month if np.unique(month).size > 5 else None
    total = sum_difference(first, second, labels)
    return 1000.0 * total.mean / total.games, 1000.0 * total.standard_error / total.games


def _curves(games: GameTable) -> Iterator[Finding]:
    """Compare the logistic curve with the normal one."""
    rated, lead, mean = _rated(games)
    month, weak = _clusters(rated), mean <= np.quantile(mean, _WEAK)
    loss = {curve: _fitted(lead, rated.score, curve) for curve in ("logistic", "normal")}
    for claim, some in (("logistic fits better", np.ones(len(rated), bool)), ("above all for weak players", weak)):
        gap = mean_error(loss["normal"][some], loss["logistic"][some], month[some])
        yield Finding(claim, "normal less logistic, nats per 1000 games", *gap, 0.0, int(some.sum()), games.name)
    away = np.abs(lead) >= _FAR_ELO
    if away.sum() >= _FEWEST:
        side = np.sign(lead[away])
        won = np.where(side > 0, 1.0 - rated.score[away], rated.score[away])
        expected = 1.0 - expected_score(np.abs(lead[away]), "normal")
        surplus = won - expected
        points, error = 100.0 * surplus.mean(), 100.0 * float(surplus.std(ddof=1)) / np.sqrt(surplus.size)
        quantity = f"points of the weaker above the normal curve, {_FAR_ELO:.0f} Elo apart or more, %"
        yield Finding("the weaker win more than Elo says", quantity, points, error, 0.0, int(away.sum()), games.name)


def _slope(games: GameTable) -> Iterator[Finding]:
    """Estimate the factor of a lead in ratings: E = 1 / (1 + exp(-(h + b d)))."""
    rated, lead, _ = _rated(games)
    design = np.column_stack([np.ones(len(rated)), to_natural(lead)])
    fit = minimize(
        lambda b: float(half_point_loss(expit(design @ b), rated.score).sum()), np.array([0.0, 1.0]), method="BFGS"
    )
    p = expit(design @ fit.x)
    bread = np.linalg.inv(design.T @ (design * (p * (1.0 - p))[:, None]))
    scores = design * (rated.score - p)[:, None]  # half points vary less than wins and losses: sandwich
    error = float(np.sqrt((bread @ (scores.T @ scores) @ bread)[1, 1]))
    slope = float(fit.x[1])
    yield Finding(
        "a lead is worth less than it says", "slope of a lead", slope, error, 1.0, len(rated), games.name, False
    )
    yield Finding(
        "a lead of X is worth 5/6 X", "slope of a lead", slope, error, 5 / 6, len(rated), games.name, None, 0.05
    )


def _expected_points(games: GameTable) -> Iterator[Finding]:
    """Estimate the points of the stronger at leads of about 100 and 200."""
    rated, lead, _ = _rated(games)
    for elo, share in ((100.0, 0.64), (200.0, 0.76)):
        near = np.abs(np.abs(lead) - elo) <= 15.0
        if near.sum() < _FEWEST:
            continue
        points = np.where(lead[near] > 0, rated.score[near], 1.0 - rated.score[near])
        mean, error = 100.0 * points.mean(), 100.0 * float(points.std(ddof=1)) / np.sqrt(points.size)
        quantity = f"points of the stronger, {elo:.0f} Elo ahead, %"
        name = f"{elo:.0f} points are {100 * share:.0f}%"
        yield Finding(name, quantity, mean, error, 100 * share, points.size, games.name, None, 2.0)


def _draws(games: GameTable) -> Iterator[Finding]:
    """Estimate the log odds of a draw by the mean rating, per 100 points, at a given lead."""
    rated, lead, mean = _rated(games)
    drawn = (rated.score == 0.5).astype(np.float64)
    design = np.column_stack([np.ones(len(rated)), (mean - mean.mean()) / 100.0, np.abs(lead) / 100.0])
    fit = minimize(lambda b: float(half_point_loss(expit(design @ b), drawn).sum()), np.zeros(3), method="BFGS")
    p = expit(design @ fit.x)
    error = float(np.sqrt(np.linalg.inv(design.T @ (design * (p * (1.0 - p))[:, None]))[1, 1]))
    quantity = "log odds of a draw per 100 Elo of the mean rating"
    yield Finding("stronger players draw more", quantity, float(fit.x[1]), error, 0.0, len(rated), games.name)


def _forecasts(games: GameTable, name: str, numbers: Mapping[str, float]) -> Floats:
    """Expected scores by a system, each month forecast before it is learned; NaN in the first months."""
    spec = system(name)
    built, expected = spec.build({**spec.start, **numbers}), np.full(len(games), np.nan)
    assert games.period is not None
    for number, period in enumerate(np.unique(games.period)):
        rows = np.flatnonzero(games.period == period)
        part = games.take(rows)
        if number >= _WARM:
            expected[rows] = built.forecast(part).expected_score
        built.learn(part)
    return expected


def _rival(
    games: GameTable, claim: str, first: tuple[str, Mapping[str, float]], second: tuple[str, Mapping[str, float]],
    some: Floats | None = None,
) -> Iterator[Finding]:  # fmt: skip
    """Loss of the second system less the first's, which the claim prefers; empty without such games."""
    first_expected, second_expected = (_forecasts(games, name, numbers) for name, numbers in (first, second))
    is_forecast = ~(np.isnan(first_expected) | np.isnan(second_expected)) & (
        np.ones(len(games), bool) if some is None else some.astype(bool)
    )
    if is_forecast.sum() < _FEWEST:
        return
    score = games.score[is_forecast]
    gap = mean_error(
        half_point_loss(second_expected[is_forecast], score),
        half_point_loss(first_expected[is_forecast], score),
        _clusters(games)[is_forecast],
    )
    labels = [" ".join([name, *(f"{k}={v:g}" for k, v in numbers.items())]) for name, numbers in (second, first)]
    words = " less ".join(labels)
    yield Finding(claim, f"{words}, nats per 1000 games", *gap, 0.0, int(is_forecast.sum()), games.name)


def _ratings(games: GameTable) -> Iterator[Finding]:
    """Compare K 24 with 10, updates by game and by month, BCF's grading, and the error through time."""
    rated, _, mean = _rated(with_periods(games))
    above = (mean >= _K_ABOVE).astype(np.float64)
    yield from _rival(rated, "K 24 above 2400 is better than 10", ("elo", {"k": 24}), ("elo", {"k": 10}), above)
    yield from _rival(rated, "a period is better than single games", ("elo", {"k": 16}), ("elo-game", {"k": 16}))
    yield from _rival(rated, "Elo is better than BCF's grading", ("elo", {"k": 16}), ("performance-bcf", {}))
    expected = _forecasts(rated, "elo-game", {"k": 16.0})
    is_forecast = ~np.isnan(expected)
    if np.unique(_clusters(rated)[is_forecast]).size < 2:
        return
    month, loss = _clusters(rated)[is_forecast], half_point_loss(expected[is_forecast], rated.score[is_forecast])
    years = (month - month.mean()) / 12.0
    slope = float(years @ loss / (years @ years))
    residual = loss - loss.mean() - slope * years
    sums = np.bincount(np.unique(month, return_inverse=True)[1], weights=years * residual)
    error = float(np.sqrt(sums @ sums) / (years @ years))
    quantity = "growth of the loss of ratings by single games a year, nats per 1000 games"
    claim = "ratings by single games make the error grow"
    yield Finding(claim, quantity, 1000 * slope, 1000 * error, 0.0, int(is_forecast.sum()), games.name)


def _fifa(games: GameTable) -> Iterator[Finding]:
    """Compare FIFA's formula of 2018, a scale of 600 and no home advantage, with Elo's."""
    timed = with_periods(games)
    claim = "FIFA's formula of 2018 is better than Elo's"
    yield from _rival(timed, claim, ("fifa", {}), ("elo", {"k": 25}))
    yield from _rival(timed, "World Football Elo is better than FIFA's", ("world-football", {}), ("fifa", {}))


def _bridge_accuracy() -> Iterator[Finding]:
    """Estimate the distance of 50.0158% from chance in standard errors, by arithmetic.

    A forecast of 1/2 + e gains 2 e^2 / ln 10 of binomial deviance a result on average, with a spread of 2 e / ln 10.
    """
    gain = log10(_ACCURACY / 0.5)
    e = np.sqrt(gain * np.log(10.0) / 2.0)
    error = 2.0 * e / np.log(10.0) / np.sqrt(_RESULTS)
    claim = "50.0158% on 22 million results is better than a coin"
    quantity = "gain of 10^-deviance accuracy, in millionths of the deviance"
    yield Finding(claim, quantity, 1e6 * gain, 1e6 * error, 0.0, _RESULTS, "arithmetic")


_OF_CHESS: tuple[Callable[[GameTable], Iterator[Finding]], ...] = (_curves, _slope, _expected_points, _draws)


def text_claims(
    games: Games | None = None, football: Games | None = None, ratings: bool = True, further: Sequence[Finding] = ()
) -> Answer:
    """Judge the claims of the texts on public games.

    Parameters
    ----------
    games : str, Path, GameTable, DataFrame, or list of these, optional
        Rated games, each table judged separately; the two files of the study by default.
    football : str, Path or list of these, optional
        Games with margins for FIFA's formula and World Football Elo; without it these claims are left out.
    ratings : bool
        True if claims about systems are also judged; these rate all games: seconds to a minute.
    further : sequence of Finding
        Findings from other games, such as bridge.

    Returns
    -------
    Answer
        One row per claim and data set: claim, source, statement, quantity, estimate, standard_error, low, high, games,
        data, verdict.

    Raises
    ------
    HalfpointError
        If games cannot be read, or have no ratings.
    """
    tables = [training_file(), games_2013()] if games is None else [
        games_from(source) for source in (games if isinstance(games, list | tuple) else [games])
    ]  # fmt: skip
    findings = [finding for table in tables for of in _OF_CHESS for finding in of(table)]
    if ratings:
        findings += [finding for table in tables for finding in _ratings(table)]
    if football is not None:
        findings += list(_fifa(games_from(football)))
    findings += [*_bridge_accuracy(), *further]
    line_of = {line["claim"]: line for line in packaged_rows("apps.study", "text_claims.csv")}
    rows = [
        (finding.claim, line_of[finding.claim]["source"], line_of[finding.claim]["statement"], finding.quantity,
         finding.estimate, finding.error, finding.estimate - _Z * finding.error, finding.estimate + _Z * finding.error,
         finding.games, finding.data, finding.verdict)
        for finding in findings
    ]  # fmt: skip
    columns = ["claim", "source", "statement", "quantity", "estimate", "standard_error", "low", "high", "games", "data",
               "verdict"]  # fmt: skip
    frame = pd.DataFrame(rows, columns=columns)
    order = {name: place for place, name in enumerate(line_of)}
    frame = frame.sort_values("claim", key=lambda names: names.map(order), kind="stable", ignore_index=True)
    note = "95% intervals; each claim is tested on each data set separately."
    simulated = any(table.simulated for table in tables)
    title = "Claims of the texts on games (SIMULATED games)" if simulated else "Claims of the texts on public games"
    answer = claims_judged(frame["verdict"].tolist())
    about = {"title": title, "answer": answer, "note": note, "simulated": simulated}
    return Answer(frame, about)
