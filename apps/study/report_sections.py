"""The sections of a study's page from the tables of a run: answer, three figures, verdicts, folded sections."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from halfpoint.apps.pages.listing import MARK, Failed, Listing, listing, runs_of
from halfpoint.apps.pages.page import Chart, Section
from halfpoint.apps.study.judged_sets import LIKELIHOODS
from halfpoint.apps.study.model_table import calibration_sums
from halfpoint.apps.study.words import words_of

QUESTION = "Can Elo ratings be improved?"
_STUDYS_BEST = "bt-common"  # of the Bradley-Terry models the study found it to predict best
GAMES = 100  # the games in which a gain is reported
_MOST_ROWS = 10  # models of a figure
_NATS = "0.0001 nats a game"
_SETS = {"A": "both players monitored", "B": "at least one player monitored"}
_PARTS = {"classical": "classical games", "rapid": "World Rapid and Blitz Championship 2013"}
_KEYS = ["name", "edition", "imputation", "anchors"]
COLUMNS = words_of("columns")
_TITLES = {name: column["title"] for name, column in COLUMNS.items() if column["title"]}
_FINE = {name: int(column["digits"]) for name, column in COLUMNS.items() if column["digits"]}


def _section(
    name: str, parts: Sequence[Listing | Chart], runs: Iterable[str] = (), values: Mapping[str, object] | None = None
) -> Section:
    """Section with its words, and a warning if `runs` did not converge."""
    words, listed = words_of("sections")[name], ", ".join(runs)
    warning = f"Uses runs that did not converge: {listed}. Do not rely on the marked rows." if listed else ""
    text = words["text"].format(**(values or {})).splitlines()
    return Section(name.partition("-")[0], words["title"], parts, text, warning, bool(words["folded"]))


def table(
    frame: pd.DataFrame,
    identifier: str,
    title: str,
    failed: Failed = frozenset(),
    noun: str = "",
    some: int = 20,
    filtered: str = "",
) -> Listing:
    """A table of a run as a list of the page."""
    return listing(frame, identifier, title, _TITLES, _FINE, failed, noun=noun, some=some, filtered=filtered)


def answer(tables: Mapping[str, pd.DataFrame | None], simulated: bool) -> str:
    """Answer to the study's question, per hundred games; empty for simulated games."""
    if simulated:
        return words_of("sections")["simulated"]["text"]
    predictive = tables["predictive"]
    row = None if predictive is None else best_of(predictive)
    if row is None:
        return "This run has no forecasts that answer it."
    gap, error = np.log(10.0) * row[["deviance_score_difference", "deviance_score_difference_se"]]
    low, mean, high = (np.exp(-GAMES * (gap + step * error)) for step in (1.96, 0.0, -1.96))
    return (
        f"{verdict(gap, error)} To the results of {GAMES} games between two players of its list {_STUDYS_BEST}, the "
        f"study's best model of half points, gives {times(mean)} the chance that FIDE's rating gives them (95%: "
        f"{times(low)} to {times(high)})."
    )


def best_of(predictive: pd.DataFrame) -> pd.Series | None:
    """Scores of the study's best model on set A; None if the run lacks it or the FIDE list."""
    part = predictive[(predictive["set"] == "A") & (predictive["name"] == _STUDYS_BEST)]
    first = predictive[predictive["set"] == "A"].head(1)
    return None if part.empty or first["name"].iloc[0] != "fide_elo" else part.iloc[-1]  # the most corrected edition


def times(factor: float) -> str:
    """Factor in words, with two digits at most."""
    return f"{factor:.1f} times" if factor < 9.95 else f"{factor:.0f} times" if factor < 1e4 else "over 10,000 times"


def verdict(difference: float, error: float) -> str:
    """Yes or no beyond two standard errors, else undecided; negative differences are better."""
    if abs(difference) <= 2.0 * error:
        return "These games do not decide it."
    return "Yes." if difference < 0.0 else "No."


def _last_of(table: pd.DataFrame) -> pd.DataFrame:
    """Rows of the study's best model, else of the first model, in the most corrected edition."""
    name = _STUDYS_BEST if (table["name"] == _STUDYS_BEST).any() else table["name"].iloc[0]
    part = table[table["name"] == name]
    last: pd.DataFrame = part[part["edition"] == part["edition"].iloc[-1]]
    return last


