"""Teams and shares in rankings: openskill, printed figures of TrueSkill, both kinds of files, the model."""

import io

import numpy as np
import pandas as pd
import pytest
from openskill.models import PlackettLuce

from halfpoint.apps.fields import races
from halfpoint.apps.fields.races.list import done_by
from halfpoint.apps.fields.races.model import Sampling, declare_races
from halfpoint.apps.fields.races.plackett_luce import log_likelihood
from halfpoint.apps.fields.races.read import read_races
from halfpoint.models.games.errors import GameTableError

CREWS = """race,crew,place
M1,Ann + Bob,1
M1,Cem + Dan (0.5),2
M1,Eve,3
M2,Dan + Ann,1
M2,Bob + Eve (0.25),1
M2,Cem + Fay,3
M3,Fay,1
M3,Cem + Ann (2),2
M3,Eve + Dan + Bob,3
"""
ROWS = """match,team,player,share,place
M1,red,Ann,1,1
M1,red,Bob,,1
M1,blue,Cem,1,2
M1,blue,Dan,0.5,2
M1,green,Eve,1,3
M2,red,Dan,1,1
M2,red,Ann,1,1
M2,blue,Bob,1,1
M2,blue,Eve,0.25,1
M2,green,Cem,1,3
M2,green,Fay,1,3
M3,red,Fay,1,1
M3,blue,Cem,1,2
M3,blue,Ann,2,2
M3,green,Eve,1,3
M3,green,Dan,1,3
M3,green,Bob,1,3
"""
TEAM = {"columns": {"team": "team"}}
FREE = """event,place,player
1,1,Ann
1,2,Bob
1,3,Cem
"""


def frame(text):
    return pd.read_csv(io.StringIO(text))


def rated(text, system, **options):
    found = races.races_list(frame(text), system, **options).frame
    return found.set_index("competitor")


def test_teams_of_a_file_are_openskills_to_1e_9():
    """Weng and Lin's Plackett-Luce event after event by openskill itself, shares as its weights."""
    model = PlackettLuce()
    known = {name: model.rating() for name in ("Ann", "Bob", "Cem", "Dan", "Eve", "Fay")}
    for sides, ranks, shares in (
        (["Ann Bob", "Cem Dan", "Eve"], [1, 2, 3], [[1, 1], [1, 0.5], [1]]),
        (["Dan Ann", "Bob Eve", "Cem Fay"], [1, 1, 3], [[1, 1], [1, 0.25], [1, 1]]),
        (["Fay", "Cem Ann", "Eve Dan Bob"], [1, 2, 3], [[1], [1, 2], [1, 1, 1]]),
    ):
        teams = [[known[name] for name in side.split()] for side in sides]
        for side, after in zip(sides, model.rate(teams, ranks=ranks, weights=shares), strict=True):
            known |= dict(zip(side.split(), after, strict=True))
    for text, options in ((CREWS, {"sides": "+"}), (ROWS, TEAM)):
        found = rated(text, "weng-lin", **options)
        for name, skill in known.items():
            assert found.loc[name, ["rating_mu", "sd_mu"]].tolist() == pytest.approx([skill.mu, skill.sigma], abs=1e-9)


def test_the_printed_figures_of_trueskill():
    """trueskill.org: three single players; its calculator: two teams of which one player plays half the game."""
    free = rated(FREE, "trueskill")
    assert free["rating_mu"].round(3).tolist() == [31.675, 25.0, 18.325]
    assert free["sd_mu"].round(3).tolist() == [6.656, 6.208, 6.656]
    shared = rated("event,crew,place\n1,a + b (0.5),1\n1,c + d,2\n", "trueskill", sides="+")
    assert shared["rating_mu"].round(3).to_dict() == {"a": 30.675, "b": 27.837, "c": 19.325, "d": 19.325}
    three = rated("event,crew,place\n1,a + b,1\n1,c + d,2\n1,e + f,3\n", "trueskill", sides="+")
    assert three["rating_mu"].round(3).to_dict() == {
        "a": 29.720, "b": 29.720, "c": 25.0, "d": 25.0, "e": 20.280, "f": 20.280,
    }  # fmt: skip


def test_both_kinds_of_files_are_one_table():
    one, two = read_races(frame(CREWS), sides="+"), read_races(frame(ROWS), {"team": "team"})
    for name in ("competitors", "start", "who", "group", "people"):
        np.testing.assert_array_equal(getattr(one, name), getattr(two, name))
    assert one.people.tolist() == ["Ann", "Bob", "Cem", "Dan", "Eve", "Fay"]
    assert one.competitors[0] == "Ann (2) + Cem"
    done = done_by(one).assign(name=one.people).set_index("name")
    assert done["events"].tolist() == [3, 3, 3, 3, 3, 2]
    assert done["wins"].tolist() == [1.5, 1.5, 0.0, 0.5, 0.5, 1.0]
    assert one.components().comparable


