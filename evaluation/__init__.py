"""How good it was: scores, criteria, tables, figures, report."""
