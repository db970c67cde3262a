"""Outcome formulas: the probabilities of loss, draw and win, or the density of a margin, of two sides."""
