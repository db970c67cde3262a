"""The Monte Carlo error of the study's printed means, and of their difference from ours."""

from math import sqrt

from halfpoint.study.estimates import Estimate

STUDY_DRAWS = 4000  # draws a chain the study kept (Pires 2014, section 3.2); its three chains give less error


def study_error(sd: float) -> float:
    """Return the Monte Carlo error of a posterior mean of the study: sd over the square root of one chain's draws."""
    return sd / sqrt(STUDY_DRAWS)


def both_errors(estimate: Estimate) -> float:
    """Return the Monte Carlo error of the difference between our posterior mean and the study's."""
    return float((estimate.mc_error**2 + study_error(estimate.sd) ** 2) ** 0.5)
