"""`cached_property` as Python 3.12 has it: the one of 3.11 takes a lock, which costs more than what it guards."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING or sys.version_info >= (3, 12):
    from functools import cached_property
else:

    class cached_property:  # noqa: N801  # stands in for the one above
        """Worked out when it is first asked for, then an attribute like any other."""

        def __init__(self, work_out) -> None:  # noqa: ANN001
            self.work_out = work_out
            self.__doc__ = work_out.__doc__

        def __set_name__(self, owner, name):  # noqa: ANN001, ANN204
            self.name = name

        def __get__(self, instance, owner=None):  # noqa: ANN001, ANN204
            if instance is None:
                return self
            value = instance.__dict__[self.name] = self.work_out(instance)
            return value


__all__ = ["cached_property"]
