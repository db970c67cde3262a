"""`halfpoint sprt`: a table, JSON and files; errors in one line."""

import json
from dataclasses import asdict

import pytest

from halfpoint.apps.fields import arena
from halfpoint.apps.fields.arena.sprt import Sprt


def pgn(rounds, white="New", black="Old"):
    """Pairs of games of two rounds x.1 and x.2: a win for the first White, and a draw."""
    text = ""
    for number in rounds:
        for half, sides, result in ((1, (white, black), "1-0"), (2, (black, white), "1/2-1/2")):
            text += f'[Event "m"]\n[Round "{number}.{half}"]\n[White "{sides[0]}"]\n[Black "{sides[1]}"]\n'
            text += f'[Result "{result}"]\n\n1. e4 e5 {result}\n\n'
    return text


def test_the_command_prints_and_writes_what_the_function_finds(halfpoint, tmp_path):
    (tmp_path / "games.pgn").write_text(pgn(range(40)))
    words = ("sprt", tmp_path / "games.pgn", "--elo1", 10)
    code, printed, error = halfpoint(*words, "--out", tmp_path / "match.json")
    assert code == 0, error
    assert "New against Old: 80 games, +40 =40 -0" in printed
    found = arena.sequential_test(tmp_path / "games.pgn", Sprt(0.0, 10.0))
    written = json.loads((tmp_path / "match.json").read_text())
    assert written["llr"] == found.about["llr"]
    assert {key: written[key] for key in asdict(found.test)} == asdict(found.test)
    code, printed, _ = halfpoint("sprt", "--counts", "379,10170,21828,10640,343", "--normalized", "--json")
    assert (code, json.loads(printed)["decision"]) == (0, "H1")
    code, printed, _ = halfpoint("sprt", "--counts", "100,200,110")
    assert code == 0
    assert "Go on. LLR" in printed


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--counts", "1,2"], "--counts: expected three counts (losses, draws, wins) or five"),
        (["--counts", "1,2,x"], "(pairs by points, 0 to 2), not all 0, found 1,2,x"),
        (["--counts", "1,2,-3"], "not all 0, found 1,2,-3"),
        (["--counts", "1e3,2,3"], "not all 0, found 1e3,2,3"),
        (["--counts", "0,0,0"], "--counts: expected three counts"),
        ([], "sprt: expected PGN files, or --counts, found neither"),
        (["--counts", "1,2,3", "--elo0", "2", "--elo1", "2"], "--elo1: expected a difference above --elo0 2, found 2"),
        (["--counts", "1,2,3", "--alpha", "0.6"], "--alpha: expected a number from 0.0001 to 0.4999, found"),
        (["games.pgn", "--counts", "1,2,3"], "--counts: expected counts or files, found both"),
        (["games.pgn", "games.pgn"], "sprt: expected every file once, found games.pgn twice"),
        (["games.pgn", "--first", "Nobody"], "--first: expected a player who is rated, found 'Nobody'"),
        (["games.pgn", "--first", "New", "--second", "New"], "--second: expected an engine other than 'New'"),
        (
            ["three.pgn"],
            "sprt: expected two engines, found 3 (New, Old, Older). Name two: --first NAME --second NAME.",
        ),
        (["three.pgn", "--first", "New", "--second", "Older"], "expected two engines with common games"),
        (["games.csv"], "expected PGN of two engines, found csv"),
        (["none.pgn"], "none.pgn"),
    ],
)
def test_mistakes_are_one_line(words, message, halfpoint, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "games.pgn").write_text(pgn(range(3)))
    (tmp_path / "three.pgn").write_text(pgn(range(3)) + pgn(range(3), white="Older"))
    (tmp_path / "games.csv").write_text("white,black,score\nA,B,1\n")
    code, _, error = halfpoint("sprt", *words)
    assert (code, error.count("\n")) == (2, 1), error
    assert message in error
    assert not list(tmp_path.glob("x.*"))


def test_counts_of_a_single_kind_have_no_elo(halfpoint):
    code, printed, _ = halfpoint("sprt", "--counts", "0,0,5")
    assert code == 0
    assert printed.count("none (all alike)") == 2
    code, printed, _ = halfpoint("sprt", "--counts", "0,0,5", "--json")
    [row] = json.loads(printed)["rows"]
    assert [row[name] for name in ("elo", "normalized", "normalized_low", "normalized_high")] == [None] * 4
    assert row["score_percent"] == 100.0
