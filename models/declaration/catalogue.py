"""The catalogue: fixed names of models; each is a function, its keywords, and the weight of a game.

A name and an edition always have the same log density (up to a constant); a model with another prior needs another
name. Editions exist for the study's twelve models only and differ in priors and weights (`halfpoint.models.study`):

    computed    the rules with which the printed numbers were computed: narrow priors for some Davidson models, weights
                in reversed order of time
    described   the text of the study, read literally: stated priors, older games weigh less
    corrected   as described, with weights scaled to mean 1

Pires (2014), tables 5 and 7; the rules were found by recomputing the printed numbers.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import Any, Literal, Self, get_args

from halfpoint.models import study
from halfpoint.models.declaration.declare_model import declare_model
from halfpoint.models.declaration.declared import Declared
from halfpoint.models.declaration.own_file import MARK, load
from halfpoint.models.errors import ModelError
from halfpoint.models.further_models import around_ratings, by_days, entering, independent, pooled, walking
from halfpoint.models.games.plugins import Rows
from halfpoint.models.games.ranges import require_instance
from halfpoint.models.games.select import Selection
from halfpoint.models.games.units import to_natural
from halfpoint.models.language.model import Model, as_model
from halfpoint.models.language.populations import MIDDLE, SCALE, WIDE
from halfpoint.models.listed_models import ON_THE_DAY, listed
from halfpoint.models.margin_models import (
    OF_INDEX,
    bridge_ability,
    goals_matched,
    margin_population,
    margin_walk,
    sets,
)

type AnyModel = str | Model | Callable[..., object]  # a name, a model, or a function of games
Edition = Literal["computed", "described", "corrected"]
WITH = " with "  # between the name of a model and its effects
EDITIONS: tuple[Edition, ...] = get_args(Edition)


def study_model(name: str, edition: Edition) -> Model:
    """Return one of the study's twelve models in an edition."""
    base = name.removesuffix("-weighted")
    keywords = study.COMPUTED.get(base, {}) if edition == "computed" else {}
    weighting = "equal" if base == name else study.WEIGHTS[edition]
    return Model(name, study.FUNCTIONS[base], keywords, weighting, mean_one=edition == "corrected")


TWELVE: tuple[str, ...] = tuple(
    f"{stem}{advantage}{weights}"
    for stem in ("bt", "davidson")
    for weights in ("", "-weighted")
    for advantage in ("", "-common", "-player")
)
_STUDY = {(name, edition): study_model(name, edition) for edition in EDITIONS for name in TWELVE}


type Kind = tuple[Callable[..., object], dict[str, Any]]  # a function of games and its keywords
_HALF_POINTS: dict[str, Any] = {"log_draw": None}


def _models(**rows: Kind) -> dict[str, Model]:
    """Name models by their functions and keywords; underscores become hyphens."""
    return {row.replace("_", "-"): Model(row.replace("_", "-"), *kind) for row, kind in rows.items()}


def _both(draws: Mapping[str, Any] | None = None, **kinds: Kind) -> dict[str, Model]:
    """Two rows of each kind: half points ("bt"), and Davidson's draws."""
    pairs = {
        f"{stem}_{kind}": (function, dict(further) | keywords)
        for kind, (function, keywords) in kinds.items()
        for stem, further in (("bt", _HALF_POINTS), ("davidson", draws or {}))
    }
    return _models(**pairs)


_SLOPE, _TENDENCY, _RULE = {"slope": (0.0, 1.0)}, {"tendency": 0.5}, {"formula": "rao_kupper"}
_SCALED, _BARE = {"scale": SCALE}, {"scale": None}
_EVEN, _NEUTRAL = {"advantage": None}, {"seat": "neutral"}
_PLAYER = _BARE | {"advantage": (to_natural(25.0), to_natural(50.0)), "seat": "player"}
_RAPID = {"columns": "0 + rapid"}
_QUARTERS = {"level": (MIDDLE, WIDE), "level_spread": WIDE, "step": to_natural(35.0), "every": 3} | _NEUTRAL
_PACES = _QUARTERS | {"volatility": 0.5}
_YEARS = {"step": to_natural(70.0), "every": 12}

