"""Progress bar of NUTS: one line of at most 80 columns with the time left, on a terminal and in a notebook."""

import re
from types import SimpleNamespace

import nbclient
import nbformat

from halfpoint.inference.sampling_bar import sampling_bar

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
NOTEBOOK = """
import time
from types import SimpleNamespace
from halfpoint.inference.sampling_bar import sampling_bar
with sampling_bar(True) as heard:
    for done in (0, 500, 1000):
        heard([SimpleNamespace(finished_draws=done, total_draws=2000, tuning=done < 500, divergences=1)] * 4)
        time.sleep(0.1)
    print("between")
"""


def chains(done, tuning=False, divergent=0):
    """Progress of four chains in nutpie's form."""
    return [SimpleNamespace(finished_draws=done, total_draws=2000, tuning=tuning, divergences=divergent)] * 4


def test_a_terminal_has_one_line_of_80_columns_and_the_time_left(monkeypatch, capsys):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "200")
    with sampling_bar(True) as heard:
        for done in (100, 500, 1000):
            heard(chains(done, done < 500, 2))
    lines = [line.strip() for line in re.split(r"[\r\n]+", ESCAPES.sub("", capsys.readouterr().out)) if line.strip()]
    assert max(map(len, lines)) <= 80
    assert re.fullmatch(r"sampling 4 chains, 8 divergent \S.* 4000/8000 (-:--:--|\d:\d\d:\d\d)", lines[-1])


def test_nothing_is_printed_in_a_file(capsys):
    with sampling_bar(True) as heard:
        heard(chains(100))
    assert capsys.readouterr().out.strip() == ""


def test_a_notebook_has_the_bar_as_text_and_no_warning():
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(NOTEBOOK)])
    seen, client = [], nbclient.NotebookClient(notebook, timeout=600)
    process = client.process_message

    def kept(message, cell, index):
        seen.append(message["content"].get("data", {}).get("text/plain", ""))
        return process(message, cell, index)

    client.process_message = kept
    client.execute()
    bars = [one for one in seen if "4 chains" in one]
    assert len(bars) == 3
    assert max(map(len, bars)) <= 80
    assert re.fullmatch(r"sampling 4 chains, 4 divergent .* 4000/8000 (-:--:--|\d:\d\d:\d\d)", bars[-1])
    printed = [one for one in notebook.cells[0].outputs if one.output_type == "stream"]
    assert [(one.name, one.text) for one in printed] == [("stdout", "between\n")]
