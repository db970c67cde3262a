"""Single numbers in the texts that are settings, counts, or facts from outside: priors, sampler, data, history."""

from dataclasses import dataclass
from math import sqrt

from halfpoint.evaluation.verdicts import Explanation, digit_lost, misprint, one_digit_wrong
from halfpoint.games.datasets.study import study_players
from halfpoint.games.units import to_elo
from halfpoint.models.catalogue import TWELVE, Edition, find
from halfpoint.models.priors import number_pair
from halfpoint.study.reproduction import Reproduction

OUTSIDE = "not reproducible: a fact from outside the study's data"
FILE_GAMES = {"training": 28042, "2013": 2201}  # games in the two files, fixed by their SHA-256
FILE_RATINGS_ELO = (2500.0, 2843.0)  # lowest and highest rating on the day in the first file, fixed likewise
DRAWS_KEPT, THINNING, BURN_IN = 4000, 20, 50000


@dataclass(frozen=True)
class Ours:
    """Our value of a number in the text."""

    value: float | None  # None where nothing in the data gives it
    mc_error: float = 0.0  # Monte Carlo error of the difference to the printed number
    rule: str = ""  # rule that gives it
    explanations: tuple[Explanation, ...] = ()  # what else could give the printed number
    otherwise: str = "not reproducible: no rule known that gives it"  # verdict if nothing does
    cut: bool = True  # digits cut off count as a match


Entries = dict[tuple[str, str], Ours]  # by quantity and column: value, low, high


def stated(value: float) -> Ours:
    """Return a number that an author sets: nothing to compute, so the printed one is the value."""
    return Ours(value, rule="stated_input")


def said(verdict: str, rule: str, printed: str) -> Explanation:
    """Return the explanation of one printed text by a slip that is known."""
    return Explanation(verdict, rule, texts=frozenset({printed}))


def outside_facts() -> dict[str, Ours]:
    """Return the numbers about the world: databases, titles, records, another competition."""
    quantities = (
        "games in BrasilBase, July 2014 (thousand)",
        "games in Chessgames.com",
        "games in ChessBase (million)",
        "highest FIDE rating ever (Carlsen, May 2014)",
        "highest rating by Chessmetrics (Fischer)",
        "threshold FIDE Master",
        "threshold International Master",
        "threshold Grandmaster",
        "teams in the 2010 competition (more than)",
        "countries in the 2010 competition",
        "ELO++ gain over ELO (%)",
        "list from which the 46 come (top n)",
        "BT prior mean: rank of the reference player",
        "MCMC adaptation window",
    )
    return {quantity: Ours(None, otherwise=OUTSIDE) for quantity in quantities}


def elo_plus_plus() -> dict[str, Ours]:
    """Return the constants of the ELO++ learning rate ((1 + 0.1 P) / (p + 0.1 P))^0.602, P = 50 (Sismanis 2010)."""
    iterations = 50
    return {
        "ELO++ learning rate: numerator": Ours(1 + 0.1 * iterations),
        "ELO++ learning rate: added constant": Ours(0.1 * iterations),
        "ELO++ learning rate: exponent": Ours(0.602),
        "ELO++ iterations to convergence": Ours(iterations),
    }


def sampler() -> dict[str, Ours]:
    """Return the settings of the study's sampler and the numbers of models."""
    twelve = list(map(find, TWELVE))
    weighted = sum(entry.weighted for entry in twelve)
    return {
        "MCMC iterations": Ours(BURN_IN + THINNING * DRAWS_KEPT),
        "MCMC burn-in": stated(BURN_IN),
        "MCMC thinning": stated(THINNING),
        "MCMC final sample": stated(DRAWS_KEPT),
        "MCMC final sample per chain": stated(DRAWS_KEPT),
        "MCMC chains": stated(3),
        "number of models": Ours(len(twelve)),
        "static models": Ours(len(twelve) - weighted),
        "weighted models": Ours(weighted),
        "equiprobable reference, BT: probability of each outcome": Ours(1 / 2),
        "equiprobable reference, BT: probability of each outcome (%)": Ours(100 / 2),
        "equiprobable reference, DV: probability of each outcome": Ours(1 / 3),
        "Elo normal model: mu": stated(0),
        "Elo normal model: sigma of one player": stated(200),
        "sigma of a rating difference": Ours(200 * sqrt(2)),
        "logistic scale constant": stated(400),
        "Elo points per unit of gamma: numerator (400/ln 10 = 173.72)": stated(400),
        "absolute rating difference from which normal and logistic part": stated(200),
    }


def stated_priors(name: str, edition: Edition) -> dict[str, tuple[float, float]]:
    """Return mean and standard deviation of a study model's priors in the unit the study states them in.

    Bradley-Terry's are in Elo points, Davidson's in natural units.
    """
    model = find(name, edition)
    found = {"strength": number_pair(model.strength.prior)}
    found |= {"advantage": number_pair(model.advantage.prior)} if model.advantage.kind != "none" else {}
    if model.draws is not None:
        return found | {"log_draw": number_pair(model.draws.level)}
    return {key: (to_elo(mean), to_elo(sd)) for key, (mean, sd) in found.items()}


