r"""Certificate of a board: the fewest votes whose removal changes the first place or a border between tiers.

    m      = d - q w sd(d),   d = g_a - g_b at the mode, spreads fixed;  0 where the claim fails
    q      0 for the first place;  Phi^-1(p) for a border that requires P(a stronger than b) >= p
    w      ratio of the widths of the board's intervals to those of its model (`clusters`)
    drop   of d by one vote: t' (I - h M)^-1 s;  rise of var(d): t' (I - h M)^-1 h t

s and h are the slope and minus the curvature of the vote's log likelihood in its eta and lam, M their covariance, t
their covariance with d, so that both are the first Newton step of a refit without the vote, including its leverage. If
few votes are needed they are removed one by one, the vote with the largest reduction of m first, each followed by a
refit to the mode. If many votes are needed a share of them is removed at once. Votes identical for the model (same
pair, order and verdict) are counted, not listed one by one, so that a million votes need little memory.

For the first place the result is the minimum over all near rivals. Greedy removal gives an upper bound: fewer votes may
suffice.

Huang, Shen, Wei & Broderick (2025) arXiv 2508.11847, who drop votes ordered once by their influence; Broderick,
Giordano & Meager (2020) arXiv 2011.14999 for the order.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import pandas as pd
import scipy.sparse as sparse
from scipy.stats import norm
from threadpoolctl import threadpool_limits

from halfpoint.apps.fields.arena.fit import Board
from halfpoint.apps.fields.arena.refits import BoardRefits
from halfpoint.inference.gaussian.posterior_density import Optimum, maximise
from halfpoint.models.declaration.posterior_reader import draws_of
from halfpoint.models.games.table import Floats, Integers

_RIVALS, _CLOSE = 12, 5  # possible next leaders: checked by one step, and refitted
_SINGLY, _MOST = 20, 2000  # votes foreseen up to which they go one by one; kinds that are sorted
_LINEAR, _AT_ONCE, _SOME = 0.02, 0.9, 0.05  # of the votes on two, as far as one step foresees; shares that go at once
_NEAR = 1e-9  # rise of the log density at which a mode has converged
_LINES = 5  # of votes that are alike, named


@dataclass(frozen=True, eq=False)
class Certificate:
    """Certificate of a board."""

    #: place ("first place", "tier 2", ...), above, below (who would be first, or lead the tier), votes (NaN where no
    #: removal does it), percent of all
    places: pd.DataFrame
    votes: pd.DataFrame  #: place, first, second, verdict (winner, or tie), votes, and the lines of the first votes
    total: int  #: votes of the board
    noun: str = "vote"  #: their name

    @property
    def words(self) -> str:
        """Certificate in a sentence or two."""
        first, *borders = self.places.to_dict("records")
        votes = f"{self.noun}s of {self.total:,}"
        if not np.isfinite(first["votes"]):
            return f"No removal of {votes} changes the first place."
        count = int(first["votes"])
        decide = "decides" if count == 1 else "decide"
        sentence = f"{count:,} {votes} {decide} the first place: if removed, {first['below']} leads."
        by_votes = sorted((border["votes"], border["place"]) for border in borders if np.isfinite(border["votes"]))
        ends = " to ".join(f"{votes:,.0f} ({place})" for votes, place in dict.fromkeys(by_votes[:1] + by_votes[-1:]))
        return f"{sentence} Borders between tiers depend on {ends}." if ends else sentence


@dataclass(eq=False)
class Seen:
    """Model of a board at the mode of the remaining votes."""

    top: Optimum
    place: Floats  # (2, row): eta and lam
    slope: Floats  # (2, entry): of these by z
    vote: tuple[Floats, Floats] | None = None  # of a vote: slopes (outcome, 2, row), minus curvatures (outcome, 3, row)


class Votes:
    """Votes of a board, equal votes merged, and refits of its model without some votes."""

    def __init__(self, refits: BoardRefits) -> None:
        self.refits, declared = refits, refits.declared
        cells, selection = declared.cells, declared.selection
        code = 3 * cells.cell_of_game.astype(np.int64) + selection.games.outcome
        code = 4 * code + (selection.games.grade if cells.further.size else 0)
        _, self.first, self.kind = np.unique(code, return_index=True, return_inverse=True)
        is_whole = np.array_equal(selection.weight, np.rint(selection.weight))
        weight = selection.weight if is_whole else np.ones(len(selection))
        #: (kind,): how many there are, whole weights being counts of votes
        self.number: Floats = np.bincount(self.kind, weight)
        seats = np.append(selection.white[self.first], selection.black[self.first])
        self.by = np.bincount(seats, np.tile(self.number, 2), selection.players.size)
        number = cells.sum_weights(selection.games.outcome, weight)
        self.each = np.divide(cells.weight, number, out=np.zeros_like(number), where=number > 0)
        outcome = cells.by_row(selection.games.outcome, cells.further[1])
        kind = cells.by_row(np.where(self.first[self.kind] == np.arange(self.kind.size), self.kind, -1))
        row = np.flatnonzero(kind >= 0)
        place = 3 * cells.cell_of_row[row].astype(np.int64) + outcome[row]
        self.rows = sparse.csr_array((np.ones(row.size), (kind[row], place)), (self.number.size, number.size))

    @cached_property
    def whole(self) -> Seen:
        """The mode with all votes."""
        return self.at(self.number, (self.refits.whole.x, self.refits.whole.z))

    def at(self, remaining: Floats, start: tuple[Floats, Floats]) -> Seen:
        """The mode without the removed votes, (kind,), with fixed spreads."""
        model = self.refits.model
        rows, posterior = model.posterior.rows, model.posterior
        rows.weigh(self.each * (remaining @ self.rows).reshape(-1, 3))
        top = maximise(posterior, model.curve, start, None, _NEAR)
        return Seen(top, *posterior.placed(top.x, top.z)[1:])

    def of_each(self, mode: Seen) -> tuple[Floats, Floats]:
        """Slopes (outcome, 2, row) and minus curvatures (outcome, 3, row) of a vote by eta and lam."""
        if mode.vote is None:
            rows, terms = self.refits.model.posterior.rows, []
            for outcome in range(3):
                rows.weigh(self.each * np.eye(3)[outcome])
                terms.append(rows.expect(mode.place, None)[1:3])
            mode.vote = np.array([slope for slope, _ in terms]), -np.array([curvature for _, curvature in terms])
        return mode.vote

    def left(self, mode: Seen, pair: tuple[int, int], times: float) -> tuple[float, Floats]:
        """Remaining margin m of two players, and the effect of each vote on it, (kind,)."""
        across = np.zeros(mode.top.z.size)
        across[self.refits.strengths[list(pair)]] = 1.0, -1.0
        curvature, t = mode.top.curvature, np.zeros((2, mode.place.shape[1]))
        along = curvature.solve(across)
        variance = float(across @ along)
        margin = float(across @ mode.top.z - times * np.sqrt(variance))
        if margin <= 0.0:
            return margin, np.zeros_like(self.number)
        scores, bent = self.of_each(mode)
        self.refits.model.posterior.rows.place(mode.slope, along, t)
        a, b, c = curvature.widths(mode.slope)
        p, r, o = bent.swapaxes(0, 1)
        x, y, z, u = p * a + r * b, p * b + r * c, r * a + o * b, r * b + o * c  # h M
        size = np.maximum((1.0 - x) * (1.0 - u) - y * z, 1e-6)

        def pass_through(first: Floats, second: Floats) -> Floats:
            return np.asarray(
                (t[0] * ((1.0 - u) * first + y * second) + t[1] * (z * first + (1.0 - x) * second)) / size
            )

        drop = pass_through(scores[:, 0], scores[:, 1])
        change = pass_through(p * t[0] + r * t[1], r * t[0] + o * t[1])
        drop += times * (np.sqrt(np.maximum(variance + change, 0.0)) - np.sqrt(variance))
        return margin, self.rows @ drop.T.ravel()

    def foreseen(self, margin: float, flat: Floats, counts: Floats) -> tuple[float, Integers]:
        """Fewest votes whose removal closes a margin in one step (inf if none do), and kinds of votes by effect."""
        order = np.flatnonzero((flat > 0.0) & (counts >= 1.0))
        if order.size > _MOST:
            most = order[np.argpartition(-flat[order], _MOST)[:_MOST]]
            order = most if flat[most] @ counts[most] >= margin else order
        order = order[np.argsort(-flat[order], kind="stable")]
        total = np.cumsum(flat[order] * counts[order])
        if not total.size or total[-1] < margin:
            return np.inf, order
        last = int(np.searchsorted(total, margin))
        before = float(counts[order[:last]].sum())
        return before + np.ceil((margin - (total[last - 1] if last else 0.0)) / flat[order[last]]), order

    def holding(self, pair: tuple[int, int], times: float) -> Floats | None:
        """Votes whose removal puts the second of two first, counts (kind,); None if no removal does."""
        remaining, mode = self.number.copy(), self.whole
        while True:
            margin, effect = self.left(mode, pair, times)
            if margin <= 0.0:
                return self.number - remaining
            needed, order = self.foreseen(margin, effect, remaining)
            if not order.size:
                return None
            gone = float((self.number - remaining).sum())
            much = float(remaining[order].sum()) if np.isinf(needed) else needed
            share = _AT_ONCE if much < _LINEAR * self.by[list(pair)].sum() else _SOME
            step = 1.0 if gone + much <= _SINGLY else max(1.0, np.floor(share * much))
            before = np.cumsum(remaining[order]) - remaining[order]
            remaining[order] -= np.clip(step - before, 0.0, remaining[order])
            mode = self.at(remaining, (mode.top.x, mode.top.z))

    def first_place(self, leader: int) -> tuple[int, Floats | None]:
        """Model that would lead, and the votes that prevent it."""
        best = np.argsort(-self.whole.top.z[self.refits.strengths], kind="stable")
        near = [rival for rival in best.tolist() if rival != leader][:_RIVALS]
        short = {rival: self.foreseen(*self.left(self.whole, (leader, rival), 0.0), self.number)[0] for rival in near}
        least = 1.5 * min(short.values()) + 2.0
        near = sorted((rival for rival in near if short[rival] <= least), key=lambda rival: short[rival])[:_CLOSE]
        candidates = [(rival, self.holding((leader, rival), 0.0)) for rival in near]
        return min(candidates, key=lambda candidate: np.inf if candidate[1] is None else float(candidate[1].sum()))


def certificate(board: Board, leaders: list[str], probability: float = 0.95) -> Certificate:
    """Fewest votes whose removal changes the first place of a board or the borders of its tiers.

    Parameters
    ----------
    board : Board
        A fitted board (`Leaderboard.board`).
    leaders : list of str
        The leader of each tier, best first.
    probability : float
        Probability that separates tiers.

    Returns
    -------
    Certificate
        By greedy removal (`halfpoint.apps.fields.arena.certificate`), for the board's own model at its mode, style and
        judges included.
    """
    names, votes = board.declared.selection.players.tolist(), Votes(board.refits)
    indices = [names.index(leader) for leader in leaders]
    narrow, wide = (draws_of(tree["posterior"].to_dataset())["strength"] for tree in (board.own, board.tree))
    with threadpool_limits(1, user_api="blas"):
        rival, removed = votes.first_place(indices[0])
        borders = [("first place", indices[0], rival, removed)]
        for tier, (above, below) in enumerate(pairwise(indices), start=2):
            wider = float(np.std(wide[:, above] - wide[:, below]) / np.std(narrow[:, above] - narrow[:, below]))
            holding = votes.holding((above, below), float(norm.ppf(probability)) * wider)
            borders.append((f"tier {tier}", above, below, holding))
        votes.refits.model.posterior.rows.weigh(board.declared.cells.weight)
    total = int(votes.number.sum())
    counts = [np.nan if gone is None else float(gone.sum()) for *_, gone in borders]
    rows = [(place, names[above], names[below]) for place, above, below, _ in borders]
    places = pd.DataFrame(rows, columns=["place", "above", "below"]).assign(votes=counts)
    listed = [(place, *row) for place, *_, gone in borders if gone is not None for row in _alike(board, votes, gone)]
    return Certificate(
        places.assign(percent=100.0 * places["votes"] / total),
        pd.DataFrame(listed, columns=["place", "first", "second", "verdict", "votes", "where"]),
        total,
        "vote" if board.judgements.unit == "judgement" else board.judgements.unit,
    )


def _alike(board: Board, votes: Votes, gone: Floats) -> list[tuple[str, str, str, int, str]]:
    """Table of votes, most frequent first: first, second, verdict, number and places; identical votes share a row."""
    games = board.games
    removed = np.flatnonzero(gone[votes.kind])
    listed = []
    for kind in np.unique(votes.kind[removed]).tolist():
        rows = removed[votes.kind[removed] == kind]
        count, game = int(gone[kind]), int(rows[0])
        first, second = (str(games.players[side[game]]) for side in (games.white, games.black))
        lines = [str(row + 1 if games.line is None else games.line[row]) for row in rows[: min(count, _LINES)]]
        remainder = f" and {count - _LINES:,} more" if count > _LINES else ""
        verdict = (second, "tie", first)[games.outcome[game]]
        listed.append((first, second, verdict, count, f"{games.counts} {', '.join(lines)}{remainder}"))
    return sorted(listed, key=lambda row: -row[3])
