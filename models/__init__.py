"""What we believe: one language of models, in which a model is a row, an outcome formula and a few parts.

The names below are imported when they are first asked for.

Examples
--------
>>> from halfpoint import models
>>> models.find("davidson-common").advantage.kind
'common'
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
