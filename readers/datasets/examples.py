"""Small files of SIMULATED results that ship with halfpoint as examples; `.ci/demo_files.py` writes them."""

from importlib.resources import files
from pathlib import Path

import pandas as pd

from halfpoint.models.games.ranges import require_word
from halfpoint.models.games.table import GameTable
from halfpoint.readers.read import read

#: by name: a club's evenings with printed ratings, a football league with the season so far, its fixtures and clubs, a
#: match of engines, judgements of language models, evenings of bridge, a Grand Prix season
_FILES = ("club.pgn", "football.csv", "season.csv", "fixtures.csv", "clubs.txt", "engines.pgn", "arena.csv",
          "bridge.csv", "grandprix.csv")  # fmt: skip
EXAMPLES = {Path(file).stem: file for file in _FILES}
_GAMES = ("club", "football", "season", "engines")


def example_file(name: str) -> Path:
    """The file of an example: club, football, fixtures, clubs, engines, arena, bridge or grandprix.

    Parameters
    ----------
    name : str
        A key of `EXAMPLES`.

    Raises
    ------
    HalfpointError
        If there is no such example.
    """
    require_word("example", name, tuple(EXAMPLES))
    return Path(str(files("halfpoint.readers.datasets").joinpath("demo", EXAMPLES[name])))


def load(name: str = "club") -> GameTable | pd.DataFrame:
    """Load an example of SIMULATED results.

    Parameters
    ----------
    name : {"club", "football", "season", "engines", "fixtures", "arena", "bridge", "grandprix"}
        Name of the example.

    Returns
    -------
    GameTable or DataFrame
        Games of a club, of a football league (all, and of this season), of two engines; for the other examples the rows
        of the file.

    Raises
    ------
    HalfpointError
        If there is no such example.

    Examples
    --------
    >>> import halfpoint as hp
    >>> club = hp.load("club")
    >>> len(club), len(club.players), club.simulated
    (280, 16, True)
    """
    path = example_file(name)
    if path.suffix == ".txt":
        return pd.DataFrame({"club": path.read_text(encoding="utf-8").split("\n")[:-1]})
    return read(path) if name in _GAMES else pd.read_csv(path)
