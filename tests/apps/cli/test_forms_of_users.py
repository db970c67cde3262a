"""A file in a user's own form is read by every command that reads games."""

import json

import pytest

FORM = """signature = ["bout"]
kind = "xml"
rows = "bout"
columns = {white = "first", black = "second", score = "points"}
"""
PAIRS = [
    ("Ann", "Bob", 1),
    ("Bob", "Cid", 0),
    ("Cid", "Ann", 0.5),
    ("Ann", "Cid", 1),
    ("Bob", "Ann", 1),
    ("Cid", "Bob", 0),
]


@pytest.fixture
def bouts(tmp_path, monkeypatch):
    """Folder with six bouts in XML of an unknown form, and a description of the form."""
    monkeypatch.chdir(tmp_path)
    rows = "".join(f'<bout first="{a}" second="{b}" points="{points}"/>' for a, b, points in PAIRS)
    (tmp_path / "bouts.xml").write_text(f"<evening>{rows}</evening>")
    (tmp_path / "bouts.toml").write_text(FORM)


@pytest.mark.cases(2)
@pytest.mark.parametrize(
    "words",
    [
        ("rate", "bouts.xml", "--out", "rated"),
        ("list", "bouts.xml", "--system", "elo"),
        ("leaderboard", "bouts.xml", "--out", "board"),
        ("fit", "bouts.xml", "--model", "bt-population", "--method", "normal", "--out", "trace.nc"),
    ],
    ids=lambda words: words[0],
)
def test_a_command_reads_the_form(bouts, halfpoint, words):
    code, _, error = halfpoint(*words, "--form", "bouts.toml")
    assert code == 0, error


def test_results_are_those_of_the_file(bouts, halfpoint):
    code, out, error = halfpoint("rate", "bouts.xml", "--form", "bouts.toml", "--out", "rated", "--json", "--quiet")
    assert code == 0, error
    scores = {row["player"]: row["score"] for row in json.loads(out)["rows"]}
    assert scores == {"Ann": 2.5, "Bob": 2.0, "Cid": 1.5}


@pytest.mark.parametrize(
    ("form", "fault"),
    [("nowhere.toml", "nowhere.toml"), ("/dev/zero", "at most 1,000,000 bytes"), ("bouts.xml", "a form as TOML")],
)
def test_a_form_that_is_none_is_named(bouts, halfpoint, form, fault):
    code, _, error = halfpoint("rate", "bouts.xml", "--form", form, "--out", "rated")
    assert code == 2
    assert fault in error
