"""A trace as a model and its parameters, so that the model's own formula says what any game looks like under each draw.

Draws of all chains stand one after the other. A walk goes on beyond its last period with fresh innovations, so that a
forecast h periods ahead carries the uncertainty of h periods.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr

from halfpoint.games.errors import GameTableError
from halfpoint.games.find_player import Players
from halfpoint.games.rating_history import NO_TIME, RatingHistory, time_of
from halfpoint.games.sides import PLUS, side_name
from halfpoint.games.table import Codes, Floats, GameTable, Texts
from halfpoint.games.units import to_natural
from halfpoint.models.errors import ModelError, OwnCodeError
from halfpoint.models.model import Model
from halfpoint.models.parts.column_coding import KEPT, Coding, coding_from_trace, draw_unseen_levels
from halfpoint.models.parts.corrected_list import COLUMN, MEANS, columns_of
from halfpoint.models.record import model_of, own_code
from halfpoint.models.rows import Clock, GameRows, Rows, Side, meetings, team_sides

POINTWISE_DRAWS = 1000  # draws of the log likelihood of each game that a large trace keeps, spread evenly over chains
_POINTWISE_VALUES = 40_000_000  # numbers (160 MB) up to which a trace keeps that of all draws
MOST_GAMES = 200_000  # of which each one's likelihood is made again
_LARGE = 50_000_000  # numbers from which on a copy in double precision is not made
_CHUNK_VALUES = 200_000  # (draw, row) pairs at a time: temporaries stay in the processor's cache
_OF_SEATS = ("advantage", "advantage_mean", "advantage_step_spread")  # of which games on neutral ground tell nothing
_KEPT = ("period", "date", "white_rating_elo", "black_rating_elo")  # columns of games that a trace keeps
REPORTED = ("rating_elo", "rating_elo_by_month", "advantage_elo", "draw_rate")  # of `elo_scale`: no formula reads them


def draws_of(posterior: xr.Dataset, thin: int = 1, large: int = _LARGE) -> dict[str, Floats]:
    """The parameters of a posterior, shapes (draw, ...), chains one after the other; large ones as held."""
    found: dict[str, Floats] = {}
    for key, variable in posterior.data_vars.items():
        if str(key) not in REPORTED and {"chain", "draw"} <= set(variable.dims) and variable.dtype.kind == "f":
            value = variable.transpose("chain", "draw", ...).to_numpy()[:, ::thin]
            value = value.reshape(-1, *value.shape[2:])
            found[str(key)] = value if value.size > large else value.astype(np.float64, copy=False)
    return found


def chunks(
    model: Model, p: dict[str, Floats], rows: GameRows, seed: int = 0, likelihood: bool = False
) -> Iterator[tuple[slice, Floats]]:
    """Yield (draws, log probabilities (draw, row, outcome)), p (draw, ...); a half-point draw is the others' mean."""
    p, rows = draw_unseen_levels(model.effects, carry_walks(model, p, rows, seed), rows, seed)
    for part, some in parts(p, len(rows)):
        margin = rows.margin if likelihood else None
        yield part, model.formula(some).log_likelihood(*model.sides(some, rows), margin)


