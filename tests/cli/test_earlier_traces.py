"""Every command that takes a trace opens those of every schema; a lost function is one line where it is needed."""

import pytest
from earlier_traces import COMMANDS, GAMES, NAMES, unpacked

FAST = ("1-davidson-population", "5-davidson-population", "5-split")
NEEDS = ("match", "forecast", "tournament", "pair", "performance", "rate")  # commands that ask about other games
POPULATION = "model has no population from which to draw new players"


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with all traces, games and players."""
    folder = tmp_path_factory.mktemp("earlier")
    for name in NAMES:
        unpacked(name, folder)
    (folder / "games.csv").write_text(GAMES)
    (folder / "players.txt").write_text("Ann\nBo\nCy\nDee\n")
    return folder


@pytest.mark.parametrize("name", [one if one in FAST else pytest.param(one, marks=pytest.mark.slow) for one in NAMES])
def test_every_command_opens_a_trace_of_every_schema(place, halfpoint, tmp_path, name):
    words = {"games": place / "games.csv", "players": place / "players.txt", "out": tmp_path / "out"}
    lost = {}
    for title, command in COMMANDS.items():
        code, _, error = halfpoint(*(word.format(trace=place / f"{name}.nc", **words) for word in command))
        assert code in (0, 2, 3), (title, error)
        assert "Traceback" not in error
        assert "schema" not in error.replace("when models had another form", ""), title
        if code == 2:
            lost[title] = error
    print(name, lost)
