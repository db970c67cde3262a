"""Calls as an editor and mypy see them: valid calls pass, each error is reported, or its `ignore` would be unused."""

from pathlib import Path

import halfpoint as hp
from halfpoint.apps.fields import bridge, lineups, office, races

games = Path("games.csv")
hp.read(games, columns={"white": "home"}, date_format="%d/%m/%Y")
hp.read(games, colums={})  # type: ignore[call-arg]
hp.rate(games, model="davidson-common", min_games=3, draws=500, method="normal", reader={"sides": "+"})
hp.rate(games, min_game=3)  # type: ignore[call-arg]
hp.rate(games, draws="many")  # type: ignore[arg-type]
hp.leaderboard(games, style=["length"], judges=True, seed=3)
hp.leaderboard(games, stile=["length"])  # type: ignore[call-arg]
hp.backtest(games, "elo", begin="2012-08", every="week", method="normal")
hp.backtest(games, "elo", start="2012-08")  # type: ignore[call-arg]
hp.forecast("trace.nc", white="Ann", black="Bob", white_rating=2100.0)
hp.forecast("trace.nc", whyte="Ann", black="Bob")  # type: ignore[call-arg]
hp.tournament("trace.nc", ["Ann", "Bob"], format="swiss", rounds=5)
hp.tournament("trace.nc", ["Ann", "Bob"], round=5)  # type: ignore[call-arg]
hp.simulate(games=100, spread_elo=200.0)
hp.simulate(game=100)  # type: ignore[call-arg]
hp.sample(hp.declare("bt", hp.select(hp.read(games), ["Ann"])), draws=200, chains=2)
hp.sample(hp.declare("bt", hp.select(hp.read(games), ["Ann"])), draw=200)  # type: ignore[call-arg]
hp.workflows.fit(games, "bt", rule="both", tune=300)
hp.workflows.fit(games, "bt", rules="both")  # type: ignore[call-arg]
hp.workflows.calibrate("bt", simulations=20)
hp.workflows.calibrate("bt", simulation=20)  # type: ignore[call-arg]
hp.study.run_study("run", replica=True)
hp.study.run_study("run", replicas=True)  # type: ignore[call-arg]
bridge.bridge_score(games, datum="median")
bridge.bridge_score(games, datums="median")  # type: ignore[call-arg]
bridge.bridge_abilities(games, groups="largest")
bridge.bridge_abilities(games, least=3)  # type: ignore[call-arg]
lineups.lineups(games, bootstrap=0)
lineups.lineups(games, bootstraps=0)  # type: ignore[call-arg]
office.official_list(games, "elo", start_elo=1500.0)
office.official_list(games, "elo", start=1500.0)  # type: ignore[call-arg]
races.races_backtest(games, train=0.4)
races.races_backtest(games, trained=0.4)  # type: ignore[call-arg]
races.races_simulate(events=10)
races.races_simulate(event=10)  # type: ignore[call-arg]
