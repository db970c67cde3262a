"""Single numbers in the texts for settings and counts: priors, sampler, data.

scalars.csv marks authors' settings, outside facts and values read from a figure: such numbers cannot be computed.
"""

from dataclasses import dataclass
from math import sqrt

from halfpoint.apps.study.estimates import STUDY_DRAWS
from halfpoint.apps.study.printed.reproduction import Reproduction
from halfpoint.evaluation.verdicts import Explanation, digit_lost, misprint, one_digit_wrong
from halfpoint.models.declaration.catalogue import TWELVE, Edition, find
from halfpoint.models.games.units import to_elo
from halfpoint.readers.datasets.study import study_players

_FILE_GAMES = {"training": 28042, "2013": 2201}  # games in the two files, fixed by their SHA-256
FILE_RATINGS_ELO = (2500.0, 2843.0)  # lowest and highest rating on the day in the first file, fixed likewise
FILE_RANKS = {2705.0: 43, 2682.0: 70}  # places of ratings among all players' last ratings in it; the 100th has 2655


@dataclass(frozen=True)
class Ours:
    """Our value of a number in the text."""

    value: float | None  # None where nothing in the data gives it
    mc_error: float = 0.0  # Monte Carlo error of the difference to the printed number
    rule: str = ""  # rule that gives it
    explanations: tuple[Explanation, ...] = ()  # what else could give the printed number
    otherwise: str = "not reproducible: no known rule gives it"  # verdict if nothing does
    cut: bool = True  # digits cut off count as a match


Entries = dict[tuple[str, str], Ours]  # by quantity and column: value, low, high


def slip_value(value: float, *explanations: Explanation) -> Ours:
    """Our value of a number with known slips."""
    return Ours(value, explanations=explanations)


def misprint_value(value: float, printed: str) -> Ours:
    """Our value of a number that may have one misprinted digit."""
    return slip_value(value, misprint(value, printed, one_digit_wrong))


def explain_slip(verdict: str, rule: str, printed: str) -> Explanation:
    """Explanation of one printed text by a known slip."""
    return Explanation(verdict, rule, texts=frozenset({printed}))


def sampler() -> dict[str, Ours]:
    """Printed numbers that follow from settings: sampler, models, curves, and ELO++ (Sismanis 2010).

    Its learning rate is ((1 + 0.1 P) / (p + 0.1 P))^0.602 with P = 50.
    """
    twelve, iterations = list(map(find, TWELVE)), 50
    weighted = sum(entry.weighted for entry in twelve)
    values = {
        "MCMC iterations": 50000 + 20 * STUDY_DRAWS,
        "number of models": len(twelve),
        "static models": len(twelve) - weighted,
        "weighted models": weighted,
        "equiprobable reference, BT: probability of each outcome": 1 / 2,
        "equiprobable reference, BT: probability of each outcome (%)": 100 / 2,
        "equiprobable reference, DV: probability of each outcome": 1 / 3,
        "sigma of a rating difference": 200 * sqrt(2),
        "ELO++ learning rate: numerator": 1 + 0.1 * iterations,
        "ELO++ learning rate: added constant": 0.1 * iterations,
        "ELO++ learning rate: exponent": 0.602,
        "ELO++ iterations to convergence": iterations,
    }
    return {quantity: Ours(value) for quantity, value in values.items()}


def _stated_priors(name: str, edition: Edition) -> dict[str, tuple[float, float]]:
    """Mean and sd of a study model's priors in the study's unit: Elo points, natural units for Davidson."""
    parameters = find(name, edition).parameters
    moments: dict[str, tuple[float, float]] = {
        key: parameters[key] for key in ("strength", "advantage", "log_draw") if key in parameters
    }
    if "log_draw" in moments:
        return moments
    return {key: (to_elo(mean), to_elo(sd)) for key, (mean, sd) in moments.items()}


