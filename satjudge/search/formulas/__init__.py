"""Holds formulas about unknown orders, the solvers that decide them, and the file formats that store them."""
