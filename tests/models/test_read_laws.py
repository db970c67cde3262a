"""Laws that are read from graphs: families, parents, limits and series against SciPy and by hand."""

import numpy as np
import pymc as pm
import pytensor.tensor as pt
import pytest
from scipy import stats

from halfpoint.models.reading.layout import Layout
from halfpoint.models.reading.read_laws import read_laws

SHAPES = {
    "y": (3,), "several": (2,), "each": (3,), "gaps": (3,), "places": (3,), "joint": (2,), "walk": (4,), "series": (4,),
    "constant": (3,),
}  # fmt: skip


def laws_of(model):
    """Laws of all variables of a model, whose values follow one another."""
    layout, names = Layout(), [str(variable.name) for variable in (*model.free_RVs, *model.deterministics)]
    for name in names:
        shape = SHAPES.get(name, ())
        layout.slots[name] = layout.values, shape
        layout.values += int(np.prod(shape))
    return {law.name: law for law in read_laws(model, layout)}


@pytest.fixture(scope="module")
def laws():
    """Laws of one variable of each family that is read."""

    with pm.Model(coords={"player": ["a", "b", "c"]}) as model:
        x = pm.Normal("x", 0.5, 2.0)
        s = pm.HalfNormal("s", 1.5)
        pm.Normal("y", 2.0 * x - 1.0, 3.0 * s, dims="player")
        pm.HalfNormal("several", 0.7, shape=2)
        log = pm.Normal("log_kappa", 0.1, 0.2)
        pm.Deterministic("kappa", pt.exp(log))
        pm.Deterministic("twice", 2.0 * x + 1.0)
        pm.Deterministic("square", x**2 * log**2 * s)
        pm.LogNormal("wide", 0.3, 0.5)
        pm.Beta("share", 2.0, 3.0)
        pm.Uniform("place", -1.0, 2.0)
        pm.StudentT("tail", nu=5.0, mu=1.0, sigma=0.5)
        pm.Laplace("each", 1.0, 0.5, shape=3)
        pm.Exponential("gaps", 2.0, shape=3)
        pm.Uniform("places", 0.0, 1.0, shape=3)
        pm.MvNormal("joint", np.zeros(2), np.eye(2))
        pm.Gamma("depends", 2.0, pt.exp(x))
        pm.GaussianRandomWalk("walk", mu=0.1, sigma=0.5, init_dist=pm.Normal.dist(1.0, 2.0), steps=3)
        pm.AR("series", [0.7], sigma=0.5, init_dist=pm.Normal.dist(0.0, 3.0), steps=3)
        pm.AR("constant", [0.2, 0.7], sigma=0.5, constant=True, init_dist=pm.Normal.dist(0.0, 3.0), steps=2)

    return laws_of(model)


def test_normal_variables_have_their_mean_and_deviation(laws):
    (rows,) = laws["x"].gaussian
    assert rows.middle.tolist() == [0.5]
    assert rows.sd.tolist() == [2.0]
    assert rows.spread == ""
    (rows,) = laws["y"].gaussian
    assert rows.spread == "s"
    assert rows.sd.tolist() == [3.0] * 3
    assert rows.middle.tolist() == [-1.0] * 3
    assert laws["y"].parents == {"x", "s"}
    slopes = sorted(float(c) for c, index in rows.form.terms if index for c in np.unique(c))
    assert slopes == [-2.0, 1.0]  # y - 2 x
    assert laws["y"].dims == ("player",)


def test_spreads_and_scales(laws):
    spread = laws["s"].hyperparameter
    assert (laws["s"].role, spread.kind, spread.mean, spread.sd) == ("spread", "spread", 0.0, 1.5)
    assert laws["several"].hyperparameter.sd == 0.7
    scale = laws["kappa"]
    assert laws["log_kappa"].log_of == "kappa"
    assert not scale.free
    assert (scale.hyperparameter.kind, scale.hyperparameter.mean, scale.hyperparameter.sd) == ("scale", 0.1, 0.2)
    assert laws["twice"].made is not None
    assert laws["twice"].parents == {"x"}
    assert laws["square"].made is None
    assert laws["square"].unread


