"""The sections of a report from the tables of a run."""

import json
from collections.abc import Callable, Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from halfpoint.evaluation.report.page import ReportFigure, ReportSection
from halfpoint.evaluation.report.tables import MARK, Failed, ReportTable, report_table, runs_of, wide_ratings
from halfpoint.games.datasets.study import study_players
from halfpoint.games.errors import HalfpointError, clipped, printable
from halfpoint.study.judged_sets import CURRENCY

QUESTION = "Can Elo ratings be improved?"
STUDYS_BEST = "bt-common"  # of the Bradley-Terry models the study found it to predict best
COMPUTED = "computed"
LIST_MODEL = "listed-full"
SCALE = "the study's twelve on its scale (strength × 400 / ln 10), all others in Elo points"
SETS = {"A": "both players monitored", "B": "at least one player monitored"}
PARTS = {"classical": "classical games", "rapid": "World Rapid and Blitz Championship 2013"}
KEYS = ["name", "edition", "imputation", "anchors"]
LIKELIHOODS = ["neg2_mean_log_predictive", "neg2_lpd", "aicm", "aicm_printed"]
TITLES = {
    "neg2_mean_log_predictive": "−2 mean log predictive",
    "neg2_lpd": "−2 lpd",
    "aicm": "AICM",
    "aicm_printed": "AICM as printed",
    "aicm_error": "Monte Carlo error of AICM",
    "definetti": "De Finetti",
    "definetti_score": "squared error",
    "rps": "RPS",
    "rmse_score": "RMSE",
    "deviance_score": "binomial deviance",
    "deviance_score_difference": "deviance, difference",
    "deviance_score_difference_se": "deviance, ± se",
    "rmse_score_difference": "RMSE, difference",
    "rmse_score_difference_se": "RMSE, ± se",
    "neg2_lpd_difference": "−2 lpd, difference",
    "neg2_lpd_difference_se": "−2 lpd, ± se",
    "mc_error": "MC error",
    "neg_mean_loglik": "−mean log L",
    "sd_loglik": "sd log L",
    "max_rhat": "largest R-hat",
    "min_ess_bulk": "smallest bulk ESS",
    "min_ess_tail": "smallest tail ESS",
    "seconds_compile": "seconds to compile",
    "seconds_sample": "seconds to sample",
}
LIST_TITLES = {
    "log_score": "log score",
    "se_naive": "naive s.e.",
    "se_two_way": "two-way s.e.",
    "low": "95% from",
    "high": "to",
    "periods_better": "months better",
    "periods": "of",
}
FINE = dict.fromkeys(
    [
        "definetti",
        "definetti_score",
        "rps",
        "rmse_score",
        "deviance_score",
        "accuracy",
        "deviance_score_difference",
        "deviance_score_difference_se",
        "rmse_score_difference",
        "rmse_score_difference_se",
    ],
    4,
)


def warning(runs: list[str]) -> str:
    """Return the warning of a section that uses runs that did not converge; empty if there is none."""
    return f"Uses runs that did not converge: {', '.join(runs)}. Do not rely on the marked rows." if runs else ""


def printed_section(published: pd.DataFrame, verdicts: pd.DataFrame | None, failed: Failed) -> ReportSection:
    """Return every printed number beside ours, the counts of verdicts first."""
    tables = [] if verdicts is None else [report_table(verdicts, "verdicts", "Verdicts by table of the sources")]
    match = published["verdict"] == "match"
    shown = published.assign(printed=published["printed"].astype(str))
    different = "Printed numbers that are not ours, and the rule that explains each"
    tables.append(report_table(shown[~match], "differences", different, TITLES, 3, filtered=True))
    folded = [report_table(shown[match], "matches", "Printed numbers that match", TITLES, 3, filtered=True)]
    text = [
        f"{int(match.sum())} of {len(published)} printed numbers match what the study's own rules give (edition "
        "computed). A verdict other than match names what went wrong and the rule that reproduces the printed value, "
        "where one is known."
    ]
    runs = [f"{name} ({edition})" for name, edition in sorted(failed) if edition == COMPUTED]
    return ReportSection(tables, folded, (), text, warning(runs))


