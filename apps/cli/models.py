"""`halfpoint models`: the models of the catalogue and their priors."""

from typing import Annotated

import typer

from halfpoint.apps import workflows
from halfpoint.apps.cli.options import command
from halfpoint.apps.cli.scripting import AsJson, put_json
from halfpoint.apps.cli.terminal import put_table, table_of
from halfpoint.models.errors import ModelError


@command("Research", 3)
def models(
    name: Annotated[
        str | None, typer.Argument(help="Name of a model, or FILE.py:NAME (runs the file); default: all.")
    ] = None,
    prior: Annotated[
        bool, typer.Option("--prior", help="Print prior predictive quantities, in Elo points and shares.")
    ] = False,
    edition: Annotated[str, typer.Option(help="computed | described | corrected; of the prior.")] = "corrected",
    games: Annotated[
        str | None,
        typer.Option("--games", help="File with the players and columns that a function reads; with --prior."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the models of the catalogue, or print prior predictive quantities of one model."""
    from halfpoint.models.declaration.catalogue import CATALOGUE, find
    from halfpoint.models.declaration.outline import outline_of

    if prior:
        _show_prior(name, edition, games, as_json)
        return
    if games is not None:
        raise ModelError("--games: expected --prior, for which it names players and columns. Add --prior.")
    if as_json:
        rows = [
            {"name": entry.name, "outcome": outline_of(entry).outcome.title,
             "advantage": outline_of(entry).traits.seats, "weighted": bool(entry.weighted), "about": entry.about}
            for entry in map(find, [name] if name else CATALOGUE)
        ]  # fmt: skip
        put_json({"title": "Models of the catalogue", "rows": rows})
        return
    table = table_of(None, ("name", "weighted by age"), (), ("model",))
    for entry in map(find, [name] if name else CATALOGUE):
        table.add_row(entry.name, "yes" if entry.weighted else "no", entry.about)
    put_table(table)


def _show_prior(name: str | None, edition: str, games: str | None, as_json: bool) -> None:
    """Print the prior table of one model."""
    if name is None:
        raise ModelError("--prior: name one model; `halfpoint models` lists them")
    answer = workflows.prior(name, edition, games)
    if as_json:
        put_json(answer.record())
        return
    table = table_of(answer.title, ("quantity",), tuple(answer.frame.columns[1:]))
    for quantity, *values in answer.frame.to_numpy(dtype=object).tolist():
        table.add_row(quantity, *(f"{value:,.4g}" if abs(value) < 100 else f"{value:,.0f}" for value in values))
    put_table(table)
