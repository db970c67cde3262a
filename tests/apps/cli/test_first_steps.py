"""Commands of docs/first-steps.md run in an empty folder, in order, at their documented size.

The fast suite runs the first two commands, games and their list; the slow suite runs all, which takes minutes.

The output must equal the text of the document: the same lines, columns, verdict and advice, and the same numbers within
the Monte Carlo error of two runs (seeds are fixed, but processors round differently). Files that a user would have are
made here. Python snippets run after the commands, in the same folder.
"""

import csv
import json
import re
import shlex
import sys
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from outside.kinds import KINDS

from halfpoint.models.games.find_player import strip_accents

ROOT = Path(__file__).resolve().parent.parent.parent.parent
PAGE = (ROOT / "docs" / "first-steps.md").read_text(encoding="utf-8")
HALFPOINT = Path(sys.executable).with_name("halfpoint")
BLOCKS = [block for block in re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL) if block.startswith("$ halfpoint ")]
TYPED = [block.split("\n", 1)[0].removeprefix("$ halfpoint ") for block in BLOCKS]
BY_DAY = 2  # simulate and rate
PYTHON = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?")
FIDE_HEADER = f"{'ID Number':<15}{'Name':<61}Fed Sex Tit  WTit OTit           FOA {{}} Gms K  B-day Flag\n"


def words(text):
    """Words of a text, without rules of tables."""
    return re.sub("─+", " ", text).split()


def apart(shown, printed, compared):
    """Numbers at the same place of the page and the output that differ too much.

    From run to run a rating changes by less than a point (27 points over the root of 1,500 draws), the end of an
    interval by three points, a probability by two percent, and AICM, the criterion of a comparison, by its printed
    error of 2.
    """
    page, out = (
        [re.sub("davidson-(common|population)", "davidson-*", word) for word in one] for one in (shown, printed)
    )
    shapes = [NUMBER.sub("#", word) for word in page], [NUMBER.sub("#", word) for word in out]
    starts = [at for at in range(len(out)) if shapes[1][at : at + len(page)] == shapes[0]]
    found = []
    for start in starts:
        pairs = zip(page, out[start : start + len(page)], strict=True)
        both = [zip(NUMBER.findall(one), NUMBER.findall(two), strict=True) for one, two in pairs]
        numbers = [(float(one.replace(",", "")), float(two.replace(",", ""))) for pair in both for one, two in pair]
        room = 12.0 if compared else 8.0
        found.append(
            [one for one in numbers if abs(one[0] - one[1]) > min(room, 0.35 * abs(one[0]) + 0.8 + compared * room)]
        )
    return min(found, key=len) if found else [("no such place", shown)]


def shape(text):
    """Words of a text: single blanks, no rules of tables, # for every number.

    Two models whose order in a comparison depends on the draws get one name.
    """
    text = re.sub("davidson-(common|population)", "davidson-*", re.sub("─+", " ", text))
    text = re.sub(r" \(\d+ s\)", "", text)  # of a stage, where no terminal shows a bar
    return " ".join(NUMBER.sub("#", text).split())


@dataclass
class Terminal:
    """Folder in which the commands of the page are run, in order, as far as requested.

    Parameters
    ----------
    folder : Path
    run : callable
        Runs a command in a folder, in a process of its own.
    said : dict of str to tuple
        Exit code, output and errors of each command that was typed.
    """

    folder: Path
    run: Callable
    said: dict = field(default_factory=dict)

    def type(self, command):
        """Run the commands before a command that have not run, and the command; return its output."""
        for one in TYPED[len(self.said) : TYPED.index(command) + 1]:
            self.said[one] = self.run(shlex.split(one), self.folder)[:3]
        return self.said[command]


@pytest.fixture(scope="module")
def session(tmp_path_factory, zygote):
    """Terminal in a folder with the files that the page assumes."""
    folder = tmp_path_factory.mktemp("first steps")
    bring(folder)
    return Terminal(folder, zygote.run)


