"""Write a site again whenever one of its files changes."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path

_PAUSE_SECONDS = 1.0


def stamps_of(files: Sequence[Path]) -> tuple[tuple[int, int], ...]:
    """Time of change and size of files; zeros for a missing file, as while an editor saves it."""
    stamps = []
    for file in files:
        try:
            status = file.stat()
            stamps.append((status.st_mtime_ns, status.st_size))
        except OSError:
            stamps.append((0, 0))
    return tuple(stamps)


def watch(
    files_of: Callable[[], Sequence[Path]], make: Callable[[], None], pause: Callable[[float], None] = time.sleep
) -> None:
    """Call `make` after each change of the files, until interrupted; changes during a call lead to a further call."""
    before = stamps_of(files_of())
    while True:
        pause(_PAUSE_SECONDS)
        after = stamps_of(files_of())
        if after != before:
            before = after
            make()
