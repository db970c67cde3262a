"""What a model function can say: games, populations, walks, days, laws, and the model that a function becomes."""
