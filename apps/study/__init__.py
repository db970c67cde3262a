"""The study of 2014 reproduced: protocol, slips, claims, printed numbers and the run that compares them.

`run_study` implements `halfpoint study`, `report` rewrites its page from the files of a run, `criteria` implements
`halfpoint criteria`; they are imported on first use.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
