"""Parts of a model: strengths, advantage, draws, anchors, effects, with their parameters and priors."""
