"""Can Elo ratings be improved? The question of the study's title as a forecast, month by month, and its protocol.

Every month is forecast from earlier months alone, by FIDE's rating on the day with one draw curve and by the models of
the corrected list (`halfpoint.models.listed_models`). Unknown quantities of a player or a place are integrated out.

    selection   January 2011 to November 2012, 18,250 games; 2010 is learned only. Every choice is made here
    test        2013, which is not read before the choice is committed with its hash

    python benchmarks/beat_the_list.py select --out runs/list     # forecasts of 2011-2012, table of ingredients
    python benchmarks/beat_the_list.py choose --out runs/list     # writes the choice
    python benchmarks/beat_the_list.py test --out runs/list       # 2013, once; refused without the choice

The games are downloaded or read from the folder HALFPOINT_DATA_DIR. The folder gets tables and figures, but no games.

Gain of each ingredient of a listed model: the model without it, and the plain list with it alone.

The bare list is the model without these parts: the rating on the day at Elo's own scale, White's advantage, one draw
curve.
"""

import argparse
import hashlib
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from halfpoint.apps.workflows.answer import as_csv
from halfpoint.apps.workflows.backtest_answer import BacktestPlan
from halfpoint.apps.workflows.backtest_run import run_one
from halfpoint.apps.workflows.entrants import PRIOR
from halfpoint.apps.workflows.options import Say, silent
from halfpoint.evaluation.backtest_tables import (
    JudgedForecasts,
    by_period,
    events_of,
    judge,
    log_score_parts,
    overall,
    paired_difference,
    score_games,
)
from halfpoint.evaluation.errors import EvaluationError
from halfpoint.evaluation.protocol import Choice, choice_file
from halfpoint.evaluation.rolling import Rolled, roll
from halfpoint.inference.forecaster import Forecaster
from halfpoint.models.declaration.catalogue import LISTED
from halfpoint.models.games.periods import concatenate, with_periods
from halfpoint.models.games.single_files import files
from halfpoint.models.games.table import GameTable
from halfpoint.models.games.time_classes import FAST, fast_events, time_classes
from halfpoint.models.games.units import to_natural
from halfpoint.models.language.model import Model
from halfpoint.readers.datasets.fetch import dataset
from halfpoint.readers.datasets.study import games_2013, monitored_names, training_file
from halfpoint.systems.baselines import PrintedRating
from halfpoint.systems.catalogue import SystemSpec

type Mask = npt.NDArray[np.bool_]
REFERENCE, PRIMARY = "fide-rating", "listed-full"
FIRST, LAST = 13, 35  # January 2011 and November 2012
FIRST_MONTH = "2010-01"


def ingredients(model: Model = LISTED[PRIMARY]) -> dict[str, Model]:
    """Model without each of its parts, by the omitted part, and with other draw formulas."""
    return ingredients_left_out(model) | {
        "draw curve: Davidson's instead": model.but(formula="davidson"),
        "draw curve: Rao and Kupper's instead": model.but(formula="rao_kupper"),
        "all but the inclination to draw": ingredients_alone(model)["inclination to draw"],
    }


@dataclass(frozen=True, eq=False)
class Answered:
    """Forecasts of one stretch of games by the reference and by models, with scores."""

    games: GameTable  # all games, learned ones before the first judged period included
    systems: dict[str, JudgedForecasts]  # by name, the reference among them
    scores: pd.DataFrame  # from `halfpoint.evaluation.backtest_tables.overall`
    months: pd.DataFrame  # period, month, games, gain (log score, reference less model) and its two-way error
    fits: dict[str, dict[str, float]]  # what each model learned by the end: level, slopes, scales, spreads


def forecasts(
    games: GameTable, models: Mapping[str, Model], first: int, say: Say = print
) -> tuple[dict[str, JudgedForecasts], dict[str, dict[str, float]]]:
    """Forecasts of the reference and of models, each month from earlier months."""
    judged_now = {REFERENCE: judged(games, REFERENCE, "FIDE rating on the day", roll(games, PrintedRating()))}
    fits: dict[str, dict[str, float]] = {}
    for name, model in models.items():
        begun = time.perf_counter()
        forecaster = Forecaster(model, games, first=first, exact=True)  # as when the choice was made
        judged_now[name] = judged(games, name, name, roll(games, forecaster))
        if learned := forecaster.engine.last_means():
            fits[name] = {key: float(np.ravel(value)[0]) for key, value in learned.items() if value.size == 1}
        say(f"{name}: {time.perf_counter() - begun:.1f} s")
    return judged_now, fits


