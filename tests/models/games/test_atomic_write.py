"""Messages about places that cannot be written."""

import pytest

from halfpoint.models.games.atomic_write import _unusable


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (OSError(13, "Permission denied"), "Permission denied"),
        (OSError("the disk is away"), "the disk is away"),
    ],
)
def test_the_reason_is_that_of_the_system(tmp_path, error, reason):
    message = str(_unusable(tmp_path / "out", "a folder", "--out", error))
    assert message == f"{tmp_path / 'out'}: expected a folder to write to, found {reason}. Choose another --out."


def test_files_and_links_in_place_of_a_folder_are_named(tmp_path):
    error = OSError(20, "Not a directory")
    (tmp_path / "file").write_text("x")
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    assert "found a file. Choose" in str(_unusable(tmp_path / "file", "a folder", "--out", error))
    assert "found a link that leads nowhere. Choose" in str(_unusable(tmp_path / "link", "a folder", "--out", error))
    assert "found Not a directory" in str(_unusable(tmp_path / "file", "a file", "--out", error))
    assert "found Not a directory" in str(_unusable(tmp_path, "a folder", "--out", error))
