"""Misprints and verdicts on invented numbers, and the printed tables that need no data."""

from collections import Counter
from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pytest
from printed_rules import RULES

from halfpoint.apps.study.posterior_draws import ModelDraws
from halfpoint.apps.study.printed.correlations import appendix_correlations, appendix_matrix, correlation_table
from halfpoint.apps.study.printed.files import FILES, catalogue_name, printed_neg_mean_loglik, read_published
from halfpoint.apps.study.printed.formulas import (
    davidson_examples,
    davidson_shares,
    rating_examples,
    table_1_cells,
    table_9_cells,
)
from halfpoint.apps.study.printed.models import from_printed_parts
from halfpoint.apps.study.printed.settings import prior_numbers, sampler
from halfpoint.apps.study.printed.text import common_advantage
from halfpoint.evaluation.verdicts import (
    Cell,
    Explanation,
    digit_lost,
    judge,
    misprint,
    one_digit_wrong,
    round_half_up,
    transposed_digits,
    truncated,
)
from halfpoint.models.declaration.catalogue import TWELVE
from halfpoint.models.games.units import to_elo
from halfpoint.readers.datasets.study import study_players


def cell(printed, ours, mc_error=0.0, explanations=()):
    return Cell("thesis", "T0", "row", "column", printed, ours, mc_error, "", tuple(explanations))


def test_a_number_matches_rounded_or_cut_off():
    assert judge(cell("41.7", 41.68)) == ("match", "")
    assert judge(cell("8947.4", 8947.48)) == ("match", "truncated")
    assert judge(cell("0.581", 0.587))[0].startswith("not reproducible")


def test_the_monte_carlo_error_widens_a_match():
    assert judge(cell("4423.6", 4423.9, 0.1))[0] == "match"
    assert judge(cell("4423.6", 4424.4, 0.1))[0] != "match"


def test_the_first_explanation_that_gives_the_digits_is_the_verdict():
    slips = [Explanation("slip: one", "one", 7.0), Explanation("slip: two", "two", 5.0)]
    assert judge(cell("5.0", 4.0, explanations=slips)) == ("slip: two", "two")


@pytest.mark.parametrize(
    ("ours", "printed", "rule"),
    [
        (1612.368, "1621.36", transposed_digits),
        (504.05, "504.5", digit_lost),
        (0.6667, "0.677", one_digit_wrong),
        (15814.8, "15841.8", transposed_digits),
    ],
)
def test_misprints_of_the_study_are_one_slip_from_our_digits(ours, printed, rule):
    assert judge(cell(printed, ours, explanations=[misprint(ours, printed, rule)])) == ("misprint", rule.__name__)


def test_a_number_that_its_rounded_parts_give_is_no_misprint_of_them():
    """Thesis, table 12: 283.6 and 0.003; table 13: 567.12 = 2 x 283.557 + 2 x 0.003. Of 1671.00 they give 1617.06."""
    wanted = {"data": "A", "family": "bradley_terry", "model": "common", "weighting": "weighted", "imputation": "none"}
    parts, reach = from_printed_parts(wanted, "aicm")
    assert (parts, reach) == (pytest.approx(567.206), pytest.approx(0.101))
    assert abs(parts - 567.12) < reach


def test_the_papers_two_pairs_have_lambda_one_and_lambda_zero():
    found = {name: one for name, one in davidson_examples().items() if "win" in name}
    carlsen, weaker = (found[f"{pair}: {what}"] for pair, what in (
        ("Carlsen - Ponomariov", "win and draw probability (%)"), ("weaker pair", "win probability (%)"),
    ))  # fmt: skip
    loss, draw, win = davidson_shares(to_elo(2.0), 1.0)
    assert win == pytest.approx(draw)
    assert win == pytest.approx(0.4683, abs=5e-5)
    assert loss == pytest.approx(1.0 - 2.0 * win)
    for ours, printed, slip in ((carlsen, "46.8", "lambda taken as 1"), (weaker, "66.5", "lambda taken as 0")):
        assert judge(cell(printed, ours.value, explanations=ours.explanations))[0] == f"slip: {slip}"


def test_a_misprint_does_not_explain_everything():
    for rule in (transposed_digits, digit_lost, one_digit_wrong):
        assert judge(cell("15814.8", 23491.8, explanations=[misprint(23491.8, "15814.8", rule)]))[0] != "misprint"


def test_rounding_is_half_up():
    assert (round_half_up(59.985, 2), truncated(59.985, 2)) == ("59.99", "59.98")


def test_the_packaged_tables_are_whole():
    assert [len(read_published(name)) for name in FILES] == [334, 1380, 230, 21, 99, 118, 13, 96]
    assert read_published("models")["value"].astype(float).gt(0).all()


def test_one_wrong_digit_explains_nothing_within_two_units_of_it():
    for printed, verdict in (("46.6", "near: unexplained"), ("48.4", "misprint"), ("47.9", "not reproducible")):
        found = judge(cell(printed, 46.42, explanations=[misprint(46.42, printed, one_digit_wrong)]))
        assert found[0].startswith(verdict)


