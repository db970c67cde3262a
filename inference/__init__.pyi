from .fit import fit as fit
from .forecast import forecast as forecast
from .gaussian.mode import mode as mode
from .maximum_likelihood import maximum_likelihood as maximum_likelihood
from .sample import sample as sample
from .trace_groups import posterior_predictive as posterior_predictive
from .traces.netcdf import read as read
from .traces.netcdf import write as write
