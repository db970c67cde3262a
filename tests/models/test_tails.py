"""Distribution of margins given by its density: tails, quantiles, mean, chances and forecasts compared with SciPy."""

import numpy as np
import pytest
from composed import MarginSpread, Model
from scipy import special, stats

from halfpoint.inference.effort_limits import Effort
from halfpoint.inference.forecast import forecast
from halfpoint.inference.sample import sample
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.errors import ModelError
from halfpoint.models.formulas import margin
from halfpoint.models.formulas.margin import MARGIN_T, NORMAL, STUDENT, Distribution
from halfpoint.models.formulas.outcome import Outcome
from halfpoint.models.formulas.tails import Tails
from halfpoint.models.games.select import select
from halfpoint.models.games.simulate_sides import MarginTruth, meetings, simulate_margins


def logistic(z, module):
    """Log density of the logistic distribution, up to a constant."""
    return -module.abs(z) - 2.0 * module.log1p(module.exp(-module.abs(z)))


def gumbel(z, module):
    """Log density of the Gumbel distribution, which is skew, with an arbitrary constant."""
    return 3.0 - z - module.exp(-module.maximum(z, -700.0))


LAWS = {
    "normal": (NORMAL.kernel, stats.norm),
    "t of 4": (STUDENT.kernel, stats.t(4)),
    "t of 1.5": (lambda z, module: -1.25 * module.log1p(z * z / 1.5), stats.t(1.5)),
    "logistic": (logistic, stats.logistic),
    "Laplace": (lambda z, module: -module.abs(z), stats.laplace),
    "Gumbel": (gumbel, stats.gumbel_r),
}
Z = np.concatenate([np.linspace(-9.0, 9.0, 2001), -np.logspace(-9, 2, 200), np.logspace(-9, 2, 200)])


