"""The expected score of a match by a half-point model, which has no probability of a draw or of a match score."""

from collections.abc import Mapping

import pandas as pd
import xarray as xr

from halfpoint.apps.pages.cells import Look
from halfpoint.apps.workflows.answer import Answer, about_trace
from halfpoint.evaluation.digits import in_percent
from halfpoint.evaluation.first_sentences.leaders import expected_points
from halfpoint.evaluation.matches import expected_score_of_match
from halfpoint.models.declaration.posterior_reader import reading_of
from halfpoint.models.games.errors import count_noun


def tells_no_draws(tree: xr.DataTree) -> bool:
    """True if some of a trace's games were drawn and its model counts draws as half points."""
    draws = reading_of(tree).outcome.draws
    return not draws and bool((tree["observed_data"]["score"].to_numpy() == 0.5).any())


def match_in_half_points(
    tree: xr.DataTree, first: str, second: str, word: str, day_ratings: Mapping[str, float], ratings: list[xr.DataArray]
) -> Answer:
    """Both sides' expected score in a match, with intervals of 95%; `word` has a letter W or B a game."""
    games = len(word)
    first_score = expected_score_of_match(tree, first, second, word, day_ratings)
    second_score = {
        "mean": games - first_score["mean"],
        "low": games - first_score["high"],
        "high": games - first_score["low"],
    }
    rows = [
        {
            "player": name,
            "expected_percent": 100.0 * score["mean"] / games,
            "expected_low_percent": 100.0 * score["low"] / games,
            "expected_high_percent": 100.0 * score["high"] / games,
        }
        for name, score in ((first, first_score), (second, second_score))
    ]
    answer = expected_points(first, first_score, games)
    note = "The model counts a draw as half a win and has no probability of a draw; Davidson models have one."
    if not day_ratings:
        note += f" P({first} is the stronger) {in_percent(float((ratings[0] > ratings[1]).mean()))}."
    about = about_trace(tree, f"{first} against {second}, {count_noun(games, 'game')}")
    return Answer(pd.DataFrame(rows), about | {"answer": answer, "note": note}, look=Look())
