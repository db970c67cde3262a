"""Records of this package's functions in earlier versions give the same models."""

import pytest

from halfpoint.models.declaration.catalogue import CATALOGUE, find
from halfpoint.models.declaration.earlier_functions import row_of
from halfpoint.models.declaration.record import model_of, record_of
from halfpoint.models.errors import OwnCodeError
from halfpoint.models.games.units import to_natural

# function, keywords of its record, row of the catalogue, the same keywords by their present names
EARLIER = [
    ("still_models:davidson_population", {"neutral": True}, "davidson-population-neutral", {}),
    ("still_models:davidson_population", {"neutral": False}, "davidson-population", {"seat": "common"}),
    ("still_models:bt_pooled", {}, "bt-pooled", {}),
    ("walk_models:bt_walk", {}, "bt-walk", {}),
    ("day_models:davidson_days", {}, "davidson-ou", {}),
]


def record(place, keywords, digest="0" * 64):
    about = record_of(find("davidson-common").but("narrow", strength=(15.0, 0.5)))
    return about | {"function": {"place": f"halfpoint.models.{place}", "sha256": digest}, "keywords": keywords}


@pytest.mark.parametrize(("place", "keywords", "row", "further"), EARLIER)
def test_a_function_is_the_row_with_its_defaults(place, keywords, row, further):
    model = model_of(record(place, {"advantage": [0.0, 0.5], **keywords}))
    assert model.function is CATALOGUE[row].function
    assert dict(model.keywords) == {**CATALOGUE[row].keywords, "advantage": (0.0, 0.5), **further}


def test_every_row_exists_and_pooled_advantages_keep_their_prior():
    names = [f"{stem}_{kind}" for stem in ("bt", "davidson") for kind in ("scaled", "pooled", "rated")]
    rows = [row_of(f"halfpoint.models.still_models:{name}") for name in names]
    assert all(row in CATALOGUE for row in rows)
    assert CATALOGUE["bt-pooled"].keywords["advantage"] == (to_natural(25.0), to_natural(50.0))


def test_functions_of_this_package_are_known_wherever_their_module_was():
    model = model_of(record("catalogue_of_long_ago:davidson_common", {"strength": [15.0, 0.5]}))
    assert model.function is find("davidson-common").function


@pytest.mark.parametrize("place", ["still_models:system", "os:system"])
def test_no_other_name_is_looked_up(place):
    with pytest.raises(OwnCodeError):
        model_of(record(place, {}))
