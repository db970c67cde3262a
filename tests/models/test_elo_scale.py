"""Elo points: the expected score of every model has Elo's slope between equals."""

import numpy as np
import pymc as pm
import pytensor.tensor as pt
import pytest
import xarray as xr
from composed import Common, DrawParameter, Model, Nothing, PerPlayer, about
from covering_rows import by_row
from extended_games import truth
from scipy import stats

from halfpoint.inference.traces.trace_record import attributes_of, constant_data
from halfpoint.models.declaration.catalogue import FURTHER, TWELVE, declare, find
from halfpoint.models.declaration.elo_scale import ratings_in_elo, reading_from, scale_of
from halfpoint.models.declaration.posterior_reader import reading_of
from halfpoint.models.formulas.bradley_terry import HALF_POINTS, bernoulli
from halfpoint.models.formulas.davidson import DAVIDSON, davidson
from halfpoint.models.formulas.outcome import Outcome
from halfpoint.models.formulas.rao_kupper import RAO_KUPPER
from halfpoint.models.games.select import select
from halfpoint.models.games.table import GameTable, code_players
from halfpoint.models.games.units import ELO_PER_NATURAL
from halfpoint.models.language.populations import MIDDLE

ROWS = (*TWELVE, *FURTHER)  # `strength` of models around a printed list is what the list misses
STEP = 0.01  # Elo points
SLOPE = np.log(10) / 1600  # of Elo's curve at equality: d/dD 1 / (1 + 10^(-D / 400))


def games(monitored=4, anchors=0, every=1):
    """Games in two periods between monitored players, and with anchored ones rated 1400, 1500, ..."""
    names = np.array([f"p{number}" for number in range(monitored + anchors)])
    white, black = np.divmod(np.arange(names.size**2), names.size)
    white, black = white[white != black], black[white != black]
    players, white, black = code_players(names[white], names[black])
    rating = 1000.0 + 100 * np.arange(names.size)
    table = GameTable(
        players, white, black, np.resize([1.0, 0.5, 0.0], white.size), np.resize([1, 1 + every], white.size),
        white_rating_elo=rating[white], black_rating_elo=rating[black],
        covariates={"rapid": np.resize([0.0, 0.0, 1.0], white.size), "margin": np.resize([2.0, 0.0, -1.0], white.size)},
        name="test", simulated=True,
    )  # fmt: skip
    return select(table, names[:monitored], "any")


def posterior_of(declared, strengths, advantage, log_draw=0.8):
    """Posterior of one draw with these strengths (natural), advantage (natural) and draw parameter."""
    entry, players = declared.spec, declared.selection.players
    p = truth(entry, players.size, 1, months=2)
    p |= {"strength": np.asarray(strengths)[None], "advantage": np.array([advantage])}
    if about(entry).walks:
        p["strength"] = np.stack([np.zeros((1, players.size)), p["strength"]], axis=-1)  # the last month counts
    if "draw_tendency" in p:
        p["draw_tendency"] = np.zeros((1, players.size))
    if about(entry).outcome.lam in p:
        p[about(entry).outcome.lam] = np.array([log_draw])
    halves = about(entry).kind in ("player", "pooled")
    if halves:
        p["advantage"] = np.full((1, players.size), advantage)
    if about(entry).kind == "none":
        del p["advantage"]
    last = {"strength": ["player", "month"] if about(entry).walks else ["player"]}
    last |= {"draw_tendency": ["player"], "advantage": ["player"] if halves else []}
    last |= {name: [f"{name.removesuffix('_effect')}_term"] for name in p if name.endswith("_effect")}
    data = {name: (["chain", "draw", *last.get(name, [])], value[None]) for name, value in p.items()}
    terms = {name: list(labels) for name, labels in declared.coords.items() if name.endswith("_term")}
    return xr.Dataset(data, coords={"player": players.astype(object)} | terms)


def score(declared, posterior):
    """White's expected score by the model's formula, the first player against the second."""
    kept = constant_data(declared)
    tree = xr.DataTree.from_dict({"posterior": posterior, "constant_data": kept})
    tree.attrs = attributes_of(declared, posterior)
    probability = reading_of(tree).pairing(np.array([0], np.int32), np.array([1], np.int32))[0, 0]
    return float((probability[2] + probability[1] / 2) / probability.sum())


def rating_of(declared, posterior):
    return ratings_in_elo(declared, posterior)["rating_elo"].to_numpy().ravel()


