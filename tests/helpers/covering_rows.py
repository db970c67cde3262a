"""Few rows of the catalogue that have between them all that its rows are made of: slow tests that need no more."""

from composed import about

from halfpoint.models.declaration.catalogue import CATALOGUE, find


def made_of(name):
    """Parts of a row: its formula, its variables, the columns it reads, the targets of its effects."""
    model = find(name)
    one = about(model)
    found = {("formula", one.outcome.name), ("weighted", model.weighted), ("advantage is", one.kind)}
    found |= {("reads", key, str(value)) for key, value in one.reads.as_record.items()}
    found |= {("traits", key, str(value)) for key, value in one.traits.as_record.items()}
    return found | {("variable", variable) for variable in one.names}


def covering(names=tuple(CATALOGUE)):
    """The rows, each taking most of what no row before it has; at equal gain the first of the catalogue."""
    left, chosen = set().union(*map(made_of, names)), []
    while left:
        best = max(names, key=lambda name: len(made_of(name) & left))
        chosen.append(best)
        left -= made_of(best)
    return chosen
