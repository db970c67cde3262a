"""What functions read of games: periods, entries, days and coordinates, by hand."""

from dataclasses import replace

import numpy as np
import pytest

from halfpoint.models.declaration.catalogue import find
from halfpoint.models.errors import ModelError
from halfpoint.models.games.select import merge, select
from halfpoint.models.games.table import GRADE, GameTable
from halfpoint.models.games.units import to_natural
from halfpoint.models.language.games import Facts, Games
from halfpoint.models.reading.ground import Ground, entry_periods, glance, visits_of
from halfpoint.models.reading.reads import Reads
from halfpoint.models.rows.days import TICKS
from halfpoint.models.rows.printed_ranks import COLUMN as RANKED


def table(**more):
    """Games of four players in periods 3 to 9; d has no games before period 9."""
    white, black = (np.array(codes, dtype=np.int32) for codes in ([0, 1, 0, 3], [1, 2, 2, 0]))
    columns = {"period": np.array([3, 4, 6, 9]), "white_rating_elo": np.array([1500.0, 1600.0, 1520.0, np.nan])} | more
    return GameTable(np.array(list("abcd")), white, black, np.array([1.0, 0.5, 0.0, 1.0]), **columns)


@pytest.fixture
def ground():
    games = table()
    return Ground(select(games, games.players, "both"), find("davidson-population"))


@pytest.mark.parametrize(("months", "periods", "entered"), [(1, (3, 7), [0, 0, 1, 6]), (3, (1, 3), [0, 0, 1, 2])])
def test_periods_of_some_months(ground, months, periods, entered):
    """Months 3, 4, 6 and 9 are in quarters 1, 2, 2 and 3."""
    assert ground.periods(months) == periods
    assert ground.entry_periods(months).tolist() == entered
    assert ground.period(months) is ground.period(months)  # read once


def test_players_without_a_game_entered_at_the_first():
    games = table()
    chosen = select(games, ["a", "b", "c", "d"], "both")
    alone = chosen.take(np.array([True, True, True, False]))
    assert entry_periods(alone, 1).tolist() == [0, 0, 1, 0]


