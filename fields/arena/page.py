"""The page of a leaderboard, in the words of its field."""

from io import BytesIO
from typing import TYPE_CHECKING, Any

import pandas as pd
from matplotlib.figure import Figure

from halfpoint.evaluation.digits import decimals as digits_allowed
from halfpoint.evaluation.digits import digits_of, interval
from halfpoint.evaluation.report.page import ReportFigure, ReportSection
from halfpoint.evaluation.report.tables import report_table
from halfpoint.fields.arena.board import BoardPage, BoardSection, board_page
from halfpoint.fields.arena.categories import side_by_side
from halfpoint.fields.arena.figures import board_figure, stronger_figure, style_figure
from halfpoint.fields.arena.fit import style_words
from halfpoint.workflows.explorer_page import strongest

if TYPE_CHECKING:
    from halfpoint.fields.arena.list import Leaderboard

LIST_TITLES = {
    "rating_elo": "rating, Elo",
    "sd_elo": "sd",
    "low_elo": "low",
    "high_elo": "high",
    "rank_low": "best rank",
    "rank_high": "worst rank",
    "best_percent": "strongest, %",
}
LIST_DECIMALS = {"best_percent": 0, "score": 1}  # beside what the intervals allow
SCORE_TITLES = {
    "log_score": "log score, three outcomes",
    "expected_log_score": "log score, expected",
    "squared_error": "squared error",
    "difference": "difference to this board",
    "standard_error": "± standard error",
}
SHOWN_JUDGES = 50


def picture(figure: Figure, identifier: str, title: str, caption: str) -> ReportFigure:
    """Return a figure for the page."""
    content = BytesIO()
    figure.savefig(content, format="png", dpi=130)
    return ReportFigure(identifier, title, caption, content.getvalue())


def page_of(answer: "Leaderboard") -> str:
    """Return the page of a leaderboard as HTML.

    Parameters
    ----------
    answer : Leaderboard
        The leaderboard.
    """
    about = answer.about
    sections = [list_section(answer), pairs_section(answer), style_section(answer)]
    if answer.audit:
        sections.append(audit_section(answer))
    if answer.scores is not None:
        sections.append(scores_section(answer))
    if answer.judges is not None:
        sections.append(judges_section(answer))
    if answer.categories:
        sections.append(categories_section(answer))
    if len(answer.pairs):
        sections.insert(2, games_section(answer))
    facts = {
        "Data": f"{about['data']}: {answer.title}",
        "Model": f"Davidson, ties as an outcome, {about['model']}",
        "Level": about["level"],
        "Method": "sampled by NUTS" if about["method"] == "nuts" else "normal approximation",
        "Read": about["account"] or "from memory",
    }
    trusted = bool(about["converged"]) or about["method"] == "normal"
    return board_page(
        BoardPage(
            f"Leaderboard of {about['data']}",
            strongest(
                (answer.frame.set_index(about["noun"])["best_percent"] / 100.0).sort_values(
                    ascending=False, kind="stable"
                )
            ),
            str(about["verdict"]),
            answer.board.games.simulated,
            trusted,
            facts,
            [one.name for one in answer.faults],
            sections,
        )
    )


def matrix_of(answer: "Leaderboard") -> pd.DataFrame:
    """Return P(row stronger than column) as a frame, best first: the noun, and a column each."""
    noun = answer.about["noun"]
    order = answer.frame[noun].tolist()
    made = pd.DataFrame(answer.stronger.sel(player=order, other=order).to_numpy(), columns=order)
    made.insert(0, noun, order, allow_duplicates=True)
    return made


