"""Two editions of a made-up league, written once."""

import numpy as np
import pandas as pd
import pytest

from halfpoint.apps.fields.site import site
from halfpoint.readers.datasets.examples import example_file

SETTINGS = """
title = "Made-up league"
games = "games.csv"
fixtures = "fixtures.csv"
season = 2025-08-01
address = "https://club.example/table"
[places]
"top 3" = "1-3"
relegation = "9-10"
[names]
Dunmere = "Dunmere & Sons <1899>"
"""


@pytest.fixture(scope="session")
def league(tmp_path_factory):
    """A folder with files and `public`, the site after its second edition; `first` is its first edition."""
    folder = tmp_path_factory.mktemp("league")
    games = pd.read_csv(example_file("football"))
    season = games[games["date"] >= "2025-08-01"][["date", "home", "away"]]
    fixtures = pd.concat([season, pd.read_csv(example_file("fixtures"))[["date", "home", "away"]]])
    fixtures.to_csv(folder / "fixtures.csv", index=False)
    odds = np.random.default_rng(1).uniform(1.8, 6.0, (len(games), 3)).round(2)
    games = games.assign(QH=odds[:, 0], QD=odds[:, 1], QA=odds[:, 2])
    (folder / "league.toml").write_text(SETTINGS.replace("[places]", 'odds = "Q"\n[places]', 1), encoding="utf-8")
    games.iloc[:120].to_csv(folder / "games.csv", index=False)
    first = site(folder / "league.toml", folder / "public").edition
    games.to_csv(folder / "games.csv", index=False)
    second = site(folder / "league.toml", folder / "public", trace=folder / "trace.nc")
    return folder, first, second
