"""The tables of a study run, DIR/tables, written from its traces, and `summary.json`."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import arviz as az
import numpy as np
import pandas as pd
import xarray as xr

from halfpoint.apps.study.claims import Findings, study_claims
from halfpoint.apps.study.evidence import claims_table, evidence_table
from halfpoint.apps.study.judged_sets import JudgedSet, predictive_table
from halfpoint.apps.study.model_table import model_table
from halfpoint.apps.study.posterior_draws import model_draws, on_study_scale
from halfpoint.apps.study.printed.correlations import correlation_table
from halfpoint.apps.study.printed.lists import printed_lists
from halfpoint.apps.study.printed.orders import order_table
from halfpoint.apps.study.printed.reproduction import Reproduction
from halfpoint.apps.study.printed.table import published_table, verdict_counts
from halfpoint.apps.study.references import reference_models
from halfpoint.apps.study.run.figures import write_figures
from halfpoint.apps.study.run.games import StudyGames
from halfpoint.apps.study.run.test_sets import judge_references, judge_trace, sets_of, whole_advantage
from halfpoint.apps.study.training_fit import effect_of_normalising, effect_of_penalty, training_fit
from halfpoint.apps.workflows.answer import as_csv
from halfpoint.evaluation.criteria import aicm, aicm_error, aicm_printed, log_likelihood
from halfpoint.evaluation.rating_list import DRAWS, MASS, summaries
from halfpoint.evaluation.verdicts import verdict_line
from halfpoint.models.declaration.catalogue import Edition
from halfpoint.models.declaration.pointwise import each_game
from halfpoint.models.declaration.trace_attributes import record_in
from halfpoint.models.games.memory import processors
from halfpoint.models.games.results import Results
from halfpoint.models.games.select import Selection
from halfpoint.models.games.table import Floats, GameTable
from halfpoint.models.games.weights import weights


def write_tables(traces: Sequence[xr.DataTree], games: StudyGames, place: Results) -> list[str]:
    """Write every table of a run; return one line a table for the terminal."""
    folder = Path(place.shown)
    judged, calibration = _judge_all(traces, games)
    draws = {(tree.attrs["model"], tree.attrs["edition"]): model_draws(tree) for tree in traces}
    fits = [training_fit(draws[tree.attrs["model"], tree.attrs["edition"]], _pointwise_of(tree)) for tree in traces]
    claims = study_claims(Findings(games.training.games, fits, judged, draws))
    tables = {
        "predictive": predictive_table(judged),
        "calibration": calibration,
        "models": model_table(judged, calibration),
        "ratings": rating_lists(traces),
        "claims": claims_table(claims),
        "evidence": evidence_table(claims),
        "penalty": effect_of_penalty(fits),
    }
    normalising = effect_of_normalising(draws)
    tables |= {"normalising": normalising} if len(normalising) else {}
    counts = tables["claims"]["verdict"].value_counts()
    rulings = ", ".join(f"{counts.get(word, 0)} {word}" for word in ("holds", "falls", "undecided"))
    headlines = {
        "predictive": f"{len(tables['predictive'])} forecasts judged on sets A and B",
        "claims": f"{len(claims)} conclusions of the study: {rulings}",
    }
    computed = {name: model for (name, edition), model in draws.items() if edition == "computed"}
    if computed and not games.is_simulated:
        tables["published"] = published_table(Reproduction(computed, games.training, games.set_a, games.set_b))
        tables["verdicts"] = verdict_counts(tables["published"])
        tables["orders"] = order_table(tables["published"])
        tables["correlations"] = correlation_table(computed)
        tables["lists"] = printed_lists(games.training.games, games.set_a, games.set_b)
        headlines["published"] = verdict_line(tables["published"])
    for name, table in tables.items():
        place.text(f"tables/{name}.csv", as_csv(table))
    figures = write_figures(draws, traces, games, calibration, place)
    lines = {name: f"{words}: {folder / 'tables' / name}.csv" for name, words in headlines.items()}
    drawn = f"{figures} figures: {folder / 'figures'}"
    return [lines.pop("predictive"), lines.pop("claims"), drawn, *lines.values()]


def _pointwise_of(tree: xr.DataTree) -> Floats | None:
    """The log likelihood of each game for PSIS-LOO, reported with AICM in the corrected edition."""
    if tree.attrs["edition"] != "corrected" or tree.attrs["weighting"] != "equal":
        return None
    by_game = each_game(tree)
    return None if by_game is None else np.asarray(by_game["score"], dtype=np.float64)


def _judge_all(traces: Sequence[xr.DataTree], games: StudyGames) -> tuple[list[JudgedSet], pd.DataFrame]:
    """Lines of all traces, by test set, reference models first, and their calibration."""
    sets = sets_of(games.set_b, games.training.players.tolist())

    def kind(tree: xr.DataTree) -> tuple[str, bool, str]:
        return tree.attrs["family"], record_in(tree.attrs)["weighting"] != "equal", tree.attrs["edition"]

    common = {kind(tree): whole_advantage(tree) for tree in traces if tree.attrs["advantage"] == "common"}
    lines, calibration = judge_references(sets), []
    with ThreadPoolExecutor(min(4, processors())) as workers:  # NumPy works outside Python's lock
        for judgement in workers.map(lambda tree: judge_trace(tree, sets, common.get(kind(tree))), traces):
            lines += judgement[0]
            calibration += judgement[1]
    lines.sort(key=lambda line: list(sets.sets).index(line.set))
    return lines, pd.concat(calibration, ignore_index=True)


def rating_lists(traces: Sequence[xr.DataTree]) -> pd.DataFrame:
    """Rating lists of all traces, stacked: name, edition, player, mean, sd, low, high.

    The study's twelve models are on its scale (strength times 400 / ln 10), as in its printed lists; other models in
    Elo points. Intervals are the study's, 95% highest density.
    """
    lists = []
    for tree in traces:
        rating = on_study_scale(tree["posterior"].to_dataset(), tree.attrs["model"])[0]
        rating_list = summaries(rating)
        rating_list[["low", "high"]] = az.hdi(rating.transpose(*DRAWS, "player"), prob=MASS).to_numpy()
        rating_list = rating_list.sort_values("mean", ascending=False, kind="stable", ignore_index=True)
        rating_list.insert(0, "name", tree.attrs["model"])
        rating_list.insert(1, "edition", tree.attrs["edition"])
        lists.append(rating_list)
    return pd.concat(lists, ignore_index=True)


def _finite(value: float) -> float | None:
    """A number for JSON: None for NaN and infinity."""
    return float(value) if np.isfinite(value) else None


def model_record(tree: xr.DataTree) -> dict[str, object]:
    """The record of one trace."""
    posterior, attributes = tree["posterior"].to_dataset(), tree.attrs
    total = tree["sample_stats"]["log_likelihood_total"].transpose("chain", "draw").to_numpy()
    by_game = each_game(tree)
    pointwise = None if by_game is None else by_game["score"].to_numpy()
    summary = log_likelihood(total)
    means = {
        f"{name}_mean": float(posterior[name].mean()) if name in posterior else None
        for name in ("advantage_elo", "draw_rate", "log_draw")
    }
    return {
        "name": attributes["model"],
        "edition": attributes["edition"],
        "weighting": attributes["weighting"],
        "neg_mean_loglik": -summary.mean,
        "sd_loglik": summary.sd,
        "mc_error": _finite(summary.mc_error),
        "aicm": aicm(total),
        "aicm_error": _finite(aicm_error(total)),
        "aicm_printed": aicm_printed(total, pointwise),
        **{name: _finite(attributes[name]) for name in ("max_rhat", "min_ess_bulk", "min_ess_tail")},
        "divergences": int(attributes["divergences"]),
        "converged": bool(attributes["converged"]),
        "verdict": attributes["verdict"],
        "draws": int(posterior.sizes["draw"]),
        "sampling": str(attributes.get("sampling", "")),
        **means,
    }


def reference_records(games: GameTable, editions: Sequence[Edition]) -> list[dict[str, object]]:
    """Records of the reference models, static and with the weights of each edition."""
    references = [("static", model) for model in reference_models(games)]
    for name in dict.fromkeys("computed" if edition == "computed" else "recency" for edition in editions):
        references += [("weighted", model) for model in reference_models(games, weights(name, games.time), name)]
    return [
        {"family": model.family, "name": model.name, "weighting": kind, "weights": model.weighting}
        | {"neg2_loglik": model.neg2_loglik}
        for kind, model in references
    ]


def run_record(trees: Sequence[xr.DataTree]) -> dict[str, object]:
    """Common data of the traces of a run: seed, settings of the sampler, versions."""
    attributes = trees[0].attrs
    return {
        **{name: int(attributes[name]) for name in ("seed", "draws", "tune", "chains")},
        "sampler": attributes["sampler"],
        "versions": "; ".join(dict.fromkeys(tree.attrs["versions"] for tree in trees)),
    }


def data_record(selection: Selection) -> dict[str, object]:
    """The record of the data."""
    games = selection.games
    return {
        "name": games.name,
        "simulated": games.simulated,
        "games": len(selection),
        "players": int(selection.players.size),
        "sha256": games.sha256,
    }
