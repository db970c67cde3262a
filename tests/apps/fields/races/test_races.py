"""Races read, simulated, listed, forecast and scored, compared with closed forms, rating systems and known truth."""

from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import multivariate_normal
from strangers.tally import tally
from test_plackett_luce import by_sets, drawn, table_of

from halfpoint.apps.fields import races
from halfpoint.apps.fields.races.backtest import between, by_system, tune_rating
from halfpoint.apps.fields.races.chances import Performances, Strengths, log_order, log_winner, places
from halfpoint.apps.fields.races.list import comparable, done_by, unbounded_competitors
from halfpoint.apps.fields.races.read import read_races
from halfpoint.apps.fields.races.simulate import placing, races_simulate, rows_of
from halfpoint.apps.fields.races.system import system_of
from halfpoint.apps.fields.races.table import LAST, RaceTable
from halfpoint.models.games.errors import GameTableError, RatingSystemError
from halfpoint.readers.read import read
from halfpoint.systems.weng_lin import WengLin

ROWS = "race,driver,place\nMonza,Ann,1\nMonza,Bob,2\nMonza,Cem,DNF\nImola,Ann,3\nImola,Bob,1=\nImola,Cem,T1\n"
COLUMNS = "race,1,2,3,unplaced\nMonza,Ann,Bob,,Cem\nImola,Bob = Cem,,Ann,\n"
ORDERS = "judge,order,unplaced\nMonza,Ann > Bob,Cem\nImola,Bob = Cem>Ann,\n"


def frame(text):
    header, *rows = [line.split(",") for line in text.splitlines()]
    return pd.DataFrame(rows, columns=header)


def standing(table):
    """Places of competitors by event, as texts."""
    return {
        str(event): {
            str(table.competitors[table.who[row]]): int(table.group[row]) if table.has_place[row] else None
            for row in np.flatnonzero(table.event == k)
        }
        for k, event in enumerate(table.events)
    }


@pytest.mark.parametrize("text", [ROWS, COLUMNS, ORDERS])
def test_three_ways_to_write_the_same_events(text, tmp_path):
    expected = {"Monza": {"Ann": 0, "Bob": 1, "Cem": None}, "Imola": {"Bob": 0, "Cem": 0, "Ann": 1}}
    assert standing(read_races(frame(text))) == expected
    (tmp_path / "races.csv").write_text(text.replace(",", ";") if text == COLUMNS else text)
    assert standing(read_races(tmp_path / "races.csv")) == expected
    out = read_races(frame(text), unplaced="out")
    assert standing(out)["Monza"] == {"Ann": 0, "Bob": 1}


def test_who_did_not_start_was_not_there_and_dates_give_the_order():
    text = "race,date,driver,pos\nB,2024-05-02,Ann,1\nB,2024-05-02,Bob,12\nB,2024-05-02,Cem,DNS\n"
    text += "A,2024-05-01,Bob,1st\nA,2024-05-01,Cem,2nd\nC,2024-05-03,Ann,1\n"
    table = read_races(frame(text))
    assert standing(table) == {"A": {"Bob": 0, "Cem": 1}, "B": {"Ann": 0, "Bob": 1}}
    assert table.events.tolist() == ["A", "B"]
    assert table.notes == (
        "1 placing of competitors who did not start left out.",
        "1 event with a single competitor left out.",
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\n1,2\n", "header: expected columns for event, competitor and place"),
        ("driver,place\nAnn,1\n", "header: expected a column for the event"),
        ("race,driver,place,place\nA,Ann,1,2\n", "header: expected columns with different names, found 'place' twice"),
        (ROWS.replace("Bob,2", "Bob,second"), "line 3, place: expected a place from 1, DNF, or an empty cell"),
        (ROWS.replace("Bob,2", "Bob,-2"), "line 3, place: expected a place from 1"),
        (ROWS.replace("Monza,Bob", ",Bob"), "line 3, event: expected a name"),
        (ROWS.replace("Monza,Bob", "Monza,"), "line 3, competitor: expected a name"),
        (ORDERS.replace("Imola", "Monza"), "line 3, event: expected every event once, found 'Monza' as in line 2"),
        (
            "race,date,driver,place\nA,2024-13-01,Ann,1\nA,2024-13-01,Bob,2\n",
            "line 2, column date: expected a day of the calendar",
        ),
        ("race,date,driver,place\nA,2024-01-01,Ann,1\nA,2024-01-02,Bob,2\n", "line 3, date: expected '2024-01-01'"),
        ("race,driver,place\nA,Ann,1\nB,Bob,1\n", "at least one event of two or more competitors"),
        ("race,driver,place\n", "at least one event"),
        ("race,driver,place\nA,Ann,0\nA,Bob,1\nB,Bob,0\nB,Ann,1\n", "line 2, place: expected places from 1, found one"),
        ("race,order\nA,Ann > Bob\nB,Ann > > Bob\n", "line 3, order: expected a name on each side of >"),
    ],
)
def test_what_is_wrong_is_one_line(text, message):
    with pytest.raises(GameTableError, match=message) as found:
        read_races(frame(text))
    assert "\n" not in str(found.value)


