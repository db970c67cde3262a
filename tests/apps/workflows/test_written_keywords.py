"""Public functions write out their keywords: those of the records that they build, with the same types and defaults."""

import inspect
import sys
from dataclasses import MISSING, fields

import pytest

import halfpoint as hp
from halfpoint.apps.fields import arena, bridge, football, lineups, office, races
from halfpoint.apps.fields.arena.asked import BoardOptions, JudgementOptions
from halfpoint.apps.fields.arena.read import read_judgements
from halfpoint.apps.fields.bridge.options import Club, Scoring
from halfpoint.apps.fields.bridge.simulate import simulate_club
from halfpoint.apps.fields.lineups.options import NetworkWalk
from halfpoint.apps.fields.office.list import every_list
from halfpoint.apps.fields.office.options import OfficialListOptions
from halfpoint.apps.fields.races.options import Season
from halfpoint.apps.study.options import Scope
from halfpoint.apps.workflows.options import Dates, Entrants, Fitting, Intake, OneGame, Run, Trial, World
from halfpoint.evaluation.tournament_options import Calendar, Rules
from halfpoint.inference.effort_limits import LONG, Effort
from halfpoint.readers.options import ReaderOptions
from halfpoint.readers.pgn import PgnOptions, read_pgn, read_pgn_headers

FUNCTIONS = {  # each with its records, and the defaults in which it differs from them
    "rate": (hp.rate, (Intake, Effort, Run), {}),
    "rate_groups": (hp.workflows.rate_groups, (Intake, Effort, Run), {"groups": "apart"}),
    "update": (hp.update, (Intake, Effort, Run), {}),
    "backtest": (hp.backtest, (Entrants, Dates, Effort, Run), {"method": "nuts"}),
    "calibrate": (hp.calibrate, (Trial,), {}),
    "fit": (hp.workflows.fit, (Fitting, Effort, Run), {}),
    "forecast": (hp.forecast, (OneGame,), {}),
    "simulate": (hp.simulate, (World,), {}),
    "tournament": (hp.tournament, (Rules,), {"cycles": None}),
    "season": (hp.workflows.season, (Calendar,), {}),
    "leaderboard": (hp.leaderboard, (JudgementOptions, BoardOptions, Effort, Run), {}),
    "run_study": (hp.study.run_study, (Scope, Effort, Run), {"tune": LONG.tune}),
    "read": (hp.read, (ReaderOptions, PgnOptions), {}),
    "read_pgn": (read_pgn, (PgnOptions,), {}),
    "read_pgn_headers": (read_pgn_headers, (PgnOptions,), {}),
    "read_judgements": (read_judgements, (ReaderOptions,), {}),
    "bridge_abilities": (bridge.bridge_abilities, (Effort, Run), {}),
    "bridge_score": (bridge.bridge_score, (Scoring,), {}),
    "bridge_simulate": (bridge.bridge_simulate, (Club,), {}),
    "simulate_club": (simulate_club, (Club,), {}),
    "lineups": (lineups.lineups, (NetworkWalk,), {}),
    "official_list": (office.official_list, (OfficialListOptions,), {}),
    "every_list": (every_list, (OfficialListOptions,), {}),
    "races_simulate": (races.races_simulate, (Season,), {}),
}
PACKAGES = (
    hp, hp.workflows, hp.games, hp.models, hp.inference, hp.evaluation, hp.readers, hp.study, arena, bridge,
    football, lineups, office, races,
)  # fmt: skip
PUBLIC = {
    f"{package.__name__}.{name}": getattr(package, name)
    for package in PACKAGES
    for name in package.__all__
    if inspect.isfunction(getattr(package, name)) and name != "outcome"  # whose keywords are a formula's own numbers
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_keywords_are_the_fields_of_the_records(name):
    function, kinds, other_defaults = FUNCTIONS[name]
    keywords = inspect.signature(function).parameters
    for option in (option for kind in kinds for option in fields(kind)):
        default = None if option.default is MISSING else option.default  # of an empty mapping
        assert keywords[option.name].default == other_defaults.get(option.name, default), option.name
    own = {option.name for kind in kinds for option in fields(kind)}
    written = [part for part in keywords.values() if part.kind is part.KEYWORD_ONLY]
    for keyword in (keyword for keyword in written if keyword.name in own - other_defaults.keys()):
        types = {option.type for kind in kinds for option in fields(kind) if option.name == keyword.name}
        names = vars(sys.modules[function.__module__])  # of types that the records name without importing them
        types = {eval(kind, names) if isinstance(kind, str) else kind for kind in types}
        assert keyword.annotation in types | {kind | None for kind in types}, keyword.name


@pytest.mark.parametrize("name", PUBLIC)
def test_a_misspelt_keyword_is_an_error_with_the_nearest_name(name):
    keywords = [part for part in inspect.signature(PUBLIC[name]).parameters.values()]
    assert all(part.kind is not part.VAR_KEYWORD for part in keywords)
    longest = max((part.name for part in keywords if part.kind is not part.POSITIONAL_ONLY), key=len)
    names_it = sys.version_info >= (3, 13)  # in the errors of Python itself
    with pytest.raises(TypeError, match=f"Did you mean '{longest}'" if names_it else f"argument '{longest}_'"):
        PUBLIC[name](**{f"{longest}_": None})