@pytest.mark.parametrize(
    ("name", "kind", "limits", "family"),
    [
        ("wide", "positive", None, stats.lognorm(0.5, scale=np.exp(0.3))),
        ("share", "bounded", (0.0, 1.0), stats.beta(2.0, 3.0)),
        ("place", "bounded", (-1.0, 2.0), stats.uniform(-1.0, 3.0)),
        ("tail", "number", None, stats.t(5.0, 1.0, 0.5)),
    ],
)
def test_numbers_of_other_families_have_their_density(laws, name, kind, limits, family):
    """The density is of x, by which the number is computed; its mean and deviation are about those of x."""
    number = laws[name].hyperparameter
    assert number.kind == kind
    if limits:
        assert number.limits == limits
    x = np.linspace(-12.0, 12.0, 20_001)
    value = number.value(x)
    slope = np.log(np.gradient(value, x))
    inside = (np.abs(x) < 5.0) & np.isfinite(family.logpdf(value))
    np.testing.assert_allclose(number.log_density(x)[inside], (family.logpdf(value) + slope)[inside], atol=1e-4)
    weight = np.exp(number.log_density(x))
    weight /= weight.sum()
    mean = float(weight @ x)
    assert number.mean == pytest.approx(mean, abs=0.1)
    assert number.sd == pytest.approx(np.sqrt(weight @ (x - mean) ** 2), rel=0.25)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("gaps", "gaps is a vector of positive numbers"),
        ("places", "places is a vector of bounded numbers"),
        ("joint", "joint has a joint prior of several numbers"),
        ("depends", "the prior of depends depends on other variables"),
    ],
)
def test_other_variables_are_recorded_with_the_reason(laws, name, words):
    assert laws[name].unread == words
    assert not laws[name].gaussian
    assert laws[name].hyperparameter is None


def test_vectors_of_other_families_have_a_normal_law_beside_their_density(laws):
    law = laws["each"]
    (rows,) = law.gaussian
    np.testing.assert_allclose(rows.middle, 1.0, atol=0.02)
    np.testing.assert_allclose(rows.sd, np.sqrt(2.0) * 0.5, rtol=0.25)
    x = np.array([-1.0, 0.5, 3.0])
    np.testing.assert_allclose(law.beside(x), stats.laplace(1.0, 0.5).logpdf(x))


def dense(rows, first, size):
    """Coefficients of sums by the values of one variable, (row, value)."""
    matrix = np.zeros((rows.sd.size, size))
    for c, index in rows.form.terms:
        if index:
            np.add.at(matrix, (np.arange(rows.sd.size), np.ravel(index[0]) - first), np.ravel(c))
    return matrix


@pytest.mark.parametrize(
    ("name", "size", "share", "drift", "begin"),
    [("walk", 4, 1.0, 0.1, (1.0, 2.0)), ("series", 4, 0.7, 0.0, (0.0, 3.0)), ("constant", 3, 0.7, 0.2, (0.0, 3.0))],
)
def test_series_have_a_first_value_and_steps(laws, name, size, share, drift, begin):
    head, steps = laws[name].gaussian
    first = min(int(np.min(index[0])) for _, index in head.form.terms if index)
    assert (head.middle.tolist(), head.sd.tolist()) == ([begin[0]], [begin[1]])
    assert dense(head, first, size).tolist() == [[1.0] + [0.0] * (size - 1)]
    np.testing.assert_allclose(steps.middle, drift)
    np.testing.assert_allclose(steps.sd, 0.5)
    np.testing.assert_allclose(dense(steps, first, size), np.eye(size)[1:] - share * np.eye(size)[:-1])
