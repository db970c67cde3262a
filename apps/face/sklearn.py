"""A classifier of scikit-learn for games between two players: `pip install "halfpoint[sklearn]"`.

    from halfpoint.sklearn import PairedComparison

    rated = PairedComparison("davidson-population").fit(X, y)      a Bayesian model by its name
    rated = PairedComparison("glicko", time="day").fit(X, y)       a rating system by its name
    rated.predict_proba(X_new)                                     chances of the classes, in the order of `classes_`

Rows of X are games; its first two columns are the players, or those that `first` and `second` name. Two classes of y
are a loss and a win of the first player, three a loss, a draw and a win, in their sorted order. Other columns of a data
frame that the games' reader knows (ratings, date, round, columns of effects) are read; players are compared as text.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from halfpoint.models.games.table import GameTable
from halfpoint.readers.read import read
from halfpoint.systems.catalogue import SYSTEMS
from halfpoint.systems.rating_state import RatingState

_SCORES = {1: (0.5,), 2: (0.0, 1.0), 3: (0.0, 0.5, 1.0)}


class PairedComparison(ClassifierMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """Chances of results between two players, by a Bayesian model or a rating system.

    Parameters
    ----------
    model : str
        A model of `halfpoint models`, or a rating system of `halfpoint.systems`, such as "elo" or "glicko".
    first, second : str, optional
        Columns of the players; the first two of X by default.
    time : str, optional
        Column of dates by which a rating system learns period after period; by default all games are one period.
    every : {"month", "week", "day"} or int
        Length of a period; a number is in days.
    numbers : mapping of str to float, optional
        Parameters of the rating system that differ from the defaults, such as {"k": 20}.
    options : mapping, optional
        Further options of `halfpoint.rate` for a model: draws, tune, chains, method.
    random_state : int, optional
        Seed of a model's draws.

    Attributes
    ----------
    classes_ : array
        The classes of y, a loss of the first player first.
    trace_ : DataTree
        The posterior, of a model; `halfpoint.update` adds games to it.
    state_ : RatingState
        State of a rating system; `save` writes it as JSON, `halfpoint.update` adds games to it.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([["Ann", "Bob"], ["Bob", "Cem"], ["Ann", "Cem"]])
    >>> rated = PairedComparison("elo").fit(X, [1, 0, 1])
    >>> bool(rated.predict_proba([["Ann", "Bob"]])[0, 1] > 0.5)
    True
    """

    def __init__(
        self,
        model: str = "davidson-population",
        first: str | None = None,
        second: str | None = None,
        time: str | None = None,
        every: str | int = "month",
        numbers: Mapping[str, float] | None = None,
        options: Mapping[str, Any] | None = None,
        random_state: int | None = None,
    ) -> None:
        self.model, self.first, self.second, self.time, self.every = model, first, second, time, every
        self.numbers, self.options, self.random_state = numbers, options, random_state

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.classifier_tags.poor_score = True  # of features that name no players
        return tags

    def fit(self, X: Any, y: Any) -> Self:
        """Learn the results y of the games X."""
        if y is None:
            raise ValueError("fit requires y to be passed, but the target y is None.")
        X, y = self._checked(X, y)
        points = np.asarray(y).dtype.kind == "f" and np.isin(y, _SCORES[3]).all()
        check_classification_targets(2.0 * y if points else y)  # 0, 1/2 and 1 are classes
        self.classes_, codes = np.unique(y, return_inverse=True)
        if self.classes_.size > 3:
            raise ValueError(f"y: expected at most 3 classes (loss, draw, win), found {self.classes_.size}.")
        table = self._games(X, np.array(_SCORES[self.classes_.size])[codes])
        if self.model in SYSTEMS:
            period: Any = self.every
            self.state_ = RatingState(self.model, dict(self.numbers or {}), every=period).learned(table)
        else:
            from halfpoint.apps.workflows.rating_list import rate  # brings PyMC

            seed = {} if self.random_state is None else {"seed": int(self.random_state)}
            self.trace_ = rate(table, model=self.model, **(seed | dict(self.options or {}))).trace
        return self

    def predict_proba(self, X: Any) -> npt.NDArray[np.float64]:
        """The chances of the classes, shape (game, class)."""
        check_is_fitted(self)
        outcome = self._outcomes(self._games(self._checked(X)[0], None))
        if self.classes_.size == 1:
            return np.ones((len(outcome), 1))
        if self.classes_.size == 2:  # games of which none was drawn
            outcome = outcome[:, [0, 2]] + outcome[:, [1]] / 2.0
        return np.asarray(outcome / outcome.sum(axis=1, keepdims=True))

    def predict(self, X: Any) -> npt.NDArray[np.generic]:
        """The likeliest class of each game."""
        chances = self.predict_proba(X)
        return np.asarray(self.classes_[chances.argmax(axis=1)])

    def save(self, path: str | Path) -> Path:
        """Write the state of a rating system as JSON."""
        check_is_fitted(self, "state_")
        return self.state_.save(path)

    def _outcomes(self, table: GameTable) -> npt.NDArray[np.float64]:
        """The chances of loss, draw and win, shape (game, 3)."""
        if hasattr(self, "state_"):
            prediction = self.state_.forecast(table)
            score = np.nan_to_num(prediction.expected_score, nan=0.5)
            return (
                prediction.outcome
                if prediction.outcome is not None
                else np.stack([1.0 - score, 0.0 * score, score], axis=1)
            )
        from halfpoint.apps.workflows.forecasts import forecast

        frame = forecast(self.trace_, table).frame
        return frame[["loss_percent", "draw_percent", "win_percent"]].to_numpy(dtype=np.float64) / 100.0

    def _checked(self, X: Any, y: Any = None) -> tuple[pd.DataFrame, object]:
        """X as a data frame, and y in a fit, checked by scikit-learn's rules."""
        framed = isinstance(X, pd.DataFrame)
        how: dict[str, Any] = {"dtype": None, "ensure_all_finite": not framed}
        if y is None:
            array = validate_data(self, X, reset=False, **how)
        else:
            array, y = validate_data(self, X, y, ensure_min_features=2, **how)
        return X.reset_index(drop=True) if framed else pd.DataFrame(np.asarray(array)), y

    def _games(self, frame: pd.DataFrame, score: npt.NDArray[np.float64] | None) -> GameTable:
        """The games of a frame."""
        first, second = (self.first or frame.columns[0]), (self.second or frame.columns[1])
        features = frame.drop(columns=[first, second])
        features = features[[name for name in features.columns if isinstance(name, str)]]
        games = pd.DataFrame({"white": frame[first].astype(str), "black": frame[second].astype(str)})
        twice = np.flatnonzero((games["white"] == games["black"]).to_numpy())
        if twice.size:
            name = games["white"].iloc[twice[0]]
            raise ValueError(f"X, row {twice[0]}: expected two different players, found {name!r} twice.")
        games = games.join(features) if len(features.columns) else games
        games["score"] = 0.5 if score is None else score
        if self.time is not None:
            games = games.rename(columns={self.time: "date"})
        return read(games, source="X", sides="whole")
