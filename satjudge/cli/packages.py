"""Packages that are missing or broken: which, and how to get them."""

from __future__ import annotations

from traceback import walk_tb

REQUIRED = ("ortools", "networkx", "click", "rich", "msgspec")
EXTRAS = {
    **dict.fromkeys(("matplotlib",), "plot"),
    **dict.fromkeys(("resvg_py",), "pictures"),
    **dict.fromkeys(("numba", "llvmlite", "numpy"), "bulk"),
    **dict.fromkeys(("clingo", "diplomacy"), "oracles"),
    **dict.fromkeys(("pysat",), "proofs"),
    **dict.fromkeys(("distributed", "dask"), "cluster"),
}
"""Packages by the name they are imported by, with the extra of satjudge that brings each."""


def package_message(error: Exception) -> str | None:
    """What to tell of an error, if it came of importing a package that is missing or broken."""
    name = _package_of(error)
    if name is None:
        return None
    extra = f"satjudge[{EXTRAS[name]}]" if name in EXTRAS else name
    if isinstance(error, ModuleNotFoundError) and (error.name or "").partition(".")[0] == name:
        return f"this needs the package {name}, which is not installed (pip install '{extra}')"
    again = f"pip install --force-reinstall '{extra}'"
    return f"the package {name} cannot be imported: {type(error).__name__}: {error} ({again})"


def _package_of(error: Exception) -> str | None:
    """The package that is missing, or the first one that was being imported when the error came."""
    known = {*REQUIRED, *EXTRAS}
    for frame, _ in walk_tb(error.__traceback__):
        package = frame.f_globals.get("__name__", "").partition(".")[0]
        if package in known and frame.f_code.co_name == "<module>":
            return str(package)
    missing = (getattr(error, "name", None) or "").partition(".")[0] if isinstance(error, ImportError) else ""
    return missing if missing in known else None
