"""Ratings on the scale of an earlier list: `rate` and `leaderboard` with anchors, from games with known truth."""

import numpy as np
import pandas as pd
import pytest

from halfpoint.apps import workflows
from halfpoint.apps.fields.arena import leaderboard
from halfpoint.models.games.errors import GameTableError

TRUTH = dict(zip("abcdefgh", 2500.0 + 80.0 * np.arange(8), strict=True))
ANCHORS = {"a": (2500.0, 15.0), "d": (2740.0, 25.0), "h": (3060.0, 15.0), "elsewhere": 2000.0}


def games(count=600, seed=4):
    """Games of eight players 80 Elo apart, 27% draws between equals, and two games of a newcomer."""
    rng, names = np.random.default_rng(seed), list(TRUTH)
    white = rng.integers(0, 8, count)
    black = (white + rng.integers(1, 8, count)) % 8
    tie = 0.74
    x = np.log(10) / 400 * 80.0 * (white - black) * (2 + tie) / 2
    p = np.stack([np.exp(-x / 2), np.full(count, tie), np.exp(x / 2)], axis=1)
    outcome = (rng.random(count)[:, None] > (p / p.sum(1, keepdims=True)).cumsum(1)[:, :2]).sum(1)
    rows = [(names[i], names[j], k / 2.0) for i, j, k in zip(white, black, outcome, strict=True)]
    rows += [("new", "a", 1.0), ("h", "new", 0.5)]
    return pd.DataFrame(rows, columns=["white", "black", "score"])


def near_the_truth(frame, noun, known, sds=4.0):
    for row in frame.to_dict("records"):
        if row[noun] in TRUTH:
            assert abs(row["rating_elo"] - TRUTH[row[noun]]) < sds * row["sd_elo"] + known, row


def test_rate_puts_players_on_the_scale_of_the_list():
    played = games().assign(white_rating_elo=1500.0, black_rating_elo=1700.0)  # another list's, which is not looked at
    rated = workflows.rate(played, anchors=ANCHORS, draws=1000)
    account = rated.about["account"]
    assert "3 with a standard error of 15 to 25 Elo; 1 other of the list is not in these games" in account
    assert "pooled" not in account
    assert set(rated.frame["player"]) > {"a", "b", "c", "d", "h", "new"}
    assert rated.about["model"] == "davidson-population-scaled"
    assert rated.about["level"] == "Level fixed by the anchors, within their errors"
    assert rated.converged, rated.about["verdict"]
    near_the_truth(rated.frame, "player", 0.0)
    sd = rated.frame.set_index("player")["sd_elo"]
    assert sd["a"] < 15.0 * (1 + 4 / np.sqrt(2 * 4000))  # the games tell something
    assert sd["b"] > 10.0  # and not everything: the level is as wide as the anchors leave it
    asked = workflows.rate(played, anchors=ANCHORS, monitor=["b", "c"], draws=200, method="normal")
    assert set(asked.frame["player"]) == {"a", "b", "c", "d", "h"}


def test_one_known_anchor_is_an_anchored_opponent():
    played = games()
    known = workflows.rate(played, model="bt-population", anchors={"d": 2740.0}, min_games=3, draws=1000)
    assert known.frame.set_index("player").loc["d", ["rating_elo", "sd_elo"]].round(1).tolist() == [2740.0, 0.0]
    rating = {
        side: np.where(played[side[:5]] == "d", 2740.0, np.nan) for side in ("white_rating_elo", "black_rating_elo")
    }
    rows = played[(played["white"] != "new") & (played["black"] != "new")].index
    others = [name for name in TRUTH if name != "d"]
    asked = {"model": "bt-population", "monitor": others, "rare": "anchor", "draws": 1000}
    beside = workflows.rate(played.assign(**rating).loc[rows], **asked)
    one, other = (each.frame.set_index("player").loc[others] for each in (known, beside))
    np.testing.assert_allclose(one["sd_elo"], other["sd_elo"], rtol=0.12)
    assert (abs(one["rating_elo"] - other["rating_elo"]) < 0.35 * other["sd_elo"]).all()


def test_a_leaderboard_stands_on_the_scale_of_the_list(tmp_path):
    found = leaderboard(games(), tmp_path, anchors=ANCHORS, method="normal", draws=500)
    near_the_truth(found.frame, "player", 0.0)
    assert "anchors" in found.about["level"]
    assert found.audit
    assert found.frame.set_index("player").loc["a", "sd_elo"] < 15.0 * (1 + 4 / np.sqrt(2 * 2000))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"groups": "largest"}, "--anchors: expected anchors without --groups apart or largest, found both"),
        ({"rare": "anchor"}, "--anchors: expected anchors without --rare anchor, found both"),
        ({"anchors": {"nobody": 2000}}, "expected players of the games, found none of its 1, such as 'nobody'"),
    ],
)
def test_what_anchors_do_not_go_with_is_refused(options, message):
    with pytest.raises(GameTableError, match=message):
        workflows.rate(games(40), **{"anchors": ANCHORS, **options})


def test_groups_that_never_meet_are_joined_by_anchors_of_each():
    rows = [("a", "b", 1.0), ("b", "a", 0.5), ("c", "d", 0.0), ("d", "c", 0.5)] * 5
    played = pd.DataFrame(rows, columns=["white", "black", "score"])
    found = workflows.rate(played, anchors={"a": (1500, 30), "c": (1700, 30)}, method="normal", draws=300)
    assert len(found.frame) == 4
    with pytest.raises(GameTableError, match="Give an anchor to each group"):
        workflows.rate(played, anchors={"a": (1500, 30)})


def test_a_leaderboard_needs_anchors_that_tell_a_scale():
    with pytest.raises(GameTableError, match="far enough apart to determine a scale, found 1 anchor within 0 Elo"):
        leaderboard(games(40), anchors={"a": 2500})
    with pytest.raises(GameTableError, match="either anchors or --fix"):
        leaderboard(games(40), anchors={"a": 2500}, fix="a=2500")
