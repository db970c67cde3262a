"""Claims on invented findings with a known answer."""

from dataclasses import dataclass, field

import numpy as np
import pytest

from halfpoint.apps.study.claims import (
    Findings,
    advantages_differ,
    elo_underestimates,
    equals_of_the_best,
    study_claims,
)
from halfpoint.apps.study.evidence import (
    Claim,
    Evidence,
    claims_table,
    evidence_table,
    find_line,
    over_sets,
    paired_scores,
)
from halfpoint.apps.study.posterior_draws import ModelDraws
from halfpoint.apps.study.references import Reference
from halfpoint.apps.study.training_fit import effect_of_normalising, effect_of_penalty, reference_aic, training_fit
from halfpoint.models.games.table import GameTable, code_players

PLAYERS = np.array([f"player {number:02d}" for number in range(20)])


@dataclass(frozen=True)
class Forecast:
    name: str
    edition: str
    set: str
    imputation: str = "none"
    anchors: str = "none"
    per_game: dict = field(default_factory=dict)


def evidence(difference, error=1.0, edition="corrected"):
    return Evidence(edition, "A", "-2 lpd", "one against two", difference, error)


def posterior(name, edition, spread=30.0, advantage=None, seed=1, log_likelihood_sd=5.0):
    rng = np.random.default_rng(seed)
    shape = (4, 500)
    rating = np.linspace(2850, 2660, 20) + spread * rng.normal(size=(*shape, 20))
    log_draw = 1.0 + 0.03 * rng.normal(size=shape) if name.startswith("davidson") else None
    total = -4000 + log_likelihood_sd * rng.normal(size=shape)
    return ModelDraws(name, edition, PLAYERS, rating, advantage, log_draw, total)


def training_games(advantage_elo, count=4000):
    rng = np.random.default_rng(9)
    first, second = rng.permuted(np.tile(np.arange(20), (count, 1)), axis=1)[:, :2].T
    strength = np.linspace(2850, 2660, 20)
    white_elo, black_elo = strength[first], strength[second]
    p = 1 / (1 + 10 ** ((black_elo - white_elo - advantage_elo) / 400))
    players, white, black = code_players(PLAYERS[first], PLAYERS[second])
    score = rng.binomial(2, p) / 2
    period = np.sort(rng.integers(1, 36, size=count))
    return GameTable(
        players, white, black, score, period=period, white_rating_elo=white_elo, black_rating_elo=black_elo
    )


@pytest.mark.parametrize(
    ("differences", "ruling", "of_all"),
    [
        ((-3.0, 0.5), "holds", "holds"),
        ((3.0, 0.5), "falls", "falls"),
        ((-3.0, 3.0), "undecided", "falls"),
        ((1.9, -1.9), "undecided", "undecided"),
        ((float("nan"),), "undecided", "undecided"),
    ],
)
def test_two_standard_errors_decide(differences, ruling, of_all):
    found = [evidence(one) for one in differences]
    assert Claim("c", "s", "p", found).verdict == ruling
    assert Claim("c", "s", "p", found, of_all=True).verdict == of_all


def test_the_verdict_is_that_of_the_corrected_edition_and_the_reason_names_all():
    claim = Claim("c", "s", "p", [evidence(-5, edition="computed"), evidence(5, edition="corrected")], "A note.")
    assert claim.verdict == "falls"
    assert claim.why.startswith("computed holds (1 for, 0 against, 0 undecided); corrected falls")
    assert claim.why.endswith("A note.")
    row = claims_table([claim]).iloc[0]
    assert (row["computed"], row["described"], row["corrected"]) == ("holds", "", "falls")
    assert len(evidence_table([claim])) == 2


def test_without_evidence_nothing_can_be_told():
    claim = Claim("c", "s", "p")
    assert claim.verdict == "undecided"
    assert "not sampled" in claim.why


def test_minus_two_lpd_is_summed_and_other_scores_are_means():
    rng = np.random.default_rng(3)
    one, two = rng.normal(size=50), rng.normal(size=50)
    lines = [
        Forecast("bt-common", "corrected", "A", per_game={"neg2_lpd": one, "deviance_score": one}),
        Forecast("bt", "corrected", "A", per_game={"neg2_lpd": two, "deviance_score": two}),
    ]
    names = (("bt-common", "corrected"), ("bt", "corrected"))
    total = paired_scores(lines, *names, "A", "neg2_lpd", "corrected")
    mean = paired_scores(lines, *names, "A", "deviance_score", "corrected")
    assert total.difference == pytest.approx((one - two).sum())
    assert total.standard_error == pytest.approx(np.sqrt(50) * (one - two).std(ddof=1))
    assert total.difference == pytest.approx(50 * mean.difference)
    assert paired_scores(lines, *names, "B", "neg2_lpd", "corrected") is None
    assert total.measure[0].isalpha()  # no spreadsheet takes it for a formula


