"""The margin index: its formulas step by step, simulated leagues with known truth, margins in any unit."""

import math
from dataclasses import replace

import numpy as np
import pytest
from rating_games import table
from scipy.stats import logistic, norm

from halfpoint.evaluation.rolling import roll
from halfpoint.evaluation.scores import log_score
from halfpoint.evaluation.tuning import tune
from halfpoint.models.games.errors import RatingSystemError
from halfpoint.models.games.periods import with_periods
from halfpoint.systems.catalogue import SYSTEMS
from halfpoint.systems.margin_index import MarginIndex

CUT, ADVANTAGE, NEWCOMER, SPREAD = 0.62, 0.4, -0.7, 1.9  # of the simulated leagues, in goals
SCALE = SPREAD * math.sqrt(3.0) / math.pi


def league(seed, seasons=6, clubs=20, unit=1.0, football=True):
    """A league that relegates its three weakest each year, with the true probabilities of loss, draw and win.

    Other sports have no draws, no shots, normal margins, and strengths with a larger spread.
    """
    rng = np.random.default_rng(seed)
    strength = {f"Club {number:03d}": rng.normal(0.0, 0.5 if football else 2.0) for number in range(clubs)}
    rows, truth = [], []
    for season in range(seasons):
        if season:
            for name in sorted(strength, key=strength.get)[:3]:
                del strength[name]
            mean = np.mean(list(strength.values()))
            new = [f"Club {clubs + 3 * season + k:03d}" for k in range(3)]
            strength |= {name: mean + NEWCOMER + rng.normal(0.0, 0.1) for name in new}
        day = np.datetime64(f"{2001 + season}-08-15")
        for matchday in range(38):
            for name in strength:
                strength[name] += rng.normal(0.0, 0.03)
            order = rng.permutation(list(strength))
            for home, away in zip(order[::2], order[1::2], strict=True):
                lead = strength[home] - strength[away] + ADVANTAGE
                noise, cut = (rng.logistic(0.0, SCALE), CUT * SCALE) if football else (rng.normal(0.0, SPREAD), 0.0)
                margin = lead + noise
                counts = [lead * 2.0 + rng.normal(0.0, 3.0), lead * 4.0 + rng.normal(0.0, 6.0)]
                score = 1.0 if margin > cut else 0.0 if margin < -cut else 0.5
                chance = logistic.cdf if football else norm.cdf
                win, loss = (chance(sign * lead - cut, scale=SCALE if football else SPREAD) for sign in (1.0, -1.0))
                truth.append((loss, 1.0 - loss - win, win))
                rows.append((day + np.timedelta64(7 * matchday, "D"), home, away, score, unit * margin, *counts))
    date, white, black, score, margin, target, every = zip(*rows, strict=True)
    columns = {"margin": np.array(margin)}
    if football:
        columns |= {"white_shots_on_target": 5.0 + np.array(target), "black_shots_on_target": np.full(len(rows), 5.0)}
        columns |= {"white_shots": 12.0 + np.array(every), "black_shots": np.full(len(rows), 12.0)}
    games = table(white, black, score, date=np.array(date), covariates=columns, simulated=True)
    return games, np.array(truth)


def step_by_step(games, system):
    """Forecasts of every game by the formulas, game by game without arrays."""
    slow, fast, last, advantage, played, found = {}, {}, {}, 0.0, 0, []
    squares, weights = [0.0] * 3, [0.0] * 3
    days = games.date.astype(int).tolist()
    pairs = [(f"white_{what}", f"black_{what}") for what in ("shots_on_target", "shots")]
    shares = (1.0, system.shots_on_target, system.shots)
    for day in sorted(set(days)):
        today = [row for row, when in enumerate(days) if when == day]
        there = [slow[name] for name in last if day - last[name] <= system.absence_days]
        mean = sum(there) / max(len(there), 1) + (system.newcomer if day - days[0] > system.absence_days else 0.0)
        leads = {}
        for row in today:
            leads[row] = [games.margin[row], *(games.covariates[w][row] - games.covariates[b][row] for w, b in pairs)]
        for column in range(3):
            known = [lead[column] ** 2 for lead in leads.values() if not math.isnan(lead[column])]
            squares[column] = 0.5 ** (len(known) / 200) * squares[column] + sum(known)
            weights[column] = 0.5 ** (len(known) / 200) * weights[column] + len(known)
        for row in today:
            for name in (games.white_names[row], games.black_names[row]):
                if name not in last or day - last[name] > system.absence_days:
                    slow[name], fast[name] = mean, 0.0
                else:
                    fast[name] *= math.exp(-system.decay / 365.25 * (day - last[name]))
                last[name] = day
        errors = {}
        for row in today:
            white, black = games.white_names[row], games.black_names[row]
            mu = slow[white] + fast[white] - slow[black] - fast[black] + advantage
            win, loss = 1 / (1 + math.exp(system.cut - mu)), 1 / (1 + math.exp(system.cut + mu))
            found.append((row, loss, 1 - loss - win, win))
            known = [column for column in range(3) if not math.isnan(leads[row][column])]
            total = sum(shares[c] * leads[row][c] / math.sqrt(squares[c] / weights[c]) for c in known)
            errors[row] = system.weight * total / sum(shares[c] for c in known) - mu
        for row, error in errors.items():
            for name, sign in ((games.white_names[row], 1.0), (games.black_names[row], -1.0)):
                slow[name] += sign * system.gain * error
                fast[name] += sign * system.fast_gain * error
        played += len(today)
        advantage += max(system.drift, 1.0 / played) * sum(errors.values())
    return np.array(sorted(found))[:, 1:]