def list_section(answer: "Leaderboard") -> BoardSection:
    """Return the list with its tiers."""
    about, noun = answer.about, answer.about["noun"]
    borders = answer.tiers.borders
    text = [
        f"{answer.tiers.frame['tier'].max()} tiers: within a tier nobody is weaker than its leader with probability "
        f"{about['tier_probability']:g} or more, and each leader is stronger than the next one with at least that. Of "
        f"{len(borders)} borders {about['borders_expected_wrong']:.2f} are expected to be wrong. Ranks and P(best) are "
        "counted draw by draw.",
        *filter(None, [about["widened"] and f"{about['widened']}."]),
    ]
    decimals, titles = digits_of(answer.frame) | LIST_DECIMALS, LIST_TITLES | {"games": f"{about['unit']}s"}
    table = report_table(answer.frame, "list", f"The {noun}s", titles, decimals, filtered=True)
    border = report_table(borders, "borders", "Borders between tiers", {"next_leader": "next leader"}, 3)
    drawn = picture(
        board_figure(answer.frame, noun, about["interval"]), "figure-list", "Ratings", "Intervals of the posterior."
    )
    return BoardSection("ratings", "The list", ReportSection([table], [border], [drawn], text))


def pairs_section(answer: "Leaderboard") -> BoardSection:
    """Return who is stronger than whom."""
    noun = answer.about["noun"]
    order = answer.frame[noun].tolist()
    frame = matrix_of(answer)
    folded = [report_table(frame, "matrix", f"P(row's {noun} stronger than column's)", {}, 2, filtered=True)]
    drawn = picture(
        stronger_figure(answer.stronger, order, noun),
        "figure-pairs",
        "Who is stronger",
        "The darker, the surer that the row's is stronger.",
    )
    return BoardSection("pairs", "Who is stronger than whom", ReportSection([], folded, [drawn]))


def games_section(answer: "Leaderboard") -> BoardSection:
    """Return each two engines who met, their pairs of games from one opening with reversed colours too."""
    text = [
        "Elo and its 95% interval are of the games of these two alone. Two games from one opening with reversed "
        "colours are a pair; pentanomial counts are pairs by the points of the first engine, 0 to 2, and where half of "
        "the games are in pairs the interval is that of pairs. LOS: likelihood of superiority, by normal theory."
    ]
    titles = {"ll": "0", "ld": "1/2", "dd_wl": "1", "wd": "3/2", "ww": "2", "elo": "Elo", "los_percent": "LOS, %"}
    titles |= {"low_elo": "low", "high_elo": "high", "score_percent": "score, %", "by": "interval by"}
    width = answer.pairs["high_elo"] - answer.pairs["low_elo"]
    allowed = digits_allowed(float(width.min())) if width.notna().any() else 0
    decimals = {"score_percent": 1, "los_percent": 0} | dict.fromkeys(("elo", "low_elo", "high_elo"), allowed)
    table = report_table(answer.pairs, "game-pairs", "Each two who met", titles, decimals, filtered=True)
    return BoardSection("games", "Games and pairs of games", ReportSection([table], [], [], text))


def style_section(answer: "Leaderboard") -> BoardSection:
    """Return what position, style and ties are worth."""
    about, style = answer.about, answer.style
    said = []
    worth, drawn = about["advantage_elo"], about["draw_rate"]
    own = style[style["what"] == about["first"]].to_dict("records")
    if own:  # one interval for one thing: that of the table
        worth = {
            name: own[0][f"{column}_elo"] for name, column in (("mean", "effect"), ("low", "low"), ("high", "high"))
        }
    seat = "White's first move" if about["first"] == "White" else f"Being {about['first']}"
    if worth is not None:
        said.append(f"{seat} is worth {interval(worth, noun=' Elo')}.")
    if drawn is not None:
        said.append(f"Two equals tie in {interval(drawn, 100.0, '%', f' of their {about["unit"]}s')}.")
    said += style_words(answer.board, about["interval"])
    if answer.board.judgements.style:
        said.append(
            "A style counts by (a - b) / (a + b) of the two answers in standard deviations; its effect is what one "
            "standard deviation more is worth at equal strength, and the ratings are what is left without it."
        )
    titles = {"effect_elo": "worth, Elo", "sd_elo": "sd", "low_elo": "low", "high_elo": "high", "positive": "P(> 0)"}
    decimals = digits_of(style) | {"positive": 2}
    tables, figures = [], []
    if len(style):
        tables = [report_table(style, "style-table", "Position and style", titles, decimals)]
        caption = "What is worth points and is no strength."
        figures = [picture(style_figure(style), "figure-style", "Position and style", caption)]
    return BoardSection("style", "Position, style, ties", ReportSection(tables, [], figures, [" ".join(said)]))


