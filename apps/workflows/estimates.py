"""Maximum likelihood estimates of a row of the catalogue from a file of games, as a table with standard errors."""

from collections.abc import Mapping

import numpy as np

from halfpoint.apps.workflows.answer import Answer, about_table
from halfpoint.apps.workflows.intake import games_from, reader_of, reading_notes
from halfpoint.apps.workflows.options import Games
from halfpoint.evaluation.first_sentences.standings import ahead_of
from halfpoint.inference.maximum_likelihood import maximum_likelihood as by_likelihood
from halfpoint.models.declaration.catalogue import AnyModel, find, findable_name
from halfpoint.models.games.errors import count_noun
from halfpoint.models.games.select import select


def maximum_likelihood(
    games: Games, model: AnyModel = "bt", reference: str | None = None, reader: Mapping[str, object] | None = None,
    reduce_bias: bool = False,
) -> Answer:  # fmt: skip
    """Maximum likelihood estimates with standard and quasi standard errors, AIC and BIC.

    Parameters
    ----------
    games : str, Path, GameTable or DataFrame
        A file, or games in memory.
    model : str
        Name of the catalogue whose priors are left out: bt, bt-common, davidson, davidson-common, rao-kupper; with
        fixed effects of columns as "bt with advantage ~ 0 + rapid".
    reference : str, optional
        Reference player with strength 0; default: the first by name.
    reader : mapping, optional
        Options of the reader of CSV, Parquet and frames: columns, ignore, date_format, sides, outcomes.
    reduce_bias : bool
        Firth's bias-reduced estimates (`halfpoint.inference.bias_reduction`), finite also for players who won or lost
        all their games, in Bradley-Terry and Davidson models. AIC and BIC use the likelihood at these estimates.

    Returns
    -------
    Answer
        parameter, name, estimate, standard_error, quasi_error, z, rating_elo, error_elo (see
        `halfpoint.inference.maximum_likelihood.MaximumLikelihood.frame`); about has reference, log_likelihood,
        parameters, games, aic, bic, deviance and its degrees of freedom, and the error of the quasi standard errors.

    Raises
    ------
    HalfpointError
        If the games cannot be used, or a parameter has no maximum; in one line.

    Examples
    --------
    >>> import pandas as pd
    >>> from halfpoint.apps import workflows
    >>> rows = [("A", "B", 1.0)] * 6 + [("A", "B", 0.0)] * 3
    >>> found = workflows.maximum_likelihood(pd.DataFrame(rows, columns=["white", "black", "score"]), reference="B")
    >>> found.frame[["name", "estimate", "standard_error"]].round(4).to_numpy().tolist()  # log 2, 1 / 6 + 1 / 3
    [['A', 0.6931, 0.7071], ['B', 0.0, 0.0]]
    """
    name = findable_name(model)
    entry = find(name)
    table = games_from(games, reader_of(games, reader, name))
    estimates = by_likelihood(entry, select(table, table.people, "both"), reference, reduce_bias)
    deviance = estimates.deviance()
    how = "bias-reduced maximum likelihood" if reduce_bias else "maximum likelihood"
    about = about_table(table, f"{entry.name} by {how} on {len(table)} games", model=entry.name)
    names = ("reference", "log_likelihood", "parameters", "games", "aic", "bic")
    about |= {name: getattr(estimates, name) for name in names}
    about |= dict(zip(("deviance", "degrees_of_freedom"), deviance or (None, None), strict=True))
    about["quasi_worst"] = None if estimates.quasi is None else list(estimates.quasi.worst)
    sentences = [
        f"Natural units, {estimates.reference} at 0; a difference of two strengths has about the standard error "
        "root(q1^2 + q2^2), q their quasi errors"
    ]
    if estimates.quasi is not None:
        low, high = (round(error, 3) + 0.0 for error in estimates.quasi.worst)  # without the sign of -0.0
        sentences[0] += f" (off by {low:.1%} to {high:.1%})"
    sentences.append(
        f"log L {estimates.log_likelihood:.4f}, {count_noun(estimates.parameters, 'parameter')}, "
        f"AIC {estimates.aic:.2f}, BIC {estimates.bic:.2f}"
    )
    if deviance is not None:
        sentences.append(f"Residual deviance {deviance[0]:.4g} on {deviance[1]} degrees of freedom")
    elif not estimates.declared.outcome.draws:
        sentences.append("Draws count as half a win and half a loss, so there is no probability of a draw")
    frame = estimates.frame()
    ranked = frame[frame["parameter"] == "strength"].sort_values("rating_elo", ascending=False, kind="stable")
    if len(ranked) > 1:
        first, second = ranked.iloc[0], ranked.iloc[1]
        i, j = (estimates.players.index(name) for name in (first["name"], second["name"]))
        covariance = estimates.covariance
        error = np.sqrt(max(covariance[i, i] + covariance[j, j] - 2.0 * covariance[i, j], 0.0))
        ahead = float(first["rating_elo"] - second["rating_elo"])
        about["answer"] = ahead_of(str(first["name"]), str(second["name"]), ahead, error * estimates.elo_per_natural)
    return Answer(frame, about | {"note": ". ".join([*sentences, *reading_notes(table)]) + "."})
