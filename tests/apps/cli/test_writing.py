"""Commands that write never overwrite inputs or files of another program.

In the slow suite `kill_campaign.py` kills every command at random moments over an older result: all files must be of
the older or all of the newer result.
"""

import base64
import hashlib
import random
import re
import signal
import subprocess
import sys
import time
from contextlib import nullcontext

import pandas as pd
import pytest
import typer
from filelock import FileLock
from good_results import BROKEN, CODES, DONE, FULL, INTERRUPTED, GoodResult, files_of, is_run
from writing_commands import LONG, READ, WRITING

from halfpoint.apps.cli.app import COMMANDS, application
from halfpoint.apps.pages.page import Chart, page_html
from halfpoint.apps.workflows.answer import Answer, answer_page, as_csv
from halfpoint.inference.traces.netcdf import read as read_trace
from halfpoint.models.games import result_record
from halfpoint.models.games.atomic_write import require_disk
from halfpoint.models.games.errors import HalfpointError
from halfpoint.models.games.result_record import RECORD
from halfpoint.models.games.results import results
from halfpoint.models.games.single_files import files

FAST = [name for name in WRITING if name not in (*LONG, "match", "rank, page")]  # those two write as others do
# of every way to write: a folder, one file, two; `make slow` runs all
QUICK = ("cells", "bridge score", "simulate", "list")
SAMPLING = ("rate", "leaderboard")
SLOW = pytest.mark.slow
FULL_DISK = pytest.mark.full_disk


def refused(answer, *texts):
    """Check that a command ended with code 2 and one line with the texts."""
    code, _, errors, _ = answer
    assert (code, errors.count("\n")) == (2, 1), errors
    assert errors.startswith("halfpoint: ")
    for text in texts:
        assert text in errors


def everything(folder):
    """All files below a folder, hidden ones too."""
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_every_option_that_writes_is_tried():
    tried = {(*one.words, *one.old) for one in WRITING.values()}
    for name in COMMANDS.keys() - {"demo"}:  # which runs other commands
        command = typer.main.get_command(application([name])).commands[name]
        for part, one in getattr(command, "commands", {"": command}).items():
            words = (name, part) if part else (name,)
            mine = {word for given in tried if given[: len(words)] == words for word in given}
            paths = [
                given for given in one.params if "Path" in str(getattr(given, "type_descriptor", given).annotation)
            ]
            options = {given.opts[0] for given in paths if given.opts[0].startswith("--")} - READ
            assert options <= mine, words
            assert mine or "out" not in {given.name for given in one.params}, words


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    "name",
    [pytest.param(one, marks=[FULL_DISK] * (one in SAMPLING) + [SLOW] * (one not in QUICK)) for one in FAST],
)
def test_a_command_that_writes(name, place, zygote, tmp_path_factory):
    one, run = WRITING[name], place / "run"
    words = [*one.words, *one.old]
    # a full disk, before anything is there: nothing is left
    if zygote.fails:
        before, elsewhere = everything(place), tmp_path_factory.mktemp("elsewhere")
        fault = {"FAULT_FOLDER": str(run), "FAULT_AT": "1", "FAULT_ERRNO": str(FULL)}
        answer = zygote.run(words, place, TMPDIR=str(elsewhere), **fault)
        refused(answer, "No space left on device")
        assert everything(place) == before
        # draws alone, of the commands that sample, and it is said
        kept = [str(path) for path in elsewhere.iterdir()]
        assert [one.partition(" kept in ")[2].strip().rstrip(".") for one in [answer[2]] if " kept in " in one] == kept
        assert len(kept) == (name in SAMPLING)
        run.mkdir(exist_ok=True)
    # standard output is closed: the files are those of any other run
    code, _, errors, _ = zygote.run(words, place, closed=[1])
    assert (code in DONE, errors) == (True, "")
    made = files_of(run)
    assert made
    plain = place / "plain"
    plain.write_text("")
    assert (run / next(iter(made))).stat().st_mode == plain.stat().st_mode
    # again, over its own
    assert zygote.run(words, place)[0] in DONE
    assert is_run(files_of(run), made, exact=False)
    made = everything(run)
    # another process is at work there
    held = run / ".halfpoint.lock" if one.folder else run / f".halfpoint.lock.{next(iter(files_of(run)))}"
    with FileLock(held):
        refused(zygote.run(words, place), "expected no other writer")
    held.unlink(missing_ok=True)
    assert everything(run) == made
    # a file that was changed since, or that was never halfpoint's
    mine = run / next(name for name in files_of(run) if name != "index.html")
    mine.write_text("mine")
    refused(zygote.run(words, place), "found a file that was changed since", "replace it by --force")
    (run / RECORD).unlink()
    refused(zygote.run(words, place), "found a file that halfpoint did not write")
    assert mine.read_text() == "mine"
    # a link is no way out of the folder
    outside = place / "outside"
    outside.write_text("outside")
    if one.folder:
        mine.unlink()
        mine.symlink_to(outside)
        refused(zygote.run(words, place), "replace it by --force")
    assert zygote.run([*words, "--force"], place)[0] in DONE
    assert not mine.is_symlink()
    assert outside.read_text() == "outside"
    # what is read is never written over, by force neither
    if one.reads:
        content = (place / one.reads).read_bytes()
        mine.write_bytes(content)
        swapped = [f"run/{mine.name}" if word == one.reads else word for word in words]
        if any(word != other for word, other in zip(swapped, words, strict=True)):
            refused(zygote.run([*swapped, "--force"], place))
            assert mine.read_bytes() == content
    # two outputs are never one
    if one.second:
        file = f"run/z{mine.suffix}"
        places = [words.index(option) + 1 for option in one.second]
        for at in places:
            words[at] = file
        refused(
            zygote.run(words, place),
            f"expected a file of its own for {one.second[1]}, found the file of {one.second[0]}",
        )
        assert not (place / file).exists()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["rate", "bridge rate", "list"])
