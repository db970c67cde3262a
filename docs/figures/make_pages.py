"""Take the pictures of pages in README.md and docs, from the SIMULATED examples that ship."""

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import sync_playwright

from halfpoint.readers import read

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "tests" / "helpers"))
from browser import FLAGS, needed  # noqa: E402 - one way to find a browser

SIZES = {"": (1280, 800), "-phone": (390, 844)}
COMMANDS = (
    "demo --out . --no-browser --quiet",
    "list club.pgn --out list.html",
    "backtest football.csv --systems index-margin,elo,glicko,base-rates --out backtest",
)
PAGES = {
    "rate": "club/report.html",
    "season": "football/season.html",
    "sprt": "engines/sprt.html",
    "leaderboard": "arena/leaderboard.html",
    "bridge": "bridge/report.html",
    "races": "grandprix/report.html",
    "list": "list.html",
    "backtest": "backtest/report.html",
}
STYLE = (
    "<style>body { font: 13px sans-serif } table { border-collapse: collapse; border: 0 } "
    "th, td { padding: 5px 9px; border: 0; border-bottom: 1px solid #ddd; text-align: right; white-space: nowrap }"
    "</style>"
)
ON_PHONE = ("rate", "leaderboard")


def main() -> None:
    """Run the commands and take the first screen of each page, two of them on a telephone, and a table of games."""
    halfpoint, chromium = Path(sys.executable).with_name("halfpoint"), needed()
    with TemporaryDirectory() as made, sync_playwright() as play:
        for words in COMMANDS:
            subprocess.run([halfpoint, *words.split()], cwd=made, check=True)
        browser = play.chromium.launch(executable_path=chromium, args=list(FLAGS))
        for name, page in PAGES.items():
            for kind, (width, height) in SIZES.items():
                if kind and name not in ON_PHONE:
                    continue
                seen = browser.new_page(viewport={"width": width, "height": height})
                seen.goto((Path(made) / page).as_uri())
                seen.screenshot(path=HERE / f"page-{name}{kind}.png")
        seen = browser.new_page(viewport={"width": 1000, "height": 190})
        seen.set_content(STYLE + read(Path(made) / "club.pgn").head()._repr_html_())
        seen.screenshot(path=HERE / "table.png")
        browser.close()


if __name__ == "__main__":
    main()
