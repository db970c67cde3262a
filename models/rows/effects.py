r"""Effects of columns of a game: fixed effects of columns and grouped effects of levels.

    advantage   a   = delta + x' c            x: columns of the game
    log_draw    lam = lam0  + x' c
    log_width  lam = lam0  + x' c            of margins, whose lam is the logarithm of their spread
    strength    g   = g_i   + x_i' c          x_i: columns of the player in this game (age, title, home country)
    sharpness   white - black = (1 + u_k) (g - g')    before any advantage; grouped only: a judge's discrimination
    grouped     + u_k for the level k of a column, u_k ~ N(0, s^2), s ~ HalfNormal(S), or s a known number
    partners    g   = mean of the side + u_k  for the set k of people on the side: "1 | partners" on strength
    contexts    g_c = g_i + u_ic         of player i in context c, u_ic ~ N(0, s^2): "1 | player:surface" on strength

A fixed formula is written for formulae, without an intercept, since delta, lam0 and g_i are intercepts: "0 + rapid"; a
grouped formula is "1 | site", one number for every site from a population around 0; or both: "0 + rapid + (1 | site)".
Columns of a player are read from `white_NAME` and `black_NAME`; columns of an anchored opponent count 0. Effects have
priors N(0, 1) per unit of the column, natural units; S = 0.5 by default.

The games of the fit determine the coding of columns, once (`design_matrix`); new games are coded likewise. A level that
only new games have is refused in a fixed formula; in a group it is drawn from its spread, u ~ N(0, s^2) under each draw
of s, or 0 if the spread is given, except for contexts.

Partners. The level of "1 | partners" is the set of people on a side of several, in any order and with any shares; its
effect is the set's strength beyond its mean. A side of one has no such effect; new partners are a new level.

Contexts. "1 | player:COLUMN" gives every player a strength in each level of a column of the games, around a strength of
their own: a player's strengths in two contexts have the correlation r = v^2 / (v^2 + s^2), v the spread of strengths,
both learned. With s near 0 all contexts share one strength (pooled); with v and r near 0 each context has a separate
strength. A player's strength in a context where they never played is u ~ N(0, s^2) away from their own. For an event,
"1 | player:event", u_ic is form, a player's deviation in one tournament: over-dispersion beyond a walk. For a single
game u would be a scale of all strengths, which games do not separate from their spread.

A judge of sharpness 1 + u_k = 1 is average; at 0 a judge chooses by chance, below 0 against the other judges. Each side
moves by half, so that the mean of the two sides, and a draw parameter that depends on it, do not change.

Two columns are computed if the games lack them: `event` is the event or site of the games, `fast` is 1 if the time
control is known to be faster than classical chess (`models.games.time_classes`).

Wilkinson & Rogers (1973) Appl. Stat. 22:392 for formulas; Bates et al. (2015) J. Stat. Softw. 67 for "1 | group" and
"1 | player:group", their interaction; r is an intraclass correlation, Laird & Ware (1982) Biometrics 38:963.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from halfpoint.models.errors import ModelError
from halfpoint.models.games.table import Floats, GameTable, Texts
from halfpoint.models.games.time_classes import fast
from halfpoint.models.rows.design_matrix import columns_of

_TARGETS = ("advantage", "log_draw", "log_width", "strength", "sharpness")
PARTNERS = "partners"
_MADE = ("fast", "event")  # columns derived from other columns
# a formula may come from a file: nothing but these is called
_FUNCTIONS = ("C", "I", "center", "scale", "standardize", "bs", "poly")
_CALL = re.compile(r"(?<![\w.\]])([\w.\]]++)\s*\(")
_HARMLESS = re.compile(r"(?:[\w\s+*:/|(),=-]|(?<=\d)\.(?=\d))*")
_LONGEST = 1000  # characters of a formula
_BEYOND = re.compile(r"[)\]]\s*\(|\blambda\b|\*\*(?!\s*\d{1,2}\s*(?:[^\w\s*.]|$))")  # calls of calls, powers of powers
_GROUP = re.compile(r"(?:\(\s*+|(?<!\s)\s++)?1\s*\|\s*((?:\w+:)?\w+)\s*\)?")
PLAYER = "player:"  # begins a grouped term of strength whose levels are those of a column for each player


def require_harmless(target: str, text: object) -> None:
    """Raise `ModelError` unless the formula for `target` calls only known functions of columns."""
    if not isinstance(text, str) or len(text) > _LONGEST:
        fault = f"{len(text):,} characters" if isinstance(text, str) else type(text).__name__
        raise ModelError(f"effects on {target}: expected a text of up to {_LONGEST} characters, found {fault}")
    called = [name for name in _CALL.findall(text) if name not in _FUNCTIONS]
    if called or _BEYOND.search(text) or not _HARMLESS.fullmatch(text):
        fault = f"{called[0]}(...)" if called else repr(text)
        functions = ", ".join(_FUNCTIONS)
        raise ModelError(f"effects on {target}: expected columns, + and calls of {functions}, found {fault}")


def split_groups(formula: str) -> tuple[str, list[str]]:
    """Split a formula into its fixed part, empty if absent, and its grouping columns."""
    groups = _GROUP.findall(formula)
    fixed = re.sub(r"^[\s+]+|(?<![\s+])[\s+]+$", "", re.sub(r"\+\s*\+", "+", _GROUP.sub("", formula)))
    return ("" if fixed in ("", "0") else fixed), groups


def name_of(target: str, column: str) -> str:
    """Name of the parameter of a grouped effect."""
    return f"{target}_{column.removeprefix(PLAYER)}".replace(":", "_")


@dataclass(frozen=True)
class Effects:
    """Formulas of fixed and grouped effects, and the scales of their priors."""

    #: formulas by target: "advantage", "log_draw", "log_width", "strength" or "sharpness"
    formulas: Mapping[str, str] = field(default_factory=dict)
    sd: float = 1.0  #: standard deviation of the prior of a fixed effect, natural units per unit of the column
    spread: float = 0.5  #: scale of the half-normal prior of the spread of a grouped effect, natural units

    @property
    def written(self) -> str:
        """The formulas in words, "advantage ~ 1 | site"."""
        return "; ".join(f"{target} ~ {formula}" for target, formula in self.formulas.items())

    def __bool__(self) -> bool:
        return bool(self.formulas)

    def __post_init__(self) -> None:
        for target, text in self.formulas.items():
            if target not in _TARGETS:
                raise ModelError(f"effects: expected {' | '.join(_TARGETS)}, found {target!r}")
            require_harmless(target, text)
            shared = [name for name in split_groups(text)[1] if name != PARTNERS and not name.startswith(PLAYER)]
            if target == "strength" and shared:
                raise ModelError(
                    f"effects on strength: expected columns of players, 1 | {PARTNERS} or 1 | player:{shared[0]}, "
                    f"found {text!r}: a level of the game is common to both sides, so its effect cancels. Let it "
                    "act on the advantage or on log_draw, or use a level of each player."
                )
            if target != "strength" and len(shared) < len(split_groups(text)[1]):
                of_side = next(name for name in split_groups(text)[1] if name not in shared)
                raise ModelError(
                    f"effects on {target}: expected columns of the game, found {text!r}: {of_side} belong to a side. "
                    f'Let it act on strength: "strength ~ 1 | {of_side}".'
                )
            if target == "sharpness" and split_groups(text)[0]:
                raise ModelError(
                    f'effects on sharpness: expected grouped terms, such as "1 | judge", found {text!r}: a number for '
                    "all games would be the scale of the strengths, which games do not identify."
                )

    def fixed_formulas(self) -> dict[str, str]:
        """The formulas without their grouped terms."""
        return {target: part for target, text in self.formulas.items() if (part := split_groups(text)[0])}

    def groups(self) -> list[tuple[str, str]]:
        """Pairs (target, column) of the grouped effects."""
        return [(target, column) for target, text in self.formulas.items() for column in split_groups(text)[1]]

    @property
    def requested_columns(self) -> list[str]:
        """Columns that a reader must keep for the formulas, without derived columns."""
        return [name for name in self.columns_read if name not in _MADE]

    @property
    def columns_read(self) -> list[str]:
        """Columns of games that the formulas read, without partners."""
        grouped_by = (column.removeprefix(PLAYER) for _, column in self.groups() if column != PARTNERS)
        return list(dict.fromkeys([*columns_of(self.fixed_formulas()), *grouped_by]))

    def with_derived_columns(self, games: GameTable) -> GameTable:
        """Games with the derived columns that formulas request."""
        missing = set(self.columns_read) - set(games.covariates)
        derived: dict[str, Floats | Texts] = {}
        if "fast" in missing:
            derived["fast"] = fast(games)
        if "event" in missing:  # a file without events is one event
            derived["event"] = games.event if games.event is not None else np.full(len(games), "unknown")
        return replace(games, covariates={**games.covariates, **derived}) if derived else games
