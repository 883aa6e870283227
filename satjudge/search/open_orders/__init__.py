"""States orders as unknowns of the equations, which `search`, `prove` and `guarantee` ask a solver about."""
