"""Printed rankings: which rows they add, their closed density, and a strength that they measure."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from natural_density import NaturalDensity
from scipy import stats

from halfpoint.inference.gaussian.mode import mode
from halfpoint.models.declaration.catalogue import declare, find
from halfpoint.models.formulas.margin import leads_in_sets, pairs_of_sets
from halfpoint.models.games.select import select
from halfpoint.models.games.table import GameTable
from halfpoint.models.rows.printed_ranks import COLUMN, has_ranks, rank_rows
from halfpoint.readers.read import read


def games(ranked=True, best_of=True) -> GameTable:
    """Ada, Bea and Cem over two years, rankings of some."""
    columns = {
        "date": ["2020-03-01", "2020-05-01", "2020-05-01", "2021-01-04", "2021-08-01"],
        "white": ["Ada", "Bea", "Cem", "Ada", "Cem"],
        "black": ["Bea", "Cem", "Ada", "Cem", "Bea"],
        "score": [1.0, 0.0, 1.0, 1.0, 0.0],
        "lead_percent": [30.0, -12.0, 5.0, 44.0, -8.0],
        "best_of": [3.0, 5.0, 3.0, 3.0, 5.0],
        "white_ranking": [12.0, 40.0, 0.0, 9.0, 55.0],
        "black_ranking": [41.0, np.nan, 11.0, 60.0, np.nan],
        "neutral": [1.0] * 5,
    }
    kept = ["lead_percent", *(["white_ranking", "black_ranking"] if ranked else []), *(["best_of"] if best_of else [])]
    return read(pd.DataFrame(columns).drop(columns=[] if best_of else "best_of"), covariates=tuple(kept))


def test_leads_have_the_spread_of_tennis():
    leads = leads_in_sets(games())
    assert np.sqrt(np.mean(leads**2)) == pytest.approx(29.9)
    np.testing.assert_allclose(leads / leads[0], games().covariates["lead_percent"] / 30.0)


def test_matches_of_more_than_seven_sets_count_as_of_seven():
    """A misprint such as best of 99 would make one match as sure as thousands."""
    found = pairs_of_sets(np.array([1.0, 3.0, 5.0, 7.0, 99.0]))
    np.testing.assert_allclose(found, [-1.0, 0.0, 1.0, 2.0, 2.0])
    modes = []
    for longest in (7.0, 99.0):
        table = games(ranked=False)
        columns = {**table.covariates, "best_of": np.where(table.covariates["best_of"] == 5.0, longest, 3.0)}
        modes.append(mode(declare("sets", select(replace(table, covariates=columns), table.people))).top.z[0])
    np.testing.assert_allclose(*modes)


def test_each_players_last_known_ranking_of_a_year_is_a_row():
    selection = select(games(), games().people)
    game, side, rank = rank_rows(selection)
    seats = np.where(side > 0, selection.white[game], selection.black[game])
    names = selection.players[seats].astype(str).tolist()
    assert list(zip(names, game.tolist(), np.exp(rank).round(6).tolist(), strict=True)) == [
        ("Ada", 2, 11.0), ("Ada", 3, 9.0), ("Bea", 1, 40.0), ("Cem", 4, 55.0),
    ]  # fmt: skip
    assert has_ranks(games())
    assert not has_ranks(games(ranked=False))
    declared = declare("sets", selection)
    assert len(declared.rows) == 9
    assert declared.rows.columns[COLUMN].tolist().count(0.0) == 5


@pytest.mark.parametrize(("ranked", "best_of"), [(True, True), (True, False), (False, True)])
def test_the_density_is_that_of_leads_and_logarithms_of_rankings(ranked, best_of):
    selection = select(games(ranked, best_of), games().people)
    declared = declare("sets", selection)
    point = {"strength": np.array([14.0, -3.0, 6.0])} | ({"rank_level": 4.1} if ranked else {})
    found = NaturalDensity(declared.model, list(point))(point)
    g = dict(zip(map(str, selection.players), point["strength"], strict=True))
    table = selection.games
    width = np.exp(3.22 + (np.array([0.0, -0.2, 0.0, 0.0, -0.2]) if best_of else 0.0))
    apart = [g[w] - g[b] for w, b in zip(table.white_names, table.black_names, strict=True)]
    expected = stats.norm(apart, width).logpdf(leads_in_sets(table)).sum()
    expected += stats.norm(0.0, 15.0).logpdf(point["strength"]).sum()
    if ranked:
        expected += stats.norm(5.0, 2.0).logpdf(4.1)
        for name, rank in (("Ada", 11.0), ("Ada", 9.0), ("Bea", 40.0), ("Cem", 55.0)):
            expected += stats.norm(4.1 - 0.073 * g[name], 0.7).logpdf(np.log(rank))
    assert found == pytest.approx(expected, abs=1e-8)


def test_new_leads_leave_the_rankings_as_they_are():
    selection = select(games(), games().people)
    declared = declare(find("sets"), selection)
    unmerged = declared if len(declared.cells) == len(declared.rows) else None
    assert unmerged is not None
    lead = np.array([1.0, 2.0, 3.0, 4.0, 5.0])  # as learned, in the spread of tennis
    seen = unmerged.seeing(selection.games.score, lead)
    np.testing.assert_array_equal(seen.rows.margin[seen.cells.cell_of_game], lead)
    ranks = seen.rows.columns[COLUMN] != 0.0
    np.testing.assert_array_equal(seen.rows.margin[ranks], declared.rows.margin[ranks])


def test_a_ranking_moves_a_player_who_met_one_opponent_once():
    """Closed form of three normal numbers: two strengths and the level of rankings, one match and two rankings."""
    frame = pd.DataFrame({
        "date": ["2020-03-01"], "white": ["Ada"], "black": ["Bea"], "score": [1.0], "lead_percent": [20.0],
        "white_ranking": [5.0], "black_ranking": [300.0], "neutral": [1.0],
    })  # fmt: skip
    table = read(frame, covariates=("lead_percent", "white_ranking", "black_ranking"))
    at = mode(declare("sets", select(table, table.people))).values
    design = np.array([[1.0, -1.0, 0.0], [-0.073, 0.0, 1.0], [0.0, -0.073, 1.0]])
    noise = np.array([np.exp(3.22), 0.7, 0.7])
    values = np.array([29.9, np.log(5.0), np.log(300.0)])
    precision = np.diag([15.0**-2, 15.0**-2, 2.0**-2]) + design.T @ (design / noise[:, None] ** 2)
    expected = np.linalg.solve(precision, design.T @ (values / noise**2) + np.array([0.0, 0.0, 5.0 / 4.0]))
    np.testing.assert_allclose([*at["strength"], at["rank_level"]], expected, atol=1e-6)
