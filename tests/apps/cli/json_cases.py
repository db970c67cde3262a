"""Every command with `--json`, for each of its exit codes: arguments, and the code of the record's status.

Inputs are in `inputs` (`writing_commands.make_inputs`); arguments of commands that write are those of `WRITING`, with
one setting each.
"""

from writing_commands import GAMES, RACES, RESULTS, TRACE, WRITING

DRAWN = ("--draws", "400", "--tune", "400", "--chains", "2", "--quiet")
SAMPLED = ("not-converged", "approximate", "converged")
FURTHER = {
    "demo": [("demo", "--no-browser", "--out", "demo")],
    "summary": [("summary", TRACE)],
    "models": [("models",), ("models", "davidson"), ("models", "davidson", "--prior")],
    "data list": [("data", "list")],
    "data archives": [("data", "archives")],
    "data time-controls": [("data", "time-controls", GAMES)],
    "rate": [
        ("rate", GAMES, "--model", "davidson-common", "--method", "normal", "--out", "normal"),
        ("rate", GAMES, "--model", "davidson-common", "--out", "sampled", *DRAWN),
    ],
    "performance": [("performance", "inputs/rated.csv", "--cross")],
    "list": [("list", GAMES, "--system", "all"), ("list", "inputs/rated.csv", "--system", "fide")],
    "mle": [("mle", GAMES)],
    "sprt": [("sprt", "--counts", "5,80,150,91,6")],
    "tournament": [
        ("tournament", TRACE, "inputs/players.txt", "--format", "knockout", "--simulations", "100"),
        ("tournament", TRACE, "inputs/players.txt", "--format", "swiss", "--rounds", "2", "--simulations", "100"),
        ("tournament", TRACE, "inputs/players.txt", "--format", "season", "--simulations", "100"),
    ],
    "forecast": [("forecast", TRACE, GAMES)],
    "races backtest": [("races", "backtest", RACES, "--systems", "uniform,elo")],
    "bridge score": [("bridge", "score", RESULTS)],
    "bridge rate": [("bridge", "rate", RESULTS, "--unit", "pair")],
}
SLOW = (
    "site",
    "study",
    "report",
    "calibrate",
    "bridge rate",
    "bridge rate, trace",
    "demo",
    "judges",
    "races rate",
    "races list",
    "leaderboard",
)
WRONG = {  # by code: what every such mistake is, of any command that reads a file
    "missing": ("rank", "inputs/none.nc"),
    "usage": ("rank",),
    "option": ("rank", TRACE, "--nothing"),
    "games": ("rate", "inputs/players.txt", "--out", "x"),
    "model": ("fit", GAMES, "--model", "nothing", "--out", "x.nc"),
    "place": ("rank", TRACE, "--out", "inputs"),
    "standard": ("fit", GAMES, "--model", "bt-common", "--out", "-"),
}


def cases(slow=False):
    """Arguments of each command by its name in `WRITING`; further ones are slow."""
    commands = set()
    for name, words in every_case():
        command = name.partition(",")[0]
        if (name in SLOW or command in commands) == slow:
            yield name, words
        commands.add(command)


def every_case():
    """Arguments of each command in each case."""
    for name, one in WRITING.items():
        if name != "rank, page":
            yield name, (*one.words, *one.old)
    for name, several in FURTHER.items():
        yield from ((name, words) for words in several)
