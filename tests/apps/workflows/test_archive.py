"""Several files form one calendar, faults are set apart, and no forecast uses later games, in any order of files."""

import bz2
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from beat_the_list import judged_parts

from halfpoint.apps.workflows.backtesting import backtest, timed_games
from halfpoint.apps.workflows.intake import Account, take_in
from halfpoint.apps.workflows.options import Dates, Intake
from halfpoint.evaluation.rolling import roll
from halfpoint.inference.forecaster import Forecaster
from halfpoint.models.declaration.catalogue import LISTED
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.periods import moments, oldest_first, with_periods
from halfpoint.models.games.rating_history import running_ratings
from halfpoint.models.games.table import GameTable, code_players
from halfpoint.readers.read import read
from halfpoint.systems.catalogue import SYSTEMS

TAGS = ("Event", "e"), ("Date", "d"), ("Round", "r"), ("White", "w"), ("Black", "b"), ("Result", "s"), ("WhiteElo", "x")
GAME = "".join(f'[{tag} "{{{key}}}"]\n' for tag, key in TAGS) + "\n{s}\n\n"


def pgn(*games):
    """PGN of headers of (event, day, round, White, Black, result)."""
    return "".join(GAME.format(x=2600, **dict(zip("edrwbs", one, strict=True))) for one in games)


def test_faulty_undated_and_doubled_games_are_set_apart_and_counted(tmp_path):
    one = ("Open", "2016.02.01", "1.1", "Ash", "Elm", "1-0")
    first, second = tmp_path / "a.pgn", tmp_path / "b.pgn.bz2"
    first.write_text(
        pgn(
            ("Open", "2016.02.02", "2", "Elm", "Oak", "0-1"),
            one,
            ("Open", "2016.02.03", "3", "Ash", "Ash", "1-0"),
            ("Open", "2016.02.31", "4", "Ash", "Oak", "1-0"),
            ("Open", "2016.??.??", "5", "Ash", "Fir", "1-0"),
        )
    )
    second.write_bytes(bz2.compress(pgn(one, ("Cup", "2015.11.01", "?", "Fir", "Elm", "1/2-1/2")).encode()))
    said = []
    games, later, _ = timed_games([str(first), str(second)], Dates(), say=said.append)
    assert later is None
    assert games.white_names.tolist() == ["Fir", "Ash", "Elm"]
    assert games.period.tolist() == [1, 4, 4]
    assert said == [
        "a.pgn: set apart: 2 games, faulty (line 21, 31; the first has 'Ash')",
        "a.pgn: dates: 1 game without a complete date",
        "set apart: 1 game, without a day (line 41)",
        "set apart: 1 game, duplicates of other games",
    ]


def test_faulty_rows_of_a_table_are_set_apart_as_games_of_a_pgn_are(tmp_path):
    rows = ["date,white,black,result", "2016-02-02,Ash,Elm,1-0", "2016-02-31,Ash,Elm,1-0", "2016-02-03,Ash,Ash,1-0"]
    rows += [
        "2016-02-04,Ash,Oak,1-7x",
        ",Ash,Oak,0-1",
        "2016-02-05,,Oak,0-1",
        "2016-03-05,Elm,Oak,",
        *["2015-11-01,Fir,Oak,D"] * 40,
    ]
    (tmp_path / "a.csv").write_text("\n".join(rows) + "\n")
    with pytest.raises(GameTableError, match=r"a\.csv, line \d"):  # to a reader a fault is an error
        read(tmp_path / "a.csv")
    said = []
    games, _, _ = timed_games([str(tmp_path / "a.csv")], Dates(), say=said.append)
    assert games.white_names.tolist() == [*["Fir"] * 40, "Ash"]
    assert said == [
        "a.csv: set apart: 3 games, faulty (line 3, 5, 7; the first has '' in white)",
        "a.csv: set apart: 1 game, one player on both sides (line 4)",
        "a.csv: set apart: 1 game, without a result (line 8)",
        "a.csv: dates: 1 game without a date",
        "a.csv: rows: 47 = 42 games + 5 set apart",
        "set apart: 1 game, without a day (line 6)",
    ]
    (tmp_path / "b.csv").write_text("\n".join([*rows[:3], *rows[-15:]]) + "\n")
    assert len(timed_games([str(tmp_path / "b.csv")], Dates())[0]) == 16
    (tmp_path / "b.csv").write_text("\n".join([*rows[:4], *rows[-15:]]) + "\n")  # a tenth, and no more
    with pytest.raises(GameTableError, match=r"b\.csv, line 3"):
        timed_games([str(tmp_path / "b.csv")], Dates())


