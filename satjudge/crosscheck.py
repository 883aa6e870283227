"""Compares other engines and saved games with satjudge: `satjudge.crosscheck.replay(game, rulebook)`."""

from satjudge.engines.replaying import Replayed, replay
from satjudge.oracles.oracle import Answer

__all__ = ["Answer", "Replayed", "replay"]
