"""Files in the formats of public reports: each is understood or stopped with a line; none is misread silently."""

import pytest
from strangers import further_forms, own_forms, third_forms
from strangers.tally import MANIFEST, TRACKERS, manifest_of, status, tally

from halfpoint.models.games.errors import GameTableError
from halfpoint.readers.read import read

DOUBLED = "told-by-rate-only/pgn-broadcast-dups--bc.pgn"  # its truth leaves the doubled games out, which are reported
FORMS = {**own_forms.FORMS, **further_forms.FORMS, **third_forms.FORMS}
# who won is not in the words of these files: signs for either side, no header, places in a race, who acted
STOPPED = {"response", "image-pairs", "catboost-pairs", "cycling-duels", "primate", "domarchive"}


@pytest.mark.parametrize("entry", MANIFEST, ids=[one["file"] for one in MANIFEST])
def test_a_file_of_a_stranger_is_understood(entry):
    found, what = status(entry)
    assert found in ("understood", "other names", "read") or entry["file"] == DOUBLED, what


@pytest.mark.parametrize("entry", manifest_of(TRACKERS), ids=lambda entry: entry["file"])
def test_a_form_of_a_public_tracker_is_understood(entry):
    kind, what = status(entry, TRACKERS)
    assert kind == "understood", what


@pytest.mark.parametrize("name", FORMS)
def test_a_form_of_a_public_description_is_understood_or_stopped(tmp_path, name):
    ending, content, truth = FORMS[name]
    (tmp_path / f"games.{ending}").write_bytes(content)
    if name in STOPPED:
        with pytest.raises(GameTableError, match="expected a column"):
            read(tmp_path / f"games.{ending}")
        return
    games = read(tmp_path / f"games.{ending}")
    assert tally(games) == truth, games.notes
