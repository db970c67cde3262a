"""Graphs of bridge results and ratings through time agree with results and ratings."""

import numpy as np
import pandas as pd
import pytest

from halfpoint.apps.fields import bridge
from halfpoint.apps.fields.bridge.comparison import cross_imps
from halfpoint.apps.fields.bridge.simulate import simulate_club
from halfpoint.apps.pages.page import Chart


@pytest.fixture(scope="module")
def club():
    """Results of a small club."""
    return simulate_club(players=12, sessions=6, boards=8, seed=4)[0]


@pytest.mark.parametrize("unit", ["player", "pair"])
@pytest.mark.parametrize("total", ["sum", "mean"])
def test_the_last_rating_of_a_history_is_the_rating(club, unit, total):
    found = bridge.bridge_rate(club, settings={"unit": unit, "total": total, "every": "event"})
    history = found.history.groupby(unit)
    rated = pd.Series(found.ratings.rating_elo, found.ratings.names)
    pd.testing.assert_series_equal(history["rating_elo"].last(), rated, check_names=False, rtol=1e-12)
    played = pd.Series(found.ratings.results, found.ratings.names)
    pd.testing.assert_series_equal(history["results"].sum(), played, check_names=False)
    assert history["number"].apply(lambda numbers: numbers.is_monotonic_increasing and numbers.is_unique).all()


def test_the_page_draws_the_first_of_the_list_through_time(club):
    found = bridge.bridge_rate(club)
    (chart,) = [part for part in found.page().parts if isinstance(part, Chart)]
    assert list(dict.fromkeys(row["series"] for row in chart.rows)) == found.frame["player"][:6].tolist()
    last = {row["series"]: row["y"] for row in chart.rows}
    assert list(last.values()) == pytest.approx(found.frame["rating_elo"][:6].tolist())
    one = bridge.bridge_rate(club.take(club.date == club.date.min()))
    assert not [part for part in one.page().parts if isinstance(part, Chart)]


def test_players_by_their_partnerships_are_the_means_of_their_results(club):
    """Krajowski-Kukiel (2011), section 3.3.2: weighted by deals, the means of partnerships are those of deals."""
    found = bridge.bridge_rate(club)
    won = cross_imps(club.score_ns, club.deals)
    for line in found.frame.to_dict("records"):
        code = int(np.flatnonzero(club.players == line["player"])[0])
        ns, ew = (club.north == code) | (club.south == code), (club.east == code) | (club.west == code)
        assert line["cross_imps_per_result"] == pytest.approx(np.concatenate([won[ns], -won[ew]]).mean())
        pairs = found.partnerships["pair"].str.split(" & ").map(lambda names, who=line["player"]: who in names)
        assert line["partnerships"] == pairs.sum()


def test_an_edge_goes_from_the_winner_and_every_result_is_on_one(club):
    found = bridge.bridge_rate(club)
    edges = found.meetings
    assert edges["results"].sum() == len(found.log)
    assert (edges["cross_imps_per_result"] >= 0).all()
    assert not (edges["winner"] + "|" + edges["loser"]).isin(edges["loser"] + "|" + edges["winner"]).any()
    first = edges.iloc[0]
    sides = found.log.assign(
        ns=[" & ".join(sorted(names)) for names in found.log[["north", "south"]].to_numpy()],
        ew=[" & ".join(sorted(names)) for names in found.log[["east", "west"]].to_numpy()],
    )
    won = [
        *sides.query("ns == @first.winner and ew == @first.loser")["cross_imps_ns"],
        *-sides.query("ew == @first.winner and ns == @first.loser")["cross_imps_ns"],
    ]
    assert (len(won), np.mean(won)) == (first["results"], pytest.approx(first["cross_imps_per_result"]))
