"""All twelve models, 4 x (1000 + 1000), diagnosed, in one process: python twelve.py GAMES; prints JSON."""

import json
import sys
import time

START = time.perf_counter()

from variants import load  # noqa: E402

from halfpoint.inference.sample import sample  # noqa: E402
from halfpoint.models.declaration.catalogue import TWELVE, declare  # noqa: E402

if __name__ == "__main__":
    selection = load(sys.argv[1])
    verdicts, routes = set(), set()
    for name in TWELVE:
        trace = sample(declare(name, selection, "computed"), draws=1000, tune=1000, chains=4)
        verdicts.add(trace.attrs["verdict"])
        routes.add(trace.attrs["route"])
    result = {"wall": time.perf_counter() - START, "cpu": time.process_time()}
    print("RESULT " + json.dumps(result | {"verdicts": sorted(verdicts), "routes": sorted(routes)}))
