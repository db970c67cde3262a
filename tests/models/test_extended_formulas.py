"""Extended formulas: closed forms, symmetries, reduction to the study's models, two ways to one number."""

from dataclasses import replace
from decimal import MAX_EMAX, MIN_EMIN, Decimal, localcontext

import numpy as np
import pymc as pm
import pytensor
import pytensor.tensor as pt
import pytest
from extended_games import play, schedule, truth
from hypothesis import given, settings
from hypothesis import strategies as st
from pytensor.compile.mode import Mode

from halfpoint.games.cells import merge
from halfpoint.models import davidson, rao_kupper
from halfpoint.models.anchor_scale import MIDDLE, on_fide_scale
from halfpoint.models.beyond import EXTENDED, rows_of
from halfpoint.models.board import board, log_probability, observe, seat
from halfpoint.models.catalogue import MODELS, declare
from halfpoint.models.dynamic import basis, carry_on
from halfpoint.models.errors import ModelError
from halfpoint.models.extended import Extended, scores
from halfpoint.models.forecast import at_cells

INTERPRETED = Mode(linker="py", optimizer="fast_compile")
side = st.floats(-6, 6)


@given(side, side, st.floats(-3, 3))
def test_rao_kupper_is_the_printed_formula(white: float, black: float, log_draw: float) -> None:
    p = np.exp(
        log_probability(rao_kupper.scores(np.array([white]), np.array([black]), np.array([log_draw])), (0, 1, 2))
    )
    theta, i, j = 1 + np.exp(log_draw), np.exp(white), np.exp(black)
    expected = [j / (j + theta * i), i * j * (theta**2 - 1) / ((i + theta * j) * (theta * i + j)), i / (i + theta * j)]
    np.testing.assert_allclose(p[0], expected, rtol=1e-9)


def exact_rao_kupper(difference: float, log_draw: float) -> tuple[list[Decimal], list[Decimal]]:
    """Return log probabilities (loss, draw, win) and their slopes by the difference: the printed formula, decimal."""
    with localcontext() as context:
        context.prec, context.Emax, context.Emin = 450, MAX_EMAX, MIN_EMIN
        d, lam = Decimal(difference), Decimal(log_draw)
        ahead, behind, theta = (d / 2).exp(), (-d / 2).exp(), 1 + lam.exp()
        for_win, for_loss = ahead + theta * behind, theta * ahead + behind
        logs = [(behind / for_loss).ln(), ((theta**2 - 1) / (for_win * for_loss)).ln(), (ahead / for_win).ln()]
        down, up = -theta * ahead / for_loss, theta * behind / for_win
        return logs, [down, up + down, up]


@pytest.mark.parametrize("log_draw", [-800.0, -3.0, 0.7, 30.0, 800.0])
@pytest.mark.parametrize("difference", [0.0, 0.5, 40.0, 1400.0, 1500.0, 20000.0])
def test_rao_kupper_is_exact_however_far_apart_the_two_are(difference: float, log_draw: float) -> None:
    """Values and gradients, as arrays and as a graph, on both sides of where e^(d / 2) ends."""
    white, black, lam = pt.dvector("white"), pt.dvector("black"), pt.dscalar("lam")
    with pm.Model() as model:
        observe(rao_kupper.scores(white, black, lam), (0, 1, 2), np.zeros((1, 3)))
    weight = np.eye(3)[:, None, :]
    value = model.potentials[0]
    graph = pytensor.function([white, black, lam], [value, *pt.grad(value, [white, black])], mode=INTERPRETED)
    for sign in (1.0, -1.0):
        logs, slopes = exact_rao_kupper(sign * difference, log_draw)
        sides = np.array([15.0 + sign * difference]), np.array([15.0])
        arrays = log_probability(rao_kupper.scores(*sides, log_draw), (0, 1, 2))[0]
        np.testing.assert_allclose(arrays, [float(value) for value in logs], rtol=1e-12, atol=1e-11)
        for outcome in range(3):
            model["weight"].set_value(weight[outcome])
            found, by_white, by_black = graph(*sides, log_draw)
            assert found == pytest.approx(float(logs[outcome]), rel=1e-12, abs=1e-11)
            assert by_white[0] == pytest.approx(float(slopes[outcome]), rel=1e-10, abs=1e-12)
            assert by_black[0] == pytest.approx(-float(slopes[outcome]), rel=1e-10, abs=1e-12)


@given(st.floats(-3, 3))
def test_both_tie_formulas_draw_the_same_share_between_equals(log_draw: float) -> None:
    share = np.exp(log_draw) / (2 + np.exp(log_draw))
    for formula in (davidson, rao_kupper):
        p = log_probability(formula.scores(np.array([1.0]), np.array([1.0]), np.array([log_draw])), (0, 1, 2))
        np.testing.assert_allclose(np.exp(p)[0, 1], share, rtol=1e-12)


