"""Properties of models by their definitions: seats, populations, walks, and the mean and width of the prior."""

import numpy as np
import pymc as pm
import pytest

from halfpoint.models.declaration.catalogue import find
from halfpoint.models.declaration.declare_model import declare_model
from halfpoint.models.formulas.davidson import davidson
from halfpoint.models.games.select import select
from halfpoint.models.games.table import GameTable
from halfpoint.models.language.laws import Law
from halfpoint.models.language.model import Model
from halfpoint.models.reading.traits import Traits, _behind, _unit_of

NATURAL = np.log(10.0) / 400.0  # units in an Elo point
# mean ratings of the four players below: (1500 + 1520 + 1500) / 3, (1600 + 1500) / 2, (1600 + 1520) / 2 and 1500
RATED = (1520.0 * 3 / 3 - 40.0 / 3 + 1550.0 + 1560.0 + 1500.0) / 4 * NATURAL
WORDS = ("draws", "walks", "independent", "pooled", "enters", "by_scores", "printed", "vague")

ROWS = {  # the traits that are true, seats, and the prior mean of strengths in natural units
    "bt": ("independent", "none", 2705 * NATURAL),
    "bt-common": ("independent", "common", 2705 * NATURAL),
    "bt-player": ("independent", "player", 2705 * NATURAL),
    "davidson": ("draws independent vague", "none", 15.0),
    "davidson-player": ("draws independent vague", "player", 15.0),
    "bt-pooled": ("independent vague", "pooled", 15.0),
    "davidson-walk": ("draws walks independent vague", "common", 15.0),
    "davidson-population": ("draws pooled", "common", 2705 * NATURAL),
    "bt-population-even": ("pooled", "none", 2705 * NATURAL),
    "bt-population-walk": ("walks pooled", "common", 2705 * NATURAL),
    "davidson-entering-walk": ("draws walks pooled enters", "common", 2705 * NATURAL),
    "davidson-matched-walk": ("draws walks pooled enters", "common", 2705 * NATURAL),
    "bt-form": ("pooled", "common", 2705 * NATURAL),
    "bt-rated": ("pooled by_scores", "common", RATED),
    "davidson-walk-scaled": ("draws walks independent vague", "common", 15.0),
    "davidson-population-scaled": ("draws pooled", "common", 2705 * NATURAL),
    "margin-normal": ("draws pooled", "common", 0.0),
    "listed": ("draws pooled by_scores printed", "common", 0.0),
    "sets": ("draws independent", "none", 0.0),
}


def games_of_four(margin=(2.0, 0.0, -1.0, 3.0)):
    """Selection of four games between four players, with ratings and margins."""
    white, black = (np.array(codes, dtype=np.int32) for codes in ([0, 1, 0, 3], [1, 2, 2, 0]))
    rating = np.array([1500.0, 1600.0, 1520.0, 1500.0])
    games = GameTable(
        np.array(list("abcd")), white, black, np.array([1.0, 0.5, 0.0, 1.0]), period=np.array([3, 4, 6, 9]),
        white_rating_elo=rating, black_rating_elo=rating, covariates={"margin": np.array(margin)},
    )  # fmt: skip
    return select(games, games.players, "both")


@pytest.mark.parametrize("name", ROWS)
def test_traits_are_those_of_the_definition(name):
    true, seats, level = ROWS[name]
    traits = declare_model(find(name), games_of_four()).traits
    assert [word for word in WORDS if getattr(traits, word)] == [word for word in WORDS if word in true.split()]
    assert traits.seats == seats
    assert traits.level == pytest.approx(level)
    assert traits.halves == (seats in ("player", "pooled"))


@pytest.mark.parametrize(("width", "vague"), [(11.9, False), (12.0, False), (12.1, True)])
def test_a_prior_wider_than_twelve_units_is_vague(width, vague):
    model = find("davidson-common").but("wide", strength=(1.0, width))
    assert declare_model(model, games_of_four()).traits.vague == vague


