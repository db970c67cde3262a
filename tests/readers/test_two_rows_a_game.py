"""Games with two rows, one for each side: rows agree or the command stops; counts are those of the simulated league."""

import random
from itertools import permutations

import pytest
from strangers.tally import tally

from halfpoint.models.games.errors import GameTableError
from halfpoint.readers.read import read

NAMES = ("Ash", "Elm", "Oak", "Fir", "Bay", "Yew")
CHANCE = random.Random(5)
LEAGUE = [(*pair, *CHANCE.choice([(2, 1), (3, 1), (0, 2), (1, 3), (1, 1)]), k)
          for k, pair in enumerate(permutations(NAMES, 2))]  # fmt: skip
WON = [game for game in LEAGUE if game[2] != game[3]]
ODD = WON[4]  # the game whose rows disagree, or that was not played


def letter(own, other, words="WDL"):
    """Result of the side of a row."""
    return words[1 - (own > other) + (own < other)]


def views(games, row):
    """Two rows of a game: `row` takes the row's side, the other side, both goals, the place and the game."""
    return [line for game in games for line in (row(*game[:4], "home", game),
            row(game[1], game[0], game[3], game[2], "away", game))]  # fmt: skip


def counts_of(games):
    """Wins, draws and losses by player."""
    counts = {}
    for home, away, own, other, _ in games:
        for name, k in ((home, 1 - (own > other) + (own < other)), (away, 1 + (own > other) - (own < other))):
            counts.setdefault(name, [0, 0, 0])[k] += 1
    return counts


def games_of(tmp_path, header, rows):
    """The games of a CSV file."""
    path = tmp_path / "games.csv"
    path.write_text("\n".join((header, *rows)) + "\n", encoding="utf-8")
    return read(path)


def day(game):
    return f"2024-03-{game[4] + 1:02}"


CONTRADICTIONS = {
    "both sides won": ("match_id,team,result",
                       lambda a, b, x, y, _, g: f"m{g[4]},{a},{'W' if g is ODD else letter(x, y)}", "'W' of"),
    "both sides lost": ("match_id,team,result",
                        lambda a, b, x, y, _, g: f"m{g[4]},{a},{'L' if g is ODD else letter(x, y)}", "'L' of"),
    "a draw against a win": ("match_id,team,result", lambda a, b, x, y, _, g:
                             f"m{g[4]},{a},{'D' if g is ODD and x < y else letter(x, y)}", "'D' of"),
    "a point each": ("match_id,player,score", lambda a, b, x, y, _, g:
                     f"m{g[4]},{a},{1 if g is ODD else letter(x, y, ('1', '0.5', '0'))}", "'1' of"),
    "both sides at home": ("match_id,team,venue,goals",
                           lambda a, b, x, y, _, g: f"m{g[4]},{a},home,{x}", "at home and"),
    "both sides away": ("match_id,team,venue,goals", lambda a, b, x, y, place, g:
                        f"m{g[4]},{a},{'away' if g is ODD else place},{x}", "at home and"),
    "scores": ("date,team,opponent,score", lambda a, b, x, y, place, g:
               f"{day(g)},{a},{b},{x + 1 if g is ODD and place == 'away' else x}:{y}", "of"),
    "both won, by opponents": ("date,team,opponent,result", lambda a, b, x, y, _, g:
                               f"{day(g)},{a},{b},{'W' if g is ODD else letter(x, y)}", "'W' of"),
    "the home side's result": ("date,team,opponent,venue,result", lambda a, b, x, y, place, g:
                               f"{day(g)},{a},{b},{place},{letter(*g[2:4])}", "'[WL]' of"),
}  # fmt: skip


@pytest.mark.parametrize("kind", CONTRADICTIONS)
def test_rows_of_a_game_that_contradict_each_other_stop_with_both_lines(tmp_path, kind):
    header, row, shown = CONTRADICTIONS[kind]
    with pytest.raises(GameTableError, match=rf"lines \d+ and \d+: .* in both rows of a game, found .*{shown}"):
        games_of(tmp_path, header, views(LEAGUE, row))


