"""Environments for agents that learn: DeepMind's protocol, and PettingZoo's parallel interface (docs/environments.md).

Both play `satjudge.bulk.Games`, which plays thousands of games at once. The modules in `__all__` are for users; each needs an
extra.
"""

__all__ = ["deepmind", "parallel"]
