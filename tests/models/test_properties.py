"""What must hold for any strengths: on the formulas in NumPy and on the models' own compiled likelihood."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from natural_density import INTERPRETED, NaturalDensity

from halfpoint.games.select import select
from halfpoint.games.simulate import Truth, round_robin, simulate
from halfpoint.games.table import GameTable
from halfpoint.models import bradley_terry, davidson
from halfpoint.models.catalogue import MODELS, declare

REAL = st.floats(-20, 20)
PLAYERS = ("Ada", "Boris", "Chen", "Dora", "Emil")
RENAMED = ("Zoe", "Ada", "Mia", "Boris", "Chen")  # sorts in another order than PLAYERS
STATIC = [name for name, entry in MODELS.items() if not entry.weighted]


def probabilities(scores, over):
    top = max(scores[outcome] for outcome in over)
    total = top + np.log(sum(np.exp(scores[outcome] - top) for outcome in over))
    return np.exp([score - total for score in scores])


@given(white=REAL, black=REAL, log_draw=REAL)
def test_outcomes_sum_to_one(white, black, log_draw):
    assert probabilities(davidson.scores(white, black, log_draw), davidson.NORMALISED).sum() == pytest.approx(1)
    loss, draw, win = probabilities(bradley_terry.scores(white, black), bradley_terry.NORMALISED)
    assert loss + win == pytest.approx(1)
    assert draw == pytest.approx(np.sqrt(loss * win))


@given(white=REAL, black=REAL, log_draw=REAL)
def test_swapping_colours_without_an_advantage_swaps_win_and_loss(white, black, log_draw):
    for scores, over in (
        ((davidson.scores(white, black, log_draw), davidson.scores(black, white, log_draw)), davidson.NORMALISED),
        ((bradley_terry.scores(white, black), bradley_terry.scores(black, white)), bradley_terry.NORMALISED),
    ):
        assert probabilities(scores[0], over) == pytest.approx(probabilities(scores[1], over)[::-1])


@given(white=REAL, black=REAL)
def test_davidson_without_draws_is_bradley_terry(white, black):
    loss, draw, win = probabilities(davidson.scores(white, black, -200.0), davidson.NORMALISED)
    other = probabilities(bradley_terry.scores(white, black), bradley_terry.NORMALISED)
    assert draw < 1e-60
    assert (loss, win) == pytest.approx((other[0], other[2]))


@given(level=REAL)
def test_equals_draw_one_game_in_three_at_log_draw_zero(level):
    assert probabilities(davidson.scores(level, level, 0.0), davidson.NORMALISED) == pytest.approx([1 / 3] * 3)


def renamed(games, names):
    """The same games under other names, the players sorted anew."""
    table = np.asarray([names[PLAYERS.index(player)] for player in games.players])
    order = np.argsort(table)
    rank = np.argsort(order).astype(np.int32)
    return replace(games, players=table[order], white=rank[games.white], black=rank[games.black])


class Likelihood:
    """The compiled log likelihood of a catalogue model as a function of parameters in their own units."""

    def __init__(self, name, games: GameTable, weight=1.0, names=PLAYERS):
        selection = select(games, names)
        selection = selection.weighted(np.full(len(selection), weight), "test")
        self.model = declare(name, selection, "described").model
        self.function = self.model.compile_fn(self.model.potentiallogp, mode=INTERPRETED, on_unused_input="ignore")
        self.start = self.model.initial_point()
        self.natural = None

    def __call__(self, values):
        """Whatever is sampled in place of the parameters: nobody is anchored here, so that strengths are reflected."""
        self.natural = self.natural or NaturalDensity(self.model, tuple(values))
        flat, _ = self.natural.raw(values)
        names = [variable.name for variable in self.model.value_vars]
        ends = np.cumsum([np.size(self.start[name]) for name in names])
        pieces = zip(names, np.split(flat, ends[:-1]), strict=True)
        return float(self.function({name: piece.reshape(np.shape(self.start[name])) for name, piece in pieces}))


@pytest.fixture(scope="module")
def games():
    strength = np.array([0.4, 0.0, -0.3, 0.8, -0.9])
    truth = Truth(np.array(PLAYERS), strength, np.array([0.3, 0.0, 0.1, -0.2, 0.2]), log_draw=0.5)
    return simulate(truth, round_robin(5, 6), 7)


@pytest.fixture(scope="module", params=STATIC)
def likelihoods(request, games):
    name = request.param
    return (
        name,
        Likelihood(name, games),
        Likelihood(name, games, weight=2.0),
        Likelihood(name, renamed(games, RENAMED), names=sorted(RENAMED)),
    )


@settings(max_examples=25, deadline=None)
@given(drawn=st.lists(st.floats(-3, 3), min_size=11, max_size=11), shift=st.floats(-1500, 1500))
def test_level_weights_and_labels(likelihoods, drawn, shift):
    name, plain, doubled, relabelled = likelihoods
    entry = MODELS[name]
    unit = 100.0 if entry.family == "bradley_terry" else 1.0
    strength = "rating" if entry.family == "bradley_terry" else "strength"
    values = {strength: unit * np.array(drawn[:5])}
    if entry.advantage == "common":
        values["advantage"] = unit * drawn[5]
    if entry.advantage == "player":
        values["advantage"] = unit * np.array(drawn[5:10])
    if entry.family == "davidson":
        values["log_draw"] = drawn[10]
    found = plain(values)
    shifted = values | {strength: values[strength] + shift}
    assert plain(shifted) == pytest.approx(found, rel=1e-7), "adding a constant to all strengths changes nothing"
    assert doubled(values) == pytest.approx(2 * found), "doubling all weights doubles the log likelihood"
    order = np.argsort(RENAMED)
    permuted = {key: value[order] if np.ndim(value) else value for key, value in values.items()}
    assert relabelled(permuted) == pytest.approx(found), "relabelling players permutes the answer"
