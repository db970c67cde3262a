"""From functions to models and back: the catalogue, a model on games, its record in traces, models of traces."""
