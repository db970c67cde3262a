r"""Detection of insincere votes: judges who vote at random, for the weaker model, or always for or against one model.

    judge j           honest, careless (each outcome 1/3) or hostile (loss and win exchanged): shares a, estimated
    judge j, model i  fair, for i or against i in every judgement of i (0.95 / 0.025 / 0.025): shares b, estimated

    a_j   ~ a_kind prod over j's votes      P_kind(vote) / P(vote)
    b_ji  ~ b_kind prod over j's votes on i P_kind(vote) / P(vote),     P the board's probabilities
    w     = a_j(honest) b_ji(fair) b_jk(fair)                           weight of a vote on i and k

Probabilities of kinds, shares and the board's fit are updated in turn until weights converge (EM; each pair of a judge
and a model is independent). Shares b are estimated separately for pairs that are too frequent: a judge who meets a
model more often than one judge in a thousand would by chance may have waited for it. This detects many accounts with a
few votes each, even if no vote is unlikely for an honest judge, but not accounts that also vote on other models at
random.

Dempster, Laird & Rubin (1977) J. R. Stat. Soc. B 39:1; Min, Pang, Du, Liu, Cheng & Lin (2025) ICML, arXiv 2501.17858,
for rigged votes: always for the target ("target-only"), and against those above it ("omnipresent").
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.stats import binom

from halfpoint.apps.fields.arena.clusters import codes_of
from halfpoint.apps.fields.arena.refits import BoardRefits
from halfpoint.models.games.table import Floats, Integers, Texts

_PARTISAN = np.log([0.025, 0.025, 0.95])  # loss, tie and win of whom they are for
_START, _BEFORE = np.log([0.98, 0.01, 0.01]), np.array([1.0, 0.1, 0.1])  # shares at first; judges counted before
_STEPS, _STILL = 40, 1e-3
_TOLD, _SELDOM = 0.5, 1e-3  # weight below which votes are reported; chance below which a pair is too frequent


@dataclass(frozen=True, eq=False)
class HonestVotes:
    """Weight of each vote, and the insincere judges."""

    weight: Floats  #: (game,): from 0 to 1
    #: judge, votes, weight (mean), why (careless, hostile, for NAME, against NAME): those whose votes on a model count
    #: less than half
    judges: pd.DataFrame
    share: float  #: of the votes, that is taken away
    words: str  #: the findings, a sentence


def honest_votes(refits: BoardRefits) -> HonestVotes:
    """Weights of the votes of each judge of a board; its games have the column `judge`."""
    cells, games = refits.declared.cells, refits.declared.selection.games
    names, count, players = np.unique(games.covariates["judge"]), len(games), games.players.size
    judge, outcome, rows = codes_of(games.covariates["judge"]), games.outcome, np.arange(count)
    seats = np.concatenate([judge * players + games.white, judge * players + games.black])
    judge_player, pair = np.unique(seats, return_inverse=True)
    first, second = pair[:count], pair[count:]
    met, by = np.bincount(judge_player[pair] % players) / count, np.bincount(pair)
    often = (
        binom.sf(
            by - 1, np.bincount(judge)[judge_player // players], np.maximum(met, 2.0 / players)[judge_player % players]
        )
        < _SELDOM
    )
    fit, weight, kinds, sides = refits.whole, np.ones(count), _START, np.repeat(_START[None], judge_player.size, axis=0)
    for _ in range(_STEPS):
        chance = np.log(refits.model.probabilities(fit, np.arange(len(cells))))[cells.cell_of_game]
        log_chance = chance[rows, outcome]
        a = _kinds_of(kinds, judge, [-np.log(3.0) - log_chance, chance[rows, 2 - outcome] - log_chance])
        ahead, trailing = _PARTISAN[outcome] - log_chance, _PARTISAN[2 - outcome] - log_chance
        b = _kinds_of(sides, pair, [np.concatenate([ahead, trailing]), np.concatenate([trailing, ahead])])
        kinds, sides = _shares(a), np.where(often[:, None], _shares(b[often]), _shares(b[~often]))
        last, weight = weight, a[judge, 0] * b[first, 0] * b[second, 0]
        fit = refits.on(weight, fit)
        if np.abs(weight - last).max() < _STILL:
            break
    return _told(names, games.players[judge_player % players], judge_player // players, a, b, judge, weight)


def _shares(chances: Floats) -> Floats:
    """Logs of the shares of kinds, from the chances of each kind of levels, shape (level, kind)."""
    return np.asarray(np.log((chances.sum(axis=0) + _BEFORE) / (len(chances) + _BEFORE.sum())))


def _kinds_of(share: Floats, code: npt.NDArray[np.int64], ratios: list[Floats]) -> Floats:
    """Probability of each kind of levels, shape (level, kind), from log ratios of votes to votes of the first kind."""
    size = int(code.max()) + 1
    log = share + np.stack([np.zeros(size), *(np.bincount(code, ratio, size) for ratio in ratios)], axis=1)
    chance = np.exp(log - log.max(axis=1, keepdims=True))
    return np.asarray(chance / chance.sum(axis=1, keepdims=True))


def _told(names: Texts, of: Texts, by: Integers, a: Floats, b: Floats, judge: Integers, weight: Floats) -> HonestVotes:
    """Results: judges by name, pairs by model and judge, probabilities of kinds of both, judge and weight of games."""
    votes = np.bincount(judge)
    mean = np.bincount(judge, weight) / votes
    why = [
        (place, word) for k, word in enumerate(("careless", "hostile"), 1) for place in np.flatnonzero(a[:, k] > _TOLD)
    ]
    for k, word in enumerate(("for", "against"), 1):
        why += [
            (by[place], f"{word} {of[place]}") for place in np.flatnonzero(b[:, k] > _TOLD) if a[by[place], 0] > _TOLD
        ]
    table = pd.DataFrame(why, columns=["judge", "why"]).astype({"judge": int})
    table = table.groupby("judge")["why"].agg(lambda all_of: ", ".join(all_of[:2])).reset_index()
    table = table.assign(votes=votes[table["judge"]], weight=mean[table["judge"]], judge=names[table["judge"]])
    share = float(1.0 - weight.mean())
    words = (
        f"{len(table):,} of {names.size:,} judges vote at random, for the weaker, or always for or against one "
        "competitor: "
        f"{share:.1%} of the votes are removed."
    )
    return HonestVotes(weight, table[["judge", "votes", "weight", "why"]], share, words)
