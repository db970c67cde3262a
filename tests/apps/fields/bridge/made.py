"""Files of bridge results for tests: a match with totals computed by hand, a traveller with printed scores."""

import numpy as np

from halfpoint.apps.fields.bridge.comparison import cross_imps, deals_of, matchpoints, percent

# Score lines of a vugraph (2010 USBF semi-final, fourth segment): printed totals Nickell 110, Fleisher 140.
USBF = """vg|2010 USBF SF A,Segment 4 of 8,I,46,60,Nickell,80,Fleisher,99|
rs|4HE=,4HE=,3NW+1,3NW+1,4DN=,3NN=,4SE+1,4SE+2,4HW=,4HW=,3NN+3,3NN+3,4HW=,4HW-1,4SWx-4,3NS-3,3CN+1,3DN=,\
5DNx-2,4HW-2,1NN-3,3NE-1,4SS-1,4SN-2,3HS=,3CE=,2HN+1,4HS-1,2NW=,3NW-1|
pn|Meckstroth,Levin,Rodwell,Weinstein,Stansby,Hamman,Martel,Mahmood|pg||
qx|o46|st||mb|1H|an|rs, not results|pg||
"""

# Made up, four boards. 1 (none): 4SN= 420, 4SN-1 -50: 470, 10 IMPs to Reds. 2 (NS): 3NW+1 -430, 3NW= -400: -30, 1 IMP
# to Blues. 3 (EW): passed out 0, 2HSx-1 -100: 100, 3 IMPs to Reds. 4 (all): not played in the closed room.
# Reds 13, Blues 1; carried over 5 and 0.
MADE_UP = """vg|Made up,Final,I,1,4,Reds,5,Blues,|
rs|4SN=,4SN-1,3NW+1,3NW=,P,2HSx-1,6NS=,|
pn|Ann,Bea,Cid,Dot,Eve,Flo,Gus,Hal|pg||
"""


def traveller(scores, event="club", board=1, scoring="MP", hidden=None, decimals=2):
    """CSV rows of one deal with printed scores; the row `hidden` is used in the scores and left out of the rows."""
    scores = np.array(scores)
    whole = deals_of(np.zeros(scores.size, dtype=np.int64))
    printed = percent(matchpoints(scores, whole), whole) if scoring == "MP" else cross_imps(scores, whole)
    lines = []
    for table, (score, official) in enumerate(zip(scores.tolist(), printed.tolist(), strict=True)):
        if table == hidden:
            continue
        names = ",".join(f"{seat}{table} of {board}" for seat in "NSEW")
        lines.append(f"{event},{board},{names},{score},{scoring},{official:.{decimals}f}")
    return lines


HEADER = "event,board,north,south,east,west,score,scoring,official"


def match_of_records(boards, home="Reds", visit="Blues"):
    """PBN file of a match: contract, declarer and tricks for each room of each board."""
    lines = []
    for board, vulnerable, *rooms in boards:
        for room, (contract, declarer, tricks) in zip(("Open", "Closed"), rooms, strict=True):
            reds, blues = ("Ann", "Cid"), ("Bea", "Dot")
            if room == "Closed":
                reds, blues = ("Gus", "Eve"), ("Hal", "Flo")
            (north, south), (east, west) = (reds, blues) if room == "Open" else (blues, reds)
            tags = {
                "Event": "Final",
                "Date": "2024.05.01",
                "Board": board,
                "North": north,
                "South": south,
                "East": east,
            }
            tags |= {"West": west, "Vulnerable": vulnerable, "HomeTeam": home, "VisitTeam": visit, "Room": room}
            tags |= {"Contract": contract, "Declarer": declarer, "Result": tricks}
            lines += [f'[{name} "{value}"]' for name, value in tags.items()] + [""]
    return "\n".join(lines)


# The boards of MADE_UP as they were played in two rooms.
PLAYED = (
    (1, "None", ("4S", "N", 10), ("4S", "N", 9)),
    (2, "NS", ("3NT", "W", 10), ("3NT", "W", 9)),
    (3, "EW", ("Pass", "", ""), ("2HX", "S", 7)),
)
