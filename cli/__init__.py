"""The command line: the only place that joins inference to evaluation."""

from halfpoint.cli.app import main

__all__ = ["main"]
