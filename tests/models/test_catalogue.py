"""Names of models and effects."""

import pytest

from halfpoint.models.declaration.catalogue import edition_of, effect_of, split_effects, title_of
from halfpoint.models.errors import ModelError


@pytest.mark.parametrize(
    ("text", "parts"),
    [("advantage ~ 1 | site", ("advantage", "1 | site")), (" log_draw~rapid ", ("log_draw", "rapid"))],
)
def test_an_effect_has_a_target_and_a_formula(text, parts):
    assert effect_of(text) == parts


@pytest.mark.parametrize("text", ["advantage", "advantage ~", "advantage ~ a; b ~ c", "", "~"])
def test_other_texts_are_no_effect(text):
    with pytest.raises(ModelError, match="TARGET ~ FORMULA"):
        effect_of(text)


def test_effects_are_split_from_a_name():
    assert split_effects("bt with advantage ~ 1 | site;log_draw ~ x") == (
        "bt",
        ["advantage ~ 1 | site", "log_draw ~ x"],
    )
    assert split_effects("bt") == ("bt", [])
    assert split_effects("bt with wings") == ("bt with wings", [])


@pytest.mark.parametrize(
    ("model", "edition", "title"),
    [
        ("davidson-common", "corrected", "davidson-common--corrected"),
        ("davidson-population", "computed", "davidson-population"),
        ("bt with advantage ~ x", "computed", "bt with advantage ~ x--computed"),
    ],
)
def test_a_title_has_the_edition_of_the_twelve(model, edition, title):
    attributes = {"model": model, "edition": edition}
    assert title_of(attributes) == title
    assert edition_of(attributes) == (edition if "--" in title else "")
