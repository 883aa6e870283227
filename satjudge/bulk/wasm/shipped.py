"""Reads the compiled kernel that comes with satjudge, and finds the functions in it for a rulebook."""

from __future__ import annotations

import hashlib
from functools import cache
from typing import Any

import msgspec

from satjudge.base.errors import NotFoundError
from satjudge.base.processes import tell_once
from satjudge.base.resources import data_file
from satjudge.bulk.kernel_source import kernel_source
from satjudge.bulk.known import Known
from satjudge.bulk.wasm import sources
from satjudge.bulk.wasm.kernel import WasmKernel
from satjudge.bulk.wasm.ready import CODE, MANIFEST, Manifest, rulebooks
from satjudge.bulk.wasm.sandbox import SandboxError
from satjudge.judging.equations.generator import TranslationError
from satjudge.world.rules import Rulebook, load_preset

WITHOUT_EQUATIONS = ("list_games", "draw_listed", "go_on", "begin_games", "draw_moves")
"""The functions that read no equation: rulebooks that treat superfluous convoys alike share them."""


class Shipped:
    """A compiled kernel with its manifest."""

    def __init__(self, manifest: Manifest, code: bytes) -> None:
        self.manifest, self.code = manifest, code

    def fault(self) -> str | None:
        """Say why the kernel is not to be used; None if it is what its sources say."""
        if hashlib.sha256(self.code).hexdigest() != self.manifest.compiled:
            return f"{CODE} is not the file that {MANIFEST} tells of"
        current = self.manifest.written_from == sources.written_from() or self.manifest.printed == sources.printed().digest
        return None if current else f"{CODE} was compiled from other equations than these (make kernel)"

    def names(self, rulebook: Rulebook) -> dict[str, str] | None:
        """Find the names of the functions for a rulebook; None where the module has not its equations."""
        if rulebook.name in rulebooks() and rulebook == load_preset(rulebook.name):
            return self.manifest.entries[self.manifest.presets[rulebook.name]]
        try:
            return self.manifest.entries.get(sources.key_of(rulebook))
        except TranslationError:
            return None

    def shared_names(self, rulebook: Rulebook) -> dict[str, str]:
        """Find the names of the functions that a rulebook shares with one that comes compiled."""
        alike = next(name for name in rulebooks() if load_preset(name).superfluous_convoy is rulebook.superfluous_convoy)
        known = self.manifest.entries[self.manifest.presets[alike]]
        names = {function: known[function] for function in WITHOUT_EQUATIONS}
        try:
            kernel_source(rulebook)
        except TranslationError:  # its orders are legal in ways that the kernel does not know
            del names["draw_moves"]
        return names


@cache
def shipped() -> Shipped | None:
    """Read the compiled kernel; None where it is missing or not that of the sources, which is told once."""
    try:
        manifest: Any = msgspec.json.decode(data_file("models", "kernel", MANIFEST).read_bytes(), type=Manifest)
        found = Shipped(manifest, data_file("models", "kernel", CODE).read_bytes())
        fault = found.fault()
    except (OSError, NotFoundError, msgspec.DecodeError) as error:
        fault = f"the compiled kernel cannot be read: {error}"
    if fault:
        tell_once(f"answers take longer: {fault}")
        return None
    return found


def kernel_for(known: Known) -> WasmKernel:
    """Load the compiled kernel for a map and a rulebook, without `judge_boards` where the equations do not come compiled.

    Raises `SandboxError` where it cannot be run.
    """
    found = shipped()
    if not found:
        raise SandboxError("arrays need the compiled kernel, which cannot be used")
    names = found.names(known.rulebook) or found.shared_names(known.rulebook)
    return WasmKernel(found.code, names, known)