def test_forecasts_are_those_of_the_formulas_step_by_step():
    games, _ = league(5, seasons=3, clubs=8)
    holes = {name: column.copy() for name, column in games.covariates.items()}
    holes["white_shots"][::7] = np.nan
    games = replace(games, covariates=holes)
    system = MarginIndex(0.03, 0.05, 1.6, 0.8, 0.4, 0.5, -0.4, 0.002, 2.0)
    found = roll(with_periods(games, "day"), system)
    assert found.outcome == pytest.approx(step_by_step(games, system), abs=1e-12)


def test_a_period_is_learned_day_by_day():
    games, _ = league(6, seasons=2, clubs=8)
    by_day, by_month = MarginIndex(fast_gain=0.02, decay=0.5), MarginIndex(fast_gain=0.02, decay=0.5)
    roll(with_periods(games, "day"), by_day)
    roll(with_periods(games, "month"), by_month)
    for key, value in by_month.state().items():
        if key not in ("clock", "names"):
            assert value == pytest.approx(by_day.state()[key], rel=1e-12, abs=1e-12)


def test_margins_in_another_unit_are_the_same():
    one, other = (with_periods(league(7, seasons=2, unit=unit)[0]) for unit in (1.0, 7.5))
    assert roll(one, MarginIndex()).outcome == pytest.approx(roll(other, MarginIndex()).outcome, abs=1e-12)


def test_mirrored_games_on_neutral_ground_get_mirrored_forecasts():
    games, _ = league(8, seasons=2, clubs=8)
    neutral = {"neutral": np.ones(len(games))}
    there = with_periods(replace(games, covariates=dict(games.covariates) | neutral))
    turned = {"white_shots_on_target": "black_shots_on_target", "white_shots": "black_shots"}
    turned |= {value: key for key, value in turned.items()}
    columns = {turned.get(name, name): column for name, column in there.covariates.items()}
    columns["margin"] = -columns["margin"]
    back = replace(there, white=there.black, black=there.white, score=1.0 - there.score, covariates=columns)
    found = roll(there, MarginIndex()).outcome
    assert roll(back, MarginIndex()).outcome == pytest.approx(found[:, ::-1], abs=1e-12)


@pytest.fixture(scope="module")
def seasons():
    games, truth = league(11)
    return with_periods(games), truth


def excess(games, truth, system, late):
    """Log score of a system relative to the true probabilities, with its error, for late games."""
    gap = log_score(roll(games, system).outcome, games.outcome) - log_score(truth, games.outcome)
    return gap[late].mean(), gap[late].std() / math.sqrt(late.sum())


@pytest.mark.slow
def test_a_simulated_league_is_forecast_nearly_as_by_its_truth(seasons):
    games, truth = seasons
    window = games.take(games.period < 37)
    late = games.period >= 37
    found = {}
    for name in ("index", "index-margin", "kappa-elo", "base-rates"):
        spec = SYSTEMS[name]
        found[name] = excess(games, truth, spec.build(tune(window, spec.build, spec.grid, spec.start).settings), late)
    assert found["index"][0] < 0.2 * found["base-rates"][0]  # the truth knows each strength of the day
    assert found["index"][0] < found["index-margin"][0] < found["kappa-elo"][0] < found["base-rates"][0]


def test_advantage_and_newcomers_are_found(seasons):
    games, _ = seasons
    system = MarginIndex()
    roll(games, system)
    strength = {name: system.sides.rating(name, "slow") for name in games.take(games.period > 60).players}
    old = [value for name, value in strength.items() if name < "Club 020"]
    new = [value for name, value in strength.items() if name > "Club 034"]
    assert np.mean(old) - np.mean(new) > 0.3
    # the index regresses to the logit: an advantage of 0.4 beside a spread of 1.05 goals a logit
    assert 0.2 < system.league[0] < 0.55


def test_another_sport_without_draws():
    games, truth = league(12, unit=6.0, football=False)
    assert not (games.score == 0.5).any()
    games = with_periods(games)
    window, late = games.take(games.period < 25), games.period >= 25
    spec = SYSTEMS["index-margin"]
    tuned = tune(window, spec.build, spec.grid, spec.start).settings
    assert tuned["cut"] == 0.0
    score = games.score[late]
    chances = roll(games, spec.build(tuned)).expected_score[late], truth[late, 2], np.full(score.size, 0.5)
    index, best, coin = (-np.log(np.where(score == 1.0, one, 1.0 - one)).mean() for one in chances)
    assert index - best < 0.15 * (coin - best)


def test_senseless_numbers_are_refused():
    with pytest.raises(RatingSystemError, match=r"margin index: expected cut >= 0, found -1"):
        MarginIndex(cut=-1.0)
