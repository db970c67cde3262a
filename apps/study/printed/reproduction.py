"""The study's own computation, done once: data for the comparison with its printed numbers."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property

from halfpoint.apps.study.estimates import Estimate
from halfpoint.apps.study.posterior_draws import ModelDraws
from halfpoint.apps.study.printed.files import catalogue_name
from halfpoint.apps.study.protocol import Imputation, StudyPredictive, study_predictive
from halfpoint.apps.study.references import Counts, Family, reference_models
from halfpoint.apps.study.slips import DECEMBER_2012, recycled_draw_parameter, recycled_weights, weights_of_other_games
from halfpoint.evaluation.errors import EvaluationError
from halfpoint.models.games.select import Selection
from halfpoint.models.games.table import GameTable
from halfpoint.models.games.weights import weights

WRONG_WEIGHTS = "bt-player-weighted"


class Reproduction:
    """Posteriors of the computed edition, games in the order of their file, and derived quantities."""

    def __init__(
        self, models: Mapping[str, ModelDraws], training: Selection, set_a: GameTable, set_b: GameTable
    ) -> None:
        other_editions = [name for name, draws in models.items() if draws.edition not in ("", "computed")]
        if other_editions:
            raise EvaluationError(f"model {other_editions[0]}", "edition computed", models[other_editions[0]].edition)
        if training.games.simulated:
            raise EvaluationError("printed numbers", "the study's games", "simulated games")
        self.models = dict(models)
        self.training = training
        self.sets = {"A": set_a, "B": set_b}
        self.kept: dict[tuple[str, str, str], StudyPredictive] = {}

    def predictive_of(self, draws: ModelDraws, data: str, imputation: Imputation) -> StudyPredictive:
        """Expected values of tables 12 and 15 for draws, by the rules of the study's program."""
        key = (f"{draws.name} {id(draws)}", data, imputation)
        if key not in self.kept:
            common = self.models.get(catalogue_name(draws.family, "common", draws.weighting))
            common_elo = 0.0
            if common is not None and common.study_advantage_elo is not None:
                common_elo = float(common.study_advantage_elo.mean())
            self.kept[key] = study_predictive(draws, self.sets[data], imputation, data == "B", common_elo)
        return self.kept[key]

    @cached_property
    def wrong_weights(self) -> ModelDraws:
        """Draws under the study's slip in bt-player-weighted."""
        return weights_of_other_games(self.training)

    @cached_property
    def recycled_record(self) -> Estimate | None:
        """The mis-recorded -mean log L of davidson-weighted."""
        draws = self.models.get("davidson-weighted")
        return None if draws is None else recycled_weights(draws, self.training)

    @cached_property
    def wrong_draw_parameter(self) -> ModelDraws:
        """Draws under the study's slip in davidson-weighted."""
        return recycled_draw_parameter(self.models["davidson-weighted"], self.training)

    def games(self, data: str) -> GameTable:
        """Games of the training set, A or B."""
        return self.training.games if data == "training" else self.sets[data]

    def counts(self, data: str) -> Counts:
        """Losses, draws and wins of White."""
        return Counts.of(self.games(data).outcome)

    def reference(self, family: Family, name: str, data: str, weighting: str) -> float:
        """Return -2 log L of a reference model, without penalty; FIDE's ratings on A and B are of December 2012."""
        games = self.games(data)
        if data != "training":
            white, black = (games.covariates[column] for column in DECEMBER_2012)
            games = replace(games, white_rating_elo=white, black_rating_elo=black)
        weight = weights("computed", games.time) if weighting == "weighted" else None
        deviances = {(model.family, model.name): model.neg2_loglik for model in reference_models(games, weight)}
        return deviances[family, name]
