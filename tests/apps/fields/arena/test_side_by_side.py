"""Lengths of conversations, uninformative prompts, effect of 100 words, pooled categories."""

import json

import numpy as np
import pandas as pd
import polars
import pytest

from halfpoint.apps.fields.arena import leaderboard
from halfpoint.apps.fields.arena.asked import BoardOptions
from halfpoint.apps.fields.arena.fit import of_categories, style_words
from halfpoint.apps.fields.arena.read import read_judgements
from halfpoint.apps.fields.arena.simulate import simulate_arena
from halfpoint.apps.workflows.contexts import side_by_side


def turns(words):
    return [{"role": "user", "content": "what is it"}, {"role": "assistant", "content": "word " * words}]


@pytest.fixture(scope="module")
def release(tmp_path_factory):
    """A file in the columns of LMSYS's release, with conversations of known lengths."""
    rng = np.random.default_rng(2)
    count = 400
    a = rng.integers(0, 3, count)
    b = (a + rng.integers(1, 3, count)) % 3
    names, length = np.array(["x", "y", "z"]), rng.integers(20, 200, (2, count))
    first = rng.random(count) < 1 / (1 + np.exp(-3 * (length[0] - length[1]) / length.sum(axis=0)))
    frame = polars.DataFrame({
        "question_id": [f"{one:08x}" for one in range(count)], "model_a": names[a], "model_b": names[b],
        "winner": np.where(first, "model_a", "model_b"), "judge": [f"user {one}" for one in rng.integers(0, 90, count)],
        "conversation_a": [turns(one) for one in length[0].tolist()],
        "conversation_b": [turns(one) for one in length[1].tolist()], "turn": 1, "language": "English",
    })  # fmt: skip
    path = tmp_path_factory.mktemp("release") / "release.parquet"
    frame.write_parquet(path)
    return path, length


def test_lengths_are_counted_in_conversations(release):
    path, length = release
    found = read_judgements(path, style=["length"])
    share = (length[0] - length[1]) / length.sum(axis=0)
    sd = np.sqrt((share**2).mean())
    np.testing.assert_allclose(found.games.covariates["length"], share / sd)
    assert found.style["length"] == pytest.approx(sd)
    assert found.typical["length"] == (float(np.median(length)), "words")


def test_every_column_is_accounted_for(release):
    found = read_judgements(release[0])
    assert "prompt" not in found.games.covariates
    told = " ".join(found.account)
    for name in ("question_id", "model_a", "model_b", "winner", "judge", "turn", "language"):
        assert name in told


def test_100_words_more_are_worth_what_the_effect_says(release):
    found = leaderboard(release[0], style=["length"], method="normal", draws=500, checks=False)
    usual, sd = found.board.judgements.typical["length"][0], found.board.judgements.style["length"]
    effect = float(found.style.set_index("what").loc["length", "effect_elo"])
    words = style_words(found.board, 0.95)[0]
    assert words.startswith(f"100 words more than the usual {usual:,.0f} add ")
    worth = float(words.split("add ")[1].split(" Elo")[0])
    assert worth == pytest.approx(effect * 100 / (2 * usual + 100) / sd, abs=0.51)
    assert {"rank_unstyled", "rating_unstyled_elo"} <= set(found.frame)


def test_a_small_category_that_agrees_leans_on_the_others():
    arena = simulate_arena(models=5, battles=1540, judges=20, seed=4, habit_elo=0.0, length_elo=0.0)
    board = leaderboard(
        arena.battles.assign(category=["few"] * 40 + ["many"] * 1500), method="normal", draws=250, checks=False
    ).board
    found = of_categories(board, BoardOptions(by="category"), seed=1)
    table = side_by_side(found["many"], found, "model")
    assert list(found) == ["many", "few"]
    assert np.corrcoef(table["many elo"], table["few elo"])[0, 1] > 0.9
    assert found["few"]["sd_elo"].mean() < 60  # 16 judgements each alone leave more than 80


def test_a_category_without_votes_of_a_model_has_its_rating_by_the_others():
    arena = simulate_arena(models=6, battles=1500, judges=20, seed=4)
    battles = arena.battles.assign(category=["code", "chat"] * 750)
    strong = str(arena.strength.idxmax())
    new = battles[(battles["category"] == "chat") | ~battles[["model_a", "model_b"]].eq(strong).any(axis=1)]
    board = leaderboard(new, method="normal", draws=250, checks=False).board
    found = of_categories(board, BoardOptions(by="category"), seed=1)
    table = side_by_side(found["chat"], found, "model").set_index("model").loc[strong]
    assert np.isnan(table["code rank"])
    rows = {name: found[name].set_index("model").loc[strong] for name in ("chat", "code")}
    assert table["code elo"] == rows["code"]["rating_elo"]
    assert rows["code"]["sd_elo"] > rows["chat"]["sd_elo"]
    assert abs(rows["code"]["rating_elo"] - rows["chat"]["rating_elo"]) < 2.0 * rows["code"]["sd_elo"]


@pytest.mark.parametrize("content", ["text", "parts", "strings"])
def test_lengths_of_conversations_are_alike_in_every_format(tmp_path, content):
    """Turns whose content is a text, a list of parts or of texts, in JSON lines, Parquet and frames."""

    def turns(words):
        text = " ".join(["word"] * words)
        made = {"text": text, "parts": [{"type": "text", "text": text}], "strings": [text]}[content]
        return [{"role": "user", "content": made}, {"role": "assistant", "content": made}]

    lengths = [(3, 5), (10, 2), (7, 7), (1, 9), (4, 4), (6, 2)]
    rows = [
        {"model_a": "abc"[k % 3], "model_b": "bca"[k % 3], "winner": "model_a", "conversation_a": turns(one),
         "conversation_b": turns(other)}
        for k, (one, other) in enumerate(lengths)
    ]  # fmt: skip
    (tmp_path / "c.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    polars.DataFrame(rows).write_parquet(tmp_path / "c.parquet")
    sources = (
        tmp_path / "c.jsonl",
        tmp_path / "c.parquet",
        pd.DataFrame(rows),
        pd.read_parquet(tmp_path / "c.parquet"),
    )
    raw = np.array([(one - other) / (one + other) for one, other in lengths])
    for source in sources:
        found = read_judgements(source, ("length",))
        assert found.typical["length"] == (4.5, "words")
        np.testing.assert_allclose(found.games.covariates["length"], raw / np.sqrt((raw**2).mean()))
    unasked = read_judgements(sources[0])
    assert any("unused nested columns: conversation_a, conversation_b" in line for line in unasked.account)
