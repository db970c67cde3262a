"""Records of what benchmarks measured, `records/NAME.json`: each figure with its command, commit and machine.

    python benchmarks/records.py [PAGE ...]      writes the records of pages anew, by default of all

A benchmark writes its figures by `write`, all digits of them, or its page by `page`, or prints it below a `mark`: a
comment that says which run the blocks below it are of, up to the next one. Of such a page the record is read off.

    <!-- run: COMMAND; commit: 0123abc; machine: two processors; given: 6,807, 46 -->

`commit: 0123abc (of the page)` is the commit that brought figures whose page never said of which code they are; given
numbers are settings. Their schema is `records/schema.json`; `tests/documents/test_records.py` holds the pages to them.
"""

import json
import os
import platform
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
MARK = re.compile(
    r"<!-- run: (?P<command>.+?); commit: (?P<commit>\w+)(?P<of> \(of the page\))?; machine: (?P<machine>.+?)"
    r"(?:; given: (?P<given>[^;]+?))? -->",
    re.DOTALL,
)
MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
FREE = re.compile(
    r"```.*?```|`[^`\n]*`|\$[^$\n]+\$|\]\([^)]*\)|<!--.*?-->|(?<=\n\n)(?: {4}.*\n)+"
    rf"|\b(?:\d\d? )?(?:{MONTHS})(?: \d{{4}})?",
    re.DOTALL,
)
NUMBER = r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
UNITS = r"%|[MG]i?B(?:/s)?|(?:CPU |processor |wall )?(?:seconds|minutes|s)|min|ms|us|ns|Elo|nats|points|times"
VALUE = re.compile(
    rf"(?<![\w.^/])(?<!\w-)(?P<value>[+-]?{NUMBER})(?![\w]|\.\d|-\w)(?: ?(?P<unit>{UNITS})(?!\w))?"
    rf"(?: ?(?:±|\+-) ?(?P<error>{NUMBER})| ?\((?:standard error )?(?P<bracket>{NUMBER})%?\))?"
)
OF_HEAD = re.compile(rf"(?:^|[\s,(:])({UNITS})\)?(?:$|,|\sper\b)")


def figure(name: str, value: float, unit: str = "", error: float | None = None) -> dict[str, Any]:
    """Figure as a record has it."""
    return {"name": name, "value": float(value), "unit": unit} | ({} if error is None else {"error": float(error)})


def now() -> tuple[str, str]:
    """Commit and machine of a run that is being made."""
    asked = ["git", "rev-parse", "--short=8", "HEAD"]
    commit = subprocess.run(asked, cwd=HERE, capture_output=True, text=True, check=True).stdout.strip()
    machine = f"{platform.machine()}, {os.cpu_count()} processors, load {os.getloadavg()[0]:.0f}"
    return commit, f"{machine}, Python {platform.python_version()}"


def mark(command: str) -> str:
    """Comment for a page that a run writes: what stands below it is of this command, commit and machine."""
    commit, machine = now()
    return f"<!-- run: {command}; commit: {commit}; machine: {machine} -->\n"


def page(path: Path, text: str, command: str) -> None:
    """Write a page of one run, its mark below the title, and its record."""
    title, _, rest = text.partition("\n\n")
    path.write_text(f"{title}\n\n{mark(command)}\n{rest}", encoding="utf-8")
    main([path.stem])


def write(page: str, command: str, figures: list[dict[str, Any]], **settings: float) -> None:
    """Write one run to the record of a page, in place of an earlier one of the same command."""
    commit, machine = now()
    run = {"command": command, "commit": commit, "machine": machine, "settings": settings, "figures": figures}
    path = HERE / "records" / f"{page}.json"
    earlier = json.loads(path.read_text(encoding="utf-8"))["runs"] if path.is_file() else []
    runs = [one for one in earlier if one["command"] != command]
    save(path, {"page": f"benchmarks/{page}.md", "runs": [*runs, run]})


def save(path: Path, record: dict[str, Any]) -> None:
    """Write a record, a figure a line."""
    text = json.dumps(record, indent=1, ensure_ascii=False)
    text = re.sub(r'\{\n +"name": [^{}]+\}', lambda found: re.sub(r"\n +", " ", found[0]), text)
    path.write_text(text + "\n", encoding="utf-8")