def test_rate_refuses_a_fault_names_the_option_and_sets_it_apart_when_asked(tmp_path):
    rows = ["date,white,black,result", "2016-02-31,Ash,Elm,1-0", *["2016-02-03,Fir,Elm,D"] * 20]
    (tmp_path / "a.csv").write_text("\n".join(rows) + "\n")
    days = ["2016.02.31", *[f"2016.03.{day:02d}" for day in range(1, 21)]]
    (tmp_path / "b.pgn").write_text(pgn(*(("Open", day, "1", "Ash", "Elm", "1-0") for day in days)))
    for file, line in (("a.csv", 2), ("b.pgn", 1)):
        account = Account()
        with pytest.raises(GameTableError, match=rf"{file}, line {line}, .*--faulty apart\.$"):
            take_in(tmp_path / file, None, account, Intake())
        assert len(take_in(tmp_path / file, None, account, Intake(faulty="apart"))) == 20
        assert any(one.startswith(f"set apart: 1 game, faulty (line {line}; the first has ") for one in account.lines)
    (tmp_path / "c.csv").write_text("\n".join(rows[:5]) + "\n")  # more than a tenth: no option helps, none is named
    with pytest.raises(GameTableError, match=r"c\.csv, line 2, (?!.*--faulty)"):
        take_in(tmp_path / "c.csv", None, Account(), Intake(faulty="apart"))
    with pytest.raises(GameTableError, match=r"c\.csv, line 2, (?!.*--faulty)"):
        take_in(tmp_path / "c.csv", None, Account(), Intake())


