"""First sentences of commands in difficult cases: equal on terminal, page and in JSON, without unsupported claims."""

import numpy as np
import pandas as pd
import pytest

from halfpoint.apps import workflows
from halfpoint.apps.cli.output import show
from halfpoint.apps.fields import arena, lineups, office
from halfpoint.apps.fields.lineups.simulate import simulate_lineups
from halfpoint.apps.fields.office.cross_table import cross_table
from halfpoint.apps.workflows.answer import Answer
from halfpoint.evaluation.digits import fixed_decimals, in_percent

COLUMNS = ["white", "black", "score"]
NAMES = ["Ann", "Bob", "Cem", "Dan"]
DRAWN = pd.DataFrame([(a, b, 0.5) for a in NAMES for b in NAMES if a != b], columns=COLUMNS)
ONE_GAME = pd.DataFrame([("Ann", "Bob", 1.0)], columns=COLUMNS)
CLAIMS = ("strongest", "wins", " win", "best", "Stop", "ahead of", "is first")


@pytest.fixture(scope="module")
def trace():
    """Four players who drew all games but two."""
    games = pd.concat([DRAWN, DRAWN, pd.DataFrame([("Ann", "Bob", 1.0), ("Bob", "Ann", 1.0)], columns=COLUMNS)])
    return workflows.rate(games, model="davidson-common", method="normal", draws=200, chains=2).trace


@pytest.fixture
def sentence_of(capsys):
    """The sentence of an answer, after a check that terminal, page, notebook and JSON have the same."""

    def read(answer):
        sentence = answer.record()["answer"]
        show(answer.frame, answer.about, look=answer.look)
        assert sentence in " ".join(capsys.readouterr().out.split())
        assert answer.page().answer == sentence
        assert sentence in repr(answer)
        return sentence

    return read


def claims_of(sentence):
    """Words of a sentence that claim a winner or a decision."""
    return [claim for claim in CLAIMS if claim in sentence]


@pytest.mark.parametrize("counts", [(0, 0, 1), (0, 40, 0), (3, 5, 4)], ids=["one game", "all drawn", "even"])
def test_a_match_of_engines_that_decides_nothing(counts, sentence_of):
    answer = arena.sequential_test(counts)
    sentence, record = sentence_of(answer), answer.record()
    assert sentence.startswith("Go on.")
    assert claims_of(sentence) == []
    assert f"LLR {record['llr']:.2f} by games" in sentence


def test_a_match_of_engines_that_is_over_names_its_hypothesis(sentence_of):
    answer = arena.sequential_test((300, 1000, 720))
    assert sentence_of(answer).startswith(f"Stop: {answer.record()['decision']} (elo1 = 2 Elo)")


def test_one_game_is_no_performance_and_no_lead(sentence_of):
    assert (
        claims_of(sentence_of(office.performances(ONE_GAME.assign(white_rating_elo=2000, black_rating_elo=1900)))) == []
    )
    listed = office.official_list(ONE_GAME, "elo")
    sentence, first = sentence_of(listed), listed.record()["rows"][0]
    assert "by one game" in sentence
    assert f"rating {first['rating_elo']:.0f}" in sentence


def test_players_who_drew_all_games_are_level(sentence_of):
    table = cross_table(DRAWN)
    sentence = sentence_of(table)
    assert "wins" not in sentence
    assert sentence.startswith("Ann, Bob, Cem and 1 more share first place")
    assert f"{table.frame['points'].max():g} points" in sentence


def test_unlike_numbers_of_games_are_named(sentence_of):
    games = pd.concat([DRAWN[(DRAWN["white"] != "Dan") & (DRAWN["black"] != "Dan")], DRAWN.iloc[[2]]])
    sentence = sentence_of(cross_table(games))
    assert "players played 1 to 5 games, so totals are not comparable" in sentence
    assert " win" not in sentence


