"""Model and fit of a leaderboard, with ratings on the requested level.

Boards of categories are partly pooled, in one model of all categories (`halfpoint.models.rows.effects`):

    g_ic = g_i + u_ic,     u_ic ~ N(0, s^2),     g_i ~ N(m, v^2),     s and v estimated

If categories agree s is small and a category with few judgements is shrunk to other categories; if not, s is large and
each category is estimated separately. A model not judged in a category is estimated there from the other categories.

Gelman & Hill (2007) Data Analysis Using Regression and Multilevel Models, section 12, for partial pooling.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import xarray as xr

from halfpoint.apps.fields.arena.asked import BoardOptions
from halfpoint.apps.fields.arena.clusters import PAIRS, Clusters, clusters_of, no_clusters, pair_weights
from halfpoint.apps.fields.arena.frontier import chances
from halfpoint.apps.fields.arena.honest_votes import HonestVotes, honest_votes
from halfpoint.apps.fields.arena.model import board as board_model
from halfpoint.apps.fields.arena.read import Judgements, read_judgements
from halfpoint.apps.fields.arena.refits import BoardRefits
from halfpoint.apps.workflows.beside.anchor_list import Anchored, read_anchors
from halfpoint.apps.workflows.contexts import lists_by_context
from halfpoint.apps.workflows.options import Run
from halfpoint.apps.workflows.suggest import tells_scale
from halfpoint.evaluation.digits import interval
from halfpoint.evaluation.rating_list import interval_ends
from halfpoint.inference.diagnostics.importance_ratios import unchecked_weights
from halfpoint.inference.effort_limits import Effort
from halfpoint.inference.fit import approximate_trace, fit, named_draws
from halfpoint.inference.location import ATTRIBUTE, FROM, shift_ratings
from halfpoint.models.declaration.catalogue import effect_of
from halfpoint.models.declaration.declare_model import declare_model
from halfpoint.models.declaration.declared import Declared
from halfpoint.models.further_models import SEAT
from halfpoint.models.games.components import components, require_comparable, split
from halfpoint.models.games.errors import GameTableError, count_noun
from halfpoint.models.games.find_player import find_players
from halfpoint.models.games.select import Selection, select
from halfpoint.models.games.table import GRADE, Floats, GameTable
from halfpoint.models.games.units import ELO_PER_NATURAL
from halfpoint.models.language.model import Model
from halfpoint.models.language.populations import SCALE
from halfpoint.models.rows.effects import PLAYER, Effects

_SAMPLED_CELLS = 4000  # judgements that differ in anything the model sees, up to which "auto" samples
_LONGER = 100.0  # tokens or words
NAME = "leaderboard"


@dataclass(frozen=True, eq=False)
class Board:
    """Fitted model of a leaderboard on its judgements."""

    judgements: Judgements  #: the judgements
    declared: Declared  #: the model on them
    tree: xr.DataTree  #: the trace
    own: xr.DataTree  #: the same with the model's own draws, which allow for no clusters
    method: str  #: nuts or normal
    refits: BoardRefits  #: the same model fitted without some judgements
    clusters: Clusters  #: which judgements go together; the trace allows for it
    honest: HonestVotes | None = None  #: how much each judgement counts, where that was asked for
    cost: pd.Series | None = None  #: cost of each, if known

    def beside(self, ratings: xr.DataArray) -> pd.DataFrame:
        """Further data of each player, of dims chain, draw, player."""
        return pd.DataFrame(index=ratings["player"].to_numpy()) if self.cost is None else chances(ratings, self.cost)

    @property
    def games(self) -> GameTable:
        """The judgements as games."""
        return self.declared.selection.games

    @property
    def words(self) -> str:
        """Description of the model, in words."""
        spec = self.declared.spec
        graded = f"verdicts of {spec.grades} grades" if spec.grades else ""
        return ", ".join(filter(None, ("pooled strengths", spec.effects.written, graded)))

    @property
    def ratings(self) -> xr.DataArray:
        """Ratings in Elo points, dims chain, draw, player, on their level."""
        return self.tree["posterior"].to_dataset()["rating_elo"]

    def scale(self) -> xr.DataArray:
        """Elo points for a natural unit under each draw, dims chain, draw."""
        log_draw = self.tree["posterior"]["log_draw"]
        if "anchor_scale" in self.tree["posterior"]:
            return xr.DataArray(ELO_PER_NATURAL / self.tree["posterior"]["anchor_scale"])
        return xr.DataArray(xr.apply_ufunc(self.declared.outcome.elo_per_natural, log_draw))


def _require_judges(judgements: Judgements, option: str) -> None:
    """Refuse an option that needs judges if none are named."""
    if "judge" not in judgements.games.covariates:
        raise GameTableError(option, "a column of judges", "none", "Name it: --columns judge=COLUMN.")


def model_for(judgements: Judgements, judges: bool, effects: Sequence[str] = ()) -> Model:
    """Model of a board: Davidson, a population of strengths, position, style, judges, further columns, grades."""
    covariates, score = judgements.games.covariates, judgements.games.score
    formulas: dict[str, str] = {}
    terms = ["0", *judgements.style] if judgements.style else []
    if judges:
        _require_judges(judgements, "--judges")
        terms.append("(1 | judge)")
        formulas["sharpness"] = "1 | judge"
    if terms:
        formulas["advantage"] = " + ".join(terms)
    for target, formula in map(effect_of, effects):
        formulas[target] = " + ".join(filter(None, (formulas.get(target), formula)))
    neutral = "neutral" in covariates and bool(np.all(covariates["neutral"]))
    seatless = neutral or (np.unique(score).size == 1 and score[0] != 0.5)
    most = int(judgements.games.grade.max())
    return Model(
        NAME, board_model, {"advantage": None if seatless else SEAT}, effects=Effects(formulas),
        grades=most if most > 1 else 0,
    )  # fmt: skip


def _connect_judgements(judgements: Judgements, groups: str) -> tuple[Judgements, Selection]:
    """The connected judgements and their participants; groups to leave out are removed."""
    games = judgements.games
    if games.sides is not None:
        sides = f"sides of several people, such as {str(games.players[0])!r}"
        raise GameTableError(games.source, "one competitor in each seat", sides, "Use `halfpoint rate`.")
    if groups == "largest" and not components(games).comparable:
        games = split(games)[0]
    selection = select(games, games.players, "both")
    require_comparable(selection, remedy="Add --groups largest.")
    return replace(judgements, games=games), selection


def design(path: str) -> tuple[Model, Selection]:
    """Leaderboard's model of a file, with judges if it names several, and its games."""
    judgements, selection = _connect_judgements(read_judgements(path), "refuse")
    several = np.unique(judgements.games.covariates.get("judge", np.zeros(0))).size > 1
    return replace(model_for(judgements, several), grades=0), selection


