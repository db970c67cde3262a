"""Files of Arrow whose rows cannot be counted are refused in one line."""

import polars
import pytest

from halfpoint.models.games.errors import GameTableError
from halfpoint.readers.read import read


@pytest.mark.parametrize("place", [0.3, 0.6, 0.9])
def test_a_damaged_file_of_arrow_is_one_line(tmp_path, place):
    columns = {"white": ["Ann", "Bo"] * 9, "black": ["Bo", "Ann"] * 9, "score": [1.0, 0.5] * 9}
    polars.DataFrame(columns).write_ipc(tmp_path / "games.arrow")
    content = (tmp_path / "games.arrow").read_bytes()
    begin = int(place * len(content))
    (tmp_path / "games.arrow").write_bytes(content[:begin] + b"\xff" * 40 + content[begin + 40 :])
    with pytest.raises(GameTableError) as error:
        read(tmp_path / "games.arrow", kind="arrow")
    assert "\n" not in str(error.value)