def prior_numbers() -> dict[str, Ours]:
    """Return the priors that the study's program had, beside the stated ones, and the denominators 2 sd^2."""
    text_bt, text_dv = stated_priors("bt-player", "described"), stated_priors("davidson-player", "described")
    common_bt, narrow = stated_priors("bt-common", "computed"), stated_priors("davidson", "computed")
    player = stated_priors("davidson-player", "computed")
    found = {
        "prior BT R_i: mean": Ours(text_bt["strength"][0]),
        "prior BT R_i: sd": Ours(text_bt["strength"][1]),
        "prior BT delta_i: mean": Ours(text_bt["advantage"][0]),
        "prior BT delta_i: sd": Ours(text_bt["advantage"][1]),
        "prior BT delta: mean": Ours(
            common_bt["advantage"][0], explanations=(said("slip: the program has mean 0", "stated_prior", "50"),)
        ),
        "prior BT delta: sd": Ours(common_bt["advantage"][1]),
        "prior DV gamma_i: mean": Ours(
            player["strength"][0], explanations=(said("slip: the program has 2705 Elo = 15.571", "stated_prior", "15"),)
        ),
        "prior DV gamma_i: sd": Ours(
            narrow["strength"][1],
            explanations=(said("slip: narrow prior unless one delta per player", "stated_prior", "400"),),
        ),
        "prior DV delta_i: mean": Ours(text_dv["advantage"][0]),
        "prior DV delta_i: sd": Ours(text_dv["advantage"][1]),
        "prior DV delta: mean": Ours(text_dv["advantage"][0]),
        "prior DV delta: sd": Ours(text_dv["advantage"][1]),
        "prior DV lambda: mean": Ours(text_dv["log_draw"][0]),
        "prior DV lambda: sd": Ours(
            narrow["log_draw"][1],
            explanations=(said("slip: narrow prior unless one delta per player", "stated_prior", "5"),),
        ),
    }
    priors = (text_bt["strength"], text_bt["advantage"], text_dv["advantage"], text_dv["log_draw"])
    wide, half, slope, draw = (2 * sd**2 for _, sd in priors)
    thesis = {62: wide, 63: wide, 64: half, 65: wide, 66: half, 67: wide, 68: draw, 69: wide, 72: wide, 73: slope}
    equations = thesis | {74: draw, 6: wide, 7: half, 8: wide, 9: slope, 10: draw}
    for number, value in equations.items():
        slips = (misprint(value, "320000", digit_lost),)
        found[f"eq {number}: denominator of the prior exponent"] = Ours(value, explanations=slips)
    return found


def counts(study: Reproduction) -> dict[str, Ours]:
    """Return the numbers of games, players and results."""
    found = {
        "monitored players": Ours(study.training.players.size),
        "official games in the base file": Ours(FILE_GAMES["training"]),
        "games, 2013 file": Ours(FILE_GAMES["2013"]),
        "rating floor of the base file": Ours(FILE_RATINGS_ELO[0]),
        "games, training set": Ours(len(study.training)),
        "games, training set (caption)": Ours(len(study.training)),
    }
    titles = {
        "training": "T3 training: games (period 01/2010-11/2012)",
        "A": "T3 A: games (period 01/2013-08/2013)",
        "B": "T3 B: games (period 01/2013-08/2013)",
    }
    for data, title in titles.items():
        shares = study.counts(data)
        found[title] = Ours(shares.games)
        found[f"T3 {data}: losses of White (D)"] = Ours(shares.loss)
        found[f"T3 {data}: draws (E)"] = Ours(shares.draw)
        found[f"T3 {data}: wins of White (V)"] = Ours(shares.win)
    one_more = "slip: 51 counted where 50 are listed"
    for data, games in study.sets.items():
        found[f"games, testing set {data}"] = found[f"games, testing set {data} (caption)"] = Ours(len(games))
        players = games.players.size
        found[f"players, testing set {data}"] = Ours(players, explanations=(said(one_more, "one_digit_wrong", "88"),))
    estimated = sum(name in study.training.players for name in study.sets["B"].players.tolist())
    unknown = study.sets["B"].players.size - estimated
    found["players of B with estimated ratings"] = Ours(estimated)
    found["players of B with FIDE ratings"] = Ours(unknown, explanations=(misprint(unknown, "51", one_digit_wrong),))
    lowest = float(study_players()["rating_2012_12_elo"].min())
    below = said("slip: seven of the 46 are below it", "lowest_rating", "2700")
    for quantity in (
        "stated lower bound of the Elo of the 46",
        "stated lower bound of the Elo of the 46 (English abstract)",
    ):
        found[quantity] = Ours(lowest, explanations=(below,))
    return found
