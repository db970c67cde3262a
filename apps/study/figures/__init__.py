"""Figures of the study only."""
