"""Options that a format of a tournament, or an aim of a pairing, does not read are refused before anything is read."""

import pytest

from halfpoint.apps.cli.app import options_of

NEEDS = {  # option -> formats that read it, as docs/rating-office.md, docs/football.md and the help say
    "--double": ("", {"round-robin", "teams"}), "--rounds": ("4", {"swiss"}), "--games": ("4", {"knockout"}),
    "--decider": ("coin", {"knockout"}), "--tie-break": ("buchholz", {"round-robin", "swiss"}),
    "--seeding": ("listed", {"knockout", "swiss"}), "--fixtures": ("next.csv", {"season"}),
    "--scoring": ("2-1-0", {"season"}), "--first": ("1", {"season"}), "--last": ("1", {"season"}),
    "--months": ("3", {"season"}), "--zones": ("up=1-2", {"season"}),
    **dict.fromkeys(("--results", "--places"), ("x.csv", {"round-robin", "knockout", "swiss", "season"})),
    **dict.fromkeys(("--new", "--at"), ("a", {"round-robin", "knockout", "swiss", "season"})),
}  # fmt: skip
FORMATS = ("round-robin", "knockout", "swiss", "season", "teams")
OF_ALL = {
    "--format", "--seed", "--simulations", "--json", "--out", "--force", "--model", "--workers", "--cluster",
    "--columns", "--table", "--ignore", "--date-format", "--outcomes", "--form", "--trust", "--better", "--rope",
    "--sides",
}  # fmt: skip


def test_every_option_has_its_formats():
    assert {word for word in options_of("tournament")["tournament"] if word.startswith("--")} == {*NEEDS} | OF_ALL


@pytest.mark.parametrize("option", NEEDS)
def test_an_option_is_read_or_refused_by_each_format(option, halfpoint, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    value, formats = NEEDS[option]
    for name in FORMATS:
        words = ("tournament", "trace.nc", "players.txt", "--format", name, option, *filter(None, [value]))
        code, _, error = halfpoint(*words)
        assert (code, error.count("\n")) == (2, 1), error
        if name in formats:  # then the missing file is the mistake
            assert "no such file" in error or "--at: expected" in error, error
        else:
            assert error.startswith(f"halfpoint: {option}: expected "), error
            assert f"found --format {name}" in error


def test_words_and_pairs_of_options_are_refused_with_the_choices(halfpoint):
    for words, message in (
        (("tournament", "t.nc", "p.txt", "--format", "swis"), "round-robin | knockout | swiss | season | teams, found"),
        (
            ("tournament", "t.nc", "p.txt", "--format", "season", "--fixtures", "f.csv", "--months", "3"),
            "--months: expected no --fixtures",
        ),
        (("pair", "t.nc", "p.txt", "--games", "4"), "--games: expected --aim knockout, found --aim top"),
        (("pair", "t.nc", "p.txt", "--aim", "even", "--decider", "coin"), "--decider: expected --aim knockout, found"),
        (("match", "t.nc", "--boards", "b.csv", "--new", "Ann"), "--boards: expected no --games, --new, --at"),
    ):
        code, _, error = halfpoint(*words)
        assert (code, error.count("\n"), message in error) == (2, 1, True), error
