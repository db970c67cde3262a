"""The first screen of a leaderboard, as the public ones have it: ranks, tier, rating, interval, votes, W-T-L."""

import pandas as pd

from halfpoint.evaluation.digits import digits_of, in_percent

MEETINGS = 12  # of engines that a terminal shows
CATEGORIES = 6  # side by side


def first_screen(frame: pd.DataFrame, noun: str, unit: str) -> pd.DataFrame:
    """Return a list as wide as a terminal, most important columns first, numbers as text."""
    digits = digits_of(frame).get("rating_elo", 0)
    ties = "W-D-L" if unit == "game" else "W-T-L"
    made = {
        "rank": frame["rank"].astype(str),
        "ranks": spans(frame["rank_low"], frame["rank_high"], 0, "-"),
        noun: frame[noun],
        "rating": [f"{one:.{digits}f}" for one in frame["rating_elo"]],
        "95%": spans(frame["low_elo"], frame["high_elo"], digits),
        f"{unit if unit == 'game' else 'vote'}s": [f"{one:,}" for one in frame["games"]],
        ties: results_of(frame),
        "score": [in_percent(share) for share in frame["score"] / frame["games"]],
        "tier": frame["tier"].astype(str),
    }
    if "rating_unstyled_elo" in frame:
        plain = zip(frame["rank_unstyled"], frame["rating_unstyled_elo"], strict=True)
        made["without style"] = [f"{rank:.0f}: {rating:.{digits}f}" for rank, rating in plain]
    if "los_percent" in frame:
        made["LOS"] = ["" if pd.isna(one) else in_percent(one / 100.0) for one in frame["los_percent"]]
    else:
        made["strongest"] = [in_percent(one / 100.0) for one in frame["best_percent"]]
    return flush_right(pd.DataFrame(made), (noun,))


def spans(low: pd.Series, high: pd.Series, digits: int, between: str = " to ") -> list[str]:
    """Return two ends as text each."""
    return [f"{one:.{digits}f}{between}{two:.{digits}f}" for one, two in zip(low, high, strict=True)]


def results_of(frame: pd.DataFrame) -> list[str]:
    """Return wins, draws and losses as text."""
    counts = frame[["wins", "draws", "losses"]].astype(int).to_numpy().tolist()
    return ["-".join(map(str, one)) for one in counts]


def categories_shown(table: pd.DataFrame, noun: str, categories: list[str]) -> pd.DataFrame:
    """Return boards of categories side by side (`categories.side_by_side`), rank and rating in a cell each."""
    made = {"rank": table["rank"].astype(str).tolist(), noun: table[noun].tolist()}
    made["all"] = [f"{one:.0f}" for one in table["rating_elo"]]
    for name in categories[:CATEGORIES]:
        cells = zip(table[f"{name} rank"], table[f"{name} elo"], strict=True)
        made[name] = ["" if pd.isna(rank) else f"{rank:.0f}: {rating:.0f}" for rank, rating in cells]
    return flush_right(pd.DataFrame(made), (noun,))


def flush_right(table: pd.DataFrame, names: tuple[str, ...]) -> pd.DataFrame:
    """Return texts of one length in every column but those of names."""
    made: dict[str, list[str]] = {}
    for name in map(str, table):
        texts = table[name].tolist()
        width = 0 if name in names else max(map(len, texts), default=0)
        made[name] = [text.rjust(width) for text in texts]
    return pd.DataFrame(made)


def meetings_shown(pairs: pd.DataFrame) -> pd.DataFrame:
    """Return each two engines who met as wide as a terminal: W-D-L, score, Elo with its interval, LOS, pentanomial."""
    rows = pairs.head(MEETINGS)
    made = {
        "first": rows["first"],
        "second": rows["second"],
        "W-D-L": results_of(rows),
        "score": [f"{one:.1f}%" for one in rows["score_percent"]],
        "Elo (95%)": [
            f"{one:+.1f} ({low:+.1f} to {high:+.1f})"
            for one, low, high in rows[["elo", "low_elo", "high_elo"]].to_numpy().tolist()
        ],
        "LOS": [f"{one:.0f}%" for one in rows["los_percent"]],
        "pairs": [f"{one:,}" for one in rows["pairs"]],
        "pentanomial": [" ".join(map(str, one)) for one in rows[["ll", "ld", "dd_wl", "wd", "ww"]].to_numpy().tolist()],
    }
    return flush_right(pd.DataFrame(made), ("first", "second"))