FURTHER = {
    **_both(scaled=(independent, {}), pooled=(independent, _PLAYER), population=(pooled, {})),
    **_both(population_even=(pooled, _EVEN), population_neutral=(pooled, _NEUTRAL), rated=(around_ratings, {})),
    **_both(walk=(walking, {}), population_walk=(walking, _QUARTERS), volatility_walk=(walking, _PACES)),
    **_both(stochastic_variance_walk=(walking, _PACES | {"change": 0.3})),
    **_models(
        davidson_scaled_level=(independent, {"level": (MIDDLE, to_natural(100.0))}),
        davidson_population_scaled=(pooled, _SCALED),
        davidson_walk_scaled=(walking, _SCALED),
        davidson_strength_draws=(independent, _SLOPE),
        davidson_player_draws=(independent, _TENDENCY),
        davidson_all_draws=(independent, _SLOPE | _TENDENCY),
        rao_kupper=(independent, _RULE | _BARE),
        rao_kupper_scaled=(independent, _RULE),
        rao_kupper_all_draws=(independent, _RULE | _SLOPE | _TENDENCY),
        davidson_rapid=(independent, _RAPID | _BARE),
        davidson_rapid_scaled=(independent, _RAPID),
        margin_normal=(margin_population, {}),
        margin_t=(margin_population, {"law": "t"}),
    ),
}

# A strength of every player in each context of the column `context`, a surface, a tempo or a task, around one strength;
# and walks from where players enter, which say what newcomers are worth.
_CONTEXT, _FORM = ({"context": f"1 | player:{column}"} for column in ("context", "event"))
CONTEXTS = {
    **_both(context=(pooled, _NEUTRAL | _CONTEXT), form=(pooled, _NEUTRAL | _FORM)),
    **_both(entering_walk=(entering, {}), context_walk=(entering, _CONTEXT)),
    **_models(davidson_rated_context=(around_ratings, _CONTEXT)),
}
# Default of `rate`: players are near those whom they meet, and a few games push neither spreads nor draws to
# an edge. A natural unit is 174 Elo points; logarithms of spreads, and how often equals draw, have normal priors. In a
# whole Swiss event seeds pair the strong with the weak of equal points, so that players seem too much alike; two
# players alone say nothing of a spread.
_MET, _SPREAD, _DRAWN = {"met": 0.25}, (-0.6, 0.8), {"log_draw": (0.0, 2.5)}
_SWISS = {"swiss": (0.2, 0.4)}
_STILL, _WALKS = _MET | _SWISS | {"spread": _SPREAD}, _MET | _SWISS | {"level_spread": _SPREAD}
# Around ratings, Elo points up to some 30%, of which a natural unit is fewer if games are drawn; errors of ratings
# differ little between opponents.
_NEAR_RATINGS = {"met": (-1.8, 0.6), "spread": (-1.0, 0.5)}
MATCHED = {
    **_both(_DRAWN, matched=(pooled, _STILL), matched_even=(pooled, _STILL | _EVEN)),
    **_both(_DRAWN, matched_neutral=(pooled, _STILL | _NEUTRAL), matched_walk=(entering, _WALKS)),
    **_models(
        bt_rated_matched=(around_ratings, _HALF_POINTS | _NEAR_RATINGS | {"scale": (0.0, 0.3)}),
        davidson_rated_matched=(around_ratings, _NEAR_RATINGS | {"scale": (0.35, 0.3)} | _DRAWN),
    ),
}
# The same by years, for histories that are too long for quarters; a single year has no walk.
_POINTS = {"law": "points"}  # of games without draws
_GOAL_YEARS = {"step": (-1.4, 0.5), "every": 12}
_YEARLY = {
    **_both(yearly_walk=(entering, _YEARS)),
    **_both(_DRAWN, matched_yearly_walk=(entering, _WALKS | _YEARS)),
    **_models(goals_matched_yearly_walk=(goals_matched, _GOAL_YEARS)),
    **_models(points_matched_yearly_walk=(goals_matched, _POINTS | _GOAL_YEARS)),
    **_models(sets_yearly_walk=(sets, {"every": 12})),
}
# The same by the index of goals and shots.
_SHOTS = {"law": "shots"}
_OF_SHOTS = _models(
    shots_matched=(goals_matched, _SHOTS),
    shots_matched_walk=(goals_matched, _SHOTS | {"every": 3}),
    shots_matched_yearly_walk=(goals_matched, _SHOTS | _GOAL_YEARS),
    shots_mixed=(goals_matched, {"met": None} | _SHOTS),
    shots_mixed_walk=(goals_matched, {"met": None, "every": 3} | _SHOTS),
    shots_mixed_yearly_walk=(goals_matched, {"met": None} | _SHOTS | _GOAL_YEARS),
)
# Goal differences in place of results, for files of goals in which these forecast better (`evaluation.worth_of_goals`).
GOALS = _models(goals_matched=(goals_matched, {}), goals_matched_walk=(goals_matched, {"every": 3}))
_OF_POINTS = _models(
    points_matched=(goals_matched, _POINTS), points_matched_walk=(goals_matched, _POINTS | {"every": 3})
)

