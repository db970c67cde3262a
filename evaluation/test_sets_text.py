"""The judgement of forecasts as Markdown: scores of the expected score for all, log likelihoods a kind at a time."""

from collections.abc import Sequence
from itertools import groupby

from halfpoint.evaluation.test_sets import Judged, Observation, comparable, difference

COMMON = ("definetti_score", "rmse_score", "deviance_score")
THREE = ("definetti", "rps", "accuracy")
LIKELIHOOD = ("neg2_mean_log_predictive", "neg2_lpd", "aicm", "aicm_printed")
CURRENCY = (
    "A half-point likelihood (Bradley-Terry, FIDE rating) and a three-outcome likelihood (Davidson) are of different "
    "observations, so they are never ranked in one column. What all models have in common is White's expected score: "
    "the first table of each set compares all of them by it, the others compare one kind at a time. Lower is better, "
    "but for accuracy. A difference is to the first line of the table, with its paired standard error."
)


def predictive_markdown(lines: Sequence[Judged]) -> str:
    """Return the judgement of all forecasts as Markdown.

    Parameters
    ----------
    lines : sequence of Judged
        Judgements, one set after the other.
    """
    parts = ["# Forecasts judged\n", CURRENCY + "\n"]
    for name, group in groupby(lines, key=lambda line: line.set):
        mine = list(group)
        parts.append(f"## Set {name}\n")
        parts.append("### Expected score, all models\n")
        parts.append(markdown(mine, COMMON, "deviance_score"))
        kinds: tuple[Observation, ...] = ("half points", "three outcomes")
        for kind in kinds:
            kin = [line for line in mine if line.observation == kind]
            if kin:
                parts.append(f"### Likelihood of {kind}\n")
                columns = LIKELIHOOD + (THREE if kind == "three outcomes" else ())
                parts.append(markdown(kin, columns, "neg2_lpd"))
    return "\n".join(parts)


def markdown(lines: Sequence[Judged], columns: Sequence[str], compared: str) -> str:
    """Return a table of some columns in Markdown, with the difference of one of them to the first line."""
    keys = ("name", "edition", "imputation", "anchors")
    head = [*keys, *columns, f"difference of {compared}", "standard error"]
    rows = [head, ["---"] * len(keys) + ["---:"] * (len(head) - len(keys))]
    for line in lines:
        name = line.name if line.converged else f"{line.name} (NOT CONVERGED)"
        first = lines[0] if comparable(lines[0], line, compared) else None
        found = [*(line.value(column) for column in columns), *difference(line, first, compared)]
        rows.append([name, line.edition, line.imputation, line.anchors, *map(number, found)])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows) + "\n"


def number(value: float) -> str:
    """Return a number with digits that fit its size, empty for NaN."""
    if value != value:
        return ""
    return f"{value:.2f}" if abs(value) >= 2 else f"{value:.4f}"
