"""Pages of bridge: contributions per board with intervals; an evening's pairs, matches and boards."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from halfpoint.apps.pages.listing import listing
from halfpoint.apps.pages.page import Page, Section, words_of
from halfpoint.evaluation.digits import signed_decimals
from halfpoint.evaluation.first_sentences.standings import best_at_bridge, winners


def bridge_page(
    players: pd.DataFrame, pairs: pd.DataFrame, partnerships: pd.DataFrame, about: Mapping[str, Any], results: int
) -> Page:
    """Page of an evening or a list of bridge as HTML."""
    spreads = about["spreads"]
    verdict = str(about["verdict"]).partition(" (the level")[0]
    people = sum(name.count(" + ") + 1 for name in players["player"])
    facts = {
        "Results": f"{results:,} of {people} players, {len(pairs)} pairs",
        "Players differ by": f"{spreads['player_imps']:.1f} IMPs (sd)",
        "Partnerships differ by": f"{spreads['partnership_imps']:.1f} IMPs (sd)",
        "Standard deviation of a result": f"{spreads['result_imps']:.1f} IMPs (sd)",
    }
    texts = (
        "What a player adds to a board with an average partner and opponents; the mean player is 0."
        + "".join(f" {line[:1].upper()}{line[1:]}." for line in about["not_told"]),
        "Value of a pair against two average players: its two players and their partnership.",
        "Value of a partnership beyond its two players. It stays near 0 where a pair plays little or always together.",
    )
    if players["told"].eq("yes").all():
        players = players.drop(columns="told")
    frames = {"players": players, "pairs": pairs, "partnerships": partnerships}
    sections = []
    for (name, frame), text in zip(frames.items(), texts, strict=True):
        title = name.capitalize()
        part = listing(frame, f"{name}-list", title, text=text, some=24, digits={"rating_imps": 1, "imps": 1})
        sections.append(Section(name, title, [part]))
    warning = "" if about["converged"] else f"The sampler did NOT converge ({verdict}): do not use it."
    return Page(
        f"Bridge players, pairs and partnerships: {words_of(str(about['data']))}", str(about["answer"]), sections,
        facts, warning, bool(about["simulated"]),
        [f"Model {about['model']}; 95% intervals with equal tails.", f"Sampler: {verdict}", str(about["note"])],
    )  # fmt: skip


def scores_page(
    lists: Mapping[str, pd.DataFrame], matches: pd.DataFrame, results: pd.DataFrame, about: Mapping[str, object]
) -> Page:
    """Page of an evening: the pairs by direction, matches of teams, every board."""
    by_percent = about["scoring"] == "matchpoints"
    matchpoints = "2 for each worse result, 1 for each equal result; percent of the maximum."
    imps = "Cross-IMPs: the mean of the IMPs against every other result of the deal, summed over the boards."
    sections = []
    if len(matches):
        sections.append(Section("matches", "Matches", [listing(matches, "matches-list", "Matches", noun="team")]))
    for place, (direction, frame) in enumerate(lists.items()):
        text = "" if place else f"{'Matchpoints: ' + matchpoints if by_percent else imps} {about['note']}"
        mixes_directions = frame["direction"].nunique() > 1
        shown = frame if mixes_directions else frame.drop(columns="direction")
        title = f"Pairs {direction}".strip()
        name = f"pairs{direction.lower()}"
        pairs = listing(shown, f"{name}-list", title, noun="pair", text=text.replace("\n", " "), some=30)
        sections.append(Section(name, title, [pairs]))
    boards = listing(_travellers(results, by_percent), "boards-list", "Every result", noun="deal", some=50)
    sections.append(Section("boards", "Board by board", [boards], folded=True))
    facts = {
        "Deals": f"{about['deals']:,}", "Results": f"{len(results):,}",
        "Pairs": f"{sum(map(len, lists.values())):,}", "Scored by": "matchpoints" if by_percent else "cross-IMPs",
    }  # fmt: skip
    words = words_of(str(about["data"]))
    return Page(f"Bridge scores: {words}", str(about["answer"]), sections, facts, "", bool(about["simulated"]))


def winners_in_words(lists: Mapping[str, pd.DataFrame], by_percent: bool) -> str:
    """The winners of each direction, a sentence each."""
    sentences = []
    for direction, frame in lists.items():
        first = frame[frame["rank"] == 1]
        if len(first):
            percent, imps = first.iloc[0][["percent", "cross_imps"]]
            score = f"{percent:.2f}%" if by_percent else f"{signed_decimals(imps, 1)} cross-IMPs"
            boards = dict(zip(frame["pair"], frame["results"].astype(int), strict=True))
            sentences.append(winners(first["pair"].tolist(), score, boards, f" {direction}" * bool(direction)))
    return " ".join(sentences)


def _travellers(results: pd.DataFrame, by_percent: bool) -> pd.DataFrame:
    """Table with one row a result, deal by deal, best for North-South first."""
    score = "percent_ns" if by_percent else "cross_imps_ns"
    table = results[[name for name in ("deal", "contract", "score_ns", score) if name in results]].copy()
    for side, first, second in (("north_south", "north", "south"), ("east_west", "east", "west")):
        table.insert(1, side, results[first] + " & " + results[second])
    return table.sort_values(["deal", "score_ns"], ascending=[True, False], ignore_index=True, kind="stable")


def strongest_in_words(players: pd.DataFrame, pairs: pd.DataFrame) -> str:
    """The strongest player in a sentence, and the number of players who may be equal."""
    if not len(players) or not len(pairs):
        return "No player has enough results for the list."
    sentences = []
    for kind, frame in (("player", players), ("pair", pairs)):
        best = frame.iloc[0]
        rivals = int((frame["high"].iloc[1:] > best["imps"]).sum())
        sentences.append(best_at_bridge(kind, best[kind], (best["imps"], best["low"], best["high"]), rivals))
    return " ".join(sentences)
