"""Each clause of the formal DATC 5.B (`models/theory/Specification.v`), broken once, and the program that comes of it."""

from __future__ import annotations

import shutil
import subprocess
import tomllib
from collections.abc import Sequence
from pathlib import Path

from helpers import theory

Change = Sequence[str]
"""A piece of the specification, and what it is changed into."""

SPECIFICATION = "Specification.v"
PROGRAM = """From Coq Require Import ExtrOcamlBasic ExtrOcamlNatInt.
From mathcomp Require Import ssrnat seq.
From SatjudgeTheory Require Import Specification.
Definition well_formed (_ : situation) := true.
Definition solve := resolutions.
Definition adjudicate (_ : situation) : seq province * seq province := (nil, nil).
Extract Inlined Constant eqn => "((=) : int -> int -> bool)".
Extraction "theory.ml" well_formed resolutions solve adjudicate.
"""
"""The specification alone as a program: to break it breaks the proofs that the procedure comes with."""

_TABLES = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
MUTATIONS: dict[str, list[Change]] = _TABLES["mutations"]
EQUIVALENT: dict[str, list[Change]] = _TABLES["equivalent"]
"""Changes without an effect, as the text says them twice."""


def mutated(name: str, folder: Path) -> Path:
    """A folder with the theory, one clause of the specification broken."""
    shutil.copytree(theory.THEORY, folder, ignore=shutil.ignore_patterns("build"))
    text = (folder / SPECIFICATION).read_text(encoding="utf-8")
    for old, new in (MUTATIONS | EQUIVALENT)[name]:
        assert text.count(old) == 1, f"the specification has changed: {old!r} is there {text.count(old)} times"
        text = text.replace(old, new)
    (folder / SPECIFICATION).write_text(text, encoding="utf-8")
    return folder


def specification_alone(folder: Path) -> Path:
    """The program that enumerates by the specification of a folder, without any proof."""
    (folder / "Extraction.v").write_text(PROGRAM, encoding="utf-8")
    command = ["make", "--silent", "-C", str(folder), "FILES=Specification Extraction"]
    subprocess.run(command, check=True, capture_output=True, text=True, timeout=600)
    return folder / "build" / "theory"
