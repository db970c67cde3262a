"""A fork of a process that has used polars is refused immediately; a fork of another process reads files."""

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="a system without fork")
SCRIPT = """
import multiprocessing, sys, time, warnings
warnings.simplefilter("ignore", DeprecationWarning)  # of a fork beside threads
from concurrent.futures import ProcessPoolExecutor
from halfpoint.readers.read import read

def length(path):
    begun = time.process_time()
    try:
        return len(read(path)), time.process_time() - begun
    except ValueError as error:
        return str(error), time.process_time() - begun

if __name__ == "__main__":
    path, before = sys.argv[1:]
    if before == "read":
        read(path)
    pool = ProcessPoolExecutor(1, multiprocessing.get_context("fork"))
    found, seconds = pool.submit(length, path).result(timeout=600)
    print(found, seconds < 3.0 or before == "nothing")
    pool.shutdown()
"""


@pytest.mark.cases(1)
@pytest.mark.parametrize(("before", "said"), [("read", "expected a process of its own, found"), ("nothing", "3 ")])
def test_one_thread_of_polars(before, said, tmp_path):
    (tmp_path / "games.csv").write_text("white,black,result\na,b,1\nb,c,0\nc,a,0.5\n")
    words = [sys.executable, "-c", SCRIPT, tmp_path / "games.csv", before]
    environment = os.environ | {"POLARS_MAX_THREADS": "1"}
    done = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr
    assert said in done.stdout
    assert done.stdout.endswith(" True\n")