def is_scaled(name):
    """True if the model has its own scale of anchors."""
    return about(name).scale and "rated_spread" not in about(name).names


@pytest.mark.parametrize(
    ("name", "anchors"),
    by_row([*((name, 0) for name in ROWS), *((name, 3) for name in ROWS)], also=("davidson-rated",)),
)
def test_a_point_between_equals_is_worth_elos_slope(name, anchors):
    """Finite differences of the model's expected score over those of its ratings."""
    anchors *= not is_scaled(name)
    declared = declare(name, games(anchors=anchors, every=about(find(name)).every), "described")
    for log_draw in (-1.0, 0.8, 2.5):
        strengths = np.full((2, 4), MIDDLE)
        strengths[:, 0] += np.array([1, -1]) * STEP / ELO_PER_NATURAL
        two = [posterior_of(declared, one, 0.0, log_draw) for one in strengths]
        gained = score(declared, two[0]) - score(declared, two[1])
        points = rating_of(declared, two[0])[0] - rating_of(declared, two[1])[0]
        assert gained / points == pytest.approx(SLOPE, rel=1e-6)


@pytest.mark.parametrize("name", by_row(ROWS, also=("davidson-scaled", "rao-kupper-all-draws", "margin-t")))
def test_who_is_as_strong_as_an_anchor_has_its_rating(name):
    if "rated_spread" in about(name).names:
        return
    if not is_scaled(name):
        declared = declare(name, games(anchors=3, every=about(name).every), "described")
        strengths = (1500.0 + np.array([0.0, 100.0, -200.0, 50.0])) / ELO_PER_NATURAL
        rating = rating_of(declared, posterior_of(declared, strengths, 0.3))
        share = declared.outcome.elo_per_natural(0.8) / ELO_PER_NATURAL
        assert rating == pytest.approx(1500.0 + share * np.array([0.0, 100.0, -200.0, 50.0]))
        return
    declared = declare(name, games(anchors=3))
    rated = np.array([1400.0, 1500.0, 1600.0, 2400.0])
    posterior = posterior_of(declared, np.zeros(4), 0.3)
    kappa = posterior["anchor_scale"].item()
    middle = posterior["anchor_level"].item() if "anchor_level" in posterior else MIDDLE
    strengths = middle + kappa * (rated / ELO_PER_NATURAL - middle)
    posterior = posterior_of(declared, strengths, 0.3)
    assert rating_of(declared, posterior) == pytest.approx(rated)
    assert ratings_in_elo(declared, posterior)["advantage_elo"].item() == pytest.approx(0.3 * ELO_PER_NATURAL / kappa)


@pytest.mark.parametrize("name", by_row(ROWS))
def test_the_advantage_is_what_the_same_points_of_rating_are_worth(name):
    declared = declare(name, games(every=about(find(name)).every), "described")
    found = ratings_in_elo(declared, posterior_of(declared, np.full(4, MIDDLE), 0.4))
    if about(declared.spec).kind == "none":
        assert "advantage_elo" not in found
        return
    whole = found["advantage_elo"]
    assert whole.dims == (("chain", "draw", "player") if whole.ndim == 3 else ("chain", "draw"))
    assert (whole.ndim == 3) == (about(declared.spec).kind in ("player", "pooled"))
    value = float(whole.to_numpy().ravel()[0])
    better = np.full(4, MIDDLE)
    slope = rating_of(declared, posterior_of(declared, better + 1.0, 0.0))[0]
    slope -= rating_of(declared, posterior_of(declared, better, 0.0))[0]  # points of a natural unit
    better[0] += value / slope
    if "draw_slope" in about(declared.spec).names:
        better -= value / slope / 2  # draws depend on the pair's mean strength: keep it
    one, other = (
        score(declared, posterior_of(declared, strengths, advantage))
        for strengths, advantage in ((better, 0.0), (np.full(4, MIDDLE), 0.4))
    )
    assert one == pytest.approx(other, abs=1e-12)


