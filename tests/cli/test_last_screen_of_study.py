"""The last screen of a study: its answer for the twelve models, whole in a file of 80 columns."""

import re
from types import SimpleNamespace

import pandas as pd
import pytest

from halfpoint.cli import terminal
from halfpoint.models.catalogue import TWELVE
from halfpoint.study.commands import comparison
from halfpoint.study.last_screen import _PARTS, _line

VERDICTS = ("misprint", "not reproducible")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """The frame and tables of a run with numbers as long as the study's, and the longest verdicts on both parts."""
    folder = tmp_path_factory.mktemp("study")
    (folder / "tables").mkdir()
    models = pd.DataFrame({"name": TWELVE, "edition": "computed", "aicm": 9000.25, "converged": True})
    models["aicm_printed"] = [9234.56 + k for k in range(12)]
    predictive = models[["name", "edition", "aicm_printed"]].assign(set="A", aicm=1.0)
    predictive.to_csv(folder / "tables" / "predictive.csv", index=False)
    lines = [(_line(name, part), verdict) for name in TWELVE for part, verdict in zip(_PARTS, VERDICTS, strict=True)]
    rows = [
        {"place": line["table"], "column": "aicm", "verdict": f"{verdict}: why",
         "row": f"{line['data']} {line['family']} {line['model']} {line['weighting']}"}
        for line, verdict in lines if line is not None
    ]  # fmt: skip
    pd.DataFrame(rows).to_csv(folder / "tables" / "published.csv", index=False)
    return SimpleNamespace(frame=models, folder=folder, about={"simulated": False}, title="Reproduction of the study")


def test_the_twelve_models_stand_in_one_table_of_80_columns(run, monkeypatch, capsys):
    monkeypatch.setattr(terminal.console, "width", 80)
    terminal.put_table(comparison(run))
    lines = capsys.readouterr().out.splitlines()
    assert max(len(line.rstrip()) for line in lines) <= 80
    assert "…" not in "".join(lines)
    [head] = [line.split() for line in lines if "model" in line.split()]
    assert head == ["model", "AICM", "printed", "AIC", "of", "A", "printed", "verdict"]
    cells = [re.split(r"\s{2,}", line.strip()) for line in lines]
    rows = {one[0]: one for one in cells if one[0] in TWELVE}
    assert list(rows) == list(TWELVE)
    for k, name in enumerate(TWELVE):
        printed = [line["value"] for part in _PARTS if (line := _line(name, part)) is not None]
        assert rows[name][1] == f"{9234.56 + k:.1f}"
        assert set(printed) <= set(rows[name])
