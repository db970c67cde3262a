"""`halfpoint data`: printed results of the functions of `halfpoint.readers.datasets.fetch`."""

import hashlib

from halfpoint.readers.datasets import fetch as fetching

CONTENT = b"Site Data WR W B BR y\nClub 1 2000 Ann Bob 1900 1\n"


def test_the_commands_print_what_the_functions_return(halfpoint, monkeypatch, tmp_path):
    sha256 = hashlib.sha256(CONTENT).hexdigest()
    item = fetching.DataSet("small", "games.txt", "http://127.0.0.1:9/games.txt", "49", sha256, "one game", "none")
    monkeypatch.setitem(fetching.DATASETS, "small", item)
    (tmp_path / "games.txt").write_bytes(CONTENT)
    assert sha256 in halfpoint("data", "list")[1]
    code, shown, _ = halfpoint("data", "fetch", "small", "--data-dir", tmp_path)
    assert code == 0
    assert shown == f"small: {tmp_path / 'games.txt'}\n"


def test_the_classes_of_time_controls_are_told(halfpoint, tmp_path):
    path = tmp_path / "games.csv"
    path.write_text("white,black,score,event\na,b,1,City Rapid\nb,a,0.5,City Open\n", encoding="utf-8")
    code, shown, _ = halfpoint("data", "time-controls", path)
    assert code == 0
    assert "2 games, 1 rapid (event's name), 1 unknown" in " ".join(shown.split())
