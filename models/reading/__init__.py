"""PyMC graphs read as layouts, sums and linear forms, and the transforms of their coordinates."""