def figures(tables: Mapping[str, pd.DataFrame | None]) -> Section | None:
    """The three figures: differences from FIDE, calibration, the top of the list."""
    charts: list[Chart] = []
    predictive, calibration = tables["predictive"], tables["calibration"]

    def put(name: str, title: str, kind: str, rows: pd.DataFrame, x: str, y: str = "", zero: str = "FIDE") -> None:
        charts.append(Chart(f"figure-{name}", title, kind, rows.dropna().to_dict("records"), x, y, zero))

    if predictive is not None:
        part = predictive[(predictive["set"] == "A") & (predictive["name"] != "fide_elo")]
        part = part.drop_duplicates("name", keep="last").sort_values("deviance_score", kind="stable").head(_MOST_ROWS)
        unit = 1e4 * np.log(10.0)
        gap, error = unit * part["deviance_score_difference"], 1.96 * unit * part["deviance_score_difference_se"]
        shown = pd.DataFrame({"name": part["name"], "mean": gap, "low": gap - error, "high": gap + error})
        title = "Who forecasts better than FIDE's rating? Left of 0: better, on games between two players of the list."
        put("scores", title, "intervals", shown, f"log score less FIDE's, {_NATS}")
    if calibration is not None:
        part = _last_of(calibration[(calibration["set"] == "A") & (calibration["event"] == "expected_score")])
        shown = part.rename(columns={"name": "series", "mean_forecast": "x", "observed_share": "y"})
        shown = shown[["series", "x", "y", "low", "high", "games"]]
        name = part["name"].iloc[0]
        title = f"Calibration of {name}: White's score in bins of games, with 95% intervals."
        put("calibration", title, "reliability", shown, "forecast score of White", "what came")
    if tables["ratings"] is not None:
        part = _last_of(tables["ratings"]).head(_MOST_ROWS)
        title = f"The best {len(part)} of the list by {part['name'].iloc[0]}, with 95% intervals."
        shown = part[["player", "mean", "low", "high"]].rename(columns={"player": "name"})
        put("ratings", title, "intervals", shown, "rating (Elo)", zero="")
    return _section("figures", charts) if charts else None


def claims_section(tables: Mapping[str, pd.DataFrame | None], failed: Failed, simulated: bool = False) -> Section:
    """The study's conclusions and their rulings, as a list."""
    claims = tables["claims"]
    assert claims is not None
    order = ["statement", "verdict", "computed", "described", "corrected", "why", "place", "claim"]
    rows = claims[order].rename(columns={"why": "told_why", "place": "told_place", "claim": "told_claim"})
    titles = {"told_why": "Why", "told_place": "Where", "told_claim": "Name", "statement": "Conclusion"}
    claim_list = listing(rows, "claim-list", "What survives", titles, noun="statement", some=12, filtered="verdict")
    counts = claims["verdict"].value_counts()
    rulings = {"held": "holds", "fell": "falls", "open_still": "undecided"}
    numbers = {"all": len(claims)} | {place: counts.get(word, 0) for place, word in rulings.items()}
    return _section("claims-simulated" if simulated else "claims", [claim_list], names_of(failed), numbers)


def names_of(runs: Iterable[tuple[str, str]]) -> list[str]:
    """Names of runs (name, edition), in order, joined."""
    return [f"{name} ({edition})" for name, edition in sorted(runs)]


def evidence_section(tables: Mapping[str, pd.DataFrame | None], failed: Failed) -> Section | None:
    """All evidence, full penalties and scaled weights."""
    captions = {
        "evidence": "All evidence: negative differences speak for the conclusion",
        "penalty": "What the full AICM penalty does to the order of the models",
        "normalising": "What weights of mean 1 do to the sd of ratings (Elo), described and corrected",
    }
    frames = [(name, caption, tables[name]) for name, caption in captions.items()]
    parts = [table(frame, f"{name}-list", caption, failed) for name, caption, frame in frames if frame is not None]
    return _section("evidence", parts) if parts else None


