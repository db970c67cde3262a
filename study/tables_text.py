"""Tables as CSV and Markdown, and the table of two players."""

from pathlib import Path

import numpy as np
import pandas as pd

from halfpoint.evaluation.errors import EvaluationError
from halfpoint.evaluation.estimates import Estimate, posterior_mean
from halfpoint.evaluation.posterior_draws import ModelDraws
from halfpoint.games.atomic_write import whole_files
from halfpoint.games.table import GameTable
from halfpoint.games.units import to_natural
from halfpoint.models.bradley_terry import scores as bradley_terry_scores
from halfpoint.models.davidson import scores as davidson_scores


def as_markdown(table: pd.DataFrame, decimals: int = 2) -> str:
    """Return a table as Markdown, numbers to some decimals, missing values empty.

    Parameters
    ----------
    table : DataFrame
        Any table; the index is left out.
    decimals : int
        Decimals of floats.

    Returns
    -------
    str

    Examples
    --------
    >>> print(as_markdown(pd.DataFrame({"player": ["a"], "rating": [2700.126]})))
    | player | rating |
    | :-- | --: |
    | a | 2700.13 |
    """

    def text(value: object) -> str:
        if value is None or value is pd.NA or (isinstance(value, float) and np.isnan(value)):
            return ""
        shown = f"{value:.{decimals}f}" if isinstance(value, float) else str(value)
        return shown.replace("|", "\\|").replace("\n", " ")

    sides = ["--:" if pd.api.types.is_numeric_dtype(table[column]) else ":--" for column in table.columns]
    lines = [[str(column) for column in table.columns], sides]
    lines += [[text(value) for value in row] for row in table.astype(object).itertuples(index=False, name=None)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def write_table(table: pd.DataFrame, folder: Path, name: str, decimals: int = 2) -> tuple[Path, Path]:
    """Write a table as `name`.csv and `name`.md, each whole or not at all; return both paths."""
    paths = folder / f"{name}.csv", folder / f"{name}.md"
    with whole_files(*paths) as (csv, markdown):
        csv.write_text(table.to_csv(index=False, lineterminator="\n"), encoding="utf-8", newline="")
        markdown.write_text(as_markdown(table, decimals) + "\n", encoding="utf-8", newline="")
    return paths


def head_to_head(draws: ModelDraws, player: str, opponent: str, games: GameTable | None = None) -> pd.DataFrame:
    """Return what a model says of two players, each with White once, and what happened.

    Parameters
    ----------
    draws : ModelDraws
        Posterior of one model.
    player, opponent : str
        Names as the games spell them.
    games : GameTable, optional
        Games to count the results in.

    Returns
    -------
    DataFrame
        quantity, mean, low, high (95% highest density interval). Probabilities of win, draw and loss for Davidson only.

    Raises
    ------
    EvaluationError
        If a name is unknown, or the two are one.
    """
    known = draws.players.tolist()
    for name in (player, opponent):
        if name not in known:
            raise EvaluationError("head to head", f"a player of {draws.name}", repr(name), "Check the spelling.")
    if player == opponent:
        raise EvaluationError("head to head", "two different players", f"{player} twice")
    first, second = known.index(player), known.index(opponent)
    gap = draws.study_rating_elo[..., first] - draws.study_rating_elo[..., second]
    rows: list[tuple[str, Estimate]] = [(f"{player} minus {opponent} (Elo)", posterior_mean(gap))]
    rows.append((f"probability that {player} is stronger", Estimate(float((gap > 0).mean()))))
    colours = (("White", player, first, second, gap), ("Black", opponent, second, first, -gap))
    for colour, _, white, black, difference in colours:
        edge = np.zeros_like(gap) if draws.study_advantage_elo is None else draws.study_advantage_elo
        edge = edge[..., white] + edge[..., black] if edge.ndim == 3 else edge
        side = to_natural(np.asarray(difference + edge))
        for label, values in outcome_draws(draws, side, colour).items():
            rows.append((f"{label}, {player} has {colour}", posterior_mean(values)))
    table = pd.DataFrame(
        [(label, one.value, one.low, one.high) for label, one in rows], columns=["quantity", "mean", "low", "high"]
    )
    return table if games is None else pd.concat([table, results(games, player, opponent)], ignore_index=True)


def outcome_draws(draws: ModelDraws, gap: np.ndarray, colour: str) -> dict[str, np.ndarray]:
    """Return draws of expected score, win, draw and loss of the player who has that colour; gap is White's."""
    zero = np.zeros_like(gap)
    if draws.log_draw is None:
        loss, _, win = bradley_terry_scores(gap, zero)
        white = 1 / (1 + np.exp(loss - win))
        return {"expected score": white if colour == "White" else 1 - white}
    weight = np.exp(np.stack(davidson_scores(gap, zero, draws.log_draw), axis=-1))
    share = weight / weight.sum(axis=-1, keepdims=True)
    share = share if colour == "White" else share[..., ::-1]
    expected = share[..., 2] + share[..., 1] / 2
    return {"expected score": expected, "win": share[..., 2], "draw": share[..., 1], "loss": share[..., 0]}


def results(games: GameTable, player: str, opponent: str) -> pd.DataFrame:
    """Return the results of two players, seen from the first, as rows of `head_to_head`."""
    rows = []
    for colour, white, black in (("White", player, opponent), ("Black", opponent, player)):
        met = (games.white_names == white) & (games.black_names == black)
        outcome = games.outcome[met] if colour == "White" else 2 - games.outcome[met]
        counts = np.bincount(outcome, minlength=3)
        for label, count in zip(("losses", "draws", "wins"), counts.tolist(), strict=True):
            rows.append((f"{label}, {player} has {colour}", float(count), float("nan"), float("nan")))
    return pd.DataFrame(rows, columns=["quantity", "mean", "low", "high"])
