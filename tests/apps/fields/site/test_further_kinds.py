"""Sites of lists, arenas and bridge clubs; watching; chances by a published list."""

import json

import numpy as np
import pandas as pd
import pytest

from halfpoint.apps.fields.site import site
from halfpoint.apps.fields.site.edition import _addresses
from halfpoint.apps.fields.site.people_pages import games_by_name
from halfpoint.apps.fields.site.watching import watch
from halfpoint.apps.workflows.followed import chances_of_list
from halfpoint.readers.datasets.examples import example_file

KINDS = {"arena": ("arena.csv", "model"), "bridge": ("bridge.csv", "player"), "list": ("club.pgn", "player")}
COUNTED = {
    "arena": "8 models by 900 judgements.",
    "bridge": "evenings of a pair until",
    "list": "players by 280 games until",
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_has_a_page_for_everyone_with_the_numbers_of_its_list(kind, tmp_path):
    file, noun = KINDS[kind]
    (tmp_path / file).write_bytes(example_file({"list": "club"}.get(kind, kind)).read_bytes())
    (tmp_path / "site.toml").write_text(f'kind = "{kind}"\ngames = "{file}"\n')
    made = site(tmp_path / "site.toml", tmp_path / "public")
    pages = sorted((tmp_path / "public" / noun).glob("*.html"))
    table = pd.read_csv(tmp_path / "public/data/ratings.csv")
    assert len(pages) == len(made.edition["rows"]) == len(table)
    assert made.changed == ""
    assert COUNTED[kind] in (tmp_path / "public/index.html").read_text(encoding="utf-8")
    unit = made.edition["unit"]
    assert table[f"rating_{unit}"].is_monotonic_decreasing
    for row in made.edition["rows"]:
        text = (tmp_path / "public" / noun / f"{row['address']}.html").read_text(encoding="utf-8")
        number = f"{row[f'rating_{unit}']:.{0 if unit == 'elo' else 1}f}"
        assert (number if float(number) else "0.0").replace("-", "−") in text  # no zero has a sign


@pytest.mark.slow
@pytest.mark.parametrize(
    ("season", "answer"), [("2025-08-01", "Harrowick are champions: the season is over."), ("2026-01-01", "")]
)
def test_a_season_that_is_over_and_one_that_has_not_begun(season, answer, tmp_path):
    games = pd.read_csv(example_file("football"))
    games.to_csv(tmp_path / "games.csv", index=False)
    fixtures = games[games["date"] >= "2025-08-01"][["date", "home", "away"]]
    fixtures = fixtures if answer else pd.read_csv(example_file("fixtures"))
    fixtures.to_csv(tmp_path / "fixtures.csv", index=False)
    text = f'games = "games.csv"\nfixtures = "fixtures.csv"\nseason = {season}\n'
    (tmp_path / "league.toml").write_text(text)
    made = site(tmp_path / "league.toml", tmp_path / "public")
    assert not answer or made.answer == answer
    assert made.edition["left"] == (0 if answer else len(fixtures))
    now = sum(row["points_so_far"] for row in made.edition["rows"])
    assert (now > 0) == bool(answer)
    assert sum(row["title_percent"] for row in made.edition["rows"]) == pytest.approx(100.0)


def test_chances_of_a_list_are_davidsons():
    """Without error they are the formula's; with it between even and the formula's, and sum to one."""
    difference, rate = np.array([0.0, 200.0, -350.0]), 0.3
    nu, gamma = 2.0 * rate / (1.0 - rate), 10.0 ** (difference / 400.0)
    total = gamma + 1.0 + nu * np.sqrt(gamma)
    exact = chances_of_list(difference, np.zeros(3), rate)
    assert exact == pytest.approx(np.stack([1.0 / total, nu * np.sqrt(gamma) / total, gamma / total], axis=1))
    assert exact[0, 1] == pytest.approx(rate)
    unsure = chances_of_list(difference, np.full(3, 150.0), rate)
    assert unsure.sum(axis=1) == pytest.approx(1.0)
    assert (np.abs(unsure[1:, 2] - unsure[1:, 0]) < np.abs(exact[1:, 2] - exact[1:, 0])).all()
    draws = difference[1] + 150.0 * np.random.default_rng(1).standard_normal(200_000)
    simulated = chances_of_list(draws, np.zeros(draws.size), rate)
    error = simulated.std(axis=0) / np.sqrt(draws.size)
    assert (np.abs(simulated.mean(axis=0) - unsure[1]) < 5.0 * error).all()


def test_addresses_are_of_ascii_once_and_stay():
    names = ["Müller & Söhne", "Muller Sohne", "李雷", "..", "A" * 200, "Zoë"]
    made = list(_addresses(names, {"Zoë": "zoe-1"}))
    assert len(set(made)) == len(names)
    assert all(part and part.isascii() and "/" not in part and "." not in part for part in made)
    assert made[0] == "muller-sohne"
    assert made[-1] == "zoe-1"
    assert max(map(len, made)) <= 63


def test_people_of_a_side_all_take_part():
    edition = {"rows": [{"name": "Ann"}, {"name": "Bob + Cem"}, {"name": "Dan"}]}
    game = {"first": "Ann + Dan", "second": "Bob + Cem"}
    found = games_by_name(edition, [game])
    assert found == {"Ann": [(game, True)], "Dan": [(game, True)], "Bob + Cem": [(game, False)]}


def test_watching_makes_a_site_after_each_change_and_ends_with_an_interrupt(tmp_path):
    file, made, pauses = tmp_path / "games.csv", [], []
    file.write_text("1")

    def pause(seconds):
        pauses.append(seconds)
        if len(pauses) in (2, 4):
            file.write_text("1" * len(pauses))
        if len(pauses) == 3:
            file.unlink()  # as while an editor saves
        if len(pauses) > 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        watch(lambda: [file], lambda: made.append(file.read_text() if file.exists() else ""), pause)
    assert made == ["11", "", "1111"]


@pytest.mark.further
def test_json_of_the_edition_has_no_nan(league):
    folder, _, _ = league
    for path in (folder / "public/editions").glob("*.json"):
        json.loads(path.read_text(encoding="utf-8"), parse_constant=lambda text: pytest.fail(text))
