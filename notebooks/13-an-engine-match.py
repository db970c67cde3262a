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
# the truth is known. Four questions:
#
# 1. How much stronger is it, and how certain is the difference? An opening that favours White does so in both games:
# the error is
#    that of pairs, not of games.
# 2. What is the likelihood of superiority (LOS)?
# 3. What is the type I error if the match is stopped as soon as LOS passes 95%?
# 4. When may the match be stopped?

# %%
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from IPython.display import display
from scipy.stats import norm

from halfpoint.apps.fields import arena
from halfpoint.apps.fields.arena.game_pairs import EloOfScore, counts_of, elo_of_counts, in_pairs
from halfpoint.apps.fields.arena.likelihood_ratio import shares_at
from halfpoint.apps.fields.arena.read import Judgements
from halfpoint.apps.fields.arena.sprt import simulate_tests
from halfpoint.evaluation.figures.style import GREY, ORANGE, new_figure
from halfpoint.models.games.table import GameTable

PLAYERS = np.array(["new", "old"])
DRAWS = 0.5  # log draw parameter


def match(pairs: int, strength: float, rng: np.random.Generator, tilt_sd: float = 1.5) -> tuple[GameTable, np.ndarray]:
    """A match: openings favour White by N(0.3, tilt_sd^2), and the new version is stronger by `strength`, natural
    units.
    """
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
def of_pairs_and_games(games: GameTable, opening: np.ndarray) -> tuple[np.ndarray, EloOfScore, EloOfScore]:
    """The pentanomial counts, and estimates of the difference from pairs and from single games."""
    points = in_pairs(games, opening)[["points", "points_turned"]].to_numpy()
    counts = counts_of(points.mean(axis=1), 5)
    return counts, elo_of_counts(counts), elo_of_counts(counts_of(points.ravel(), 3))


games, opening = match(1000, 0.12, np.random.default_rng(13))
counts, by_pairs, by_games = of_pairs_and_games(games, opening)
print(dict(zip(["ll", "ld", "dd_wl", "wd", "ww"], counts.tolist(), strict=True)))
print(f"{by_pairs.elo:.1f} Elo; standard error {by_pairs.elo_error:.1f} by pairs, {by_games.elo_error:.1f} by games")

# %% [markdown]
# `ll` to `ww` are the pentanomial counts, pairs by the new version's points from 0 to 2. The error of pairs is the
# smaller one: lopsided openings make the two games of a pair cancel.
#
# The leaderboard gives the same result, with White's advantage and draws in the model.

# %%
board = arena.leaderboard(Judgements(games, "engine", ("White", "Black")), method="normal", cluster="prompt")
display(board.frame.round(2))
for finding in board.audit:
    print(f"{'FOUND ' if finding.found else ''}{finding.name}: {finding.words}")

# %% [markdown]
# ## Are the errors right?
#
# Three hundred matches of 200 pairs: the standard deviation of the estimates, compared with both errors.

# %%
rng = np.random.default_rng(14)
found = [of_pairs_and_games(*match(200, 0.12, rng)) for _ in range(300)]
elo = np.array([pairs.elo for _, pairs, _ in found])
of_pairs, of_games = (np.array([one[place].elo_error for one in found]) for place in (1, 2))
print(f"standard deviation of 300 estimates: {elo.std():.1f} Elo")
print(f"stated on average: {of_pairs.mean():.1f} by pairs, {of_games.mean():.1f} by games")

# %% [markdown]
# ## Stopping when LOS passes 95%
#
# Two equal engines. LOS is computed after every 10 pairs, and the match is stopped, and the new version kept, as soon
# as it is above 95%. A single test errs in 5 of 100 matches; repeated tests err far more often.

# %% tags=["thumbnail"]
LOOKS = np.arange(10, 401, 10)


def los_at(games: GameTable, looks: np.ndarray) -> np.ndarray:
    """LOS after each number of pairs, from the points of the pairs so far."""
    points = np.where(games.white == 0, games.score, 1.0 - games.score).reshape(-1, 2).mean(axis=1)
    mean = np.cumsum(points)[looks - 1] / looks
    error = np.sqrt((np.cumsum(points**2)[looks - 1] / looks - mean**2) / looks)
    return norm.cdf((mean - 0.5) / np.maximum(error, 1e-12))


