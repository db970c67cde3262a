"""Parts of the report about all models at once: one table of their scores, and how much their priors matter."""

import pandas as pd

from halfpoint.evaluation.report.page import ReportSection
from halfpoint.evaluation.report.tables import Failed, ReportTable, report_table, runs_of

TITLES = {
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
    scores = list(TITLES)[:4]
    titles = TITLES | {f"{score}_difference": f"{TITLES[score]}, difference" for score in scores}
    titles |= {f"{score}_se": f"{TITLES[score]}, ± se" for score in scores}
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
