"""`halfpoint bridge score` and its function: scores, totals, matches, missing results."""

import json

import numpy as np
import pandas as pd
import pytest
from made import HEADER, MADE_UP, PLAYED, USBF, match_of_records, traveller

from halfpoint.apps.fields import bridge
from halfpoint.models.games.errors import GameTableError


def write(folder, text, name="results.csv"):
    """Write a file and return its path."""
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file


def test_matches_of_teams_with_victory_points(tmp_path):
    found = bridge.bridge_score(write(tmp_path, USBF, "match.lin")).matches.iloc[0]
    assert (found["team"], found["other"], found["boards"]) == ("Nickell", "Fleisher", 15)
    assert (found["imps"], found["other_imps"], found["total"], found["other_total"]) == (30, 41, 110, 140)
    t, blitz = (5**0.5 - 1) / 2, 15 * 15**0.5
    formula = 10 + 10 * (1 - t ** (3 * 11 / blitz)) / (1 - t**3)
    assert abs(found["other_victory_points"] - formula) <= 0.0151  # rounding, and the rule of falling steps
    assert found["victory_points"] + found["other_victory_points"] == pytest.approx(20.0)


def test_a_match_of_two_tables_in_pbn(tmp_path):
    found = bridge.bridge_score(write(tmp_path, match_of_records(PLAYED), "match.pbn"))
    row = found.matches.iloc[0]
    assert (row["match"], row["team"], row["other"], row["boards"]) == ("Final", "Reds", "Blues", 3)
    assert (row["imps"], row["other_imps"], row["total"]) == (13, 1, 13)
    t, blitz = (5**0.5 - 1) / 2, 15 * 3**0.5
    formula = 10 + 10 * (1 - t ** (3 * 12 / blitz)) / (1 - t**3)
    assert abs(row["victory_points"] - formula) <= 0.0151
    assert "assumed to sit North-South in the open room" in found.note
    turned = match_of_records(PLAYED, "Blues", "Reds")  # another name for who sits there
    other = bridge.bridge_score(write(tmp_path, turned, "turned.pbn")).matches.iloc[0]
    assert (other["team"], other["imps"]) == ("Blues", 13)


def test_records_that_do_not_say_the_room_are_in_no_match(tmp_path):
    text = match_of_records(PLAYED).replace('[Room "Closed"]', '[Room ""]')
    found = bridge.bridge_score(write(tmp_path, text, "match.pbn"))
    assert not len(found.matches)
    assert "3 records name teams without a match, the first in line 16: they need HomeTeam, VisitTeam" in found.note


def test_a_match_made_by_hand(tmp_path):
    found = bridge.bridge_score(write(tmp_path, MADE_UP, "match.lin"))
    row = found.matches.iloc[0]
    assert (row["imps"], row["other_imps"], row["boards"]) == (13, 1, 3)
    assert (row["total"], row["other_total"]) == (18, 1)
    assert "1 boards have no two results" in found.note


FIVE = "deal,north,south,east,west,score\n" + "".join(
    f"1,N{k},S{k},E{k},W{k},{score}\n" for k, score in enumerate((-100, 600, -50, 620, -100), 1)
)


def test_the_command_scores_the_example_and_writes_it(halfpoint, tmp_path):
    code, out, _ = halfpoint("bridge", "score", write(tmp_path, FIVE), "--out", tmp_path / "scored")
    assert code == 0
    assert "N4 & S4" in out
    results = pd.read_csv(tmp_path / "scored" / "results.csv")
    assert results["cross_imps_ns"].tolist() == [-6.5, 8.75, -5.0, 9.25, -6.5]
    assert results["percent_ns"].tolist() == [12.5, 75.0, 50.0, 100.0, 12.5]
    assert results["butler_imps_ns"].tolist() == [-7, 9, -6, 10, -7]
    pairs = pd.read_csv(tmp_path / "scored" / "pairs.csv").set_index("pair")
    assert pairs.loc["E4 & W4", "cross_imps"] == -9.25
    assert not (tmp_path / "scored" / "matches.csv").exists()
    for datum, imps in (("median", [-2, 12, 0, 12, -2]), ("trimmed", [-6, 10, -5, 10, -6])):
        code, out, _ = halfpoint("bridge", "score", tmp_path / "results.csv", "--datum", datum, "--json")
        told = {row["pair"]: row["butler_imps"] for row in json.loads(out)["rows"]}
        assert [told[f"N{k} & S{k}"] for k in range(1, 6)] == imps


def test_a_mistake_is_one_line_and_nothing_is_written(halfpoint, tmp_path):
    file = write(tmp_path, FIVE.replace("600", "605"))
    code, out, error = halfpoint("bridge", "score", file, "--out", tmp_path / "scored")
    assert (code, out) == (2, "")
    assert error.count("\n") == 1
    assert "line 3" in error
    assert not (tmp_path / "scored").exists()
    for words in (
        ("--datum", "middle"),
        ("--divide", "n"),
        ("--rounding", "up"),
        ("--trim", "-1"),
    ):
        code, _, error = halfpoint("bridge", "score", write(tmp_path, FIVE, "good.csv"), *words)
        assert (code, error.count("\n")) == (2, 1)
        assert words[0] in error