def claims_section(tables: Mapping[str, pd.DataFrame | None], failed: Failed) -> ReportSection:
    """Return the study's conclusions, what becomes of each, and the evidence; full penalties and scaled weights."""
    claims = tables["claims"]
    assert claims is not None
    text = [
        "Each conclusion of the study with the evidence under the three editions: computed (the rules that gave the "
        "printed numbers), described (the text at its word), corrected (weights of mean 1, full penalties, test sets "
        "split). A difference is evidence where it is more than two standard errors from zero; a conclusion holds or "
        "falls by the corrected edition, if the run has it.",
    ]
    counts = claims["verdict"].value_counts()
    held, fell, open_still = (counts.get(word, 0) for word in ("holds", "falls", "cannot be told"))
    text.append(f"Of {len(claims)} conclusions {held} hold, {fell} fall, and {open_still} cannot be told.")
    order = ["claim", "statement", "verdict", "computed", "described", "corrected", "why", "place"]
    shown = [report_table(claims[order], "claim-list", "Conclusions of the study", TITLES)]
    folded = []
    if tables["penalty"] is not None:
        caption = "What the full AICM penalty does to the order of the models"
        decimals = {"aicm": 1, "aicm_printed": 1, "aicm_error": 1}
        shown.append(report_table(tables["penalty"], "penalty", caption, TITLES, decimals, failed, filtered=True))
    if tables["normalising"] is not None:
        caption = "What weights of mean 1 do: standard deviations of the ratings (Elo), described against corrected"
        shown.append(report_table(tables["normalising"], "normalising", caption, TITLES))
    if tables["evidence"] is not None:
        caption = "All evidence: negative differences speak for the conclusion"
        folded.append(report_table(tables["evidence"], "evidence", caption, TITLES, 4, filtered=True))
    runs = [f"{name} ({edition})" for name, edition in sorted(failed)]
    return ReportSection(shown, folded, text=text, warning=warning(runs))


def figures_section(find: Callable[[str], Path], failed: Failed) -> ReportSection:
    """Return the figures of a run, by its figures.json.

    Raises
    ------
    HalfpointError
        If the list or a picture cannot be read.
    """
    path = find("figures/figures.json")
    try:
        listed: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
        figures = []
        for one in listed:
            bad = any((name, edition) in failed for name, edition in one["runs"])
            png = find(f"figures/{Path(one['file']).name}").read_bytes()
            figures.append(
                ReportFigure(f"figure-{one['name']}", one["title"], one["caption"], png, MARK if bad else "")
            )
    except (OSError, ValueError, KeyError, TypeError) as error:
        found = printable(clipped(f"{type(error).__name__}: {error}"))
        raise HalfpointError(
            f"{path}: expected the list of a run's figures, found {found}. Run halfpoint study again."
        ) from error
    return ReportSection(figures=figures)


def ratings_section(ratings: pd.DataFrame, failed: Failed) -> ReportSection:
    """Return posterior mean ratings by model for each edition, and each list with its intervals."""
    tables, folded = [], []
    listed = study_players()
    names = dict(zip(listed["data_name"], listed["name"], strict=True))
    ratings = ratings.assign(player=ratings["player"].map(lambda name: names.get(name, name)))
    for edition in dict.fromkeys(ratings["edition"]):
        wide = wide_ratings(ratings, str(edition))
        titles = {name: f"{name} ({MARK})" for name in wide.columns if (name, edition) in failed}
        caption = f"Posterior mean rating by model, edition {edition}; {SCALE}"
        tables.append(report_table(wide, f"ratings-{edition}", caption, titles, 1, filtered=True))
    detail = ratings.assign(rank=ratings.groupby(["name", "edition"]).cumcount() + 1)
    columns = ["name", "edition", "rank", "player", "mean", "sd", "low", "high"]
    caption = f"Every rating with its standard deviation and 95% highest density interval; {SCALE}"
    folded.append(report_table(detail[columns], "ratings-all", caption, {}, 1, failed, filtered=True))
    return ReportSection(tables, folded, warning=warning(list(runs_of(ratings, failed))))


