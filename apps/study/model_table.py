"""One table of all models on the test sets: scores by game with paired standard errors, and calibration.

    log_score        mean of -log predictive density of the results, nats per game; of two kinds, see `observation`
    definetti, rps   three-outcome scores of the posterior mean probabilities; empty for half points
    squared_error    mean (E - y)^2 of White's posterior mean expected score E, which all models have
    calibration_gap  mean distance between forecast and observed score over bins of equally many games
    outside          number of these bins whose 95% interval of the observed score excludes the forecast

A difference is to the base model on the same set (`davidson-common`; log scores of half points: `bt-common`), in the
same edition, if any, with its standard error paired over games; negative: this model is better.
"""

from collections.abc import Sequence

import pandas as pd

from halfpoint.apps.study.judged_sets import JudgedSet
from halfpoint.evaluation.differences import mean_difference

_BASES = {"three outcomes": "davidson-common", "half points": "bt-common"}
_SCORES = {"log_score": "neg2_lpd", "definetti": "definetti", "rps": "rps", "squared_error": "definetti_score"}
_HALVED = "log_score"  # the terms are -2 log densities
_EVENT = "expected_score"


def model_table(lines: Sequence[JudgedSet], calibration: pd.DataFrame) -> pd.DataFrame:
    """One line a model, edition and set (A and B), by log score within each kind of observation."""
    first_lines: dict[tuple[str, str, str], JudgedSet] = {}
    for line in lines:
        if line.edition != "reference" and line.set in ("A", "B"):
            first_lines.setdefault((line.set, line.name, line.edition), line)
    rows = []
    for (data, name, edition), line in first_lines.items():
        row: dict[str, object] = {"set": data, "observation": line.observation, "name": name, "edition": edition}
        row["games"] = line.per_game["neg2_lpd"].size
        for score, term in _SCORES.items():
            kind = line.observation if score == _HALVED else "three outcomes"
            row |= _score_with_error(line, _base_of(first_lines, line, _BASES[kind]), score, term)
        rows.append(row | {"converged": line.converged})
    if not rows:
        return pd.DataFrame()
    sums = calibration_sums(calibration[calibration["event"] == _EVENT]).rename(columns={"mean_gap": "calibration_gap"})
    sums["outside"] = sums["bins"] - sums["bins_inside"]
    keys = ["set", "name", "edition"]
    table = pd.DataFrame(rows).join(sums.set_index(keys)[["calibration_gap", "outside", "bins"]], on=keys)
    table["converged"] = table.pop("converged")
    return table.sort_values(["set", "observation", "log_score"], kind="stable", ignore_index=True)


def _base_of(lines: dict[tuple[str, str, str], JudgedSet], line: JudgedSet, name: str) -> JudgedSet | None:
    """Base model's line on the same set, of the same edition, else of the last edition; None if missing."""
    base = lines.get((line.set, name, line.edition))
    alternatives = [candidate for (data, model, _), candidate in lines.items() if (data, model) == (line.set, name)]
    return base or (alternatives[-1] if alternatives else None)


def _score_with_error(line: JudgedSet, base: JudgedSet | None, score: str, term: str) -> dict[str, float]:
    """Score with its paired difference from the base and the standard error; NaN if it does not exist."""
    nothing = float("nan")
    row = {score: nothing, f"{score}_difference": nothing, f"{score}_se": nothing}
    if term not in line.per_game:
        return row
    factor = 0.5 if score == _HALVED else 1.0
    row[score] = factor * float(line.per_game[term].mean())
    if base is not None and term in base.per_game:
        gap = mean_difference(line.per_game[term], base.per_game[term])
        row |= {f"{score}_difference": factor * gap.mean, f"{score}_se": factor * gap.standard_error}
    return row


def calibration_sums(calibration: pd.DataFrame) -> pd.DataFrame:
    """Calibration by forecast, set and event: games, bins, bins_inside, mean_gap."""
    gap = (calibration["observed_share"] - calibration["mean_forecast"]).abs()
    inside = calibration["mean_forecast"].between(calibration["low"], calibration["high"])
    grouped = calibration.assign(gap=gap * calibration["games"], inside=inside.astype(int))
    sums = grouped.groupby(["name", "edition", "set", "event"], sort=False).agg(
        games=("games", "sum"), bins=("games", "size"), bins_inside=("inside", "sum"), gap=("gap", "sum")
    )
    return sums.assign(mean_gap=sums.pop("gap") / sums["games"]).reset_index()
