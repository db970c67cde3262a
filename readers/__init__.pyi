from .datasets.examples import example_file as example_file
from .datasets.examples import load as load
from .datasets.replica import replica as replica
from .limits import Limits as Limits
from .read import read as read
