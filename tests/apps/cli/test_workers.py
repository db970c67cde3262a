"""`--workers` and `--cluster` of commands with independent fits."""

import pytest

from halfpoint.apps.cli.app import options_of


@pytest.mark.parametrize("name", ["backtest", "calibrate", "rate", "study", "tournament"])
def test_commands_that_fit_independently_have_the_options(name):
    assert {"--workers", "--cluster"} <= options_of(name)[name]


def test_a_command_refuses_both_options_with_exit_code_2(halfpoint):
    code, shown, said = halfpoint("calibrate", "bt", "--workers", "2", "--cluster", "tcp://127.0.0.1:1")
    assert (code, shown) == (2, "")
    assert said == "halfpoint: --workers and --cluster exclude each other. Leave one out.\n"
