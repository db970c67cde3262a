"""Season from a trace: finished games, games to come, new players."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
import xarray as xr
from made_traces import chosen, played, points, trace
from rating_games import table

from halfpoint.apps.workflows.beside.line_ups import LineUp
from halfpoint.apps.workflows.executor import executor_of
from halfpoint.apps.workflows.forecasts import forecast
from halfpoint.apps.workflows.team_matches import team_league
from halfpoint.apps.workflows.tournament_outlook import season as outlook_of
from halfpoint.apps.workflows.tournament_outlook import tournament
from halfpoint.evaluation import parts
from halfpoint.evaluation.errors import EvaluationError
from halfpoint.evaluation.seasons import season
from halfpoint.evaluation.tournament_options import Calendar
from halfpoint.inference.fit import named_draws
from halfpoint.inference.loops.engine import expand, numbers_of
from halfpoint.inference.sample import assemble
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.declaration.newcomers import with_newcomers
from halfpoint.models.games.errors import HalfpointError
from halfpoint.models.games.select import select


def test_a_trace_plays_its_fixtures_out_and_keeps_what_is_over():
    tree = trace("margin-walk", "unanchored")
    names = [*tree["posterior"]["player"].to_numpy().tolist()[:3], "Newtown"]
    period = np.array([7, 7, 8, 8])
    fixtures = table(names, [*names[1:], names[0]], np.full(4, 0.5), period=period)
    over = table(names[:1], names[1:2], [1.0], period=np.array([7]))
    found = season(with_newcomers(tree, names[3:]), names, Calendar("3-1-0"), fixtures, over, 1, 200)
    assert found.left == 3
    assert found.table.loc[names[0], "points_so_far"] == 3.0
    assert found.places.to_numpy().sum() == pytest.approx(4.0)
    with pytest.raises(EvaluationError, match="two different names"):
        season(tree, names[:1])
    answer = outlook_of(tree, names, new="all", first=1, last=1, simulations=100, scoring="2-1-0", months=2)
    assert {"points_low", "title_percent", "first_1_percent", "last_1_percent"} <= set(answer.frame)
    assert "New, each drawn from the prior: Newtown." in answer.note
    with pytest.raises(HalfpointError, match="Newtown"):
        outlook_of(trace("davidson", "unanchored"), names, simulations=100)


@pytest.mark.parametrize(("name", "every"), [("davidson-walk", 1), ("davidson-volatility-walk", 3)])
def test_a_game_of_any_day_has_the_strengths_of_that_day(name, every):
    games = replace(played(), period=played().period + 30)
    one = declare(name, select(games, chosen("unanchored").players, "both"))
    p = expand(one, numbers_of(one), points(one, 12, size=0.6))
    statistics = xr.Dataset({"diverging": (("chain", "draw"), np.zeros((2, 6), dtype=bool))})
    settings = {"draws": 6, "tune": 0, "chains": 2, "seed": 1}
    tree = assemble(one, named_draws(one, p, 2), statistics, settings, None)
    white, black = one.selection.players[:2]
    first, last = int(games.period.min()), int(games.period.max())
    assert one.periods > 1
    for month in range(first, last + 1):
        now = (month - 1) // every - (first - 1) // every
        x = p["strength"][:, 0, now] - p["strength"][:, 1, now] + p["advantage"]
        weights = np.exp(np.stack([-x / 2, p["log_draw"], x / 2]))
        expected = 100 * (weights / weights.sum(axis=0)).mean(axis=1)
        found = forecast(tree, white=white, black=black, date=str(month)).frame.iloc[0]
        assert [found[f"{key}_percent"] for key in ("loss", "draw", "win")] == pytest.approx(expected)
    today = forecast(tree, white=white, black=black).frame.iloc[0]
    assert today["win_percent"] == pytest.approx(expected[2])
    with pytest.raises(HalfpointError, match="--date: expected the number of a period"):
        forecast(tree, white=white, black=black, date="May")


@pytest.mark.further
def test_parts_of_simulations_are_the_same_on_processes(monkeypatch):
    monkeypatch.setattr(parts, "_PART", 40)
    tree = trace("davidson", "unanchored")
    names = tree["posterior"]["player"].to_numpy().tolist()[:4]
    teams = [LineUp(f"T{k}", tuple(names[k : k + 1])) for k in range(3)]
    asked = {
        "season": partial(outlook_of, tree, names, simulations=120, first=1),
        "round robin": partial(tournament, tree, names, simulations=120),
        "swiss": partial(tournament, tree, names, simulations=120, format="swiss", rounds=2, tie_break="buchholz"),
        "knockout": partial(tournament, tree, names, simulations=120, format="knockout", seeding="random"),
        "teams": partial(team_league, tree, teams, simulations=120),
    }
    with executor_of(workers=2) as executor:
        for name, call in asked.items():
            here, there = call(), call(executor=executor)
            assert there.frame.equals(here.frame), name
            if name != "teams":
                assert there.places.frame.equals(here.places.frame), name
                assert here.frame["title_percent"].sum() == pytest.approx(100.0)
    whole = season(tree, names, Calendar(first=1), count=120)
    monkeypatch.setattr(parts, "_PART", 20_000)
    assert not whole.table.equals(season(tree, names, Calendar(first=1), count=120).table)  # other numbers by parts
