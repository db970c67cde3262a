"""The terminal shows draws and verdicts, and a backtest prints the requested systems."""

import re

import pandas as pd
import pytest

from halfpoint.apps.cli import terminal
from halfpoint.apps.fields.office.list import every_list, official_list
from halfpoint.apps.pages.cells import cells_of
from halfpoint.apps.workflows.options import Run


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("converged: 4,000 independent draws, weighted, k 0.34 (the level is a convention)", "converged"),
        ("normal approximation, 4,000 independent draws, k 0.34", "normal approximation"),
        ("APPROXIMATE (normal), Pareto k 0.9, should be below 0.5: compare with NUTS", "APPROXIMATE"),
        ("converged: 4,000; separated: Ann (all won), bounded by the prior", "converged; separated: Ann (all won), "
         "bounded by the prior"),
        ("NOT CONVERGED: R-hat 1.2", "NOT CONVERGED: R-hat 1.2"),
    ],
)  # fmt: skip
def test_how_draws_were_made_is_said_where_it_is_asked_for(text, shown):
    assert Run().draws_text(text) == shown
    assert Run(verbose=True).draws_text(text) == text


def test_every_system_stands_beside_the_others_as_it_is_by_itself():
    rows = [(white, black, (k + m) % 3 / 2, m + 1) for m in range(6) for k, (white, black) in enumerate(
        [("Ann", "Bob"), ("Bob", "Cem"), ("Cem", "Ann"), ("Dora", "Ann"), ("Bob", "Dora")])]  # fmt: skip
    games = pd.DataFrame(rows, columns=["white", "black", "score", "period"])
    games = games.assign(whiteelo=1800, blackelo=1700)
    found = every_list(games)
    assert {"fide", "elo", "glicko", "trueskill"} <= set(found.frame)
    for system in ("elo", "glicko-2"):
        alone = official_list(games, system).frame.set_index("player")["rating_elo"]
        beside = found.frame.set_index("player")[system]
        pd.testing.assert_series_equal(alone.sort_index(), beside.sort_index(), check_names=False)
    ranks = found.frame.set_index("player")[[*found.frame.columns[3:]]].rank(ascending=False)
    assert (found.frame["rank_low"].to_numpy() <= ranks.min(axis=1).to_numpy() + 0.5).all()
    assert [one.heading for one in cells_of(found.frame, found.look)][:2] == ["player", "ranks"]
    assert found.note.startswith("left out because they cannot rate these games") or not found.note


@pytest.mark.parametrize(
    ("left", "rows", "names"),
    [
        (("event", "player"), [("Spring", "Ann"), ("Spring", "Bob"), ("Autumn", "Ann")], (0, 1)),
        (("parameter", "name"), [("strength", "Ann"), ("strength", "Bob"), ("advantage", "all")], (0, 1)),
        (("home", "away", "day"), [("A", "B", "6 Dec"), ("A", "B", "7 Dec"), ("B", "A", "7 Dec")], (0, 1, 2)),
        (("player", "form"), [("Ann", "WW"), ("Bob", "WW")], (0,)),
        (("name", "remark"), [("A" * 40, "B" * 30), ("A" * 40, "C" * 30)], (1,)),  # both would fill the terminal
    ],
)
def test_every_block_has_the_names_of_its_rows(left, rows, names, monkeypatch, capsys):
    monkeypatch.setattr(terminal.console, "width", 80)
    numbers = [f"number {k}" for k in range(12)]
    table = terminal.table_of(None, left, tuple(numbers))
    for row in rows:
        table.add_row(*row, *(f"{k:.1f}" for k in range(12)))
    terminal.put_table(table)
    blocks = [block for block in re.split(r"\n\s*\n", capsys.readouterr().out) if block.strip()]
    assert len(blocks) > 1
    for block in blocks:
        lines = [line for line in block.splitlines() if line.strip() and "──" not in line]
        assert max(map(len, lines)) <= 80
        for line, cells in zip(lines, (left, *rows), strict=True):
            assert {cells[k] for k in names} <= {*re.split(r"\s{2,}", line.strip())}
