"""Many boards at once: movement phases over arrays, with the equations compiled by numba (extra `bulk`).

The pipeline is the plain one (`boards`, with `tables` below and `answers` around it); it answers what partial information
settles, and leaves everything else to the plain path. The equations in it are not written a second time:
`translate` makes `equations` from `satjudge.equations.statement`.
"""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

from satjudge.bulk import machine_code
from satjudge.errors import named, was_interrupted
from satjudge.running.notices import tell_once

if TYPE_CHECKING:
    from satjudge.bulk.answers import Answerer


def installed() -> bool:
    """Whether numba is, in whatever state."""
    try:
        return find_spec("numba") is not None
    except ValueError:
        return True


@cache
def answerer(longest_name: int) -> Answerer | None:
    """What answers many requests at once under `datc-3` on the standard map; None where numba is not installed or fails.

    Power names of more than so many characters are left to the plain path. That numba fails is told once on standard error.
    """
    if not installed():
        return None
    while True:
        try:
            with machine_code.kept_whole():
                found = _tried(longest_name)
        except Exception as error:
            if machine_code.forget():  # that was at fault, perhaps
                continue
            tell_failure(error)
            return None
        if machine_code.folder() is None:
            tell_once("nowhere can compiled code be kept, so every process compiles: let NUMBA_CACHE_DIR name a folder")
        return found


def _tried(longest_name: int) -> Answerer:
    """The answerer, when it has judged a board. At the very first time this compiles for some seconds."""
    from satjudge.bulk.answers import Answerer, Movement
    from satjudge.bulk.tables import Tables
    from satjudge.geography import load_map
    from satjudge.rules import DEFAULT_RULES, load_preset

    found = Answerer(Tables(load_map(), load_preset(DEFAULT_RULES)), longest_name)
    (answer,) = found.answers([Movement(units={"FRANCE": ["A PAR"]}, orders={"FRANCE": ["A PAR - BUR"]})])
    if answer is None or answer["results"] != {"FRANCE": ["succeeds"]}:
        raise RuntimeError(f"the compiled code is wrong: {answer}")
    return found


def tell_failure(error: Exception) -> None:
    """Tell that the plain path must do. Raises `KeyboardInterrupt` for an error that came of Ctrl-C."""
    if was_interrupted(error):
        raise KeyboardInterrupt from error
    tell_once(f"answers take longer, as the compiled path for many boards fails: {named(error)}")
