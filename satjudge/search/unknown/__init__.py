"""Orders as unknowns of the equations: what `search`, `prove` and `guarantee` ask a solver about."""