def test_words_in_place_of_a_place_may_end_in_a_dot_or_be_of_other_languages():
    table = read_races(frame("gara,pos,pilota\nMonza,1,Ann\nMonza,2,Bob\nMonza,Rit.,Cem\nImola,1,Bob\nImola,SQ,Ann\n"))
    assert standing(table) == {"Monza": {"Ann": 0, "Bob": 1, "Cem": None}, "Imola": {"Bob": 0, "Ann": None}}
    words = "race,place,rider\nA,1,Ann\nA,abandono,Bob\nB,1,Bob\nB,снят,Ann\n"
    assert standing(read_races(frame(words))) == {"A": {"Ann": 0, "Bob": None}, "B": {"Bob": 0, "Ann": None}}


def test_an_event_of_one_competitor_is_refused_by_its_name():
    names = np.array(["Ann", "Bob"]), np.array(["Imola", "Monza"])
    rows = {"start": np.array([0, 2, 3]), "who": np.array([0, 1, 0], np.int32), "group": np.array([0, 1, 0], np.int32)}
    with pytest.raises(GameTableError, match="races, event 'Monza': expected two or more competitors, found 1"):
        RaceTable(*names, **rows)


def test_a_simulated_file_is_read_as_it_was_written(tmp_path):
    table, truth = races_simulate(tmp_path / "r.csv", events=30, ties=0.2, unplaced=0.3, seed=4)
    again = read_races(tmp_path / "r.csv")
    assert again.simulated
    assert standing(again) == standing(table)
    assert pd.read_csv(tmp_path / "r.csv.truth.csv")["rating_elo"].mean() == pytest.approx(1500.0)
    assert len(truth) == table.competitors.size
    assert rows_of(again).equals(rows_of(table))


@pytest.mark.parametrize("log_tie", [None, np.array([-0.5]), np.array([-1.0, 0.3])])
def test_simulated_events_have_the_chances_of_the_likelihood(log_tie):
    strength, rng, count = np.array([0.0, 0.8, -0.4]), np.random.default_rng(7), 5_000
    seen = {}
    for _ in range(count):
        who, group = placing(strength, rng, log_tie)
        key = tuple(sorted(zip(who.tolist(), group.tolist(), strict=True)))
        seen[key] = seen.get(key, 0) + 1
    table = table_of([list(key) for key in seen], 3)
    chance = np.exp(by_sets(strength, [] if log_tie is None else log_tie, table))
    assert chance.sum() == pytest.approx(1.0, abs=1e-12)  # every order was seen
    assert len(seen) == {0: 6, 1: 12, 2: 13}[0 if log_tie is None else len(log_tie)]
    share = np.array(list(seen.values())) / count
    assert (np.abs(share - chance) < 4.5 * np.sqrt(chance * (1.0 - chance) / count)).all()


def orders(count):
    return [table_of([[(name, place) for place, name in enumerate(one)]], count) for one in permutations(range(count))]


FORECASTERS = [
    Strengths(np.random.default_rng(2).normal(size=(7, 4))),
    Performances(np.array([0.0, 0.5, -1.0, 2.0]), np.array([1.0, 2.0, 0.5, 1.5])),
]


