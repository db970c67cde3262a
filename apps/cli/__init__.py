"""The command line: options, printing and exit codes; the work is in `workflows` and `study`."""

from halfpoint.apps.cli.stopping import leave, stop_at_signals

__all__ = ["main"]


def main() -> None:
    """Be the process of the command `halfpoint`; Ctrl-C ends it with one line."""
    stop_at_signals()
    from halfpoint.apps.cli.app import main as run

    try:
        run()
    except SystemExit as end:
        leave(end)
