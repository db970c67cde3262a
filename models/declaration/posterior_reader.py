"""A trace as a model and its parameters: the model's own formula gives the probabilities of any game under each draw.

Draws of all chains are concatenated. A walk continues beyond its last period with fresh innovations, so that a forecast
h periods ahead includes the uncertainty of h periods.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr

from halfpoint.models.declaration.record import model_of
from halfpoint.models.declaration.trace_attributes import WALKS, WORTH, json_in, reads_in, record_in, traits_in
from halfpoint.models.declaration.worth import Worth, worth_from_text
from halfpoint.models.errors import ModelError
from halfpoint.models.formulas.by_name import formula_named
from halfpoint.models.formulas.outcome import Outcome
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.find_player import Players
from halfpoint.models.games.rating_history import NO_TIME, RatingHistory, time_of
from halfpoint.models.games.sides import PLUS, side_name
from halfpoint.models.games.table import Codes, Floats, GameTable, Integers, Texts
from halfpoint.models.language.laws import Transition
from halfpoint.models.language.model import Model
from halfpoint.models.reading.reads import Reads
from halfpoint.models.reading.sides import Reader, RowSides, Sides
from halfpoint.models.reading.traits import Traits
from halfpoint.models.rows.column_coding import Coding, coding_from_trace, draw_unseen_levels, zero_columns
from halfpoint.models.rows.days import DAYS, VISITS, DayLaw, clock_of, visits_in, visits_of_rows
from halfpoint.models.rows.printed_list import COLUMN, MEANS, columns_of
from halfpoint.models.rows.rows import Clock, GameRows, Rows, Side, meetings, team_sides

_LARGE = 50_000_000  # numbers from which on a copy in double precision is not made
_CHUNK_VALUES = 200_000  # (draw, row) pairs at a time: temporaries stay in the processor's cache
_OF_SEATS = ("advantage", "advantage_mean", "advantage_step_spread")  # not identified by games on neutral ground
REPORTED = ("rating_elo", "rating_elo_by_month", "advantage_elo", "draw_rate")  # of `elo_scale`: no formula reads them


def draws_of(posterior: xr.Dataset, thin: int = 1, large: int = _LARGE) -> dict[str, Floats]:
    """Parameters of a posterior, shapes (draw, ...), chains concatenated; large arrays are not copied."""
    parameters: dict[str, Floats] = {}
    for key, variable in posterior.data_vars.items():
        if str(key) not in REPORTED and {"chain", "draw"} <= set(variable.dims) and variable.dtype.kind == "f":
            value = variable.transpose("chain", "draw", ...).to_numpy()[:, ::thin]
            value = value.reshape(-1, *value.shape[2:])
            parameters[str(key)] = value if value.size > large else value.astype(np.float64, copy=False)
    return parameters


def parts(p: dict[str, Floats], rows: int) -> Iterator[tuple[slice, dict[str, Floats]]]:
    """Yield draws with their parameters in batches that fit the cache."""
    step = max(1, _CHUNK_VALUES // max(1, rows))
    for start in range(0, len(next(iter(p.values()))), step):
        part = slice(start, start + step)
        yield part, {name: value[part] for name, value in p.items()}


@dataclass(frozen=True, eq=False)
class Reading:
    """Fitted model, as forecasts, matches and tournaments read it from a trace."""

    name: str  # of the model
    traits: Traits
    reads: Reads  # what its function reads of games
    formula: str  # name of the formula of a game
    p: dict[str, Floats]  # (draw, ...): parameters in natural units, chains one after the other
    players: Texts  # (player,): players with parameters
    first_period: int = 0  # number of the first period of a walk, else 0
    periods: int = 1  # of the fit
    transitions: Mapping[str, Transition | None] = field(
        default_factory=dict
    )  # how periods of parameters follow one another
    coding: Coding | None = None  # how the games of the fit code the columns of effects, which count nothing without it
    clock: Clock | None = None  # periods of a walk; None if unknown
    history: RatingHistory | None = None  # printed ratings of the players so far, where the games had any
    # month of the last game that the model was fitted to, as `halfpoint.models.games.rating_history.time_of` counts
    last_month: int = NO_TIME
    worth: Worth | None = None  # what players are worth at the end of the games, where a record says it
    given: Model | None = None  # the model, if available
    record: Mapping[str, Any] = field(default_factory=dict)  # the model as a trace records it
    facts: Mapping[str, Any] = field(default_factory=dict)  # what else its function reads: ratings, entries, a list
    imputed: Floats | None = None  # (draw, game or 1): half advantage of opponents without one, in place of the model's
    edited: str = ""  # edits of the model's graph, in words
    days: Mapping[str, DayLaw] = field(default_factory=dict)  # how states by days follow one another, by parameter
    # the rows read last, with what they were read with, and their sides; shared by copies
    latest: list[tuple[tuple[object, ...], RowSides]] = field(default_factory=list, repr=False)

    @cached_property
    def model(self) -> Model:
        """Model; `OwnCodeError` if its function must be given again."""
        return model_of(self.record) if self.given is None else self.given

    @cached_property
    def outcome(self) -> Outcome:
        """Outcome formula of a game."""
        formula = formula_named(self.formula)
        if formula is not None:
            return formula
        codes = np.zeros(1, dtype=np.int32)
        return self._read(self.today(codes, codes), self.p).outcome

    @property
    def last_strength(self) -> Floats:
        """Strengths at the end of the games, (draw, player), of a walk of any name."""
        strength = self.p["strength"]
        return strength[..., -1] if strength.ndim > 2 else strength

    @property
    def by_list(self) -> bool:
        """True if the model reads printed ratings of its players."""
        return self.traits.printed

    def _read(self, rows: GameRows, p: Mapping[str, Floats]) -> RowSides:
        """Sides of rows, by the model's function."""
        shapes = {name: np.shape(value)[1:] for name, value in p.items()}
        numbers = shapes, self.first_period, self.periods, self.imputed is None
        inputs = rows, self.facts, self.players, self.coding, self.given, self.record, self.reads
        for cached, sides in self.latest:
            if cached[0] == numbers and all(old is new for old, new in zip(cached[1:], inputs, strict=True)):
                return sides
        walks = max((shape[-1] for name, shape in shapes.items() if name in self.transitions and shape), default=1)
        reader = Reader(
            self.model, self.reads, self.players, self.coding, first_period=self.first_period,
            periods=max(walks, self.periods), imputed=self.imputed is not None, **self.facts,
        )  # fmt: skip
        self.latest[:] = [((numbers, *inputs), reader.at(p, rows))]
        return self.latest[0][1]

    def index(self, player: str) -> int:
        """Index of the player; case and accents may differ."""
        return Players(self.players.tolist()).find(player)

    def thin(self, draws: Rows) -> "Reading":
        """Reading with some of the draws."""
        return replace(self, p={name: value[draws] for name, value in self.p.items()})

    def side(self, name: str) -> tuple[str, Side]:
        """Resolve a typed name to a side, spelt as in the model: a player, or several players joined by a plus."""
        players = Players(self.players.tolist())
        place = players.place(name)
        typed = [name] if place is not None or PLUS not in name else [part.strip() for part in name.split(PLUS)]
        codes = sorted(players.find(part) for part in typed)
        if len(set(codes)) < len(codes):
            raise GameTableError("side", "every player once", repr(name))
        names = [players.names[code] for code in sorted(codes, key=players.names.__getitem__)]
        members = np.array([codes], dtype=np.int32)
        return side_name(names, np.ones(len(names))), team_sides(members, np.ones(members.shape))

    def seats(self, games: GameTable) -> tuple[Side, Side]:
        """The sides of games of several people, each person known to the model."""
        return seats_among(self.players, games)

    def rows(
        self, games: GameTable, white: Codes | Side, black: Codes | Side, ratings: tuple[Floats, Floats]
    ) -> GameRows:
        """New games as the model reads them; white, black (game,), ratings (game,)."""
        if self.by_list and self.history is not None and not isinstance(white, Side) and not isinstance(black, Side):
            games = self.on_the_list(games, white, black)
        reads = replace(self.reads, margin=self.outcome.margin)
        rows = reads.rows(games, white, black, ratings, self.first_period, self.coding, self.clock, self.name)
        return replace(rows, at_end=(white, black)) if self._of_the_end(rows) else rows

    def _of_the_end(self, rows: GameRows) -> bool:
        """True if games depend on the seats only, at the end of the games of the fit."""
        unanchored = not rows.white.anchored.any() and not rows.black.anchored.any()
        last = not self.reads.every or bool((rows.period == self.periods - 1).all())
        return unanchored and last and not rows.columns and bool((rows.seated == 1.0).all())

    def on_the_list(self, games: GameTable, white: Codes, black: Codes) -> GameTable:
        """Games with ratings on the day, by default the last known ratings, and mean ratings so far.

        Games of the months of the fit are returned unchanged: they contain the ratings until then.
        """
        assert self.history is not None
        time = time_of(games)
        if time.max() != NO_TIME and time.max() <= self.last_month:
            return games
        ratings: dict[str, Any] = {}
        means: dict[str, Floats] = {}
        for side, codes, names, mean in (
            ("white_rating_elo", white, games.white_names, MEANS[0]),
            ("black_rating_elo", black, games.black_names, MEANS[1]),
        ):
            spelt = np.where(codes >= 0, self.players[np.maximum(codes, 0)], names)  # as the model does
            ratings[side], means[mean] = self.history.at(spelt, getattr(games, side))
        return replace(games, **ratings, covariates={**games.covariates, **means})

    def rated_today(self, ratings_elo: Mapping[str, float]) -> "Reading":
        """Games on a day with given ratings of players, Elo points by the model's names."""
        if not self.by_list or self.history is None:
            raise ModelError(
                f"rating: expected a model of the printed list (listed, listed-draws, listed-full) for the rating of a "
                f"player of the trace, found {self.name}. Leave the rating out."
            )
        today = np.array([ratings_elo.get(str(name), np.nan) for name in self.history.players])
        last, mean = self.history.at(self.history.players, today)
        months = self.history.months + ~np.isnan(today)
        return replace(self, history=replace(self.history, last_elo=last, mean_elo=mean, months=months))

    def extend_for(self, rows: GameRows, seed: int = 0) -> tuple[dict[str, Floats], GameRows]:
        """Parameters with the further periods and group levels of some rows, and these rows."""
        p = self.with_later_periods(rows, seed)
        return draw_unseen_levels(self.reads.effects, p, rows, seed, self.reads.given)

    def with_later_periods(self, rows: GameRows, seed: int = 0) -> dict[str, Floats]:
        """The parameters with later periods up to the last period of the rows, by the laws of the fitted graph."""
        if not self.reads.every or not len(rows):
            return self.p
        if self.reads.every == DAYS:
            return self.on_days(*visits_of_rows(rows), seed)
        if rows.period.min() < 0:
            raise ModelError("forecast: expected games no older than the first month of the model, found older games")
        missing = int(rows.period.max()) + 1 - self.periods
        if missing <= 0:
            return self.p
        from halfpoint.models.declaration.extension import with_periods

        return with_periods(self, missing, seed)

    def on_days(self, player: Integers, tick: Integers, seed: int = 0) -> dict[str, Floats]:
        """The parameters with states of players at further times, by the laws of the fit."""
        before = self.facts["visits"]
        visits = before.including(player, tick, self.players.size, self.periods - 1)
        if visits is before:
            return self.p
        added = {
            name: law.further(self.p[name], self.p, visits, [seed, k])
            for k, (name, law) in enumerate(self.days.items())
        }
        return self.p | added

    def under(self, rows: GameRows, seed: int = 0) -> Iterator[tuple[slice, Sides]]:
        """Yield batches of draws and the sides of rows under them."""
        p, rows = self.extend_for(rows, seed)
        row_sides = self._read(rows, p)
        for part, batch in parts(p, len(rows)):
            sides = row_sides.under(batch)
            if self.imputed is not None:
                unknown = self.imputed[part]
                white = sides.white + unknown * rows.white.anchored
                sides = replace(sides, white=white, black=sides.black - unknown * rows.black.anchored)
            yield part, sides

    def chunks(self, rows: GameRows, seed: int = 0, likelihood: bool = False) -> Iterator[tuple[slice, Floats]]:
        """Yield (draws, log probabilities (draw, row, outcome)); a half-point draw is the others' mean."""
        margin = rows.margin if likelihood else None
        if margin is None and rows.at_end is not None and self.worth is not None and self.imputed is None:
            yield from self._at_end(rows)
            return
        for part, sides in self.under(rows, seed):
            yield part, sides.log_likelihood(margin)

    def _at_end(self, rows: GameRows) -> Iterator[tuple[slice, Floats]]:
        """Log probabilities of games at the end, by the record of values of players."""
        assert self.worth is not None
        assert rows.at_end is not None
        for part, some in parts(self.p, len(rows)):
            white, black, lam = self.worth.under(some, *rows.at_end)
            yield part, self.outcome.at(_wide(some, self.outcome)).log_probability(white, black, lam)

    def probabilities(self, rows: GameRows, seed: int = 0) -> Floats:
        """The probabilities of each outcome, shape (outcome, draw, row); half points have draws of 0."""
        result = np.empty((3, len(next(iter(self.p.values()))), len(rows)))
        for part, value in self.chunks(rows, seed):
            np.exp(np.moveaxis(value, -1, 0), out=result[:, part])
        if not self.outcome.draws:
            result[1] = 0.0
        return result

    def pairing(self, white: Codes | Side, black: Codes | Side) -> Floats:
        """The probabilities of games of `today`, shape (draw, row, outcome)."""
        return np.moveaxis(self.probabilities(self.today(white, black)), 0, -1)

    def today(self, white: Codes | Side, black: Codes | Side) -> GameRows:
        """Games between known players or sides of them at the end of the games that the model was fitted to.

        Walks are evaluated at their last period, printed ratings at their last known value, effects of columns at zero;
        effects of partners are included.
        """
        count = len(white)
        nothing = np.zeros(count)
        last = np.full(count, max(self.periods - 1, 0), dtype=np.int64)
        columns = {} if self.coding is None else self.coding.of_sides(white, black)
        if self.by_list and not isinstance(white, Side) and not isinstance(black, Side):
            history = self.history or RatingHistory.nothing(self.players)
            sides = [history.at(self.players[codes]) for codes in (white, black)]
            columns |= {COLUMN: columns_of(*(np.stack([side[k] for side in sides]) for k in (0, 1)))}
        plain = not columns  # effects of partners or of an event do not belong to a player
        columns |= {
            name: np.full(count, self.reads.means.get(name, 0.0)) for name in self.reads.columns if name not in columns
        }
        columns |= zero_columns(self.coding, count, columns)
        rows = meetings(white, black, nothing, nothing, last, columns)
        return replace(rows, at_end=(white, black)) if plain else rows


