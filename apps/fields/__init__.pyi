from . import arena as arena
from . import bridge as bridge
from . import football as football
from . import lineups as lineups
from . import office as office
from . import races as races
from . import site as site