def of_page(name: str, text: str) -> dict[str, Any]:
    """Record of a page that is marked: every figure of its tables and sentences."""
    marks, runs = [*MARK.finditer(text)], dict[tuple[str, str], dict[str, Any]]()
    for one, after in zip(marks, [*(later.start() for later in marks[1:]), len(text)], strict=True):
        origin = {key: " ".join(one[key].split()) for key in ("command", "commit", "machine")}
        origin |= {"commit_is": "of the page"} if one["of"] else {}
        run = runs.setdefault((one["command"], one["commit"]), {**origin, "settings": {}, "figures": []})
        given = {f"given: {number}": number_of(number) for number in re.findall(NUMBER, one["given"] or "")}
        run["settings"] |= given
        for part in re.split(r"\n[ \t]*\n", text[one.end() : after]):
            lines = part.strip("\n").split("\n")
            if len(lines) > 2 and re.fullmatch(r"\|(?: *:?-+:? *\|)+", lines[1].strip()):
                figures, labels = of_table(lines)
                run["settings"] |= labels
            else:
                figures = [each for each in of_sentences(part) if abs(each["value"]) not in given.values()]
            run["figures"] += figures
    return {"page": f"benchmarks/{name}.md", "runs": [one for one in runs.values() if one["figures"]]}


def of_table(lines: list[str]) -> tuple[list[dict[str, Any]], dict[str, float]]:
    """Figures of a table, named by row and column; numbers of the rows' names, which are settings."""
    head, rows = cells(lines[0]), [cells(line) for line in lines[2:]]
    names = [k for k in range(len(head)) if k == 0 or not any(measured(row[k]) for row in rows if k < len(row))]
    figures, labels = [], {}
    for row in rows:
        label = ", ".join(row[k] for k in names if k < len(row) and row[k]).replace("**", "")
        labels |= {f"{head[k] or 'row'}: {one}": number_of(one) for k in names if k < len(row)
                   for one in re.findall(rf"(?<![\w.]){NUMBER}(?![\w])", row[k])}  # fmt: skip
        for k, cell in enumerate(row):
            column = head[k] if k < len(head) else ""
            again = f" ({head[:k].count(column) + 1})" if column in head[:k] else ""
            for count, one in enumerate(VALUE.finditer(plain(cell)) if k not in names else (), 1):
                name = f"{label}: {column}{again}".removesuffix(": ") + (f", {count}" if count > 1 else "")
                figures.append(measure(name, one, one["unit"] or next(iter(OF_HEAD.findall(column)), "")))
    return figures, labels


def of_sentences(part: str) -> Iterator[dict[str, Any]]:
    """Figures of sentences, each named by its sentence with dots in its place."""
    text = " ".join(re.sub(r"(?m)^- ", "\n", plain(part)).split(" "))
    for sentence in re.split(r"(?<=[.;:])\s+(?=[A-Z`(])|\n(?=\n)", text):
        sentence = " ".join(sentence.split())
        for one in VALUE.finditer(sentence):
            decimal = "." in one["value"] or "," in one["value"]
            if decimal or one["unit"] or one["error"] or one["bracket"]:
                before, after = sentence[: one.start("value")][-90:], sentence[one.end("value") :][:60]
                yield measure(f"{before}...{after}".strip(), one, one["unit"] or "")


def measure(name: str, found: re.Match[str], unit: str) -> dict[str, Any]:
    """Figure of a number that was found, with its error."""
    error = found["error"] or found["bracket"]
    return figure(name, number_of(found["value"]), unit, None if error is None else number_of(error))


def plain(text: str) -> str:
    """Text without what holds no figures: code keeps its words, without digits."""
    return FREE.sub(lambda found: re.sub(r"\d", "#", found[0]) if found[0][0] == "`" else " ", text).replace("**", "")


def measured(cell: str) -> bool:
    """True if a cell is one number, with its error and its unit, or two such numbers."""
    return bool(re.match(rf"\s*[+-]?{NUMBER}", plain(cell))) and not re.search(r"[a-z]{5}", cell)


def cells(line: str) -> list[str]:
    """Cells of a line of a table."""
    return [one.strip() for one in re.split(r"(?<!\\)\|", line.strip().strip("|"))]


def number_of(text: str) -> float:
    """Number as it is printed."""
    return float(text.replace(",", ""))


def main(pages: list[str]) -> None:
    """Write the records of pages that are marked."""
    for page in [HERE / f"{Path(one).stem}.md" for one in pages] or sorted(HERE.glob("*.md")):
        text = page.read_text(encoding="utf-8")
        if MARK.search(text):
            save(HERE / "records" / f"{page.stem}.json", of_page(page.stem, text))


if __name__ == "__main__":
    main(sys.argv[1:])
