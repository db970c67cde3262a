"""The `halfpoint` command: its sub-commands, and how a user's mistake is told."""

import sys

import typer

from halfpoint.games.errors import GameTableError

app = typer.Typer(
    help="Bayesian paired comparison: Bradley-Terry and Davidson models, judged by proper scores.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)


def main() -> None:
    """Run the command line; a user's mistake is one line on stderr and exit code 2."""
    try:
        app()
    except GameTableError as error:
        print(f"halfpoint: {error}", file=sys.stderr)  # noqa: T201
        raise SystemExit(2) from None
