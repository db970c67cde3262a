"""Take the pictures of pages in README.md and docs, of simulated games, which the pages say."""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import sync_playwright

from halfpoint import workflows
from halfpoint.fields.arena import leaderboard
from halfpoint.fields.arena.simulate import simulate_arena

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "tests"))
from browser import FLAGS, needed  # noqa: E402 - one way to find a browser

SIZES = {"": (1280, 800), "-phone": (390, 844)}


def main() -> None:
    """Rate simulated games and a simulated arena, and take the first screen of each page, wide and on a telephone."""
    with TemporaryDirectory() as made, sync_playwright() as play:
        games = Path(made) / "SIMULATED club.csv"
        workflows.simulate(games, games=900, players=30, seed=11)
        workflows.rate(games, out=Path(made) / "rate", seed=1)
        battles = Path(made) / "SIMULATED arena.jsonl"
        arena = simulate_arena(models=14, battles=4000, judges=40, seed=5)
        arena.battles.to_json(battles, orient="records", lines=True)
        leaderboard(battles, Path(made) / "leaderboard", style=["length"], method="normal", checks=False)
        browser = play.chromium.launch(executable_path=needed(), args=list(FLAGS))
        for name, page in (("rate", "rate/report.html"), ("leaderboard", "leaderboard/leaderboard.html")):
            for kind, (width, height) in SIZES.items():
                seen = browser.new_page(viewport={"width": width, "height": height})
                seen.goto((Path(made) / page).as_uri())
                seen.screenshot(path=HERE / f"page-{name}{kind}.png")
        browser.close()


if __name__ == "__main__":
    main()
