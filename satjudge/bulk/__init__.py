"""Many boards at once: movement phases over arrays, with the equations compiled by numba (extra `bulk`).

The pipeline is the plain one (`tables`, `posing`, `settling`, `telling`, and `answers` around them); it answers what partial
information settles, and leaves everything else to the plain path. The equations in it are not written a second time:
`translate` makes `equations` from `satjudge.equations.statement`.
"""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from satjudge.bulk.answers import Answerer


def installed() -> bool:
    """Whether numba is."""
    return find_spec("numba") is not None


@cache
def answerer(longest_name: int) -> Answerer | None:
    """What answers many requests at once under `datc-3` on the standard map; None where numba is not installed.

    Power names of more than so many characters are left to the plain path.
    """
    if not installed():
        return None
    from satjudge.bulk.answers import Answerer
    from satjudge.bulk.tables import Tables
    from satjudge.geography import load_map
    from satjudge.rules import DEFAULT_RULES, load_preset

    return Answerer(Tables(load_map(), load_preset(DEFAULT_RULES)), longest_name)