def fit_board(judgements: Judgements, options: BoardOptions, settings: Effort, run: Run) -> Board:
    """The fitted board."""
    if not options.grades:
        covariates = {name: column for name, column in judgements.games.covariates.items() if name != GRADE}
        judgements = replace(judgements, games=replace(judgements.games, covariates=covariates))
    judgements, selection = _connect_judgements(judgements, options.groups)
    if options.reweighted:
        selection = selection.with_weights(selection.weight * pair_weights(selection), PAIRS)
    spec, honest = model_for(judgements, options.judges, options.effects), None
    if options.honest:
        _require_judges(judgements, "--honest")
        honest = honest_votes(BoardRefits(declare_model(model_for(judgements, False, options.effects), selection)))
        run.say(honest.words)
        selection = selection.with_weights(selection.weight * honest.weight, PAIRS if options.reweighted else "honest")
    declared = declare_model(spec, selection)
    refits = BoardRefits(declared)
    if options.anchors is not None:
        tree = _anchored_trace(declared, options.anchors, settings, run)
        return Board(
            judgements, declared, tree, tree, str(tree.attrs.get("method", "nuts")), refits, no_clusters(), honest
        )
    method = run.method
    if method == "nuts" or (method == "auto" and len(declared.cells) <= _SAMPLED_CELLS):
        tree = fit(declared, run.method, settings, 0, progress=run.progress)
        method = str(tree.attrs.get("method", "nuts"))
    else:
        tree, method = _normal_trace(refits, settings), "normal"
    if options.level is not None:
        tree = _shift_to_level(tree, *options.level)
    clusters = clusters_of(refits, options.cluster)
    return Board(judgements, declared, clusters.widen(tree), tree, method, refits, clusters, honest)


def _anchored_trace(declared: Declared, anchors: Anchored, settings: Effort, run: Run) -> xr.DataTree:
    """Trace of a board on the scale of an earlier list, whose ratings and errors are priors."""
    all_anchors, players = read_anchors(anchors), declared.selection.players.tolist()
    present = all_anchors.among(players)
    run.say(present.words(len(all_anchors)))
    if not tells_scale(present.prior_elo):
        extent = f"{count_noun(len(present), 'anchor')} within {np.ptp(present.prior_elo[:, 0]):.0f} Elo"
        raise GameTableError(
            present.source, "anchors far enough apart to determine a scale", extent, "Or fix one rating with --fix."
        )
    anchored = declare_model(declared.spec.but(scale=SCALE), replace(declared.selection, prior_elo=present.of(players)))
    return fit(anchored, run.method, settings, 0, run.say, progress=run.progress)


