"""The keywords of a function are those of the records that it builds, each of the same type."""

from dataclasses import fields
from inspect import signature

import pytest

from halfpoint.apps.fields.arena import asked
from halfpoint.apps.fields.bridge import scores
from halfpoint.apps.fields.bridge import simulate as club
from halfpoint.apps.fields.lineups import system
from halfpoint.apps.fields.office import list as office
from halfpoint.apps.fields.races import simulate as season
from halfpoint.apps.study.run import run_study as study
from halfpoint.apps.workflows import backtesting, calibration, entrants, fitting, forecasts, intake, options, simulation
from halfpoint.evaluation import seasons, tournaments
from halfpoint.inference import effort_limits
from halfpoint.readers import options as reading
from halfpoint.readers import pgn

PAIRS = {
    "Effort": (effort_limits.Effort, effort_limits.EffortOptions, ()),
    "Run": (options.Run, options.RunOptions, ()),
    "Intake": (intake.Intake, intake.IntakeOptions, ()),
    "ReaderOptions": (reading.ReaderOptions, reading.ReaderKeywords, ()),
    "PgnOptions": (pgn.PgnOptions, pgn.PgnKeywords, ()),
    "Entrants": (entrants.Entrants, entrants.EntrantOptions, ("systems", "models")),  # by position
    "Dates": (backtesting.Dates, backtesting.DateOptions, ()),
    "Fitting": (fitting.Fitting, fitting.FittingOptions, ()),
    "World": (simulation.World, simulation.WorldOptions, ()),
    "OneGame": (forecasts.OneGame, forecasts.OneGameOptions, ()),
    "Rules": (tournaments.Rules, tournaments.RuleOptions, ()),
    "Calendar": (seasons.Calendar, seasons.CalendarOptions, ()),
    "Scope": (study.Scope, study.ScopeOptions, ()),
    "Judged": (asked.JudgementOptions, asked.JudgedOptions, ()),
    "Asked": (asked.BoardOptions, asked.AskedOptions, ()),
    "list of an office": (office.OfficialListOptions, office.ListingOptions, ()),
    "races": (season.Season, season.SeasonOptions, ()),
    "Walk": (system.NetworkWalk, system.WalkOptions, ()),
    "Club": (club.Club, club.ClubOptions, ()),
    "Scoring": (scores.Scoring, scores.ScoringOptions, ()),
}


@pytest.mark.parametrize("name", PAIRS)
def test_the_keywords_are_the_fields_of_the_record(name):
    record, keywords, apart = PAIRS[name]
    assert {one.name: one.type for one in fields(record) if one.name not in apart} == keywords.__annotations__
    assert keywords.__total__ is False


def test_calibrate_has_the_fields_of_its_record_as_keywords():
    keywords = {one.name: one for one in signature(calibration.calibrate).parameters.values()}
    for one in fields(calibration.Trial):
        assert keywords[one.name].default == one.default
        assert keywords[one.name].annotation == one.type
