"""Commands on the page for engine testers give the stated results on a simulated arena, match and games."""

import re
from pathlib import Path

import numpy as np
import pytest
from test_sprt_command import pgn

from halfpoint.apps.fields.arena.simulate import simulate_arena

PAGE = Path(__file__).parent.parent.parent.parent / "docs" / "leaderboards.md"
SAID = {
    "how many votes decide the first place?": "decide the first place: if removed",
    "are there insincere votes?": "of the votes are removed",
    "what is the effect of a column?": "same_maker",
    "what is the difference after the test stopped?": "after them, above 0 with probability",
    "is the model calibrated on my file?": "Calibrated: davidson-population",
}


def words_of(line):
    """The words of a command, quoted ones as one."""
    return [one.strip('"') for one in re.findall(r'"[^"]*"|\S+', line)][1:]


@pytest.mark.slow
def test_each_question_is_answered(halfpoint, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    section = PAGE.read_text(encoding="utf-8").partition("## What testers ask")[2].partition("\n## ")[0]
    typed = re.findall(r"^(halfpoint .*?)\s+# (.*)$", section, re.MULTILINE)
    assert {question for _, question in typed} == set(SAID)
    battles = simulate_arena(models=5, battles=800, judges=12, seed=4).battles
    maker = {name: number % 2 for number, name in enumerate(sorted(set(battles["model_a"]) | set(battles["model_b"])))}
    same = battles["model_a"].map(maker) == battles["model_b"].map(maker)
    battles.assign(same_maker=same.astype(float)).to_json("arena.jsonl", orient="records", lines=True)
    Path("match.pgn").write_text(pgn(range(400)))
    assert halfpoint("simulate", "games.csv", "--games", 300, "--players", 5)[0] == 0
    for command, question in typed:
        more = ("--simulations", 20) if "calibrate" in command else ()
        code, told, error = halfpoint(*words_of(command), *more)
        assert code == 0, error
        assert SAID[question] in re.sub(r"\s+", " ", told), (command, told)
    assert np.all([Path(folder, "leaderboard.html").is_file() for folder in ("board", "honest", "makers")])
