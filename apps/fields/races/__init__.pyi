from .backtest import races_backtest as races_backtest
from .forecast import races_forecast as races_forecast
from .list import races_list as races_list
from .list import races_rate as races_rate
from .simulate import races_simulate as races_simulate
