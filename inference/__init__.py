"""How we compute: NUTS, diagnosis, NetCDF, forecasts."""
