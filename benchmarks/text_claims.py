"""Judge the claims of the texts on public games: `python benchmarks/text_claims.py [PGN ...] [--football CSV ...]`.

Writes the table of text_claims.md on the study's games, further files of rated games, football with goals, and a
simulated bridge club of 82 days.
"""

import sys
from collections.abc import Iterator

import numpy as np

from halfpoint.fields.bridge.rules import BridgeRules
from halfpoint.fields.bridge.simulate import simulate_club
from halfpoint.fields.bridge.system import rate
from halfpoint.games.datasets.study import games_2013, training_file
from halfpoint.study.text_claims import Finding, half_point_loss, mean_error, text_claims

SHOWN = "| {claim} | {quantity} | {estimate:.3g} | {low:.3g} to {high:.3g} | {games:,} | {data} | {verdict} |"


def bridge_rivals(seed: int = 1) -> Iterator[Finding]:
    """Gamma against artificial matches on a simulated club of 82 days."""
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


def main() -> None:
    """Print the table."""
    words = sys.argv[1:]
    at = words.index("--football") if "--football" in words else len(words)
    football = words[at + 1 :] or None
    games = [training_file(), games_2013(), *words[:at]]
    found = text_claims(games, football, further=list(bridge_rivals()))
    print("| claim | quantity | estimate | 95% | games | data | verdict |")
    print("| --- | --- | --: | --: | --: | --- | --- |")
    for row in found.frame.to_dict("records"):
        print(SHOWN.format(**row))
    print(f"\n{found.note}")


if __name__ == "__main__":
    main()