def parts(p: dict[str, Floats], rows: int) -> Iterator[tuple[slice, dict[str, Floats]]]:
    """Yield draws, and their parameters, few enough at a time that numbers of so many rows stay in the cache."""
    step = max(1, _CHUNK_VALUES // max(1, rows))
    for start in range(0, p["strength"].shape[0], step):
        part = slice(start, start + step)
        yield part, {name: value[part] for name, value in p.items()}


def carry_walks(model: Model, p: dict[str, Floats], rows: GameRows, seed: int = 0) -> dict[str, Floats]:
    """The parameters with walks carried on to the last period of the rows."""
    if not model.walks or not len(rows):
        return p
    if rows.period.min() < 0:
        raise ModelError("forecast: expected games no older than the first month of the model, found older ones")
    missing = int(rows.period.max()) + 1 - p["strength"].shape[-1]
    if missing <= 0:
        return p
    return {**p, **model.strength.carried(p, missing, seed), **model.advantage.carried(p, missing, seed + 1)}


def outcome_log_likelihood(model: Model, p: dict[str, Floats], rows: GameRows, outcome: Codes) -> Floats:
    """The unweighted log likelihood of each game under each draw, shape (draw, game)."""
    index = np.arange(len(rows)), outcome.astype(np.intp)
    return np.concatenate([value[:, index[0], index[1]] for _, value in chunks(model, p, rows, likelihood=True)])


def weighted_log_likelihood(model: Model, p: dict[str, Floats], rows: GameRows, weight: Floats) -> Floats:
    """The log likelihood of all rows with weights (row, outcome) under each draw, shape (draw,)."""
    every = chunks(model, p, rows, likelihood=True)
    return np.concatenate([np.tensordot(value, weight, axes=([1, 2], [0, 1])) for _, value in every])


@dataclass(frozen=True, eq=False)
class Reading:
    """A fitted model: what forecasts, matches and tournaments need of a trace."""

    model: Model  # the model
    p: dict[str, Floats]  # (draw, ...): parameters in natural units, chains one after the other
    players: Texts  # (player,): players with parameters
    first_period: int = 0  # number of the first period of a walk, else 0
    coding: Coding | None = None  # how the games of the fit code the columns of effects, which count nothing without it
    clock: Clock | None = None  # what the periods of a walk were; None where nobody knows
    history: RatingHistory | None = None  # printed ratings of the players so far, where the games had any
    # month of the last game that the model was fitted to, as `halfpoint.games.rating_history.time_of` counts
    last_month: int = NO_TIME
    # parameters whose graph has other steps from period to period than their part states: nobody knows how they go on
    restless: str = ""

    def index(self, player: str) -> int:
        """The place of a player, whose name may differ in case and accents."""
        return Players(self.players.tolist()).find(player)

    def thinned(self, draws: Rows) -> "Reading":
        """The same with some of the draws."""
        return replace(self, p={name: value[draws] for name, value in self.p.items()})

    def side(self, name: str) -> tuple[str, Side]:
        """What a typed name means, spelt as the model does, as a side: a player, or several joined by a plus."""
        known = Players(self.players.tolist())
        whole = known.place(name)
        typed = [name] if whole is not None or PLUS not in name else [part.strip() for part in name.split(PLUS)]
        codes = sorted(known.find(one) for one in typed)
        if len(set(codes)) < len(codes):
            raise GameTableError("side", "every player once", repr(name))
        names = [known.names[code] for code in sorted(codes, key=known.names.__getitem__)]
        members = np.array([codes], dtype=np.int32)
        return side_name(names, np.ones(len(names))), team_sides(members, np.ones(members.shape))

    def seats(self, games: GameTable) -> tuple[Side, Side]:
        """The sides of games of several people, each person known to the model."""
        assert games.sides is not None
        known = Players(self.players.tolist())
        found = {name: known.place(name) for name in games.people.tolist()}
        everyone = games.everyone
        lost = np.isin(everyone, np.flatnonzero([place is None for place in found.values()]))
        if lost.any():
            game, seat = np.argwhere(lost)[0].tolist()
            name = str(games.people[everyone[game, seat]])
            raise GameTableError(games.place(game), "people who are rated", repr(name), known.hint(name))
        position = np.array(list(found.values()), dtype=np.int32)
        sides = games.sides.among(position, self.players)
        white, black = (team_sides(sides.members[side], sides.share[side]) for side in (games.white, games.black))
        return white, black

    def rows(
        self, games: GameTable, white: Codes | Side, black: Codes | Side, ratings: tuple[Floats, Floats]
    ) -> GameRows:
        """New games as the model reads them; white, black (game,), ratings (game,)."""
        if self.by_list and self.history is not None and not isinstance(white, Side) and not isinstance(black, Side):
            games = self.on_the_list(games, white, black)
        rows = self.model.rows(games, white, black, ratings, self.first_period, self.coding, self.clock)
        if self.restless and len(rows) and rows.period.max() >= self.p["strength"].shape[-1]:
            raise ModelError(
                f"forecast: expected games within the dates of the fit, since the graph of {self.restless} has other "
                "steps than its part states, found later ones. State how it goes on: Part.transitions."
            )
        return rows

    @property
    def by_list(self) -> bool:
        """Whether the model reads printed ratings of players whom it knows."""
        return bool(self.model.strength.needed)

    def on_the_list(self, games: GameTable, white: Codes, black: Codes) -> GameTable:
        """Games with ratings on the day, the last known ones where none are given, and means so far.

        Games of the months that the model was fitted to say themselves what the ratings were until then.
        """
        assert self.history is not None
        time = time_of(games)
        if time.max() != NO_TIME and time.max() <= self.last_month:
            return games
        told: dict[str, Any] = {}
        means: dict[str, Floats] = {}
        for side, codes, names, mean in (
            ("white_rating_elo", white, games.white_names, MEANS[0]),
            ("black_rating_elo", black, games.black_names, MEANS[1]),
        ):
            spelt = np.where(codes >= 0, self.players[np.maximum(codes, 0)], names)  # as the model does
            told[side], means[mean] = self.history.at(spelt, getattr(games, side))
        return replace(games, **told, covariates={**games.covariates, **means})

    def rated_today(self, ratings_elo: Mapping[str, float]) -> "Reading":
        """The same on a day on which players have these ratings, Elo points by the model's names."""
        if not self.by_list or self.history is None:
            raise ModelError(
                f"rating: expected a model of the printed list (listed, listed-draws, listed-full) for the rating of a "
                f"player whom the trace knows, found {self.model.name}. Leave the rating out."
            )
        today = np.array([ratings_elo.get(str(name), np.nan) for name in self.history.players])
        last, mean = self.history.at(self.history.players, today)
        months = self.history.months + ~np.isnan(today)
        return replace(self, history=replace(self.history, last_elo=last, mean_elo=mean, months=months))

    def probabilities(self, rows: GameRows, seed: int = 0) -> Floats:
        """The probabilities of each outcome, shape (outcome, draw, row); half points have draws of 0."""
        result = np.empty((3, self.p["strength"].shape[0], len(rows)))
        for part, value in chunks(self.model, self.p, rows, seed):
            np.exp(np.moveaxis(value, -1, 0), out=result[:, part])
        if not self.model.outcome.draws:
            result[1] = 0.0
        return result

    def pairing(self, white: Codes | Side, black: Codes | Side) -> Floats:
        """The probabilities of games of `today`, shape (draw, row, outcome)."""
        return np.moveaxis(self.probabilities(self.today(white, black)), 0, -1)

    def today(self, white: Codes | Side, black: Codes | Side) -> GameRows:
        """Games between known players or sides of them at the end of the games that the model was fitted to.

        Walks are taken at their last period, printed ratings as they are last known, effects of columns at zero;
        partners bring what they bring together.
        """
        count = len(white)
        nothing = np.zeros(count)
        last = np.full(count, self.p["strength"].shape[-1] - 1 if self.model.walks else 0, dtype=np.int64)
        columns = {} if self.coding is None else self.coding.of_sides(white, black)
        if self.by_list and not isinstance(white, Side) and not isinstance(black, Side):
            known = self.history or RatingHistory.nothing(self.players)
            sides = [known.at(self.players[codes]) for codes in (white, black)]
            columns |= {COLUMN: columns_of(*(np.stack([side[k] for side in sides]) for k in (0, 1)))}
        return meetings(white, black, nothing, nothing, last, columns)


def model_in(attributes: Mapping[Any, object]) -> Model:
    """The model that the attributes of a trace describe."""
    text = attributes.get("model_record")
    try:
        record = json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        record = None
    if not isinstance(record, dict):
        raise ModelError(f"trace: expected the record of its model, found {str(text)[:40]!r}")
    return model_of(record)


def reading_of(trace: xr.DataTree, thin: int = 1) -> Reading:
    """The model of a trace and its parameters."""
    posterior, model = trace["posterior"].to_dataset(), model_in(trace.attrs)
    first = (int(posterior["month"][0]) - 1) // model.strength.every + 1 if "month" in posterior.coords else 0
    known = trace["constant_data"].to_dataset() if "constant_data" in trace.children else xr.Dataset()
    constant = {str(name): value.to_numpy() for name, value in known.data_vars.items()}
    clock: Clock | None = "period" if "period" in constant else "date" if "date" in constant else None
    players = posterior["player"].to_numpy().astype(np.str_)
    history, last = _history_of(constant, players), NO_TIME
    if history is not None and clock is not None:
        time = constant[clock]
        last = int(time.max()) if clock == "period" else int(time.astype("datetime64[M]").astype(np.int64).max())
    labels = {str(name): value.to_numpy() for name, value in posterior.coords.items()}
    coding = coding_from_trace(model.effects, constant, labels, players)
    p, restless = draws_of(posterior, thin), str(trace.attrs.get("restless", ""))
    if "neutral" in constant and bool((constant["neutral"] == 1.0).all()):  # what the prior says of seats is no news
        p |= {name: np.zeros_like(p[name]) for name in _OF_SEATS if name in p}
    return Reading(model, p, players, first, coding, clock, history, last, restless)


def keeps_games(model: Model) -> bool:
    """Whether a trace keeps all that a model reads of its games: no printed ratings, margins or own code."""
    return not (model.strength.needed or model.outcome.margin or own_code(model))


def games_in(trace: xr.DataTree) -> GameTable:
    """The games of a trace, where `keeps_games`: who played, scores, times, ratings, columns of effects."""
    constant = trace["constant_data"].to_dataset()
    names, place = np.unique(
        np.concatenate([constant[name].to_numpy().astype(np.str_) for name in ("white_name", "black_name")]),
        return_inverse=True,
    )
    white, black = place.astype(np.int32).reshape(2, -1)
    told: dict[str, Any] = {name: constant[name].to_numpy() for name in _KEPT if name in constant}
    kept = [str(name) for name in constant if name == "neutral" or str(name).startswith(KEPT)]
    columns = {name.removeprefix(KEPT): constant[name].to_numpy() for name in kept}
    about: dict[str, Any] = {
        "name": trace.attrs["data_name"],
        "source": trace.attrs["data_name"],
        "seats": trace.attrs.get("seats"),
    }
    about |= {"sha256": trace.attrs["data_sha256"] or None, "simulated": bool(trace.attrs["data_simulated"])}
    score = trace["observed_data"]["score"].to_numpy()
    return GameTable(names, white, black, score, covariates=columns, **told, **about)


def _rows_in(trace: xr.DataTree) -> GameRows:
    """The games of a trace as its model reads them, where `keeps_games`."""
    reading, constant = reading_of(trace), trace["constant_data"].to_dataset()
    seats: list[Any] = [constant[name].to_numpy() for name in ("white", "black")]
    known = to_natural(np.nan_to_num(constant["anchor_elo"].to_numpy()))
    white_side, black_side = seats
    if "side_player" in constant:
        members, share = (constant[name].to_numpy() for name in ("side_player", "side_share"))
        white_side, black_side = (team_sides(members[one], share[one]) for one in seats)
    games, first = games_in(trace), reading.first_period
    return reading.model.rows(games, white_side, black_side, (known, known), first, reading.coding, reading.clock)


def pointwise_kept(kept: int, games: int, asked: int | None = None) -> int:
    """Of how many draws a trace keeps the log likelihood of each game: as asked, else all while that is little.

    ArviZ takes the efficiency of the draws from the posterior: of fewer draws `az.loo` misjudges it.
    """
    if asked is None:
        asked = kept if kept * games <= _POINTWISE_VALUES else POINTWISE_DRAWS
    return min(kept, max(0, asked))


def likelihood_of_games(
    model: Model, posterior: xr.Dataset, rows: GameRows, outcome: Codes, draws: int | None = None
) -> xr.Dataset:
    """The unweighted log likelihood of each game as a trace has it (`pointwise_kept`), draws spread evenly."""
    chains, length = posterior.sizes["chain"], posterior.sizes["draw"]
    step = -(-chains * length // max(1, pointwise_kept(chains * length, outcome.size, draws)))
    kept = np.arange(0, length, step)
    value = outcome_log_likelihood(model, draws_of(posterior, step), rows, outcome)
    return xr.Dataset(
        {"score": (("chain", "draw", "game"), value.astype(np.float32).reshape(chains, kept.size, -1))},
        coords={"chain": posterior["chain"], "draw": posterior["draw"][kept]},
    )


def with_likelihood_of_games(trace: xr.DataTree, draws: int | None = POINTWISE_DRAWS) -> xr.DataTree:
    """A trace with the group `log_likelihood` of so many draws, made anew where it has fewer or none.

    As `rate` leaves it out, and traces of the study keep a quarter; None for all draws, which `az.loo` asks for.

    It is the same where it has the group, or cannot have it: of edited models, of code of somebody's own, of more
    than `MOST_GAMES`, whose likelihoods would be gigabytes.
    """
    lost = trace.attrs.get("edited") or {"constant_data", "observed_data"} - set(trace.children)
    there, sizes = trace.children.get("log_likelihood"), trace["posterior"].sizes
    kept = sizes["chain"] * sizes["draw"]
    draws = kept if draws is None else min(kept, draws)
    enough = there is not None and there.sizes["chain"] * there.sizes["draw"] >= draws
    if lost or enough or trace["observed_data"].sizes["game"] > MOST_GAMES:
        return trace
    try:
        model = model_in(trace.attrs)
    except OwnCodeError:
        return trace
    if not keeps_games(model):
        return trace
    outcome = (2.0 * trace["observed_data"]["score"].to_numpy()).astype(np.int32)
    found = likelihood_of_games(model, trace["posterior"].to_dataset(), _rows_in(trace), outcome, draws)
    return trace.assign({"log_likelihood": xr.DataTree(found)})


def _history_of(constant: Mapping[str, npt.NDArray[Any]], players: Texts) -> RatingHistory | None:
    """The printed ratings so far that a trace keeps, in the order of the players' names; None if it has none."""
    if "listed_elo" not in constant:
        return None
    order = np.argsort(players)
    kept = (constant[name] for name in ("listed_elo", "listed_mean_elo", "listed_months"))
    last, mean, months = (np.asarray(one, dtype=np.float64)[order] for one in kept)
    return RatingHistory(players[order], last, mean, months)
