"""The page of a leaderboard, in the words of its field."""

from typing import Any

import numpy as np
import pandas as pd

from halfpoint.apps.fields.arena.board_answer import Leaderboard
from halfpoint.apps.fields.arena.certificate import Certificate
from halfpoint.apps.fields.arena.fit import style_words
from halfpoint.apps.fields.arena.frontier import in_words
from halfpoint.apps.fields.arena.honest_votes import HonestVotes
from halfpoint.apps.fields.arena.read import PLAYED
from halfpoint.apps.pages.listing import listing
from halfpoint.apps.pages.page import Chart, Page, Section, words_of
from halfpoint.apps.workflows.contexts import side_by_side
from halfpoint.apps.workflows.rating_page import how_sampled, people_of, rating_listing, warning_of
from halfpoint.apps.workflows.trace_list import list_from_trace
from halfpoint.evaluation.digits import decimals as digits_allowed
from halfpoint.evaluation.digits import interval

_SCORE_TITLES = {
    "log_score": "Log score, three outcomes",
    "expected_log_score": "Log score, expected",
    "difference": "Difference from this board",
    "standard_error": "± standard error",
}
_SHOWN_JUDGES = 50


def page_of(answer: Leaderboard) -> Page:
    """Page of a leaderboard."""
    about, noun = answer.about, answer.about["noun"]
    trusted = bool(about["converged"]) or about["method"] == "normal"
    faults = f"The audit found: {', '.join(fault.name for fault in answer.faults)}. See below." if answer.faults else ""
    contents = {
        _games_section: len(answer.pairs), _frontier_section: answer.frontiers, _style_section: len(answer.style),
        _categories_section: answer.categories, _audit_section: answer.audit, _clusters_section: len(answer.clusters),
    }  # fmt: skip
    sections = [_list_section(answer), *(section(answer) for section, some in contents.items() if some)]
    sections += [] if answer.certificate is None else [_certificate_section(answer.certificate)]
    sections += [] if answer.scores is None else [_scores_section(answer, answer.scores)]
    honest = answer.board.honest
    sections += [] if honest is None or honest.judges.empty else [_honest_section(honest)]
    sections += [] if answer.judges is None else [_judges_section(answer, answer.judges)]
    facts = {f"{about['unit'].capitalize()}s": f"{len(answer.board.games):,} of {len(answer.frame)} {noun}s"}
    if answer.certificate is not None and np.isfinite(answer.certificate.places["votes"][0]):
        facts["First place depends on"] = f"{answer.certificate.places['votes'][0]:,.0f} of these"
    worth, drawn = _position_of(answer), about["draw_rate"]
    if worth is not None:
        seat = "White's first move" if about["first"] == "White" else f"Being {about['first']}"
        facts[f"{seat} is worth"] = interval(worth, noun=" Elo")
    if drawn is not None:
        facts["Two equals tie in"] = interval(drawn, 100.0, "%")
    sampled = "sampled by NUTS" if about["method"] == "nuts" else "normal approximation"
    model = f"Davidson, ties as an outcome, {about['model']}; {sampled}"
    return Page(
        f"Leaderboard: {words_of(about['data'])}",
        str(about["answer"]),
        sections,
        facts,
        " ".join(filter(None, ["" if trusted else warning_of(answer.trace), faults])),
        answer.board.games.simulated or "SIMULATED" in about["data"],
        [f"Read: {about['account'] or 'from memory'}", model, *how_sampled(answer.trace)],
        people_of(answer.trace, list_from_trace(answer.trace, noun, about["interval"], about["tier_probability"])),
    )


def _position_of(answer: Leaderboard) -> dict[str, float] | None:
    """First-position advantage in Elo points with its interval, from the table of styles if it is listed there."""
    style, about = answer.style, answer.about
    rows = style[style["what"] == about["first"]].to_dict("records")
    if not rows:
        advantage: dict[str, float] | None = about["advantage_elo"]
        return advantage
    return {name: rows[0][f"{column}_elo"] for name, column in (("mean", "effect"), ("low", "low"), ("high", "high"))}


