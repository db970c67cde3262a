"""`halfpoint leaderboard` and `halfpoint next`: files of the function, tables, JSON, errors in one line."""

import json

import pytest

from halfpoint.apps.fields import arena
from halfpoint.apps.fields.arena.simulate import simulate_arena


@pytest.mark.further
def test_the_command_writes_what_the_function_writes(halfpoint, tmp_path):
    path = tmp_path / "arena.jsonl"
    simulate_arena(models=4, battles=300, judges=5, seed=4).battles.to_json(path, orient="records", lines=True)
    words = ("leaderboard", path, "--style", "length", "--judges", "--method", "normal", "--seed", 3, "--quiet")
    code, told, error = halfpoint(*words, "--out", tmp_path / "one", "--fix", "model-03=1000")
    assert code == 0, error
    assert "4 models by 300 judgements" in told
    assert "half-tie Bradley-Terry" in told
    arena.leaderboard(
        path, tmp_path / "two", style=["length"], judges=True, method="normal", seed=3, fix="model-03=1000"
    )
    for name in ("leaderboard.csv", "leaderboard.json", "audit.json", "matrix.csv", "leaderboard.html"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    code, told, error = halfpoint("next", tmp_path / "one" / "trace.nc", "--pairs", 3, "--json")
    assert code == 0, error
    assert len(json.loads(told)["rows"]) == 3
    code, _, error = halfpoint("next", tmp_path / "one" / "trace.nc", "--target", "near")
    assert (code, error.count("\n")) == (2, 1)
    assert "--target: expected borders | all | A:B, found 'near'" in error
    code, _, error = halfpoint(*words[:2], "--out", tmp_path / "three", "--style", "charm")
    assert (code, error.count("\n")) == (2, 1)
    assert "--style charm: expected columns charm_a and charm_b" in error
    assert not (tmp_path / "three" / "trace.nc").exists()