def test_the_plain_forecast_is_compared():
    lines = [
        Forecast("bt-player", "corrected", "B", "mirror", "list"),
        Forecast("bt-player", "corrected", "B", "zero", "day"),
        Forecast("bt-player", "corrected", "B", "zero", "list"),
    ]
    assert find_line(lines, "bt-player", "corrected", "B") is lines[2]


def test_a_reference_is_the_same_in_every_edition():
    per_game = {"neg2_lpd": np.arange(5.0)}
    lines = [Forecast("fide_elo", "reference", "A", anchors="list", per_game=per_game)]
    lines += [Forecast("bt", edition, "A", per_game={"neg2_lpd": np.arange(5.0) - 1}) for edition in ("computed",)]
    found = over_sets(lines, [("bt", "fide_elo")], reference=True)
    assert [(one.edition, one.difference) for one in found] == [("computed", -5.0)]


def test_a_colour_advantage_is_what_elo_misses_and_none_is_not():
    assert all(one.speaks == "for" for one in [*elo_underestimates(training_games(60.0))][:2])
    assert next(elo_underestimates(training_games(0.0))).speaks == "neither"


def test_players_advantages_differ_only_where_they_do():
    rng = np.random.default_rng(6)
    same = 30 + 20 * rng.normal(size=20)
    noise = 20 * rng.normal(size=(4, 500, 20))
    equal = posterior("davidson-player", "corrected", advantage=same + noise)
    different = posterior("davidson-player", "corrected", advantage=same + np.linspace(-80, 80, 20) + noise)
    assert next(advantages_differ({("davidson-player", "corrected"): equal})).speaks == "neither"
    assert next(advantages_differ({("davidson-player", "corrected"): different})).speaks == "for"


def test_equals_of_the_best_are_counted_by_differences():
    sharp, blunt = posterior("bt", "corrected", spread=1.0), posterior("bt", "corrected", spread=60.0)
    assert equals_of_the_best(sharp) == 0
    assert equals_of_the_best(blunt) > 5


def test_the_full_penalty_charges_two_parameters_for_each():
    # l = max - chi2_k / 2 has mean max - k / 2 and variance k / 2, so AICM in full is -2 max + 2 k.
    rng = np.random.default_rng(12)
    fits = []
    for name, best, size in (("bt-common", -1000.0, 47), ("bt-player", -985.0, 92)):
        total = best - rng.chisquare(size, size=(4, 20000)) / 2
        draws = posterior(name, "corrected")
        fits.append(training_fit(ModelDraws(name, "corrected", PLAYERS, np.zeros((4, 20000, 20)), None, None, total)))
        assert draws.family == "bradley_terry"
        assert fits[-1].aicm == pytest.approx(-2 * best + 2 * size, abs=5 * fits[-1].aicm_error)
    table = effect_of_penalty(fits).set_index("name")
    assert table["rank_full"].to_dict() == {"bt-common": 1, "bt-player": 2}
    assert table.loc["bt-player", "aicm"] - table.loc["bt-player", "aicm_printed"] == pytest.approx(92, abs=4)
    assert table["told"].to_dict() == {"bt-common": "lowest", "bt-player": "bt-common is lower"}
    few = []
    for name in ("bt-common", "bt-player"):  # the same posterior twice, by 400 draws
        total = -1000.0 - rng.chisquare(47, size=(4, 100)) / 2
        few.append(training_fit(ModelDraws(name, "corrected", PLAYERS, np.zeros((4, 100, 20)), None, None, total)))
    assert sorted(effect_of_penalty(few)["told"]) == ["lowest", "undecided"]


def test_normalising_widens_the_posterior():
    draws = {
        ("bt-weighted", "described"): posterior("bt-weighted", "described", 20.0),
        ("bt-weighted", "corrected"): posterior("bt-weighted", "corrected", 26.7),
    }
    table = effect_of_normalising(draws)
    assert table["ratio"].tolist() == pytest.approx([26.7 / 20.0], rel=0.01)


def test_references_pay_for_their_proportions():
    assert reference_aic(Reference("davidson", "proportional", "equal", 100.0)) == 104.0
    assert reference_aic(Reference("bradley_terry", "fide_elo", "equal", 100.0)) == 100.0


def test_all_claims_are_told_from_whatever_there_is():
    findings = Findings(training_games(45.0), [training_fit(posterior("bt", "corrected"))])
    claims = study_claims(findings)
    told = {claim.name: claim.verdict for claim in claims}
    assert len(told) == len(claims) >= 12
    assert told["Elo underestimates White"] == "holds"
    assert told["weighting helps prediction"] == "undecided"
    assert all(claim.why for claim in claims)
