from .select import merge as merge
from .select import most_active as most_active
from .select import select as select
from .simulate import simulate as simulate
from .table import GameTable as GameTable
from .weights import weights as weights
