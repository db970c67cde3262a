"""Commands that read a trace open traces of every schema; a missing function is reported in one line if needed."""

import pytest
from earlier_traces import COMMANDS, GAMES, NAMES, unpacked

FAST = ("5-split",)
LOST = "model own-split: the trace has an earlier format (halfpoint-trace-5)"
MISSING = "the function 'split' of own_model:split is missing. Pass it again"
WITH_FUNCTION = ("match", "match of a newcomer", "forecast", "forecast of a file", "tournament", "pair")
NO_NEWCOMERS = "wider than 2,000 Elo points or cannot be sampled, so new players have no forecast"
# refusals that every trace of these models has, of any schema; 34c6905c called its own rows edited
USUAL = {
    "bt-player": f"expected a model with three outcomes | {NO_NEWCOMERS}",
    "davidson-common": NO_NEWCOMERS,
    "davidson-population": "",
}
EDITED = "a trace of an edited model | the model was edited"


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
    lost, file = {}, place / f"{name}.nc"
    for title, command in COMMANDS.items():
        code, _, error = halfpoint(*(word.format(trace=file, **words) for word in command))
        assert code in (0, 2, 3), (title, error)
        if code == 2:
            lost[title] = error.splitlines()[-1]
    if name == "5-split":
        assert set(lost) == {*WITH_FUNCTION, "rate from"}
        assert all(LOST in error for error in lost.values())
    elif name == "6-split":
        assert all(MISSING in error for error in lost.values())
    else:
        usual = [*USUAL[name[2:]].split(" | "), *(EDITED.split(" | ") if name[0] == "6" else ())]
        assert all(any(text and text in error for text in usual) for error in lost.values()), lost