def forecasts_section(predictive: pd.DataFrame, failed: Failed, models: pd.DataFrame | None = None) -> ReportSection:
    """Return the scores of forecasts: all models in one table, by the expected score, and one likelihood at a time."""
    tables: list[ReportTable] = [] if models is None or models.empty else model_tables(models, failed)
    folded: list[ReportTable] = []
    for data in dict.fromkeys(predictive["set"]):
        part = predictive[predictive["set"] == data]
        letter, _, kind = str(data).partition("-")
        what = f"Set {letter}" + (f" ({SETS[letter]})" if letter in SETS else "")
        what += f", {PARTS.get(kind, kind)}" if kind else ""
        place = folded if kind else tables
        columns = ["definetti_score", "rmse_score", "deviance_score"]
        columns += [f"{name}_difference{end}" for name in ("rmse_score", "deviance_score") for end in ("", "_se")]
        caption = f"{what}: the expected score, all models; lower is better, differences to the first row"
        place.append(report_table(part[KEYS + columns], f"score-{data}", caption, TITLES, FINE, failed, True))
        davidson = part["definetti"].notna()
        differences = ["neg2_lpd_difference", "neg2_lpd_difference_se"]
        for mine, label, further in (
            (~davidson, "half-point likelihood", []),
            (davidson, "three-outcome likelihood", ["definetti", "rps", "accuracy"]),
        ):
            caption = f"{what}: {label}; differences to the first row"
            chosen = part.loc[mine, KEYS + LIKELIHOODS + differences + further]
            identifier = f"{'outcome' if further else 'points'}-{data}"
            folded.append(report_table(chosen, identifier, caption, TITLES, FINE, failed, True))
    text = [
        *([] if models is None else [ALL_MODELS]),
        CURRENCY,
        "Anchors: the rating of a player without an estimate, of the December 2012 list or of the day; study is the "
        "rule of the printed figures of set B (ratings of the day, estimates scaled by Carlsen's rating). Imputation: "
        "the advantage of such a player where the model has one per player.",
    ]
    return ReportSection(tables, folded, text=text, warning=warning(list(runs_of(predictive, failed))))


def calibration_section(calibration: pd.DataFrame, failed: Failed) -> ReportSection:
    """Return calibration: how often what was forecast came about."""
    text = [
        "Games are put in bins of about equal size by the forecast; in each, the share that came about stands beside "
        "the mean forecast, with a 95% interval. Unknown players are anchored to the December 2012 list, with "
        "advantage zero."
    ]
    detail = [report_table(calibration, "calibration-all", "Calibration by bins", {}, 3, failed, filtered=True)]
    gap = (calibration["observed_share"] - calibration["mean_forecast"]).abs()
    inside = calibration["mean_forecast"].between(calibration["low"], calibration["high"])
    grouped = calibration.assign(gap=gap * calibration["games"], inside=inside.astype(float))
    keys = ["name", "edition", "set", "event"]
    sums = grouped.groupby(keys, sort=False).agg(
        games=("games", "sum"), bins=("games", "size"), bins_inside=("inside", "sum"), gap=("gap", "sum")
    )
    sums = sums.assign(mean_gap=sums["gap"] / sums["games"], bins_inside=sums["bins_inside"].astype(int))
    summary = sums.drop(columns="gap").reset_index()
    caption = "Mean distance between forecast and observed share, and bins whose interval holds the forecast"
    tables = [report_table(summary, "calibration-summary", caption, {}, 3, failed, filtered=True)]
    return ReportSection(tables, detail, text=text, warning=warning(list(runs_of(calibration, failed))))


def answer_section(tables: Mapping[str, pd.DataFrame | None], sections: Mapping[str, ReportSection]) -> ReportSection:
    """Return what stands first: the answer to the study's question with its error, what survives, and one figure.

    Parameters
    ----------
    tables : mapping of str to DataFrame or None
        Tables of the run.
    sections : mapping of str to ReportSection
        Sections made from them; the figure is taken from one of these.
    """
    text, predictive, selection = [], tables["predictive"], tables["selection"]
    if selection is not None:
        main = selection[selection["system"] == LIST_MODEL].iloc[0]
        text.append(
            f"{judged(main['difference'], main['se_two_way'])} FIDE's printed list, corrected, forecasts the games of "
            f"{main['set']} with a log score of {main['difference']:+.4f} nats a game (standard error "
            f"{main['se_two_way']:.4f}, for games that share an event or a player) against FIDE's rating on the day; "
            "negative is better."
        )
    if predictive is not None:
        text += twelve_models(predictive)
    claims = sections.get("claims")
    if claims is not None:
        text.append(claims.text[-1])
    figures = [
        one
        for name, wanted in (("list", "figure-list"), ("figures", "figure-scores"))
        for one in (sections[name].figures if name in sections else ())
        if one.id == wanted
    ]
    return ReportSection(text=[words.replace("-0.", "−0.") for words in text], figures=figures[:1])


