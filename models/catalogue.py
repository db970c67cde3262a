"""The catalogue: frozen names of models; each is a row, an outcome formula and a few parts.

A name and an edition keep their log density (up to a constant) for ever; another prior is another posterior and needs
another name. Editions exist for the study's twelve only and differ in priors and weights:

    computed    the rules that gave the printed numbers: narrow priors for some Davidson models, weights run backwards
    described   the text of the study taken at its word: stated priors, older games weigh less
    corrected   as described, with weights scaled to mean 1

Pires (2014), tables 5 and 7; which rules gave which numbers was found by recomputing them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import Any, Literal, get_args

from halfpoint.games.plugins import Rows
from halfpoint.games.select import Selection
from halfpoint.games.units import to_natural
from halfpoint.models.declared import Declared, declare_model
from halfpoint.models.errors import ModelError
from halfpoint.models.formulas.bradley_terry import HALF_POINTS
from halfpoint.models.formulas.davidson import DAVIDSON
from halfpoint.models.formulas.draw_curve import DRAW_CURVE
from halfpoint.models.formulas.football_index import INDEX
from halfpoint.models.formulas.margin import MARGIN_NORMAL, MARGIN_T, MarginSpread
from halfpoint.models.formulas.outcome import Outcome
from halfpoint.models.formulas.rao_kupper import RAO_KUPPER
from halfpoint.models.model import Model
from halfpoint.models.own_file import MARK, load
from halfpoint.models.parts.advantage import Common, Nothing, PerPlayer, Pooled, Walking
from halfpoint.models.parts.anchors import Anchors
from halfpoint.models.parts.corrected_list import Listed, ListedDraws
from halfpoint.models.parts.draw_parameter import DrawParameter
from halfpoint.models.parts.effects import Effects
from halfpoint.models.parts.strength import MIDDLE, EnteringWalk, Free, PooledWalk, Population, Rated, Walk, elo
from halfpoint.models.parts.two_speeds import TwoSpeeds
from halfpoint.models.parts.volatility import StochasticVarianceWalk, VolatileWalk

Edition = Literal["computed", "described", "corrected"]
WITH = " with "  # between the name of a model and its effects
EDITIONS: tuple[Edition, ...] = get_args(Edition)


def study_model(outcome: Outcome, advantage: str, by_age: bool, edition: Edition) -> Model:
    """One of the study's twelve models in an edition.

    The computed edition has what the study's numbers came from: a common Bradley-Terry advantage N(0, 40^2); Davidson
    strengths centred on 15.571 = 2705 Elo, and, unless each player has their own advantage, with the standard deviation
    of the printed ratings, 0.4174, and log_draw N(1, 1).
    """
    computed, narrow = edition == "computed", edition == "computed" and advantage != "player"
    if outcome is HALF_POINTS:
        strength, anchored, draws = elo(2705.0, 400.0), 0.0, None
        prior = elo(0.0 if computed and advantage == "common" else 50.0, 40.0)
    else:
        strength = (15.571, 0.4174) if narrow else (15.571 if computed else 15.0, 400.0)
        draws, prior, anchored = DrawParameter((1.0, 1.0 if narrow else 5.0)), (1.0, 10.0), 0.1
    parts = {"none": Nothing(), "common": Common(prior), "player": PerPlayer(prior, anchored)}
    stem = "bt" if outcome is HALF_POINTS else "davidson"
    name = stem + ("" if advantage == "none" else f"-{advantage}") + ("-weighted" if by_age else "")
    weighting = ("computed" if computed else "recency") if by_age else "equal"
    return Model(
        name, outcome, Free(strength), parts[advantage], draws, weighting=weighting, mean_one=edition == "corrected"
    )


def _by_name(*models: Model) -> dict[str, Model]:
    """Models by their names."""
    return {model.name: model for model in models}


_STUDY: dict[tuple[str, Edition], Model] = {
    (model.name, edition): model
    for edition in EDITIONS
    for outcome in (HALF_POINTS, DAVIDSON)
    for by_age in (False, True)
    for advantage in ("none", "common", "player")
    for model in [study_model(outcome, advantage, by_age, edition)]
}
TWELVE: tuple[str, ...] = tuple(dict.fromkeys(name for name, _ in _STUDY))

DRAWS, _SLOPE, _TENDENCY = DrawParameter(), (0.0, 1.0), 0.5
_BY_STRENGTH, _BY_PLAYER = DrawParameter(slope=_SLOPE), DrawParameter(tendency=_TENDENCY)
_BY_BOTH = DrawParameter(slope=_SLOPE, tendency=_TENDENCY)
SCALED, _LEVELLED = Anchors((0.0, 1.0)), Anchors((0.0, 1.0), (MIDDLE, to_natural(100.0)))
# wide for goals, points and IMPs alike, in units of the margin
_IN_UNITS, _SEATED = Population((0.0, 20.0), 20.0), Common((0.0, 20.0), neutral=True)
_RAPID = Effects({"advantage": "0 + rapid", "log_draw": "0 + rapid"})

FURTHER = _by_name(
    Model("bt-scaled", HALF_POINTS, anchors=SCALED),
    Model("davidson-scaled", DAVIDSON, draws=DRAWS, anchors=SCALED),
    Model("davidson-scaled-level", DAVIDSON, draws=DRAWS, anchors=_LEVELLED),
    Model("bt-pooled", HALF_POINTS, advantage=Pooled()),
    Model("davidson-pooled", DAVIDSON, advantage=Pooled(), draws=DRAWS),
    Model("bt-population", HALF_POINTS, Population()),
    Model("davidson-population", DAVIDSON, Population(), draws=DRAWS),
    Model("davidson-population-scaled", DAVIDSON, Population(), draws=DRAWS, anchors=SCALED),
    Model("davidson-strength-draws", DAVIDSON, draws=_BY_STRENGTH, anchors=SCALED),
    Model("davidson-player-draws", DAVIDSON, draws=_BY_PLAYER, anchors=SCALED),
    Model("davidson-all-draws", DAVIDSON, draws=_BY_BOTH, anchors=SCALED),
    Model("rao-kupper", RAO_KUPPER, draws=DRAWS),
    Model("rao-kupper-scaled", RAO_KUPPER, draws=DRAWS, anchors=SCALED),
    Model("rao-kupper-all-draws", RAO_KUPPER, draws=_BY_BOTH, anchors=SCALED),
    Model("bt-walk", HALF_POINTS, Walk()),
    Model("davidson-walk", DAVIDSON, Walk(), draws=DRAWS),
    Model("bt-population-walk", HALF_POINTS, PooledWalk(), Common(neutral=True)),
    Model("davidson-population-walk", DAVIDSON, PooledWalk(), Common(neutral=True), DRAWS),
    Model("davidson-walk-scaled", DAVIDSON, Walk(), draws=DRAWS, anchors=SCALED),
    Model("davidson-rapid", DAVIDSON, draws=DRAWS, effects=_RAPID),
    Model("davidson-rapid-scaled", DAVIDSON, draws=DRAWS, anchors=SCALED, effects=_RAPID),
    Model("bt-population-even", HALF_POINTS, Population(), Nothing()),
    Model("davidson-population-even", DAVIDSON, Population(), Nothing(), DRAWS),
    Model("bt-population-neutral", HALF_POINTS, Population(), Common(neutral=True)),
    Model("davidson-population-neutral", DAVIDSON, Population(), Common(neutral=True), DRAWS),
    Model("margin-normal", MARGIN_NORMAL, _IN_UNITS, _SEATED, MarginSpread(), SCALED),
    Model("margin-t", MARGIN_T, _IN_UNITS, _SEATED, MarginSpread(), SCALED),
    Model("bt-rated", HALF_POINTS, Rated(), anchors=SCALED),
    Model("davidson-rated", DAVIDSON, Rated(), draws=DRAWS, anchors=SCALED),
    Model("bt-volatility-walk", HALF_POINTS, VolatileWalk(), Common(neutral=True)),
    Model("davidson-volatility-walk", DAVIDSON, VolatileWalk(), Common(neutral=True), DRAWS),
    Model("bt-stochastic-variance-walk", HALF_POINTS, StochasticVarianceWalk(), Common(neutral=True)),
    Model("davidson-stochastic-variance-walk", DAVIDSON, StochasticVarianceWalk(), Common(neutral=True), DRAWS),
)

# A strength of every player in each context of the column `context`, a surface, a tempo or a task, around one strength;
# and walks from where players enter, which say what newcomers are worth.
_IN_CONTEXT, _IN_FORM = (Effects({"strength": f"1 | player:{column}"}) for column in ("context", "event"))
_EVEN = Common(neutral=True)
CONTEXTS = _by_name(
    Model("bt-context", HALF_POINTS, Population(), _EVEN, effects=_IN_CONTEXT),
    Model("davidson-context", DAVIDSON, Population(), _EVEN, DRAWS, effects=_IN_CONTEXT),
    Model("davidson-rated-context", DAVIDSON, Rated(), draws=DRAWS, anchors=SCALED, effects=_IN_CONTEXT),
    Model("bt-form", HALF_POINTS, Population(), _EVEN, effects=_IN_FORM),
    Model("davidson-form", DAVIDSON, Population(), _EVEN, DRAWS, effects=_IN_FORM),
    Model("bt-entering-walk", HALF_POINTS, EnteringWalk(), _EVEN),
    Model("davidson-entering-walk", DAVIDSON, EnteringWalk(), _EVEN, DRAWS),
    Model("bt-context-walk", HALF_POINTS, EnteringWalk(), _EVEN, effects=_IN_CONTEXT),
    Model("davidson-context-walk", DAVIDSON, EnteringWalk(), _EVEN, DRAWS, effects=_IN_CONTEXT),
)
# The same by years, for histories that are too long for quarters; a single year has no walk.
_BY_YEARS = EnteringWalk(spread=to_natural(70.0), every=12)
_YEARLY = _by_name(
    Model("bt-yearly-walk", HALF_POINTS, _BY_YEARS, _EVEN),
    Model("davidson-yearly-walk", DAVIDSON, _BY_YEARS, _EVEN, DRAWS),
)
_ON_THE_DAY = Effects({"log_draw": "0 + fast + (1 | event)"})

LISTED = _by_name(
    Model("listed", DRAW_CURVE, Listed(), draws=DRAWS, anchors=SCALED),
    Model("listed-draws", DRAW_CURVE, Listed(), draws=ListedDraws(), anchors=SCALED),
    Model("listed-full", DRAW_CURVE, Listed(), draws=ListedDraws(), anchors=SCALED, effects=_ON_THE_DAY),
)

# Bridge, in IMPs a board: a strength is what a pair of two such players is worth, so that each brings half of it. What
# lifts all tables of a deal is a nuisance of known spread, the width of a deal is learned.
_OF_PAIRS = Population((0.0, 1.0), 4.0)
_AT_THE_TABLE = Effects(
    {"advantage": "1 | deal", "log_width": "1 | deal", "strength": "1 | partners"},
    spreads={"strength | partners": 1.0},
    given={"advantage | deal": 10.0},
)
_DEALS_ALIKE = replace(_AT_THE_TABLE, formulas={"advantage": "1 | deal", "strength": "1 | partners"})
BRIDGE = _by_name(
    Model("bridge-ability", MARGIN_NORMAL, _OF_PAIRS, Nothing(), MarginSpread((1.5, 1.0)), effects=_AT_THE_TABLE),
    Model("bridge-ability-t", MARGIN_T, _OF_PAIRS, Nothing(), MarginSpread((1.5, 1.0)), effects=_AT_THE_TABLE),
    Model("bridge-ability-even", MARGIN_NORMAL, _OF_PAIRS, Nothing(), MarginSpread((1.5, 1.0)), effects=_DEALS_ALIKE),
)

# Margins of any sport in their own unit, and the index of football, whose spread is about 0.8. Of that, slow, fast and
# decay are what 12 seasons to 2012 say, by maximum likelihood; they do not tell the steps of the advantage, which
# remembers two seasons.
_OF_INDEX = TwoSpeeds(0.4, (-0.24, 0.15), slow=0.022, fast=0.14, decay=0.52, learned=False)
_AT_HOME = Walking((0.15, 0.15), spread=0.006, learned=False)
TWO_SPEEDS = _by_name(
    Model("margin-walk", MARGIN_NORMAL, TwoSpeeds(), Walking((0.0, 20.0), spread=1.0), MarginSpread()),
    Model("index-walk", INDEX, _OF_INDEX, _AT_HOME, MarginSpread((-0.5, 0.5))),
)
BEYOND: dict[str, Model] = {**FURTHER, **CONTEXTS, **LISTED, **BRIDGE, **TWO_SPEEDS}
CORE: dict[str, Model] = {name: _STUDY[name, "corrected"] for name in TWELVE} | BEYOND
CATALOGUE = Rows("halfpoint.models", Model)  # these and those of whoever is installed


def find(name: str, edition: Edition = "corrected") -> Model:
    """A model of the catalogue.

    Parameters
    ----------
    name : str
        Frozen name, for example "davidson-common"; or a model of your own as "FILE.py:NAME"; either with effects, as
        "davidson-common with advantage ~ 1 | site" (see `with_effects`).
    edition : {"computed", "described", "corrected"}
        Priors and weights of the study's twelve; the others have one edition, which "computed" is not.

    Raises
    ------
    ModelError
        If there is no such model, the nearest name is offered; or it has no such edition.
    """
    if edition not in EDITIONS:
        raise ModelError(f"edition: expected {' | '.join(EDITIONS)}, found {edition!r}")
    base, formulas = split_effects(name)
    if formulas:
        return with_effects(find(base, edition), formulas)
    if MARK in name:
        own = load(name)
        _check_name(own, edition)
        return own
    if name in _YEARLY:
        return _YEARLY[name]
    if name not in CATALOGUE:
        near = get_close_matches(name, CATALOGUE, n=1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise ModelError(f"model: expected one of {', '.join(CATALOGUE)}, found {name!r}.{hint}")
    if name in TWELVE:
        return _STUDY[name, edition]
    if edition == "computed":
        raise ModelError(f"edition: {name} is beyond the study: expected described | corrected, found {edition!r}")
    return CATALOGUE[name]


def _check_name(model: Model, edition: Edition) -> None:
    """Refuse a model that has a name of the catalogue and is another."""
    if model.name in CATALOGUE and model != find(model.name, edition):
        raise ModelError(
            f"model {model.name}: expected the catalogue's, whose name keeps its priors and formula, found another. "
            'Give yours a name of its own: dataclasses.replace(model, name="...").'
        )


def edition_of(attributes: Mapping[Any, object]) -> str:
    """The edition that the attributes of a trace say; empty where the model has one only."""
    own = split_effects(str(attributes["model"]))[0] in TWELVE
    return str(attributes["edition"]) if own else ""


def titled(attributes: Mapping[Any, object]) -> str:
    """Model and edition of a trace, "davidson-common--corrected"; the name alone where it has one edition."""
    return "--".join(filter(None, (str(attributes["model"]), edition_of(attributes))))


def effect_of(text: str) -> tuple[str, str]:
    """What an effect acts on and its formula: "advantage ~ 1 | site" is "advantage" and "1 | site"."""
    target, tilde, formula = (part.strip() for part in text.partition("~"))
    if not tilde or not formula or ";" in formula:
        example = '"TARGET ~ FORMULA", for example "advantage ~ 1 | site"'
        raise ModelError(f"--effects: expected {example}, found {text!r}")
    return target, formula


def split_effects(name: str) -> tuple[str, list[str]]:
    """A name without its effects, and these: "bt with advantage ~ 1 | site" is "bt" and one formula."""
    base, _, said = name.rpartition(WITH)
    return (base, said.split(";")) if base and "~" in said else (name, [])


def with_effects(model: Model, formulas: Sequence[str]) -> Model:
    """A model with effects of columns of the games, and with a name that says so."""
    found: dict[str, str] = dict(model.effects.formulas)
    for text in formulas:
        target, formula = effect_of(text)
        if target in found:
            raise ModelError(f"--effects: expected one formula for {target}, found {found[target]!r} and {formula!r}")
        if target in ("log_draw", "log_width") and model.draws is None:
            raise ModelError(f"--effects: expected a model with draws for {text!r}, found {model.name}")
        found[target] = formula
    if not formulas:
        return model
    said = "; ".join(" ".join(text.split()) for text in formulas)
    return replace(model, name=f"{model.name}{WITH}{said}", effects=replace(model.effects, formulas=found))


def declare(model: str | Model, selection: Selection, edition: Edition = "corrected") -> Declared:
    """Declare a model on a selection of games.

    Parameters
    ----------
    model : str or Model
        A frozen name, for example "davidson-common", or a model of your own.
    selection : Selection
        The games.
    edition : {"computed", "described", "corrected"}
        Priors and weights of the study's twelve.

    Raises
    ------
    ModelError
        If the name or the edition is unknown, a changed model has a name of the catalogue, or the games lack what the
        model needs.
    """
    found = find(model, edition) if isinstance(model, str) else model
    _check_name(found, edition)
    return declare_model(found, selection, edition)