def test_a_write_that_fails_leaves_the_old_result_or_the_new_one(name, place, zygote):
    if not zygote.fails:
        pytest.skip("no C compiler")
    result, last = (
        GoodResult(name, place, zygote, *(("--method", "normal") if name == "rate" else ())),
        0,
    )  # in a second
    for error in (FULL, BROKEN, INTERRUPTED):
        at = 1
        while at <= last + 3:  # past its last write
            last = max(last, at * result.fail(error, at, once=error != FULL)[0])
            at += 1
    assert last


@pytest.mark.cases(1)
@FULL_DISK
@pytest.mark.parametrize(
    ("number", "name", "where"), [("1", "trace.nc", "."), ("2", "ratings.csv", "run/.halfpoint.parts")]
)
def test_draws_that_cannot_be_written_are_kept_and_it_is_said(place, zygote, number, name, where):
    if not zygote.fails:
        pytest.skip("no C compiler")
    words = [*WRITING["rate"].words, "--seed", "1"]
    fault = {"FAULT_FOLDER": str(place / "run"), "FAULT_AT": number, "FAULT_ERRNO": str(FULL), "TMPDIR": str(place)}
    answer = zygote.run(words, place, **fault)
    refused(answer, "No space left on device")
    assert answer[2].startswith(f"halfpoint: run/{name}: expected a place to write, found No space left on device.")
    kept = answer[2].partition(" kept in ")[2].strip().rstrip(".")
    assert kept, answer[2]
    assert (place / kept).parent == place / where
    assert len(read_trace(place / kept)["posterior"]["chain"]) == 2


def test_room_is_asked_for_before_anything_is_begun(tmp_path):
    with pytest.raises(HalfpointError, match=r"expected [\d,.]+ MB of room for the results, found"):
        require_disk(tmp_path, "run", 1e18, "--out")
    require_disk(tmp_path, "run", 1e5, "--out")
    assert list(tmp_path.iterdir()) == []


def test_files_of_an_earlier_setting_go_and_those_of_others_stay(tmp_path):
    with results(tmp_path, "one") as place:
        place.text("a.csv", "1")
        place.text("b.csv", "1")
    with files({"--out": tmp_path / "alone.csv"}) as places:
        places.text("--out", "2")
    (tmp_path / "mine.txt").write_text("3")
    with results(tmp_path, "one") as place:
        place.text("a.csv", "4")
    assert files_of(tmp_path) == {"a.csv": b"4", "alone.csv": b"2", "mine.txt": b"3"}
    with (
        pytest.raises(HalfpointError, match=r"a\.csv: .* found a file of halfpoint one\. .* --force"),
        results(tmp_path, "two", ["a.csv"]),
    ):
        pytest.fail("begun")
    with results(tmp_path, "two", force=True) as place:
        place.text("c.csv", "5")
        place.text("a.csv", "5")
    assert files_of(tmp_path) == {"a.csv": b"5", "c.csv": b"5", "alone.csv": b"2", "mine.txt": b"3"}


@pytest.mark.parametrize("nth", [1, 2, 3])
def test_files_in_two_folders_come_together_or_not_at_all(tmp_path, monkeypatch, nth):
    outputs, written = {"--out": tmp_path / "a" / "x.csv", "--log": tmp_path / "b" / "y.csv"}, []
    with files(outputs) as places:
        for option in outputs:
            places.text(option, "old")
    before = everything(tmp_path)

    def write_json(record, path, real=result_record.write_json):
        written.append(path)
        if len(written) == nth:
            raise OSError(FULL, "No space left on device", str(path))
        real(record, path)

    monkeypatch.setattr(result_record, "write_json", write_json)
    with pytest.raises(HalfpointError, match="No space") if nth < 3 else nullcontext(), files(outputs) as places:
        for option in outputs:
            places.text(option, "new")
    if nth < 3:
        assert everything(tmp_path) == before
    assert {path.read_text() for path in outputs.values()} == {"old" if nth < 3 else "new"}


