"""Files of Arrow whose rows cannot be counted are refused in one line."""

import polars
import pytest

from halfpoint.models.games.errors import GameTableError
from halfpoint.readers.read import read


def test_a_file_of_arrow_with_a_damaged_head_of_rows_is_one_line(tmp_path):
    columns = {"white": ["Ann", "Bo"] * 9, "black": ["Bo", "Ann"] * 9, "score": [1.0, 0.5] * 9}
    polars.DataFrame(columns).write_ipc(tmp_path / "games.arrow")
    content = bytearray((tmp_path / "games.arrow").read_bytes())
    heads = [k for k in range(8, len(content), 8) if content[k : k + 4] == b"\xff\xff\xff\xff"]  # of messages
    assert heads  # of the rows, and of the end
    content[heads[0] + 8 : heads[0] + 16] = b"\xff" * 8
    (tmp_path / "games.arrow").write_bytes(content)
    with pytest.raises(GameTableError, match=r"games\.arrow: expected a readable Arrow file") as error:
        read(tmp_path / "games.arrow", kind="arrow")
    assert "\n" not in str(error.value)
