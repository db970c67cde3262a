"""The printed -mean log likelihood of the twelve models (Pires 2014, table 7), for the comparison on the terminal."""

TABLE_7 = {
    "bt": 4468.2,
    "bt-common": 4423.6,
    "bt-player": 4439.3,
    "bt-weighted": 7907.4,
    "bt-common-weighted": 4423.6,
    "bt-player-weighted": 7822.5,
    "davidson": 6343.5,
    "davidson-common": 6238.6,
    "davidson-player": 6212.6,
    "davidson-weighted": 11231.5,
    "davidson-common-weighted": 10980.5,
    "davidson-player-weighted": 10943.7,
}


def printed_neg_mean_loglik(name: str) -> float | None:
    """Return the value of table 7 as printed, misprints included; None for a model that is not in it."""
    return TABLE_7.get(name)
