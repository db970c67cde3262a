"""Processes of the tests share the compilation of files, and files that share a fixture have one process."""

from pathlib import Path

import pytest
from _pytest.assertion import rewrite
from shared_work import group_of, rewrite_share


@pytest.mark.parametrize(
    ("file", "group"),
    [
        ("tests/apps/cli/test_json.py", "tests/apps/cli"),
        ("tests/apps/cli/test_names.py", "tests/apps/cli"),
        ("tests/apps/cli/test_help.py", "tests/apps/cli/test_help.py"),
        ("tests/apps/fields/site/test_site_in_browser.py", "tests/apps/fields/site"),
        ("tests/test_shared_work.py", "tests/test_shared_work.py"),
    ],
)
def test_files_with_a_shared_fixture_have_one_group(file, group):
    assert group_of(file) == group


def test_every_file_is_compiled_by_one_process_as_pytest_reads_it(tmp_path, request):
    files = [tmp_path / f"test_{name}.py" for name in "abc"]
    for file in files:
        file.write_text(f"def test():\n    assert {file.stem!r} == ''\n", encoding="utf-8")
    for number, so_far in ((0, 2), (1, 3)):
        rewrite_share(request.config, tmp_path, number, 2)
        compiled = [rewrite.get_cache_dir(file) / (file.stem + rewrite.PYC_TAIL) for file in files]
        assert sum(one.exists() for one in compiled) == so_far
    for file, one in zip(files, compiled, strict=True):
        assert rewrite._read_pyc(Path(file), one) is not None
