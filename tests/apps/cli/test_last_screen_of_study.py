"""Last screen of a study: AICM by eq. 42 and as printed, with the printed number, in 80 columns."""

import re
from types import SimpleNamespace

import pandas as pd
import pytest

from halfpoint.apps.cli import terminal
from halfpoint.apps.study.commands import comparison
from halfpoint.apps.study.last_screen import PARTS, _line
from halfpoint.models.declaration.catalogue import TWELVE

VERDICTS = ("misprint", "not reproducible")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Frame and tables of a run with numbers as long as the study's, and the longest verdicts."""
    folder = tmp_path_factory.mktemp("study")
    (folder / "tables").mkdir()
    models = pd.DataFrame({"name": TWELVE, "edition": "computed", "aicm": 12479.01, "converged": True})
    models["aicm_printed"] = [9234.56 + k for k in range(12)]
    predictive = models[["name", "edition"]].assign(set="A", aicm=768.12, aicm_printed=743.84)
    further = predictive.assign(set="B", aicm=1.0, aicm_printed=2.0)
    pd.concat([further, predictive]).to_csv(folder / "tables" / "predictive.csv", index=False)
    lines = [(_line(name, part), verdict) for name in TWELVE for part, verdict in zip(PARTS, VERDICTS, strict=True)]
    rows = [
        {"place": line["table"], "column": "aicm", "verdict": f"{verdict}: why",
         "row": f"{line['data']} {line['family']} {line['model']} {line['weighting']}"}
        for line, verdict in lines if line is not None
    ]  # fmt: skip
    pd.DataFrame(rows).to_csv(folder / "tables" / "published.csv", index=False)
    return SimpleNamespace(frame=models, folder=folder, about={"simulated": False}, title="Reproduction of the study")


def test_the_twelve_models_have_one_number_for_one_word_in_80_columns(run, monkeypatch, capsys):
    monkeypatch.setattr(terminal.console, "width", 80)
    tables = comparison(run)
    assert str(tables[1].title).startswith(list(PARTS)[1])
    assert len(tables) == len(PARTS)
    for table, part, verdict, full in zip(tables, PARTS, ("misprint", "no rule"), ("12479.0", "768.1"), strict=True):
        terminal.put_table(table)
        lines = capsys.readouterr().out.splitlines()
        assert max(len(line.rstrip()) for line in lines) <= 80
        assert "…" not in "".join(lines)
        cells = [re.split(r"\s{2,}", line.strip()) for line in lines]
        [head] = [one for one in cells if one[0] == "model"]
        assert head == ["model", "AICM", "AICM as printed", "printed", "verdict"]
        rows = {one[0]: one for one in cells if one[0] in TWELVE}
        assert list(rows) == list(TWELVE)
        for k, name in enumerate(TWELVE):
            by_print = f"{9234.56 + k:.1f}" if part == "training games" else "743.8"
            assert rows[name][1:] == [full, by_print, _line(name, part)["value"], verdict]