def printed(scoring, hidden, decimals, seed, tables=9, boards=12):
    """Travellers of a session; `hidden` boards lack one result."""
    rng = np.random.default_rng(seed)
    scores = np.array([-800, -500, -420, -100, -50, 50, 90, 110, 120, 140, 170, 400, 420, 430, 450, 620])
    lines = [HEADER]
    for board in range(1, boards + 1):
        drawn = rng.choice(scores, tables)
        lines += traveller(
            drawn, board=board, scoring=scoring, hidden=4 if board in hidden else None, decimals=decimals
        )
    return "\n".join(lines) + "\n"


@pytest.mark.cases(5)
@pytest.mark.parametrize(("scoring", "decimals"), [("MP", 2), ("MP", 1), ("XIMP", 2), ("XIMP", 1)])
@pytest.mark.parametrize("seed", range(5))
def test_deals_that_lack_a_result_are_named(tmp_path, scoring, decimals, seed):
    found = bridge.bridge_score(write(tmp_path, printed(scoring, (2, 7, 11), decimals, seed)))
    named = "club board 2, club board 7, club board 11."
    assert f"3 of 12 deals have other printed scores, as when a result is missing: {named}" in found.note
    assert (
        "as printed" not in bridge.bridge_score(write(tmp_path, printed(scoring, (), decimals, seed), "whole.csv")).note
    )


def test_kinds_that_are_printed_to_other_digits_are_judged_by_their_own(tmp_path):
    rows = [*printed("MP", (), 1, 3).splitlines(), *(
        line.replace("club,", "other,", 1) for line in printed("XIMP", (), 2, 4).splitlines()[1:]
    )]  # fmt: skip
    assert "printed" not in bridge.bridge_score(write(tmp_path, "\n".join(rows) + "\n")).note
    lacking = [row for number, row in enumerate(rows) if number not in (5, 120)]
    datum = [row.replace("club,", "third,", 1).replace(",MP,", ",IMP,") for row in rows[1:10]]
    found = bridge.bridge_score(write(tmp_path, "\n".join(lacking + datum) + "\n", "lacking.csv"))
    assert "2 of 24 deals have other printed scores" in found.note
    assert "9 printed scores are not checked" in found.note


def test_adjusted_results_do_not_count(tmp_path):
    with_adjusted = FIVE + "1,X,Y,Z,Q,A==\n"
    one = bridge.bridge_score(write(tmp_path, with_adjusted))
    other = bridge.bridge_score(write(tmp_path, FIVE, "five.csv"))
    pd.testing.assert_frame_equal(one.frame, other.frame)
    assert "Neither compared nor rated: 1 adjusted result." in one.note
    assert one.results["score_ns"].isna().tolist() == [False] * 5 + [True]


def test_files_cannot_be_half_written(tmp_path):
    (tmp_path / "taken").write_text("x")
    with pytest.raises(ValueError, match="taken"):
        bridge.bridge_score(write(tmp_path, FIVE), out=tmp_path / "taken")
    with pytest.raises(GameTableError, match="--scoring"):
        bridge.bridge_score(write(tmp_path, FIVE), scoring="perhaps")


def test_an_evening_by_matchpoints_has_two_winners_and_one_page(halfpoint, tmp_path):
    rows = [("Ann & Bob", "Cid & Dee", 620), ("Eve & Flo", "Gus & Hal", 170), ("Ida & Jan", "Kai & Leo", -100)]
    text = "board,ns,ew,score\n" + "".join(f"1,{ns},{ew},{score}\n" for ns, ew, score in rows)
    file = write(tmp_path, text)
    code, out, _ = halfpoint("bridge", "score", file, "--scoring", "matchpoints", "--out", tmp_path / "scored")
    assert code == 0
    assert out.startswith("Ann & Bob win N-S: 100.00%. Kai & Leo win E-W: 100.00%.")
    out = out.partition("\n")[2]
    assert out.index("N-S") < out.index("Ann & Bob") < out.index("E-W of the same") < out.index("Kai & Leo")
    pairs = pd.read_csv(tmp_path / "scored" / "pairs.csv")
    assert pairs["percent"].tolist() == [100, 50, 0, 100, 50, 0]
    assert pairs["matchpoints"].tolist() == [4, 2, 0, 4, 2, 0]
    assert pairs["rank"].tolist() == [1, 2, 3, 1, 2, 3]
    assert pairs["direction"].tolist() == ["N-S"] * 3 + ["E-W"] * 3
    page = (tmp_path / "scored" / "report.html").read_text(encoding="utf-8")
    assert "Ann &amp; Bob win N-S: 100.00%. Kai &amp; Leo win E-W: 100.00%." in page
    by_imps = bridge.bridge_score(file, scoring="imps").frame
    assert (
        by_imps["cross_imps"].tolist()
        == sorted(by_imps["cross_imps"][:3], reverse=True) + by_imps["cross_imps"][3:].tolist()
    )


def test_pairs_that_change_direction_are_one_list_and_ties_share_a_rank(tmp_path):
    text = "board,ns,ew,score\n1,A & B,C & D,50\n1,E & F,G & H,50\n2,C & D,A & B,100\n2,E & F,G & H,100\n"
    found = bridge.bridge_score(write(tmp_path, text), scoring="matchpoints")
    assert not found.about["by_direction"]
    assert set(found.frame["direction"]) == {"both", "N-S", "E-W"}
    assert found.frame["rank"].tolist() == [1, 1, 1, 1]
