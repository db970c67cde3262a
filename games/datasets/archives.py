"""Where archives of games are to be had: names, addresses and terms; nothing of them is fetched or shipped."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Archive:
    """A public collection of games."""

    name: str  # what it is called, and where it stands
    address: str  # likewise
    holds: str  # what it holds, and in what order and with what ratings
    terms: str  # what its owner says about use; "none stated" if nothing


ARCHIVES = (
    Archive(
        "PGN Mentor",
        "https://www.pgnmentor.com/files.html",
        "files of some 250 grandmasters, FIDE's list of the day from the 1990s on, no time controls; games between two "
        "of them stand in both files. github.com/modulariumresearch/chess-reasoning keeps a copy",
        "none stated",
    ),
    Archive(
        "The Week in Chess",
        "https://theweekinchess.com/twic",
        "a PGN file a week since 1994, FIDE's list of the day, time controls by the names of events",
        "free of charge, no licence stated",
    ),
    Archive(
        "Lichess",
        "https://database.lichess.org",
        "a PGN file a month, compressed with Zstandard, live ratings, TimeControl and UTCTime of every game",
        "CC0",
    ),
    Archive(
        "football-data.co.uk",
        "https://www.football-data.co.uk/data.php",
        "seasons of European leagues as CSV: results, shots, bookmakers' odds",
        "no licence; the site has a disclaimer",
    ),
    Archive(
        "Tennis by Jeff Sackmann",
        "https://github.com/JeffSackmann/tennis_atp",
        "matches of the men's tour as CSV, a file a season, winner first, dated by the Monday of the event",
        "CC BY-NC-SA 4.0",
    ),
)