def live(seed=3, clock=True):
    """Games of one server: several a day, each with the rating before it, newest first."""
    rng = np.random.default_rng(seed)
    count, names = 120, np.array([f"P{k}" for k in range(6)])
    rating, rows = np.full(6, 1500.0), []
    for k in range(count):
        white, black = rng.choice(6, 2, replace=False)
        won = float(rng.random() < 0.5)
        rows.append((names[white], names[black], won, k // 10, 3600.0 * (k % 10), rating[white], rating[black]))
        rating[white] += 60.0 * (won - 0.5)
        rating[black] -= 60.0 * (won - 0.5)
    white, black, score, day, hour, first, second = (np.array(one) for one in zip(*rows[::-1], strict=True))
    players, one, two = code_players(white, black)
    return GameTable(
        players, one, two, score, date=np.datetime64("2016-01-25") + day.astype("timedelta64[D]"),
        white_rating_elo=first, black_rating_elo=second, covariates={"clock": hour} if clock else {},
    )  # fmt: skip


def by_definition(games):
    """Means of printed ratings so far, one a month, from the games before each game."""
    now, month = moments(games), games.date.astype("datetime64[M]").astype(int)
    seats = (games.white_names, games.white_rating_elo), (games.black_names, games.black_rating_elo)
    entries = [(n, now[k], month[k], r[k]) for names, r in seats for k, n in enumerate(names.tolist())]
    found = np.empty((2, len(games)))
    for side, (names, ratings) in enumerate(seats):
        for k, name in enumerate(names.tolist()):
            past = sorted(e for e in entries if e[0] == name and e[1] < now[k])
            firsts = {}
            for _, _, when, rating in past:
                firsts.setdefault(when, rating)
            firsts.setdefault(month[k], ratings[k])
            found[side, k] = np.mean(list(firsts.values()))
    return found


@pytest.mark.parametrize("clock", [True, False])
def test_a_mean_so_far_never_looks_past_the_game_in_whatever_order_the_file_stands(clock):
    games = live(clock=clock)
    mean = running_ratings(with_periods(games))[0][1]
    ordered = with_periods(games)
    assert mean == pytest.approx(by_definition(ordered))
    rng = np.random.default_rng(1)
    turned = games.take(rng.permutation(len(games)))
    again = with_periods(turned)
    key, other = (
        np.lexsort((t.black_rating_elo, t.white_rating_elo, t.black_names, t.white_names, moments(t)))
        for t in (ordered, again)
    )
    assert running_ratings(again)[0][1][:, other] == pytest.approx(mean[:, key])
    now = moments(ordered)
    for middle in (20, 60, 90):  # later ratings are others: nothing of what was known before them moves
        late = now > now[middle]
        changed = replace(ordered, white_rating_elo=ordered.white_rating_elo + 300.0 * late)
        assert np.array_equal(running_ratings(changed)[0][1][:, ~late], mean[:, ~late])


@pytest.mark.parametrize("name", ["listed", "list-fitted", "fide-rating", "elo"])
def test_forecasts_know_neither_the_order_of_the_file_nor_what_comes_later(name):

    def rolled(table):
        begin = int(np.unique(table.period)[-4])
        forecaster = (
            Forecaster(LISTED[name], table, first=begin) if name in LISTED else SYSTEMS[name].build(SYSTEMS[name].start)
        )
        return roll(table, forecaster).outcome if name in LISTED else roll(table, forecaster).expected_score

    games = live()
    ordered = with_periods(oldest_first(games), "day")
    first = rolled(ordered)
    assert np.isfinite(first).any()
    mixed_up = games.take(np.random.default_rng(2).permutation(len(games)))
    np.testing.assert_allclose(rolled(with_periods(oldest_first(mixed_up), "day")), first, atol=1e-9)
    late = ordered.period >= np.unique(ordered.period)[-2]
    ratings = {
        f"{side}_rating_elo": getattr(ordered, f"{side}_rating_elo") + 300.0 * late for side in ("white", "black")
    }
    changed = replace(ordered, score=np.where(late, 1.0 - ordered.score, ordered.score), **ratings)
    np.testing.assert_allclose(rolled(changed)[~late], first[~late], atol=1e-9)


def test_games_of_a_day_stand_by_their_time_and_a_file_of_newest_games_first_is_turned():
    by_time, by_day = oldest_first(live()), oldest_first(live(clock=False))
    assert (np.diff(moments(by_time)) > 0).all()
    assert by_day.white_rating_elo.tolist() == by_time.white_rating_elo.tolist()


def test_a_time_of_day_is_read_from_pgn_and_tables(tmp_path):
    (tmp_path / "a.pgn").write_text(
        pgn(("Open", "2016.02.01", "1", "Ash", "Elm", "1-0")).replace("[Round", '[UTCTime "10:30:00"]\n[Round')
    )
    (tmp_path / "b.csv").write_text("date,white,black,result\n2016-02-01T09:15:00Z,Elm,Ash,1-0\n")
    games, _, _ = timed_games([str(tmp_path / "a.pgn"), str(tmp_path / "b.csv")], Dates())
    assert games.white_names.tolist() == ["Elm", "Ash"]
    assert games.covariates["clock"].tolist() == [33300.0, 37800.0]


def mixed(seed=5):
    """Rated games of classical and of blitz events, the blitz with half as many draws."""
    rng = np.random.default_rng(seed)
    count, names = 500, np.array([f"P{k:02d}" for k in range(14)])
    white = rng.integers(0, 14, count)
    black = (white + rng.integers(1, 14, count)) % 14
    rating, quick = rng.normal(2600.0, 60.0, 14).round(), rng.random(count) < 0.4
    ahead = 1.0 / (1.0 + 10.0 ** ((rating[black] - rating[white]) / 400.0))
    drawn = rng.random(count) < np.where(quick, 0.25, 0.55)
    score = np.where(drawn, 0.5, (rng.random(count) < ahead).astype(float))
    players, one, two = code_players(names[white], names[black])
    return GameTable(
        players, one, two, score, period=np.sort(rng.integers(1, 9, count)), white_rating_elo=rating[white],
        event=np.where(quick, "City Blitz", "Open"), black_rating_elo=rating[black],
    )  # fmt: skip


@pytest.mark.further
def test_where_fast_and_slow_games_are_mixed_slow_ones_come_first_beside_the_fitted_list(tmp_path):
    said, games = [], mixed()
    found = backtest(games, "base-rates", "listed", tmp_path, begin=6, say=said.append)
    assert any("fast and slow games are mixed" in line for line in said)
    told = found.about["time_classes"]["periods 6 to 8, games not known to be fast"]
    assert told == f"{int(((games.event == 'Open') & (games.period >= 6)).sum())} unknown"
    sets = list(dict.fromkeys(found.frame["set"]))
    assert sets == ["periods 6 to 8, games not known to be fast", "periods 6 to 8, all games"]
    slow = (games.event == "Open") & (games.period >= 6)
    for name, count in zip(sets, (slow.sum(), (games.period >= 6).sum()), strict=True):
        rows = found.stretch(name).set_index("system")
        assert set(rows.index) == {"fide-rating", "list-fitted", "listed", "base-rates"}
        assert set(rows["games"]) == {count}
    monthly = pd.read_csv(tmp_path / "scores_by_period.csv")
    assert list(dict.fromkeys(monthly["set"])) == sets
    here = monthly[(monthly["system"] == "listed") & (monthly["set"] == sets[0])]
    whole = found.stretch(sets[0]).set_index("system").loc["listed", "difference"]
    assert np.average(here["difference"], weights=here["games"]) == pytest.approx(whole, abs=1e-12)
    parts = judged_parts(found.plan, "listed").set_index("part")
    assert list(parts.index) == [
        "shrinking to the mean so far",
        "what the list misses",
        "scale of the list",
        "all of them",
    ]
    sums = (parts["left_out_draw"] + parts["left_out_decisive"]).to_numpy()
    assert sums == pytest.approx(parts["left_out"].to_numpy(), abs=1e-12)
    assert parts.loc["all of them", "left_out"] == parts.loc["all of them", "alone"]
    # ratings that never move have nothing to be drawn towards
    assert parts.loc["shrinking to the mean so far", "left_out"] == pytest.approx(0.0, abs=1e-4)
