"""Other programs on the public comparison, fixed before the season, each in a separate process.

    .venv-peers/bin/python benchmarks/yardstick_rivals.py whr|trueskill|kickscore tennis|football SEASON OUT.csv

Learns all seasons before SEASON, forecasts the games of SEASON, and writes OUT.csv, a line a game; prints the mean log
score. Parameters are those that whole-history-rating's report tuned on 2013 and on 2021-22. New players have each
system's own prior. Versions: .ci/requirements/peers.txt.
"""

import json
import math
import resource
import sys

from yardstick_games import keep, log_score, split

TUNED = {
    ("whr", "tennis"): {"w2": 3.0},
    ("whr", "football"): {"w2": 30.0},
    ("trueskill", "tennis"): {"gamma": 0.3, "beta": 32.0, "sigma": 6.0},
    ("trueskill", "football"): {"gamma": 0.03, "beta": 1.0, "sigma": 6.0, "p_draw": 0.30},
    ("kickscore", "tennis"): {"wiener": 1e-5, "prior": 0.125},
    ("kickscore", "football"): {"wiener": 1e-4, "prior": 1.0, "margin": 0.3},
}
HOME = "home advantage"


def by_whr(sport, before, games, w2, limit=400):
    """Whole-history rating, with chances that include the uncertainty of both ratings."""
    from whr import WHR

    key = 0 if sport == "tennis" else "home"
    fitted = WHR({"w2": w2})
    for game in before:
        fitted.create_game(game.first, game.second, "WDB"[game.outcome], game.when, key)
    fitted.auto_iterate(time_limit=limit, precision=1e-3)
    chances = []
    for game in games:
        if sport == "tennis":
            win = float(fitted.probability_future_match(game.first, game.second, 0, account_for_uncertainty=True)[0])
            chances.append((1.0 - win, 0.0, win))
        else:
            told = fitted.win_draw_loss_probabilities(
                game.first, game.second, 0, handicap_key="home", account_for_uncertainty=True
            )
            chances.append(tuple(float(one) for one in told[::-1]))
    return chances


def by_trueskill(sport, before, games, gamma, beta, sigma, p_draw=0.0):
    """TrueSkill Through Time: the last posterior of each player, with the advantage as a third player at home."""
    import trueskillthroughtime as ttt

    seats = [([game.first] + [HOME] * (sport == "football"), [game.second]) for game in before]
    scores = [[game.outcome / 2.0, 1.0 - game.outcome / 2.0] for game in before]
    history = ttt.History(
        composition=[[list(one), list(two)] for one, two in seats],
        results=scores,
        times=[game.when for game in before],
        sigma=sigma,
        beta=beta,
        gamma=gamma,
        p_draw=p_draw,
    )
    history.convergence(epsilon=1e-3, iterations=10, verbose=False)
    last = {name: curve[-1][1] for name, curve in history.learning_curves().items()}
    home = last.get(HOME)
    chances = []
    for game in games:
        one, two = (last.get(name, ttt.Gaussian(0.0, sigma)) for name in (game.first, game.second))
        mean, variance = one.mu - two.mu, one.sigma**2 + two.sigma**2 + 2.0 * beta**2
        if home is not None:
            mean, variance = mean + home.mu, variance + home.sigma**2
        wide = math.sqrt(variance)
        margin = ttt.compute_margin(p_draw, wide) if p_draw else 0.0
        loss, win = (ttt.cdf((sign * mean - margin) / wide, 0.0, 1.0) for sign in (-1.0, 1.0))
        chances.append((loss, 1.0 - loss - win, win))
    return chances


def by_kickscore(sport, before, games, wiener, prior, margin=None):
    """KickScore: a constant and a Wiener process for each player."""
    import kickscore as ks

    begin = min(game.when for game in before) - 1
    fitted = ks.BinaryModel() if margin is None else ks.TernaryModel(margin=margin)
    kernel = ks.kernel.Constant(var=prior) + ks.kernel.Wiener(var=wiener, t0=begin)
    for name in sorted({name for game in (*before, *games) for name in (game.first, game.second)}):
        fitted.add_item(name, kernel=kernel)
    if sport == "football":
        fitted.add_item(HOME, kernel=ks.kernel.Constant(var=prior))
    seat = [HOME] * (sport == "football")
    for game in before:
        sides = [game.first, *seat], [game.second]
        about = {"tie": True} if game.outcome == 1 else {}
        winners, losers = sides if game.outcome else sides[::-1]
        fitted.observe(winners=winners, losers=losers, t=game.when, **about)
    fitted.fit(max_iter=100)
    end = max(game.when for game in before)
    chances = []
    for game in games:
        told = fitted.probabilities(team1=[game.first, *seat], team2=[game.second], t=end)
        win, loss = float(told[0]), float(told[-1])
        chances.append((loss, 1.0 - win - loss, win))
    return chances


SYSTEMS = {"whr": by_whr, "trueskill": by_trueskill, "kickscore": by_kickscore}


def main(system, sport, season, out, *given):
    """Fit, forecast, write and print."""
    numbers = TUNED[system, sport] | {name: float(value) for name, value in (one.split("=") for one in given)}
    before, games = split(sport, season)
    chances = SYSTEMS[system](sport, before, games, **numbers)
    keep(out, games, chances)
    used = resource.getrusage(resource.RUSAGE_SELF)
    score = sum(log_score(chances, games)) / len(games)
    told = {"system": system, "sport": sport, "season": season, "numbers": numbers, "before": len(before)}
    print(json.dumps({**told, "games": len(games), "log_score": round(score, 5), "cpu_s": round(used.ru_utime, 1)}))


if __name__ == "__main__":
    main(*sys.argv[1:])
