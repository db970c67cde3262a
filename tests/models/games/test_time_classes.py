"""Time controls come from the reader's column, words of the event, or the list of fast events."""

from dataclasses import replace

import numpy as np
import pytest
from rating_games import table

from halfpoint.models.games.periods import concatenate
from halfpoint.models.games.time_classes import FAST, counts_by_evidence, fast, fast_events, time_class, time_classes
from halfpoint.readers.datasets.study import training_file

EVENTS = ["World Blitz Cup", "EventWRBC2013", "Odessa", "Wijk aan Zee", "Odessa"]


def games(**columns):
    """Five games in May 2010, the last in June."""
    days = np.array(["2010-05-03"] * 4 + ["2010-06-03"], dtype="datetime64[D]")
    made = table(list("abcde"), list("bcdea"), [1, 0.5, 0, 0.5, 1], date=days)
    return replace(made, event=np.array(EVENTS), **columns)


def test_words_then_the_list_of_events_in_their_months_else_unknown():
    assert time_classes(games()).tolist() == ["blitz", "rapid", "rapid", "unknown", "unknown"]
    assert fast(games()).tolist() == [1, 1, 1, 0, 0]


def test_games_of_a_month_number_keep_their_classes_beside_games_of_days():
    """Two joined files, one with months numbered from January 2010, the other with days."""
    numbered = replace(games(), date=None, period=np.array([5, 5, 5, 5, 6]), name="study-one", source="one")
    dated = replace(games(), period=np.array([36, 37, 38, 39, 40]), name="study-two", source="two")
    both = concatenate(numbered, dated)
    assert time_classes(both).tolist() == time_classes(numbered).tolist() + time_classes(dated).tolist()
    assert time_classes(numbered).tolist() == ["blitz", "rapid", "rapid", "unknown", "unknown"]


def test_what_the_file_says_comes_first():
    told = np.array(["classical", "unknown", "blitz", "classical", "unknown"])
    assert time_classes(games(covariates={"time_class": told})).tolist() == [
        "classical", "rapid", "blitz", "classical", "unknown",
    ]  # fmt: skip
    assert fast(games(covariates={"fast": np.ones(5)})).tolist() == [1] * 5


def test_counts_have_a_class_and_what_tells_it_and_unknown_is_not_classical():
    assert (
        counts_by_evidence(games()) == "1 blitz (event's name), 1 rapid (event's name), 1 rapid (recalled), 2 unknown"
    )


def test_every_event_of_the_list_has_months_a_class_and_a_source():
    listed = fast_events()
    assert set(listed["time_class"]) <= set(FAST)
    assert (listed["first_month"] <= listed["last_month"]).all()
    assert listed["source"].str.len().min() > 10


@pytest.mark.parametrize(
    ("event", "site", "kind"),
    [
        ("Titled Tuesday intern op", "chess.com INT", "blitz"),
        ("Meltwater Tour Final 2021", "chess24.com INT", "rapid"),
        ("Champions Chess Tour Finals", "Toronto CAN", "rapid"),
        ("FTX Crypto Cup Prelim 2021", "chess24.com INT", "online"),
        ("Speed Chess Ch Final 2020", "chess.com INT", "blitz"),
        ("chess.com QF 5m+2spm 2017", "chess.com INT", "blitz"),
        ("chess.com Speed 1m+1spm 2017", "chess.com INT", "bullet"),
        ("Champions Showdown G20", "Saint Louis USA", "rapid"),
        ("Team Match", "https://lichess.org/AbCd1234", "online"),
        ("Rated Classical game", "https://lichess.org/AbCd1234", "classical"),
        ("Candidates: round 4", "https://lichess.org/broadcast/x/y/z", "unknown"),
        ("chess.com IoM Masters", "Douglas ENG", "unknown"),
        ("79th Tata Steel GpA", "Wijk aan Zee NED", "unknown"),
        ("4th Mint Open", "Mint USA", "unknown"),
    ],
)
def test_names_sites_and_a_tempo_in_the_name_tell_fast_games_of_modern_archives(event, site, kind):
    assert time_class("?", event, site) == kind
    assert time_class("40/5400+30:1800+30", event, site) == "classical"  # the header comes before any name


@pytest.mark.real
def test_every_event_of_the_list_is_in_the_studys_games():
    played = training_file()
    for event in set(fast_events()["event"]):
        assert (time_classes(played)[played.event == event] == "rapid").any()