OWN = "date,team,opponent,{},result"
AGREEING = {
    "neutral ground": ("match_id,team,venue,goals", lambda a, b, x, y, _, g: f"m{g[4]},{a},neutral,{x}"),
    "an empty venue": ("match_id,team,venue,goals", lambda a, b, x, y, place, g:
                       f"m{g[4]},{a},{place if g[4] % 3 else ''},{x}"),
    "1, 0.5 and 0": ("game,player,score", lambda a, b, x, y, _, g:
                     f"g{g[4]},{a},{letter(x, y, ('1', '0.5', '0'))}"),
    "home legs alone": ("team,opponent,venue,result", lambda a, b, x, y, place, g:
                        f"{a},{b},home,{letter(x, y)}" if place == "home" else ""),
    "away legs alone": ("team,opponent,venue,result", lambda a, b, x, y, place, g:
                        f"{a},{b},away,{letter(x, y)}" if place == "away" else ""),
    "margins": ("date,team,opponent,venue,margin", lambda a, b, x, y, place, g: f"{day(g)},{a},{b},{place},{x - y}"),
    "margins by one side": ("date,team,opponent,venue,margin", lambda a, b, x, y, place, g:
                            f"{day(g)},{a},{b},{place},{x - y}" if (place == "away") == g[4] % 2 else ""),
    "H, D and A": (OWN.format("venue"), lambda a, b, x, y, place, g:
                   f"{day(g)},{a},{b},{place},{letter(*g[2:4], 'HDA')}"),
    "colours": (OWN.format("colour"), lambda a, b, x, y, place, g:
                f"{day(g)},{a},{b},{'white' if place == 'home' else 'black'},{letter(x, y)}"),
    "1-0 beside colours": (OWN.format("colour"), lambda a, b, x, y, place, g:
                           f"{day(g)},{a},{b},{'white' if place == 'home' else 'black'},"
                           f"{letter(*g[2:4], ('1-0', '1/2-1/2', '0-1'))}"),
    "all opponents with @": ("team,opponent,result", lambda a, b, x, y, place, g:
                             f"{a},@{b},{letter(x, y)}" if place == "away" else ""),
    "all opponents with vs": ("date,team,opponent,result", lambda a, b, x, y, _, g:
                              f"{day(g)},{a},vs. {b},{letter(x, y)}"),
    "a star": ("date,team,opponent,result", lambda a, b, x, y, _, g: f"{day(g)},{a},{b}*,{letter(x, y)}"),
    "(H) and (A)": ("date,team,opponent,result", lambda a, b, x, y, place, g:
                    f"{day(g)},{a},{b} ({place[0].upper()}),{letter(x, y)}"),
    "@ beside a venue": (OWN.format("venue"), lambda a, b, x, y, place, g:
                         f"{day(g)},{a},{'@' * (place == 'away')}{b},{place},{letter(x, y)}"),
}  # fmt: skip


@pytest.mark.parametrize("kind", AGREEING)
def test_each_game_is_counted_once_with_its_own_result(tmp_path, kind):
    header, row = AGREEING[kind]
    games = games_of(tmp_path, header, filter(None, views(LEAGUE, row)))
    assert tally(games) == counts_of(LEAGUE)


@pytest.mark.parametrize(("header", "cell"), [("result", "forfeit"), ("result,status", "W,walkover")])
def test_a_game_that_one_row_reports_as_not_played_is_set_apart(tmp_path, header, cell):
    def row(a, b, x, y, place, game):
        played = f"{letter(x, y)}{',played' * ('status' in header)}"
        return f"{day(game)},{a},{b},{cell if game is ODD and x < y else played}"

    games = games_of(tmp_path, f"date,team,opponent,{header}", views(LEAGUE, row))
    assert tally(games) == counts_of([game for game in LEAGUE if game is not ODD])


def test_two_games_of_a_pair_on_one_day_are_two(tmp_path):
    twice = [(*sorted(game[:2]), *game[2:]) for game in LEAGUE]
    days = {game[:2]: f"2024-{NAMES.index(game[0]) + 1:02}-{NAMES.index(game[1]) + 1:02}" for game in twice}
    rows = views(twice, lambda a, b, x, y, _, g: f"{days[g[:2]]},{a},{b},{letter(x, y)}")
    assert tally(games_of(tmp_path, "date,team,opponent,result", sorted(rows))) == counts_of(twice)


def test_unknown_words_of_two_rows_a_game_are_asked_for_and_taken(tmp_path):
    words = ("Voitto", "Tasan", "Häviö")
    rows = views(LEAGUE, lambda a, b, x, y, _, g: f"m{g[4]},{a},{letter(x, y, words)}")
    with pytest.raises(GameTableError, match="Say what they mean: --outcomes"):
        games_of(tmp_path, "match_id,team,result", rows)
    games = read(tmp_path / "games.csv", outcomes={"Voitto": "first", "Tasan": "tie", "Häviö": "second"})
    assert tally(games) == counts_of(LEAGUE)