def test_days_of_players_begin_at_the_first_game():
    days = np.array(["2024-01-05", "2024-01-06", "2024-01-06", "2024-01-09"], dtype="datetime64[D]")
    games = table(period=None, date=days)
    visits, first = visits_of(select(games, games.players, "both"))
    assert first == days[0].astype(int) * TICKS
    assert (visits.tick // TICKS).tolist() == [0, 1, 4, 0, 1, 4, 1, 4, 4]
    assert visits.player.tolist() == [0, 0, 0, 1, 1, 1, 2, 2, 3]


def test_an_anchor_counts_if_its_games_do(ground):
    games = table(
        white_rating_elo=np.array([1500.0, 1600.0, 1520.0, 1800.0]),
        black_rating_elo=np.array([1600.0, 1700.0, 1700.0, 1500.0]),
    )
    anchored = Ground(select(games, ["a", "b"], "any"), find("davidson-population"))
    assert not ground.facts(None).anchored
    selection = anchored.selection
    assert anchored.facts(None).anchored
    assert anchored.facts(merge(selection)).anchored
    nothing = selection.with_weights(np.where(np.isnan(selection.anchor_elo), 1.0, 0.0), "given")
    assert not Ground(nothing, find("davidson-population")).facts(None).anchored
    assert not Ground(nothing, find("davidson-population")).facts(merge(nothing)).anchored


@pytest.mark.parametrize(
    ("name", "walks", "draws", "margin"),
    [
        ("davidson-population", False, True, False),
        ("bt-walk", True, False, False),
        ("margin-normal", False, None, True),
    ],
)
def test_a_glance_has_the_formula_of_a_model(name, walks, draws, margin):
    games = table(covariates={"margin": np.array([2.0, 0.0, -1.0, 3.0])})
    seen = glance(find(name), select(games, games.players, "both"))
    assert seen.walks == walks
    assert (seen.margin is not None) == margin
    if draws is not None:
        assert seen.draws == draws


def view(**facts):
    """View of no rows."""
    common = {
        "players": np.array(["a", "b", "c"], dtype=object), "asked": None, "code": None,
        "periods": lambda every: (3, 4), "entered": lambda every: np.array([0, every, 2]),
        "ratings_elo": lambda: np.array([1500.0, np.nan, 1700.0]),
    }  # fmt: skip
    return Games(None, np.zeros((0, 3)), Facts(**(common | facts)))


@pytest.mark.parametrize(("every", "months", "steps"), [(1, [3, 4, 5, 6], 3), (3, [7, 10, 13, 16], 3)])
def test_coordinates_of_periods_are_their_first_months(every, months, steps):
    coords = replace(view(), every=every).coords
    named = {name: list(values) for name, values in coords.items()}
    assert named["player"] == ["a", "b", "c"]
    assert named["outcome"] == ["loss", "draw", "win"]
    assert months in named.values()
    assert list(range(steps)) in named.values()
    assert set(view().coords) == {"player", "outcome"}


def test_coordinates_of_grades_and_of_players_without_an_error_in_a_list():
    prior = np.array([[1500.0, 20.0], [np.nan, np.nan], [1650.0, 35.0]])
    games = view(prior_elo=prior, grades=3)
    assert list(games.coords["grade"]) == [2, 3]
    assert games.coords["unlisted_player"].tolist() == ["b"]
    assert games.is_listed.tolist() == [True, False, True]
    np.testing.assert_allclose(games.list_rating, to_natural(prior[[0, 2]]))
    assert view().is_listed is None
    assert view(prior_elo=np.full((3, 2), np.nan)).is_listed is None


def test_ratings_and_entries_of_players():
    games = replace(view(), every=5)
    np.testing.assert_allclose(games.rating, to_natural(np.array([1500.0, np.nan, 1700.0])))
    assert games.entry_periods.tolist() == [0, 5, 2]
    assert games.periods == 4
    assert not games.has_anchors
    assert not games.is_swiss
    with pytest.raises(ModelError, match="games by days"):
        assert games.visits


def test_rows_of_single_games(ground):
    """Periods count from the first; ratings of opponents are natural units, 0 between players."""
    rows = ground.rows(Reads())
    assert rows.period.tolist() == [0, 0, 0, 0]
    assert rows.seated.tolist() == [1.0, 1.0, 1.0, 1.0]
    assert ground.rows(Reads(every=1)).period.tolist() == [0, 1, 3, 6]
    assert ground.rows(Reads(every=3)).period.tolist() == [0, 1, 1, 2]
    games = table(covariates={"neutral": np.array([0.0, 1.0, 0.0, 1.0]), "heat": np.array([1.0, 2.0, 3.0, 4.0])})
    more = Ground(select(games, games.players, "both"), find("davidson-population"))
    assert more.rows(Reads(neutral=True)).seated.tolist() == [1.0, 0.0, 1.0, 0.0]
    assert more.rows(Reads()).seated.tolist() == [1.0, 1.0, 1.0, 1.0]
    columns = more.rows(Reads(columns=("column:heat",))).columns
    assert columns["column:heat"].tolist() == [1.0, 2.0, 3.0, 4.0]
    assert set(more.rows(Reads(columns=("column:heat", GRADE, RANKED))).columns) == {"column:heat"}


def test_columns_of_a_probe_are_those_of_its_games():
    games = table(covariates={"margin": np.array([2.0, 0.0, -1.0, 3.0]), "heat": np.array([1.0, 2.0, 3.0, 4.0])})
    ground = Ground(select(games, games.players, "both"), find("margin-normal"))
    facts = ground.facts(None, np.array([0, 3]))
    assert facts.column("column:heat").tolist() == [1.0, 4.0]
    law = find("margin-normal")
    seen = glance(law, ground.selection)
    assert facts.margin(seen.margin).tolist() == [2.0, 3.0]
    assert ground.facts(None).column is None


@pytest.mark.parametrize(("swiss", "most"), [(2, False), (3, True)])
def test_most_games_are_of_swiss_events_if_more_than_half_are(monkeypatch, swiss, most):
    games = table()
    ground = Ground(select(games, games.players, "both"), find("davidson-population"))
    monkeypatch.setattr("halfpoint.models.reading.ground.of_whole_swiss", lambda *_: np.arange(4) < swiss)
    assert ground.swiss() == most
