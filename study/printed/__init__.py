"""The numbers that the thesis and the paper print, how they were rounded, and whether ours agree."""
