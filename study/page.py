"""The report of a study run: the tables and traces in its folder become one HTML page."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd

from halfpoint.evaluation.report.page import Report, ReportSection, report_page
from halfpoint.evaluation.report.tables import Failed
from halfpoint.games.errors import HalfpointError, clipped, printable
from halfpoint.games.results import files
from halfpoint.study.report_sections import (
    QUESTION,
    answer_section,
    calibration_section,
    claims_section,
    convergence_section,
    figures_section,
    forecasts_section,
    list_section,
    printed_section,
    ratings_section,
    sensitivity_section,
)
from halfpoint.workflows.explorer_page import explore_section

type Find = Callable[[str], Path]
type Tables = Mapping[str, pd.DataFrame | None]
TABLES = (
    "predictive",
    "calibration",
    "ratings",
    "published",
    "verdicts",
    "claims",
    "evidence",
    "penalty",
    "normalising",
    "models",
    "sensitivity",
    "selection",
    "selection_months",
    "ingredients",
    "test",
)


def report(folder: str | Path, out: str | Path | None = None, force: bool = False) -> Path:
    """Write the report of a study run: one HTML page with everything inside, whole or not at all.

    Parameters
    ----------
    folder : str or Path
        Folder of a run, with summary.json and tables/.
    out : str or Path, optional
        The page; report.html in the folder if not given.
    force : bool
        Replace a file that halfpoint did not write.

    Returns
    -------
    Path
        The page.

    Raises
    ------
    HalfpointError
        If the folder holds no run, or a file in it cannot be read.
    """
    place = Path(folder)
    page = place / "report.html" if out is None else Path(out)
    read_summary(place / "summary.json")  # before a folder is written to
    with files({"--out": page}, reads=read_by_report(place), force=force, of="study") as places:
        places.text("--out", report_page(report_of(place)))
    return page


def read_by_report(folder: Path) -> list[Path]:
    """Return the files of a run that its report is made of."""
    inner = ("tables", "traces", "figures")
    return [folder / "summary.json", *(path for name in inner for path in sorted((folder / name).glob("*")))]


def report_of(folder: Path, find: Find | None = None) -> Report:
    """Return the report of a run.

    Parameters
    ----------
    folder : Path
        The run's folder.
    find : callable, optional
        Gives the path of a file of the run by its name in the folder, where that is not yet there.

    Raises
    ------
    HalfpointError
        If the folder holds no run, or a file in it is not as a run leaves it.
    """
    places = find or folder.joinpath
    summary = read_summary(places("summary.json"))
    tables = {name: read_table(places(f"tables/{name}.csv")) for name in TABLES}
    with as_a_run_leaves_it(folder / "summary.json"):
        failed = frozenset((str(one["name"]), str(one["edition"])) for one in summary["models"] if not one["converged"])
    makers: dict[str, tuple[str, Callable[[], ReportSection | None]]] = {
        "convergence": ("summary.json", lambda: convergence_section(summary, failed)),
        "figures": ("figures/figures.json", lambda: figures_section(places, failed)),
        "explore": ("traces", lambda: explore_section(places, failed)),
    }
    of_tables: dict[str, Callable[[Any], ReportSection]] = {
        "published": lambda table: printed_section(table, tables["verdicts"], failed),
        "claims": lambda _: claims_section(tables, failed),
        "ratings": lambda table: ratings_section(table, failed),
        "predictive": lambda table: forecasts_section(table, failed, tables["models"]),
        "sensitivity": lambda table: sensitivity_section(table, failed),
        "calibration": lambda table: calibration_section(table, failed),
        "selection": lambda table: list_section(
            table, tables["selection_months"], tables["ingredients"], tables["test"]
        ),
    }
    named = {"published": "printed", "predictive": "forecasts", "selection": "list"}
    makers |= {
        named.get(name, name): (f"tables/{name}.csv", partial(make, tables[name]))
        for name, make in of_tables.items()
        if tables[name] is not None
    }
    if not places("figures/figures.json").is_file():
        del makers["figures"]
    sections: dict[str, ReportSection] = {}
    for name, (file, make_section) in makers.items():
        with as_a_run_leaves_it(folder / file):
            made = make_section()
        if made is not None:
            sections[name] = made
    with as_a_run_leaves_it(folder):
        return page_of(summary, tables, sections, failed)


def page_of(summary: dict[str, Any], tables: Tables, sections: dict[str, ReportSection], failed: Failed) -> Report:
    """Return the report of the sections of a run."""
    answer = answer_section(tables, sections)
    data, run = summary["data"], summary["run"]
    about = {
        "Data": f"{data['name']}: {data['games']} games, {data['players']} players",
        "SHA-256": data["sha256"] or "none: these games come from no file",
        "Seed": str(run["seed"]),
        "Sampler": f"{run['sampler']}, {run['chains']} chains of {run['draws']} draws after {run['tune']} of tuning",
        "Versions": run["versions"],
        "Editions": ", ".join(dict.fromkeys(one["edition"] for one in summary["models"])),
    }
    count = len(summary["models"])
    verdict = f"all {count} runs converged."
    if failed:
        listed = ", ".join(f"{name} ({edition})" for name, edition in sorted(failed))
        verdict = f"{len(failed)} of {count} runs did NOT converge: {listed}. Rows that use them are marked."
    return Report(data["name"], bool(data["simulated"]), about, not failed, verdict, sections, QUESTION, answer)


@contextmanager
def as_a_run_leaves_it(path: Path) -> Iterator[None]:
    """Tell which file is not as a run leaves it, where making a part of the report fails over what it holds."""
    try:
        yield
    except HalfpointError:
        raise
    except (LookupError, TypeError, ValueError, AttributeError, AssertionError, ArithmeticError) as error:
        found = clipped(f"{type(error).__name__}: {error}")
        what = "expected what a run of the study leaves"
        raise HalfpointError(printable(f"{path}: {what}, found {found}. Run halfpoint study again.")) from error


def read_summary(path: Path) -> dict[str, Any]:
    """Return a run's summary.

    Raises
    ------
    HalfpointError
        If there is none, or it is no summary of a run.
    """
    try:
        summary: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        reason = error.strerror or str(error)
        raise HalfpointError(f"{path}: expected the summary of a run, found {reason}. Run halfpoint study.") from error
    except ValueError as error:
        found = printable(clipped(str(error)))
        raise HalfpointError(f"{path}: expected JSON, found {found}. Run halfpoint study again.") from error
    missing = [key for key in ("data", "models", "run") if not isinstance(summary, dict) or key not in summary]
    if missing:
        raise HalfpointError(
            f"{path}: expected the summary of a run, found no {missing[0]!r}. Run halfpoint study again."
        )
    return summary


def read_table(path: Path) -> pd.DataFrame | None:
    """Return a table of a run, None if the run has none of that name.

    Raises
    ------
    HalfpointError
        If the file is no CSV.
    """
    if not path.is_file():
        return None
    try:
        return pd.read_csv(path, keep_default_na=False, na_values=[""])
    except (ValueError, OSError) as error:
        found = printable(clipped(str(error)))
        raise HalfpointError(f"{path}: expected a CSV table, found {found}. Run halfpoint study again.") from error