@pytest.mark.parametrize("chances", FORECASTERS)
def test_chances_of_orders_winners_and_places_agree(chances):
    every = orders(4)
    chance = np.array([np.exp(chances.order(one)[0]) for one in every])
    assert chance.sum() == pytest.approx(1.0, abs=1e-8)
    first = np.array([one.who[0] for one in every])
    win = chances.win(np.arange(4))
    np.testing.assert_allclose(win, [chance[first == k].sum() for k in range(4)], atol=1e-8)
    by_place = np.array([[chance[[one.who[p] == k for one in every]].sum() for p in range(4)] for k in range(4)])
    count = 100_000
    found = places(chances, np.arange(4), count, seed=3)
    assert (np.abs(found - by_place) < 4.5 * np.sqrt(by_place * (1.0 - by_place) / count)).all()
    tie = table_of([[(3, 0), (0, 0), (1, 1), (2, LAST)]], 4)  # 3 and 0 in any order, then 1, then 2
    both = [k for k, one in enumerate(every) if set(one.who[:2].tolist()) == {0, 3} and one.who[2] == 1]
    assert np.exp(log_order(chances, tie)[0]) == pytest.approx(chance[both].sum(), abs=1e-8)
    assert np.exp(log_winner(chances, tie)[0]) == pytest.approx(win[0] + win[3], abs=1e-8)
    behind = table_of([[(2, 0), (0, LAST), (1, LAST), (3, LAST)]], 4)
    assert np.exp(log_order(chances, behind)[0]) == pytest.approx(win[2], abs=1e-8)


def test_orders_of_normal_performances_are_orthants():
    chances = Performances(np.array([0.3, 0.0, -0.2]), np.array([1.0, 0.7, 1.4]))
    step = np.array([[1.0, -1.0, 0.0], [0.0, 1.0, -1.0]])
    cov = step @ np.diag(chances.spread**2) @ step.T
    expected = multivariate_normal(-(step @ chances.mean), cov, abseps=1e-10, releps=1e-10).cdf(np.zeros(2))
    assert np.exp(chances.order(orders(3)[0])[0]) == pytest.approx(float(expected), abs=1e-7)


def test_two_sides_are_forecast_as_the_systems_of_games_do():
    rng = np.random.default_rng(9)
    pairs = [rng.choice(5, 2, replace=False).tolist() for _ in range(40)]
    table = table_of([[(a, 0), (b, 1)] for a, b in pairs], 5)
    made = system_of("weng-lin", 5)
    made.learn(table)
    names = table.competitors
    rows = pd.DataFrame({"white": names[[a for a, _ in pairs]], "black": names[[b for _, b in pairs]], "score": 1.0})
    games = read(rows, source="pairs", trust=True)
    other = WengLin(kind="plackett-luce")
    other.learn(games)
    state = other.state()
    place = {str(name): k for k, name in enumerate(state["names"])}
    np.testing.assert_allclose(made.mean, state["player_rating"][[place[str(name)] for name in names]], rtol=1e-12)
    expected = other.forecast(games).expected_score[:10]
    found = [made.chances(table).win(np.array(pair))[0] for pair in pairs[:10]]
    np.testing.assert_allclose(found, expected, rtol=1e-9)


def test_no_forecast_looks_ahead_and_all_equal_is_the_number_of_orders():
    _, _, table = drawn(10, 24, 5, seed=6)
    cuts = np.array([12, 16, 20, 24])
    for name in ("elo", "uniform"):
        whole = by_system(table, cuts, name, {})
        kept = by_system(between(table, 0, 20), cuts[:3], name, {})
        np.testing.assert_array_equal(whole[:, :8], kept)
    np.testing.assert_allclose(by_system(table, cuts, "uniform", {}), [[-np.log(120.0)] * 12, [-np.log(5.0)] * 12])


