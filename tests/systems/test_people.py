"""Doubles and teams in tables of games: systems that rate people, and systems that rate sides."""

import numpy as np
import pytest
from scipy.stats import norm

from halfpoint.models.games.rating_system import Newcomer
from halfpoint.models.games.simulate import Truth
from halfpoint.models.games.simulate_sides import meetings, simulate_sides
from halfpoint.readers.read import read
from halfpoint.systems.catalogue import SYSTEMS
from halfpoint.systems.elo import Elo
from halfpoint.systems.glicko import Glicko
from halfpoint.systems.k_factor import constant
from halfpoint.systems.matches import rates_people
from halfpoint.systems.trueskill import TrueSkill
from halfpoint.systems.weng_lin import WengLin

ONE = "white,black,score,period\nAnn+Bob,Cid+Dee,1,1\n"
NAMES = np.array([f"p{k:02d}" for k in range(16)])


@pytest.fixture
def doubles(tmp_path):
    """Function from CSV text to a table of games."""

    def from_text(text):
        file = tmp_path / "doubles.csv"
        file.write_text(text)
        return read(file, sides="+")

    return from_text


def numbers(system, column="rating"):
    """Column of a system's ledger by name."""
    return dict(zip(system.ledger.names, system.ledger[column].tolist(), strict=True))


def test_one_doubles_game_by_trueskill(doubles):
    system = TrueSkill()
    told = system.forecast(doubles(ONE))
    assert told.expected_score.tolist() == [0.5]
    spread = 2.0 * np.sqrt((25 / 3) ** 2 + (25 / 300) ** 2 + (25 / 6) ** 2)
    margin = norm.ppf(0.55) * 2.0 * 25 / 6
    assert told.outcome[0, 1] == pytest.approx(2 * norm.cdf(margin / spread) - 1)
    system.learn(doubles(ONE))
    assert {name: round(value, 3) for name, value in numbers(system).items()} == {
        "Ann": 28.108, "Bob": 28.108, "Cid": 21.892, "Dee": 21.892,
    }  # fmt: skip
    assert round(numbers(system, "deviation")["Ann"], 3) == 7.774
    later = system.forecast(doubles(ONE))
    assert later.expected_score[0] > 0.6
    np.testing.assert_allclose(later.outcome.sum(), 1.0)


def test_one_doubles_game_by_weng_lin(doubles):
    system = WengLin("plackett-luce")
    system.learn(doubles(ONE))
    assert round(numbers(system)["Ann"], 4) == 26.9643
    assert round(numbers(system)["Dee"], 4) == 23.0357
    assert system.forecast(doubles(ONE)).expected_score[0] == pytest.approx(
        system.model.predict_win([[system.model.rating(26.964294621803063, 8.177962604389991)] * 2,
                                  [system.model.rating(23.035705378196937, 8.177962604389991)] * 2])[0], abs=1e-9
    )  # fmt: skip


THREE = """white,black,white_share,black_share,score,period,event
Ann+Bob,Cid+Dee,1+1,1+1,1,1,x
Ann+Cid,Bob+Dee,1+1,1+1,0.5,1,x
Ann+Dee,Bob+Cid,1+0.5,1+1,0,1,y
"""


@pytest.mark.parametrize(
    ("update", "batches"), [("game", [[0], [1], [2]]), ("event", [[0, 1], [2]]), ("period", [[0, 1, 2]])]
)
def test_doubles_by_elo_are_elo_of_the_means(doubles, update, batches):
    table = doubles(THREE)
    system = Elo(constant(24.0), update=update, advantage_elo=30.0, newcomer=Newcomer(1500.0))
    system.learn(table)
    games = [("AB", "CD", 1.0, (1, 1)), ("AC", "BD", 0.5, (1, 1)), ("AD", "BC", 0.0, (1, 0.5))]
    rating = dict.fromkeys("ABCD", 1500.0)
    expected_scores = []
    for batch in batches:
        change = dict.fromkeys("ABCD", 0.0)
        for game in batch:
            white, black, score, shares = games[game]
            mean = sum(share * rating[p] for p, share in zip(white, shares, strict=True)) / sum(shares)
            lead = mean - (rating[black[0]] + rating[black[1]]) / 2 + 30.0
            expected = 1.0 / (1.0 + 10.0 ** (-lead / 400.0))
            expected_scores.append(expected)
            for p, share in zip(white, shares, strict=True):
                change[p] += 24.0 * share * (score - expected)
            for p in black:
                change[p] -= 24.0 * (score - expected)
        rating = {p: rating[p] + change[p] for p in rating}
    found = numbers(system)
    for name, letter in (("Ann", "A"), ("Bob", "B"), ("Cid", "C"), ("Dee", "D")):
        assert found[name] == pytest.approx(rating[letter])
    assert system.log.expected_score.tolist() == pytest.approx(expected_scores)
    assert numbers(system, "games") == dict.fromkeys(("Ann", "Bob", "Cid", "Dee"), 3.0)


def season(seed=1, games=1500, periods=10):
    """Doubles with changing partners in numbered periods, and the strengths in Elo points."""
    rng = np.random.default_rng(seed)
    elo = rng.normal(1500.0, 150.0, NAMES.size)
    truth = Truth(NAMES, elo * np.log(10) / 400.0, 0.0, -1.0)
    table = simulate_sides(truth, *meetings(NAMES.size, games, seed), seed)
    period = np.sort(rng.integers(1, periods + 1, games))
    return type(table)(
        table.players, table.white, table.black, table.score, period=period, sides=table.sides, simulated=True
    ), elo  # fmt: skip


@pytest.mark.parametrize("name", ["elo", "elo-game", "elo-normal", "trueskill", "weng-lin-full", "plackett-luce"])
def test_people_are_found_in_changing_company(name):
    table, elo = season()
    spec = SYSTEMS[name]
    system = spec.build(dict(spec.start))
    expected = []
    for period in np.unique(table.period):
        now = table.take(table.period == period)
        assert rates_people(system, now)
        expected.append(system.forecast(now).expected_score)
        system.learn(now)
    assert sorted(system.ledger.names) == NAMES.tolist()  # people, no sides
    rating = np.array([numbers(system)[one] for one in NAMES.tolist()])
    assert np.corrcoef(rating, elo)[0, 1] > 0.7
    late = table.period > 3
    error = (np.concatenate(expected)[late] - table.score[late]) ** 2
    assert error.mean() < ((table.score[late] - 0.5) ** 2).mean()
    again = spec.build(dict(spec.start))
    again.load(system.state())
    now = table.take(table.period == 10)
    np.testing.assert_array_equal(again.forecast(now).expected_score, system.forecast(now).expected_score)


def test_other_systems_rate_the_side(doubles):
    system = Glicko()
    system.learn(doubles(ONE))
    assert sorted(system.ledger.names) == ["Ann + Bob", "Cid + Dee"]
    assert not rates_people(system, doubles(ONE))


def test_sides_of_one_are_players(doubles):
    plain = doubles("white,black,score,period\nAnn,Bob,1,1\nBob,Cid,0.5,1\n")
    one, other = Elo(), Elo()
    one.learn(plain)
    lone = doubles(
        "white_1,white_2,black_1,white_share_1,white_share_2,score,period\n"
        "Ann,Zed,Bob,1,0.000001,1,1\nBob,,Cid,1,,0.5,1\n"
    )
    other.learn(lone)
    for name in ("Ann", "Bob", "Cid"):
        assert numbers(one)[name] == pytest.approx(numbers(other)[name], abs=1e-3)
