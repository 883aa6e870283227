"""Environments for learning agents: DeepMind's protocol, and PettingZoo's parallel interface (docs/guides/environments.md).

Both use `satjudge.bulk.Games`, which can play thousands of games at once. The modules in `__all__` are for users; each needs an
extra of the package.
"""

from typing import TYPE_CHECKING

from satjudge.base.imports import make_lazy_getattr as _lazily

if TYPE_CHECKING:
    from satjudge.env import deepmind as deepmind
    from satjudge.env import parallel as parallel
else:
    __getattr__ = _lazily(__name__, deepmind="satjudge.env.deepmind", parallel="satjudge.env.parallel")

__all__ = ["deepmind", "parallel"]