def twelve_models(predictive: pd.DataFrame) -> list[str]:
    """Return how the study's best model forecasts set A against the FIDE list, as one sentence, where the run has both.

    Parameters
    ----------
    predictive : DataFrame
        Scores of forecasts; differences are to the first row of a set, the FIDE list.
    """
    part = predictive[(predictive["set"] == "A") & (predictive["name"] == STUDYS_BEST)]
    first = predictive[predictive["set"] == "A"].head(1)
    if part.empty or first["name"].iloc[0] != "fide_elo":
        return []
    row = part.iloc[-1]  # the most corrected edition
    gap, error = row["deviance_score_difference"], row["deviance_score_difference_se"]
    return [
        f"{judged(gap, error)} {STUDYS_BEST}, which the study found to predict best among Bradley-Terry models, has a "
        f"binomial deviance of {gap:+.4f} a game (standard error {error:.4f}) against the FIDE list, on the games "
        f"between two of its players; negative is better (edition {row['edition']})."
    ]


def judged(difference: float, error: float) -> str:
    """Return yes, no, or that it cannot be told, from two standard errors on; negative differences are better."""
    if abs(difference) <= 2.0 * error:
        return "It cannot be told from these games."
    return "Yes." if difference < 0.0 else "No."


def list_section(
    selection: pd.DataFrame, months: pd.DataFrame | None, parts: pd.DataFrame | None, test: pd.DataFrame | None
) -> ReportSection:
    """Return the answer to the study's title as a forecast: the printed list corrected against FIDE's rating."""
    main = selection[selection["system"] == LIST_MODEL].iloc[0]
    unit = "0.0001 nats a game"
    text = [
        "Each month is forecast from the months before it, by FIDE's rating on the day with one draw curve and by the "
        "printed list corrected, in which each player has an inclination to draw. "
        f"{main['set']}: the log score of {LIST_MODEL} less FIDE's is {1e4 * main['difference']:.0f} "
        f"± {1e4 * main['se_two_way']:.0f}, in {unit} (below 0 is better; standard error for games that share an event "
        f"or a player), better in {main['periods_better']} of {main['periods']} months. The choice was made on these "
        "games; what it is worth on games that nobody had looked at is in the test."
    ]
    tables = [
        report_table(
            in_ten_thousandths(selection), "list-selection", f"By model; differences in {unit}", LIST_TITLES, 5
        )
    ]
    if test is not None:
        caption = f"The test: the games after them, read once after the choice was committed; in {unit}"
        tables.append(report_table(in_ten_thousandths(test), "list-test", caption, LIST_TITLES, 5))
    if parts is not None:
        shown = parts.assign(**{name: 1e4 * parts[name] for name in ("worth", "se_two_way")})
        caption = f"What each part is worth: the log score without it less that with it, in {unit}"
        tables.append(
            report_table(shown[["left out", "set", "worth", "se_two_way"]], "list-parts", caption, LIST_TITLES, 1)
        )
    figures = []
    if months is not None:
        from halfpoint.evaluation.figures.backtest import figure_gain

        drawn = figure_gain(months, f"{LIST_MODEL}, {main['set']}", "FIDE's rating")
        content = BytesIO()
        drawn.savefig(content, format="png")
        caption = "Two standard errors each side, for games that share an event or a player."
        figures.append(ReportFigure("figure-list", "Gain by month", caption, content.getvalue()))
    return ReportSection(tables, [], figures, text)


def in_ten_thousandths(scores: pd.DataFrame) -> pd.DataFrame:
    """Return the columns of scores that the page shows, differences and errors in whole 0.0001 nats a game."""
    made = scores.copy()
    for name in ("difference", "se_naive", "se_two_way", "low", "high"):
        made[name] = [f"{1e4 * value:.0f}" if np.isfinite(value) else "" for value in made[name]]
    shown = ["set", "system", "games", "log_score", "difference", "se_naive", "se_two_way", "low", "high"]
    return made[[*shown, "periods_better", "periods"]]


