"""Printed numbers that follow from the study's games without a sampler, and the table from the twelve posteriors."""

import re
from pathlib import Path

import numpy as np
import pytest
from printed_rules import RULES

from halfpoint.apps.study.posterior_draws import model_draws
from halfpoint.apps.study.printed.files import read_published
from halfpoint.apps.study.printed.lists import printed_lists, ratings_in
from halfpoint.apps.study.printed.reproduction import Reproduction
from halfpoint.apps.study.printed.settings import FILE_RANKS
from halfpoint.apps.study.printed.table import published_table
from halfpoint.apps.study.references import rating_neg2_loglik, reference_models
from halfpoint.apps.study.slips import recycled_rating_list, weights_of_other_games
from halfpoint.models.games.select import select
from halfpoint.models.games.weights import weights
from halfpoint.readers.datasets.study import (
    COVARIATES,
    monitored_names,
    set_a,
    set_b,
    study_opponents,
    study_players,
    training,
    training_file,
)

pytestmark = pytest.mark.real
FAULTY = ("swapped", "not move like", "exchanged", "suspect")


@pytest.fixture(scope="module")
def study():
    return Reproduction({}, select(training(), monitored_names(), "any"), set_a(), set_b())


def test_weighted_reference_models(study):
    games = study.training.games
    found = {
        (one.family, one.name): one.neg2_loglik for one in reference_models(games, weights("computed", games.time))
    }
    expected = {
        ("bradley_terry", "equiprobable"): 16786.79,
        ("bradley_terry", "proportional_no_draws"): 16833.34,
        ("bradley_terry", "proportional"): 20456.24,
        ("davidson", "equiprobable"): 26606.43,
        ("davidson", "proportional_no_draws"): 24489.22,
        ("davidson", "proportional"): 24125.00,
        ("bradley_terry", "fide_elo"): 15901.62,
    }
    assert found == pytest.approx(expected, abs=0.01)


def test_fide_rating_on_the_day_and_the_december_list(study):
    assert study.reference("bradley_terry", "fide_elo", "training", "static") == pytest.approx(8947.48, abs=0.01)
    assert study.reference("bradley_terry", "fide_elo", "A", "none") == pytest.approx(570.464, abs=0.001)
    assert study.reference("bradley_terry", "fide_elo", "B", "none") == pytest.approx(995.180, abs=0.001)


def test_the_printed_lists_of_fide_beside_each_other_and_the_games(study):
    table = printed_lists(study.training.games, study.sets["A"], study.sets["B"])
    assert len(table) == 376
    differ = table[table["printed"] != table["ours"].astype(str)]
    assert differ.set_index("row")["verdict"].to_dict() == {
        "Riazantsev, Alexander": "misprint", "Kasimdzhanov, Rustam": "misprint", "Nepomniachtchi, Ian": "misprint",
        "Rakhmanov, Aleksandr": "misprint", "Akopian, Vladimir": "undecided",
    }  # fmt: skip
    counts = table.groupby(["source", "place", "list", "verdict"]).size()
    ahead = "rating_2012_12_elo", "slip: a rating of 2013"
    assert (counts["thesis", "T4", *ahead], counts["paper", "T3", *ahead]) == (31, 30)
    found = counts.groupby("verdict").sum().to_dict()
    assert found == {"match": 57, "misprint": 4, "slip: a rating of 2013": 61, "undecided": 254}
    page = (Path(__file__).parents[3] / "benchmarks" / "tables" / "study.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| [\w ]+ \| [\w ]+ \| (?:December 2012|May 2014) \|((?: \d+ \|){4})$", page, re.MULTILINE)
    totals = np.sum([[int(one) for one in re.findall(r"\d+", row)] for row in rows], axis=0)
    assert totals.tolist() == [found[one] for one in ("match", "misprint", "slip: a rating of 2013", "undecided")]

    games, last = study.sets["B"], ratings_in(training_file(), last=True)
    slipped = table[(table["source"] == "thesis") & (table["verdict"] == ahead[1])]
    spelled = study_opponents().set_index("name")["data_name"].loc[slipped["row"]].tolist()
    sides = [games.white_names, games.black_names]
    assert np.isin(np.array(sides), spelled).any(axis=0).sum() == 161
    known = {name: float(last[name][-1]) for name in spelled if name in last}
    assert len(known) == 18
    assert not any(printed in last.get(name, ()) for name, printed in zip(spelled, slipped["printed"], strict=True))
    listed = [
        [known.get(name, rating) for name, rating in zip(names.tolist(), games.covariates[column], strict=True)]
        for names, column in zip(sides, COVARIATES, strict=True)
    ]
    assert rating_neg2_loglik(*listed, games.score) == pytest.approx(996.78, abs=0.005)


