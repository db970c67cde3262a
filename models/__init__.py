"""What we believe: the PyMC models, and the sequential rating systems apart."""