def test_the_model_has_the_mean_of_a_side():
    table = read_races(frame(CREWS), sides="+")
    declared = declare_races(table)
    g = np.array([0.3, -0.4, 1.1, 0.2, -0.9, 0.5])
    sides = {"Ann (2) + Cem": (2 * g[0] + g[2]) / 3, "Bob + Eve (0.25)": (g[1] + 0.25 * g[4]) / 1.25, "Eve": g[4]}
    each = declared.entrants.strengths({"strength": g})
    for name, value in sides.items():
        assert each[table.competitors.tolist().index(name)] == pytest.approx(value)
    a = np.exp([sides["Ann (2) + Cem"], (g[4] + g[3] + g[1]) / 3, g[5]])
    third = log_likelihood(each, np.zeros(declared.order - 1) - 40.0, declared.choices)[2]
    assert third == pytest.approx(np.log(a[2] / a.sum()) + np.log(a[0] / (a[0] + a[1])))


@pytest.mark.slow
def test_people_on_sides_are_rated_and_forecast(tmp_path):
    rng = np.random.default_rng(3)
    strength = dict(zip("ABCDEF", np.linspace(1.5, -1.5, 6), strict=True))
    lines = ["event,crew,place"]
    for event in range(120):
        people = rng.permutation(list("ABCDEF"))
        crews = [people[:2], people[2:4], people[4:]]
        order = np.argsort([-np.mean([strength[one] for one in crew]) - rng.gumbel() for crew in crews])
        lines += [f"{event},{crews[crew][0]} + {crews[crew][1]},{place}" for place, crew in enumerate(order, 1)]
    file = tmp_path / "crews.csv"
    file.write_text("\n".join(lines))
    found = races.races_rate(file, tmp_path / "run", sides="+", how=Sampling(draws=300, chains=2))
    assert set(found.frame["competitor"][:3]) <= set("ABCD")
    truth = 173.72 * (found.frame["competitor"].map(strength))
    assert (np.abs(found.frame["rating_elo"] - 1500 - truth) < 4 * found.frame["sd_elo"]).all()
    coming = races.races_forecast(tmp_path / "run" / "trace.nc", ["A+B", "E+F", "C"], 1000).frame
    assert coming["competitor"].tolist() == ["A + B", "C", "E + F"]
    judged = races.races_backtest(file, ["plackett-luce", "elo", "trueskill", "weng-lin"], sides="+", blocks=2)
    assert (judged.frame.set_index("forecaster").drop("uniform")["log_order_gain"] > 0).all()


@pytest.mark.parametrize(("text", "options", "message"), [
    ("event,crew,place\n1,a + a,1\n1,b,2\n", {"sides": "+"}, "line 2: expected every person once on a side"),
    ("event,crew,place\n1,a + ,1\n1,b,2\n", {"sides": "+"}, "line 2: expected names between '\\+', found 'a \\+'"),
    ("event,crew,place\n1,a (0) + c,1\n1,b,2\n", {"sides": "+"}, "line 2: expected a share of play above 0, found '0'"),
    ("event,crew,place\n1,a + c,1\n1,a + b,2\n", {"sides": "+"},
     "event '1': expected every competitor once, found 'a' tw"),
    ("event,team,player,place\n1,x,a,1\n1,x,b,2\n", TEAM, "line 3: expected one place for all of 'x'"),
    ("event,team,player,place\n1,,a,1\n1,x,b,2\n", TEAM, "line 2: expected a team, found an empty cell"),
    ("event,team,1,2\n1,x,a,b\n", TEAM, "--columns team: expected a row for each person with their place"),
])  # fmt: skip
def test_wrong_teams_are_refused_in_one_line(text, options, message):
    options = dict(options)
    with pytest.raises(GameTableError, match=message) as fault:
        read_races(frame(text), **options)
    assert "\n" not in str(fault.value)


def test_a_formula_beside_sides_is_refused():
    text = CREWS.replace("race,crew,place", "race,crew,place,car").replace("\nM", "\nM", 1)
    rows = [line + (",x" if k else "") for k, line in enumerate(text.strip().split("\n"))]
    table = read_races(frame("\n".join(rows)), extra_columns=["car"], sides="+")
    with pytest.raises(GameTableError, match="--model: expected plackett-luce alone for sides of several people"):
        declare_races(table, formula="(1 | car)").entrants  # noqa: B018
