"""The catalogue: frozen names of models, and the three editions of the study in which they can be declared.

A name and an edition keep their log density (up to a constant) for ever; another prior is another posterior and needs
another name. The editions differ in priors and weights only:

    computed    the rules that gave the printed numbers: narrow priors for some Davidson models, weights run backwards
    described   the text of the study taken at its word: stated priors, older games weigh less
    corrected   as described, with weights scaled to mean 1

Pires (2014), tables 5 and 7; which rules gave which numbers was found by recomputing them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Literal

import pymc as pm

from halfpoint.games.cells import Cells, merge
from halfpoint.games.select import Selection
from halfpoint.games.weights import weights
from halfpoint.models import bradley_terry, davidson, extended
from halfpoint.models.beyond import EXTENDED, prepare
from halfpoint.models.errors import ModelError
from halfpoint.models.extended import Extended
from halfpoint.models.parts import Advantage, Backend

Edition = Literal["computed", "described", "corrected"]
EDITIONS: tuple[Edition, ...] = ("computed", "described", "corrected")
Family = Literal["bradley_terry", "davidson"]


@dataclass(frozen=True)
class Entry:
    """A frozen name and what it stands for.

    Parameters
    ----------
    name : str
        The frozen name.
    family : {"bradley_terry", "davidson"}
        Which formula.
    advantage : {"none", "common", "player"}
        White's advantage.
    weighted : bool
        Whether games are weighted by age.
    """

    name: str
    family: Family
    advantage: Advantage
    weighted: bool

    @property
    def study_name(self) -> str:
        """Parameters and likelihood as the study's table 5 lists them."""
        letters = "R_i" if self.family == "bradley_terry" else "gamma_i, lambda"
        delta = {"none": "", "common": ", delta", "player": ", delta_i"}[self.advantage]
        return f"{letters}{delta}; {'omega_t' if self.weighted else 'omega_t = 1'}"


FORMULAS: dict[Family, Callable[..., pm.Model]] = {
    "bradley_terry": bradley_terry.build,
    "davidson": davidson.build,
}


def twelve() -> dict[str, Entry]:
    """Return the twelve models of the study by name."""
    short: dict[Family, str] = {"bradley_terry": "bt", "davidson": "davidson"}
    ends: dict[Advantage, str] = {"none": "", "common": "-common", "player": "-player"}
    return {
        entry.name: entry
        for family, stem in short.items()
        for weighted in (False, True)
        for advantage, end in ends.items()
        for entry in [Entry(f"{stem}{end}{'-weighted' if weighted else ''}", family, advantage, weighted)]
    }


MODELS: dict[str, Entry] = twelve()


@dataclass(frozen=True, eq=False)
class Declared:
    """A model of the catalogue declared on games.

    Parameters
    ----------
    entry : Entry
        Name and options.
    edition : str
        Priors and weights.
    selection : Selection
        The games, with the weights of the edition.
    cells : Cells
        The same games merged.
    model : pymc.Model
        The model to sample; a researcher may edit it.
    """

    entry: Entry | Extended
    edition: Edition
    selection: Selection
    cells: Cells
    model: pm.Model


def find(name: str) -> Entry | Extended:
    """Return the entry of a name, of the twelve or beyond the study.

    Raises
    ------
    ModelError
        If there is no such model; the nearest name is offered.
    """
    known: dict[str, Entry | Extended] = {**MODELS, **EXTENDED}
    if name not in known:
        near = get_close_matches(name, known, n=1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise ModelError(f"model: expected one of {', '.join(known)}, found {name!r}.{hint}")
    return known[name]


def one_of_the_twelve(entry: Entry | Extended, purpose: str) -> Entry:
    """Return the entry if it is one of the study's twelve.

    Raises
    ------
    ModelError
        If it is beyond the study; `purpose` says what needs the twelve.
    """
    if isinstance(entry, Extended):
        raise ModelError(f"{purpose}: expected one of the study's twelve models, found {entry.name!r}")
    return entry


def priors(entry: Entry | Extended, edition: Edition) -> Any:
    """Return the priors of a model in an edition.

    The computed edition has what the study's numbers came from: a common Bradley-Terry advantage N(0, 40^2); Davidson
    strengths centred on 15.571 = 2705 Elo, and, unless each player has his own advantage, with the standard deviation
    of the printed ratings, 0.4174, and log_draw N(1, 1).
    """
    if edition not in EDITIONS:
        raise ModelError(f"edition: expected {' | '.join(EDITIONS)}, found {edition!r}")
    if isinstance(entry, Extended):
        if edition == "computed":
            raise ModelError(
                f"edition: {entry.name} is beyond the study: expected described | corrected, found {edition!r}"
            )
        return extended.Priors()
    if entry.family == "bradley_terry":
        if edition == "computed" and entry.advantage == "common":
            return bradley_terry.Priors(advantage=(0.0, 40.0))
        return bradley_terry.Priors()
    if edition == "computed" and entry.advantage == "player":
        return davidson.Priors(strength=(15.571, 400.0))
    if edition == "computed":
        return davidson.Priors(strength=(15.571, 0.4174), log_draw=(1.0, 1.0))
    return davidson.Priors()


def check_weighting(entry: Entry | Extended, weighting: str) -> None:
    """Refuse games with weights of their own for a model that weighs by age: one of the two would be lost.

    Raises
    ------
    ModelError
        Naming the model that counts games by the weights they have.
    """
    if entry.weighted and weighting != "equal":
        plain = entry.name.removesuffix("-weighted")
        raise ModelError(
            f"model {entry.name}: expected games that weigh alike, since it weighs them by age, found weights "
            f"{weighting!r}. Leave them out, or take {plain}, which counts games by them."
        )


def weighted(entry: Entry | Extended, edition: Edition, selection: Selection) -> Selection:
    """Return the selection with the weights of a model in an edition (unweighted models keep the selection's own).

    Raises
    ------
    ModelError
        If the model weighs games by age and the games have weights of their own.
    """
    check_weighting(entry, selection.weighting)
    if not entry.weighted:
        return selection
    name = "computed" if edition == "computed" else "recency"
    scaled = edition == "corrected"
    weight = weights(name, selection.games.time, normalise=scaled)
    return selection.weighted(weight, f"{name}, mean 1" if scaled else name)


def declare(name: str, selection: Selection, edition: Edition = "corrected", backend: Backend = "fused") -> Declared:
    """Declare a model of the catalogue on a selection of games.

    Parameters
    ----------
    name : str
        Frozen name, for example "davidson-common".
    selection : Selection
        The games.
    edition : {"computed", "described", "corrected"}
        Priors and weights.
    backend : {"fused", "graph"}
        How the log-potential is computed.

    Returns
    -------
    Declared

    Raises
    ------
    ModelError
        If the name or the edition is unknown, or the model weighs games that have weights of their own.
    """
    entry = find(name)
    prior = priors(entry, edition)
    chosen = weighted(entry, edition, selection)
    if isinstance(entry, Extended):
        return Declared(entry, edition, chosen, *prepare(entry, chosen, prior))
    cells = merge(chosen)
    model = FORMULAS[entry.family](cells, entry.advantage, prior, backend)
    return Declared(entry, edition, chosen, cells, model)
