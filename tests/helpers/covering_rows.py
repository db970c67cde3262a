"""Few rows of the catalogue that have between them all that its rows are made of: slow tests that need no more."""

from dataclasses import fields

from halfpoint.models.catalogue import CATALOGUE, find

PARTS = ("strength", "advantage", "draws", "anchors")


def made_of(name):
    """What a row is made of: its formula, its parts with the numbers that these have, what its effects act on."""
    model = find(name)
    found = {("formula", model.outcome.name), ("weighted", model.weighted), ("advantage is", model.advantage.kind)}
    for kind in PARTS:
        part = getattr(model, kind)
        found.add((kind, type(part).__name__))
        if part is not None:
            has = [one.name for one in fields(part) if getattr(part, one.name) not in (None, False)]
            found |= {(kind, type(part).__name__, number) for number in has}
    return found | {("effects", target, "|" in formula) for target, formula in model.effects.formulas.items()}


def covering(names=tuple(CATALOGUE)):
    """The rows, each taking most of what no row before it has; at equal gain the first of the catalogue."""
    left, chosen = set().union(*map(made_of, names)), []
    while left:
        best = max(names, key=lambda name: len(made_of(name) & left))
        chosen.append(best)
        left -= made_of(best)
    return chosen