@pytest.mark.parametrize(("margin", "unit"), [((2.0, 0.0, -1.0, 3.0), np.sqrt(2.5)), ((0.5, 0.0, -0.5, 0.0), 1.0)])
def test_the_unit_of_margins_is_their_spread_unless_it_is_below_1(margin, unit):
    """The variance of 2, 0, -1 and 3 about 1 is (1 + 1 + 4 + 4) / 4."""
    declared = declare_model(find("margin-normal"), games_of_four(margin))
    assert _unit_of(declared) == pytest.approx(unit)
    assert _unit_of(declare_model(find("bt"), games_of_four())) == 1.0


def own(games, mean=2.0, width=1.0, slope=3.0):
    with pm.Model(coords=games.coords) as model:
        ability = pm.Normal("ability", mean, width, dims="player")
        strength = pm.Deterministic("strength", slope * ability, dims="player")
        davidson(games, games.white(strength), games.black(strength), pm.Normal("log_draw", 0.0, 1.0))
    return model


@pytest.mark.parametrize(("width", "slope", "vague"), [(3.0, 3.0, False), (6.0, 3.0, True)])
def test_traits_of_a_user_function_are_those_of_its_draws(width, slope, vague):
    """Strengths are normal about 6 with a spread of three times that of `ability`; 400 draws of 4 players."""
    traits = declare_model(Model("own", own, {"width": width, "slope": slope}), games_of_four()).traits
    assert traits.vague == vague
    assert traits.level == pytest.approx(2.0 * slope, abs=4.0 * width * slope / 40.0)
    assert traits.draws
    assert not traits.pooled
    assert traits.seats == "none"


def shifted(games):
    with pm.Model(coords=games.coords) as model:
        shift, ability = pm.Normal("shift", 0.0, 0.1), pm.Normal("ability", 2.0, 0.1, dims="player")
        strength = pm.Deterministic("strength", shift + 3.0 * ability, dims="player")
        davidson(games, games.white(strength), games.black(strength), pm.Normal("log_draw", 0.0, 1.0))
    return model


def nameless(games, width=1.0):
    with pm.Model(coords=games.coords) as model:
        ability = pm.Normal("ability", 5.0, width, dims="player")
        davidson(games, games.white(ability), games.black(ability), pm.Normal("log_draw", 0.0, 50.0))
    return model


def test_levels_of_sums_of_which_one_variable_is_multiplied_are_those_of_their_draws():
    traits = declare_model(Model("own", shifted), games_of_four()).traits
    assert traits.level == pytest.approx(6.0, abs=0.1)


@pytest.mark.parametrize(("width", "vague"), [(1.0, False), (20.0, True)])
def test_without_a_strength_the_variable_of_players_counts(width, vague):
    traits = declare_model(Model("own", nameless, {"width": width}), games_of_four()).traits
    assert traits.vague == vague
    assert traits.level == 5.0
    assert not traits.pooled


def test_a_user_function_with_a_plain_strength_has_the_mean_of_its_prior():
    traits = declare_model(Model("own", own, {"slope": 1.0}), games_of_four()).traits
    assert traits.level == pytest.approx(2.0)


def test_all_variables_behind_a_law():
    laws = {name: Law(name, parents=frozenset(parents)) for name, parents in (("a", "bc"), ("b", "d"), ("c", ""))}
    assert _behind("a", laws) == {"b", "c", "d"}
    assert _behind("c", laws) == set()
    assert _behind("elsewhere", laws) == set()


def test_traits_come_back_from_a_record():
    traits = Traits(draws=True, seats="pooled", level=1.5, vague=True)
    assert Traits.from_record(traits.as_record) == traits
    earlier = {name: value for name, value in traits.as_record.items() if name != "vague"}
    assert Traits.from_record(earlier).vague
    assert not Traits.from_record(earlier | {"pooled": True}).vague


@pytest.mark.parametrize(
    "change",
    [{"draws": 1}, {"level": 1}, {"level": np.inf}, {"seats": "second"}, {"seats": 3}, {"further": True}],
)
def test_a_record_with_other_values_is_refused(change):
    with pytest.raises(TypeError, match="traits with"):
        Traits.from_record(Traits().as_record | change)
