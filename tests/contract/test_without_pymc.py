"""Readers and rating systems work without PyMC: imports, files, and a list of each system."""

import json
import subprocess
import sys

BLOCKED = ("pymc", "pytensor", "nutpie", "arviz", "arviz_base", "arviz_stats", "jax", "matplotlib")
CODE = f"""
import importlib, json, pkgutil, sys
from importlib.machinery import PathFinder

find_installed = PathFinder.find_spec


def find_spec(name, path=None, target=None):
    return None if name.partition(".")[0] in {BLOCKED!r} else find_installed(name, path, target)


PathFinder.find_spec = find_spec  # as where they are not installed
import halfpoint.readers, halfpoint.systems
modules = [
    module.name
    for package in (halfpoint.readers, halfpoint.systems)
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + ".")
]
for name in modules:
    importlib.import_module(name)
from halfpoint.readers.read import read
from halfpoint.systems.catalogue import SPECS
games = read(sys.argv[1])
learned = []
for spec in SPECS[::6]:
    if not spec.needs and spec.name != "weng-lin-full":  # which asks for an extra
        spec.build(spec.start).learn(games)
        learned.append(spec.name)
print(json.dumps([len(modules), len(games), len(learned), sorted(set(sys.modules) & set({BLOCKED!r}))]))
"""


def test_readers_and_systems_work_where_pymc_is_not_installed(tmp_path):
    path = tmp_path / "games.csv"
    path.write_text(
        "white,black,score,date\nAsh,Birch,1-0,2024-01-01\nBirch,Ash,1/2-1/2,2024-02-01\n", encoding="utf-8"
    )
    done = subprocess.run([sys.executable, "-c", CODE, str(path)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    modules, games, systems, blocked = json.loads(done.stdout)
    assert modules > 100
    assert games == 2
    assert systems > 3
    assert blocked == []