def test_table_1_has_one_wrong_digit_and_table_9_none():
    first = Counter(judge(one)[0] for one in table_1_cells())
    assert first == {"match": 41, "near: unexplained": 1}
    assert Counter(judge(one)[0] for one in table_9_cells()) == {"match": 99}


def test_correlations_of_the_text_come_from_appendix_a_with_its_headers_as_printed():
    printed = [80.82, 92.88, 71.67, 76.21, 91.53, 99.96]
    assert list(appendix_correlations().values()) == pytest.approx(printed, abs=0.0101)


def test_the_matrix_of_correlations_has_what_the_text_quotes_of_it():
    players = study_players().set_index("name")
    matrix = appendix_matrix()
    rng = np.random.default_rng(6)
    models = {}
    for column in matrix:
        name = catalogue_name(*column.split())
        draws = matrix[column].to_numpy() + rng.normal(0, 0.1, (2, 50, len(matrix)))
        names = players.loc[matrix.index, "data_name"].to_numpy(dtype=np.str_)
        models[name] = ModelDraws(name, "computed", names, draws, None, None, np.zeros((2, 50)))
    table = correlation_table(models)
    assert len(table) == 14 * 13 // 2
    assert table["ours_percent"].to_numpy() == pytest.approx(table["appendix_a_percent"].to_numpy(), abs=0.01)
    quoted = table[table["quoted_percent"] != ""]
    assert sorted(quoted["quoted_percent"]) == ["71.67", "76.21", "78.31", "80.82", "91.53", "92.88", "99.96"]
    assert quoted["appendix_a_percent"].to_numpy() == pytest.approx(quoted["quoted_percent"].astype(float), abs=0.0101)
    few = correlation_table({name: models[name] for name in ("bt", "davidson")})
    known = few.dropna()[["first", "second"]].apply(frozenset, axis=1)
    both = {"bt", "davidson", "ELO.D12", "ELO.M14"}
    assert set(known) == {frozenset(pair) for pair in combinations(both, 2)}


def test_settings_and_examples_have_a_verdict_without_any_data():
    known = sampler() | prior_numbers() | rating_examples() | davidson_examples()
    table = read_published("scalars")
    lines = {line["quantity"]: line["value"] for line in table.to_dict("records")}
    kinds = Counter(table["kind"])
    assert kinds == {"stated": 40, "outside": 14, "figure": 2, "": 174}
    assert not set(table.loc[table["kind"] != "", "quantity"]) & set(known)
    for quantity, ours in known.items():
        if quantity not in lines:
            continue
        printed = {"1/2": "0.5", "1/3": "0.333"}.get(lines[quantity], lines[quantity])
        verdict, rule = judge(Cell("", "", "", "", printed, ours.value, 0.0, ours.rule, ours.explanations))
        assert (
            verdict in ("match", "near: unexplained")
            or rule in RULES
            or ours.value is None
            or quantity.startswith("Carlsen - Ponom")
        )


def test_a_number_of_a_model_that_was_not_sampled_is_not_told_by_another():
    rng = np.random.default_rng(3)
    rating, advantage = 2700 + rng.normal(0, 5, (4, 50, 3)), 43.68 + rng.normal(0, 3, (4, 50))
    players = np.array(["one", "two", "three"])
    draws = ModelDraws("bt-common-weighted", "computed", players, rating, advantage, None, np.zeros((4, 50)))
    found = common_advantage(SimpleNamespace(models={"bt-common-weighted": draws}))
    assert found["example: gain in win probability, weighted (%)", "value"].value == pytest.approx(6.27, abs=0.15)
    assert not any("static" in quantity for quantity, _ in found)


def test_every_rule_is_a_function_that_says_what_it_does():
    assert all(callable(rule) and rule.__doc__ for rule in RULES.values())


def test_a_count_is_not_cut_off():
    whole = Cell("thesis", "4.1", "group", "value", "7", 8.0, 0.1, cut=False)
    assert judge(cell("7", 8.0))[0] == "match"
    assert judge(whole) == ("near: unexplained", "")


def test_a_column_known_to_be_faulty_is_not_a_match_by_chance():
    swapped = Explanation("slip: columns swapped", "swapped_columns", 2817.0)
    faulty = Cell("thesis", "AppA", "row", "column", "2817.1", 2817.2, 0.5, explanations=[swapped], faulted=True)
    assert judge(faulty) == ("slip: columns swapped", "swapped_columns")


def test_table_7_is_read_as_it_is_printed():
    printed = {name: printed_neg_mean_loglik(name) for name in TWELVE}  # Pires 2014, table 7, misprints included
    assert printed["bt"] == 4468.2
    assert printed["bt-common-weighted"] == printed["bt-common"] == 4423.6
    assert printed["bt-player-weighted"] == 7822.5
    assert printed["davidson-weighted"] == 11231.5
    assert printed["davidson-player-weighted"] == 10943.7
    assert None not in printed.values()
    assert printed_neg_mean_loglik("davidson-scaled") is None
