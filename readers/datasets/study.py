"""The study's players and games (Pires 2014; Pires and Bueno Filho 2020).

The training set is all games of the first file with at least one of the 46 monitored players. Set A is the games of the
second file between two monitored players, set B the games with at least one monitored player. The December 2012 FIDE
list, which the study used for players without an estimate, is its table 4 (paper: table 3), reconciled where the two
texts differ: the list reproduces the printed -2 log L of the ELO reference, 570.46 on A and 995.18 on B. A file is
searched in `folder` first; `GameTableError` if it cannot be fetched, or its content differs.
"""

from dataclasses import replace
from functools import cache
from io import StringIO
from pathlib import Path

import numpy as np
import pandas

from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.packaged import packaged_text
from halfpoint.models.games.select import select
from halfpoint.models.games.table import Floats, GameTable, Texts
from halfpoint.readers.datasets.fetch import fetch
from halfpoint.readers.study_format import read_study

_LIST_DATE = "2012_12"
COVARIATES = (f"white_rating_elo_{_LIST_DATE}", f"black_rating_elo_{_LIST_DATE}")


@cache
def read_packaged(file: str) -> pandas.DataFrame:
    """A table that ships with halfpoint.models.games."""
    return pandas.read_csv(StringIO(packaged_text("readers.datasets", file)))


def study_players() -> pandas.DataFrame:
    """The 46 monitored players.

    Columns name ("Carlsen, Magnus"), data_name ("CarlsenMagnus"), country, rating_2012_12_elo, rating_2014_05_elo, and
    whether the player is in set A and in set B.
    """
    return read_packaged("study_players.csv").copy()


def study_opponents() -> pandas.DataFrame:
    """The 96 players of the study's list of test players: the 46 monitored and 50 opponents, as printed.

    Columns no, name, data_name, country, rating_2012_12_elo, in_training, in_A, in_B.
    """
    return read_packaged("study_opponents.csv").copy()


def monitored_names() -> Texts:
    """The names of the 46 monitored players as the games spell them, shape (player,)."""
    return study_players()["data_name"].to_numpy(dtype=np.str_)


def training_file(folder: str | Path | None = None) -> GameTable:
    """The 28,042 games of the first file, January 2010 (period 1) to November 2012 (period 35)."""
    return read_study(fetch("study-training", folder), "study-training")


def games_2013(folder: str | Path | None = None) -> GameTable:
    """The 2,201 games of the second file, January to October 2013."""
    return read_study(fetch("study-2013", folder), "study-2013")


def training(folder: str | Path | None = None) -> GameTable:
    """The training set: the 6,807 games with at least one monitored player."""
    return replace(select(training_file(folder), monitored_names(), "any").games, name="study training")


def set_a(folder: str | Path | None = None) -> GameTable:
    """Set A: the 411 games of 2013 between two monitored players.

    The December 2012 ratings are the covariates `white_rating_elo_2012_12` and `black_rating_elo_2012_12`; the columns
    `white_rating_elo` and `black_rating_elo` are the ratings on the day.
    """
    return _games_of_set(folder, mutual=True)


def set_b(folder: str | Path | None = None) -> GameTable:
    """Set B: the 732 games of 2013 with at least one monitored player, including set A (see `set_a`)."""
    return _games_of_set(folder, mutual=False)


def _games_of_set(folder: str | Path | None, mutual: bool) -> GameTable:
    """Set A (`mutual`) or B, with the ratings of December 2012 as covariates."""
    games = games_2013(folder)
    names = monitored_names()
    white, black = np.isin(games.white_names, names), np.isin(games.black_names, names)
    selected = games.take(white & black if mutual else white | black)
    ratings = (_december_2012_of(selected.white_names), _december_2012_of(selected.black_names))
    covariates = dict(zip(COVARIATES, ratings, strict=True))
    return replace(selected, name=f"study set {'A' if mutual else 'B'}", covariates=covariates)


def _december_2012_of(names: Texts) -> Floats:
    """The December 2012 rating of each name in Elo points, same shape."""
    elo_of_name = study_opponents().set_index("data_name")["rating_2012_12_elo"].astype(float)
    missing = sorted({*names.tolist()} - {*elo_of_name.index})
    if missing:
        raise GameTableError("December 2012 list", "every player of the test sets", f"no {missing[0]!r}")
    return np.asarray(elo_of_name[names.tolist()], dtype=np.float64)
