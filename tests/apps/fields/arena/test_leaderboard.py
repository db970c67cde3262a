"""Leaderboards: recovery of a simulated arena, levels, files, the page, approximate refits compared with exact ones."""

import json

import numpy as np
import pandas as pd
import pytest
from browser import faults_of_access, opened
from scipy.stats import norm

from halfpoint.apps.fields.arena import leaderboard
from halfpoint.apps.fields.arena.commands import first_screen
from halfpoint.apps.fields.arena.simulate import simulate_arena
from halfpoint.apps.fields.office.event_interval import event_model
from halfpoint.apps.workflows import compare, rank
from halfpoint.evaluation.matches import expected_score_of_match
from halfpoint.inference.loops.engine import density, expand, numbers_of
from halfpoint.inference.nutpie_model import starting_coordinates
from halfpoint.inference.traces.netcdf import read
from halfpoint.models.games.errors import GameTableError, HalfpointError
from halfpoint.models.games.units import ELO_PER_NATURAL, to_elo, to_natural


@pytest.fixture(scope="module")
def arena():
    return simulate_arena(models=10, battles=4000, judges=40, seed=5)


@pytest.fixture(scope="module")
def made(arena, tmp_path_factory):
    """Folder of a leaderboard of JSON lines, with length and judges."""
    folder = tmp_path_factory.mktemp("arena")
    arena.battles.to_json(folder / "arena.jsonl", orient="records", lines=True)
    path = folder / "arena.jsonl"
    leaderboard(path, folder / "board", style=["length"], judges=True, method="normal")
    return folder


@pytest.mark.further
def test_the_truth_is_found_again(arena, made):
    answer = json.loads((made / "board" / "leaderboard.json").read_text(encoding="utf-8"))
    rows = pd.DataFrame(answer["rows"]).set_index("model")
    scale = 2.0 / (2.0 + np.exp(arena.log_draw))  # Elo points of a natural unit's 173.7, Davidson
    truth = 1500.0 + to_elo(arena.strength) * scale
    away = (rows["rating_elo"] - truth[rows.index]) / rows["sd_elo"]
    assert np.abs(away).max() < 4
    assert np.corrcoef(rows["rating_elo"], truth[rows.index])[0, 1] > 0.97
    style = pd.DataFrame(answer["style"]).set_index("what")
    for name, planted in (("length", arena.length), ("first shown", arena.position)):
        assert abs(style["effect_elo"][name] - to_elo(planted) * scale) < 4 * style["sd_elo"][name]
    judges = pd.DataFrame(answer["judges"])
    truth = arena.sharpness[judges["judge"].str.removeprefix("judge-").astype(int)]
    assert np.corrcoef(judges["sharpness"], truth)[0, 1] > 0.5
    assert rows["rating_elo"].mean() == pytest.approx(1500.0)


@pytest.mark.further
def test_the_board_forecasts_held_out_battles_better_than_half_ties_without_style(made):
    scores = pd.DataFrame(json.loads((made / "board" / "leaderboard.json").read_text())["held_out"]).set_index("system")
    half = scores.loc["half-tie Bradley-Terry"]
    assert half["difference"] > 2 * half["standard_error"] > 0
    assert scores["expected_log_score"].idxmax() == "base rates"
    assert np.isfinite(scores["log_score"].dropna()).all()


def test_files_and_audit(made):
    names = {path.name for path in (made / "board").iterdir()}
    assert names == {
        "leaderboard.csv", "leaderboard.json", "audit.json", "matrix.csv", "leaderboard.html", "trace.nc",
        ".halfpoint.json", "index.html",
    }  # fmt: skip
    audit = {one["name"]: one for one in json.loads((made / "board" / "audit.json").read_text())["audit"]}
    assert set(audit) == {
        "connectivity", "separation", "position", "intransitivity", "concentration", "tie convention", "clusters",
    }  # fmt: skip
    assert not audit["intransitivity"]["found"]
    matrix = pd.read_csv(made / "board" / "matrix.csv", index_col=0)
    np.testing.assert_allclose(matrix + matrix.T.loc[matrix.index, matrix.columns], 1.0)


