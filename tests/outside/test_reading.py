"""Every kind of outside file is read without options: games, players, seats and results as in the truth."""

import numpy as np
import pytest
from outside.kinds import KINDS, probabilities

from halfpoint.readers.read import read

LEFT_OUT = {
    "swiss": ["Fed"],
    "football season": ["Div", "HTR", "Referee"],
    "league of seasons": ["FT"],
    "internationals": ["city", "country"],
    "tennis": ["tourney_id", "surface", "tourney_level"],
    "arena": ["question_id", "judge", "anony", "language"],
}
KEPT = {
    "swiss": ["Board", "PtsWhite"],
    "football season": ["HTHG", "goal_difference"],
    "scores in a cell": ["Attendance"],
}
DATED = ("club", "engine", "football", "league", "internationals", "tennis", "arena", "scores")


@pytest.mark.cases(6)
@pytest.mark.parametrize("kind", KINDS)
def test_a_file_is_read_as_it_comes(tmp_path, kind):
    path, truth = KINDS[kind].make(tmp_path)
    games = read(path)
    assert len(games) == truth.games
    assert games.players.tolist() == sorted(truth.rating_elo)
    assert (games.date is not None) == kind.startswith(DATED)
    assert (games.white_rating_elo is not None and bool(np.isfinite(games.white_rating_elo).any())) == truth.rated
    neutral = games.covariates.get("neutral", np.zeros(len(games)))
    winner_first = truth.seats == "winner first"
    assert neutral.sum() == (truth.games if winner_first else truth.neutral)
    told = [note for note in games.notes if "left out" in note]
    assert len(told) == (kind in LEFT_OUT)
    assert all(repr(column) in told[0] for column in LEFT_OUT.get(kind, ()))
    assert set(KEPT.get(kind, ())) <= set(games.covariates)
    assert any("winners and losers" in note for note in games.notes) == winner_first

    rating = np.array([truth.rating_elo[name] for name in games.players.tolist()])
    known = np.isfinite(rating[games.white]) & np.isfinite(rating[games.black])
    gap = rating[games.white[known]] - rating[games.black[known]]
    probability = probabilities(gap + truth.advantage_elo * (1 - neutral[known]), truth.draw_rate)
    value = np.array([0.0, 0.5, 1.0])
    expected, score = probability @ value, games.score[known]
    if winner_first:  # of two players the stronger one wins with probability p: the sum over games of the winner's p
        assert (score == 1).all()
        p = np.maximum(expected, 1 - expected)
        z = ((gap > 0) - p).sum() / np.sqrt((p * (1 - p)).sum())
        assert abs(z) < 4
        return
    variance = probability @ value**2 - expected**2
    for weight in (np.ones(gap.size), gap):  # White's share, and the stronger player's
        z = (weight * (score - expected)).sum() / np.sqrt((weight**2 * variance).sum())
        assert abs(z) < 4
    draw = probability[:, 1]
    spread = np.sqrt((draw * (1 - draw)).sum()) if truth.draw_rate else 1.0
    assert abs((score == 0.5).sum() - draw.sum()) < 4 * spread
