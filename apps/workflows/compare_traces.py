"""Comparison of models by their traces."""

from collections.abc import Iterable, Sequence

import xarray as xr

from halfpoint.apps.pages.cells import Look
from halfpoint.apps.workflows.answer import Answer, convergence, simulated_mark
from halfpoint.apps.workflows.answers import Trace, trace_from
from halfpoint.models.games.errors import HalfpointError, count_noun
from halfpoint.models.games.ranges import require_word

_CRITERIA = {
    "elpd_loo": "elpd (LOO)",
    "aicm": "AICM",
    "aicm_printed": "AICM as printed",
    "neg_mean_loglik": "-mean log L",
}


def compare(traces: Sequence[Trace], by: str | None = None) -> Answer:
    """Compare models by their traces; likelihoods of different observations are never ranked together.

    Parameters
    ----------
    traces : sequence of str, Path or DataTree
        Traces of the same games.
    by : {"elpd_loo", "aicm", "aicm_printed", "neg_mean_loglik"}, optional
        The criterion of the ranking: leave-one-out by default, AICM if a trace does not support leave-one-out.

    Returns
    -------
    Answer
        One row per trace, as in `halfpoint.evaluation.comparison.comparison_table`.

    Raises
    ------
    HalfpointError
        If the criterion is unknown, or no trace has it.
    """
    from halfpoint.evaluation.comparison import HIGHER, best_in_words, comparison_line, comparison_table, in_short

    if not isinstance(by, str | None):
        raise HalfpointError(
            "compare: expected one list of traces, found a second argument. Write compare([one, other])."
        )
    require_word("--by", by, (None, *_CRITERIA))
    several = traces if isinstance(traces, Iterable) and not isinstance(traces, str | xr.DataTree) else [traces]
    trees = [trace_from(trace, pointwise=True) for trace in several]
    if not trees:
        raise HalfpointError("compare: expected a trace or more, found none. Write compare([one, other]).")
    models = [comparison_line(tree) for tree in trees]
    high = [model.unreliable or 0 for model in models]
    if any(high) and by in (None, "elpd_loo"):
        from halfpoint.apps.workflows.moment_matching import match_moments  # brings PyMC

        models = [match_moments(tree, model) for tree, model in zip(trees, models, strict=True)]
    mended = sum(high) - sum(model.unreliable or 0 for model in models)
    without = [model.title for model in models if "elpd_loo" not in model.values]
    chosen = by or ("aicm" if without else "elpd_loo")
    if by == "elpd_loo" and not any(by in model.values for model in models):
        raise HalfpointError(
            f"--by {by}: expected a trace with the log likelihood of each game, found none. Rank by aicm, or score "
            "new games."
        )
    table = comparison_table(models, chosen)
    why = str(table.attrs["refusal"])
    note = "A difference is significant if its 95% interval excludes 0; errors are of games (se) and draws (mc error)."
    doubted = table[table["caution"] != ""]
    if len(doubted):
        rows = ", ".join(f"{row.name} ({row.caution})" for row in doubted[["name", "caution"]].itertuples(index=False))
        note += f" Errors are too small, and P(worse) is overconfident, for {rows}."
    if many := table.attrs["by_chance"]:
        note += f" The best of {many} rows leads by no more than chance alone would give among equal rows."
    if mended:
        note += f" Of {count_noun(sum(high), 'game')} with a Pareto k above 0.7, moment matching corrected {mended}."
    if by is None and without:
        note += f" By AICM, since no game can be left out of {', '.join(without)}."
    note += f" Ranked within each kind only: {why}." if why else ""
    better = "higher" if chosen in HIGHER else "lower"
    title = f"Comparison by {_CRITERIA[chosen]}, {better} is better{simulated_mark(trees)}"
    about = {"title": title, "by": chosen, "answer": best_in_words(table), "note": note}
    about |= convergence(trees, worst_verdict(trees))
    look = Look(in_short(table, chosen), chances=("p_worse",))
    return Answer(table.drop(columns=["not_comparable_with", "games"]), about, look=look)


def worst_verdict(trees: Sequence[xr.DataTree]) -> str:
    """Verdict on several traces: converged only if all converged."""
    failed = [str(tree.attrs["model"]) for tree in trees if not tree.attrs["converged"]]
    return f"NOT CONVERGED: {', '.join(failed)}" if failed else "converged"
