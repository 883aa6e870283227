"""Holds formulas about unknown orders, and the solvers and file formats that take them."""
