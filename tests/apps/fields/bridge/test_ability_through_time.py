"""Bridge players with changing skill: random walks with sides of two, partners and deals."""

import numpy as np
import pytest
from composed import MarginSpread, Model, Nothing, Walk

from halfpoint.inference.sample import sample
from halfpoint.models.declaration.catalogue import declare, find
from halfpoint.models.formulas.margin import MARGIN_NORMAL
from halfpoint.models.games.select import select
from halfpoint.models.games.sides import code_sides
from halfpoint.models.games.table import GameTable

PEOPLE, MONTHS, STEP = 12, 8, 0.7
WALK = Model(
    "bridge-walk",
    MARGIN_NORMAL,
    Walk(prior=(0.0, 4.0), spread=1.0),  # pairs of two such players, IMPs a board; a step of a month
    Nothing(),
    MarginSpread((1.5, 1.0)),
    effects=find("bridge-ability").effects,
)


def changing_club(seed=4, boards=120):
    """Games of a club by month, and the skills of its players by month, on the scale of pairs."""
    rng = np.random.default_rng(seed)
    steps = STEP * rng.normal(size=(PEOPLE, MONTHS - 1))
    skill = rng.normal(0.0, 1.5, (PEOPLE, 1)) + np.concatenate([np.zeros((PEOPLE, 1)), steps.cumsum(axis=1)], axis=1)
    names = [f"P{k:02d}" for k in range(PEOPLE)]
    seats = [rng.permutation(PEOPLE).reshape(-1, 4) for _ in range(MONTHS * boards)]
    seat, count = np.concatenate(seats), MONTHS * boards * PEOPLE // 4
    deal = np.repeat(np.arange(MONTHS * boards), PEOPLE // 4)
    month = deal // boards
    gap = skill[seat[:, :2], month[:, None]].mean(axis=1) - skill[seat[:, 2:], month[:, None]].mean(axis=1)
    margin = gap + rng.normal(0.0, 3.0, deal.max() + 1)[deal] + rng.normal(0.0, 4.7, count)
    every = [{names[a]: 1.0, names[b]: 1.0} for a, b in np.concatenate([seat[:, :2], seat[:, 2:]]).tolist()]
    codes = np.arange(2 * count, dtype=np.int32)
    players, white, black, sides = code_sides(every, codes[:count], codes[count:], "club")
    score = (1.0 + np.sign(margin)) / 2.0
    columns = {"margin": margin, "deal": deal}
    about = {"period": month + 1, "covariates": columns, "simulated": True, "sides": sides}
    return GameTable(players, white, black, score, **about), skill


@pytest.mark.draws
@pytest.mark.slow
def test_changing_skill_is_followed():
    games, skill = changing_club()
    tree = sample(
        declare(WALK, select(games, games.people, "both")), draws=400, tune=400, chains=2, seed=2, cores=2, adapt=False
    )
    posterior = tree["posterior"].to_dataset().stack(sample=("chain", "draw"))
    found = posterior["strength"].transpose("sample", "player", "month").to_numpy()
    found = found - found.mean(axis=1, keepdims=True)
    true = skill - skill.mean(axis=0)
    mean, sd = found.mean(axis=0), found.std(axis=0)
    assert (np.abs(mean - true) < 4.5 * sd).all()
    inside = np.abs(mean - true) < 1.645 * sd
    assert 0.75 < inside.mean() < 0.99  # 96 that hang together
    learned = posterior["innovation_spread"].to_numpy()
    assert abs(learned.mean() - STEP) < 4.0 * learned.std()
    # the change over the months is told, and the walk is nearer to the truth of a month than a mean over all of them
    change, wanted = mean[:, -1] - mean[:, 0], true[:, -1] - true[:, 0]
    assert np.corrcoef(change, wanted)[0, 1] > 0.7
    still = mean.mean(axis=1, keepdims=True)
    assert np.sqrt(np.mean((mean - true) ** 2)) < 0.85 * np.sqrt(np.mean((still - true) ** 2))
