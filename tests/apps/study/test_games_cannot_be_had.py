"""First `make study` on a machine without the games and without a network."""

from dataclasses import replace

from halfpoint.apps.study.run.games import study_games
from halfpoint.readers.datasets import fetch


def test_games_that_cannot_be_had_are_told_in_one_line_of_our_own(tmp_path, monkeypatch):
    closed = {name: replace(item, url="http://127.0.0.1:9/games.txt") for name, item in fetch.DATASETS.items()}
    monkeypatch.setattr(fetch, "DATASETS", closed)
    monkeypatch.setattr(fetch, "cache_folder", lambda: tmp_path / "cache")
    monkeypatch.delenv(fetch.FOLDER_VARIABLE, raising=False)
    said = []
    assert study_games(None, use_replica=False, warn=said.append).is_simulated
    assert said == [
        "The study's games are not available; the SIMULATED replica replaces them: granprix2010a2013.txt from "
        "127.0.0.1:9: expected a download, found no connection. Put granprix2010a2013.txt into a folder "
        "and set HALFPOINT_DATA_DIR to it."
    ]
