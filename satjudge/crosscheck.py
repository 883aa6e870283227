"""Compares other engines and saved games with satjudge: `satjudge.crosscheck.replay(game, rulebook)`."""

from typing import TYPE_CHECKING

from satjudge.base.lazy import formerly as _formerly
from satjudge.engines import __all__ as _modules
from satjudge.engines.replaying import Replayed, replay
from satjudge.oracles.oracle import Answer

if not TYPE_CHECKING:
    __getattr__ = _formerly(__name__, **{name: f"satjudge.engines.{name}" for name in _modules})

__all__ = ["Answer", "Replayed", "replay"]
