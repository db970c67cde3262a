"""Number of digits justified by the error of a number, for the terminal and pages. Files have all digits.

A number whose 95% interval is w wide has

    decimals(w) = 0 for w >= 2,    min(3, ceil(log10(2 / w))) below,

so that the last digit shown is worth between a half and a twentieth of an interval narrower than 20: 1799 (1747 to
1854), 46% (45% to 48%), 12.3 (11.9 to 12.8). A Monte Carlo error e counts as an interval of 4 e. The script of the
explorer has the same rule. A standard error beside its estimate is shown with two significant digits.
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd

_MOST = 3
_HALF_UP = 1e-9  # percent


def decimals(width: float) -> int:
    """Number of decimals for a number with a 95% interval of this width: none from 2 on, at most three.

    Examples
    --------
    >>> [decimals(width) for width in (107.0, 2.0, 1.9, 0.2, 0.02, 1e-9, 0.0)]
    [0, 0, 1, 1, 2, 3, 0]
    """
    return min(_MOST, int(np.ceil(np.log10(2.0 / width)))) if 0.0 < width < 2.0 else 0


def significant_decimals(error: float) -> int:
    """Number of decimals that show two significant digits of a standard error, at most six.

    Examples
    --------
    >>> [significant_decimals(error) for error in (0.6901, 0.0708, 12.0, 0.0)]
    [2, 3, 0, 0]
    """
    return int(np.clip(1 - np.floor(np.log10(error)), 0, 6)) if 0.0 < error < np.inf else 0


def interval(summary: Mapping[str, float], unit: float = 1.0, sign: str = "", noun: str = "") -> str:
    """Format a mean and its interval with no more digits than the width of the interval allows.

    Examples
    --------
    >>> interval({"mean": 0.4631, "low": 0.4462, "high": 0.4779}, 100.0, "%")
    '46% (45% to 48%)'
    >>> interval({"mean": 57.2, "low": 48.4, "high": 64.1}, noun=" Elo")
    '57 Elo (48 to 64)'
    """
    scaled = [unit * summary[name] for name in ("mean", "low", "high")]
    digits = decimals(scaled[2] - scaled[1])
    mean, low, high = (f"{fixed_decimals(value, digits)}{sign}" for value in scaled)
    return f"{mean}{noun} ({low} to {high})"


def fixed_decimals(value: float, digits: int) -> str:
    """Format a number with a fixed number of decimals, zero without a sign."""
    text = f"{value:.{digits}f}"
    return text if float(text) else text.lstrip("-")


def signed_decimals(value: float, digits: int) -> str:
    """Format a difference with its sign and a fixed number of decimals, zero without a sign.

    Examples
    --------
    >>> signed_decimals(1.26, 1), signed_decimals(-1.26, 1), signed_decimals(-0.04, 1)
    ('+1.3', '-1.3', '0.0')
    """
    text = fixed_decimals(value, digits)
    return text if float(text) <= 0.0 else f"+{text}"


def in_percent(value: float) -> str:
    """Format a probability in whole percent, halves up as on pages, without claiming certainty.

    Examples
    --------
    >>> [in_percent(value) for value in (0.9999, 0.995, 0.694, 0.425, 0.005, 0.001)]
    ['>99%', '>99%', '69%', '43%', '<1%', '<1%']
    """
    return ">99%" if value >= 0.995 else "<1%" if value <= 0.005 else f"{100.0 * value + _HALF_UP:.0f}%"


def digits_of(frame: pd.DataFrame) -> dict[str, int]:
    """Number of decimals by column for the columns of a table that have errors.

    Columns without an error are left out.
    """
    by_column: dict[str, int] = {}
    names = [str(name) for name in frame.columns]

    def widest(low: str, high: str) -> int:
        width = (frame[high] - frame[low]).to_numpy(dtype=np.float64)
        width = width[np.isfinite(width)]
        return decimals(float(width.max())) if width.size else 0

    if {"low", "high"} <= set(names):
        by_column |= dict.fromkeys({"mean", "imps", "sd", "low", "high"} & set(names), widest("low", "high"))
    for name in names:
        unit = name.removeprefix("low_")
        if unit != name and f"high_{unit}" in names:
            digits = widest(name, f"high_{unit}")
            by_column |= {column: digits for column in names if column == unit or column.endswith(f"_{unit}")}
        stem = name.removesuffix("_low")
        if stem != name and {stem, f"{stem}_high"} <= set(names):
            by_column |= dict.fromkeys((stem, name, f"{stem}_high"), widest(name, f"{stem}_high"))
    if {"estimate", "standard_error"} <= set(names):
        error = frame["standard_error"].to_numpy(dtype=np.float64)
        digits = significant_decimals(error[error > 0.0].min(initial=np.inf))
        by_column |= dict.fromkeys({"estimate", "standard_error", "quasi_error"} & set(names), digits) | {"z": 2}
    shares = [name for name in names if name.endswith("_percent") and name not in by_column]
    if "mc_error_percent" in names:
        error = frame["mc_error_percent"].to_numpy(dtype=np.float64)
        by_column |= dict.fromkeys(shares, decimals(4.0 * float(np.nanmax(error, initial=0.0))))
        by_column["mc_error_percent"] = max(1, by_column["mc_error_percent"])
    return by_column