def audit_section(answer: "Leaderboard") -> BoardSection:
    """Return what the checks found, refits and clusters."""
    titles = {"left_out": "left out", "largest_change_elo": "largest change, Elo", "in_sd": "in sd"}
    folded: list[Any] = []
    for column, frame in answer.stability.items():
        if len(frame):
            caption = f"Without each {column}: who moves most"
            folded.append(report_table(frame, f"without-{column}", caption, titles, 2))
    if len(answer.clusters):
        clusters = answer.clusters.sort_values("all", ascending=False)
        caption = "Judgements that go together: how many times as wide standard deviations are"
        folded.append(report_table(clusters, "clusters", caption, {"all": "allowed for in the list"}, 2))
    text = ["A fault is found where chance alone would show as much in fewer than 1 of 100 clean boards."]
    return BoardSection("audit", "Audit", ReportSection([], folded, [], text), answer.audit)


def scores_section(answer: "Leaderboard") -> BoardSection:
    """Return the scores of held-out judgements."""
    scores = answer.scores
    assert scores is not None
    unit = f"{answer.about['unit']}s"
    text = [
        f"{scores.attrs['held_out']:,} {unit} drawn at random were held out of a refit. Lower is better. The log score "
        "of expected scores takes a tie as half a win and half a loss, so that systems without a probability of "
        "a tie can be compared; above 0 the difference says that this board is better. Standard errors allow for "
        f"{unit} of one {scores.attrs['cluster']} that go together."
    ]
    decimals = dict.fromkeys(SCORE_TITLES, 4)
    table = report_table(scores, "scores-table", f"Held-out {unit}", SCORE_TITLES, decimals)
    return BoardSection("scores", f"{unit.capitalize()} it has not seen", ReportSection([table], [], [], text))


def judges_section(answer: "Leaderboard") -> BoardSection:
    """Return habits and sharpness of the judges with the most judgements."""
    judges: pd.DataFrame = answer.judges if answer.judges is not None else pd.DataFrame()
    posterior = answer.trace["posterior"]
    spread = float(posterior["sharpness_judge_spread"].mean())
    habit = float((posterior["advantage_judge_spread"] * answer.board.scale()).mean())
    text = [
        f"Judges differ by {habit:.0f} Elo (standard deviation) in how much they like who is shown first, and by "
        f"{spread:.2f} in sharpness: 1 is the average judge, 0 chooses by chance. Both are pooled: who judged little "
        "is near the average."
    ]
    titles = {"habit_elo": "habit, Elo", "habit_sd": "± sd", "sharpness_sd": "± sd of sharpness"}
    decimals = dict.fromkeys(("habit_elo", "habit_sd"), digits_allowed(4.0 * float(judges["habit_sd"].min())))
    caption = f"The {min(SHOWN_JUDGES, len(judges))} judges with the most judgements"
    table = report_table(judges.head(SHOWN_JUDGES), "judges-table", caption, titles, decimals, filtered=True)
    return BoardSection("judges", "Judges", ReportSection([table], [], [], text))


def categories_section(answer: "Leaderboard") -> BoardSection:
    """Return a list for each category."""
    folded = [
        report_table(frame, f"category-{place}", name, LIST_TITLES, digits_of(frame) | LIST_DECIMALS)
        for place, (name, frame) in enumerate(answer.categories.items())
    ]
    noun = answer.about["noun"]
    table = side_by_side(answer.frame, answer.categories, noun)
    decimals = {str(name): 0 for name in table if str(name).endswith(("elo", "rank"))}
    beside = report_table(table, "categories-table", "Side by side", {"rating_elo": "all"}, decimals, filtered=True)
    text = ["Each board is of its own judgements and leans on the other categories as far as these agree with it."]
    return BoardSection("categories", "By category", ReportSection([beside], folded, [], text))
