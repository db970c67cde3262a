"""The `halfpoint` command: its sub-commands, and how a user's mistake is told."""

import sys

import typer

from halfpoint.cli.data import data_app
from halfpoint.cli.fit import fit, models, summary
from halfpoint.cli.study import study
from halfpoint.games.errors import HalfpointError

app = typer.Typer(
    help="Bayesian paired comparison: Bradley-Terry and Davidson models, judged by proper scores.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
app.command()(study)
app.command()(fit)
app.command()(summary)
app.command()(models)
app.add_typer(data_app, name="data")


def main() -> None:
    """Run the command line; a user's mistake is one line on stderr and exit code 2."""
    try:
        app()
    except HalfpointError as error:
        print(f"halfpoint: {error}", file=sys.stderr)  # noqa: T201
        raise SystemExit(2) from None