@pytest.mark.parametrize("name", by_row(ROWS))
def test_the_draw_rate_is_that_of_two_equals_without_advantage(name):
    declared = declare(name, games(every=about(find(name)).every), "described")
    posterior = posterior_of(declared, np.full(4, MIDDLE), 0.0, 1.3)
    found = ratings_in_elo(declared, posterior)
    if not about(declared.spec).draws:
        assert "draw_rate" not in found
        return
    kept = constant_data(declared)
    tree = xr.DataTree.from_dict({"posterior": posterior, "constant_data": kept})
    tree.attrs = attributes_of(declared, posterior)
    drawn = reading_of(tree).pairing(np.array([0], np.int32), np.array([1], np.int32))[0, 0, 1]
    assert found["draw_rate"].item() == pytest.approx(drawn)
    half = 0.5 * np.exp(-1.3)  # of margins: what rounds to 0
    closed = {"margin_normal": 2 * stats.norm.cdf(half) - 1, "margin_t": 2 * stats.t.cdf(half, 4) - 1}
    expected = closed.get(declared.outcome.name, np.exp(1.3) / (2 + np.exp(1.3)))
    assert found["draw_rate"].item() == pytest.approx(expected)


def test_a_formulas_scale_is_its_closed_form():
    """Davidson 2 / (2 + e^lam), Rao and Kupper 4 theta / (1 + theta)^2, both 1 - r and 1 - r^2 of the draw rate r."""
    lam = np.linspace(-6.0, 6.0, 25)
    theta, rate = 1 + np.exp(lam), np.exp(lam) / (2 + np.exp(lam))
    davidson, rao_kupper = (outcome.elo_per_natural(lam) / ELO_PER_NATURAL for outcome in (DAVIDSON, RAO_KUPPER))
    assert davidson == pytest.approx(2 / (2 + np.exp(lam)), rel=1e-7)
    assert davidson == pytest.approx(1 - rate, rel=1e-7)
    assert rao_kupper == pytest.approx(4 * theta / (1 + theta) ** 2, rel=1e-7)
    assert rao_kupper == pytest.approx(1 - rate**2, rel=1e-7)
    assert HALF_POINTS.elo_per_natural() == pytest.approx(ELO_PER_NATURAL, rel=1e-7)


def test_no_draw_parameter_overflows():
    far = np.array([-2000.0, 2000.0])
    for outcome in (DAVIDSON, RAO_KUPPER):
        assert outcome.draw_rate(far).tolist() == [0.0, 1.0]
        assert outcome.elo_per_natural(far) == pytest.approx([ELO_PER_NATURAL, 0.0])


def by_level(white, black, log_draw):
    level = (white + black) / 2
    return black, log_draw + level + 0.3 * (level - 12.0), white


def test_a_formula_that_sees_the_level_has_the_points_of_its_pool():
    own = Model("own-level", Outcome("by-level", by_level), draws=DrawParameter())
    assert about(own).outcome.sees_level
    assert not DAVIDSON.sees_level
    declared = declare(own, games(), "described")
    posterior = posterior_of(declared, np.array([13.0, 13.5, 14.5, 15.0]), 0.3)
    found = ratings_in_elo(declared, posterior)
    lam = posterior["log_draw"].to_numpy() + 0.6
    share = np.exp(lam) / (2 + np.exp(lam))
    assert found["draw_rate"].to_numpy() == pytest.approx(share)
    apart = (found["rating_elo"].isel(player=3) - found["rating_elo"].isel(player=0)).to_numpy()
    assert apart == pytest.approx(2.0 * ELO_PER_NATURAL * (1 - share), rel=1e-6)


class Split(Common):
    def declare(self, games):
        gain, _ = super().declare(games)
        return 0.6 * gain, 1.3 * gain


class Steeper(PerPlayer):
    def declare(self, games):
        white, black = super().declare(games)
        return 1.5 * white, 0.5 * black


class Known(Nothing):
    def declare(self, games):
        return 0.25, 0.0


def doubled(games):
    with pm.Model(coords=games.coords) as model:
        strength, gain = pm.Normal("strength", 15.0, 400.0, dims="player"), pm.Normal("advantage", 0.0, 1.0)
        bernoulli(games, 2.0 * games.white(strength) + 0.2 + gain, 2.0 * games.black(strength))
    return model


@pytest.mark.cases(3)
@pytest.mark.parametrize("monitored", [4, 1])
@pytest.mark.parametrize(("part", "share"), [(Split(), 1.9), (Steeper(), 2.0), (Known(), None), (Nothing(), 0.0)])
def test_the_worth_of_the_first_seat_follows_an_own_part(part, share, monitored):
    declared = declare(Model("own", DAVIDSON, advantage=part, draws=DrawParameter()), games(monitored, anchors=3))
    told = ratings_in_elo(declared, posterior_of(declared, np.full(monitored, MIDDLE), 0.3))
    if share == 0.0:
        assert "advantage_elo" not in told
        return
    natural = 0.25 if share is None else 0.3 * share
    expected = natural * ELO_PER_NATURAL * 2 / (2 + np.exp(0.8))
    dims = ("chain", "draw", "player") if isinstance(part, Steeper) else ("chain", "draw")
    assert told["advantage_elo"].dims == dims
    np.testing.assert_allclose(told["advantage_elo"], expected, rtol=1e-6)  # the slope is a finite difference


