"""Single files of results, each named by its option, written by the method of `halfpoint.models.games.results`."""

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from halfpoint.models.games.atomic_write import A_FILE, acquire_lock, file_of, made_if_needed, short
from halfpoint.models.games.errors import PlacedError
from halfpoint.models.games.result_record import LOCK, complete, same
from halfpoint.models.games.results import SOON_SECONDS, Results, all_or_none, in_one_line, paths_of


@dataclass(frozen=True)
class Files:
    """Single files that a command writes, by the option that names each."""

    places: Mapping[str, tuple[Results, str]]

    def __contains__(self, option: str) -> bool:
        """True if an option is given."""
        return option in self.places

    def aside(self, option: str, precious: bool = False) -> Path:
        """Path at which to make the file of an option."""
        place, name = self.places[option]
        return place.aside(name, precious)

    def text(self, option: str, text: str) -> None:
        """Make the file of an option."""
        place, name = self.places[option]
        place.text(name, text)


@contextmanager
def files(
    outputs: Mapping[str, str | Path | None], *, reads: Iterable[object] = (), force: bool = False, of: str = "",
    beside: Results | None = None,
) -> Iterator[Files]:  # fmt: skip
    """Open single files for one command; at the end all new files are in place, or the earlier files."""
    targets = {option: (file_of(path, option), str(path)) for option, path in outputs.items() if path is not None}
    for option, (_, shown) in targets.items():
        if shown == "-":
            raise PlacedError(option, "a file", "- (standard output)", "Name a file.")
    for earlier, option in combinations(targets, 2):
        if same(targets[option][0], targets[earlier][0]):
            raise PlacedError(targets[option][1], f"a file of its own for {option}", f"the file of {earlier}")
    homes: dict[Path, Results] = {}
    with ExitStack() as stack:
        places: dict[str, tuple[Results, str]] = {}
        for option, (target, shown) in targets.items():
            home, name = target.parent, target.name
            if beside is not None and home == beside.folder:
                if name in beside.allowed:
                    raise PlacedError(shown, f"a file of its own for {option}", "a file of this command")
                beside.options[name] = option
                with in_one_line(shown, option):
                    beside.require(name)
                places[option] = beside, name
                continue
            stack.enter_context(made_if_needed(shown, home, option, A_FILE))
            stack.enter_context(acquire_lock(home / f"{LOCK}.{short(name)}", shown, option, expected=A_FILE))
            with acquire_lock(home / LOCK, shown, option, SOON_SECONDS, A_FILE), in_one_line(shown, option):
                complete(home)
            usual = os.path.basename(shown) == name  # noqa: PTH119 - else a link was followed: say where it leads
            place = Results(home, str(Path(shown).parent if usual else home), of, paths_of(reads), force, alone=True)
            place = homes.setdefault(home, place)
            place.options[name] = option
            with in_one_line(shown, option):
                place.require(name)
            places[option] = place, name
        with all_or_none(list(homes.values())):
            yield Files(places)
