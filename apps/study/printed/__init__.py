"""The numbers printed in thesis and paper, their rounding, and agreement with the computed values."""
