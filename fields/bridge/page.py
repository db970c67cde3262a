"""The page of bridge players, pairs and partnerships: who adds most to a board, and how sure that is."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from halfpoint.evaluation.report.lists import ListsPage, digits_of_list, forest_list, lists_page, signed

BOARD = "IMPs a board"


def bridge_page(
    players: pd.DataFrame, pairs: pd.DataFrame, partnerships: pd.DataFrame, about: Mapping[str, Any], results: int
) -> str:
    """Return the page as HTML.

    Parameters
    ----------
    players, pairs, partnerships : DataFrame
        Best first: rank, player or pair, imps, low, high, results; players also told.
    about : mapping
        data, simulated, converged, verdict, model, spreads (player_imps, partnership_imps, result_imps), not_told and
        note, as in `halfpoint.fields.bridge.list.BridgeAbilities`.
    results : int
        Results that they are from.
    """
    spreads = about["spreads"]
    converged = bool(about["converged"])
    verdict = str(about["verdict"]).partition(" (the level")[0]
    facts = {
        "Results": f"{results:,} of {sum(name.count(' + ') + 1 for name in players['player'])} players",
        "Pairs": f"{len(pairs)}",
        "Players differ by": f"{spreads['player_imps']:.1f} IMPs (sd)",
        "Partnerships differ by": f"{spreads['partnership_imps']:.1f} IMPs (sd)",
        "A result scatters by": f"{spreads['result_imps']:.1f} IMPs (sd)",
    }
    lists = [
        forest_list(
            "players", "Players", "What a player adds to a board, beside average partner and opponents; the mean "
            f"player is 0.{sentence(about['not_told'])}", players, "imps", BOARD,
        ),
        forest_list(
            "pairs", "Pairs", "What a pair is worth against a pair of two average players: its two players, and what "
            "they are together.", pairs, "imps", BOARD,
        ),
        forest_list(
            "partnerships", "Partnerships", "What a pair is worth beyond its two players. Where a pair plays little, "
            "or always together, results hardly tell, and the number stays near 0.", partnerships, "imps", BOARD,
        ),
    ]  # fmt: skip
    page = ListsPage(
        title=f"{str(about['data']).removesuffix(' SIMULATED')}: bridge players, pairs and partnerships",
        answer=answer_of(players, pairs),
        verdict=f"The sampler {verdict}." if converged else f"The sampler did NOT converge ({verdict}): do not use it.",
        trusted=converged,
        simulated=bool(about["simulated"]),
        facts=facts,
        lists=lists,
        interval="95% interval",
        made=[f"Model {about['model']}; intervals with equal tails.", str(about["note"])],
    )
    return lists_page(page)


def sentence(lines: Sequence[str]) -> str:
    """Return who cannot be told apart, in words behind another sentence."""
    return "".join(f" {line[:1].upper()}{line[1:]}." for line in lines)


def answer_of(players: pd.DataFrame, pairs: pd.DataFrame) -> str:
    """Return who adds most, and how many may add as much."""
    if not len(players) or not len(pairs):
        return "Nobody has results enough to be listed."
    said = []
    for kind, frame, verb in (("player", players, "adds most to a board"), ("pair", pairs, "is the best pair")):
        best = frame.iloc[0]
        mean, low, high = (signed(best[name], digits_of_list(frame)) for name in ("imps", "low", "high"))
        rivals = int((frame["high"].iloc[1:] > best["imps"]).sum())
        others = f"; {rivals} other{'s' * (rivals > 1)} may be as good" if rivals else ""
        said.append(f"{best[kind]} {verb}: {mean} IMPs ({low} to {high}){others}.")
    return " ".join(said)
