"""Shares of files for shards."""

import pytest

from halfpoint.inference.gaussian.shard_places import _part


@pytest.mark.parametrize(
    ("files", "count", "parts"),
    [
        ("abc", 2, [(["a", "c"], 0, 1), (["b"], 0, 1)]),
        ("ab", 2, [(["a"], 0, 1), (["b"], 0, 1)]),
        ("a", 2, [(["a"], 0, 2), (["a"], 1, 2)]),
    ],
)
def test_shards_have_whole_files_if_there_are_enough(files, count, parts):
    assert [_part(list(files), number, count) for number in range(count)] == parts
