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
        whole = f"{self.noun}s of {self.total:,}"
        if not np.isfinite(first["votes"]):
            return f"No {whole} hold the first place alone."
        count = int(first["votes"])
        hold = "holds" if count == 1 else "hold"
        said = f"{count:,} {whole} {hold} the first place: without, {first['below']} leads."
        each = sorted((one["votes"], one["place"]) for one in borders if np.isfinite(one["votes"]))
        ends = " to ".join(f"{votes:,.0f} ({place})" for votes, place in dict.fromkeys(each[:1] + each[-1:]))
        return f"{said} Borders between tiers are held by {ends}." if ends else said


@dataclass(eq=False)
class Seen:
    """Model of a board at the mode of the remaining votes."""

    top: Optimum
    place: Floats  # (2, row): eta and lam
    slope: Floats  # (2, entry): of these by z
    each: tuple[Floats, Floats] | None = None  # of a vote: slopes (outcome, 2, row), minus curvatures (outcome, 3, row)


class Votes:
    """Votes of a board, merged if alike, and refits of its model without some."""

    def __init__(self, refits: BoardRefits) -> None:
        self.refits, declared = refits, refits.declared
        cells, selection = declared.cells, declared.selection
        seen = 3 * cells.cell_of_game.astype(np.int64) + selection.games.outcome
        seen = 4 * seen + (selection.games.grade if cells.further.size else 0)
        _, self.first, self.kind = np.unique(seen, return_index=True, return_inverse=True)
        whole = np.array_equal(selection.weight, np.rint(selection.weight))
        every = selection.weight if whole else np.ones(len(selection))
        #: (kind,): how many there are, whole weights being counts of votes
        self.number: Floats = np.bincount(self.kind, every)
        both = np.append(selection.white[self.first], selection.black[self.first])
        self.by = np.bincount(both, np.tile(self.number, 2), selection.players.size)
        number = cells.sum_weights(selection.games.outcome, every)
        self.each = np.divide(cells.weight, number, out=np.zeros_like(number), where=number > 0)
        outcome = cells.by_row(selection.games.outcome, cells.further[1])
        kind = cells.by_row(np.where(self.first[self.kind] == np.arange(self.kind.size), self.kind, -1))
        one = np.flatnonzero(kind >= 0)
        place = 3 * cells.cell_of_row[one].astype(np.int64) + outcome[one]
        self.rows = sparse.csr_array((np.ones(one.size), (kind[one], place)), (self.number.size, number.size))

    @cached_property
    def whole(self) -> Seen:
        """The mode with all votes."""
        return self.at(self.number, (self.refits.whole.x, self.refits.whole.z))

    def at(self, left: Floats, start: tuple[Floats, Floats]) -> Seen:
        """The mode without the removed votes, (kind,), with fixed spreads."""
        model = self.refits.model
        rows, posterior = model.posterior.rows, model.posterior
        rows.weigh(self.each * (left @ self.rows).reshape(-1, 3))
        top = maximise(posterior, model.curve, start, None, _NEAR)
        return Seen(top, *posterior.placed(top.x, top.z)[1:])

    def of_each(self, seen: Seen) -> tuple[Floats, Floats]:
        """Slopes (outcome, 2, row) and minus curvatures (outcome, 3, row) of a vote by eta and lam."""
        if seen.each is None:
            rows, found = self.refits.model.posterior.rows, []
            for outcome in range(3):
                rows.weigh(self.each * np.eye(3)[outcome])
                found.append(rows.expect(seen.place, None)[1:3])
            seen.each = np.array([one for one, _ in found]), -np.array([two for _, two in found])
        return seen.each

    def left(self, seen: Seen, pair: tuple[int, int], times: float) -> tuple[float, Floats]:
        """Remaining margin m of two players, and the effect of each vote on it, (kind,)."""
        across = np.zeros(seen.top.z.size)
        across[self.refits.strengths[list(pair)]] = 1.0, -1.0
        curvature, t = seen.top.curvature, np.zeros((2, seen.place.shape[1]))
        along = curvature.solve(across)
        variance = float(across @ along)
        margin = float(across @ seen.top.z - times * np.sqrt(variance))
        if margin <= 0.0:
            return margin, np.zeros_like(self.number)
        scores, bent = self.of_each(seen)
        self.refits.model.posterior.rows.place(seen.slope, along, t)
        a, b, c = curvature.widths(seen.slope)
        p, r, o = bent.swapaxes(0, 1)
        x, y, z, u = p * a + r * b, p * b + r * c, r * a + o * b, r * b + o * c  # h M
        size = np.maximum((1.0 - x) * (1.0 - u) - y * z, 1e-6)

        def pass_through(first: Floats, second: Floats) -> Floats:
            return np.asarray(
                (t[0] * ((1.0 - u) * first + y * second) + t[1] * (z * first + (1.0 - x) * second)) / size
            )

        drop = pass_through(scores[:, 0], scores[:, 1])
        more = pass_through(p * t[0] + r * t[1], r * t[0] + o * t[1])
        drop += times * (np.sqrt(np.maximum(variance + more, 0.0)) - np.sqrt(variance))
        return margin, self.rows @ drop.T.ravel()

    def foreseen(self, margin: float, flat: Floats, there: Floats) -> tuple[float, Integers]:
        """Fewest votes whose removal closes a margin in one step (inf if none do), and kinds of votes by effect."""
        order = np.flatnonzero((flat > 0.0) & (there >= 1.0))
        if order.size > _MOST:
            most = order[np.argpartition(-flat[order], _MOST)[:_MOST]]
            order = most if flat[most] @ there[most] >= margin else order
        order = order[np.argsort(-flat[order], kind="stable")]
        total = np.cumsum(flat[order] * there[order])
        if not total.size or total[-1] < margin:
            return np.inf, order
        last = int(np.searchsorted(total, margin))
        before = float(there[order[:last]].sum())
        return before + np.ceil((margin - (total[last - 1] if last else 0.0)) / flat[order[last]]), order

    def holding(self, pair: tuple[int, int], times: float) -> Floats | None:
        """Votes that keep one of two above the other, counts (kind,); None if no removal changes it."""
        left, seen = self.number.copy(), self.whole
        while True:
            margin, taken = self.left(seen, pair, times)
            if margin <= 0.0:
                return self.number - left
            needed, order = self.foreseen(margin, taken, left)
            if not order.size:
                return None
            gone = float((self.number - left).sum())
            much = float(left[order].sum()) if np.isinf(needed) else needed
            share = _AT_ONCE if much < _LINEAR * self.by[list(pair)].sum() else _SOME
            rest = 1.0 if gone + much <= _SINGLY else max(1.0, np.floor(share * much))
            before = np.cumsum(left[order]) - left[order]
            left[order] -= np.clip(rest - before, 0.0, left[order])
            seen = self.at(left, (seen.top.x, seen.top.z))

    def first_place(self, leader: int) -> tuple[int, Floats | None]:
        """Model that would lead, and the votes that prevent it."""
        best = np.argsort(-self.whole.top.z[self.refits.strengths], kind="stable")
        near = [one for one in best.tolist() if one != leader][:_RIVALS]
        short = {one: self.foreseen(*self.left(self.whole, (leader, one), 0.0), self.number)[0] for one in near}
        least = 1.5 * min(short.values()) + 2.0
        near = sorted((one for one in near if short[one] <= least), key=lambda one: short[one])[:_CLOSE]
        found = [(one, self.holding((leader, one), 0.0)) for one in near]
        return min(found, key=lambda one: np.inf if one[1] is None else float(one[1].sum()))


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
    at = [names.index(one) for one in leaders]
    own, wide = (draws_of(one["posterior"].to_dataset())["strength"] for one in (board.own, board.tree))
    with threadpool_limits(1, user_api="blas"):
        rival, removed = votes.first_place(at[0])
        found = [("first place", at[0], rival, removed)]
        for tier, (one, two) in enumerate(pairwise(at), start=2):
            wider = float(np.std(wide[:, one] - wide[:, two]) / np.std(own[:, one] - own[:, two]))
            held = votes.holding((one, two), float(norm.ppf(probability)) * wider)
            found.append((f"tier {tier}", one, two, held))
        votes.refits.model.posterior.rows.weigh(board.declared.cells.weight)
    total = int(votes.number.sum())
    counts = [np.nan if gone is None else float(gone.sum()) for *_, gone in found]
    rows = [(place, names[one], names[two]) for place, one, two, _ in found]
    places = pd.DataFrame(rows, columns=["place", "above", "below"]).assign(votes=counts)
    listed = [(place, *row) for place, *_, gone in found if gone is not None for row in _alike(board, votes, gone)]
    return Certificate(
        places.assign(percent=100.0 * places["votes"] / total),
        pd.DataFrame(listed, columns=["place", "first", "second", "verdict", "votes", "where"]),
        total,
        "vote" if board.judgements.unit == "judgement" else board.judgements.unit,
    )


def _alike(board: Board, votes: Votes, gone: Floats) -> list[tuple[str, str, str, int, str]]:
    """First, second, verdict, number and places of votes, a row for identical ones, most frequent first."""
    games = board.games
    here = np.flatnonzero(gone[votes.kind])
    found = []
    for kind in np.unique(votes.kind[here]).tolist():
        rows = here[votes.kind[here] == kind]
        count, game = int(gone[kind]), int(rows[0])
        first, second = (str(games.players[side[game]]) for side in (games.white, games.black))
        lines = [str(one + 1 if games.line is None else games.line[one]) for one in rows[: min(count, _LINES)]]
        more = f" and {count - _LINES:,} more" if count > _LINES else ""
        verdict = (second, "tie", first)[games.outcome[game]]
        found.append((first, second, verdict, count, f"{games.counts} {', '.join(lines)}{more}"))
    return sorted(found, key=lambda row: -row[3])
