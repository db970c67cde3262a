"""Further games of known players, and the weights of draws given these games, without reading the draws of all players.

A trace of thousands of players has hundreds of megabytes of draws and a table of all its games. A few games between
known players need the draws of these players and one further row per game.
"""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import pandas as pd
import xarray as xr

from halfpoint.models.declaration.trace_attributes import WORTH, reads_in
from halfpoint.models.declaration.worth import worth_from_text
from halfpoint.models.formulas.by_name import formula_named
from halfpoint.models.games.table import Codes, Floats, GameTable

_COLUMNS = {"white", "black", "white_name", "black_name", "anchor_elo", "weight", "date", "event"}


@dataclass(frozen=True, eq=False)
class Appended:
    """Further games of a trace whose games are known by players, result, date and event alone."""

    constant: xr.Dataset  # the constant data of the trace
    observed: xr.Dataset  # its observed data
    further: GameTable
    white: Codes  # (game,): places of the players among those of the trace
    black: Codes

    @classmethod
    def of(cls, tree: xr.DataTree, further: GameTable) -> Self | None:
        """The games; None where a trace or a game has more: new players, ratings, periods, weights, neutral games."""
        constant, reads = tree["constant_data"].to_dataset(), reads_in(tree.attrs)
        formula = formula_named(str(tree.attrs.get("family", "")))
        if not set(constant.data_vars) <= _COLUMNS or reads.every or reads.columns or reads.effects:
            return None
        if formula is None or formula.margin is not None or further.sides is not None or further.weight is not None:
            return None
        rated = further.white_rating_elo is not None or further.black_rating_elo is not None
        if (
            rated
            or np.any(further.covariates.get("neutral", 0.0))
            or ("date" in constant) != (further.date is not None)
        ):
            return None
        if "date" not in constant and further.period is not None:
            return None
        if min(int(constant[name].min()) for name in ("white", "black")) < 0:
            return None
        players = tree["posterior"].to_dataset().indexes["player"]
        place = players.get_indexer(pd.Index(further.players.astype(object)))
        if (place < 0).any():
            return None
        white, black = (place[side].astype(np.int32) for side in (further.white, further.black))
        return cls(constant, tree["observed_data"].to_dataset(), further, white, black)

    def __len__(self) -> int:
        return len(self.further)

    def log_likelihood(self, tree: xr.DataTree) -> Floats | None:
        """The log likelihood of the games under each draw, (draw,); None where a trace has no record of sides."""
        posterior, formula = tree["posterior"].to_dataset(), formula_named(str(tree.attrs["family"]))
        shapes = {str(name): value.shape[2:] for name, value in posterior.data_vars.items()}
        all_worth = worth_from_text(tree.attrs.get(WORTH), shapes, posterior.sizes["player"])
        assert formula is not None
        players, sides = np.unique(np.concatenate([self.white, self.black]), return_inverse=True)
        parts = None if all_worth is None else all_worth.of_players(posterior, players)
        if parts is None or not set(formula.further) <= set(posterior.data_vars):
            return None
        worth, p = parts
        white, black = sides.astype(np.int32).reshape(2, -1)
        drawn = {name: posterior[name].transpose("chain", "draw").to_numpy() for name in formula.further}
        log = formula.at({name: value.reshape(-1, 1) for name, value in drawn.items()}).log_probability(
            *worth.under(p, white, black)
        )
        return np.asarray(log[:, np.arange(len(self)), self.further.outcome.astype(np.intp)].sum(axis=1))

    def data(self) -> tuple[xr.Dataset, xr.Dataset]:
        """Constant and observed data with the games."""
        games, count = self.further, len(self)
        new: dict[str, Any] = {
            "white": self.white,
            "black": self.black,
            "white_name": games.white_names.astype(object),
            "black_name": games.black_names.astype(object),
            "anchor_elo": np.full(count, np.nan),
            "weight": np.ones(count),
            "date": None if games.date is None else games.date.astype("datetime64[s]"),
            "event": np.full(count, "", dtype=object) if games.event is None else games.event.astype(object),
        }
        joined = {
            name: xr.Variable(
                "game", np.concatenate([value.to_numpy(), new[str(name)].astype(value.dtype)]), fastpath=True
            )
            for name, value in self.constant.data_vars.items()
        }
        constant = xr.Dataset(joined, coords=self.constant.coords)
        score = np.concatenate([self.observed["score"].to_numpy(), games.score])
        return constant, xr.Dataset({"score": ("game", score)})
