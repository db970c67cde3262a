"""Command line in this process, for tests that cannot use fixtures."""

import sys
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO

import pytest
from json_records import record_in

from halfpoint.apps.cli.app import main


def typed(*words):
    """Run a command; return exit code, standard output and standard error."""
    out, err = StringIO(), StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.setattr(sys, "argv", ["halfpoint", *map(str, words)])
        with pytest.raises(SystemExit) as stop:
            main()
    code = stop.value.code or 0
    if "--json" in words:
        record_in(out.getvalue(), code)
    return code, out.getvalue(), err.getvalue()
