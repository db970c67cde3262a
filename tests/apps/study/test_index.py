"""Index of each table and figure of thesis and paper, as the report of a run lists it."""

import re

import pytest

from halfpoint.apps.study.printed.files import read_published
from halfpoint.apps.study.words import words_of

INDEX = words_of("index")


@pytest.mark.parametrize(("source", "tables", "figures"), [("thesis", 16, 9), ("paper", 4, 7)])
def test_every_table_and_figure_of_a_source_has_one_row(source, tables, figures):
    for kind, count in (("table", tables), ("figure", figures)):
        named = [name for name in INDEX if name.startswith(f"{source} {kind}")]
        assert sorted(int(one) for name in named for one in re.findall(r"\d+", name)) == list(range(1, count + 1))


def test_every_place_that_has_printed_numbers_is_in_the_index():
    places = {(row.source, row.table) for name in ("models", "ratings") for row in read_published(name).itertuples()}
    for source, place in places:
        named = [one for name, one in INDEX.items() if name.startswith(source) and f"place {place}" in one["where"]]
        assert len(named) == 1, (source, place)


def test_every_figure_of_the_index_is_one_that_a_run_draws():
    drawn = [re.sub(r"\\{\w+\\}", "[a-z-]+", re.escape(one["file"])) for one in words_of("captions").values()]
    for one in INDEX.values():
        for part in re.findall(r"figures? (\S+)(?: and (\S+))?", one["where"]):
            assert all(any(re.fullmatch(pattern, name) for pattern in drawn) for name in filter(None, part)), part
