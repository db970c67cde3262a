"""Compiled loops: the log density and its gradient, generated from graphs for numba."""
