"""The header scan gives the games of the chess library, and sets apart games that are not rated."""

import bz2
import gzip
import zipfile
from collections import deque

import numpy as np
import pytest
import zstandard
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pgn_by_chess_library import read_pgn

from halfpoint.models.games.compressed import open_stream
from halfpoint.models.games.errors import GameTableError
from halfpoint.readers.pgn import read_pgn_headers
from halfpoint.readers.pgn_scan import ends_in_comment
from halfpoint.readers.read import read
from halfpoint.readers.set_apart import is_bye

PACK = {".gz": gzip.compress, ".bz2": bz2.compress, ".zst": zstandard.ZstdCompressor().compress}
MOVES = "1. e4 { [%clk 0:10:00] } e5 2. Nf3 Nc6 3. Bb5"


def game(moves=MOVES, result="1-0", **tags):
    """Text of a game."""
    shown = {"Event": "Club", "Date": "2012.11.30", "White": "Ann", "Black": "Bob", "Result": result} | tags
    return "".join(f'[{key} "{value}"]\n' for key, value in shown.items()) + f"\n{moves} {result}\n\n"


def written(tmp_path, *games, encoding="utf-8", newline="\n"):
    path = tmp_path / "games.pgn"
    path.write_bytes("".join(games).replace("\n", newline).encode(encoding))
    return path


names = st.text(st.sampled_from("AbcÄñé -',."), min_size=1, max_size=6).filter(
    lambda name: name.strip() not in ("", "-", "?") and not is_bye(name) and name == " ".join(name.split())
)
comments = st.sampled_from(
    [
        "",
        "{ plain }",
        '{\n[White "not a header"]\n}',
        "; { rest of the line\n",
        "{ ; } ",
        '{\n\n[Event "x"]\n[White "y"]\n\n}',
        "(1... c5 { [%eval 0.3] })",
        "{ open\n[%clk 1:00] }",
        "\n% an escaped { line\n",
        "$1",
    ]
)
played = st.builds(
    lambda white, black, comment, result, rating, date, tail: game(
        f"1. e4 {comment} e5 {tail}", result, White=white, Black=black, WhiteElo=rating, Date=date
    ),
    names,
    names,
    comments,
    st.sampled_from(["1-0", "0-1", "1/2-1/2", "*"]),
    st.sampled_from(["", "?", "2500", "2499.5"]),
    st.sampled_from(["2012.11.30", "2012.??.??", "????.??.??"]),
    comments,
)


def told(reader, path):
    """Result of the reader, and file and line of its refusal."""
    try:
        return reader(path), None
    except GameTableError as refused:
        return None, refused.where.split(",")[:2]


@settings(max_examples=40, deadline=None)
@given(st.lists(played, min_size=1, max_size=8), st.sampled_from(["\n", "\r\n"]), st.booleans())
@example([game('1. e4 {\n\n[Event "x"]\n\n} e5'), game(result="0-1")], "\n", True)
def test_the_scan_gives_the_games_of_the_chess_library(tmp_path_factory, games, newline, latin):
    folder = tmp_path_factory.mktemp("pgn")
    path = written(folder, *games, encoding="latin-1" if latin else "utf-8", newline=newline)
    expected, refusal = told(read_pgn, path)
    found, other_refusal = told(read_pgn_headers, path)
    assert refusal == other_refusal
    if refusal:
        return
    assert sum(found.apart.values()) == sum(text.endswith("*\n\n") for text in games)
    assert found.games.players.tolist() == expected.players.tolist()
    for column in ("white", "black", "score", "date", "white_rating_elo", "black_rating_elo", "event", "line"):
        np.testing.assert_array_equal(getattr(found.games, column), getattr(expected, column), err_msg=column)


def test_games_at_the_edges_of_blocks_are_found(tmp_path, monkeypatch):
    texts = [game(White=f"W{k}", result=("1-0", "0-1")[k % 2], moves="1. d4 { x } " * (k % 7)) for k in range(60)]
    path = written(tmp_path, *texts, newline="\r\n")
    whole = read_pgn_headers(path).games
    assert len(whole) == 60 - 9  # a seventh of them have no moves
    for size in (1, 2, 7, 64, 1000):
        monkeypatch.setattr("halfpoint.readers.pgn_scan.BLOCK_BYTES", size)
        part = read_pgn_headers(path).games
        assert part.white_names.tolist() == whole.white_names.tolist()
        assert part.line.tolist() == whole.line.tolist()
        assert part.score.tolist() == whole.score.tolist()


