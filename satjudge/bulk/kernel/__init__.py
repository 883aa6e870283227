"""The kernel: judges boards, answers lines and plays games, in the subset of Python that `release/kernel` prints as C."""