def _list_section(answer: Leaderboard) -> Section:
    """List with its tiers."""
    about, noun = answer.about, answer.about["noun"]
    text = f"Elo points. {about['level']}. {about['intervals']} A thick rule begins a tier. {about['tiers']}"
    text += f" {about['widened']}." if about["widened"] else ""
    title = f"{noun.capitalize()}s"
    listed_here = rating_listing(answer.frame, noun=noun, title=title, text=text, **_headings(about))
    return Section("ratings", title, [listed_here])


def _headings(about: dict[str, Any]) -> dict[str, Any]:
    """Headings of a list: results as on the terminal, votes and ties; mass of intervals."""
    titles = {} if about["noun"] in PLAYED else {"games": "Votes", "draws": "T"}
    return {"titles": titles, "interval": about["interval"]}


def _games_section(answer: Leaderboard) -> Section:
    """Pairs of engines, with pairs of games with reversed colours."""
    text = (
        "Elo is the difference of the two by the model, with its interval; LOS: probability that the first is "
        "the stronger. "
        "Two games from one opening with reversed colours are a pair; pentanomial counts are pairs by the points of "
        "the first engine, 0 to 2."
    )
    titles = {"ll": "0", "ld": "1/2", "dd_wl": "1", "wd": "3/2", "ww": "2", "elo": "Elo", "los_percent": "LOS"}
    titles |= {"low_elo": "Low", "high_elo": "High"}
    width = answer.pairs["high_elo"] - answer.pairs["low_elo"]
    allowed = digits_allowed(float(width.min())) if width.notna().any() else 0
    digits = {"score_percent": 1} | dict.fromkeys(("elo", "low_elo", "high_elo"), allowed)
    table = listing(answer.pairs, "game-pairs", "Pairs", titles, digits)
    return Section("games", "Games and pairs of games", [table], [text])


def _frontier_section(answer: Leaderboard) -> Section:
    """Pareto frontier, of all judgements and of each criterion, a line each."""
    rows = pd.concat([part.assign(series=key) for key, part in answer.frontiers.items()])
    drawn: Any = rows.rename(columns={"cost": "x", "rating_elo": "y"})[["series", "x", "y"]].to_dict("records")
    text = (
        "No model of the same cost is rated higher than the models on the line. Their probabilities: Columns of a list."
    )
    chart = Chart("frontier-lines", "Ratings on the Pareto frontier", "lines", drawn, "Cost", "Rating, Elo")
    return Section("frontier", "Worth the cost", [chart], [text, in_words(answer.frontiers, answer.about["noun"])])


def _style_section(answer: Leaderboard) -> Section:
    """Effects of position and style."""
    text = "Effects at equal strength; the ratings are adjusted for them."
    sentences = style_words(answer.board, answer.about["interval"])
    if answer.board.judgements.style:
        text = (
            "A style enters as (a - b) / (a + b) of the two answers, divided by its standard deviation; its "
            "effect is that "
            "of one standard deviation at equal strength, and the ratings are adjusted for it."
        )
    title, titles = "Position and style", {"effect_elo": "Worth, Elo", "positive": "P(> 0)"}
    styles = listing(answer.style, "style-list", title, titles, interval=answer.about["interval"])
    return Section("style", title, [styles], [*sentences, text])


def _audit_section(answer: Leaderboard) -> Section:
    """Results of the checks, refits and clusters."""
    labels = {True: "found", False: "not found", None: "for information"}
    rows = pd.DataFrame({
        "check": [finding.name for finding in answer.audit], "answer": [finding.words for finding in answer.audit],
        "fault": [labels[finding.found] for finding in answer.audit],
    })  # fmt: skip
    text = "A fault is reported if a board without faults would deviate as much in fewer than 1 of 100 cases."
    return Section("audit", "Audit", [listing(rows, "audit-list", "Audit", filtered="fault")], [text])