rng = np.random.default_rng(15)
wrong = np.zeros(LOOKS.size)
MATCHES = 200
for _ in range(MATCHES):
    played, played_from = match(int(LOOKS[-1]), 0.0, rng)
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
# ## When to stop the match
#
# A sequential test after every pair keeps its error rates. H0: the new version is no stronger; H1:
# it is 10 Elo points stronger; either error in 5 of 100 matches. `halfpoint sprt one.pgn two.pgn --elo1 10` applies the
# test to PGN files; here to the match above and then to more pairs, 1,000 at a time, until the test stops.

# %%
TEST = arena.Sprt(0.0, 10.0)


def pgn_of(games: GameTable, opening: np.ndarray) -> str:
    """The headers of a match as engine testers write them."""
    results = {0.0: "0-1", 0.5: "1/2-1/2", 1.0: "1-0"}
    rows = zip(games.white_names, games.black_names, games.score, opening, strict=True)
    return "".join(
        f'[White "{white}"]\n[Black "{black}"]\n[FEN "{start}"]\n[Result "{results[score]}"]\n\n{results[score]}\n\n'
        for white, black, score, start in rows
    )


rng, answers = np.random.default_rng(21), []
with TemporaryDirectory() as folder:
    files = []
    part, begun = games, opening
    while not answers or answers[-1].about["decision"] == "go on":
        files.append(Path(folder, f"{len(files) + 1}.pgn"))
        files[-1].write_text(pgn_of(part, np.char.add(f"{len(files)}, ", begun)))
        answers.append(arena.sequential_test(files, TEST))
        print(answers[-1].title)
        print(answers[-1].note, "\n")
        part, begun = match(1000, 0.12, rng)
whole = answers[-1]
figure, (axes,) = new_figure(6.4, 3.4)
axes.plot(whole.drift["games"], whole.drift["llr"], linewidth=1.0)
for bound in TEST.bounds:
    axes.axhline(bound, color=ORANGE, linestyle="--")
axes.set(xlabel="games", ylabel="log likelihood ratio", title=whole.title)
display(figure)

# %% [markdown]
# Two equal engines again, and the new version: how often does the test keep it, and after how many games?

# %%
SHARES = {}
for name, strength in (("equal", 0.0), ("stronger", 0.12)):
    seen, _, _ = of_pairs_and_games(*match(20_000, strength, np.random.default_rng(16)))
    SHARES[name] = seen / seen.sum()
kept, lengths = {}, {}
for name, pairs_of in (("equal", shares_at(SHARES["equal"], 0.0)), ("stronger", SHARES["stronger"])):
    accepted, length = simulate_tests(TEST, pairs_of, 400, np.random.default_rng(18), look=4)
    kept[name], lengths[name] = accepted.mean(), length.mean()
    print(f"{name}: kept in {kept[name]:.1%} of 400 tests, after {lengths[name]:,.0f} games on average")

# %% [markdown]
# ## What should have been seen

# %%
truth = 0.12
assert counts.sum() == 1000
assert by_pairs.elo_error < by_games.elo_error
assert 0.85 < of_pairs.mean() / elo.std() < 1.15
assert of_games.mean() / elo.std() > 1.1
assert np.isclose(los[-1], of_pairs_and_games(played, played_from)[1].los)
assert share[-1] > 0.12
assert share[0] < 0.12
ratings = board.frame.set_index("engine")["rating_elo"]
assert abs((ratings["new"] - ratings["old"]) - by_pairs.elo) < 3 * by_pairs.elo_error
assert answers[0].about["pentanomial"] == counts.tolist()
assert answers[0].about["decision"] == "go on"
assert whole.about["decision"] in ("H0", "H1")
assert kept["equal"] < 0.05 + 4 * np.sqrt(0.05 * 0.95 / 400)
assert kept["stronger"] > 0.9
