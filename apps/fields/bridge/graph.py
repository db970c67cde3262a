"""Graphs of bridge results: margins between partnerships, and players by their partnerships.

    performance of a player = sum over their partnerships of deals * IMPs per deal / sum of deals

A partnership is a node, and an edge from the winner to the loser has the cross-IMPs won and the number of deals.
Krajowski-Kukiel (2011), section 3.3.2, who also notes its weakness: partners and opponents are not accounted for.

The other graph of that section (figure 3.2) has a node for each deal and each player and four nodes for each table,
North, East, South and West, connected to one another, to the deal, and to the players in these seats: four nodes and
fourteen edges per result. It is written as GraphML, which NetworkX, igraph and Gephi read (Brandes et al. 2002).
"""

from io import StringIO
from itertools import combinations
from xml.sax.saxutils import XMLGenerator
from xml.sax.xmlreader import AttributesImpl

import numpy as np
import pandas as pd

from halfpoint.apps.fields.bridge.system import BridgeRatings, ratings_by_player
from halfpoint.apps.fields.bridge.table import SEAT_NAMES, BridgeTable
from halfpoint.models.games.errors import printable

_KEYS = {  # attributes: of what, and of which type
    "kind": ("node", "string"), "label": ("node", "string"), "rating_elo": ("node", "double"),
    "joins": ("edge", "string"), "points": ("edge", "int"),
}  # fmt: skip


def meetings_of(rated: BridgeRatings) -> pd.DataFrame:
    """Edges of the graph of partnerships: one row for each pair of partnerships, most results first.

    Columns winner, loser, results, cross_imps_per_result (at least 0, to the winner).
    """
    pairs, ns, ew, won = rated.pairs, rated.ns, rated.ew, rated.cross_imps
    low, high = np.minimum(ns, ew), np.maximum(ns, ew)
    frame = pd.DataFrame({"low": low, "high": high, "won": np.where(ns == low, won, -won)})
    edges = frame.groupby(["low", "high"])["won"].agg(results="size", mean="mean").reset_index()
    ahead = (edges["mean"] >= 0.0).to_numpy()
    ends = pairs[edges["low"]], pairs[edges["high"]]
    meetings = pd.DataFrame({
        "winner": np.where(ahead, *ends), "loser": np.where(ahead, *ends[::-1]), "results": edges["results"],
        "cross_imps_per_result": edges["mean"].abs(),
    })  # fmt: skip
    return meetings.sort_values(["results", "winner", "loser"], ascending=[False, True, True], ignore_index=True)


def players_of_graph(rated: BridgeRatings, partnerships: pd.DataFrame) -> pd.DataFrame:
    """Each player's partnerships, their number and their mean cross_imps_per_result weighted by results."""
    who = dict(zip(rated.pairs.tolist(), rated.partners, strict=True))
    names, player = np.unique(np.array([who[pair] for pair in partnerships["pair"]]), return_inverse=True)
    player = player.ravel()
    results, won = (np.repeat(partnerships[column].to_numpy(), 2) for column in ("results", "cross_imps_per_result"))
    mean = np.bincount(player, results * won) / np.bincount(player, results)
    return pd.DataFrame({"player": names, "partnerships": np.bincount(player), "cross_imps_per_result": mean})


def graph_of(table: BridgeTable, rated: BridgeRatings) -> str:
    """Graph of deals, seats and players with their ratings as GraphML text; it contains every result.

    Nodes have kind (deal, player, North, East, South, West), label and rating_elo; edges joins (table, deal, player)
    and, to the deal, points.
    """
    names, rating, _ = ratings_by_player(rated)
    rating_of = dict(zip(names.tolist(), rating.tolist(), strict=True))
    stream = StringIO()
    xml = XMLGenerator(stream, "utf-8", short_empty_elements=True)

    def element(name: str, about: dict[str, str], **data: object) -> None:
        xml.startElement(name, AttributesImpl(about))
        for key, value in data.items():
            if value is not None:
                xml.startElement("data", AttributesImpl({"key": key}))
                xml.characters(printable(str(value)))
                xml.endElement("data")
        xml.endElement(name)
        xml.characters("\n")

    def edge(source: str, target: str, **data: object) -> None:
        element("edge", {"source": source, "target": target}, **data)

    xml.startDocument()
    xml.startElement("graphml", AttributesImpl({"xmlns": "http://graphml.graphdrawing.org/xmlns"}))
    for key, (of, kind) in _KEYS.items():
        element("key", {"id": key, "for": of, "attr.name": key, "attr.type": kind})
    xml.startElement("graph", AttributesImpl({"edgedefault": "undirected"}))
    for code, name in enumerate(table.deal_names.tolist()):
        element("node", {"id": f"deal {code}"}, kind="deal", label=name)
    for code, name in enumerate(table.players.tolist()):
        element("node", {"id": f"player {code}"}, kind="player", label=name, rating_elo=rating_of.get(name))
    for row, (sat, deal, score) in enumerate(
        zip(table.seats.tolist(), table.deal.tolist(), table.score_ns.tolist(), strict=True)
    ):
        seats = [f"{seat} {row}" for seat in SEAT_NAMES]
        for place, (seat, player) in enumerate(zip(seats, sat, strict=True)):
            element("node", {"id": seat}, kind=SEAT_NAMES[place].capitalize())
            edge(seat, f"deal {deal}", joins="deal", points=score if place % 2 == 0 else -score)
            if player >= 0:
                edge(seat, f"player {player}", joins="player")
        for first, second in combinations(seats, 2):
            edge(first, second, joins="table")
    xml.endElement("graph")
    xml.endElement("graphml")
    xml.endDocument()
    return stream.getvalue()
