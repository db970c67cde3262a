from .fit import fit as fit
from .forecast import forecast as forecast
from .groups import posterior_predictive as posterior_predictive
from .maximum_likelihood import maximum_likelihood as maximum_likelihood
from .normal.mode import mode as mode
from .sample import sample as sample
from .traces import read as read
from .traces import write as write
