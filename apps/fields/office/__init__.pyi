from .list import official_list as official_list
from .performances import performances as performances
from .pools import pool as pool