@pytest.mark.further
def test_the_page_is_whole_and_works_offline(made, tmp_path):
    with opened(made / "board" / "leaderboard.html", tmp_path) as (page, complaints):
        assert complaints == []
        assert page.title() == "Leaderboard: arena"
        headings = [one.inner_text() for one in page.query_selector_all("main section > h2, main summary > h2")]
        assert headings == [
            "Models",
            "Position and style",
            "Audit",
            "Correlated judgements",
            "Votes that decide the list",
            "Judgements it has not seen",
            "Judges",
        ]
        assert len(page.query_selector_all("#rating-list tbody tr")) == 10
        page.fill("#rating-list-search", "model-03")
        assert page.inner_text("#rating-list [role=status]") == "1 of 10"
        page.click("#rating-list tbody th button")
        assert "Chances against" in page.inner_text("tr.panel")
        assert "White" not in page.inner_text("body")
        assert faults_of_access(page) == []


def test_a_level_moves_all_alike_and_widens_no_interval(arena):
    options = {"method": "normal", "checks": False, "draws": 250}
    plain = leaderboard(arena.battles, **options)
    fixed = leaderboard(arena.battles, fix="model-03=1000", **options)
    moved = fixed.frame["rating_elo"] - plain.frame["rating_elo"]
    assert np.ptp(moved) < 1e-9
    assert fixed.frame.set_index("model")["rating_elo"]["model-03"] == pytest.approx(1000.0)
    np.testing.assert_allclose(fixed.frame["sd_elo"], plain.frame["sd_elo"])


@pytest.mark.further
@pytest.mark.draws
def test_the_approximation_is_what_sampling_gives():
    """Spreads at their estimates narrow intervals by up to 15%; the deviations of NUTS have Monte Carlo errors."""
    battles = simulate_arena(models=8, battles=1500, judges=15, seed=8).battles
    options = {"style": ["length"], "judges": True, "checks": False, "seed": 1}
    normal = leaderboard(battles, method="normal", **options).frame.set_index("model")
    sampled = leaderboard(battles, method="nuts", draws=500, tune=300, **options)
    nuts = sampled.frame.set_index("model")
    away = (normal["rating_elo"] - nuts["rating_elo"][normal.index]) / nuts["sd_elo"][normal.index]
    assert np.abs(away).max() < 0.33
    error = (2.0 * sampled.trace.attrs["min_ess_bulk"]) ** -0.5
    narrower = 1.0 - normal["sd_elo"] / nuts["sd_elo"][normal.index]
    assert narrower.max() < 0.15 + 4.0 * error
    assert narrower.min() > -4.0 * error


def test_chains_begin_where_the_average_judge_is_not_against_everybody():
    arena = simulate_arena(models=8, battles=2500, judges=25, seed=8)
    declared = leaderboard(arena.battles, judges=True, checks=False, method="normal").board.declared
    numbers = numbers_of(declared)
    centre = starting_coordinates(declared, numbers)
    begun = expand(declared, numbers, centre[None])
    assert (begun["sharpness_judge"] > -1).mean() > 0.8
    assert np.corrcoef(begun["strength"][0], arena.strength)[0, 1] > 0.9
    mirror = {name: value[0] for name, value in begun.items()} | {"strength": -begun["strength"][0]}
    mirror["sharpness_judge"] = -2.0 - mirror["sharpness_judge"]
    there, here = (density(numbers)(point)[0] for point in (declared.coordinates(mirror), centre))
    assert here > there + 5
    plain = leaderboard(arena.battles, judges=False, checks=False, method="normal").board.declared
    assert starting_coordinates(plain, numbers_of(plain)) is None


def test_clusters_that_go_together_are_found_and_allowed_for():
    battles = simulate_arena(models=6, battles=400, judges=60, seed=6).battles
    twenty = pd.concat([battles] * 20, ignore_index=True)
    found, once = (leaderboard(one, method="normal", draws=1000, seed=2) for one in (twenty, battles))
    clusters = next(one for one in found.audit if one.name == "clusters")
    assert clusters.found
    assert clusters.numbers["median_ratio"] == pytest.approx(np.sqrt(20), rel=0.35)
    assert not next(one for one in once.audit if one.name == "clusters").found
    wide = found.frame.set_index("model")["sd_elo"]
    assert (wide / once.frame.set_index("model")["sd_elo"][wide.index]).median() == pytest.approx(1.0, rel=0.35)
    assert "Judgements of one judge are correlated" in found.note
    ranked = rank(found.trace)  # every question to the trace gives the widened list
    pd.testing.assert_frame_equal(ranked.frame.rename(columns={"player": "model"}), found.frame)


