"""First sentences on evidence: comparisons of forecasts and of models, tests, and failed runs."""

from collections.abc import Mapping, Sequence

import numpy as np

from halfpoint.evaluation.digits import fixed_decimals
from halfpoint.evaluation.first_sentences.leaders import join_words

_SIGNIFICANT = 1.96  # standard errors
_VERDICTS = (("holds", "holds", "hold"), ("falls", "fails", "fail"), ("undecided", "is undecided", "are undecided"))


def not_converged(verdict: str) -> str:
    """Sentence of an answer whose sampler did not converge, without its numbers."""
    reason = verdict.removeprefix("NOT CONVERGED: ")
    return f"The sampler did not converge ({reason}): these numbers are not reliable."


def against_baseline(games: int, score: float, baseline: float, difference: float, error: float, rival: str) -> str:
    """Sentence that compares forecasts with a rival by the mean log score of the same games, lower is better.

    `difference` is the rival's mean score less that of the forecasts, `error` its standard error.

    Examples
    --------
    >>> against_baseline(124, 0.96, 1.06, 0.10, 0.03, "base rates")
    'Over 124 games the forecasts score 0.96, base rates 1.06: better by 0.10 (standard error 0.03).'
    >>> against_baseline(9, 1.03, 1.06, 0.03, 0.06, "base rates")
    'Over 9 games the forecasts score 1.03, base rates 1.06: no significant difference (standard error 0.06).'
    """
    if not games:
        return "No game has been played since the first edition, so no forecast can be scored yet."
    if games == 1:
        return f"One game has been played since the first edition (log score {score:.2f}): too few to compare."
    start = f"Over {games:,} games the forecasts score {score:.2f}, {rival} {baseline:.2f}"
    if abs(difference) <= _SIGNIFICANT * error:
        return f"{start}: no significant difference (standard error {error:.2f})."
    word = "better" if difference > 0 else "worse"
    return f"{start}: {word} by {abs(difference):.2f} (standard error {error:.2f})."


def against_odds(games: int, odds: float, difference: float, error: float) -> str:
    """Sentence that compares forecasts with odds; `difference` is the mean log score by odds less ours."""
    start = f"On {games:,} games with odds these score {odds:.2f}"
    if games == 1 or abs(difference) <= _SIGNIFICANT * error:
        return f"{start}: no significant difference from the forecasts (standard error {error:.2f})."
    word = "better" if difference > 0 else "worse"
    return f"{start}: the forecasts are {word} by {abs(difference):.2f} (standard error {error:.2f})."


def best_forecaster(gains: Mapping[str, Mapping[str, tuple[float, float]]], equal: str) -> str:
    """Sentence on forecasters of events against equal chances, on every score that judges them.

    `gains` has, by forecaster and score, the gain over equal chances with its standard error; `equal` names them.

    Examples
    --------
    >>> best_forecaster({"elo": {"order": (0.01, 0.05), "winner": (0.20, 0.02)}, "uniform": {}}, "uniform")
    'elo forecasts the winner best: 0.20 ± 0.02 more log score than equal chances; the order no better.'
    """
    best: dict[str, tuple[str, float, float]] = {}
    for name, by_score in gains.items():
        for score, (gain, error) in by_score.items():
            significant = name != equal and gain > _SIGNIFICANT * error
            if significant and (score not in best or gain > best[score][1]):
                best[score] = (name, gain, error)
    scores = list(dict.fromkeys(score for by_score in gains.values() for score in by_score))
    parts = [
        f"{best[score][0]} forecasts the {score} best: {best[score][1]:.2f} ± {best[score][2]:.2f} more log score than "
        "equal chances"
        for score in scores
        if score in best
    ]
    if not parts:
        return "No forecaster is significantly better than equal chances."
    no_better = [score for score in scores if score not in best]
    return "; ".join([*parts, *(f"the {score} no better" for score in no_better)]) + "."