@pytest.mark.further
def test_systems_know_more_than_chance_of_simulated_events():
    table, _ = races_simulate(competitors=12, events=120, field=5, spread_elo=300.0, seed=2)
    found = races.races_backtest(table, ("elo", "trueskill"), blocks=4)
    rows = found.frame.set_index("forecaster")
    assert set(rows.index) == {"elo", "trueskill", "uniform"}
    assert (rows["log_order_gain"] > 4.0 * rows["log_order_error"])[["elo", "trueskill"]].all()
    assert (rows["log_winner_gain"] > 2.0 * rows["log_winner_error"])[["elo", "trueskill"]].all()
    own, equal = found.scores["log_order elo"], found.scores["log_order uniform"]
    assert rows.loc["elo", "log_order_gain"] == pytest.approx((own - equal).mean())
    assert rows.loc["elo", "log_order_error"] == pytest.approx((own - equal).std(ddof=1) / np.sqrt(60))
    assert tune_rating(table, 60, "uniform") == {}
    assert "SIMULATED" in found.title


def test_a_list_says_what_everybody_did():
    table = read_races(frame(ROWS))
    done = done_by(table)
    assert done["events"].tolist() == [2, 2, 2]
    assert done["wins"].tolist() == [1.0, 0.5, 0.5]
    np.testing.assert_allclose(done["ahead_percent"], [50.0, 62.5, 37.5])
    listed = races.races_list(table, "elo", numbers={"k": 20.0})
    assert listed.frame["rating_elo"].mean() == pytest.approx(1500.0)
    assert listed.frame["rank"].tolist() == [1, 2, 3]


def test_who_wins_all_and_who_never_meets_others():
    cycle = [[(0, 0), (1, 1), (2, 2)], [(1, 0), (2, 1), (0, 2)]]
    assert unbounded_competitors(table_of(cycle, 3)).tolist() == [False] * 3
    top = table_of([[(3, 0), (0, 1), (1, 2)], [(3, 0), (1, 1), (0, 2)], [(0, 0), (2, LAST), (1, LAST)]], 4)
    assert unbounded_competitors(top).tolist() == [False, False, True, True]
    apart = table_of([[(0, 0), (1, 1), (2, 2)], [(3, 0), (4, 1)]], 5)
    with pytest.raises(GameTableError, match=r"2 groups of competitors who never meet.*--groups largest"):
        comparable(apart, "refuse")
    largest = comparable(apart, "largest")
    assert largest.competitors.tolist() == ["c00", "c01", "c02"]
    assert len(largest) == 1


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda one: races.races_list(one, "glicko"), RatingSystemError, "--system: expected weng-lin"),
        (lambda one: races.races_list(one, "elo", numbers={"beta": 1.0}), RatingSystemError, "--set: .* elo: k"),
        (lambda one: races.races_list(one, "trueskill", numbers={"sigma": 0.0}), RatingSystemError, "above 0"),
        (lambda one: races.races_backtest(one, ("elo", "x")), GameTableError, "--systems: expected plackett-luce"),
        (lambda one: races.races_backtest(one, ("elo",)), GameTableError, "two or more events to learn and two to"),
        (lambda one: races.races_rate(one, groups="apart"), GameTableError, "--groups"),
        (lambda one: races.races_simulate(competitors=3, field=4), GameTableError, "--field: expected at most the 3"),
    ],
)
def test_mistakes_are_one_line(call, error, message):
    with pytest.raises(error, match=message) as found:
        call(read_races(frame(ROWS)))
    assert "\n" not in str(found.value)


def test_the_codes_of_ergast_say_who_is_behind_and_who_was_not_there():
    text = (
        "raceId,driverRef,number,grid,position,positionText,positionOrder,points\n18,ann,1,1,1,1,1,10\n18,bob,2,2,2,2,2,8\n"
        "18,cid,3,3,\\N,R,3,0\n18,dee,4,4,\\N,W,4,0\n19,bob,2,1,1,1,1,10\n19,ann,1,2,\\N,D,2,0\n"
    )
    behind, there = {"18": {"ann": 0, "bob": 1, "cid": None}, "19": {"bob": 0, "ann": None}}, {"dee": None}
    assert standing(read_races(frame(text))) == behind
    plain = text.replace("positionText", "code")  # the number alone: nobody says who did not start
    assert standing(read_races(frame(plain)))["18"] == behind["18"] | there


