"""Units and long names of the variables of a trace, as ArviZ's schema and the CF conventions have them.

The long name of a variable of a user's model is its name in words; its unit is known if its name ends like a name of
the catalogue, else "1".
"""

import xarray as xr

NATURAL, ELO, NATS, ONE = "400/ln(10) Elo points", "Elo points", "nats", "1"

_KNOWN = {
    "strength": (NATURAL, "strength"),
    "advantage": (NATURAL, "first-move advantage, half of it where it differs by player"),
    "log_draw": (ONE, "draw parameter, on the log scale"),
    "log_tie": (ONE, "tie parameter, on the log scale"),
    "log_width": (ONE, "log standard deviation of a margin"),
    "rating_elo": (ELO, "rating"),
    "rating_elo_by_month": (ELO, "rating by period"),
    "advantage_elo": (ELO, "first-move advantage"),
    "draw_rate": (ONE, "probability of a draw between equals"),
    "anchor_scale": (ONE, "scale of the anchors' ratings"),
    "anchor_level": (NATURAL, "level of the anchors' ratings"),
    "draw_slope": (ONE, "change of the draw parameter with strength"),
    "draw_tendency": (ONE, "draw tendency of a player, on the log scale"),
    "draw_tendency_spread": (ONE, "standard deviation of draw tendencies"),
    "sharpness": (ONE, "sharpness of a judge"),
    "log_likelihood_total": (NATS, "weighted log likelihood of all games"),
    "diverging": (ONE, "whether the transition diverged"),
    "energy": (NATS, "energy of the transition"),
    "lp": (NATS, "log posterior density of the sampled coordinates, up to a constant"),
    "n_steps": (ONE, "leapfrog steps of the transition"),
    "tree_depth": (ONE, "depth of the tree of the transition"),
    "acceptance_rate": (ONE, "mean acceptance probability of the transition"),
    "step_size": (ONE, "step size of the transition"),
    "step_size_bar": (ONE, "step size that tuning averaged"),
    "white": (ONE, "index of White's side, -1 where anchored"),
    "black": (ONE, "index of Black's side, -1 where anchored"),
    "white_name": (ONE, "White's name"),
    "black_name": (ONE, "Black's name"),
    "weight": (ONE, "weight in the likelihood"),
    "period": (ONE, "period"),
    "date": ("", "date"),
    "event": (ONE, "event"),
    "neutral": (ONE, "whether the ground is neutral"),
    "listed_months": ("months", "number of months with a printed rating"),
    "side_player": (ONE, "people of a side, -1 in empty seats"),
    "side_share": (ONE, "shares of play of a side's people"),
}
_BY_GROUP = {
    ("score", "log_likelihood_by_game"): (NATS, "log likelihood of a game, unweighted"),
    ("score", "observed_data"): ("points", "White's score"),
    ("score", "posterior_predictive"): ("points", "White's score, played again"),
}
_ENDS = {
    "_elo": (ELO, ""), "_spread": (NATURAL, "standard deviation of "), "_mean": (NATURAL, "mean of "),
    "_effect": (NATURAL, "effects on "), "_design_size": (ONE, "sum of squares of the columns of "),
}  # fmt: skip


def with_units(dataset: xr.Dataset, group: str) -> xr.Dataset:
    """Variables of a group of a trace with `units` and `long_name`; existing attributes are kept."""
    copy = dataset.copy()
    for name, variable in copy.data_vars.items():
        units, words = _about(str(name), group)
        about = {"long_name": words} | ({} if variable.dtype.kind in "Mm" else {"units": units})
        variable.attrs = about | variable.attrs
    return copy


def _about(name: str, group: str) -> tuple[str, str]:
    """Units and long name of a variable."""
    if group == "log_prior":
        return NATS, f"log prior density of {name}"
    entry = _BY_GROUP.get((name, group)) or _KNOWN.get(name)
    if entry is not None:
        return entry
    for end, (units, words) in _ENDS.items():
        if name.endswith(end):
            base = _KNOWN.get(name.removesuffix(end))
            return (base[0] if base and words else units), words + name.removesuffix(end).replace("_", " ")
    return ONE, name.replace("_", " ")


def described_trace(tree: xr.DataTree) -> xr.DataTree:
    """A trace whose variables all have `units` and `long_name`."""
    for name, child in tree.children.items():
        tree[name] = xr.DataTree(with_units(child.to_dataset(), name))
    return tree