def simulate_prompts(models=8, battles=2000, prompts=50, share=0.4, seed=1, spread_elo=120.0):
    """Battles whose prompts suit some models more than others, and the strengths, natural units, mean 0.

    Each battle alone follows Davidson's formula with these strengths, whatever the prompt; battles of one prompt are
    correlated by a Gaussian copula, in which the effect of the prompt on its two models has the share `share` of the
    variance.
    """
    rng = np.random.default_rng(seed)
    names = np.array([f"model-{number:02d}" for number in range(models)])
    strength = rng.normal(0.0, to_natural(spread_elo), models)
    strength -= strength.mean()
    prompt = rng.integers(0, prompts, battles)
    a = rng.integers(0, models, battles)
    b = (a + rng.integers(1, models, battles)) % models
    suits = rng.standard_normal((prompts, models)) / np.sqrt(2.0)
    latent = np.sqrt(share) * (suits[prompt, a] - suits[prompt, b]) + np.sqrt(1.0 - share) * rng.standard_normal(
        battles
    )
    win, draw = np.exp((strength[a] - strength[b]) / 2), np.exp(0.42)
    whole, uniform = win + draw + 1.0 / win, norm.sf(latent)
    winner = np.where(uniform < win / whole, "model_a", np.where(uniform < (win + draw) / whole, "tie", "model_b"))
    columns = {"model_a": names[a], "model_b": names[b], "winner": winner}
    return pd.DataFrame(columns | {"prompt_id": np.char.add("prompt-", prompt.astype(str))}), pd.Series(strength, names)


def test_a_column_that_says_nothing_does_not_hide_one_that_does():
    battles, _ = simulate_prompts(seed=4, battles=1500, prompts=40)
    judged = battles.assign(judge=np.random.default_rng(1).integers(0, 30, len(battles)).astype(str))
    for table, columns in ((battles, {"prompt": True}), (judged, {"judge": False, "prompt": True})):
        found = leaderboard(table, method="normal", checks=False, draws=250)
        look = found.board.clusters.columns.set_index("cluster")["found"]
        assert look.to_dict() == columns
        assert "Judgements of one prompt are correlated" in found.note


