"""Fixtures that run the command line in this process, or as the console script."""

import shutil
import sys

import pytest
from good_results import DONE
from json_records import record_in
from writing_commands import make_inputs

from halfpoint.apps.cli.app import main


@pytest.fixture
def halfpoint(monkeypatch, capsys):
    """Function: arguments -> (exit code, standard output, standard error)."""

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["halfpoint", *map(str, arguments)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as stop:
            main()
        written, code = capsys.readouterr(), stop.value.code or 0
        if "--json" in arguments:
            record_in(written.out, code)
        return code, written.out, written.err

    return run


@pytest.fixture(scope="session")
def inputs(tmp_path_factory, zygote):
    folder = tmp_path_factory.mktemp("writing")

    def run(words):
        code, _, errors, _ = zygote.run(words, folder)
        assert code in DONE, errors

    make_inputs(run, folder)
    return folder / "inputs"


@pytest.fixture
def place(tmp_path, inputs):
    """Folder with the inputs, and an empty folder `run`."""
    shutil.copytree(inputs, tmp_path / "inputs")
    (tmp_path / "run").mkdir()
    return tmp_path
