"""Limits of a sampler: ranges of its settings, and a check that the draws fit in memory."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from halfpoint.inference.errors import InferenceError
from halfpoint.models.errors import NoLoopError
from halfpoint.models.games.memory import processors, require_room
from halfpoint.models.games.ranges import SEED, Range
from halfpoint.models.games.settings import setting

if TYPE_CHECKING:
    from halfpoint.models.declaration.declared import Declared


SAMPLING_SEED = 20140501
DRAWS = Range(1, 10_000_000)  # kept, a chain
TUNE = Range(1, 10_000_000)  # a chain; nutpie cannot begin without a tuning draw
CHAINS = Range(1, 1_000)  # each is a thread with buffers of its own
_CORES = Range(1, 10_000)
SIMULATIONS = Range(20, 10_000)  # of a calibration
STATISTICS = 20  # numbers that a sampler records of a draw
_VALUES_OF_A_PLAYER, _BYTES_OF_A_GAME = 2, 80  # strength and rating; who played
# of the kept draws, while they are diagnosed and their likelihood is computed: of chains, and around the closest normal
COPIES, COPIES_OF_NORMAL = 4, 2
Sampler = Literal["nutpie", "pymc", "jax"]
METHODS = ("auto", "normal", "nuts")
_SAMPLERS = ("nutpie", "pymc", "jax")


@dataclass(frozen=True)
class Effort:
    """Settings of the sampler: draws, tuning, chains, seed, program."""

    draws: int = setting(1000, "draws per chain")
    tune: int = setting(200, "tuning draws per chain")
    chains: int = 4
    seed: int = setting(
        SAMPLING_SEED,
        "seed; the same seed gives the same draws. Where a model is fitted again and again each further fit adds one",
    )
    sampler: Sampler = setting("nutpie", "which NUTS")
    cores: int | None = setting(None, "chains at a time; all processors by default")

    def with_settings(
        self, draws: int | None, tune: int | None, chains: int | None, seed: int | None, sampler: Sampler | None,
        cores: int | None,
    ) -> "Effort":  # fmt: skip
        """Effort with the settings that are not None."""
        settings = {"draws": draws, "tune": tune, "chains": chains, "seed": seed, "sampler": sampler, "cores": cores}
        return replace(self, **{name: value for name, value in settings.items() if value is not None})  # type: ignore[arg-type]

    @property
    def as_record(self) -> dict[str, object]:
        """Settings that a trace keeps."""
        return {name: getattr(self, name) for name in ("draws", "tune", "chains", "seed", "sampler")}

    @property
    def at_once(self) -> int:
        """Number of parallel chains."""
        return min(self.chains, self.cores or processors())

    def bytes_of_trace(self, players: int, games: int) -> float:
        """Estimate the bytes of a trace: its numbers, and the values kept of each game."""
        from halfpoint.models.declaration.pointwise import pointwise_kept

        kept_draws = self.draws * self.chains
        numbers = _VALUES_OF_A_PLAYER * players + STATISTICS
        return float(8 * kept_draws * numbers + (4 * pointwise_kept(kept_draws, games) + _BYTES_OF_A_GAME) * games)

    def require(self, *but: str) -> None:
        """Raise `InferenceError` unless every number is in its range, apart from the excluded names."""
        ranges = {"draws": DRAWS, "tune": TUNE, "chains": CHAINS, "cores": _CORES, "seed": SEED}
        for name, allowed in ranges.items():
            value = getattr(self, name)
            if value is not None and name not in but:
                allowed.require(name, value, InferenceError)
        if self.sampler not in _SAMPLERS:
            raise InferenceError(f"sampler: expected {' | '.join(_SAMPLERS)}, found {self.sampler!r}")

    def require_intervals(self) -> None:
        """Raise `InferenceError` for a single draw, which has neither standard deviation nor interval."""
        DRAWS.require("draws", self.draws, InferenceError)
        CHAINS.require("chains", self.chains, InferenceError)
        if self.draws * self.chains < 2:
            raise InferenceError("--draws: one chain needs 2 draws or more. Give --draws 2.")


LONG = Effort(tune=1000)


def require_memory(declared: "Declared", effort: Effort, pointwise_draws: int | None, copies: int = COPIES) -> None:
    """Raise `InferenceError` with the estimated size if the draws of a model exceed the memory.

    The estimate assumes 8 bytes per number: the sampler stores every draw, tuning included, with its statistics; kept
    draws are copied a few times for diagnostics (`copies`); `pointwise_draws` draws include the log likelihood of each
    game.
    """
    from halfpoint.models.declaration.pointwise import pointwise_kept

    draws, tune, chains = effort.draws, effort.tune, effort.chains
    width, kept_draws = values_of(declared), draws * chains
    pointwise = pointwise_kept(kept_draws, len(declared.selection), pointwise_draws)
    numbers = (draws + tune) * chains * (width + STATISTICS)
    numbers += copies * kept_draws * (width + declared.selection.players.size)
    numbers += 2 * pointwise * len(declared.selection)
    what = f"{chains:,} chains of {draws:,} draws" + (f" and {tune:,} tuning draws" if tune else "")
    require_room(f"{what} of {width:,} numbers", 8.0 * numbers, "Take fewer draws or chains.", InferenceError)


def values_of(declared: "Declared") -> int:
    """Count the numbers in one draw of a model, its sampled coordinates included."""
    import numpy as np

    from halfpoint.models.pymc_import import constant_value

    try:
        count, names = declared.layout.count + declared.layout.values, set(declared.layout.slots)
    except NoLoopError:  # its graph says it
        count = sum(int(np.size(value)) for value in declared.model.initial_point().values())
        names = set()
    if declared.is_edited:  # deterministic variables may have been added
        model = declared.model
        for variable in model.deterministics:
            if variable.name not in names:
                dims = model.named_vars_to_dims.get(variable.name, ())
                sizes = [int(np.prod(constant_value(model.dim_lengths[name]))) for name in dims]
                count += int(np.prod(sizes)) if sizes else 1
    return count
