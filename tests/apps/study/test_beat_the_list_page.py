"""Numbers of docs/beat-the-list.md, of its record and of README.md, computed from the study's games."""

import re
from pathlib import Path

import beat_the_list
import pytest
from beat_the_list import PRIMARY, REFERENCE

from halfpoint.models.games.units import to_elo

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs" / "beat-the-list.md").read_text(encoding="utf-8")
RECORD = (ROOT / "benchmarks" / "office.md").read_text(encoding="utf-8")
README = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
pytestmark = [pytest.mark.real, pytest.mark.slow]


def table(begin, text=RECORD):
    """Rows of the table with this beginning of the header, as lists of cells without bold and code."""
    lines = text[text.index(begin) :].split("\n\n")[0].splitlines()[2:]
    return [[re.sub("[*`]", "", cell).strip() for cell in line.strip("|").split("|")] for line in lines]


def tens(value):
    """Nats a game in the unit of the page, 0.0001, as printed."""
    return f"{1e4 * value:.0f}"


def filled(rows):
    """Rows with the first and third cell repeated for the rows that they span."""
    name = count = ""
    for row in rows:
        name, count = row[0] or name, row[2] or count
        yield [name, row[1], count, *row[3:]]


@pytest.fixture(scope="module")
def selected(tmp_path_factory):
    return beat_the_list.select_models(None, tmp_path_factory.mktemp("selection"), parts=False, say=lambda _: None)


def test_2011_and_2012_are_as_the_pages_say(selected):
    scores = selected.scores.set_index(["set", "system"])
    names = {"2011-2012, all": "2011-2012, all", "2011-2012, a monitored player": "2011-2012, monitored"}
    rows = list(filled(table("| games | model | games | difference |")))
    assert len(rows) == 6
    for label, model, games, difference, naive, two_way, interval, months in rows:
        found = scores.loc[(names[label], model)]
        assert games == f"{found['games']:,}"
        assert (difference, naive, two_way) == tuple(
            tens(found[key]) for key in ("difference", "se_naive", "se_two_way")
        )
        assert interval == f"{tens(found['low'])} to {tens(found['high'])}"
        assert months == f"{found['periods_better']} of {found['periods']}"

    whole, some = (scores.loc[(one, REFERENCE), "log_score"] for one in ("2011-2012, all", "2011-2012, monitored"))
    best = scores.loc[("2011-2012, all", PRIMARY)]
    said = " ".join(RECORD.split())
    assert f"`fide-rating` has {whole:.5f} on all games and {some:.5f} on those with a monitored player" in said
    draw, decisive = -1e4 * best["difference_draw"], -1e4 * best["difference_decisive"]
    assert f"{draw:.0f} are whether a game is drawn and {decisive:.0f} who wins it if not" in said
    assert (
        f"on the {best['games']:,} games of 2011 and 2012, on which the models were chosen, is "
        f"{-best['difference']:.4f} nats a game (standard error {best['se_two_way']:.4f}; better in "
        f"{best['periods_better']} of {best['periods']} months)"
    ) in README

    fits = selected.fits[PRIMARY]
    last = {row[0].strip("$"): row[3] for row in table("| symbol | meaning | prior |", PAGE)}
    for symbol, key in ((r"\kappa", "anchor_scale"), (r"\varphi", "shrink"), (r"\lambda_0", "log_draw")):
        assert last[symbol] == f"{fits[key]:.2f}"
    assert last[r"\delta"] == f"{fits['advantage']:.3f}, {to_elo(fits['advantage']):.0f} Elo"
    spread = fits["strength_spread"]
    assert last["d"] == rf"$\sigma_d$ {spread:.3f}, {to_elo(spread):.0f} Elo"
    slopes = [f"{fits[key]:.2f}" for key in ("draw_slope", "draw_gap", "draw_signed_gap")]
    assert last[r"\beta_M, \beta_A, \beta_D"] == ", ".join(slopes)
    assert last["t"] == rf"$\sigma_t$ {fits['draw_tendency_spread']:.2f}"
    assert last["s"] == rf"$\sigma_s$ {fits['log_draw_event_spread']:.2f}"
    assert last[r"\tau"] == f"{fits['log_draw_effect']:.2f}"


