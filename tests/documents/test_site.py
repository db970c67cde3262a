"""Documentation site: notebooks with pictures, folded outputs, a folder for each version and their list."""

import functools
import http.server
import json
import re
import runpy
import subprocess
import sys
import threading
from pathlib import Path

import jupytext
import pytest
from browser import FLAGS, needed
from docutils import nodes
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parent.parent.parent
NOTEBOOKS = sorted((ROOT / "notebooks").glob("[0-9]*.py"))
sys.path.insert(0, str(ROOT / "docs" / "extensions"))
import folding  # noqa: E402
import gallery  # noqa: E402

site = runpy.run_path(str(ROOT / ".ci" / "site.py"))


def test_every_notebook_has_a_card():
    assert sorted(name for section in gallery.SECTIONS.values() for name in section) == [one.stem for one in NOTEBOOKS]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem[:2])
def test_every_notebook_tags_one_picture_and_has_a_title(path):
    cells = jupytext.read(path).cells
    assert sum("thumbnail" in cell.metadata.get("tags", ()) for cell in cells) == 1
    assert re.match(r"# \S", cells[0].source)


@pytest.mark.slow
def test_a_kept_notebook_is_not_run_again_and_holds_its_outputs(tmp_path):
    def run():
        command = [sys.executable, str(ROOT / "notebooks" / "run.py"), "11-", "--keep", str(tmp_path)]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert "11-line-ups.py: kept" not in run()
    assert run() == "11-line-ups.py: kept\n"
    [made] = tmp_path.iterdir()
    notebook = json.loads(made.read_text(encoding="utf-8"))
    assert gallery.picture(gallery.nbformat.from_dict(notebook)).startswith(b"\x89PNG")
    kept, key = runpy.run_path(str(ROOT / "notebooks" / "run.py"))["kept"], notebook["metadata"]["halfpoint"]["key"]
    assert kept(made, key)
    assert not kept(made, "of another code")


@pytest.mark.parametrize(
    ("lines", "language", "folds"), [(20, "text", False), (21, "text", True), (40, "python", False)]
)
def test_outputs_of_more_than_twenty_lines_fold(lines, language, folds):
    page = nodes.container()
    page += nodes.literal_block(
        text="\n".join(["$ halfpoint rate x", *("y" for _ in range(lines - 1))]), language=language
    )

    class App:
        class builder:  # noqa: N801
            format = "html"

    folding.fold(App, page, "first-steps")
    written = [node.astext() for node in page.findall(nodes.raw)]
    assert bool(written) == folds
    if folds:
        assert written[0] == (
            f'<details class="long"><summary><code>$ halfpoint rate x</code> and {lines - 1} lines</summary>\n'
        )
        assert [type(node) for node in page] == [nodes.raw, nodes.literal_block, nodes.raw]


def test_what_folds_keeps_its_classes_to_itself():
    page = nodes.container()
    page += nodes.literal_block(text="y\n" * 30, language="myst-ansi", classes=["output", "stream"])

    class App:
        class builder:  # noqa: N801
            format = "html"

    folding.fold(App, page, "gallery/one")
    assert [node["classes"] for node in page] == [[], ["output", "stream"], []]


def test_a_long_frame_scrolls_and_a_short_one_does_not():
    assert 'class="wide"' in folding.scrolled("<table>" + "<tr></tr>" * 21 + "</table>")
    assert 'class="wide long"' in folding.scrolled("<table>" + "<tr></tr>" * 22 + "</table>")


def git(*words, at):
    return subprocess.run(["git", *words], cwd=at, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def repository(tmp_path):
    """Repository with one commit, its remote, and a built documentation of one page."""
    git("init", "-q", "--bare", str(tmp_path / "remote"), at=tmp_path)
    git("init", "-q", "-b", "main", str(tmp_path / "here"), at=tmp_path)
    here = tmp_path / "here"
    git("config", "user.name", "A", at=here)
    git("config", "user.email", "a@b", at=here)
    (here / "code.py").write_text("1\n", encoding="utf-8")
    git("add", ".", at=here)
    git("commit", "-q", "-m", "code", at=here)
    git("remote", "add", "origin", str(tmp_path / "remote"), at=here)
    return here


def build(folder, word):
    (folder / "_static").mkdir(parents=True, exist_ok=True)
    script = (ROOT / "docs" / "static" / "versions.js").read_text(encoding="utf-8")
    (folder / "_static" / "versions.js").write_text(script, encoding="utf-8")
    part = (ROOT / "docs" / "templates" / "sidebar" / "versions.html").read_text(encoding="utf-8")
    part = part.replace("{{ version }}", word)
    for name, root in (("index.html", "./"), ("only-" + word + ".html", "./"), ("below/one.html", "../")):
        (folder / name).parent.mkdir(exist_ok=True)
        head = f'<!DOCTYPE html><html data-content_root="{root}"><script src="{root}_static/versions.js"></script>'
        (folder / name).write_text(f"{head}<h1>{word}</h1>{part}", encoding="utf-8")


def test_versions_stand_beside_each_other_on_the_branch(repository, tmp_path):
    for version in ("0.9.0", "0.10.0", "0.11.0rc1", "0.10.0"):
        build(tmp_path / version, version)
        names = site["publish"](tmp_path / version, version, repository, "origin", "gh-pages")
    assert names == ["0.11.0rc1", "0.10.0", "0.9.0"]
    git("fetch", "-q", "origin", "gh-pages", at=repository)
    there = git("ls-tree", "-r", "--name-only", "FETCH_HEAD", at=repository).split()
    assert {"0.9.0/index.html", "0.10.0/_static/versions.js", "versions.json", ".nojekyll"} <= set(there)
    assert "code.py" not in there
    assert json.loads(git("show", "FETCH_HEAD:versions.json", at=repository)) == names
    assert "url=0.10.0/" in git("show", "FETCH_HEAD:index.html", at=repository)  # the newest that is no candidate
    assert git("status", "--porcelain", at=repository) == ""
    assert len(git("worktree", "list", at=repository).splitlines()) == 1


@pytest.mark.browser
def test_a_page_leads_to_the_same_page_of_another_version(tmp_path):
    pages = tmp_path / "site"
    pages.mkdir()
    for version in ("0.1.0", "0.2.0"):
        build(tmp_path / version, version)
        site["add"](tmp_path / version, pages, version)
    handler = functools.partial(QuietHandler, directory=str(pages))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    here, chromium = f"http://127.0.0.1:{server.server_port}", needed()
    try:
        with sync_playwright() as play:
            browser = play.chromium.launch(executable_path=chromium, args=list(FLAGS))
            page = browser.new_page()
            page.goto(f"{here}/")
            page.wait_for_url(f"{here}/0.2.0/")
            page.goto(f"{here}/0.2.0/below/one.html")
            page.wait_for_function("document.querySelectorAll('#versions option').length == 2")
            assert page.locator("#versions").input_value() == "0.2.0"
            page.select_option("#versions", "0.1.0")
            page.wait_for_url(f"{here}/0.1.0/below/one.html")
            page.goto(f"{here}/0.1.0/only-0.1.0.html")
            page.wait_for_function("document.querySelectorAll('#versions option').length == 2")
            page.select_option("#versions", "0.2.0")
            page.wait_for_url(f"{here}/0.2.0/")  # that page is not there
            browser.close()
    finally:
        server.shutdown()
        server.server_close()


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    """Server without a log line for each request."""

    def log_message(self, format, *values):
        pass
