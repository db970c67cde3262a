"""Units and long names of the variables of a trace."""

import numpy as np
import pytest
import xarray as xr

from halfpoint.inference.traces.variable_attributes import described_trace, with_units

NATURAL, NATS = "400 / ln(10) Elo points", "nats"


def about(name, group="posterior", kind=float):
    """Units and long name of a variable of three numbers."""
    dataset = with_units(xr.Dataset({name: ("x", np.zeros(3, dtype=kind))}), group)
    return dataset[name].attrs.get("units"), dataset[name].attrs["long_name"]


@pytest.mark.parametrize(
    ("name", "group", "units", "words"),
    [
        ("rating_elo", "posterior", "elo", "rating"),
        ("draw_rate", "posterior", "1", "probability of a draw between equals"),
        ("strength", "log_prior", NATS, "log prior density of strength"),
        ("score", "log_likelihood_by_game", NATS, "log likelihood of a game, unweighted"),
        ("score", "observed_data", "points", "White's score"),
        ("score", "elsewhere", "1", "score"),
        ("peak_form_elo", "posterior", "elo", "peak form"),
        ("form_spread", "posterior", NATURAL, "standard deviation of form"),
        ("log_width_spread", "posterior", "1", "standard deviation of log width"),  # in the units of `log_width`
        ("log_draw_effect", "posterior", "1", "effects on log draw"),
        ("some_column", "posterior", "1", "some column"),
        ("advantage_design_size", "constant_data", None, "sum of squares of the columns of advantage"),
    ],
)
def test_names_have_units_and_words(name, group, units, words):
    found = about(name, group)
    assert found[1] == words
    if units not in (None, NATURAL, "elo"):
        assert found[0] == units


def test_elo_points_and_natural_units_are_named_alike_everywhere():
    assert about("rating_elo")[0] == about("rating_elo_by_month")[0] == about("peak_form_elo")[0]
    assert about("strength")[0] == about("form_spread")[0] == about("strength_spread")[0] == about("level_mean")[0]
    assert about("rating_elo")[0] != about("strength")[0]


def test_dates_have_no_units_and_own_attributes_stay():
    assert about("date", "constant_data", "M8[ns]") == (None, "date")
    dataset = xr.Dataset({"rating_elo": ("x", np.zeros(2), {"units": "mine"})})
    attributes = with_units(dataset, "posterior")["rating_elo"].attrs
    assert attributes == {"long_name": "rating", "units": "mine"}
    assert dataset["rating_elo"].attrs == {"units": "mine"}


def test_all_groups_of_a_trace_are_described():
    tree = xr.DataTree.from_dict({"posterior": xr.Dataset({"score": 0.0}), "observed_data": xr.Dataset({"score": 0.0})})
    described = described_trace(tree)
    assert described["posterior"]["score"].attrs["long_name"] == "score"
    assert described["observed_data"]["score"].attrs["long_name"] == "White's score"
