r"""Results of bridge as games between pairs, for models: sides of two, the margin in IMPs, the deal as a column.

    margin   y_i = sum over j of imp(s_i - s_j) / n        average cross-IMPs over all n results of a deal (eq. 3.2)

If IMPs added up exactly, s_i against s_j would be y_i - y_j, so that y_i is the gain of North and South at table i less
the deal's mean, for which a model needs a free parameter: `advantage ~ 1 | deal`. Krajowski-Kukiel (2011), section
3.2.2.
"""

import numpy as np

from halfpoint.apps.fields.bridge.comparison import cross_imps
from halfpoint.apps.fields.bridge.table import BridgeTable
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.sides import code_sides
from halfpoint.models.games.table import GameTable, Texts

_LEVEL_IMPS = 0.5  # nearer to the deal's mean is a draw, as in formulas of margins


def as_games(table: BridgeTable) -> GameTable:
    """Rated results of a table as games: North-South against East-West, for any model of margins.

    Results of robots and unnamed seats, adjusted results and deals with one result are compared but not rated. Columns
    are `margin`, IMPs of North and South against the mean of the deal's results (eq. 3.2 divided by all), and `deal`,
    with dates and events if known. The score follows from the margin: a draw within half an IMP. `GameTableError` if no
    result can be rated.
    """
    rows = np.flatnonzero(table.can_be_rated)
    if not rows.size:
        expected = "a deal with two results or more and a result of four named players"
        raise GameTableError(table.source, expected, "none")
    margin = cross_imps(table.score_ns, table.deals, "all")[rows]
    _, ns, ew = table.pairs()
    pair_codes, place = np.unique(np.concatenate([ns[rows], ew[rows]]), return_inverse=True)
    white, black = np.split(place.astype(np.int32), 2)
    pairs = [dict.fromkeys(pair, 1.0) for pair in table.players[table.partners()[pair_codes]].tolist()]
    players, first_seat, second_seat, sides = code_sides(pairs, white, black, table.source)
    return GameTable(
        players, first_seat, second_seat, np.where(np.abs(margin) <= _LEVEL_IMPS, 0.5, (margin > 0.0).astype(float)),
        date=None if table.date is None else table.date[rows],
        event=None if table.event is None else table.event[rows],
        covariates={"margin": margin, "deal": _names_of_deals(table)[table.deal[rows]]},
        line=None if table.line is None else table.line[rows],
        name=table.name, source=table.source, simulated=table.simulated, notes=table.notes, seats="first", sides=sides,
    )  # fmt: skip


def _names_of_deals(table: BridgeTable) -> Texts:
    """A unique name of each deal, shape (deal,): a number is added to repeated ones."""
    names, codes = table.deal_names, np.arange(table.deal_names.size)
    if np.unique(names).size == names.size:
        return names
    return np.char.add(np.char.add(names, " #"), codes.astype(np.str_))
