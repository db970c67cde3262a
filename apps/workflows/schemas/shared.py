"""Keys, rows and records that several commands have.

A type gives the kind of a value; text beside it in `Annotated` is the description of the key. Numbers may be None,
since a number that is not finite is printed as null. Rows are objects in which keys may be absent.
"""

from typing import Annotated, Literal, NotRequired, TypedDict, TypeVar

Object = TypeVar("Object")
Rows = Annotated[list[Object], "One object a row, as in the CSV"]

Title = Annotated[str, "What the record has, in words"]
Sentence = Annotated[str, "The answer in a sentence"]
Note = Annotated[str, "Remarks on the rows"]
Data = Annotated[str, "Name of the data"]
Simulated = Annotated[bool, "True if the games were simulated"]
Sha256 = Annotated[str, "SHA-256 of the file"]
Folder = Annotated[str, "Folder of the files that were written"]

ModelName = Annotated[str, "Name of the model"]
Edition = Annotated[str, "Edition of a model of the study"]
Seats = Annotated[str, "Words for the first and the second seat"]
Verdict = Annotated[str, "The sampler's diagnosis, in words"]
Converged = Annotated[bool, "True if every diagnosis passed"]
Approximate = Annotated[bool, "True if the draws are of the normal approximation"]
Level = Annotated[str, "What fixes the level of the ratings"]
AdvantageElo = Annotated[dict[str, object], "Advantage of the first seat: mean, low, high, Elo points"]
DrawRate = Annotated[dict[str, object], "Draws between equals: mean, low, high"]

Player = Annotated[str, "Name of the player"]
Rank = Annotated[int, "Rank, from 1"]
RankLow = Annotated[int, "Lower end of the 95% interval of the rank"]
RankHigh = Annotated[int, "Upper end of the 95% interval of the rank"]
BestPercent = Annotated[float, "Probability of being the strongest, percent"]
Tier = Annotated[int, "Tier: players of different tiers differ significantly"]
RatingElo = Annotated[float, "Rating, Elo points"]
MeanElo = Annotated[float, "Rating, posterior mean, Elo points"]
SdElo = Annotated[float, "Posterior standard deviation, Elo points"]
LowElo = Annotated[float, "Lower end of the 95% interval, Elo points"]
HighElo = Annotated[float, "Upper end of the 95% interval, Elo points"]
Games = Annotated[int, "Number of games"]
Wins = Annotated[int, "Games won"]
Draws = Annotated[int, "Games drawn"]
Losses = Annotated[int, "Games lost"]
Score = Annotated[float, "Points, a draw is half a point"]

White = Annotated[str, "Name in the first seat"]
Black = Annotated[str, "Name in the second seat"]
Day = Annotated[str, "Day of the game, if the file has days"]
ExpectedPercent = Annotated[float, "Expected share of the points"]
ExpectedLowPercent = Annotated[float, "Lower end of its 95% interval"]
ExpectedHighPercent = Annotated[float, "Upper end of its 95% interval"]


class Unsampled(TypedDict):
    """Status of an answer for which nothing is sampled."""

    code: Annotated[Literal["ok"], "Nothing is sampled"]
    exit_code: Annotated[Literal[0], "The exit code of the command"]


class Sampled(TypedDict):
    """Status of an answer that may depend on draws."""

    code: Annotated[Literal["ok", "converged", "approximate", "not-converged"], "State of the draws, ok without"]
    exit_code: Annotated[Literal[0, 3], "The exit code of the command"]


class Record(TypedDict):
    """Every answer."""

    title: Title


class Answered(Record):
    """Answer with a first sentence."""

    answer: NotRequired[Sentence]
    simulated: NotRequired[Simulated]
    note: NotRequired[Note]


class OfData(Answered):
    """Answer from games."""

    data: NotRequired[Data]


class MaybeFitted(OfData):
    """Answer from games, by a model or without one."""

    model: NotRequired[ModelName]
    seats: NotRequired[Seats]
    verdict: NotRequired[Verdict]
    converged: NotRequired[Converged]
    approximate: NotRequired[Approximate]


class Fitted(OfData):
    """Answer from games by a model."""

    model: NotRequired[ModelName]
    seats: Seats
    verdict: NotRequired[Verdict]
    converged: Converged
    approximate: Approximate


class OfTrace(Fitted):
    """Answer from a trace."""

    edition: NotRequired[Edition]


class Table[Row](Record):
    """Rows with a title."""

    rows: Rows[Row]


class DataTable[Row](OfData):
    """Rows from games."""

    rows: Rows[Row]


class TraceTable[Row](OfTrace):
    """Rows from a trace."""

    rows: Rows[Row]


class SimulatedFiles(Record):
    """Files of simulated games."""

    simulated: NotRequired[Simulated]
    count: Annotated[int, "Number of games or races"]
    results: Annotated[str, "File of the results"]
    truth: Annotated[str, "File of the true strengths"]


class Interval(TypedDict, total=False):
    """Error of an estimate."""

    sd_elo: SdElo | None
    low_elo: LowElo | None
    high_elo: HighElo | None


class Rated(Interval, total=False):
    """Rating from draws."""

    rank: Rank | None
    rating_elo: MeanElo | None
    rank_low: RankLow | None
    rank_high: RankHigh | None
    best_percent: BestPercent | None
    tier: Tier | None


class Played(TypedDict, total=False):
    """Results of a player."""

    games: Games | None
    wins: Wins | None
    draws: Draws | None
    losses: Losses | None
    score: Score | None
    opponents_elo: Annotated[float | None, "Mean rating of the opponents, Elo points"]


class RatedPlayer(Rated, Played, total=False):
    """Player of a rating list from draws."""

    player: Player | None
