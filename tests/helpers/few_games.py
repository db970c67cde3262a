"""A few games of a table among all its players, as models of shards are declared on."""

from dataclasses import dataclass

import numpy as np

from halfpoint.models.games.select import Selection, select


@dataclass(frozen=True, eq=False, repr=False)
class Few(Selection):
    """A few games with the ratings of all players."""

    every: object = None

    def ratings_elo(self):
        """Ratings of the players in all games."""
        return self.every.ratings_elo()


def few_of(games, count):
    """The first games on each kind of ground, among all players."""
    kinds = np.asarray(games.covariates.get("neutral", np.zeros(len(games))))
    rows = np.concatenate([np.flatnonzero(kinds == kind)[:count] for kind in np.unique(kinds)])
    some, nothing = games.take(rows), np.full(rows.size, np.nan)
    every = select(games, games.players, "both")
    return Few(some, games.players, games.white[rows], games.black[rows], nothing, np.ones(rows.size), every=every)
