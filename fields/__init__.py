"""Fields of use: each needs all layers, and nothing needs it."""
