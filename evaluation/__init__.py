"""Evaluation of forecasts and models: scores, criteria, tables, figures, report.

The names below are imported on first use.

Examples
--------
>>> from halfpoint import evaluation
>>> evaluation.log_score([[0.2, 0.3, 0.5]], [2]).round(3)  # a win that had one chance in two
array([0.693])
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
