from .build import Site as Site
from .build import site as site
