"""Parts of model functions: games, populations, walks, days, laws, and the model that a function becomes."""
