"""`halfpoint models`: what a name of the catalogue stands for."""

from typing import Annotated

import typer

from halfpoint import workflows
from halfpoint.cli.options import command
from halfpoint.cli.terminal import put_table, table_of
from halfpoint.models.catalogue import CATALOGUE, find
from halfpoint.models.errors import ModelError


@command("Research", 3)
def models(
    name: Annotated[str | None, typer.Argument(help="One, or FILE.py:NAME (runs the file); all if not given.")] = None,
    prior: Annotated[
        bool, typer.Option("--prior", help="What the model's prior says, in Elo points and shares.")
    ] = False,
    edition: Annotated[str, typer.Option(help="computed | described | corrected; of the prior.")] = "corrected",
) -> None:
    """List the models of the catalogue, or say what the prior of one of them means before any game."""
    if prior:
        _show_prior(name, edition)
        return
    entries = [find(one) for one in ([name] if name else CATALOGUE)]
    for outcome in dict.fromkeys(entry.outcome.title for entry in entries):
        table = table_of(outcome, ("name", "advantage", "by age"), (), ("beyond the study",))
        for entry in entries:
            if entry.outcome.title == outcome:
                weighted = "yes" if entry.weighted else "no"
                table.add_row(entry.name, entry.advantage.kind, weighted, entry.new)
        put_table(table)


def _show_prior(name: str | None, edition: str) -> None:
    """Print the prior table of one model."""
    if name is None:
        raise ModelError("--prior: expected the name of one model, found none; `halfpoint models` lists them")
    found = workflows.prior(name, edition)
    table = table_of(found.title, ("quantity",), tuple(found.frame.columns[1:]))
    for quantity, *values in found.frame.to_numpy(dtype=object).tolist():
        table.add_row(quantity, *(f"{value:,.4g}" if abs(value) < 100 else f"{value:,.0f}" for value in values))
    put_table(table)
