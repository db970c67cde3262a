"""Files in the forms of public reports: each is understood, or stopped with a line; none is misread in silence."""

import pytest
from strangers.tally import MANIFEST, status

DOUBLED = "told-by-rate-only/pgn-broadcast-dups--bc.pgn"  # its truth leaves the doubled games out, which are reported


@pytest.mark.parametrize("entry", MANIFEST, ids=[one["file"] for one in MANIFEST])
def test_a_file_of_a_stranger_is_understood(entry):
    found, what = status(entry)
    assert found in ("understood", "read") or entry["file"] == DOUBLED, what