def judged(games: GameTable, name: str, title: str, rolled: Rolled) -> JudgedForecasts:
    """Forecasts with their own draw probabilities for scoring."""
    return judge(name, title, games, rolled, np.zeros(len(games), dtype=np.bool_))


def answer(
    games: GameTable, models: Mapping[str, Model], sets: Mapping[str, Mask], first: int, say: Say = print
) -> Answered:
    """Forecasts and scores of models on sets of games by name, shape (game,), the first set by month."""
    systems, fits = forecasts(games, models, first, say)
    scores = overall(games, systems, sets, REFERENCE)
    name = PRIMARY if PRIMARY in models else next(iter(models))
    return Answered(games, systems, scores, by_month(games, systems, name, next(iter(sets.values()))), fits)


def by_month(games: GameTable, systems: Mapping[str, JudgedForecasts], name: str, mask: Mask) -> pd.DataFrame:
    """Gain of a model over the reference in each month, nats a game, with its two-way error."""
    found = by_period(games, {key: systems[key] for key in (REFERENCE, name)}, mask, REFERENCE)
    found = found[found["system"] == name]
    month = np.datetime64(FIRST_MONTH, "M") + (found["period"].to_numpy() - 1).astype("timedelta64[M]")
    made = {"period": found["period"], "month": month.astype(str), "games": found["games"]}
    return pd.DataFrame(made | {"gain": -found["difference"], "se": found["se_two_way"]}).reset_index(drop=True)


def players_in(games: GameTable) -> Mask:
    """Mask of the games with one of the study's monitored players, shape (game,)."""
    names = monitored_names()
    return np.asarray(np.isin(games.white_names, names) | np.isin(games.black_names, names))


def selection_games(data_dir: str | Path | None = None) -> tuple[GameTable, dict[str, Mask]]:
    """Games of 2010 to 2012, and the mask of those that are scored together."""
    games = training_file(data_dir)
    late = games.time >= FIRST
    return games, {"2011-2012, all": late, "2011-2012, monitored": late & players_in(games)}


def left_out(
    games: GameTable, whole: JudgedForecasts, parts: Mapping[str, JudgedForecasts], sets: Mapping[str, Mask]
) -> pd.DataFrame:
    """Gain of each part of a model: log score without the part less that with it, with two-way errors."""
    event, rows = events_of(games), []
    base = score_games(games, whole)["log_score"]
    for name, one in parts.items():
        gap = score_games(games, one)["log_score"] - base
        for label, mask in sets.items():
            found = paired_difference(games, gap, mask, event)
            rows.append((name, label, found.mean, found.naive, found.two_way, found.low, found.high))
    return pd.DataFrame(rows, columns=["left out", "set", "worth", "se_naive", "se_two_way", "low", "high"])


def select_models(data_dir: str | Path | None, out: Path, parts: bool = True, say: Say = print) -> Answered:
    """Score the listed models on 2011-2012, write tables, and return the results."""
    games, sets = selection_games(data_dir)
    found = answer(games, LISTED, sets, FIRST, say)
    tables = {"selection": found.scores, "selection_months": found.months}
    tables["selection_fits"] = pd.DataFrame(found.fits).rename_axis("number").reset_index()
    save(tables, out)
    systems: dict[str, JudgedForecasts] = {}
    for name, model in ingredients().items() if parts else ():
        systems[name] = forecasts(games, {name: model}, FIRST, say)[0][name]
        save({"ingredients": left_out(games, found.systems[PRIMARY], systems, sets)}, out)
    return found


def save(tables: Mapping[str, pd.DataFrame], out: Path) -> None:
    """Write tables as CSV, all or none."""
    with files({name: out / f"{name}.csv" for name in tables}) as places:
        for name, table in tables.items():
            places.text(name, as_csv(table))


