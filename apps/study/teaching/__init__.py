"""The algorithms of the sources, for readers who want to run them: `pip install "halfpoint[teaching]"`.

Inference in halfpoint uses NUTS and exact normal approximations; these are the samplers, maximisers and tests of the
thesis and its references, which halfpoint's tests compare with its own inference.

metropolis, full_conditional    Metropolis steps within Gibbs sampling, as the study ran it (thesis, section 3.2)
minorize                        the MM algorithm, and with gamma priors the EM algorithm of Caron and Doucet
gibbs                           the Gibbs sampler of Caron and Doucet
geweke, heidelberger_welch, raftery_lewis, brooks_gelman      the tests of the R package coda
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
