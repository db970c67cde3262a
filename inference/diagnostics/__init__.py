"""Diagnostics: convergence by R-hat and effective sample size, Pareto k, prior statements, edited graphs."""
