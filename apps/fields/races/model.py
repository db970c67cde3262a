r"""The Plackett-Luce model: strengths of a population, and the frequency of shared places.

    g_i ~ N(0, s^2),   s ~ HalfNormal(S),   log d_k ~ N(mean, sd^2),
    events by `halfpoint.apps.fields.races.plackett_luce`

g   strength of competitor i, natural units; events identify differences, and the level is a convention; terms of a
    formula, cars and seasons, are in `halfpoint.apps.fields.races.entrants`
s   spread of the population, S = 400 Elo points
d   frequency of places shared by k = 2, ..., D, where D is the largest number sharing a place in these events

Populations are sampled partly centred with a separate level (`halfpoint.models.reading.transforms`). The model is a
PyMC graph, which nutpie compiles in some ten seconds the first time; events are its data, so that other results of the
same numbers of events and competitors, or other weights, need no compiling.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from importlib.metadata import version

import numpy as np
import xarray as xr

from halfpoint.apps.fields.races.entrants import MODEL, Entrants, entrants_of
from halfpoint.apps.fields.races.plackett_luce import MOST_TIED, Choices, choices_of, log_likelihood
from halfpoint.apps.fields.races.table import RaceTable
from halfpoint.inference.adaptive import SamplingPlan, account, sample_adaptively
from halfpoint.inference.diagnostics.convergence import Diagnosis
from halfpoint.inference.effort_limits import STATISTICS as KEPT
from halfpoint.inference.effort_limits import Effort
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.location import ATTRIBUTE, FROM, LEVEL_ELO
from halfpoint.inference.reweighted_sampler import CAREFUL_ACCEPTANCE
from halfpoint.inference.traces.trace_record import RECORDED
from halfpoint.models.declaration.catalogue import WITH
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.memory import require_room
from halfpoint.models.games.table import Floats
from halfpoint.models.games.units import to_elo, to_natural
from halfpoint.models.pymc_import import Node, pm
from halfpoint.models.reading.layout import LATENT
from halfpoint.models.rows.effects import name_of

SCHEMA = "halfpoint-races-1"
SPREAD = to_natural(400.0)  # S
TIE = (-2.0, 2.0)  # mean and standard deviation of log d: half of two equals' races to one in a thousand
_GUESSES = 0.2, 2.0  # of the spread, between which it is guessed for the sampler's coordinates
_GUESS_OF_EACH = 0.4  # of the spread of each term, where several share the guess
_DATA = ("who", "there", "gain", "choice", "ties")


@dataclass(frozen=True, eq=False)
class DeclaredRaces:
    """Model on events."""

    table: RaceTable
    order: int = 1  # D, most who may share a place
    weight: Floats | None = None  # (event,), how often it counts, 0 unseen; once each by default
    formula: str = ""  # of terms beside a competitor's own strength (`halfpoint.apps.fields.races.entrants`)

    @cached_property
    def entrants(self) -> Entrants:
        """Attributes of entries."""
        return entrants_of(self.table, self.formula)

    @property
    def name(self) -> str:
        """Name of the model."""
        return f"{MODEL}{WITH}strength ~ {self.formula}" if self.formula else MODEL

    @cached_property
    def choices(self) -> Choices:
        """Events as choices."""
        return choices_of(self.entrants.table, self.order)

    def parameters(self) -> dict[str, Node]:
        """Declare the parameters in the PyMC model in context; return them by name."""
        from halfpoint.models.reading.transforms import LogUnits, PartlyCentred, Units  # brings PyMC

        guess, information = self.first_look
        guess = _GUESS_OF_EACH if self.formula else guess
        entrants, p, players = self.entrants, dict[str, Node](), self.table.people.size

        def add_pooled(name: str, dim: str, information: Floats) -> None:
            unit = 1.0 / np.sqrt(information + guess**-2.0)  # about one posterior standard deviation
            centring, pivot = guess**2 * information / (1.0 + guess**2 * information), int(np.argmin(unit))
            centring[pivot] = 0.0  # events see differences of each
            spread = pm.HalfNormal(
                f"{name}_spread", np.float64(SPREAD), default_transform=None, transform=LogUnits(SPREAD)
            )
            p[name] = pm.Normal(name, 0.0, spread, dims=dim, transform=PartlyCentred(0.0, unit, centring, pivot))

        add_pooled("strength", "player", entrants.of_people(information, players))
        for term, levels in entrants.levels.items():
            add_pooled(name_of("strength", term), term, np.bincount(entrants.codes[term], information, levels.size))
        if entrants.columns:
            ones = np.ones(len(entrants.columns))
            p["strength_effect"] = pm.Normal(
                "strength_effect", 0.0, 1.0, dims="strength_term", transform=Units(0.0 * ones, ones)
            )
        if self.order > 1:
            ones, (mean, sd) = np.ones(self.order - 1), map(np.float64, TIE)
            p["log_tie"] = pm.Normal("log_tie", mean, sd, dims="tied", transform=Units(mean * ones, 0.5 * ones))
        return p

    @property
    def first_look(self) -> tuple[float, Floats]:
        """Guess of the spread, and the information on each strength at equal strengths, shape (entrant,).

        With u the slope of the likelihood there and I the information, E u^2 = I + I^2 s^2 to first order.
        """
        chosen, count = self.choices, self.entrants.player.size
        remaining, weight = np.cumsum(chosen.there, axis=1).clip(1.0), self.weights[:, None]

        def sum_by_entrant(values: Floats) -> Floats:
            return np.asarray(np.bincount(chosen.who.ravel(), (weight * chosen.there * values).ravel(), count))

        def of_those_left(values: Floats) -> Floats:
            return np.asarray(np.cumsum((chosen.choice * values)[:, ::-1], axis=1)[:, ::-1])

        information = sum_by_entrant(of_those_left((1.0 - 1.0 / remaining) / remaining))
        slope = sum_by_entrant(chosen.gain - of_those_left(1.0 / remaining))
        square = float((slope**2 - information).sum() / max(float((information**2).sum()), 1e-9))
        return float(np.sqrt(np.clip(square, _GUESSES[0] ** 2, _GUESSES[1] ** 2))), information

    @property
    def weights(self) -> Floats:
        """Weight of each event, shape (event,)."""
        return np.ones(len(self.table)) if self.weight is None else self.weight

    @cached_property
    def model(self) -> "pm.Model":
        """PyMC model, built on first use."""
        coords = {"player": self.table.people.astype(object), "tied": np.arange(2, self.order + 1)}
        coords |= {term: levels.astype(object) for term, levels in self.entrants.levels.items()}
        coords |= {"strength_term": np.array(self.entrants.columns, dtype=object)} if self.entrants.columns else {}
        with pm.Model(coords=coords) as graph:
            p = self.parameters()
            data = {name: pm.Data(name, value) for name, value in self.data().items()}
            events = replace(self.choices, **{name: data[name] for name in data if name != "weight"})
            terms = log_likelihood(self.entrants.strengths(p), p.get("log_tie"), events)
            pm.Potential("log_likelihood", (data["weight"] * terms).sum())
        return graph

    def data(self) -> dict[str, Node]:
        """Data of the graph by name."""
        names = _DATA if self.order > 1 else _DATA[:-1]  # without ties nothing reads them
        return {name: getattr(self.choices, name) for name in names} | {"weight": self.weights}


def declare_races(table: RaceTable, weight: Floats | None = None, formula: str = "") -> DeclaredRaces:
    """Declare the Plackett-Luce model on events, with any ties."""
    if table.most_tied > MOST_TIED:
        event = str(table.events[table.event[int(np.argmax(table.tie_sizes))]])
        raise GameTableError(
            f"{table.source}, event {event!r}", f"at most {MOST_TIED} competitors on a place", f"{table.most_tied}",
            "Leave their places empty if they are the last: an unknown order is not a tie.",
        )  # fmt: skip
    return DeclaredRaces(table, table.most_tied, weight, formula)


@dataclass(frozen=True)
class Sampling(Effort):
    """Options of sampling the model: effort, steps, longer runs until convergence."""

    tune: int = 300
    acceptance: float = CAREFUL_ACCEPTANCE
    longer: bool = True
    progress: bool = False


@dataclass(frozen=True, eq=False)
class Fitted:
    """Draws of the model and their diagnosis."""

    posterior: xr.Dataset
    statistics: xr.Dataset
    diagnosis: Diagnosis
    sampling: str
    acceptance: float


def sampler(declared: DeclaredRaces) -> Callable[[DeclaredRaces, Sampling], Fitted]:
    """Compile the model once and return a sampler of these or other events of the same shape.

    The function takes the model on other events of the same number and sizes, with the competitors and D of the first
    model.
    """
    import nutpie

    from halfpoint.inference.nuts import all_draws, split_raw_trace

    compiled = nutpie.compile_pymc_model(declared.model)

    def run(races: DeclaredRaces, how: Sampling) -> Fitted:
        how.require()
        width = 3 * declared.table.people.size + KEPT
        room = 8.0 * (how.draws + how.tune) * how.chains * width
        require_room(
            f"{how.chains:,} chains of {how.draws:,} draws", room, "Take fewer draws or chains.", InferenceError
        )
        compiled_model = compiled if races is declared else compiled.with_data(**races.data())

        def draw(plan: SamplingPlan) -> tuple[xr.Dataset, xr.Dataset, int]:
            draws, statistics = split_raw_trace(all_draws(compiled_model, plan, how, how.progress))
            without_latent = draws[[str(name) for name in draws.data_vars if not str(name).endswith(LATENT)]]
            numbers = sum(value[0, 0].size for value in draws.data_vars.values())
            return in_elo(with_latest(without_latent, races.entrants)), statistics, numbers

        first_plan = SamplingPlan(how.draws, how.tune, how.acceptance)
        posterior, statistics, plans, diagnoses = sample_adaptively(
            draw, first_plan, how.chains, free_level=True, longer=how.longer
        )
        return Fitted(posterior, statistics, diagnoses[-1], account(plans, diagnoses), plans[-1].acceptance)

    return run


def with_latest(posterior: xr.Dataset, entrants: Entrants) -> xr.Dataset:
    """Draws with `strength_latest`, of each competitor at their last entry, if entries differ from competitors."""
    if entrants.sides is not None or entrants.player.size == entrants.latest.size:
        return posterior
    latest = entrants.strengths({str(name): variable.to_numpy() for name, variable in posterior.data_vars.items()})
    return posterior.assign(strength_latest=(("chain", "draw", "player"), latest[..., entrants.latest]))


def in_elo(posterior: xr.Dataset) -> xr.Dataset:
    """Draws with `rating_elo`: 400 points are odds of 10 to 1 of being ahead; the mean competitor has 1500."""
    strength = posterior["strength"]
    rating = LEVEL_ELO + to_elo(1.0) * (strength - strength.mean("player"))
    return posterior.assign(rating_elo=rating.transpose(*strength.dims))


def trace_of(declared: DeclaredRaces, fitted: Fitted, how: Sampling) -> xr.DataTree:
    """Trace of the model: draws, events, and metadata."""
    table, diagnosis = declared.table, fitted.diagnosis
    events = xr.Dataset(
        {"start": ("boundary", table.start), "who": ("row", table.who), "group": ("row", table.group),
         "event_name": ("event", table.events.astype(object))},
        coords={"player": table.people.astype(object)},
    )  # fmt: skip
    groups = {"posterior": fitted.posterior, "sample_stats": fitted.statistics, "constant_data": events}
    tree = xr.DataTree.from_dict({name: xr.DataTree(dataset) for name, dataset in groups.items()})
    tree.attrs = {
        "schema": SCHEMA, "model": declared.name, "edition": "", "data_name": table.name,
        "data_simulated": int(table.simulated), "events": len(table), "players": int(table.people.size),
        "ties": declared.order, ATTRIBUTE: LEVEL_ELO, FROM: "a convention", **diagnosis.as_record,
        "min_ebfmi": diagnosis.min_ebfmi, "sampling": fitted.sampling, "target_accept": fitted.acceptance,
        "draws": how.draws, "tune": how.tune, "chains": how.chains, "seed": how.seed,
        "versions": ", ".join(f"{name} {version(name)}" for name in RECORDED),
    }  # fmt: skip
    return tree
