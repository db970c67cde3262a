# ---
# jupyter:
#   jupytext:
#     formats: py:percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # An engine match
#
# A new version of an engine plays the old one, two games from each opening with reversed colours. Simulated, so that
# the truth is known. Three questions:
#
# 1. How much stronger is it, and how sure is that? An opening that favours White does so in both games: the error is
#    that of pairs, not of games.
# 2. What is the likelihood of superiority (LOS)?
# 3. What becomes of the error of the first kind if the match is stopped as soon as LOS passes 95%?

# %%
import numpy as np
from IPython.display import display
from scipy.stats import norm

from halfpoint.evaluation.figures.style import GREY, ORANGE, new_figure
from halfpoint.fields import arena
from halfpoint.fields.arena.game_pairs import game_pairs
from halfpoint.fields.arena.read import Judgements
from halfpoint.games.table import GameTable

PLAYERS = np.array(["new", "old"])
DRAWS = 0.5  # log draw parameter


def match(pairs: int, strength: float, rng: np.random.Generator, tilt_sd: float = 1.5) -> tuple[GameTable, np.ndarray]:
    """Return a match: openings favour White by N(0.3, tilt_sd^2), the new version by `strength`, natural units."""
    tilt = np.repeat(rng.normal(0.3, tilt_sd, pairs), 2)
    white = np.tile([0, 1], pairs).astype(np.int32)
    eta = tilt + np.where(white == 0, strength, -strength)
    scores = np.stack([-eta / 2, np.full(eta.size, DRAWS), eta / 2])
    p = np.exp(scores) / np.exp(scores).sum(axis=0)
    uniform = rng.random(eta.size)
    score = np.where(uniform < p[2], 1.0, np.where(uniform < p[2] + p[1], 0.5, 0.0))
    opening = np.repeat(np.char.add("opening ", np.arange(pairs).astype(str)), 2)
    games = GameTable(
        PLAYERS, white, 1 - white, score, covariates={"prompt": opening}, name="SIMULATED match", simulated=True
    )
    return games, opening


# %% [markdown]
# ## One match of 1,000 pairs

# %%
games, opening = match(1000, 0.12, np.random.default_rng(13))
pairs = game_pairs(games, opening)
display(pairs.round(3))

# %% [markdown]
# `ll` to `ww` are the pentanomial counts, pairs by the new version's points from 0 to 2. The error of pairs is the
# smaller one: lopsided openings make the two games of a pair cancel.
#
# The leaderboard says the same of engines, with White's advantage and draws in the model.

# %%
board = arena.leaderboard(Judgements(games, "engine", ("White", "Black")), method="normal", cluster="prompt")
display(board.frame.round(2))
for finding in board.audit:
    print(f"{'FOUND ' if finding.found else ''}{finding.name}: {finding.words}")

# %% [markdown]
# ## Are the errors right?
#
# Three hundred matches of 200 pairs: how far the estimates scatter, and what either error says of it.

# %%
rng = np.random.default_rng(14)
found = [game_pairs(*match(200, 0.12, rng)).iloc[0] for _ in range(300)]
elo = np.array([one["elo"] for one in found])
of_pairs, of_games = (np.array([one[name] for one in found]) for name in ("elo_error", "elo_error_of_games"))
print(f"standard deviation of 300 estimates: {elo.std():.1f} Elo")
print(f"stated on average: {of_pairs.mean():.1f} by pairs, {of_games.mean():.1f} by games")

# %% [markdown]
# ## Stopping when LOS passes 95%
#
# Two equal engines. LOS is looked at after every 10 pairs, and the match is stopped, and the new version kept, as soon
# as it is above 95%. One look would be wrong in 5 of 100 matches; looking again and again is wrong far more often.

# %% tags=["thumbnail"]
LOOKS = np.arange(10, 401, 10)


def los_at(games: GameTable, looks: np.ndarray) -> np.ndarray:
    """Return LOS after so many pairs each, from the points of the pairs so far."""
    points = np.where(games.white == 0, games.score, 1.0 - games.score).reshape(-1, 2).mean(axis=1)
    mean = np.cumsum(points)[looks - 1] / looks
    error = np.sqrt((np.cumsum(points**2)[looks - 1] / looks - mean**2) / looks)
    return norm.cdf((mean - 0.5) / np.maximum(error, 1e-12))


rng = np.random.default_rng(15)
wrong = np.zeros(LOOKS.size)
MATCHES = 200
for _ in range(MATCHES):
    played, begun = match(int(LOOKS[-1]), 0.0, rng)
    los = los_at(played, LOOKS)
    wrong += np.maximum.accumulate(los > 0.95)
share = wrong / MATCHES
single = 0.05
figure, (axes,) = new_figure(6.4, 3.4)
axes.plot(LOOKS, 100 * share, color=ORANGE, label="stopped at the first LOS above 95%")
axes.axhline(100 * single, color=GREY, linestyle="--", label="one look")
axes.set(xlabel="pairs played", ylabel="false alarms, %", ylim=(0, None), title="Two equal engines")
axes.legend()
display(figure)
print(f"after {LOOKS[-1]} pairs {share[-1]:.0%} of {MATCHES} matches between equals were stopped as won")

# %% [markdown]
# ## What should have been seen

# %%
truth = 0.12
assert pairs["pairs"][0] == 1000
assert pairs["elo_error"][0] < pairs["elo_error_of_games"][0]
assert 0.85 < of_pairs.mean() / elo.std() < 1.15
assert of_games.mean() / elo.std() > 1.1
assert np.isclose(los[-1], game_pairs(played, begun)["los"][0])
assert share[-1] > 0.12
assert share[0] < 0.12
ratings = board.frame.set_index("engine")["rating_elo"]
assert abs((ratings["new"] - ratings["old"]) - pairs["elo"][0]) < 3 * pairs["elo_error"][0]
