"""The report of a study run: the tables and traces in its folder become one HTML page."""

import json
from pathlib import Path
from typing import Any

import pandas as pd

from halfpoint.evaluation.report.page import Report, ReportSection, report_page
from halfpoint.games.atomic_write import write_text
from halfpoint.games.errors import HalfpointError
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


def report(folder: str | Path, out: str | Path | None = None) -> Path:
    """Write the report of a study run: one HTML page with everything inside, whole or not at all.

    Parameters
    ----------
    folder : str or Path
        Folder of a run, with summary.json and tables/.
    out : str or Path, optional
        The page; report.html in the folder if not given.

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
    return write_text(place / "report.html" if out is None else out, report_page(report_of(place)))


def report_of(folder: Path) -> Report:
    """Return the report of a run's folder."""
    summary = read_summary(folder / "summary.json")
    tables = {name: read_table(folder / "tables" / f"{name}.csv") for name in TABLES}
    failed = frozenset((one["name"], one["edition"]) for one in summary["models"] if not one["converged"])
    sections: dict[str, ReportSection] = {"convergence": convergence_section(summary, failed)}
    if tables["published"] is not None:
        sections["printed"] = printed_section(tables["published"], tables["verdicts"], failed)
    if tables["claims"] is not None:
        sections["claims"] = claims_section(tables, failed)
    if (folder / "figures" / "figures.json").is_file():
        sections["figures"] = figures_section(folder / "figures", failed)
    if tables["ratings"] is not None:
        sections["ratings"] = ratings_section(tables["ratings"], failed)
    if tables["predictive"] is not None:
        sections["forecasts"] = forecasts_section(tables["predictive"], failed, tables["models"])
    if tables["sensitivity"] is not None:
        sections["sensitivity"] = sensitivity_section(tables["sensitivity"], failed)
    if tables["calibration"] is not None:
        sections["calibration"] = calibration_section(tables["calibration"], failed)
    if tables["selection"] is not None:
        sections["list"] = list_section(
            tables["selection"], tables["selection_months"], tables["ingredients"], tables["test"]
        )
    explorer = explore_section(folder / "traces", failed)
    if explorer is not None:
        sections["explore"] = explorer
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
        raise HalfpointError(f"{path}: expected JSON, found {error}. Run halfpoint study again.") from error
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
        raise HalfpointError(f"{path}: expected a CSV table, found {error}. Run halfpoint study again.") from error