def test_what_is_no_rated_game_is_set_apart_and_counted(tmp_path):
    path = written(
        tmp_path,
        game(),
        game(result="*"),
        game(moves=""),
        game(moves="", result="1/2-1/2", White="Fay"),
        game(moves="{Black did not appear}"),
        game(Termination="unplayed"),
        game(Termination="Won by forfeit"),
        game(TimeControl="forfeit"),
        game(Black="BYE"),
        game(Black="?"),
        game(Termination="Time forfeit", White="Cid"),
        game(Date="2012.11", White="Dan"),
        game(Date="2012.00.00", White="Eve"),
    )
    found = read_pgn_headers(path)
    assert found.apart == {"unfinished": 1, "forfeit": 5, "bye": 1, "unnamed": 1}
    assert found.lines["unfinished"] == (9,)
    assert found.games.white_names.tolist() == ["Ann", "Fay", "Cid", "Dan", "Eve"]
    assert found.unknown_dates == 2


def test_a_file_of_headers_alone_is_read(tmp_path):
    text = "".join(game(White=f"W{k}").split("\n\n")[0] + "\n\n" for k in range(4))
    assert read_pgn_headers(written(tmp_path, text)).games.white_names.tolist() == ["W0", "W1", "W2", "W3"]
    joined = written(tmp_path, text.replace("\n\n", "\n", 1))
    with pytest.raises(GameTableError, match=r"line 1, column White: expected one value, found the tag twice"):
        read_pgn_headers(joined)
    found = read_pgn_headers(joined, faulty="apart")
    assert (found.games.line.tolist(), found.apart) == ([12, 18], {"faulty": 1})


def test_a_tag_twice_is_no_fault_where_both_say_the_same(tmp_path):
    one = game(White="Ann")
    again = one.replace('[White "Ann"]', '[White "Ann"]\n[White "Ann"]')
    assert read_pgn_headers(written(tmp_path, again)).games.white_names.tolist() == ["Ann"]
    other = one.replace('[White "Ann"]', '[White "Ann"]\n[White  "Bob"]')
    with pytest.raises(GameTableError, match="column White: expected one value"):
        read_pgn_headers(written(tmp_path, other))


def test_faults_are_set_apart_on_request(tmp_path):
    path = written(tmp_path, game(), game(WhiteElo="x"), game(Date="2013.02.30"), game(Black="Ann"), game(result="2-0"))
    found = read_pgn_headers(path, faulty="apart")
    assert (len(found.games), found.apart) == (1, {"faulty": 4})
    with pytest.raises(GameTableError, match="line 9, column WhiteElo: expected a rating"):
        read_pgn_headers(path)


def test_time_classes_are_kept_and_filtered(tmp_path):
    texts = [
        game(TimeControl="60+1"),
        game(TimeControl="180+2", White="Cid"),
        game(TimeControl="900+10"),
        game(TimeControl="40/7200:3600"),
        game(TimeControl="-", Event="World Rapid 2013"),
        game(TimeControl="480+0", Site="https://lichess.org/abc"),
        game(),
    ]
    path = written(tmp_path, *texts)
    kinds = ["bullet", "blitz", "rapid", "classical", "rapid", "rapid", "unknown"]
    assert read_pgn_headers(path).games.covariates["time_class"].tolist() == kinds
    kept = read_pgn_headers(path, time_classes=["blitz"])
    assert (kept.games.white_names.tolist(), kept.apart) == (["Cid"], {"time class": 6})
    with pytest.raises(GameTableError, match="time classes: expected some of bullet"):
        read_pgn_headers(path, time_classes=["slow"])
    with pytest.raises(GameTableError, match="found 1 time class"):
        read_pgn_headers(written(tmp_path, game()), time_classes=["bullet"])


def test_tags_hash_and_progress(tmp_path):
    same = "1. e4 e5 2. d4"
    texts = [game(same, Round="1.2"), game("1. e4 {a comment}\ne5 2. d4", Round="3"), game("1. c4", Round="4")]
    calls = []
    path = written(tmp_path, *texts)
    found = read_pgn_headers(path, tags=["ECO"], moves=True, keep_event=False, progress=lambda *a: calls.append(a))
    assert found.games.covariates["ECO"].tolist() == ["", "", ""]
    assert found.games.covariates["Round"].tolist() == ["1.2", "3", "4"]
    moves = found.games.covariates["moves"]
    assert moves[0] == moves[1] != moves[2]
    assert found.games.event is None
    assert calls[-1][0] == calls[-1][1] == (tmp_path / "games.pgn").stat().st_size