# Players who meet near ones only, along a chain: the spread of what opponents explain is that of the players.
_CHAIN = {"met": _SPREAD, "chained": True}
_CHAINED = {
    **_both(_DRAWN, chained=(pooled, _STILL | _CHAIN), chained_even=(pooled, _STILL | _EVEN | _CHAIN)),
    **_both(_DRAWN, chained_neutral=(pooled, _STILL | _NEUTRAL | _CHAIN), chained_walk=(entering, _WALKS | _CHAIN)),
    **_both(_DRAWN, chained_yearly_walk=(entering, _WALKS | _YEARS | _CHAIN)),
}
# Players whose pairings mix them as lots do: who meets whom says nothing.
_LOTS, _LOT_WALKS = ({name: value for name, value in row.items() if name != "met"} for row in (_STILL, _WALKS))
_MIXED = {
    **_both(_DRAWN, mixed=(pooled, _LOTS), mixed_even=(pooled, _LOTS | _EVEN)),
    **_both(_DRAWN, mixed_neutral=(pooled, _LOTS | _NEUTRAL), mixed_walk=(entering, _LOT_WALKS)),
    **_both(_DRAWN, mixed_yearly_walk=(entering, _LOT_WALKS | _YEARS)),
    **_models(goals_mixed=(goals_matched, {"met": None}), goals_mixed_walk=(goals_matched, {"met": None, "every": 3})),
    **_models(goals_mixed_yearly_walk=(goals_matched, {"met": None} | _GOAL_YEARS)),
    **_models(points_mixed=(goals_matched, {"met": None} | _POINTS)),
    **_models(points_mixed_walk=(goals_matched, {"met": None, "every": 3} | _POINTS)),
    **_models(points_mixed_yearly_walk=(goals_matched, {"met": None} | _POINTS | _GOAL_YEARS)),
}
_BY_DEFAULT = _YEARLY | _CHAINED | _MIXED | _OF_POINTS | _OF_SHOTS  # rows that the default of `rate` alone chooses

_DRAWS = {"slope": (0.0, 1.0), "gap": (0.0, 1.0), "signed_gap": (0.0, 1.0), "tendency": 0.5}
LISTED = _models(
    listed=(listed, {}), listed_draws=(listed, _DRAWS), listed_full=(listed, _DRAWS | {"on_the_day": ON_THE_DAY})
)

BRIDGE = _models(
    bridge_ability=(bridge_ability, {}),
    bridge_ability_t=(bridge_ability, {"law": "t"}),
    bridge_ability_even=(bridge_ability, {"widths": ""}),
)
# Strengths by days, from the column `date`: rough or smooth.
_SMOOTH = {"kernel": "matern"}
BY_DAYS = _both(ou=(by_days, {}), matern=(by_days, _SMOOTH))
TWO_SPEEDS = _models(margin_walk=(margin_walk, {}), index_walk=(margin_walk, OF_INDEX))
SETS = _models(sets=(sets, {}))
BEYOND: dict[str, Model] = {
    **FURTHER,
    **CONTEXTS,
    **MATCHED,
    **GOALS,
    **LISTED,
    **BRIDGE,
    **TWO_SPEEDS,
    **SETS,
    **BY_DAYS,
}
CORE: dict[str, Model] = {name: _STUDY[name, "corrected"] for name in TWELVE} | BEYOND
CATALOGUE = Rows("halfpoint.models", Model)  # these and those of installed packages


