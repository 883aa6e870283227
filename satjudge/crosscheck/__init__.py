"""Independent adjudicators that the answers of satjudge are compared with."""

from typing import TYPE_CHECKING

from satjudge.lazy import submodules as _submodules

if TYPE_CHECKING:
    from satjudge.crosscheck import replaying as replaying
else:
    __getattr__ = _submodules("satjudge.crosscheck", "replaying")
