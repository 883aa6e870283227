"""Compares satjudge with independent adjudicators, and with games and cases that other programs judged."""

from typing import TYPE_CHECKING

from satjudge.lazy import submodules as _submodules

if TYPE_CHECKING:
    from satjudge.crosscheck import replaying as replaying
else:
    __getattr__ = _submodules("satjudge.crosscheck", "replaying")