def test_a_widened_trace_is_one_posterior_to_all_who_ask_it(tmp_path):
    battles, _ = simulate_prompts(seed=4, battles=1500, prompts=40)
    found = leaderboard(battles, tmp_path / "board", method="normal", checks=False, draws=500)
    trace = read(tmp_path / "board" / "trace.nc")
    posterior = trace["posterior"].to_dataset()
    rating, strength = posterior["rating_elo"], posterior["strength"]
    assert rating.dims == strength.dims == ("chain", "draw", "player")
    first, last = found.frame["model"].iloc[[0, -1]]
    both = {"player": [first, last]}
    scale = ELO_PER_NATURAL * 2.0 / (2.0 + np.exp(posterior["log_draw"]))  # Davidson's
    apart = (rating.sel(both) / scale).diff("player").to_numpy().ravel()
    np.testing.assert_allclose(apart, strength.sel(both).diff("player").to_numpy().ravel(), atol=1e-4)
    wide = rating.std(("chain", "draw"), ddof=1).sel(player=found.frame["model"].to_numpy())
    np.testing.assert_allclose(wide, found.frame["sd_elo"], rtol=1e-6)
    eta, tie = -apart, np.exp(posterior["log_draw"].to_numpy().ravel())
    seat = posterior["advantage"].to_numpy().ravel()
    score = sum(
        (np.exp(one / 2) + tie / 2) / (np.exp(one / 2) + tie + np.exp(-one / 2)) for one in (eta + seat, eta - seat)
    )
    match = expected_score_of_match(trace, first, last, "WB")
    low, high = np.quantile(score, [0.025, 0.975])
    assert (match["low"], match["high"]) == pytest.approx((low, high), abs=0.002)
    np.testing.assert_allclose(event_model(trace, rating).slope, scale.to_numpy().ravel()[::10], rtol=1e-4)
    with pytest.raises(HalfpointError, match="draws that allow for correlated games"):
        compare([trace])


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.1, 0.4])
def test_intervals_hold_what_they_promise_where_prompts_are_repeated(share):
    held, model = [], []
    for seed in range(100):
        battles, strength = simulate_prompts(models=8, battles=2000, prompts=40, share=share, seed=seed)
        found = leaderboard(battles, method="normal", checks=False, interval=0.9, seed=seed)
        rows = found.frame.set_index("model")
        scale = 2.0 / (2.0 + np.exp(0.42))  # Davidson's, at a draw parameter of 0.42
        truth = 1500.0 + to_elo(strength[rows.index]) * scale
        held += ((rows["low_elo"] <= truth) & (truth <= rows["high_elo"])).tolist()
        ratio = found.board.clusters.ratio["all"].to_numpy()[np.argsort(np.argsort(rows.index))]
        model += (np.abs(rows["rating_elo"] - truth) <= 1.645 * rows["sd_elo"] / ratio).tolist()
    assert 0.87 <= np.mean(held) <= 0.93
    assert np.mean(model) < np.mean(held) - 0.05  # as the model alone would have it


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"style": ["charm"]}, "--style charm: expected columns charm_a and charm_b"),
        ({"fix": "model-03"}, "--fix: expected NAME=NUMBER"),
        ({"fix": "nobody=1000"}, "nobody"),
        ({"method": "guess"}, "--method: expected auto | normal | nuts, found 'guess'"),
        ({"by": "category"}, "--by: expected one of the columns judge"),
        ({"cluster": "prompt"}, "--cluster: expected one of the columns judge"),
        ({"groups": "all"}, "--groups: expected refuse | largest"),
        ({"tier": 0.2}, "--tiers: expected a number from 0.5 to 0.999, found 0.2"),
        ({"outcomes": "tie=perhaps"}, "--outcomes tie: expected"),
    ],
)
def test_an_option_nobody_knows_is_one_line(arena, options, words):
    with pytest.raises(HalfpointError) as caught:
        leaderboard(arena.battles.head(50), checks=False, **options)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_judges_that_the_file_does_not_name_cannot_be_asked_for(arena):
    with pytest.raises(GameTableError, match=r"--judges: expected a column of judges, found none"):
        leaderboard(arena.battles.drop(columns="judge"), judges=True)


def test_categories_have_boards_of_their_own(arena):
    battles = arena.battles.assign(category=np.where(np.arange(4000) % 3, "prose", "code"))
    found = leaderboard(battles, by="category", method="normal", checks=False, draws=250)
    assert list(found.categories) == ["prose", "code"]
    assert found.categories["code"]["games"].sum() == 2 * (np.arange(4000) % 3 == 0).sum()


def test_who_only_wins_stays_finite_and_is_told(arena):
    extra = pd.DataFrame({"model_a": ["champion"] * 30, "model_b": [f"model-0{k % 9}" for k in range(30)]})
    battles = pd.concat([arena.battles, extra.assign(winner="model_a", judge="judge-1")], ignore_index=True)
    found = leaderboard(battles, method="normal", draws=250)
    separation = next(one for one in found.audit if one.name == "separation")
    assert separation.found
    assert separation.numbers["separated"] == ["champion"]
    assert found.frame["model"][0] == "champion"
    assert found.frame["rating_elo"][0] < 3000


