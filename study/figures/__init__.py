"""Figures that only the study draws."""
