"""Agreement page: halfpoint's estimates recomputed and compared with those of other programs and printed results."""

import json
import runpy

import pytest
from test_documents import ROOT

SCRIPT = runpy.run_path(str(ROOT / "benchmarks" / "agreement.py"))
RECORD = json.loads((ROOT / "benchmarks" / "agreement.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def ours():
    return SCRIPT["ours"]()


@pytest.mark.parametrize("name", SCRIPT["PRINTED"])
def test_what_others_have_printed_is_found_again(ours, name):
    _, printed, tolerance = SCRIPT["PRINTED"][name]
    assert ours[name] == pytest.approx(printed, abs=tolerance)


@pytest.mark.parametrize("one", RECORD["theirs"].values(), ids=RECORD["theirs"])
def test_other_packages_give_the_same(ours, one):
    if one["by"] in SCRIPT["STOPS"]:
        assert ours[one["of"]] != pytest.approx(one["values"], abs=0.01)  # no longer so: take the note away
        return
    assert ours[one["of"]] == pytest.approx(one["values"], abs=1e-6)


def test_the_page_is_that_of_the_record():
    assert (ROOT / "docs" / "agreement.md").read_text(encoding="utf-8") == SCRIPT["page"](RECORD)
