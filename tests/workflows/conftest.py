"""Run the command line in this process, or as the console script."""

import sys

import pytest

from halfpoint.cli.app import main


@pytest.fixture
def halfpoint(monkeypatch, capsys):
    """Return a function: arguments -> (exit code, standard output, standard error)."""

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["halfpoint", *map(str, arguments)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as stop:
            main()
        written = capsys.readouterr()
        return stop.value.code or 0, written.out, written.err

    return run
