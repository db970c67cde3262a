"""Boards of graded verdicts and of several criteria: counts, forecasts, certificates, simulated truth."""

import re

import numpy as np
import pandas as pd
import pytest
from graded_votes import WORDS, graded_votes

from halfpoint.apps.fields.arena import leaderboard
from halfpoint.inference.forecast import forecast
from halfpoint.readers import read

STRENGTH = np.array([0.8, 0.6, 0.0, -0.4, -1.0])


@pytest.fixture(scope="module")
def votes():
    return graded_votes(np.random.default_rng(3), STRENGTH, 0.1, 0.3, (-0.4,), 0.6, 900)


@pytest.fixture(scope="module")
def board(votes):
    return leaderboard(votes.drop(columns="grade"), method="normal")


def test_votes_are_counted_once_whatever_their_grade(votes, board):
    rows = board.frame.set_index("model")
    assert rows["games"].sum() == 2 * len(votes)
    for k, name in enumerate(sorted(rows.index)):
        own = votes[(votes["model_a"] == name) | (votes["model_b"] == name)]
        sign = np.sign(own["grade"]) * np.where(own["model_a"] == name, 1, -1)
        assert rows.loc[name, ["wins", "draws", "losses"]].tolist() == [(sign == one).sum() for one in (1, 0, -1)], k
    assert board.title.startswith("5 models by 900 judgements")


def test_the_audit_says_what_grades_tell(votes, board):
    [told] = [one for one in board.audit if one.name == "grades"]
    decided = votes["grade"] != 0
    assert told.numbers["share"] == pytest.approx((votes["grade"].abs() > 1).sum() / decided.sum())
    truth = 1.0 / (1.0 + np.exp(0.4))
    assert told.numbers["equals"]["low"] < truth < told.numbers["equals"]["high"]
    scale = float(board.board.scale().mean())
    ahead = 1.0 / (1.0 + np.exp(0.4 - 0.6 * 100.0 / scale))
    assert told.numbers["ahead"]["low"] < ahead < told.numbers["ahead"]["high"]


def test_a_forecast_is_of_loss_draw_and_win_by_davidson(board):
    games = read(pd.DataFrame({"white": ["m0", "m3"], "black": ["m1", "m4"], "score": [1.0, 0.0]}))
    found = forecast(board.trace, games).probability
    posterior = board.trace["posterior"].to_dataset().stack(sample=("chain", "draw"))
    strength, seats = posterior["strength"].transpose("sample", "player").to_numpy(), ((0, 1), (3, 4))
    for game, (one, two) in enumerate(seats):
        gap = strength[:, one] - strength[:, two] + posterior["advantage"].to_numpy()
        scores = np.exp(np.stack([-gap / 2, posterior["log_draw"].to_numpy() + 0 * gap, gap / 2]))
        np.testing.assert_allclose(
            found.mean(axis=(1, 2))[:, game], (scores / scores.sum(axis=0)).mean(axis=1), rtol=1e-9
        )


def test_without_the_votes_that_hold_it_another_leads(votes, board):
    first = board.certificate.places.iloc[0]
    named = board.certificate.votes[board.certificate.votes["place"] == "first place"]
    assert named["votes"].sum() == first["votes"]
    lines = []
    for row in named.itertuples():
        told = [int(one) for one in row.where.removeprefix("row ").split(" and ")[0].split(", ")]
        kept = votes.iloc[told[0] - 1]
        same = votes[(votes[["model_a", "model_b", "grade"]] == kept[["model_a", "model_b", "grade"]]).all(axis=1)]
        lines += same.index[: row.votes].tolist()
    again = leaderboard(votes.drop(index=lines), method="normal", checks=False).frame.set_index("model")["rating_elo"]
    assert again[first["below"]] > again[first["above"]] - 1.0  # spreads are learned anew


def test_no_grades_reads_much_better_as_better(votes):
    plain = votes.assign(verdict=np.sign(votes["grade"]).map(WORDS))
    one = leaderboard(votes, method="normal", checks=False, grades=False)
    two = leaderboard(plain, method="normal", checks=False)
    pd.testing.assert_frame_equal(one.frame, two.frame)
    assert "grade_cut" not in one.trace["posterior"]


def test_criteria_have_a_list_each_and_go_together_by_battle(tmp_path):
    rng, count = np.random.default_rng(7), 1500
    own = {"helpful": STRENGTH, "accurate": STRENGTH[::-1] / 4}
    a = rng.integers(0, 5, count)
    b = (a + rng.integers(1, 5, count)) % 5
    noise = rng.normal(0.0, 2.0, count)  # of a battle, in both criteria
    columns = {"model_a": [f"m{k}" for k in a], "model_b": [f"m{k}" for k in b]}
    for name, g in own.items():
        gap = g[a] - g[b] + noise
        share = np.exp(np.stack([-gap / 2, 0.2 + 0 * gap, gap / 2]))
        sign = (rng.random(count) > np.cumsum(share / share.sum(axis=0), axis=0)[:2]).sum(axis=0) - 1
        columns[name] = [WORDS[one] for one in sign.tolist()]
    criteria = ["helpful", "accurate"]
    found = leaderboard(pd.DataFrame(columns), tmp_path / "out", method="normal", checks=False, criteria=criteria)
    page = (tmp_path / "out" / "leaderboard.html").read_text(encoding="utf-8")
    ids = re.findall(r'\bid="([^"]*)"', page)
    assert len(ids) == len(set(ids)), "each element once: two models are asked for in one place"
    assert "<h2>By criterion</h2>" in page
    assert found.board.clusters.correlated_columns == ["battle"]
    assert set(found.categories) == set(own)
    for name, g in own.items():
        rows = found.categories[name].sort_values("model")
        assert np.corrcoef(rows["rating_elo"], g)[0, 1] > 0.85
        assert (rows["low_elo"] < rows["rating_elo"]).all()


def test_a_column_of_the_file_that_is_called_grade_is_none_of_verdicts(votes):
    rows = votes.assign(verdict=np.sign(votes["grade"]).map(WORDS), grade=1 + np.arange(len(votes)) % 3)
    found = leaderboard(rows, method="normal", checks=False, effects=["advantage ~ 0 + grade"])
    assert found.board.declared.spec.grades == 0
    assert found.board.games.covariates["grade"].max() == 3