@pytest.mark.parametrize(("wins", "losses"), [(2, 1), (60, 20)])
def test_a_lead_by_likelihood_is_within_its_error_or_not(wins, losses, sentence_of):
    games = pd.DataFrame([("Ann", "Bob", 1.0)] * wins + [("Ann", "Bob", 0.0)] * losses, columns=COLUMNS)
    answer = workflows.maximum_likelihood(games, "bt")
    sentence = sentence_of(answer)
    rows = {row["name"]: row["rating_elo"] for row in answer.record()["rows"] if row["parameter"] == "strength"}
    ahead, error = np.log(wins / losses), np.sqrt(1 / wins + 1 / losses)  # closed form of two players
    assert ("not significantly" in sentence) == (ahead < 1.96 * error)
    assert f"{rows['Ann'] - rows['Bob']:.0f} Elo ahead of Bob" in sentence


def test_lists_whose_ratings_print_alike_are_level(sentence_of):
    games = pd.DataFrame([("Ann", "Bob", 1.0), ("Bob", "Ann", 1.0)] * 5, columns=COLUMNS)
    assert sentence_of(office.official_list(games, "elo")).startswith("Ann and Bob are level")


def test_a_season_that_is_over_names_its_winner_without_a_chance(trace, sentence_of):
    games = pd.DataFrame([(a, b, float(a < b)) for a in NAMES for b in NAMES if a != b], columns=COLUMNS)
    answer = workflows.season(trace, NAMES, games, simulations=200)
    assert sentence_of(answer) == "Ann has won the title: all games are played."
    assert answer.record()["rows"][0]["title_percent"] == pytest.approx(100.0)


def test_the_same_model_twice_is_level(trace, sentence_of):
    sentence = sentence_of(workflows.compare([trace, trace], by="neg_mean_loglik"))
    assert sentence.endswith("are level.")
    assert claims_of(sentence) == []


def test_players_who_may_be_equal_have_no_leader(trace, sentence_of):
    answer = workflows.rank(trace)
    sentence = sentence_of(answer)
    assert sentence.startswith("No clear leader")
    first = answer.record()["rows"][0]
    best = max(row["best_percent"] for row in answer.record()["rows"])
    assert first["player"] in sentence
    assert in_percent(best / 100.0) in sentence


def test_the_chances_of_a_match_are_those_of_its_rows(trace, sentence_of):
    answer = workflows.match(trace, "Ann", "Bob", games=4)
    rows = pd.DataFrame(answer.record()["rows"])
    chance = rows["probability_percent"] / 100.0
    win, draw, loss = (
        chance[pick(rows["score"])].sum() for pick in (lambda s: s > 2, lambda s: s == 2, lambda s: s < 2)
    )
    expected = f"Ann wins the match {in_percent(win)}, drawn {in_percent(draw)}, Bob wins {in_percent(loss)}."
    assert sentence_of(answer) == expected


def test_two_players_have_one_board(trace, sentence_of):
    answer = workflows.pair(trace, ["Ann", "Bob"])
    [row] = answer.record()["rows"]
    assert sentence_of(answer) in (
        f"One board: {row['white']} against {row['black']}.",
        "No pairing is informative: each gives less than a thousandth of a bit.",
    )


def test_a_share_of_the_network_is_that_of_the_first_row(sentence_of):
    table, _ = simulate_lineups(seed=3)
    answer = lineups.lineups(table, ridge=1000.0, bootstrap=20)
    sentence, first = sentence_of(answer), answer.record()["rows"][0]
    assert f"{first['player']} has the largest share" in sentence
    assert f"{fixed_decimals(first['total_share'], 1)} times the average" in sentence
    assert ("which chance explains" in sentence) == (first["total_p"] > 0.05)


@pytest.mark.parametrize("answer", [None, "Ann is the strongest (99%)."])
def test_a_run_that_did_not_converge_claims_nothing(answer, sentence_of):
    frame = pd.DataFrame({"rank": [1, 2], "player": ["Ann", "Bob"], "best_percent": [99.0, 1.0]})
    about = {"title": "List", "model": "bt", "verdict": "NOT CONVERGED: R-hat 1.20", "answer": answer}
    sentence = sentence_of(Answer(frame, about))
    assert sentence == "The sampler did not converge (R-hat 1.20): these numbers are not reliable."