def test_the_papers_elo_on_set_b_is_a_list_recycled(study):
    assert recycled_rating_list(study.sets["A"], study.sets["B"]) == pytest.approx(1031.60, abs=0.01)


def test_weights_of_other_games_give_the_column_bt2w_of_appendix_a(study):
    draws = weights_of_other_games(study.training, draws=1000)
    table = read_published("ratings")
    column = table[(table["table"] == "AppA") & (table["family"] == "bradley_terry")]
    column = column[(column["model"] == "per_player") & (column["weighting"] == "weighted")].set_index("player")[
        "value"
    ]
    players = study_players()
    printed = column.astype(float).loc[players["name"]].to_numpy()
    ours = draws.study_rating_elo.mean(axis=(0, 1))
    error = np.hypot(draws.study_rating_elo.std(axis=(0, 1)) / np.sqrt(2000), 0.3)  # Gibbs draws are not independent
    assert np.abs(ours - printed).max() < 4 * error.max()
    assert -draws.log_likelihood.mean() == pytest.approx(7822.5, abs=0.6)


def test_every_row_has_a_verdict_and_every_rule_is_a_function(study):
    table = published_table(study)
    assert len(table) == 334 + 1380 + 255 + 42 + 99
    assert (table["verdict"] != "").all()
    assert {rule for rules in table["rule"] for rule in rules.split("; ") if rule} <= set(RULES)
    references = table[(table["verdict"] == "match") & table["column"].isin(["aic", "definetti"])]
    assert len(references) > 50


def test_no_number_is_a_misprint_by_nearness_alone(study):
    table = published_table(study)
    assert (table.loc[table["verdict"] == "misprint", "rule"] != "").all()
    assert table.loc[table["printed"] == "907.27", "verdict"].str.startswith("not reproducible").tolist() == [True] * 2


def test_the_hundredth_player_of_the_file_and_the_place_of_2705(study):
    file = training_file()
    order = np.argsort(file.time, kind="stable")
    names, printed = (
        np.stack(sides, axis=1)[order].ravel().tolist()
        for sides in ((file.white_names, file.black_names), (file.white_rating_elo, file.black_rating_elo))
    )
    last = dict(zip(names, printed, strict=True))  # of each player
    ratings = sorted(last.values(), reverse=True)
    assert ratings[99] == 2655.0
    lowest = study_players()["rating_2012_12_elo"].min()
    assert {
        2705.0: sum(one >= 2705.0 for one in ratings),
        lowest: 1 + sum(one > lowest for one in ratings),
    } == FILE_RANKS
    table = published_table(study).set_index("row")
    assert table.loc["BT prior mean: rank of the reference player", "verdict"] == "slip: the 100th has 2655 Elo"
    assert table.loc["list from which the 46 come (top n)", "verdict"] == "match"


@pytest.mark.slow
def test_the_twelve_posteriors_give_the_printed_numbers(study):
    from halfpoint.inference.sample import sample
    from halfpoint.models.declaration.catalogue import TWELVE, declare

    traces = (sample(declare(name, study.training, "computed"), pointwise_draws=0, cores=2) for name in TWELVE)
    models = {draws.name: draws for draws in map(model_draws, traces)}
    table = published_table(Reproduction(models, study.training, study.sets["A"], study.sets["B"]))
    rows = table.iloc[: 334 + 1380]
    explained = rows["verdict"].str.startswith("not reproducible")
    assert explained.sum() <= 15
    slips = rows["verdict"].str.startswith("slip") | (rows["verdict"] == "misprint")
    assert (rows["verdict"] == "match").sum() >= 0.95 * (~slips).sum()
    assert (rows["verdict"] == "match").sum() >= 1290
