"""`halfpoint mle`: maximum likelihood with standard and quasi standard errors."""

from pathlib import Path
from typing import Annotated

import typer

from halfpoint.apps.cli.options import Effects, GameTables, command, model_with_effects
from halfpoint.apps.cli.output import Answering


@command("Research", 2)
def mle(
    games: Annotated[Path, typer.Argument(help="Games: CSV, PGN, Parquet or the study's text format.")],
    model: Annotated[
        str, typer.Option(help="A name of `halfpoint models`, without its priors: bt, bt-common, davidson, ...")
    ] = "bt",
    reference: Annotated[
        str | None, typer.Option(help="Reference player with strength 0; default: the first by name.")
    ] = None,
    reduce_bias: Annotated[
        bool, typer.Option("--reduce-bias", help="Firth's estimates: less biased, and finite for all wins or losses.")
    ] = False,
    effects: Effects = None,
    tables: GameTables = GameTables(),
    answer: Answering = Answering(),
) -> None:
    """Estimate strengths by maximum likelihood or with reduced bias: standard errors, AIC and BIC."""
    from halfpoint.apps.workflows.estimates import maximum_likelihood

    answer.give(
        lambda _: maximum_likelihood(games, model_with_effects(model, effects), reference, tables.reader, reduce_bias),
        games, model.partition(".py:")[0] + ".py",
    )  # fmt: skip
