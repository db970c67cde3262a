"""Rating systems that learn game by game or period by period, in NumPy, with one paper per file."""