def _certificate_section(certificate: Certificate) -> Section:
    """Votes that decide the first place and the borders of tiers."""
    text = (
        "The smallest number of votes found whose removal makes another first, or a leader no longer stronger "
        "than the next with "
        "the probability that separates tiers, by greedy removal with a refit after each vote."
    )
    titles = {"percent": f"% of {certificate.total:,}", "verdict": "Won", "where": "Where"}
    parts = [listing(certificate.places, "held-by", "Votes that decide the list", titles, {"votes": 0, "percent": 4})]
    if len(certificate.votes):
        caption = f"The {certificate.noun}s on which it depends"
        parts.append(
            listing(certificate.votes, "holding-votes", caption, titles, {"votes": 0}, filtered="place", some=20)
        )
    return Section("held", "Votes that decide the list", parts, [certificate.words, text])


def _clusters_section(answer: Leaderboard) -> Section:
    """Correlation of judgements."""
    caption = "Correlated judgements: factor by which standard deviations grow"
    clusters = answer.clusters.sort_values("all", ascending=False)
    table = listing(clusters, "clusters", caption, {"all": "Allowed for in the list"})
    return Section("refits", "Correlated judgements", [table], folded=True)


def _scores_section(answer: Leaderboard, scores: pd.DataFrame) -> Section:
    """Scores of held-out judgements."""
    unit = f"{answer.about['unit']}s"
    text = (
        f"{scores.attrs['held_out']:,} {unit} drawn at random were held out of a refit. Lower is better. The log "
        "score of expected scores counts a tie as half a win and half a loss, so that systems without a probability of "
        "a tie can be compared; above 0 this board is better. Standard errors allow for "
        f"{unit} of one {scores.attrs['cluster']}, which are correlated."
    )
    digits = dict.fromkeys((*_SCORE_TITLES, "squared_error"), 4)
    table = listing(scores, "scores-list", f"Held-out {unit}", _SCORE_TITLES, digits)
    return Section("scores", f"{unit.capitalize()} it has not seen", [table], [text], folded=True)


def _honest_section(honest: HonestVotes) -> Section:
    """Judges whose votes count less."""
    text = f"{honest.words} Weight: the mean weight of the judge's votes; votes on other models may count fully."
    table = listing(honest.judges, "honest-list", "Careless and hostile votes", {"why": "How they vote"}, {"votes": 0})
    return Section("honest", "Careless and hostile votes", [table], [text], folded=True)


def _judges_section(answer: Leaderboard, judges: pd.DataFrame) -> Section:
    """Habits and sharpness of the judges with the most judgements."""
    posterior: Any = answer.trace["posterior"]
    spread = float(posterior["sharpness_judge_spread"].mean())
    habit = float((posterior["advantage_judge_spread"] * answer.board.scale()).mean())
    text = (
        f"Judges differ by {habit:.0f} Elo (standard deviation) in their preference for the first position, and by "
        f"{spread:.2f} in sharpness: 1 is the average judge, 0 chooses at random. Both are pooled: judges with few "
        "judgements are near the average."
    )
    titles = {"habit_elo": "Habit, Elo", "habit_sd": "± sd", "sharpness_sd": "± sd of sharpness"}
    digits = dict.fromkeys(("habit_elo", "habit_sd"), digits_allowed(4.0 * float(judges["habit_sd"].min())))
    caption = f"The {min(_SHOWN_JUDGES, len(judges))} judges with the most judgements"
    table = listing(judges.head(_SHOWN_JUDGES), "judges-list", caption, titles, digits)
    return Section("judges", "Judges", [table], [text], folded=True)


def _categories_section(answer: Leaderboard) -> Section:
    """Ratings of all categories side by side, and each category's own list."""
    noun = answer.about["noun"]
    side = side_by_side(answer.frame, answer.categories, noun)
    digits = {str(name): 0 for name in side if str(name).endswith(("elo", "rank"))}
    title = "By criterion" if "criterion" in answer.board.games.covariates else "By category"
    parts = [listing(side, "category-list", title, {"rating_elo": "All"}, digits, noun=noun)]
    parts += [
        rating_listing(frame, f"category-{place}", noun, name, some=10, **_headings(answer.about))
        for place, (name, frame) in enumerate(answer.categories.items())
    ]
    text = "Each board is estimated from its own judgements and pooled with the other boards."
    return Section("categories", title, parts, [text])
