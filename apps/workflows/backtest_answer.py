"""Plan of a backtest, and its scores as an answer with a page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pandas as pd

from halfpoint.apps.pages.cells import Look
from halfpoint.apps.pages.listing import listing
from halfpoint.apps.pages.page import Chart, Page, Section, words_of
from halfpoint.apps.workflows.answer import Answer
from halfpoint.apps.workflows.entrants import REFERENCE
from halfpoint.evaluation.first_sentences.comparisons import best_score
from halfpoint.models.games.table import GameTable, Texts

type Mask = npt.NDArray[np.bool_]
_COLUMNS = ("system", "log_score", "difference", "se_two_way", "deviance", "definetti", "rps", "accuracy")
_DIGITS = {name: 5 for name in _COLUMNS[1:]}  # as on the terminal
_HEADINGS = {"difference": "Difference"}


@dataclass(frozen=True, eq=False)
class BacktestPlan:
    """Plan of a backtest."""

    games: GameTable  # all games, with periods
    first: int  # first period that is judged; those before it tune
    stretches: Mapping[str, Mask]  # (game,): which games are judged together, by name
    main: str  # the stretch of the figures and of the table by period
    monitored: Texts  # (player,): players with parameters in Bayesian models
    folder: Path  # folder of forecasts and tuned parameters, from which a later run resumes
    reference: str = REFERENCE  # system that the others are set against
    rows: npt.NDArray[np.intp] | None = None  # (game,): which of all games these are, from 0; None: all of them
    mark: Path | None = None  # file that exists while this run does; its tasks on workers end with it

    @property
    def is_current(self) -> bool:
        """True unless the run of this plan has ended, another run uses its folder, or it is on another disk."""
        return self.mark is None or self.mark.is_file()


@dataclass(frozen=True, eq=False, repr=False)
class Backtest(Answer):
    """Scores of forecasters on the same games: one row per stretch and forecaster, as in scores.csv.

    `frame`: see `halfpoint.evaluation.backtest_tables.overall`. `about`: title, data, simulated, games, first_judged;
    left_out: forecasters without a forecast of some game of a stretch, in words; time_classes of each stretch with
    their evidence, if any; systems: tuned parameters, and convergence of the fits of Bayesian models.
    """

    plan: BacktestPlan  #: the games, and which are judged together
    #: the same of forecasts of margins, as in margins.csv (`halfpoint.evaluation.margin_tables.margins_overall`); empty
    #: without a forecast of any
    margins: pd.DataFrame
    #: seconds of each system, and per thousand games, as in timing.json (`PlanScores.timing`)
    timing: pd.DataFrame = field(default_factory=pd.DataFrame)
    charts: Sequence[Chart] = ()  #: who led when, and whether forecasts came true

    def __post_init__(self) -> None:
        super().__post_init__()
        stretch = ("set",) if self.frame["set"].nunique() > 1 else ()
        shown = self.frame.assign(system=self.frame["title"])
        object.__setattr__(self, "look", Look(shown, short=stretch + _COLUMNS, decimals=_DIGITS))

    def page(self) -> Page:
        """Page: the best forecaster, all differences from the reference, all stretches of games."""
        main, reference = self.stretch().reset_index(drop=True), str(self.about["reference"])
        titles = dict(zip(main["system"], main["title"], strict=True))
        against = str(titles.get(reference, reference))
        rows = main[["difference", "low", "high"]].rename(columns={"difference": "mean"}).assign(name=main["title"])
        rows = rows[main["system"] != reference].dropna()
        title = f"Log score less the log score of {against}, with 95% intervals; left of 0: better."
        drawn = Chart("figure-scores", title, "intervals", rows.to_dict("records"), "log score", zero=against)
        sections: list[Section] = []
        for name in dict.fromkeys(self.frame["set"]):
            part, classes = self.stretch(name), self.about["time_classes"].get(name)
            lost = self.about["left_out"].get(name, [])
            if len(part):
                title = f"{name[:1].upper()}{name[1:]}: {int(part['games'].iloc[0]):,} games"
                place = f"scores-{len(sections)}"
                note = f"Lower is better, except for accuracy. Differences are from {against}, with two-way errors."
                note += f" Time classes: {classes}." if classes else ""
                part = part.assign(system=part["title"])[[column for column in _COLUMNS if column in part]]
                sections.append(
                    Section(place, title, [listing(part, f"{place}-list", title, _HEADINGS, _DIGITS, text=note)], lost)
                )
        first_drawn = [drawn] if len(rows) else []
        sections.insert(1, Section("figures", "Who forecasts better", [*first_drawn, *self.charts]))
        verdict = str(self.about["verdict"])
        return Page(
            f"Backtest: {words_of(str(self.about['data']))}",
            str(self.about["answer"]),
            sections,
            {"Games": f"{self.about['games']:,}", "First period judged": f"{self.about['first_judged']}"},
            verdict if verdict.startswith("NOT CONVERGED") else "",
            bool(self.about["simulated"]),
            [
                f"{name}: {system['settings']}"
                for name, system in self.about["systems"].items()
                if system.get("settings")
            ],
        )

    def stretch(self, name: str | None = None) -> pd.DataFrame:
        """Rows of one stretch of games; of the main one by default."""
        return self.frame[self.frame["set"] == (self.plan.main if name is None else name)]


def best_in_words(main: pd.DataFrame, reference: str) -> str:
    """The best system against the reference, or against the next if it is the reference itself; rows best first."""
    leader = main.iloc[0]
    level = main.loc[main["log_score"].round(5) == round(leader["log_score"], 5), "title"].astype(str).tolist()
    rivals = main[main["system"] == reference] if leader["system"] != reference else main.iloc[1:2]
    row = leader if leader["system"] != reference or not len(rivals) else rivals.iloc[0]
    gap = (row["difference"], row["se_two_way"], (row["low"], row["high"])) if len(rivals) else None
    rival = str(rivals["title"].iloc[0]) if len(rivals) else ""
    return best_score(level, len(main), int(leader["games"]), rival, gap)
