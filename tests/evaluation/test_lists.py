"""Figures of rating lists: the numbers on their axes are those of the frames."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex

from halfpoint.evaluation.errors import EvaluationError
from halfpoint.evaluation.figures.lists import plot_games, plot_list, plot_pairs, plot_places, plot_time
from halfpoint.evaluation.figures.style import BLUE, COLOURS, DASHES, ORANGE, new_figure, panels


def test_a_list_has_its_intervals_from_the_top_and_lines_between_tiers():
    frame = pd.DataFrame(
        {
            "player": list("abcd"), "rating_elo": [1700.0, 1650.0, 1600.0, 1500.0],
            "low_elo": [1680.0, 1600.0, 1550.0, 1400.0],
            "high_elo": [1720.0, 1700.0, 1650.0, 1600.0], "tier": [1, 1, 2, 3],
        }
    )  # fmt: skip
    axes = plot_list(frame, "player", title="Cup")
    assert [label.get_text() for label in axes.get_yticklabels()] == list("abcd")
    assert axes.get_yticks().tolist() == [3, 2, 1, 0]
    assert axes.get_ylim() == (-0.7, 3.7)
    (intervals,) = axes.collections
    assert [segment.tolist() for segment in intervals.get_segments()] == [
        [[row.low_elo, 3 - k], [row.high_elo, 3 - k]] for k, row in enumerate(frame.itertuples())
    ]
    ratings, *borders = axes.lines
    assert ratings.get_xdata().tolist() == frame["rating_elo"].tolist()
    assert ratings.get_ydata().tolist() == [3, 2, 1, 0]
    assert [line.get_ydata()[0] for line in borders] == [1.5, 0.5]  # below b and below c
    assert axes.get_title() == "Cup"
    assert axes.get_figure().get_size_inches().tolist() == pytest.approx([6.4, 1.1 + 0.22 * 4])
    cut = plot_list(frame.drop(columns="tier"), "player", title="Cup", most=3)
    assert cut.get_title() == "Cup, the first 3 of 4"
    assert len(cut.lines) == 1
    assert plot_list(frame, "player", most=4).get_title() == ""
    long = pd.concat([frame] * 11, ignore_index=True)
    assert len(plot_list(long.drop(columns="tier"), "player").get_yticks()) == 40


def months(players, when=range(3)):
    """Ratings of players that rise by 10 a period, the later players lower."""
    return pd.DataFrame(
        [
            {
                "player": name,
                "time": time,
                "mean": 1700.0 - 50 * k + 10 * step,
                "low": 1650.0 - 50 * k,
                "high": 1750.0 - 50 * k,
            }
            for k, name in enumerate(players)
            for step, time in enumerate(when)
        ]
    )


def test_the_best_at_the_end_have_ribbons_and_the_others_are_grey():
    frame = months("abcdef").sample(frac=1.0, random_state=1)
    axes = plot_time(frame, title="Cup", label="round")
    named = {line.get_label(): line for line in axes.lines if not line.get_label().startswith("_")}
    assert list(named) == list("abcd")
    assert [to_hex(line.get_color()).upper() for line in named.values()] == list(COLOURS[:4])
    assert [line.get_linestyle() for line in named.values()] == list(DASHES)
    grey = [line for line in axes.lines if line.get_label().startswith("_")]
    assert [to_hex(line.get_color()) for line in grey] == ["#bbbbbb"] * 2
    assert len(axes.collections) == 4
    assert (axes.get_xlabel(), axes.get_title()) == ("round", "Cup")
    ribbon = axes.collections[0].get_paths()[0].get_extents()
    assert (ribbon.ymin, ribbon.ymax) == (1650.0, 1750.0)


def test_named_players_have_colours_at_most_six():
    frame = months("abcdefgh")
    some = plot_time(frame, players=["e", "b"])
    assert [line.get_label() for line in some.lines if not line.get_label().startswith("_")] == ["e", "b"]
    every = plot_time(frame, players=list("hgfedcba"))
    lines = [line for line in every.lines if not line.get_label().startswith("_")]
    assert [line.get_label() for line in lines] == list("hgfedc")
    assert [line.get_linestyle() for line in lines] == ["-", "--", ":", "-.", "-", "--"]
    with pytest.raises(EvaluationError, match="'z'"):
        plot_time(frame, players=["a", "z"])


def test_days_have_few_ticks():
    days = pd.date_range("2020-01-01", periods=3, freq="365D")
    axes = plot_time(months("ab", days))
    assert 2 <= len(axes.get_xticks()) <= 8
    assert type(axes.xaxis.get_major_formatter()).__name__ == "ConciseDateFormatter"
    assert type(plot_time(months("ab")).xaxis.get_major_formatter()).__name__ == "ScalarFormatter"


def texts(axes):
    """Printed numbers by column and row, with their colours."""
    return {text.get_position(): (text.get_text(), text.get_color()) for text in axes.texts}


def test_pairs_are_percentages_without_the_diagonal():
    stronger = np.array([[0.5, 0.8, 0.56], [0.2, 0.5, 0.555], [0.44, 0.445, 0.5]])
    axes = plot_pairs(stronger, ["Ann", "Bo", "Cy"], title="Cup")
    printed = texts(axes)
    assert {place: text for place, (text, _) in printed.items()} == {
        (1, 0): "80", (2, 0): "56", (0, 1): "20", (2, 1): printed[2, 1][0], (0, 2): "44", (1, 2): printed[1, 2][0],
    }  # fmt: skip
    assert printed[1, 0][1] == printed[2, 0][1] == "white"
    assert printed[0, 1][1] == "black"
    assert [label.get_text() for label in axes.get_yticklabels()] == ["Ann  1", "Bo  2", "Cy  3"]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["1", "2", "3"]
    (image,) = axes.images
    assert image.get_clim() == (0.0, 100.0)
    assert stronger[0, 0] == 0.5
    few = plot_pairs(stronger, ["Ann", "Bo", "Cy"], most=2)
    assert set(texts(few)) == {(1, 0), (0, 1)}
    many = plot_pairs(np.full((20, 20), 0.5), [f"P{k}" for k in range(20)])
    assert len(many.get_yticks()) == 16


def test_places_have_a_row_a_player():
    axes = plot_places(np.array([[54.0, 46.0, 0.0], [30.0, 55.1, 14.9]]), ["Ann", "Bo"], ["1", "2", "3"], label="seat")
    printed = texts(axes)
    assert printed[0, 0] == ("54", "black")
    assert printed[1, 1] == ("55", "white")
    assert printed[2, 1][0] == "15"
    assert axes.get_xlabel() == "seat, probability in percent"
    assert axes.get_figure().get_size_inches().tolist() == pytest.approx([1.9 + 0.34 * 8, 1.2 + 0.24 * 2])
    wide = plot_places(np.zeros((1, 10)), ["Ann"], list(map(str, range(10))))
    assert wide.get_figure().get_size_inches().tolist() == pytest.approx([1.9 + 3.4, 1.2 + 0.24])


def test_games_are_marked_by_their_surprise():
    games = pd.DataFrame(
        {
            "when": [1, 2, 3, 4, 5], "opponent": list("vwxyz"), "expected": [0.9, 0.5, 0.3, 0.6, 0.5],
            "score": [0.0, 0.5, 1.0, 0.5, 0.4],
        }
    )  # fmt: skip
    axes = plot_games(games, title="Ann", label="round")
    expected, above, below = axes.lines
    assert expected.get_ydata().tolist() == games["expected"].tolist()
    assert (above.get_xdata().tolist(), above.get_ydata().tolist()) == ([2, 3], [0.5, 1.0])
    assert (below.get_xdata().tolist(), below.get_ydata().tolist()) == ([1, 4, 5], [0.0, 0.5, 0.4])
    assert [above.get_color(), below.get_color()] == [BLUE, ORANGE]
    labels = [(text.get_text(), text.xy, text.xyann, text.get_va()) for text in axes.texts]
    assert [label[0] for label in labels[:2]] == ["v", "x"]  # surprises of 0.9 and 0.7, and one of 0.1
    assert len(labels) == 3
    assert labels[0][1:] == ((1, 0.0), (0, 6), "bottom")
    assert labels[1][1:] == ((3, 1.0), (0, -16), "top")
    assert axes.get_ylim() == (-0.12, 1.12)
    half = plot_games(games.assign(score=[0.5, 0.5, 0.5, 0.5, 0.5]))
    assert half.texts[0].get_va() == "top"


def test_panels_are_filled_row_by_row():
    figure, axes = panels(3, 2, (2.0, 1.5))
    assert len(axes) == 3
    assert figure.get_size_inches().tolist() == pytest.approx([4.4, 3.7])
    assert [panel.get_visible() for panel in figure.axes] == [True, True, True, False]
    figure, axes = panels(1, 4, (2.0, 1.5))
    assert figure.get_size_inches().tolist() == pytest.approx([2.4, 2.2])
    figure, axes = new_figure(rows=2, columns=3)
    assert len(axes) == 6
    assert figure.get_size_inches().tolist() == [6.4, 4.0]
