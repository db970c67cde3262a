"""Judge the claims of the texts on public games: `python benchmarks/text_claims.py [PGN ...] [--football CSV ...]`.

Writes the table of tables/printed-numbers.md on the study's games, further files of rated games, football with goals,
and a simulated bridge club of 82 days. Histories of two players are those of `davidson-entering-walk` on the study's
training games, by quarters, less the mean printed ratings of their games in the quarter.
"""

import sys
from collections.abc import Iterator

import numpy as np

from halfpoint.apps.fields.bridge.rules import BridgeRules
from halfpoint.apps.fields.bridge.simulate import simulate_club
from halfpoint.apps.fields.bridge.system import rate
from halfpoint.apps.study.text_claims import Finding, half_point_loss, mean_error, text_claims
from halfpoint.inference.effort_limits import Effort
from halfpoint.inference.fit import fit
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.games.select import select
from halfpoint.models.games.table import Floats
from halfpoint.readers.datasets.study import games_2013, monitored_names, training, training_file

PAIRS = (("CarlsenMagnus", "AronianLevon"), ("CarlsenMagnus", "AnandViswanathan"))
NEAR_ELO = 20.0
SHOWN = "| {claim} | {quantity} | {estimate:.3g} | {low:.3g} to {high:.3g} | {games:,} | {data} | {verdict} |"


def bridge_rivals(seed: int = 1) -> Iterator[Finding]:
    """Gamma compared with artificial matches on a simulated club of 82 days."""
    table, _ = simulate_club(players=64, sessions=82, boards=24, seed=seed)
    loss = {}
    for method in ("gamma", "matches"):
        rated = rate(table, BridgeRules(method=method, every="event"))
        x = rated.measured
        outcome = np.where(x > 1.0, 1.0, np.where(x < -1.0, 0.0, 0.5))
        late = rated.period > 20
        loss[method] = half_point_loss(rated.expected[late], outcome[late]), rated.period[late]
    gap = mean_error(loss["matches"][0], loss["gamma"][0], loss["gamma"][1].astype(np.float64))
    quantity = "artificial matches less gamma, nats per 1000 results"
    yield Finding(
        "gamma is better than artificial matches", quantity, *gap, 0.0, loss["gamma"][0].size, "SIMULATED club"
    )


def histories(seed: int = 1) -> Iterator[Finding]:
    """Lead of one player over another by printed ratings and by a random walk, averaged over quarters."""
    games = training()
    selection = select(games, monitored_names())
    tree = fit(declare("davidson-entering-walk", selection), "normal", Effort(draws=1000, chains=4, seed=seed), 0)
    rating = tree["posterior"]["rating_elo_by_month"]
    start = rating["month"].to_numpy()
    assert games.period is not None
    quarter = np.searchsorted(start, games.period, side="right") - 1

    def printed(name: str) -> tuple[Floats, int]:
        """Mean printed rating of a player in each quarter, NaN without games, and number of games."""
        sums, counts = np.zeros(start.size), np.zeros(start.size)
        for names, elo in ((games.white_names, games.white_rating_elo), (games.black_names, games.black_rating_elo)):
            here = (names == name) & ~np.isnan(elo)
            np.add.at(sums, quarter[here], elo[here])
            np.add.at(counts, quarter[here], 1.0)
        return np.divide(sums, counts, out=np.full(start.size, np.nan), where=counts > 0.0), int(counts.sum())

    for first, second in PAIRS:
        (one, played), (two, faced) = printed(first), printed(second)
        lead = (rating.sel(player=first) - rating.sel(player=second)).to_numpy().reshape(-1, start.size)
        known = ~np.isnan(one - two)
        gap = (lead - (one - two))[:, known].mean(axis=1)
        words = (
            f"lead of {first} over {second}, by strength less by printed ratings, mean of {known.sum()} quarters, Elo"
        )
        yield Finding(
            "printed histories compare two players", words, float(gap.mean()), float(gap.std()), 0.0, played + faced,
            "study-training", None, NEAR_ELO,
        )  # fmt: skip


def main() -> None:
    """Print the table."""
    words = sys.argv[1:]
    at = words.index("--football") if "--football" in words else len(words)
    football = words[at + 1 :] or None
    games = [training_file(), games_2013(), *words[:at]]
    found = text_claims(games, football, further=[*bridge_rivals(), *histories()])
    print("| claim | quantity | estimate | 95% | games | data | verdict |")
    print("| --- | --- | --: | --: | --: | --- | --- |")
    for row in found.frame.to_dict("records"):
        print(SHOWN.format(**row))
    print(f"\n{found.about['answer']} {found.note}")


if __name__ == "__main__":
    main()