@pytest.mark.parametrize("name", EXTENDED)
def test_probabilities_sum_to_one(name: str) -> None:
    entry, selection = EXTENDED[name], schedule(80, 5, 1)
    logs = log_probability(scores(entry, truth(entry, 5, 2), rows_of(entry, selection, 1)), entry.normalised)
    assert logs.shape == (1, 80, 3)
    np.testing.assert_allclose(np.exp(logs[..., list(entry.normalised)]).sum(axis=-1), 1.0, rtol=1e-12)


@pytest.mark.parametrize("name", EXTENDED)
def test_graph_and_arrays_give_one_log_likelihood(name: str) -> None:
    """The sampler's potential at a random point is the weighted sum of the arrays' formula at the same point."""
    entry = EXTENDED[name]
    declared = declare(name, play(entry, schedule(60, 4, 3), truth(entry, 4, 4), 5))
    model = declared.model
    rng = np.random.default_rng(6)
    names = [variable.name for variable in model.deterministics] + [
        v.name for v in model.free_RVs if not v.name.endswith("_raw")
    ]
    outputs = model.replace_rvs_by_values([*model.potentials, *(model[name] for name in names)])
    compute = pytensor.function(model.value_vars, outputs, mode=INTERPRETED, on_unused_input="ignore")
    start = model.initial_point()
    point = [start[value.name] + 0.3 * rng.standard_normal(np.shape(start[value.name])) for value in model.value_vars]
    potential, *values = compute(*point)
    p = {name: value[None] for name, value in zip(names, values, strict=True)}
    rows = at_cells(entry, declared.selection, declared.cells, 1)
    logs = log_probability(scores(entry, p, rows), entry.normalised)[0]
    np.testing.assert_allclose(potential, (declared.cells.weight * logs).sum(), rtol=1e-10)
    single = log_probability(scores(entry, p, rows_of(entry, declared.selection, 1)), entry.normalised)[0]
    by_game = single[np.arange(60), declared.selection.games.outcome].sum()
    np.testing.assert_allclose(potential, by_game, rtol=1e-10)


@pytest.mark.parametrize("name", ["davidson-scaled", "davidson-all-draws", "davidson-walk-scaled"])
def test_neutral_parameters_give_davidson_with_common_advantage(name: str) -> None:
    entry, selection = EXTENDED[name], schedule(50, 4, 7)
    p = truth(entry, 4, 8)
    p["anchor_scale"] = np.array([1.0])
    for extra in ("draw_slope", "draw_tendency"):
        if extra in p:
            p[extra] = 0.0 * p[extra]
    constant = p["strength"][..., 0] if entry.strength == "walk" else p["strength"]
    if entry.strength == "walk":
        p["strength"] = np.repeat(constant[..., None], 6, axis=-1)
    ours = log_probability(scores(entry, p, rows_of(entry, selection, 1)), (0, 1, 2))[0]
    anchor = np.nan_to_num(selection.anchor_elo) * np.log(10) / 400
    seats = np.append(constant[0], 0.0)
    white = seats[selection.white] + np.where(selection.white < 0, anchor, 0) + p["advantage"]
    black = seats[selection.black] + np.where(selection.black < 0, anchor, 0)
    np.testing.assert_allclose(
        ours, log_probability(davidson.scores(white, black, p["log_draw"]), (0, 1, 2)), rtol=1e-9
    )


@pytest.mark.parametrize("name", ["davidson-all-draws", "rao-kupper-all-draws", "bt-scaled"])
def test_without_advantage_turning_colours_turns_outcomes(name: str) -> None:
    entry, selection = EXTENDED[name], schedule(50, 4, 9)
    p = truth(entry, 4, 10) | {"advantage": np.zeros(1)}
    rows = rows_of(entry, selection)
    turned = seat(
        np.where(rows.black_monitored > 0, rows.black, -1),
        np.where(rows.white_monitored > 0, rows.white, -1),
        rows.black_anchor,
        rows.white_anchor,
    )
    ours = log_probability(scores(entry, p, rows), entry.normalised)
    theirs = log_probability(scores(entry, p, turned), entry.normalised)
    np.testing.assert_allclose(ours, theirs[..., ::-1], rtol=1e-9)