def choose(data_dir: str | Path | None, out: Path, tried: int, path: Path | None = None, say: Say = print) -> Choice:
    """Write the choice with its hash, the hash of selection.csv in a folder and the number of variants; return it."""
    scores = pd.read_csv(out / "selection.csv")
    scores = scores[scores["system"] == PRIMARY].set_index("set")
    kept = ("games", "difference", "se_two_way", "periods_better")
    found = {str(name): {key: round(float(row[key]), 6) for key in kept} for name, row in scores.iterrows()}
    made = Choice.of(
        LISTED,
        PRIMARY,
        method="normal approximation, spreads learned, fitted anew before each month on all earlier games",
        reference=REFERENCE,
        selection={"file": dataset("study-training").file, "sha256": dataset("study-training").sha256, "from": FIRST},
        test={"file": dataset("study-2013").file, "sha256": dataset("study-2013").sha256},
        fast_events=events_hash(),
        tried=tried,
        found=found,
    )
    where = made.write(path or choice_file())
    say(f"{where}: {made.sha256}")
    return made


def events_hash() -> str:
    """Hash of the list of fast events, which a model uses as time controls."""
    return hashlib.sha256(fast_events().to_csv(index=False).encode("utf-8")).hexdigest()


def games_to_test(data_dir: str | Path | None, choice: Choice) -> tuple[GameTable, dict[str, Mask]]:
    """All games including 2013, and the mask of the scored games of 2013; refused without the choice."""
    for model in LISTED.values():
        choice.require(model, dataset("study-2013").sha256)
    if choice.content["fast_events"] != events_hash():
        raise EvaluationError(f"choice {choice.sha256[:12]}", "the list of fast events as it was", "another")
    later = with_periods(games_2013(data_dir), "month", FIRST_MONTH)
    games = concatenate(with_periods(training_file(data_dir), "month", FIRST_MONTH), later)
    late, some, kind = games.time > LAST, players_in(games), time_classes(games)
    fast = np.isin(kind, FAST)
    sets = {"2013, all": late, "2013, monitored": late & some}
    sets |= {"2013, rapid and blitz": late & fast, "2013, others": late & ~fast}
    sets |= {"2013, monitored, rapid and blitz": late & some & fast, "2013, monitored, others": late & some & ~fast}
    return games, {name: mask for name, mask in sets.items() if mask.any()}


def read_test(data_dir: str | Path | None, out: Path, path: Path | None = None, say: Say = print) -> Answered:
    """Score the chosen models on 2013, write tables, and return the results."""
    choice = Choice.from_file(path or choice_file())
    games, sets = games_to_test(data_dir, choice)
    found = answer(games, LISTED, sets, LAST + 1, say)
    save({"test": found.scores, "test_months": found.months}, out)
    return found


def main(words: Sequence[str] | None = None) -> None:
    """Run a step of the protocol from the command line."""
    parser = argparse.ArgumentParser(prog="python benchmarks/beat_the_list.py", description=__doc__)
    parser.add_argument("step", choices=("select", "choose", "test"))
    parser.add_argument("--out", type=Path, default=Path("runs/list"), help="folder for tables")
    parser.add_argument("--data-dir", type=Path, help="folder with the study's games")
    parser.add_argument("--quick", action="store_true", help="select: without the table of ingredients")
    parser.add_argument("--tried", type=int, default=0, help="choose: how many variants were tried")
    options = parser.parse_args(words)
    if options.step == "choose":
        choose(options.data_dir, options.out, options.tried)
        return
    if options.step == "select":
        found = select_models(options.data_dir, options.out, not options.quick)
    else:
        found = read_test(options.data_dir, options.out)
    shown: list[Any] = ["set", "system", "games", "log_score", "difference", "se_naive", "se_two_way", "low", "high"]
    say: Say = print
    say(found.scores[[*shown, "periods_better"]].to_string(index=False, float_format=lambda value: f"{value:.5f}"))


