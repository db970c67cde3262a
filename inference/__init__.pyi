from .fit import fit as fit
from .forecast import forecast as forecast
from .maximum_likelihood import maximum_likelihood as maximum_likelihood
from .normal.mode import mode as mode
from .predictive import posterior_predictive as posterior_predictive
from .sample import sample as sample
from .traces import read as read
from .traces import write as write
