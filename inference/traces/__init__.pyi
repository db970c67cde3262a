from .netcdf import read as read
from .netcdf import write as write
