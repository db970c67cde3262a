"""The pages of a folder: each is written with a way to the others, `index.html`, which says what stands there."""

import re
from html import unescape
from pathlib import Path
from urllib.parse import quote

from halfpoint.evaluation.report.page import Page, page_html, rendered
from halfpoint.games.results import Results

INDEX = "index.html"
HEAD = 5000  # characters of a page that hold its title and its answer
OURS = '<meta name="generator" content="halfpoint">'
TITLE, ANSWER = "<title>(.*?)</title>", '<meta name="description" content="(.*?)">'
SHOWN = (".csv", ".json", ".nc", ".parquet", ".png")


def put_page(place: Results, name: str, page: Page) -> None:
    """Make a page, and the page of its folder where that has several; somebody's own index.html stays as it is."""
    pages = {path.name: path for path in sorted(place.folder.glob("*.html")) if is_ours(path)}
    pages |= {one: path for one, path in place.made.items() if one.endswith(".html")}
    pages.pop(INDEX, None)
    alone = place.alone and not set(pages) - {name}
    place.text(name, page_html(page, "" if alone else "../" * name.count("/") + INDEX))
    if not alone:
        pages[name] = place.made[name]
        others = {path.name for path in place.folder.glob("[!.]*") if path.suffix in SHOWN} | {
            one for one in place.made if Path(one).suffix in SHOWN
        }
        rows = [described(one, path) for one, path in sorted(pages.items())]
        title = f"Results: {place.folder.name}"
        place.common(INDEX, rendered("index.html.j2", title=title, pages=rows, others=sorted(others)))


def is_ours(path: Path) -> bool:
    """Return whether a file is a page that halfpoint wrote."""
    return path.is_file() and OURS in head_of(path)


def head_of(path: Path) -> str:
    """Return the beginning of a file."""
    with path.open(encoding="utf-8", errors="replace") as file:
        return file.read(HEAD)


def described(name: str, path: Path) -> dict[str, str]:
    """Return address, title and answer of a page."""
    text = head_of(path)
    title, answer = (re.search(pattern, text, re.DOTALL) for pattern in (TITLE, ANSWER))
    return {
        "href": quote(name),
        "title": unescape(title[1]) if title else name,
        "answer": unescape(answer[1]) if answer else "",
    }