@pytest.mark.parametrize("suffix", [".gz", ".bz2", ".zst", ".zip"])
def test_compressed_files_give_the_same_games(tmp_path, suffix):
    texts = [game(White=f"Wé{k}", WhiteElo=2000 + k) for k in range(50)]
    plain = written(tmp_path, *texts)
    packed = tmp_path / f"games.pgn{suffix}"
    content = plain.read_bytes()
    if suffix == ".zip":
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("../../games.pgn", content)
    else:
        packed.write_bytes(PACK[suffix](content[:3000]) + PACK[suffix](content[3000:]))
    assert read(packed).white_names.tolist() == read(plain).white_names.tolist()
    assert [item.name for item in tmp_path.parent.iterdir() if item.name == "games.pgn"] == []


@pytest.mark.parametrize("suffix", PACK)
@pytest.mark.parametrize("lost", [1, 5, 300])
def test_a_file_that_was_cut_off_is_refused(tmp_path, suffix, lost):
    """No cut may look like a shorter file: the last games would be missing without a word."""
    content = "".join(game(White=f"W{k * 7919 % 10007}") for k in range(3000)).encode()
    packed = tmp_path / f"games.pgn{suffix}"
    packed.write_bytes(PACK[suffix](content)[:-lost])
    with pytest.raises(GameTableError, match="a complete file"):
        read_pgn_headers(packed)


@pytest.mark.cases(2)
@pytest.mark.parametrize("suffix", [".gz", ".bz2", ".zst", ".zip"])
def test_a_bomb_is_refused(tmp_path, suffix):
    content = b" " * (80 * 2**20)
    packed = tmp_path / f"bomb{suffix}"
    if suffix == ".zip":
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("games.pgn", content)
    else:
        packed.write_bytes(PACK[suffix](content))
    with open_stream(packed) as stream:
        blocks = iter(lambda: stream.read(2**20), b"")
        with pytest.raises(GameTableError, match="compressed at most 250 times"):
            deque(blocks, maxlen=0)
    assert stream.given < 66 * 2**20


def test_archives_of_other_than_one_file_are_refused(tmp_path):
    for members in ([], ["a.pgn", "b.pgn"]):
        with zipfile.ZipFile(tmp_path / "games.zip", "w") as archive:
            for member in members:
                archive.writestr(member, game())
        with pytest.raises(
            GameTableError, match=r"an archive of one file, found 2 files \('a.pgn', 'b.pgn'\)|text file"
        ):
            read_pgn_headers(tmp_path / "games.zip")


def test_an_endless_comment_is_told_with_its_line(tmp_path):
    path = written(tmp_path, game(), game("1. e4 { open"), game("1. e4") * 200_000)
    with pytest.raises(GameTableError, match="line 9: expected a game of at most 16 MiB"):
        read_pgn_headers(path)


def test_header_lines_in_comments_are_looked_at_once(tmp_path, monkeypatch):
    looked = []
    monkeypatch.setattr(
        "halfpoint.readers.pgn_scan.ends_in_comment",
        lambda text: looked.append(len(text)) or ends_in_comment(text),
    )
    path = written(tmp_path, game("1. e4 {" + '\n[White "x"] } e5 {' * 2000 + "}"), game())
    assert len(read_pgn_headers(path).games) == 2
    assert len(looked) >= 2000
    assert sum(looked) < 2 * path.stat().st_size


@pytest.mark.parametrize("brackets", [1, 99, 100, 500])
def test_headers_are_found_behind_any_number_of_lines_that_begin_with_a_bracket(tmp_path, brackets):
    game = '[Event "x"]\n[White "Ann"]\n[Black "Bob"]\n[Result "1-0"]\n\n1. e4 e5 1-0\n'
    (tmp_path / "games.pgn").write_text(game + "{ a\n" + "[\n" * brackets + "}\n\n" + game.replace("Ann", "Cem"))
    table = read_pgn_headers(tmp_path / "games.pgn").games
    assert table.players[table.white].tolist() == ["Ann", "Cem"]
