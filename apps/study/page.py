"""The report of a study run: the tables and traces in its folder become one HTML page."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pandas as pd

from halfpoint.apps.pages.listing import Failed, Listing
from halfpoint.apps.pages.page import Page, Section
from halfpoint.apps.study.report_sections import (
    GAMES,
    QUESTION,
    answer,
    calibration_section,
    claims_section,
    convergence_section,
    evidence_section,
    figures,
    forecasts_section,
    names_of,
    printed_section,
    ratings_section,
)
from halfpoint.apps.workflows.answer import put_page
from halfpoint.apps.workflows.rating_page import people_of, rating_listing
from halfpoint.apps.workflows.trace_list import list_from_trace
from halfpoint.evaluation.digits import interval
from halfpoint.evaluation.statements import first_move_and_draws
from halfpoint.inference.traces.netcdf import read
from halfpoint.models.declaration.catalogue import EDITIONS
from halfpoint.models.games.atomic_write import read_json
from halfpoint.models.games.errors import HalfpointError, clip_text, printable
from halfpoint.models.games.result_record import current
from halfpoint.models.games.single_files import files
from halfpoint.readers.datasets.study import study_players

_EXPLORED = ("davidson-scaled", "davidson-common", "davidson-player", "davidson")  # the first of a run that is there
type _Find = Callable[[str], Path]
type _Tables = Mapping[str, pd.DataFrame | None]
TABLES = (
    "predictive", "calibration", "ratings", "published", "verdicts", "claims", "evidence", "penalty", "normalising",
    "models",
)  # fmt: skip


def report(folder: str | Path, out: str | Path | None = None, force: bool = False) -> Path:
    """Write the report of a study run as one HTML page, completely or not at all.

    Parameters
    ----------
    folder : str or Path
        Folder of a run, with summary.json and tables/.
    out : str or Path, optional
        The page; default: report.html in the folder.
    force : bool
        Replace a file that halfpoint did not write.

    Returns
    -------
    Path
        The page.

    Raises
    ------
    HalfpointError
        If the folder has no run, or a file in it cannot be read.
    """
    place = Path(folder)
    page = place / "report.html" if out is None else Path(out)
    read_summary(place / "summary.json")  # before a folder is written to
    with files({"--out": page}, reads=_read_by_report(place), force=force, of="study") as places:
        put_page(*places.places["--out"], report_of(place))
    return page


def _read_by_report(folder: Path) -> list[Path]:
    """Files of a run that its report needs."""
    inner = ("tables", "traces", "figures")
    return [folder / "summary.json", *(path for name in inner for path in sorted((folder / name).glob("*")))]


def report_of(folder: Path, find: _Find | None = None) -> Page:
    """Report of a run."""
    places = find or folder.joinpath
    summary = read_summary(places("summary.json"))
    tables = {name: _read_table(places(f"tables/{name}.csv")) for name in TABLES}
    with _as_a_run_leaves_it(folder / "summary.json"):
        failed = frozenset(
            (str(model["name"]), str(model["edition"])) for model in summary["models"] if not model["converged"]
        )
        simulated = bool(summary["data"]["simulated"])
    names = dict(study_players()[["data_name", "name"]].itertuples(index=False, name=None))
    ratings = tables["ratings"]
    if ratings is not None:
        with _as_a_run_leaves_it(folder / "tables/ratings.csv"):
            tables["ratings"] = ratings.assign(player=ratings["player"].map(lambda name: names.get(name, name)))
    with _as_a_run_leaves_it(folder / "traces"):
        people = _panels_of(places, failed, names)
    of_tables: dict[str, Callable[[Any], Section | None]] = {
        "claims": lambda _: claims_section(tables, failed, simulated),
        "evidence": lambda _: evidence_section(tables, failed),
        "ratings": lambda table: ratings_section(table, failed, None if people is None else people[0]),
        "predictive": lambda table: forecasts_section(table, failed, tables["models"]),
        "calibration": lambda table: calibration_section(table, failed),
        "published": lambda table: printed_section(table, tables["verdicts"], failed),
    }
    sections: list[Section | None] = []
    with _as_a_run_leaves_it(folder / "tables"):
        headline = answer(tables, simulated)
        sections.append(figures(tables))
    for name, make in of_tables.items():
        if tables[name] is not None:
            with _as_a_run_leaves_it(folder / f"tables/{name}.csv"):
                sections.append(make(tables[name]))
    with _as_a_run_leaves_it(folder / "summary.json"):
        sections.append(convergence_section(summary, failed))
        data, run, count = summary["data"], summary["run"], len(summary["models"])
        facts = {"Games": f"{data['games']:,} among {data['players']} players", "Models": f"{count} runs"}
        if people is not None and not simulated:
            facts |= people[2]
        listed = ", ".join(names_of(failed))
        verdict = f"{len(failed)} of {count} runs did NOT converge: {listed}. Rows that use them are marked."
        foot = [
            f"Data {data['name']}, SHA-256 {data['sha256'] or 'none: these games come from no file'}",
            f"Seed {run['seed']}. {run['sampler']}, {run['chains']} chains of {run['draws']} draws after {run['tune']}",
            f"Editions {', '.join(dict.fromkeys(model['edition'] for model in summary['models']))}",
            str(run["versions"]),
            "The same numbers are in CSV files in the run's folder, under tables/, figures for papers under figures/",
        ]
    present = [section for section in sections if section is not None]
    shown_people = None if people is None or ratings is None else people[1]
    return Page(QUESTION, headline, present, facts, verdict if failed else "", simulated, foot, shown_people)


def _panels_of(
    find: _Find, failed: Failed, names: Mapping[str, str]
) -> tuple[Listing, dict[str, Any], dict[str, str]] | None:
    """List, players and facts of one trace of a run: the first of `_EXPLORED`, of the most corrected edition."""
    runs = [(name, edition) for name in _EXPLORED for edition in reversed(EDITIONS)]
    present = [run for run in runs if find(f"traces/{run[0]}--{run[1]}.nc").is_file()]
    if not present:
        return None
    name, edition = next((run for run in present if run not in failed), present[0])
    tree = read(find(f"traces/{name}--{edition}.nc"))
    trace_list = list_from_trace(tree)
    frame = trace_list.ranking.frame
    frame = frame.assign(player=frame["player"].map(lambda spelling: names.get(spelling, spelling)))
    people = people_of(tree, trace_list)
    people["paired"] = [names.get(spelling, spelling) for spelling in people["paired"]]
    for player in people["players"]:
        player["name"] = names.get(player["name"], player["name"])
        for meeting in player.get("met", ()):
            meeting[0] = names.get(meeting[0], meeting[0])
    shared = first_move_and_draws(tree["posterior"].to_dataset())
    facts = {}
    if shared["advantage_elo"] is not None:
        score = 100.0 / (1.0 + 10.0 ** (-shared["advantage_elo"]["mean"] / 400.0))
        facts[f"Of {GAMES} games of two equals White scores"] = f"{score:.0f} points"
    if shared["draw_rate"] is not None:
        facts["Of these are drawn"] = interval(shared["draw_rate"], 100.0)
    mark = f" {name} ({edition}) did NOT converge." if (name, edition) in failed else ""
    text = f"{name}, edition {edition}.{mark} {trace_list.level}."
    return rating_listing(frame, text=text), people, facts


@contextmanager
def _as_a_run_leaves_it(path: Path) -> Iterator[None]:
    """Report a damaged file of a run if a part of the report cannot be made from it."""
    try:
        yield
    except HalfpointError:
        raise
    except (LookupError, TypeError, ValueError, AttributeError, AssertionError, ArithmeticError) as error:
        fault = clip_text(f"{type(error).__name__}: {error}")
        what = "expected the files of a run of the study"
        raise HalfpointError(printable(f"{path}: {what}, found {fault}. Run halfpoint study again.")) from error


def read_summary(path: Path) -> dict[str, Any]:
    """Read a run's summary."""
    try:
        summary: dict[str, object] = read_json(current(path))
    except OSError as error:
        reason = error.strerror or str(error)
        raise HalfpointError(f"{path}: expected the summary of a run, found {reason}. Run halfpoint study.") from error
    except ValueError as error:
        fault = printable(clip_text(str(error)))
        raise HalfpointError(f"{path}: expected JSON, found {fault}. Run halfpoint study again.") from error
    for key in ("data", "models", "run"):
        if not isinstance(summary, dict) or key not in summary:
            fault = f"found no {key!r}. Run halfpoint study again."
            raise HalfpointError(f"{path}: expected the summary of a run, {fault}")
    return summary


def _read_table(path: Path) -> pd.DataFrame | None:
    """Table of a run, None if missing."""
    if not path.is_file():
        return None
    try:
        return pd.read_csv(path, keep_default_na=False, na_values=[""])
    except (ValueError, OSError) as error:
        fault = printable(clip_text(str(error)))
        raise HalfpointError(f"{path}: expected a CSV table, found {fault}. Run halfpoint study again.") from error