@pytest.mark.parametrize("name", LAWS)
def test_tails_and_quantiles_are_those_of_scipy(name):
    kernel, law = LAWS[name]
    tails = Tails(kernel)
    density = tails.kernel(Z[:2001], np) - tails.log_total
    np.testing.assert_allclose(density, law.logpdf(Z[:2001]), rtol=1e-12, atol=1e-12)
    with np.errstate(all="ignore"):
        smaller = np.where(Z > 0, law.logsf(Z), law.logcdf(Z))
        seen = np.isfinite(smaller)
        np.testing.assert_allclose(tails.below(Z), law.cdf(Z), rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(tails.log_tail(Z)[seen], smaller[seen], rtol=1e-9, atol=1e-10)
    p = np.array([1e-9, 1e-3, 0.2, 0.5, 0.7, 1.0 - 1e-6])
    np.testing.assert_allclose(tails.quantile(p), law.ppf(p), rtol=1e-9, atol=1e-10)
    assert tails.mean == pytest.approx(law.mean(), abs=1e-10)


def test_the_normals_tail_holds_hundreds_of_orders_down():
    far = np.array([-40.0, -100.0, -1000.0])
    np.testing.assert_allclose(Tails(NORMAL.kernel).log_tail(far), special.log_ndtr(far), rtol=1e-8)
    assert Tails(STUDENT.kernel).below(np.array([-1e12]))[0] == pytest.approx(stats.t(4).cdf(-1e12), rel=1e-9)


def test_degrees_changed_in_place_change_all_that_follows(monkeypatch):
    gap, width = np.array([0.7, -3.0]), np.array([0.2, 1.0])
    before = MARGIN_T.log_probability(gap, np.zeros(2), width)
    monkeypatch.setattr(margin, "DEGREES", 9.0)
    law, spread = stats.t(9), np.exp(width)
    loss, _, win = np.exp(MARGIN_T.log_probability(gap, np.zeros(2), width)).T
    np.testing.assert_allclose(loss, law.cdf((-0.5 - gap) / spread), rtol=1e-9)
    np.testing.assert_allclose(win, law.sf((0.5 - gap) / spread), rtol=1e-9)
    found = STUDENT.log_density(gap, width, 2.0)
    np.testing.assert_allclose(found, law.logpdf((2.0 - gap) / spread) - width, rtol=1e-9)
    assert STUDENT.tails.quantile(0.975) == pytest.approx(law.ppf(0.975))
    monkeypatch.undo()
    np.testing.assert_array_equal(MARGIN_T.log_probability(gap, np.zeros(2), width), before)


ENDLESS = [
    lambda z, module: 0.0 * z,
    lambda z, module: -0.5 * module.log1p(z * z),
    lambda z, module: -1.0 * (z > 1.234) - z * z,  # it jumps
]


@pytest.mark.parametrize("kernel", ENDLESS)
def test_a_density_without_an_integral_is_refused_in_one_line(kernel):
    with pytest.raises(ModelError, match="the density has no finite integral"):
        _ = Distribution(kernel).tails


def test_an_outcome_has_scores_or_a_law_of_margins():
    with pytest.raises(ModelError, match=r"outcome own: expected scores, .* found both"):
        Outcome("own", lambda white, black, lam: (black, lam, white), margin=NORMAL)
    with pytest.raises(ModelError, match="found neither"):
        Outcome("own")


OWN = Outcome("own-gumbel", information=1.0, margin=Distribution(gumbel), lam="log_width")


def test_an_own_law_forecasts_as_it_is_stated():
    names = np.array(["a", "b", "c", "d"])
    white, black = meetings(4, 120, 3, 1)
    games = simulate_margins(MarginTruth(names, np.array([-3.0, -1.0, 1.0, 3.0]), 2.0, 0.5), white, black, 3)
    tree = sample(
        declare(Model("own-law", OWN, draws=MarginSpread()), select(games, names, "both")),
        Effort(100, 200, 2, 3),
        adapt=False,
    )
    few, p, law = games.take(np.arange(5)), tree["posterior"], stats.gumbel_r
    told = forecast(tree, few)
    strength = [p["strength"].sel(player=list(one)).to_numpy() for one in (few.white_names, few.black_names)]
    gap, spread = (
        strength[0] - strength[1] + p["advantage"].to_numpy()[..., None],
        np.exp(p["log_width"].to_numpy())[..., None],
    )
    np.testing.assert_allclose(told.probability[0], law.cdf((-0.5 - gap) / spread), rtol=1e-9, atol=1e-10)
    np.testing.assert_allclose(told.probability[2], law.sf((0.5 - gap) / spread), rtol=1e-9, atol=1e-10)
    np.testing.assert_allclose(told.log_predictive, law.logpdf((few.margin - gap) / spread) - np.log(spread), rtol=1e-9)
    np.testing.assert_allclose(told.margin.mean, (gap + law.mean() * spread).mean(axis=(0, 1)), rtol=1e-9)
    low, high = told.margin.quantile((0.05, 0.9))
    np.testing.assert_allclose(law.cdf((low - gap) / spread).mean(axis=(0, 1)), 0.05, rtol=1e-8)
    np.testing.assert_allclose(law.cdf((high - gap) / spread).mean(axis=(0, 1)), 0.9, rtol=1e-8)


@pytest.mark.parametrize("law", [NORMAL, STUDENT])
def test_widths_far_beyond_margins_give_certain_results(law):
    gap, widths = np.array([2.0, 0.0, -2.0]), np.array([-1000.0, 1000.0])
    narrow, wide = np.exp(np.array([law.scores(gap, 0.0 * gap, np.full(3, width)) for width in widths]))
    np.testing.assert_allclose(narrow, np.eye(3)[:, ::-1], atol=1e-12)  # loss, draw, win of each gap
    np.testing.assert_allclose(wide, np.array([0.5, 0.0, 0.5])[:, None] * np.ones(3), atol=1e-12)
