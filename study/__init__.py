"""The study of 2014 reproduced: protocol, slips, claims, printed numbers and the run that compares them.

`run_study` is what `halfpoint study` does, `report` its page again from the files of a run, `criteria` what
`halfpoint criteria` does; they are imported when they are first asked for.
"""

from typing import TYPE_CHECKING

import lazy_loader

if TYPE_CHECKING:
    from halfpoint.study.model_criteria import criteria
    from halfpoint.study.page import report
    from halfpoint.study.run.run_study import run_study

__all__ = ["criteria", "report", "run_study"]

__getattr__, __dir__, _ = lazy_loader.attach(
    __name__,
    submod_attrs={"model_criteria": ["criteria"], "page": ["report"], "run.run_study": ["run_study"]},
)