def ratings_section(ratings: pd.DataFrame, failed: Failed, people: Listing | None) -> Section:
    """List of one model with its players' panels, and the mean ratings of all models side by side."""
    parts = [] if people is None else [people]
    for edition in dict.fromkeys(ratings["edition"]):
        part = ratings[ratings["edition"] == edition]
        wide = part.pivot(index="player", columns="name", values="mean")[list(dict.fromkeys(part["name"]))]
        wide = wide.loc[wide.mean(axis=1).sort_values(ascending=False).index].rename_axis(columns=None).reset_index()
        titles = {name: f"{name} ({MARK})" for name in wide.columns if (name, edition) in failed}
        caption = f"Mean rating by model, edition {edition}, Elo points on each model's own scale"
        parts.append(listing(wide, f"ratings-{edition}", caption, titles, dict.fromkeys(wide.columns, 0), some=20))
    return _section("ratings", parts, runs_of(ratings, failed))


def forecasts_section(predictive: pd.DataFrame, failed: Failed, models: pd.DataFrame | None = None) -> Section:
    """The scores of forecasts: all models in one table, by the expected score, and one likelihood at a time."""
    parts: list[Listing] = []
    for data in dict.fromkeys([] if models is None else models["set"]):
        assert models is not None
        shown = models[models["set"] == data].drop(columns=["set", "converged"])
        caption = f"Set {data}, all models, {int(shown['games'].iloc[0])} games: differences to davidson-common"
        parts.append(table(shown.drop(columns="games"), f"models-{data}", caption, failed, noun="name"))
    for data in dict.fromkeys(predictive["set"]):
        part = predictive[predictive["set"] == data]
        letter, _, kind = str(data).partition("-")
        what = f"Set {letter}" + (f" ({_SETS[letter]})" if letter in _SETS else "")
        what += f", {_PARTS.get(kind, kind)}" if kind else ""
        columns = ["deviance_score", "deviance_score_difference", "deviance_score_difference_se", "rmse_score"]
        caption = f"{what}: the expected score, all models; lower is better, differences to the first row"
        parts.append(table(part[_KEYS + columns], f"score-{data}", caption, failed))
        for rows, label, name, further in (
            (part["definetti"].isna(), "half-point likelihood", "points", []),
            (part["definetti"].notna(), "three-outcome likelihood", "outcome", ["definetti", "rps", "accuracy"]),
        ):
            columns = [*_KEYS, *LIKELIHOODS, "neg2_lpd_difference", "neg2_lpd_difference_se", *further]
            caption = f"{what}: {label}; differences to the first row"
            parts.append(table(part.loc[rows, columns], f"{name}-{data}", caption, failed))
    return _section("forecasts", parts, runs_of(predictive, failed))


def calibration_section(calibration: pd.DataFrame, failed: Failed) -> Section:
    """Calibration: observed frequencies against forecasts."""
    caption = "Mean distance between forecast and observed share, and bins whose interval contains the forecast"
    parts = [
        listing(calibration_sums(calibration), "calibration-list", caption, _TITLES, {"mean_gap": 3}, failed, some=20)
    ]
    return _section("calibration", parts, runs_of(calibration, failed))


def printed_section(published: pd.DataFrame, verdicts: pd.DataFrame | None, failed: Failed) -> Section:
    """Printed numbers and ours, the counts of verdicts first."""
    parts = [] if verdicts is None else [table(verdicts, "verdicts", "Verdicts by table of the sources")]
    shown = published.assign(printed=published["printed"].astype(str))
    parts.append(table(shown, "printed-list", "Printed numbers beside ours", filtered="verdict"))
    places = pd.DataFrame.from_dict(words_of("index"), orient="index").rename_axis("printed").reset_index()
    parts.append(table(places, "index", "Tables and figures of thesis and paper, and their place in this report"))
    match = int((published["verdict"] == "match").sum())
    return _section(
        "printed",
        parts,
        names_of(run for run in failed if run[1] == "computed"),
        {"match": match, "all": len(published)},
    )


def convergence_section(summary: dict[str, Any], failed: Failed) -> Section:
    """Diagnosis of the sampler for every run."""
    columns = ["name", "edition", "verdict", "max_rhat", "min_ess_bulk", "min_ess_tail", "divergences"]
    columns += ["neg_mean_loglik", "mc_error", "sd_loglik", "aicm", "aicm_error", "aicm_printed"]
    frame = pd.DataFrame(summary["models"], columns=columns).replace({None: float("nan")})
    return _section("convergence", [table(frame, "runs", "Diagnosis of every run", failed)])
