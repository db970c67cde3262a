"""Data sets that halfpoint can download: the study's games, and a simulated replica."""