def test_2013_is_as_the_pages_say(tmp_path):
    found = beat_the_list.read_test(None, tmp_path, say=lambda _: None).scores.set_index(["set", "system"])
    names = {
        "2013, all": "2013, all",
        "rapid and blitz (one event)": "2013, rapid and blitz",
        "all others": "2013, others",
    }
    names |= {"a monitored player": "2013, monitored", "a monitored player, others": "2013, monitored, others"}
    rows = list(filled(table("| games | model | games | log score |")))
    assert len(rows) == 11
    for label, model, games, score, difference, naive, two_way, interval in rows:
        one = found.loc[(names[label], model)]
        assert (games, score) == (f"{one['games']:,}", f"{one['log_score']:.5f}")
        if model == REFERENCE:
            continue
        assert (difference, naive) == (tens(one["difference"]), tens(one["se_naive"]))
        if two_way:  # of one event there is no error between events
            assert two_way == tens(one["se_two_way"])
            assert interval == f"{tens(one['low'])} to {tens(one['high'])}"
    whole, others = (found.loc[(one, PRIMARY)] for one in ("2013, all", "2013, others"))
    said = " ".join(RECORD.split())
    assert f"{found.loc[('2013, rapid and blitz', PRIMARY), 'games']} of its {whole['games']:,} games" in said
    assert (
        f"On the {whole['games']:,} games of 2013, read after the choice was committed, it is "
        f"{-whole['difference']:.4f} ({whole['se_two_way']:.4f}), not significantly different from 0, and without the "
        f"World Rapid and Blitz Championship {-others['difference']:.4f} ({others['se_two_way']:.4f})"
    ) in README


def test_each_part_is_worth_what_the_page_says(selected, tmp_path):
    games, sets = beat_the_list.selection_games(None)
    systems = {
        name: beat_the_list.forecasts(games, {name: model}, beat_the_list.FIRST, lambda _: None)[0][name]
        for name, model in beat_the_list.ingredients().items()
    }
    parts = beat_the_list.left_out(games, selected.systems[PRIMARY], systems, sets).set_index(["left out", "set"])
    names = {"Davidson's formula instead of the draw curve": "draw curve: Davidson's instead"}
    names |= {"Rao and Kupper's instead": "draw curve: Rao and Kupper's instead"}
    rows = table("| left out | 2011-2012, all |")
    assert len(rows) == 11
    for name, everybody, monitored, _ in rows:
        for said, label in ((everybody, "2011-2012, all"), (monitored, "2011-2012, monitored")):
            one = parts.loc[(names.get(name, name), label)]
            assert said == f"{tens(one['worth'])} +- {tens(one['se_two_way'])}", (name, label)
    without = {label: parts.loc[("time control", label)] for label in sets}
    said = " ".join(RECORD.split())
    whole, some = without.values()
    assert f"gain of {1e4 * whole['worth']:.1f} +- {1e4 * whole['se_two_way']:.1f} on all games" in said
    assert f"{1e4 * some['worth']:.1f} +- {1e4 * some['se_two_way']:.1f} on the monitored ones" in said
    timeless = {"listed-full": systems["time control"], REFERENCE: selected.systems[REFERENCE]}
    scores = beat_the_list.overall(games, timeless, sets, REFERENCE).set_index(["set", "system"])
    whole, some = (scores.loc[(label, "listed-full")] for label in sets)
    assert f"**{whole['difference']:.4f} +- {whole['se_two_way']:.4f}** on the {whole['games']:,} games" in said
    assert f"{some['difference']:.4f} +- {some['se_two_way']:.4f} on the monitored {some['games']:,}" in said
