"""A new user's walk through four irregular files: every stop prints the option to add."""

import csv
import json
import shutil
import sys
from pathlib import Path

import pytest
from outside.walk import walk
from outside.warts import FILES, club_pgn

from halfpoint.inference.sample import sample
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.games.select import select
from halfpoint.readers.read import read

HALFPOINT = shutil.which("halfpoint", path=str(Path(sys.executable).parent))


@pytest.mark.slow
def test_a_stranger_comes_to_answers_by_what_the_messages_say(tmp_path):
    steps = walk(str(HALFPOINT), tmp_path)
    said = {" ".join(step.words): step for step in steps}
    assert [step for step in steps if any("Traceback" in line for line in step.lines)] == []
    for step in steps:
        assert step.code in (0, 2), step
        if step.code == 2:  # one line, with the very words to type
            told = [line for line in step.lines if line.strip()]
            assert len(told) == 1, told
            assert "--" in told[0] or "Did you mean" in told[0], told
    stopped = [step.words for step in steps if step.code]
    assert stopped == [("leaderboard", "votes.jsonl", "--out", "board")]  # judges that are missing
    for name in ("club", "liga", "engines"):
        about = json.loads((tmp_path / name / "ratings.json").read_text(encoding="utf-8"))
        assert about["converged"], (name, about["verdict"])
    with (tmp_path / "club" / "ratings.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == 12, "two names of one player are one after the yes"
    with (tmp_path / "liga" / "ratings.csv").open(encoding="utf-8", newline="") as stream:
        assert sum("tico Ashford" in row["player"] for row in csv.DictReader(stream)) == 1
    assert "Home" in "".join(said["forecast liga/trace.nc --white atletico ashford --black Holme Town"].lines)


def test_the_files_have_the_warts_that_they_promise(tmp_path):
    for make in FILES.values():
        first, again = make(tmp_path).read_bytes(), make(tmp_path).read_bytes()
        assert first == again
    assert b"\x8eofie" in (tmp_path / "vereinsmeisterschaft.pgn").read_bytes()
    assert (tmp_path / "liga.csv").read_bytes().startswith(b"\xef\xbb\xbfJornada;")
    assert (tmp_path / "votes.jsonl").read_bytes().startswith(b"\xef\xbb\xbf{")


def test_one_player_without_a_rating_does_not_break_the_sampler(tmp_path):
    games = read(club_pgn(tmp_path))
    named = [name for name in games.players.tolist() if name != "Mueller, J."]
    declared = declare("davidson-rated", select(games, named))
    trace = sample(declared, seed=1, progress=False)
    assert trace.attrs["divergences"] <= 5
    assert trace.attrs["max_rhat"] < 1.02
