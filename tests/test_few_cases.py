"""Marks of the fast suite leave every test function a case, and cases are evenly spread."""

from itertools import pairwise

import pytest
from few_cases import few, mark_further, spread


class Item:
    """Item as collected by pytest, with the attributes that marks need."""

    def __init__(self, name, **marks):
        self.nodeid, self.marks = name, {key: getattr(pytest.mark, key)(*values).mark for key, values in marks.items()}

    def get_closest_marker(self, name):
        return self.marks.get(name)

    def add_marker(self, name):
        self.marks[name] = getattr(pytest.mark, name).mark


def names(items):
    return [item.nodeid for item in items if "further" not in item.marks]


@pytest.mark.parametrize("number", [1, 2, 3, 7])
def test_places_are_evenly_spread_from_the_first_to_the_last(number):
    for count in range(1, 60):
        places = sorted(spread(count, number))
        assert len(places) == min(count, number)
        assert places[0] == 0
        assert places[-1] == (count - 1 if number > 1 else 0)
        steps = {after - before for before, after in pairwise(places)}
        assert max(steps, default=0) - min(steps, default=0) <= 1


def test_every_function_keeps_a_case_and_slow_cases_do_not_count():
    many = [Item(f"t.py::many[{k}]", cases=(2,)) for k in range(9)]
    short = [Item(f"t.py::short[{k}]", cases=(2,)) for k in range(2)]
    mixed = [Item("t.py::mixed[0]", cases=(1,), slow=()), *(Item(f"t.py::mixed[{k}]", cases=(1,)) for k in (1, 2))]
    whole = [Item(f"t.py::whole[{k}]") for k in range(9)]
    items = [item for group in zip(many, whole, strict=True) for item in group] + short + mixed  # in any order
    mark_further(items)
    assert names(many) == ["t.py::many[0]", "t.py::many[8]"]
    assert names(short) == [item.nodeid for item in short]
    assert names(mixed) == ["t.py::mixed[0]", "t.py::mixed[1]"]
    assert names(whole) == [item.nodeid for item in whole]


def test_no_case_at_all_is_refused():
    with pytest.raises(pytest.UsageError, match=r"t\.py::none: cases\(0\) leaves no case"):
        mark_further([Item("t.py::none[a]", cases=(0,))])


def test_few_marks_all_but_the_spread_slow():
    parameters = few(["a", ("b", 1), pytest.param("c", id="third"), "d"], 2)
    assert (parameters[0], parameters[3]) == ("a", "d")
    assert [[mark.name for mark in parameter.marks] for parameter in parameters[1:3]] == [["slow"], ["slow"]]
    assert (parameters[1].values, parameters[2].id) == (("b", 1), "third")
