"""No circular imports between files, including imports inside functions, except those for type checkers."""

import grimp
import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components


def test_no_circle_of_imports_between_files() -> None:
    graph = grimp.build_graph("halfpoint", exclude_type_checking_imports=True, cache_dir=None)
    modules = sorted(graph.modules)
    row = {module: k for k, module in enumerate(modules)}
    edges = [(row[a], row[b]) for a in modules for b in graph.find_modules_directly_imported_by(a)]
    importer, imported = np.array(edges).T
    adjacency = csr_array((np.ones(len(edges)), (importer, imported)), shape=(len(modules),) * 2)
    _, component = connected_components(adjacency, directed=True, connection="strong")
    shared = np.flatnonzero(np.bincount(component) > 1)
    assert [[modules[k] for k in np.flatnonzero(component == c)] for c in shared] == []