def bring(folder):
    """Write the files that the page assumes: names, games to come, a season, a club's games and two FIDE lists."""
    (folder / "players.txt").write_text("Player 31\nPlayer 34\nPlayer 23\nPlayer 24\n", encoding="utf-8")
    (folder / "next.csv").write_text("white,black\nPlayer 31,Player 34\nPlayer 23,Player 24\n", encoding="utf-8")
    season, _ = KINDS["football season"].make(folder)
    with season.open(encoding="utf-8-sig") as stream:
        rows = list(csv.DictReader(stream))
    points = {"H": "1", "D": "0.5", "A": "0"}
    lines = [f"{row['HomeTeam']},{row['AwayTeam']},{points[row['FTR']]},{row['Date']},{row['HS']}" for row in rows]
    (folder / "season.csv").write_text("\n".join(["H,V,Pts,When,Shots", *lines]), encoding="utf-8")
    path, truth = KINDS["club with ratings"].make(folder)
    text = "\n".join(line for line in path.read_text(encoding="utf-8").splitlines() if "Elo " not in line)
    path.write_text(re.sub(r'Date "[^"]*"', 'Date "2023.02.18"', text), encoding="utf-8")
    for month in ("JAN23", "FEB23"):
        listed = [
            f"{number:<15}{strip_accents(name).title():<61}SCO M   {'':<29}{rating:<6.0f}0   10 1990\n"
            for number, (name, rating) in enumerate(truth.rating_elo.items(), 1)
        ]
        name = f"standard_{month.lower()}frl"
        with zipfile.ZipFile(folder / f"{name}.zip", "w") as archive:
            archive.writestr(f"{name}.txt", FIDE_HEADER.format(month) + "".join(listed))


@pytest.mark.cases(4)
@pytest.mark.parametrize(
    "number",
    [pytest.param(k, id=one[:40], marks=() if k < BY_DAY else pytest.mark.slow) for k, one in enumerate(TYPED)],
)
def test_a_command_prints_what_the_page_shows(session, number):
    command, _, shown = BLOCKS[number].partition("\n")
    code, out, err = session.type(TYPED[number])
    out = re.sub(r" \(\d+ s\)$", "", out, flags=re.MULTILINE)  # seconds of a stage, where output is piped
    assert code == 0, err
    assert err == ""
    for part in shape(shown).split("..."):
        assert part.strip() in shape(out), f"{part.strip()}\n\nis not in\n\n{shape(out)}"
    for part in shown.split("..."):
        assert apart(words(part), words(out), command.startswith("$ halfpoint compare")) == []
    if command.startswith("$ halfpoint rate"):
        assert "Sampler: converged" in shape(out)
    assert "NOT CONVERGED" not in out


def test_the_list_of_the_page_holds_the_truth_it_was_simulated_from(session):
    session.type(TYPED[BY_DAY - 1])
    folder = session.folder
    with (folder / "games.pgn.truth.csv").open(encoding="utf-8") as stream:
        truth = {row["player"]: float(row["rating_elo"]) for row in csv.DictReader(stream)}
    answer = json.loads((folder / "run" / "ratings.json").read_text(encoding="utf-8"))
    assert answer["converged"] is True
    centre = sum(truth.values()) / len(truth) - 1500
    inside = [row["low_elo"] <= truth[row["player"]] - centre <= row["high_elo"] for row in answer["rows"]]
    assert len(inside) == 60
    assert sum(inside) >= 50  # 57 expected; 50 or fewer have a chance of 0.002


@pytest.mark.slow
def test_the_python_of_the_page_runs(session, monkeypatch, capsys):
    session.type(TYPED[-1])
    monkeypatch.chdir(session.folder)
    names = {}
    for snippet in PYTHON:
        exec(snippet, names)
    assert capsys.readouterr().out.startswith("converged")
    assert names["trace"].attrs["converged"]