def best_score(
    names: Sequence[str], systems: int, games: int, rival: str, gap: tuple[float, float, tuple[float, float]] | None
) -> str:
    """Sentence on the lowest log score of several systems; `names` share it, `gap` is its distance to a rival.

    A gap has its standard error and its interval of 95%.

    Examples
    --------
    >>> best_score(["elo"], 3, 900, "glicko", (0.0123, 0.004, (0.004, 0.02)))
    'elo has the lowest log score of 3 systems on 900 games: 0.01230 less than glicko (standard error 0.00400).'
    """
    if games == 1:
        return f"{systems} systems judged on 1 game: too few to compare."
    if systems == 1:
        return f"{names[0]} is the only system, judged on {games:,} games."
    verb = "has" if len(names) == 1 else "have"
    start = f"{join_words(names)} {verb} the lowest log score of {systems} systems on {games:,} games"
    if gap is None or rival in names:
        return f"{start}."
    distance, error, (low, high) = gap
    error_text = f" (standard error {error:.5f})" if np.isfinite(error) else ""
    significant = low > 0.0 or high < 0.0
    doubt = "" if significant else ", not significantly different"
    return f"{start}: {abs(distance):.5f} less than {rival}{error_text}{doubt}."


def best_model(first: str, second: str, ahead: float, error: float, doubt: str = "", place: str = "") -> str:
    """Sentence on the best of several models by a criterion; `error` is NaN if unknown, `doubt` a reason in words.

    Examples
    --------
    >>> best_model("davidson", "bt", 12.34, 3.0), best_model("davidson", "bt", 2.0, float("nan"), "not significantly")
    ('davidson is the best: 12.3 ahead of bt (s.e. 3.0).', 'davidson is first, not significantly: 2.0 ahead of bt.')
    >>> best_model("davidson", "rao-kupper", 0.01, 1.0)
    'davidson and rao-kupper are level.'
    """
    if round(ahead, 1) == 0.0:
        return f"{first} and {second} are level{place}."
    claim = f"is first{place}, {doubt}" if doubt else f"is the best{place}"
    error_text = f" (s.e. {error:.1f})" if error > 0.0 else ""
    return f"{first} {claim}: {ahead:.1f} ahead of {second}{error_text}."


def calibrated(wrong: Sequence[str], parameters: int, simulations: int) -> str:
    """Sentence on parameters of a model fitted to simulated games: which are not calibrated.

    Examples
    --------
    >>> calibrated([], 5, 20), calibrated(["strength", "log_draw"], 5, 500)
    ('None of 5 parameters is significantly miscalibrated in 20 fits.', 'NOT calibrated: strength, log_draw.')
    """
    if wrong:
        return f"NOT calibrated: {', '.join(wrong)}."
    return f"None of {parameters} parameters is significantly miscalibrated in {simulations:,} fits."


def sequential_decision(
    decision: str, hypothesis: str, after: int | None, ratio: float, bounds: tuple[float, float], by: str
) -> str:
    """Sentence on a sequential test: the action and the log likelihood ratio between its bounds.

    `decision` is H0, H1 or "go on", `hypothesis` its number in words, `after` the games at the decision.

    Examples
    --------
    >>> sequential_decision("H1", "elo1 = 2 Elo", 300, 2.99, (-2.94, 2.94), "pairs")
    'Stop: H1 (elo1 = 2 Elo) is accepted after 300 games. LLR 2.99 by pairs, bounds -2.94 and 2.94.'
    >>> sequential_decision("H1", "elo1 = 2 Elo", 300, 1.5, (-2.94, 2.94), "pairs")
    'Stop: H1 (elo1 = 2 Elo) is accepted after 300 games. LLR 1.50 by pairs after further games, bounds -2.94 and 2.94.'
    """
    inside = bounds[0] < ratio < bounds[1]
    action = "Go on."
    if decision != "go on":
        action = f"Stop: {decision} ({hypothesis}) is accepted{f' after {after:,} games' if after else ''}."
    further = " after further games" * (inside and decision != "go on")
    return f"{action} LLR {fixed_decimals(ratio, 2)} by {by}{further}, bounds {bounds[0]:.2f} and {bounds[1]:.2f}."


def claims_judged(verdicts: Sequence[str]) -> str:
    """Sentence on claims: how many hold, fail and are undecided; `verdicts` are holds, falls or undecided.

    Examples
    --------
    >>> claims_judged(["holds", "holds", "falls"])
    'Of 3 claims, 2 hold, 1 fails, 0 are undecided.'
    """
    counts = [(sum(verdict == name for verdict in verdicts), *words) for name, *words in _VERDICTS]
    parts = ", ".join(f"{count} {singular if count == 1 else plural}" for count, singular, plural in counts)
    return f"Of {len(verdicts)} claim{'s' * (len(verdicts) != 1)}, {parts}."