def _shift_to_level(tree: xr.DataTree, name: str, level: float) -> xr.DataTree:
    """Trace with all ratings shifted, so that the mean of one entry has a given value."""
    posterior = tree["posterior"].to_dataset()
    name = find_players([name], posterior["player"].to_numpy().astype(str).tolist(), "--fix")[0]
    by = level - float(posterior["rating_elo"].sel(player=name).mean())
    shifted = tree.copy()
    shifted["posterior"] = xr.DataTree(shift_ratings(posterior, by))
    shifted.attrs |= {FROM: f"so that {name} has {level:g}"}
    shifted.attrs |= {ATTRIBUTE: float(shifted.attrs[ATTRIBUTE]) + by} if ATTRIBUTE in shifted.attrs else {}
    return shifted


def _normal_trace(refits: BoardRefits, how: Effort) -> xr.DataTree:
    """Trace of draws of the normal approximation, marked approximate."""
    declared, draws, chains, seed = refits.declared, how.draws, how.chains, how.seed
    sample = refits.model.draws(refits.whole, draws * chains, seed)
    posterior = named_draws(declared, declared.layout.named(sample), chains)
    absence = "spreads are fixed at their estimates, so the draws have no density to compare"
    settings: dict[str, object] = {"draws": draws, "tune": 0, "chains": chains, "seed": seed, "sampler": "normal"}
    return approximate_trace(declared, posterior, unchecked_weights(draws * chains, absence), (absence,), settings, 0)


def style_table(board: Board, probability: float) -> pd.DataFrame:
    """Effects of style and position: name, effect in Elo points, sd, low, high, and P(effect > 0)."""
    posterior, scale = board.tree["posterior"].to_dataset(), board.scale()
    listed: list[tuple[str, xr.DataArray]] = []
    if "advantage" in posterior:
        listed.append((board.judgements.sides[0], posterior["advantage"] * scale))
    if "advantage_effect" in posterior:
        effects = posterior["advantage_effect"] * scale
        listed += [(str(name), effects.sel(advantage_term=name)) for name in effects["advantage_term"].to_numpy()]
    rows = []
    for name, drawn in listed:
        values: Floats = drawn.to_numpy().ravel()
        spread = values.std(ddof=1), *interval_ends(values, probability)
        rows.append((name, values.mean(), *spread, float((values > 0).mean())))
    return pd.DataFrame(rows, columns=["what", "effect_elo", "sd_elo", "low_elo", "high_elo", "positive"])


def style_words(board: Board, probability: float) -> list[str]:
    """Effect of more of a style relative to a usual answer, one sentence per style; none for styles without counts.

    The share between counts of m + d and m is d / (2 m + d), in standard deviations like the columns.
    """
    judgements, sentences = board.judgements, []
    posterior = board.tree["posterior"].to_dataset()
    if "advantage_effect" not in posterior:
        return []
    for name, sd in judgements.style.items():
        usual, unit = judgements.typical.get(name, (0.0, name))
        increase = _LONGER if name == "length" else 1.0
        if usual <= 0.0:
            continue
        share = increase / (2.0 * usual + increase) / sd
        drawn = (posterior["advantage_effect"].sel(advantage_term=name) * board.scale() * share).to_numpy().ravel()
        low, high = interval_ends(drawn, probability)
        amount = interval({"mean": drawn.mean(), "low": low, "high": high}, noun=" Elo")
        sentences.append(f"{increase:g} {unit} more than the usual {usual:,.0f} add {amount}.")
    return sentences


def judge_table(board: Board) -> pd.DataFrame:
    """Judges by judgements: judge, judgements, habit_elo, habit_sd, sharpness, sharpness_sd."""
    posterior, over = board.tree["posterior"].to_dataset(), ("chain", "draw")
    habit, sharp = posterior["advantage_judge"] * board.scale(), 1.0 + posterior["sharpness_judge"]
    names = posterior["judge"].to_numpy().astype(str)
    frame = pd.DataFrame({
        "judge": names, "judgements": pd.Series(board.games.covariates["judge"]).value_counts()[names].to_numpy(),
        "habit_elo": habit.mean(over), "habit_sd": habit.std(over),
        "sharpness": sharp.mean(over), "sharpness_sd": sharp.std(over),
    })  # fmt: skip
    return frame.sort_values("judgements", ascending=False, kind="stable", ignore_index=True)


DRAWS = 500


def of_categories(board: Board, options: BoardOptions, seed: int) -> dict[str, pd.DataFrame]:
    """Boards of each level of a column, most judgements first; levels of fewer than 20 are left out."""
    if np.unique(board.games.covariates[options.by or ""]).size < 2:
        return {}
    model = model_for(board.judgements, False, options.effects)
    formulas = {**model.effects.formulas, "strength": f"1 | {PLAYER}{options.by}"}
    declared = declare_model(
        replace(model, effects=replace(model.effects, formulas=formulas)), board.declared.selection
    )
    tree = fit(declared, "auto", Effort(DRAWS, DRAWS, 4, seed), pointwise_draws=0)
    return lists_by_context(tree, board.judgements.noun, options.interval, options.tier, board.beside)
