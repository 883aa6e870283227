"""Proves the steps of certificates, and packs their files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import TypeAlias

from satjudge.base.errors import InputError
from satjudge.base.version import __version__
from satjudge.proofs.certificates.lrat_proofs import SatisfiableError, iter_refutation
from satjudge.proofs.verify.certificate import FORMAT, Certificate, Claim, Step, describe_file
from satjudge.proofs.verify.named_clauses import NamedClauses
from satjudge.world.geography import Map, load_map, shipped_maps

Proved: TypeAlias = tuple[Step, Mapping[str, bytes]]
"""A step of a certificate with its files."""
Certified: TypeAlias = tuple[Certificate, Mapping[str, bytes]]
"""A certificate with its files."""


def prove_step(proves: str, name: str, clauses: NamedClauses, *, store_clauses: bool = True) -> Proved:
    """Prove a step of a certificate, and return it with its files: the clauses, and a proof that they cannot all hold.

    Clauses that follow from the claim need not be stored (`store_clauses`). Raises `SatisfiableError` if they can hold.
    """
    formula = clauses.text.encode()
    try:
        proof = "".join(f"{line}\n" for line in iter_refutation(clauses.clauses)).encode()
    except SatisfiableError:
        raise SatisfiableError(f"“{proves}” cannot be proved: please report the position") from None
    files = {f"{name}.cnf": formula, f"{name}.lrat": proof}
    described = [describe_file(*entry) for entry in files.items()]
    return Step(proves, *described), files if store_clauses else {described[1].name: proof}


def pack_certificate(claim: Claim, title: str, proved: Iterable[Proved], *assumptions: str) -> Certified:
    """Make a certificate from a claim and its proved steps, and return it with its files."""
    steps = [*proved]
    files = {name: content for _, written in steps for name, content in written.items()}
    listed = [step for step, _ in steps]
    return Certificate(
        format=FORMAT, claim=claim, title=title, steps=listed, assumptions=[*assumptions], versions=list_versions()
    ), files


def check_shipped_map(game_map: Map) -> None:
    """Raise `InputError` for maps that a certificate cannot name."""
    if game_map.name not in shipped_maps() or load_map(game_map.name) is not game_map:
        raise InputError(f"certificates are only for included maps, and {game_map.name} is not one of them")


def list_versions() -> dict[str, str]:
    """Return the versions of the programs that made the certificate."""
    found = {"satjudge": __version__}
    for package in ("ortools", "python-sat"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found
