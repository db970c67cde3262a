"""One game between two players of a trace: chances and expected score, by the formula on the draws."""

import numpy as np
import pytest
from rating_games import simulated

from halfpoint.evaluation import matches
from halfpoint.evaluation.errors import EvaluationError
from halfpoint.evaluation.matches import (
    expected_score,
    expected_score_of_match,
    fourier_transform,
    game,
    match,
    scores_of,
)
from halfpoint.inference.fit import fit
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.games.select import select


@pytest.fixture(scope="module", params=["davidson-common", "bt-common"])
def trace(request):
    games, _ = simulated(5, players=5, games=150)
    return fit(declare(request.param, select(games, games.players)), "normal", draws=100, chains=2, seed=1)


def test_the_expected_score_is_that_of_the_formula(trace):
    white, black = trace["posterior"]["player"].to_numpy()[[0, 3]].tolist()
    p = {name: trace["posterior"][name] for name in trace["posterior"].data_vars}
    gap = p["strength"].sel(player=white) - p["strength"].sel(player=black) + p["advantage"]
    tie = np.exp(p["log_draw"]) if "log_draw" in p else 0.0
    loss, draw, win = np.exp(-gap / 2), tie + 0.0 * gap, np.exp(gap / 2)
    total = loss + draw + win
    assert expected_score(trace, white, black) == pytest.approx(float(((win + draw / 2) / total).mean()), rel=1e-5)
    chances = [float((part / total).mean()) for part in (loss, draw, win)]
    assert game(trace, white, black) == pytest.approx(chances, rel=1e-5)


def chances_of(trace, white, black):
    """Chances of loss, draw and win under each draw by the formula, shape (outcome, draw)."""
    p = {name: trace["posterior"][name].stack(sample=("chain", "draw")) for name in trace["posterior"].data_vars}
    gap = p["strength"].sel(player=white) - p["strength"].sel(player=black) + p["advantage"]
    tie = np.exp(p["log_draw"]) if "log_draw" in p else 0.0 * gap
    parts = np.stack([np.exp(-gap / 2), tie + 0.0 * gap, np.exp(gap / 2)])
    return parts / parts.sum(axis=0)


def test_the_score_of_a_match_is_the_convolution_of_its_games(trace, monkeypatch):
    first, second = trace["posterior"]["player"].to_numpy()[[1, 4]].tolist()
    white, black = chances_of(trace, first, second), chances_of(trace, second, first)[::-1]
    score = (2 * (white[2] + white[1] / 2) + black[2] + black[1] / 2).astype(float)
    mean = expected_score_of_match(trace, first, second, "WBW")
    assert mean["mean"] == pytest.approx(score.mean(), rel=1e-5)
    assert [mean["low"], mean["high"]] == pytest.approx(np.quantile(score, [0.025, 0.975]), rel=1e-5)
    if trace.attrs["model"] == "bt-common":
        with pytest.raises(EvaluationError, match="expected a model with three outcomes, found half points"):
            match(trace, first, second, "WBW")
        return
    expected = np.mean([np.convolve(np.convolve(w, w), b) for w, b in zip(white.T, black.T, strict=True)], axis=0)
    for numbers in (matches._CHUNK_VALUES, 70):
        monkeypatch.setattr(matches, "_CHUNK_VALUES", numbers)
        probability = match(trace, first, second, "WBW")
        assert probability.index.tolist() == [0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0]
        np.testing.assert_allclose(probability, expected, atol=1e-6)
    for colours in ("", "WX"):
        with pytest.raises(EvaluationError, match="colours: expected a word of W and B"):
            match(trace, first, second, colours)


def test_transforms_give_the_chances_again():
    chances = np.array([[0.2, 0.5, 0.3], [0.7, 0.0, 0.3]])
    product = fourier_transform(chances[0], 2) * fourier_transform(chances[1], 2)
    np.testing.assert_allclose(scores_of(product), np.convolve(*chances), atol=1e-15)
    np.testing.assert_allclose(scores_of(fourier_transform(chances, 1)), chances, atol=1e-15)
