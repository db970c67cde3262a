"""Without a browser the tests of pages are skipped with one line; in CI they fail."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from few_cases import few

PAGES = Path(__file__).parent / "evaluation" / "test_page.py"


@pytest.mark.slow
@pytest.mark.parametrize("ci", few([False, True], 1))
def test_a_machine_without_a_browser(tmp_path, ci):
    hidden = {"PATH": str(tmp_path), "PLAYWRIGHT_BROWSERS_PATH": str(tmp_path), "HALFPOINT_DATA_DIR": str(tmp_path)}
    dropped = ("CI", "HALFPOINT_TESTS_WITHOUT_BROWSER", "PYTEST_XDIST_WORKER")
    environment = {name: value for name, value in os.environ.items() if name not in dropped} | hidden
    environment |= {"CI": "true"} if ci else {}
    asked = [sys.executable, "-m", "pytest", str(PAGES), "-q", "-k", "names_from_files", "-p", "no:cacheprovider"]
    done = subprocess.run(asked, env=environment, capture_output=True, text=True)
    said = [line for line in done.stdout.splitlines() if "browser" in line and "Left out" in line]
    if ci:
        assert done.returncode == 1
        assert "no browser on this machine: .ci/browser gets one" in done.stdout
        assert not said
    else:
        assert done.returncode == 5  # nothing left to run
        assert len(said) == 1
        assert re.match(r"Left out: [1-9]\d* tests, there is no browser \(no chromium", said[0])
