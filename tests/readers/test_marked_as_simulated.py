"""Simulated games are marked in their file, and all output from them is marked."""

import numpy as np
import pytest

from halfpoint.apps import workflows
from halfpoint.readers.read import read


@pytest.mark.parametrize("options", [{}, {"margins": 1.6}, {"people": 2}])
def test_a_simulated_file_is_read_as_simulated(options, tmp_path):
    for name in ("a.csv", "a.pgn")[: 1 if options else 2]:
        made, _ = workflows.simulate(tmp_path / name, games=60, players=8, force=True, **options)
        found = read(tmp_path / name)
        assert made.simulated
        assert found.simulated
        assert "simulated" not in found.covariates
        assert not any("simulated" in note for note in found.notes)
        assert found.score.tolist() == made.score.tolist()
    if made.date is not None:
        about = workflows.backtest(tmp_path / "a.csv", "base-rates", begin=6).about
        assert about["simulated"]
        assert about["title"].endswith("(SIMULATED games), from period 6 on")


def test_the_mark_stays_where_columns_are_ignored_and_other_games_have_none(tmp_path):
    workflows.simulate(tmp_path / "a.csv", games=60, players=8)
    text = (tmp_path / "a.csv").read_text()
    assert read(tmp_path / "a.csv", ignore=("*",)).simulated
    (tmp_path / "b.csv").write_text(text.replace(",simulated", ",round"))
    (tmp_path / "c.csv").write_text(text.replace(",1\n", ",0\n", 1))
    for name in ("b.csv", "c.csv"):
        assert not read(tmp_path / name).simulated
    assert np.isin(0.0, read(tmp_path / "c.csv").covariates["simulated"])
    (tmp_path / "d.pgn").write_text('[White "A"]\n[Black "B"]\n[Result "1-0"]\n\n1-0\n')
    assert not read(tmp_path / "d.pgn").simulated
