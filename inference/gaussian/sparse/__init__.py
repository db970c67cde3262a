"""Symmetric matrices by their entries: Cholesky factors, selected inverses, block diagonals."""