def test_results_as_formula_one_has_them(tmp_path):
    header = "raceId,driverRef,positionText,rank,date"
    rows = [
        "1,ann,1,3,13/05/1955",
        "1,bob,2,1,13/05/1955",
        "1,bob,R,2,13/05/1955",
        "0,bob,1,\\N,2/4/1955",
        "0,ann,R,1,2/4/1955",
    ]
    (tmp_path / "races.csv").write_text("\n".join([header, *rows, ""]))
    table = read_races(tmp_path / "races.csv")
    assert table.events.tolist() == ["0", "1"]
    assert table.competitors[table.who].tolist() == ["bob", "ann", "ann", "bob"]
    assert any("1 placing of competitors with a better place" in note for note in table.notes)


def test_rounds_that_begin_anew_each_season_are_events_of_their_own():
    text = "Season,Round,Helm,Place\n2022,1,Ann,1\n2022,1,Bob,2\n2023,1,Bob,1\n2023,1,Ann,2\n"
    assert read_races(frame(text)).events.tolist() == ["2022 1", "2023 1"]


def test_a_column_each_competitor_beside_the_name_of_the_event(tmp_path):
    (tmp_path / "cup.csv").write_text("race,ann,bob,cem\nspring,1,2,3\nsummer,2,1,3\nautumn,3,1,2\n", encoding="utf-8")
    assert standing(read_races(tmp_path / "cup.csv")) == {
        "spring": {"ann": 0, "bob": 1, "cem": 2},
        "summer": {"bob": 0, "ann": 1, "cem": 2},
        "autumn": {"bob": 0, "cem": 1, "ann": 2},
    }


def test_a_table_of_games_by_numbers_has_no_column_each_competitor(tmp_path):
    rows = "".join(f"{k},{k % 3 + 1},{(k + 1) % 3 + 1},{k % 3 + 1},{k % 2}\n" for k in range(9))
    (tmp_path / "games.csv").write_text(f"id,left,right,winner_id,draw\n{rows}", encoding="utf-8")
    with pytest.raises(GameTableError, match="header: expected"):
        read_races(tmp_path / "games.csv")


def test_a_hint_for_races_can_be_typed():
    with pytest.raises(GameTableError, match="Say which: --columns 'event=Day no,competitor=Who,place=Came'"):
        read_races(frame("Day no,Who,Came\n1,Ann,1\n1,Bob,2\n2,Bob,1\n2,Ann,2\n"))


@pytest.mark.parametrize("cell", ["0", "DNF"])
def test_a_place_0_in_some_events_is_no_place(cell):
    text = f"race,driver,place\nA,Ann,1\nA,Bob,{cell}\nB,Ann,2\nB,Bob,1\n"
    assert tally(read_races(frame(text))) == {"Ann": [1, 0, 1], "Bob": [1, 0, 1]}


@pytest.mark.parametrize("column", ["Lane", "Bib", "Start no", "Time"])
def test_numbers_and_times_of_starters_are_not_proposed_as_places(column):
    cells = ["1:02.1", "1:03.4", "1:03.4", "1:02.1"] if column == "Time" else ["1", "2", "2", "1"]
    rows = zip(("1", "1", "2", "2"), ("Ann", "Bob", "Bob", "Ann"), cells, strict=True)
    with pytest.raises(GameTableError, match="header: expected columns for event") as stopped:
        read_races(frame(f"Heat,Swimmer,{column}\n" + "".join(",".join(row) + "\n" for row in rows)))
    assert "place=" not in str(stopped.value)


@pytest.mark.parametrize("title", ["Hearts - lowest score wins", "Golf (fewest strokes win)", "Low score wins"])
def test_points_below_a_title_by_which_fewer_win_need_a_sign(tmp_path, title):
    rows = ["1,34,22,110", "2,20,39,107", "3,108,24,4"]
    path = tmp_path / "hearts.csv"
    path.write_text("\n".join([title, "Game,Ann,Bob,Cyd", *rows]) + "\n")
    with pytest.raises(GameTableError, match="Write a minus sign before each number"):
        read_races(path)
    signed = [",".join([row[:1], *(f"-{cell}" for cell in row.split(",")[1:])]) for row in rows]
    path.write_text("\n".join([title.partition(" ")[0], "Game,Ann,Bob,Cyd", *signed]) + "\n")
    races = read_races(path)
    assert [races.competitors[k] for k in races.who[races.start[:-1]]] == ["Bob", "Ann", "Cyd"]
