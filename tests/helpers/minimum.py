"""Prints a constraint for pip from each requirement of pyproject.toml: exactly the oldest version that it allows.

`make versions VERSIONS=oldest` installs satjudge so, with its extras and a current pytest, and runs a part of the tests.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = ("plot", "pictures", "oracles", "proofs", "cluster")


def constraints() -> list[str]:
    """`msgspec==0.18.6` for `msgspec>=0.18.6`, and so on."""
    optional = PROJECT["optional-dependencies"]
    requirements = [*PROJECT["dependencies"], *(requirement for extra in EXTRAS for requirement in optional[extra])]
    found = [re.fullmatch(r"([\w-]+)>=([\w.]+)", requirement) for requirement in requirements]
    return [f"{match[1]}=={match[2]}" for match in found if match]


if __name__ == "__main__":
    print("\n".join(constraints()))