_NOTHING = (0.0, 1e-4)  # a prior that leaves a number where it is
_NOBODY = float(to_natural(0.02))
_BARE = "bare list"
_EFFECTS = {"place": ("(1 | event)", "0 + fast"), "time control": ("0 + fast", "(1 | event)")}  # it; what is left
_INGREDIENTS: dict[str, tuple[str, Any]] = {  # number of the function, and what leaves the ingredient out
    "inclination to draw": ("tendency", None),
    "shrinking to the mean so far": ("shrink", None),
    "what the list misses": ("spread", _NOBODY),
    "scale of the list": ("scale", _NOTHING),
    "gap in draws": ("gap", None),
    "signed gap in draws": ("signed_gap", None),
    "mean rating in draws": ("slope", None),
}


def _with_effects_alone(model: Model, formula: str) -> Model:
    """Model whose effects on draws are of one formula."""
    return model.but(on_the_day=formula) if model.parameters["on_the_day"] else model


def ingredients_left_out(model: Model) -> dict[str, Model]:
    """Listed model without each of its ingredients, by the omitted ingredient."""
    found = {name: model.but(**{key: off}) for name, (key, off) in _INGREDIENTS.items()}
    found |= {name: _with_effects_alone(model, other) for name, (_, other) in _EFFECTS.items()}
    return {name: one for name, one in found.items() if one.parameters != model.parameters}


def without_ingredients(model: Model) -> Model:
    """Listed model without any ingredient."""
    return model.but(**dict(_INGREDIENTS.values()), on_the_day="")


def ingredients_alone(model: Model) -> dict[str, Model]:
    """Plain list with each ingredient of a listed model alone, by name."""
    base = without_ingredients(model)
    found = {name: base.but(**{key: model.parameters[key]}) for name, (key, _) in _INGREDIENTS.items()}
    kept = base.but(on_the_day=model.parameters["on_the_day"])
    found |= {name: _with_effects_alone(kept, own) for name, (own, _) in _EFFECTS.items()}
    return {name: found[name] for name in ingredients_left_out(model)}


def judged_parts(plan: BacktestPlan, name: str, say: Say = silent) -> pd.DataFrame:
    """Gain of each ingredient of a listed model, on the plan's main games.

    Columns part, games; `left_out` (log score without the part less that with it) and `alone` (log score of the bare
    list less that with this part alone), above 0 if the part helps, nats a game, with two-way errors; the same for
    whether a game is drawn (`_draw`) and who wins it if not (`_decisive`).
    """
    model = LISTED[name]

    def rolled(title: str, row: Model) -> JudgedForecasts:
        def build(_: Any) -> Forecaster:
            return Forecaster(row, plan.games, first=plan.first)

        found = run_one(plan, SystemSpec(title, title, build, draws="own", begins=PRIOR))[0]
        say(f"{title}: {found.seconds:.1f} s")
        return found

    whole, base = rolled(name, model), rolled(f"{name}, {_BARE}", without_ingredients(model))
    lost = {part: rolled(f"{name} without {part}", row) for part, row in ingredients_left_out(model).items()}
    only = {part: rolled(f"{_BARE} with {part}", row) for part, row in ingredients_alone(model).items()}
    pairs = {part: (worse, whole, base, only[part]) for part, worse in lost.items()}
    pairs["all of them"] = (base, whole, base, whole)
    rows: list[dict[str, object]] = []
    for part, (worse, better, start, end) in pairs.items():
        rows.append(
            {"part": part, **_score_gain(plan, worse, better, "left_out"), **_score_gain(plan, start, end, "alone")}
        )
    return pd.DataFrame(rows)


def _score_gain(plan: BacktestPlan, worse: JudgedForecasts, better: JudgedForecasts, what: str) -> dict[str, float]:
    """Gain of one forecaster over another on the plan's main games, its draw and decisive parts, errors."""
    games: GameTable = plan.games
    mask, event = plan.stretches[plan.main], events_of(games)
    sides: list[Mapping[str, Any]] = [
        {"": score_games(games, one)["log_score"]} | log_score_parts(games, one) for one in (worse, better)
    ]
    found = {"games": float(np.sum(mask))}
    for part in ("", "draw", "decisive"):
        one = paired_difference(games, sides[0][part] - sides[1][part], mask, event)
        key = f"{what}_{part}" if part else what
        found |= {key: one.mean, f"se_{key}": one.two_way}
    return found


if __name__ == "__main__":
    main()