def prior_numbers() -> dict[str, Ours]:
    """Priors in the study's program, stated priors, and the denominators 2 sd^2."""
    text_bt, text_dv = _stated_priors("bt-player", "described"), _stated_priors("davidson-player", "described")
    common_bt, narrow = _stated_priors("bt-common", "computed"), _stated_priors("davidson", "computed")
    player = _stated_priors("davidson-player", "computed")
    slips = {
        "BT delta: mean": ("slip: the program has mean 0", "50"),
        "DV gamma_i: mean": ("slip: the program has 2705 Elo = 15.571", "15"),
        "DV gamma_i: sd": ("slip: narrow prior unless one delta per player", "400"),
        "DV lambda: sd": ("slip: narrow prior unless one delta per player", "5"),
    }
    priors = {
        "BT R_i": text_bt["strength"],
        "BT delta_i": text_bt["advantage"],
        "BT delta": common_bt["advantage"],
        "DV gamma_i": (player["strength"][0], narrow["strength"][1]),
        "DV delta_i": text_dv["advantage"],
        "DV delta": text_dv["advantage"],
        "DV lambda": (text_dv["log_draw"][0], narrow["log_draw"][1]),
    }
    numbers = {}
    for name, moments in priors.items():
        for key, value in zip((f"{name}: mean", f"{name}: sd"), moments, strict=True):
            explained = [explain_slip(slips[key][0], "stated_prior", slips[key][1])] if key in slips else []
            numbers[f"prior {key}"] = slip_value(value, *explained)
    stated = (text_bt["strength"], text_bt["advantage"], text_dv["advantage"], text_dv["log_draw"])
    wide, half, slope, draw = (2 * sd**2 for _, sd in stated)
    thesis = {62: wide, 63: wide, 64: half, 65: wide, 66: half, 67: wide, 68: draw, 69: wide, 72: wide, 73: slope}
    equations = thesis | {74: draw, 6: wide, 7: half, 8: wide, 9: slope, 10: draw}
    for number, value in equations.items():
        lost = misprint(value, "320000", digit_lost)
        numbers[f"eq {number}: denominator of the prior exponent"] = slip_value(value, lost)
    return numbers


def counts(study: Reproduction) -> dict[str, Ours]:
    """Numbers of games, players and results."""
    training, b_players = len(study.training), study.sets["B"].players
    numbers = {
        "monitored players": Ours(study.training.players.size),
        "official games in the base file": Ours(_FILE_GAMES["training"]),
        "games, 2013 file": Ours(_FILE_GAMES["2013"]),
        "rating floor of the base file": Ours(FILE_RATINGS_ELO[0]),
        "games, training set": Ours(training),
        "games, training set (caption)": Ours(training),
    }
    for data, time in (("training", "01/2010-11/2012"), ("A", "01/2013-08/2013"), ("B", "01/2013-08/2013")):
        shares = study.counts(data)
        numbers[f"T3 {data}: games (period {time})"] = Ours(shares.games)
        numbers[f"T3 {data}: losses of White (D)"] = Ours(shares.loss)
        numbers[f"T3 {data}: draws (E)"] = Ours(shares.draw)
        numbers[f"T3 {data}: wins of White (V)"] = Ours(shares.win)
    one_more = explain_slip("slip: 51 counted where 50 are listed", "one_digit_wrong", "88")
    for data, games in study.sets.items():
        numbers[f"games, testing set {data}"] = numbers[f"games, testing set {data} (caption)"] = Ours(len(games))
        numbers[f"players, testing set {data}"] = slip_value(games.players.size, one_more)
    estimated = sum(name in study.training.players for name in b_players.tolist())
    numbers["players of B with estimated ratings"] = Ours(estimated)
    numbers["players of B with FIDE ratings"] = misprint_value(b_players.size - estimated, "51")
    lowest = float(study_players()["rating_2012_12_elo"].min())
    numbers["list from which the 46 come (top n)"] = Ours(FILE_RANKS[lowest], otherwise="match")  # a bound that holds
    reference = explain_slip("slip: the 100th has 2655 Elo", "", "100")
    numbers["BT prior mean: rank of the reference player"] = slip_value(FILE_RANKS[2705.0], reference)
    below = slip_value(lowest, explain_slip("slip: seven of the 46 are below it", "lowest_rating", "2700"))
    bound = "stated lower bound of the Elo of the 46"
    return numbers | {bound: below, f"{bound} (English abstract)": below}