def test_scores_of_methods_become_comparisons_with_a_region_of_equivalence(tmp_path):
    """Method c is better than b by 0.02 and than a by 0.005: at a region of 0.01 it ties with a."""
    path = tmp_path / "scores.csv"
    path.write_text("method,d1,d2,d3\nc,0.90,0.80,0.70\nb,0.88,0.78,0.68\na,0.895,0.795,\n", encoding="utf-8")
    found = leaderboard(path, region=0.01, method="normal", checks=False, draws=250)
    table = found.board.games
    named = {
        (str(table.white_names[k]), str(table.black_names[k]), str(table.covariates["prompt"][k])): float(
            table.score[k]
        )
        for k in range(len(table))
    }
    assert len(table) == 7
    assert {key: named[key] for key in named if key[2] == "d1"} == {
        ("a", "b", "d1"): 1.0, ("a", "c", "d1"): 0.5, ("b", "c", "d1"): 0.0,
    }  # fmt: skip
    assert found.frame["method"][0] == "c"
    assert len(found.style) == 0  # nobody is shown first
    path.write_text("method,dataset,score\nc,d,0.9\nc,d,0.7\nb,d,0.85\n", encoding="utf-8")
    loss = leaderboard(path, region=0.0, lower=True, method="normal", checks=False, draws=250)
    assert loss.frame["method"][0] == "c"  # the mean of its folds, 0.8, is the lower one
    path.write_text("method,d1\nc,good\nb,0.1\n", encoding="utf-8")
    with pytest.raises(GameTableError, match=r"line 2, column d1: expected a score, a number, found 'good'"):
        leaderboard(path, region=0.0)
    with pytest.raises(GameTableError, match="--lower: expected a file of scores"):
        leaderboard(path, lower=True)


def test_engine_games_are_paired_by_their_openings(tmp_path):
    rng = np.random.default_rng(5)
    games = []
    for number in range(240):
        opening = f"Opening {number // 2}"
        white, black = ("Rook", "Bishop") if number % 2 else ("Bishop", "Rook")
        result = rng.choice(["1-0", "1/2-1/2", "0-1"], p=[0.35, 0.5, 0.15])
        games.append(f'[White "{white}"]\n[Black "{black}"]\n[Opening "{opening}"]\n[Result "{result}"]\n\n{result}\n')
    path = tmp_path / "match.pgn"
    path.write_text("\n".join(games), encoding="utf-8")
    found = leaderboard(path, tmp_path / "board", method="normal", draws=250)
    assert found.about["noun"] == "engine"
    assert found.pairs["pairs"].tolist() == [120]
    assert found.pairs[["ll", "ld", "dd_wl", "wd", "ww"]].to_numpy().sum() == 120
    rating = found.frame.set_index("engine")["rating_elo"]
    gap = rating[found.pairs["first"][0]] - rating[found.pairs["second"][0]]
    assert gap == pytest.approx(found.pairs["elo"][0], abs=2 * (found.pairs["high_elo"] - found.pairs["low_elo"])[0])
    assert "position" not in [one.name for one in found.faults]  # White moves first in chess: no finding
    assert found.frame["los_percent"][0] > 50
    first = first_screen(found.frame, "engine", "game", 0.95)
    assert {"ranks", "W-D-L", "score", "LOS"} <= set(first)
    assert first["W-D-L"][0] == "-".join(str(found.frame[name][0]) for name in ("wins", "draws", "losses"))
    page = (tmp_path / "board" / "leaderboard.html").read_text(encoding="utf-8")
    assert "Pairs" in page
    assert "judgement" not in found.about["title"] + found.about["note"]
    assert "White" in page


def test_columns_change_ties_and_the_first_seat_as_they_were_made_to(arena):
    rng = np.random.default_rng(2)
    battles = arena.battles.assign(same_maker=1.0 * (rng.random(len(arena.battles)) < 0.4))
    tied = (battles["same_maker"] == 1.0) & (rng.random(len(battles)) < 0.5)
    battles.loc[tied, "winner"] = "tie"  # half of those that were decided; P(tie) / sqrt(P(win) P(loss)) = e^log_draw
    effects = ["log_draw ~ 0 + same_maker", "advantage ~ 0 + same_maker"]
    made = leaderboard(battles, effects=effects, method="normal", checks=False)
    posterior = made.trace["posterior"].to_dataset()
    ties = posterior["log_draw_effect"].to_numpy().ravel()
    share = (battles["winner"] == "tie").groupby(battles["same_maker"]).mean()
    odds = np.log(share[1.0] / (1 - share[1.0])) - np.log(share[0.0] / (1 - share[0.0]))
    assert abs(ties.mean() - odds) < 4 * ties.std() + 0.1  # pairs apart tie less than equals
    row = made.style.set_index("what").loc["same_maker"]
    assert abs(row["effect_elo"]) < 4 * row["sd_elo"]


def test_a_formula_of_effects_without_a_target_is_one_line(arena):
    with pytest.raises(HalfpointError, match="--effects: expected"):
        leaderboard(arena.battles, effects=["same_maker"])
