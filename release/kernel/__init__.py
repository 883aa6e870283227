"""Makes the compiled kernel and its table files (`make kernel`): equations and the subset of Python, printed as C."""
