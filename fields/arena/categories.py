"""Boards of categories side by side, partly pooled: a category leans on the others as far as these agree with it.

    g_ic ~ N(mu + kappa (R_i - mu), s_c^2),     R_i: the rating in all other categories, a known number

kappa and the spread s_c are learned from the category's own judgements (`models.strength.Rated`): where it agrees with
the others s_c is small and its few judgements are not asked to rank everybody by themselves; where it does not, s_c is
large and it stands alone. The others' own uncertainty is not in R_i; s_c takes it up where it matters.

Gelman & Hill (2007) Data Analysis Using Regression and Multilevel Models, section 12, for partial pooling.
"""

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pandas as pd

from halfpoint.fields.arena.asked import Asked
from halfpoint.fields.arena.fit import Board, fit_board, model_for
from halfpoint.fields.arena.read import Judgements
from halfpoint.games.errors import GameTableError
from halfpoint.games.select import select
from halfpoint.games.table import GameTable
from halfpoint.inference.fit import fit
from halfpoint.inference.limits import Effort
from halfpoint.models.anchors import Anchors
from halfpoint.models.declared import declare_model
from halfpoint.models.strength import Rated
from halfpoint.workflows.listed import listed
from halfpoint.workflows.options import Run

DRAWS = 500
FEWEST = 20  # judgements of a category


def of_categories(board: Board, asked: Asked, seed: int) -> dict[str, pd.DataFrame]:
    """Return a board of each level of a column, most judgements first; levels of fewer than 20 are left out."""
    made: dict[str, pd.DataFrame] = {}
    values = board.games.covariates[asked.by or ""]
    names, counts = np.unique(values, return_counts=True)
    for place in np.argsort(-counts, kind="stable"):
        here = values == names[place]
        if counts[place] < FEWEST or here.all():
            continue
        try:
            made[str(names[place])] = of_category(board.judgements, board.games, here, asked, seed)
        except (GameTableError, ValueError):
            continue  # its models never meet
    return made


def of_category(
    judgements: Judgements, games: GameTable, here: npt.NDArray[np.bool_], asked: Asked, seed: int
) -> pd.DataFrame:
    """Return the board of some of the judgements, around the ratings that the others give."""
    alone = replace(asked, fix=None, anchors=None, groups="largest", by=None, judges=False)
    rest = fit_board(replace(judgements, games=games.take(~here)), alone, Effort(DRAWS, seed=seed), Run("normal"))
    mean = rest.ratings.mean(("chain", "draw"))
    elsewhere = dict(zip(mean["player"].to_numpy().astype(str).tolist(), mean.to_numpy().tolist(), strict=True))
    part = games.take(here)
    rating = np.array([elsewhere.get(str(name), np.nan) for name in part.players])
    part = replace(part, white_rating_elo=rating[part.white], black_rating_elo=rating[part.black])
    own = replace(judgements, games=part)
    model = replace(model_for(own, False), name="category", strength=Rated(), anchors=Anchors(scale=(0.0, 1.0)))
    declared = declare_model(model, select(part, part.players, "both"))
    tree = fit(declared, "auto", Effort(DRAWS, DRAWS, 4, seed), pointwise_draws=0)
    return listed(tree, judgements.noun, asked.interval, asked.tier).ranking.frame


def side_by_side(frame: pd.DataFrame, categories: dict[str, pd.DataFrame], noun: str) -> pd.DataFrame:
    """Return the list with rank and rating of each category beside it, NaN for who was not judged in it."""
    made = frame[["rank", noun, "rating_elo"]].copy()
    for name, board in categories.items():
        found = board.set_index(noun).reindex(made[noun])
        made[f"{name} rank"], made[f"{name} elo"] = found["rank"].to_numpy(), found["rating_elo"].to_numpy()
    return made
