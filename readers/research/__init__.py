"""Comparisons of research: judges of language models, crowds, choice experiments, tables of counts and of scores."""