@given(st.floats(-2, 2), st.floats(0.3, 3))
@settings(max_examples=20)
def test_raising_all_strengths_and_anchors_changes_nothing(lift: float, scale: float) -> None:
    """The level is free: only with a draw slope do games see it, and none is here."""
    entry, selection = EXTENDED["davidson-scaled"], schedule(40, 4, 11)
    p = truth(entry, 4, 12) | {"anchor_scale": np.array([scale])}
    rows = rows_of(entry, selection)
    higher = {"white_anchor": rows.white_anchor + lift / scale, "black_anchor": rows.black_anchor + lift / scale}
    moved = replace(rows, **higher)
    ours = log_probability(scores(entry, p, rows), (0, 1, 2))
    theirs = log_probability(scores(entry, {**p, "strength": p["strength"] + lift}, moved), (0, 1, 2))
    np.testing.assert_allclose(ours, theirs, atol=1e-9)


def test_fide_scale_undoes_the_anchor_scale() -> None:
    rating = MIDDLE + np.array([-1.0, 0.0, 2.0])
    np.testing.assert_allclose(on_fide_scale(MIDDLE + 2.1 * (rating - MIDDLE), 2.1), rating, rtol=1e-14)


@pytest.mark.parametrize("form", ["waves", "increments", "centred"])
def test_every_form_is_the_random_walk(form: str) -> None:
    """Covariance of mean-removed walks: C min(s, t) C with C = I - 1/T."""
    months = 12
    month = np.arange(months)
    centre = np.eye(months) - 1 / months
    expected = centre @ np.minimum.outer(month, month) @ centre
    matrix = basis(months, form)  # type: ignore[arg-type]
    np.testing.assert_allclose(matrix.T @ matrix, expected, atol=1e-12)


def test_a_walk_goes_on_with_growing_variance() -> None:
    strength, spread = np.zeros((20_000, 2, 3)), np.full(20_000, 0.3)
    further = carry_on(strength, spread, 4, seed=1)
    assert further.shape == (20_000, 2, 7)
    # the standard error of a variance of 40,000 normal values is 0.7 percent
    np.testing.assert_allclose(further[..., 3:].var(axis=(0, 1)), 0.09 * np.arange(1, 5), rtol=0.035)


def test_walks_need_months() -> None:
    with pytest.raises(ModelError, match="at least two months"):
        basis(1, "waves")


def test_the_twelve_keep_their_names() -> None:
    assert len(MODELS) == 12
    assert not set(MODELS) & set(EXTENDED)


def test_editions_of_the_study_do_not_exist_beyond_it() -> None:
    with pytest.raises(ModelError, match="described"):
        declare("davidson-scaled", schedule(40, 4, 1), "computed")


def test_pooled_forms_are_one_density() -> None:
    """Centred and non-centred advantages: the same density of (advantage, spread), by change of variables."""
    selection = schedule(40, 3, 13)
    point = {"advantage": np.array([0.1, 0.4, -0.2]), "mean": 0.2, "spread": 0.15}
    values = []
    for form in ("centred", "non-centred"):
        entry = Extended("x", advantage="pooled", form=form)  # type: ignore[arg-type]
        from halfpoint.models.extended import build

        model = build(merge(selection), entry)
        assert isinstance(model, pm.Model)
        prior = [v for v in model.free_RVs if v.name == "advantage_raw"]
        inner = model.replace_rvs_by_values([model["advantage"], model["advantage_mean"], model["advantage_spread"]])
        logp = model.logp(vars=prior, sum=True, jacobian=False)
        compute = pytensor.function(model.value_vars, [*inner, logp], mode=INTERPRETED, on_unused_input="ignore")
        start = model.initial_point()

        def at(raw, start=start, model=model, compute=compute):  # type: ignore[no-untyped-def]
            full = start | {"advantage_raw": raw}
            return compute(*(full[v.name] for v in model.value_vars))

        base, mean, spread, _ = at(np.zeros(3))
        slope = at(np.ones(3))[0] - base  # the advantage is linear in what is sampled
        raw = (point["advantage"] - base) / slope
        value, _, _, logp_value = at(raw)
        np.testing.assert_allclose(value, point["advantage"], rtol=1e-9)
        values.append(logp_value - np.log(np.abs(slope)).sum())
        expected = -0.5 * ((point["advantage"] - mean) / spread) ** 2 - np.log(spread * np.sqrt(2 * np.pi))
        np.testing.assert_allclose(values[-1], expected.sum(), rtol=1e-9)


def test_board_marks_who_is_monitored() -> None:
    selection = schedule(30, 3, 14)
    rows = board(selection)
    np.testing.assert_array_equal(rows.white_monitored == 0, selection.white < 0)
    np.testing.assert_allclose(
        rows.white_anchor[selection.white < 0] * 400 / np.log(10), selection.anchor_elo[selection.white < 0]
    )
