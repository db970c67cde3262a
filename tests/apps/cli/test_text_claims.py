"""Claims of the texts: verdicts on games with known truth, limits of a verdict, and the command."""

import json
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from rating_games import simulated

from halfpoint.apps.study.text_claims import Finding, text_claims
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.packaged import packaged_rows
from halfpoint.models.games.table import GameTable
from halfpoint.models.games.units import to_natural


def made(slope, count=20_000, seed=2, draws=0.3):
    """Games of players with printed ratings; true leads are `slope` times the printed ones."""
    rng = np.random.default_rng(seed)
    rating = rng.normal(2500.0, 120.0, 60).round()
    white, black = rng.integers(0, 60, count), rng.integers(0, 59, count)
    black = np.where(black >= white, black + 1, black)
    expected = 1.0 / (1.0 + np.exp(-slope * to_natural(rating[white] - rating[black] + 30.0)))
    draw = draws * 4.0 * expected * (1.0 - expected)
    win = (expected - 0.5 * draw) / (1.0 - draw)
    score = np.where(rng.random(count) < draw, 0.5, rng.random(count) < win)
    names = np.array([f"p{k:02d}" for k in range(60)])
    return GameTable(
        players=names, white=white.astype(np.int32), black=black.astype(np.int32), score=score.astype(float),
        period=(np.arange(count) * 24 // count + 1).astype(np.int64), white_rating_elo=rating[white],
        black_rating_elo=rating[black], name="made", source="made",
    )  # fmt: skip


@pytest.mark.parametrize(("slope", "less", "sixths"), [
    (1.0, ("undecided", "falls"), "falls"), (5 / 6, ("holds",), "holds"),
])  # fmt: skip
def test_the_slope_of_a_lead_is_found(slope, less, sixths):
    found = text_claims(made(slope), ratings=False).frame.set_index("claim")
    one = found.loc["a lead is worth less than it says"]
    assert abs(one["estimate"] - slope) < 4 * one["standard_error"]
    assert one["verdict"] in less
    assert found.loc["a lead of X is worth 5/6 X", "verdict"] in (sixths, "undecided")
    assert found.loc["50.0158% on 22 million results is better than a coin", "verdict"] == "holds"


def test_points_of_a_lead_of_200_and_the_curve_that_made_the_games():
    found = text_claims(made(1.0, 60_000), ratings=False).frame.set_index("claim")
    assert found.loc["200 points are 76%", "estimate"] == pytest.approx(76.0, abs=1.5)
    assert found.loc["logistic fits better", "verdict"] != "falls"


def test_systems_are_judged_on_months_that_they_had_not_seen():
    found = text_claims(made(1.0, 6_000)).frame.set_index("claim")
    for name in ("K 24 above 2400 is better than 10", "Elo is better than BCF's grading"):
        assert found.loc[name, "games"] < 6_000
        assert np.isfinite(found.loc[name, "estimate"])
    # nobody changes: the smaller K is the better one
    assert found.loc["K 24 above 2400 is better than 10", "verdict"] == "falls"


@pytest.mark.parametrize(("estimate", "error", "bound", "above", "width", "verdict"), [
    (2.0, 0.5, 0.0, True, 0.0, "holds"), (-2.0, 0.5, 0.0, True, 0.0, "falls"), (0.5, 0.5, 0.0, True, 0.0, "undecided"),
    (0.8, 0.05, 1.0, False, 0.0, "holds"), (1.2, 0.05, 1.0, False, 0.0, "falls"),
    (0.83, 0.01, 5 / 6, None, 0.05, "holds"), (0.95, 0.01, 5 / 6, None, 0.05, "falls"),
    (0.88, 0.02, 5 / 6, None, 0.05, "undecided"),
])  # fmt: skip
def test_a_verdict_is_where_the_interval_is(estimate, error, bound, above, width, verdict):
    assert Finding("x", "q", estimate, error, bound, 10, "made", above, width).verdict == verdict


def test_the_command_and_what_it_refuses(tmp_path, halfpoint):
    table = made(1.0, 2_000)
    rows = ["white,black,score,period,white_rating_elo,black_rating_elo"]
    rows += [
        f"{a},{b},{s:g},{p},{x:g},{y:g}" for a, b, s, p, x, y in zip(
            table.white_names, table.black_names, table.score, table.period, table.white_rating_elo,
            table.black_rating_elo, strict=True,
        )
    ]  # fmt: skip
    (tmp_path / "games.csv").write_text("\n".join(rows))
    code, out, error = halfpoint("claims", tmp_path / "games.csv", "--json")
    assert (code, error) == (0, "")
    found = json.loads(out)["rows"]
    assert {row["verdict"] for row in found} <= {"holds", "falls", "undecided"}
    assert all(row["statement"] and row["source"] for row in found)
    bare = replace(simulated(3, players=4, games=40, periods=4)[0], white_rating_elo=None, black_rating_elo=None)
    with pytest.raises(GameTableError, match="expected ratings on the day of both players, found none"):
        text_claims(bare)


def test_every_claim_has_a_verdict_on_the_page():
    page = (Path(__file__).parents[3] / "benchmarks" / "tables" / "study.md").read_text(encoding="utf-8")
    page = page.partition("## Claims of the texts on public games")[2].partition("\n## ")[0]
    rows = [line.strip("| ").split(" | ") for line in page.splitlines() if line.startswith("| ")][2:]
    assert {row[0] for row in rows} == {line["claim"] for line in packaged_rows("apps.study", "text_claims.csv")}
    for _, quantity, estimate, interval, games, data, verdict in rows:
        low, high = map(float, interval.split(" to "))
        assert low <= float(estimate) <= high
        assert int(games.replace(",", "")) >= 30
        assert quantity
        assert data
        assert verdict in ("holds", "falls", "undecided")
    told = re.search(r"Of (\d+) claims, (\d+) hold, (\d+) fail, (\d+) are undecided", page)
    count = Counter(row[-1] for row in rows)
    assert [int(one) for one in told.groups()] == [len(rows), *(count[one] for one in ("holds", "falls", "undecided"))]
