"""The rating office: official lists, performances with title norms, pools of players through the years."""

from typing import TYPE_CHECKING

import lazy_loader

if TYPE_CHECKING:
    from halfpoint.fields.office.list import official_list
    from halfpoint.fields.office.performances import performances
    from halfpoint.fields.office.pools import pool

__all__ = ["official_list", "performances", "pool"]

__getattr__, __dir__, _ = lazy_loader.attach(
    __name__, submod_attrs={"list": ["official_list"], "performances": ["performances"], "pools": ["pool"]}
)