def convergence_section(summary: dict[str, Any], failed: Failed) -> ReportSection:
    """Return what the sampler's diagnosis says of every run."""
    columns = ["name", "edition", "verdict", "max_rhat", "min_ess_bulk", "min_ess_tail", "divergences"]
    columns += ["neg_mean_loglik", "mc_error", "sd_loglik", "aicm", "aicm_error", "aicm_printed"]
    columns += ["seconds_compile", "seconds_sample"]
    frame = pd.DataFrame(summary["models"], columns=columns).replace({None: float("nan")})
    decimals = {"max_rhat": 3, "min_ess_bulk": 0, "min_ess_tail": 0, "mc_error": 2, "neg_mean_loglik": 1, "aicm": 1}
    decimals |= {"aicm_printed": 1, "aicm_error": 2, "sd_loglik": 1, "seconds_compile": 1, "seconds_sample": 1}
    text = [
        "A run converged if the rank-normalised split R-hat is below 1.01, bulk and tail effective sample sizes are at "
        "least 100 a chain, no transition diverged, and the energy diagnostic E-BFMI is at least 0.3."
    ]
    table = report_table(frame, "runs", "Diagnosis of every run", TITLES, decimals, failed)
    return ReportSection([table], text=text)


MODEL_TITLES = {
    "log_score": "log score",
    "definetti": "De Finetti",
    "rps": "RPS",
    "squared_error": "squared error",
    "calibration_gap": "calibration gap",
    "outside": "bins outside",
}
SURPRISING = 0.05
ALL_MODELS = (
    "The two tables of all models stand first: scores a game with paired differences to davidson-common, and "
    "calibration of the expected score. Log scores are to be compared within one kind of observation. What follows is "
    "said of the other tables."
)


def model_tables(models: pd.DataFrame, failed: Failed) -> list[ReportTable]:
    """Return a table for each of the sets A and B, all models in it, by log score within a kind of observation."""
    scores = list(MODEL_TITLES)[:4]
    titles = MODEL_TITLES | {f"{score}_difference": f"{MODEL_TITLES[score]}, difference" for score in scores}
    titles |= {f"{score}_se": f"{MODEL_TITLES[score]}, ± se" for score in scores}
    decimals = {column: 4 for column in models.columns if column.endswith(("_difference", "_se"))}
    decimals |= dict.fromkeys([*scores, "calibration_gap"], 4)
    whole = models.astype({"outside": "Int64", "bins": "Int64"})
    tables = []
    for data in dict.fromkeys(models["set"]):
        part = whole[whole["set"] == data].drop(columns=["set", "converged"])
        games = int(part["games"].iloc[0])
        caption = (
            f"Set {data}, all models, {games} games: differences to davidson-common (log score of half points: "
            "bt-common), negative: this model is better"
        )
        shown = part.drop(columns="games")
        tables.append(report_table(shown, f"models-{data}", caption, titles, decimals, failed, filtered=True))
    return tables


def sensitivity_section(sensitivity: pd.DataFrame, failed: Failed) -> ReportSection:
    """Return how far posteriors move when prior or likelihood are raised to powers near one."""
    moved = sensitivity[sensitivity["prior"] >= SURPRISING]
    text = [
        "Power-scaling (Kallioinen et al. 2024): the prior, or the likelihood, is raised to powers just below and just "
        "above one and the draws are weighted anew. The numbers say how far a posterior moves; from 0.05 on the prior "
        "is worth a look. Of populations and walks, which are learned, the priors of their means and spreads are "
        "meant. Of the ratings of a run the one that its prior moves most is shown.",
        f"{len(moved)} of {len(sensitivity)} posteriors move with their prior.",
    ]
    decimals = {"prior": 3, "likelihood": 3}
    caption = "Sensitivity of posteriors to prior and likelihood"
    table = report_table(sensitivity, "sensitivities", caption, {}, decimals, failed, filtered=True)
    warned = list(runs_of(sensitivity, failed))
    warning = f"Uses runs that did not converge: {', '.join(warned)}. Do not rely on the marked rows." if warned else ""
    return ReportSection([table], text=text, warning=warning)
