from .list import bridge_abilities as bridge_abilities
from .ratings import bridge_forecast as bridge_forecast
from .ratings import bridge_rate as bridge_rate
from .scores import bridge_score as bridge_score
from .seating import bridge_seating as bridge_seating
from .simulate import bridge_simulate as bridge_simulate
