from . import fields as fields
from . import study as study
from . import workflows as workflows