def find(name: str, edition: Edition = "corrected") -> Model:
    """Find a model of the catalogue by name.

    Parameters
    ----------
    name : str
        Name of the catalogue, for example "davidson-common", or a user's model as "FILE.py:NAME"; effects may follow,
        as in "davidson-common with advantage ~ 1 | site" (see `with_effects`).
    edition : {"computed", "described", "corrected"}
        Priors and weights of the study's twelve models; other models have one edition, without "computed".

    Raises
    ------
    ModelError
        If there is no such model (the message offers the nearest name), or it has no such edition.
    """
    if edition not in EDITIONS:
        raise ModelError(f"edition: expected {' | '.join(EDITIONS)}, found {edition!r}")
    if isinstance(name, ModelName):
        return name.model
    base, formulas = split_effects(name)
    if formulas:
        return with_effects(find(base, edition), formulas)
    if MARK in name:
        own = load(name)
        _check_name(own, edition)
        return own
    if name in _BY_DEFAULT:
        return _BY_DEFAULT[name]
    if name not in CATALOGUE:
        near = get_close_matches(name, CATALOGUE, n=1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise ModelError(f"model: {name!r} is unknown.{hint} `halfpoint models` lists all {len(CATALOGUE)} models.")
    if name in TWELVE:
        return _STUDY[name, edition]
    if edition == "computed":
        raise ModelError(f"edition: {name} is beyond the study: expected described | corrected, found {edition!r}")
    return CATALOGUE[name]


def _check_name(model: Model, edition: Edition) -> None:
    """Refuse a model that differs from the catalogue model of the same name."""
    if model.name in CATALOGUE and model != find(model.name, own_edition(model, edition)):
        raise ModelError(
            f"model {model.name}: the catalogue has this name, with other priors or another formula. Rename yours."
        )


def own_edition(model: Model, edition: Edition) -> Edition:
    """Edition of a model of the study's twelve; `edition` for all other models, and if two editions are alike."""
    editions = (edition, *EDITIONS) if model.name in TWELVE else ()
    return next((one for one in editions if model == _STUDY[model.name, one]), edition)


def edition_of(attributes: Mapping[Hashable, object]) -> str:
    """Edition in the attributes of a trace; empty if the model has one edition only."""
    own = split_effects(str(attributes["model"]))[0] in TWELVE
    return str(attributes["edition"]) if own else ""


def title_of(attributes: Mapping[Hashable, object]) -> str:
    """Model and edition of a trace, "davidson-common--corrected"; the name alone if the model has one edition."""
    return "--".join(filter(None, (str(attributes["model"]), edition_of(attributes))))


def effect_of(text: str) -> tuple[str, str]:
    """Split an effect into its target and its formula: "advantage ~ 1 | site" gives "advantage" and "1 | site"."""
    target, tilde, formula = (part.strip() for part in text.partition("~"))
    if not tilde or not formula or ";" in formula:
        example = '"TARGET ~ FORMULA", for example "advantage ~ 1 | site"'
        raise ModelError(f"--effects: expected {example}, found {text!r}")
    return target, formula


def split_effects(name: str) -> tuple[str, list[str]]:
    """Split a name from its effects: "bt with advantage ~ 1 | site" gives "bt" and one formula."""
    base, _, said = name.rpartition(WITH)
    return (base, said.split(";")) if base and "~" in said else (name, [])


def with_effects(model: Model, formulas: Sequence[str]) -> Model:
    """Add effects of columns to a model, and their formulas to its name."""
    found: dict[str, str] = dict(model.effects.formulas)
    for text in formulas:
        target, formula = effect_of(text)
        if target in found:
            raise ModelError(f"--effects: expected one formula for {target}, found {found[target]!r} and {formula!r}")
        found[target] = formula
    if not formulas:
        return model
    said = "; ".join(" ".join(text.split()) for text in formulas)
    return replace(model, name=f"{model.name}{WITH}{said}", effects=replace(model.effects, formulas=found))


class ModelName(str):
    """Name of a model given as a function or a `Model`, with that model: accepted wherever a name is."""

    model: Model

    def __new__(cls, model: Model) -> Self:
        """The name of a model."""
        made = super().__new__(cls, model.name)
        made.model = model
        return made

    def __eq__(self, other: object) -> bool:
        same = super().__eq__(other)
        return bool(same) and (not isinstance(other, ModelName) or self.model == other.model)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = str.__hash__

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.model,)


def findable_name(model: "AnyModel") -> str:
    """Name for `find`: a name unchanged, a function of games or a `Model` with the model attached."""
    return model if isinstance(model, str) else ModelName(resolve(model))


def sendable(name: str) -> str:
    """Name by which a process finds a model without its file."""
    return findable_name(find(name)) if MARK in name and not isinstance(name, ModelName) else name


def names_of_models(models: "AnyModel | Sequence[AnyModel] | None") -> list[str]:
    """Names of one or several models, also from text with commas."""
    if models is None:
        return []
    if isinstance(models, str) and not isinstance(models, ModelName):
        return list(dict.fromkeys(one.strip() for one in models.split(",") if one.strip()))
    several = models if isinstance(models, Sequence) and not isinstance(models, str) else [models]
    return list(dict.fromkeys(findable_name(one) for one in several))


def resolve(model: AnyModel, edition: Edition = "corrected") -> Model:
    """Resolve a name, a function of games or a model; `ModelError` if a catalogue model with that name differs."""
    found = find(model, edition) if isinstance(model, str) else as_model(model)
    if not isinstance(model, str | Model) and found.name in CATALOGUE and CATALOGUE[found.name].function is model:
        found = find(found.name, edition)
    _check_name(found, edition)
    return found


def declare(model: AnyModel, selection: Selection, edition: Edition = "corrected") -> Declared:
    """Declare a model on a selection of games.

    Parameters
    ----------
    model : str, callable or Model
        A name of the catalogue, for example "davidson-common"; a function `(games) -> pymc.Model` that adds the games
        by one of the log-potentials; or a `Model`.
    selection : Selection
        The games.
    edition : {"computed", "described", "corrected"}
        Priors and weights of the study's twelve models, by name; a `Model` that `find` returned keeps its own edition.

    Raises
    ------
    ModelError
        If the name or the edition is unknown, a changed model has a name of the catalogue, or the games lack data that
        the model needs.
    """
    require_instance("selection", selection, Selection, "Use hp.select(games, games.players).")
    found = resolve(model, edition)
    return declare_model(found, selection, own_edition(found, edition))