def seats_among(players: Texts, games: GameTable) -> tuple[Side, Side]:
    """Sides of games of several people, each of them among some players (player,)."""
    assert games.sides is not None
    directory = Players(players.tolist())
    places = {name: directory.place(name) for name in games.people.tolist()}
    everyone = games.everyone
    lost = np.isin(everyone, np.flatnonzero([place is None for place in places.values()]))
    if lost.any():
        game, seat = np.argwhere(lost)[0].tolist()
        name = str(games.people[everyone[game, seat]])
        raise GameTableError(games.place(game), "rated people", repr(name), directory.hint(name))
    position = np.array(list(places.values()), dtype=np.int32)
    sides = games.sides.among(position, players)
    white, black = (team_sides(sides.members[side], sides.share[side]) for side in (games.white, games.black))
    return white, black


def _wide(p: Mapping[str, Floats], outcome: Outcome) -> dict[str, Any]:
    """Further numbers of a formula, (draw, 1)."""
    return {name: np.asarray(p[name])[:, None] for name in outcome.further}


def reading_of(trace: xr.DataTree, thin: int = 1) -> Reading:
    """Read the model of a trace and its parameters."""
    posterior, record = trace["posterior"].to_dataset(), record_in(trace.attrs)
    try:
        traits, reads = traits_in(trace.attrs), reads_in(trace.attrs)
        laws = json_in(trace.attrs, WALKS)
        days = {name: DayLaw.of(law) for name, law in laws.items() if law and "kernel" in law}
        walks = {name: law and Transition.of(law) for name, law in laws.items() if name not in days}
    except (TypeError, KeyError, ValueError) as error:
        if isinstance(error, ModelError):
            raise
        raise ModelError(f"trace: the record of its model cannot be read ({error}). Fit the model again") from error
    months = max(reads.every, 1)
    first = (int(posterior["month"][0]) - 1) // months + 1 if "month" in posterior.coords and reads.every else 0
    constant_data = trace["constant_data"].to_dataset() if "constant_data" in trace.children else xr.Dataset()
    constant = {str(name): value.to_numpy() for name, value in constant_data.data_vars.items()}
    clock = clock_of(constant, reads.every)
    periods = posterior.sizes.get("month", 1) if reads.every else 1
    if reads.span and "month" not in posterior.coords:  # periods without a variable of their own
        first, periods = reads.span
    visits = None
    if reads.every == DAYS:
        visits, first, periods = visits_in(constant, posterior.sizes["player"], posterior.sizes.get(VISITS, 0))
    players = posterior["player"].to_numpy().astype(np.str_)
    history, last = _history_of(constant, players), NO_TIME
    if history is not None and clock is not None:
        time = constant[clock]
        last = int(time.max()) if clock == "period" else int(time.astype("datetime64[M]").astype(np.int64).max())
    labels = {str(name): value.to_numpy() for name, value in posterior.coords.items()}
    coding = coding_from_trace(reads.effects, constant, labels, players)
    p = draws_of(posterior, thin)
    if "neutral" in constant and bool((constant["neutral"] == 1.0).all()):  # effects of seats come from the prior alone
        p |= {name: np.zeros_like(p[name]) for name in _OF_SEATS if name in p}
    shapes = {name: value.shape[1:] for name, value in p.items()}
    facts = {
        "ratings_elo": constant.get("player_rating_elo"),
        "entered": constant.get("player_entered"),
        "prior_elo": np.stack([constant["prior_elo"], constant["prior_error_elo"]], axis=1)
        if "prior_elo" in constant
        else None,
        "anchored": bool(trace.attrs.get("anchored", 0)),
        "visits": visits,
        "columns": {key: constant[key] for key in reads.columns if key in constant},
    }
    return Reading(
        str(record["name"]), traits, reads, str(trace.attrs.get("family", "")), p, players, first,
        periods, walks, coding, clock, history, last,
        worth_from_text(trace.attrs.get(WORTH), shapes, players.size), None, record, facts,
        edited=str(trace.attrs.get("edited", "")), days=days,
    )  # fmt: skip


def _history_of(constant: Mapping[str, npt.NDArray[Any]], players: Texts) -> RatingHistory | None:
    """Printed ratings so far in a trace, in the order of the players' names; None if absent."""
    if "listed_elo" not in constant:
        return None
    order = np.argsort(players)
    arrays = (constant[name] for name in ("listed_elo", "listed_mean_elo", "listed_months"))
    last, mean, months = (np.asarray(values, dtype=np.float64)[order] for values in arrays)
    return RatingHistory(players[order], last, mean, months)
