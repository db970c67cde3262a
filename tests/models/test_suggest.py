"""Choice of a model for a file of games, and its reason."""

import numpy as np
import pytest

from halfpoint.apps.workflows.suggest import suggest
from halfpoint.models.declaration.catalogue import find
from halfpoint.models.games.select import select
from halfpoint.models.games.table import GameTable

NAMES = np.array(["Ada", "Boris", "Chen", "Dora", "Eve", "Finn"])
GAMES = 60
WHITE = np.arange(GAMES, dtype=np.int32) % 6
BLACK = (WHITE + 1 + np.arange(GAMES, dtype=np.int32) // 6 % 5).astype(np.int32) % 6
MIXED = np.resize([1.0, 0.5, 0.0], GAMES)
DECIDED = np.resize([1.0, 0.0], GAMES)


def played(score=MIXED, elo=None, neutral=None, anchored=()):
    ratings = {}
    if elo is not None:
        elo = np.asarray(elo, dtype=np.float64)
        ratings = {"white_rating_elo": elo[WHITE], "black_rating_elo": elo[BLACK]}
    covariates = {} if neutral is None else {"neutral": neutral}
    table = GameTable(NAMES, WHITE, BLACK, score, covariates=covariates, **ratings)
    return select(table, [name for name in NAMES if name not in anchored])


RATINGS = [1500.0, 1600, 1700, 1800, 1900, 2000]
SOME = [1500.0, 1600, np.nan, np.nan, np.nan, np.nan]


@pytest.mark.parametrize(
    ("selection", "name", "told"),
    [
        (played(), "davidson-matched", "drawn"),
        (played(DECIDED), "bt-matched", "no game is drawn"),
        (played(np.ones(GAMES)), "bt-matched-even", "winners and losers"),
        (played(np.zeros(GAMES)), "bt-matched-even", "the second player wins every game"),
        (
            played(np.ones(GAMES), neutral=np.ones(GAMES)),
            "bt-matched-even",
            "the first player wins every game",
        ),
        (played(neutral=np.ones(GAMES)), "davidson-matched-even", "neutral ground"),
        (played(neutral=np.resize([0.0, 0, 0, 1], GAMES)), "davidson-matched-neutral", "15 of 60 games"),
        (played(elo=RATINGS), "davidson-rated-matched", "6 of 6 players"),
        (played(DECIDED, elo=RATINGS), "bt-rated-matched", "6 of 6 players"),
        (played(elo=SOME), "davidson-matched", "drawn"),  # a rating of two players in six is no scale
        (played(elo=[1500.0] * 6), "davidson-matched", "drawn"),  # nor is one number for all
        (played(elo=RATINGS, anchored=("Ada", "Boris")), "davidson-rated", "4 of 4 players"),
    ],
)
def test_the_model_is_what_the_file_tells(selection, name, told):
    found, why = suggest(selection)
    assert found == name
    assert told in why
    assert find(found).name == name
