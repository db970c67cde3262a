"""Rating systems that learn game by game or period by period: NumPy only, one paper a file."""
