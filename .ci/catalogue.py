"""Write the tables of docs/catalogue.md and the names that a shell completes; with --check, fail if they are old."""

import sys
from pathlib import Path

import numpy as np

from halfpoint.models.declaration.catalogue import BEYOND, CATALOGUE, EDITIONS, TWELVE, declare
from halfpoint.models.declaration.outline import outline_of
from halfpoint.models.games.select import select
from halfpoint.models.games.simulate import Schedule, Truth, round_robin, simulate
from halfpoint.models.language.model import Model
from halfpoint.systems.catalogue import SYSTEMS

PAGE = Path(__file__).resolve().parent.parent / "docs" / "catalogue.md"
NAMES = PAGE.parents[1] / "apps" / "cli" / "names.toml"
ADVANTAGES = {"none": "none", "common": "common", "player": "one per player", "pooled": "pooled"}


def table(headings: list[str], rows: list[list[str]]) -> str:
    """Markdown table."""
    cells = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    lines = [headings, ["---"] * len(headings), *cells]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _number(value: object) -> str:
    """Number, or several, of a model with four digits."""
    if isinstance(value, tuple):
        return f"({', '.join(map(_number, value))})"
    return f"{value:.4g}" if isinstance(value, float) else repr(value)


def _call(model: Model) -> str:
    """Function of a model, and its keywords that differ from the defaults, without the formula."""
    numbers = [f"{name}={_number(value)}" for name, value in model.keywords.items() if name != "log_draw" or value]
    return f"`{model.function.__name__}({', '.join(numbers)})`"


def models() -> str:
    """Table of the models beyond the study, with models of equal parameters in one row."""
    alike: dict[tuple[str, str], list[str]] = {}
    for row in BEYOND.values():
        seats = ADVANTAGES[outline_of(row).traits.seats]
        alike.setdefault((seats, _call(row)), []).append(f"`{row.name}`")
    new = [[", ".join(names), *about] for about, names in alike.items()]
    return table(["beyond the study", "White's advantage", "function and its numbers"], new)


def systems() -> str:
    """Rating systems, one line each."""
    about = [(s.name, f"{s.title} ({s.source})" if s.source else s.title) for s in SYSTEMS.values()]
    return table(["name", "system and source"], [[f"`{name}`", text] for name, text in about])


def printed() -> str:
    """Priors of the twelve models in their editions, as printed by `declared.model.str_repr()`; equal ones once."""
    rounds = round_robin(3, 2)
    elo = np.array([2650.0, 2700.0, 2750.0])
    about = {"white_rating_elo": elo[rounds.white], "black_rating_elo": elo[rounds.black]}
    schedule = Schedule(rounds.white, rounds.black, 1 + np.arange(rounds.white.size), **about)
    games = simulate(Truth(np.array(["Ada", "Ben", "Cy"]), elo / 173.7, 0.2, 0.5), schedule, 1)

    def priors(name: str, edition: str) -> str:
        lines = declare(name, select(games, ["Ada", "Ben"]), edition).model.str_repr().splitlines()
        return "<br>".join(f"`{line.strip()}`" for line in lines if "~ Normal" in line)

    texts = {name: {edition: priors(name, edition) for edition in EDITIONS} for name in TWELVE}
    alike = {name for name in TWELVE if texts[name] == texts.get(name + "-weighted")}
    plain = {name: one for name, one in texts.items() if name.removesuffix("-weighted") not in alike or name in alike}
    columns: dict[tuple[str, ...], list[str]] = {}
    for edition in EDITIONS:
        columns.setdefault(tuple(one[edition] for one in plain.values()), []).append(edition)
    rows = [[f"`{name}`", *(cells[k] for cells in columns)] for k, name in enumerate(plain)]
    return table(["model", *(", ".join(editions) for editions in columns.values())], rows)


def generated(text: str) -> str:
    """Text with the part between each pair of marks replaced."""
    for name, part in {"models": models(), "printed": printed(), "systems": systems()}.items():
        begin, end = f"<!-- {name}: begin -->\n", f"\n<!-- {name}: end -->"
        head, _, rest = text.partition(begin)
        _, found, tail = rest.partition(end)
        if not found:
            sys.exit(f"docs/catalogue.md: expected the marks {begin.strip()} and {end.strip()}, found one at most")
        text = f"{head}{begin}{part}{end}{tail}"
    return text


def names() -> str:
    """Names of models and rating systems that a shell completes, as TOML."""
    rows = {"models": CATALOGUE, "systems": SYSTEMS}
    lines = [f"{kind} = [\n{''.join(f'    {name!r},\n' for name in names)}]\n" for kind, names in rows.items()]
    return "# written by .ci/catalogue.py\n" + "".join(lines).replace("'", '"')


def main() -> None:
    """Write or check."""
    texts = {PAGE: generated(PAGE.read_text(encoding="utf-8")), NAMES: names()}
    for file, new in texts.items():
        if "--check" not in sys.argv[1:]:
            file.write_text(new, encoding="utf-8")
        elif new != file.read_text(encoding="utf-8"):
            name = file.relative_to(PAGE.parents[1])
            sys.exit(f"{name}: its names are not the code's. Run `.venv/bin/python .ci/catalogue.py`.")


if __name__ == "__main__":
    main()