def test_ratings_follow_an_own_part_that_says_who_is_how_strong():
    declared = declare(doubled, games())
    strengths = np.array([7.0, 7.5, 8.0, 8.5])
    told = ratings_in_elo(declared, posterior_of(declared, strengths, 0.3))
    apart = (told["rating_elo"] - told["rating_elo"][..., 0]).to_numpy().ravel()
    assert apart == pytest.approx(2.0 * (strengths - 7.0) * ELO_PER_NATURAL, rel=1e-6)
    assert told["advantage_elo"].item() == pytest.approx(0.5 * ELO_PER_NATURAL, rel=1e-6)
    assert told["rating_elo"].to_numpy().ravel()[0] == pytest.approx(2.0 * strengths[0] * ELO_PER_NATURAL)


def test_ratings_of_the_list_are_the_last_printed_ones_corrected():
    declared = declare("listed", games())
    missed = np.array([0.1, -0.2, 0.3, 0.0])
    posterior = posterior_of(declared, missed, 0.3).assign(shrink=(("chain", "draw"), [[0.7]]))
    kappa = posterior["anchor_scale"].item()
    found = ratings_in_elo(declared, posterior)["rating_elo"].to_numpy().ravel()
    printed = (1000.0 + 100.0 * np.arange(4)) / ELO_PER_NATURAL
    natural = MIDDLE + kappa * (printed - MIDDLE) + missed
    share = declared.outcome.elo_per_natural(posterior["log_draw"].item(), MIDDLE)
    expected = MIDDLE * ELO_PER_NATURAL + (natural - MIDDLE) * share
    assert found == pytest.approx(expected, rel=1e-9)


def lapses(white, black, lam, guess):
    """Davidson's formula, mixed with a share of random results, in tensors."""
    share = pm.math.softmax(pt.stack([black, lam + (white + black) / 2, white]), axis=0)
    chance = guess / 3 + (1 - guess) * share
    return tuple(pt.log(chance[k]) for k in range(3))


def test_results_by_chance_shrink_the_scale_of_a_formula_in_tensors():
    rng = np.random.default_rng(1)
    draws = {"log_draw": rng.normal(size=(2, 5)), "guess": rng.uniform(size=(2, 5))}
    posterior = xr.Dataset({name: (("chain", "draw"), value) for name, value in draws.items()})
    shrunk = scale_of(Outcome("lapses", lapses), posterior)
    np.testing.assert_allclose(shrunk, (1 - draws["guess"]) * scale_of(DAVIDSON, posterior), rtol=1e-7)


def renamed(games):
    """Davidson's model whose draw parameter has another name."""
    with pm.Model(coords=games.coords) as model:
        strength = pm.Normal("strength", 0.0, 1.0, dims="player")
        davidson(games, games.white(strength), games.black(strength), pm.Normal("remis", 0.0, 1.0))
    return model


def test_a_draw_parameter_of_another_name_gives_the_draw_rate():
    """Two equals draw with the probability e^lam / (2 + e^lam)."""
    declared = declare(renamed, games())
    lam = np.array([[0.2, 0.8, -0.5]])
    draws = xr.Dataset(
        {
            "strength": (("chain", "draw", "player"), np.arange(12.0).reshape(1, 3, 4)),
            "remis": (("chain", "draw"), lam),
        },
        coords={"player": declared.selection.players},
    )
    ratings = ratings_in_elo(declared, draws)
    np.testing.assert_allclose(ratings["draw_rate"].to_numpy(), np.exp(lam) / (2.0 + np.exp(lam)))
    assert ratings["log_draw"].to_numpy().tolist() == lam.tolist()
    gaps = np.diff(ratings["rating_elo"].to_numpy(), axis=-1)
    assert (np.abs(gaps - gaps[..., :1]) < 1e-9).all()  # strengths are one unit apart


def test_a_reading_has_the_days_of_processes_alone():
    declared = declare("davidson-common", games())
    reading = reading_from(declared, posterior_of(declared, np.zeros(4), 0.1))
    assert reading.days == {}
    assert reading.transitions == {}
