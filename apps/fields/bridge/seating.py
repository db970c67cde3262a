"""Seating of pairs at the most even tables, by the expected scores of their ratings.

    minimise the sum over tables of (E - 1/2)^2,   E = 1 / (1 + 10^(-(r_NS - r_EW) / s)) within the rule of 400

by maximum weight matching (`halfpoint.evaluation.next_round`); the idea is Krajowski-Kukiel's (2011), section 1.2. In
the order of the tables' mean ratings the stronger pair sits North-South and East-West alternately, so that neither line
is favoured, which gamma (eq. 4.7) would otherwise have to correct.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from halfpoint.apps.fields.bridge.ratings import BridgeRatingList, bridge_rate
from halfpoint.apps.fields.bridge.scores import Results
from halfpoint.apps.fields.bridge.system import BridgeRatings, expected_score, ratings_by_player
from halfpoint.apps.workflows.answer import Answer
from halfpoint.evaluation.first_sentences.leaders import next_round
from halfpoint.evaluation.next_round import matching
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.ranges import Range
from halfpoint.models.games.select import read_players

_MARK, _PAIRED = " & ", Range(2, 200)


def bridge_seating(
    results: Results | BridgeRatingList, pairs: str | Path | Sequence[str], settings: Mapping[str, object] | None = None
) -> Answer:
    """Tables at which pairs meet pairs of similar strength.

    Parameters
    ----------
    results : str, Path, BridgeTable or BridgeRatingList
        Results to rate by, or ratings that `bridge_rate` returned.
    pairs : str, Path or sequence of str
        A text file with one pair per line, "Ann & Bob", or the pairs; with an odd number one pair sits out.
    settings : mapping, optional
        Rules of the ratings, as for `bridge_rate`.

    Returns
    -------
    Answer
        table, ns_pair, ew_pair, ns_elo, ew_elo and expected_ns; the note compares the tables with random ones.

    Raises
    ------
    HalfpointError
        If the results are refused, a line is not a pair, or a player is in two pairs.
    """
    listed = results if isinstance(results, BridgeRatingList) else bridge_rate(results, settings=settings)
    lines = read_players(Path(pairs)).tolist() if isinstance(pairs, str | Path) else list(pairs)
    location = str(pairs) if isinstance(pairs, str | Path) else "pairs"
    halves = [[name.strip() for name in line.split("&")] for line in lines]
    for line, names in zip(lines, halves, strict=True):
        if len(names) != 2 or not all(names):
            raise GameTableError(location, "a pair a line, such as Ann & Bob", repr(line))
    people = [name for names in halves for name in names]
    twice = sorted({name for name in people if people.count(name) > 1})
    if twice:
        raise GameTableError(location, "each player in one pair", f"{twice[0]!r} in two")
    _PAIRED.require("pairs", len(lines), GameTableError)
    rating, unknown = _ratings_of(listed.ratings, halves)
    rules = listed.ratings.rules
    expected = expected_score(rating[:, None] - rating[None, :], rules.scale_elo, rules.cap_elo)
    worth = 0.25 - (expected - 0.5) ** 2
    odd = len(lines) % 2
    tables = matching(np.pad(worth, (0, odd), constant_values=0.25))  # to sit out is worth an even table
    idle = [lines[pair] for pair, opponents in tables if opponents == len(lines)]
    tables = tables[tables[:, 1] < len(lines)]
    tables = tables[np.argsort(-rating[tables].mean(axis=1), kind="stable")]
    turned = (rating[tables[:, 0]] >= rating[tables[:, 1]]) != (np.arange(len(tables)) % 2 == 0)
    tables[turned] = tables[turned][:, ::-1]
    ns, ew = tables.T
    names = [_MARK.join(pair) for pair in halves]
    frame = pd.DataFrame({
        "table": range(1, len(tables) + 1),
        "ns_pair": [names[pair] for pair in ns], "ew_pair": [names[pair] for pair in ew],
        "ns_elo": rating[ns], "ew_elo": rating[ew], "expected_ns": expected[ns, ew],
    })  # fmt: skip
    deviation = np.sqrt(((expected[ns, ew] - 0.5) ** 2).mean())
    by_lot = np.sqrt(((expected - 0.5) ** 2)[~np.eye(len(lines), dtype=bool)].mean())
    note = f"Expected scores are {100 * deviation:.1f}% from equal (root mean square); at random {100 * by_lot:.1f}%."
    note += f" Sits out: {idle[0]}." if idle else ""
    note += f" Without a rating, counted as {rules.start_elo:.0f}: {', '.join(unknown)}." if unknown else ""
    about = {
        "title": f"Tables of {len(lines)} pairs, by ratings from {listed.about['data']}", "data": listed.about["data"],
        "simulated": listed.about["simulated"], "note": note,
        "answer": next_round(names[ns[0]], names[ew[0]], len(frame), None, "table"),
    }  # fmt: skip
    return Answer(frame, about)


def _ratings_of(rated: BridgeRatings, halves: list[list[str]]) -> tuple[np.ndarray, list[str]]:
    """Rating of each pair, shape (pair,): its own, or its players' by the rules; and players without a rating."""
    rating_of = dict(zip(rated.names.tolist(), rated.rating_elo.tolist(), strict=True))
    players, elo, _ = ratings_by_player(rated)
    single = dict(zip(players.tolist(), elo.tolist(), strict=True))
    elo_of_players = np.array([[single.get(name, rated.rules.start_elo) for name in names] for names in halves])
    by_players = zip(halves, rated.of_pairs(*elo_of_players.T).tolist(), strict=True)
    ratings = [rating_of.get(_MARK.join(sorted(names)), rating) for names, rating in by_players]
    return np.array(ratings), [name for names in halves for name in names if name not in single]