KILLED_AT = """
import itertools, os, signal, sys
from pathlib import Path
from halfpoint.models.games.single_files import files

replaced = os.replace
for nth, visited in itertools.product(range(1, 8), "ab"):
    home = Path(sys.argv[1], f"{nth}{visited}")
    outputs = {f"--{name}": home / name / "x.csv" for name in "ab"}

    def give(text):
        with files(outputs) as places:
            for option in outputs:
                places.text(option, text)

    give("old")
    child = os.fork()
    if child == 0:
        steps = itertools.count(1)
        os.replace = lambda *paths: os.kill(os.getpid(), signal.SIGKILL) if next(steps) == nth else replaced(*paths)
        give("new")
        os._exit(0)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    with files({"--out": home / visited / "y.csv"}) as places:
        places.text("--out", "y")
    print(nth, code, *sorted({path.read_text() for path in outputs.values()}))
"""


def test_killed_at_any_step_two_folders_are_both_old_or_both_new(tmp_path):
    done = subprocess.run([sys.executable, "-c", KILLED_AT, tmp_path], capture_output=True, text=True, check=True)
    expected = [f"{nth} {-9 if nth < 7 else 0} {'old' if nth < 3 else 'new'}" for nth in range(1, 8) for _ in "ab"]
    assert done.stdout.splitlines() == expected


@pytest.mark.parametrize("name", ["../x", "/x", "a/../../x", ".halfpoint.lock", "", "a" * 300])
def test_a_record_that_leads_elsewhere_is_none(tmp_path, name):
    run = tmp_path / "run"
    run.mkdir()
    (tmp_path / "x").write_text("x")
    entry = f'{{"files": {{"{name}": {{"of": "x", "sha256": ""}}}}, "moves": ["{name}"], "gone": ["{name}"]}}'
    for file in (".halfpoint.next", RECORD):
        (run / file).write_text(entry)
    with results(run, "x") as place:
        place.text("a.csv", "1")
    assert (tmp_path / "x").read_text() == "x"
    assert files_of(run) == {"a.csv": b"1"}


def test_no_heading_is_a_formula():
    frame = pd.DataFrame({"=HYPERLINK(1)": [1.0], "+A": ["@x"], "\uff1d1": ["\uff0b1"]})
    assert as_csv(frame).splitlines() == ["'=HYPERLINK(1),'+A,'\uff1d1", "1.0,'@x,'\uff0b1"]


def test_every_page_forbids_what_it_does_not_need():
    answer = Answer(pd.DataFrame({"player": ["<script>alert(1)</script>"], "rating_elo": [1.0]}), {"title": "x"})
    chart = Chart("c", "c", "intervals", [{"name": "a", "mean": 1.0, "low": 0.0, "high": 2.0}], "x")
    for page in (answer.page(), answer_page(answer.frame, answer.about, chart)):
        text = page_html(page)
        assert text.index("Content-Security-Policy") < text.index("<title>") < text.index("<style>")
        policy = re.search('Content-Security-Policy" content="([^"]*)"', text)[1]
        rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
        assert rules["default-src"] == "'none'"
        assert not re.search(r"https?:|\*|unsafe-eval", policy)
        scripts = re.findall("<script>(.*?)</script>", text, re.DOTALL)
        assert scripts
        hashed = [base64.b64encode(hashlib.sha256(one.encode()).digest()).decode() for one in scripts]
        assert rules["script-src"].split() == [f"'sha256-{one}'" for one in hashed]


def stop_at_random_moments(name, place, zygote):
    """Kill a command by each signal in turn, earlier if all were too late; return the signals that ended it."""
    result, chance, reach, stopped = GoodResult(name, place, zygote), random.Random(name), 1.0, []
    while not stopped and reach > 0.05:
        for number in CODES:
            ended, _ = result.kill(number, chance.uniform(0.0, reach * result.seconds))
            stopped += [number] * ended
        reach /= 2
    result.rerun()
    return stopped


@pytest.mark.parametrize("name", ["bridge score", *(pytest.param(one, marks=SLOW) for one in ("rank", "simulate"))])
def test_killed_over_a_good_result(name, place, zygote):
    assert stop_at_random_moments(name, place, zygote)


@SLOW
def test_of_two_commands_that_write_to_one_folder_the_second_is_told(place):
    command = "import sys; sys.argv[0] = 'halfpoint'; from halfpoint.apps.cli import main; main()"
    words = [*WRITING["rate"].words, "--seed", "1"]
    words[words.index("run")] = "shared"

    def start():
        whole = [sys.executable, "-c", command, *words]
        return subprocess.Popen(whole, cwd=place, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    first = start()
    while not (place / "shared" / ".halfpoint.lock").exists():
        assert first.poll() is None
        time.sleep(0.01)
    first.send_signal(signal.SIGSTOP)  # however long the second takes to begin, the first is at work
    second = start()
    out, errors = second.communicate(timeout=600)
    first.send_signal(signal.SIGCONT)
    assert second.returncode == 2
    assert errors.decode() == (
        "halfpoint: shared: expected no other writer, found another command writing there. "
        "Wait for it, or choose another --out.\n"
    )
    assert out == b""
    _, errors = first.communicate(timeout=300)
    assert first.returncode in DONE, errors.decode()
    assert sorted(path.name for path in (place / "shared").iterdir()) == [
        RECORD,
        "history.csv",
        "index.html",
        "ratings.csv",
        "ratings.json",
        "report.html",
        "trace.nc",
    ]
