"""Measures what proofs in LRAT cost, for the table of docs/papers/certificates.md.

    python benchmarks/studies/lrat_proofs.py files FILE.cnf…     # formulas of `satjudge search --formula FILE.cnf`
    python benchmarks/studies/lrat_proofs.py lines               # every siege of every published line that no attack breaks
    python benchmarks/studies/lrat_proofs.py resolutions         # the DATC's cases, all their resolutions excluded

`--write DIR` keeps formulas and proofs there, as `NAME.cnf` and `NAME.lrat`.

Seconds are those of the processor, on a machine as busy as it is; reading the formula is not counted.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from tempfile import TemporaryFile
from time import process_time

import pysolvers
from pysat.solvers import Cadical195

from satjudge import load_rulebook
from satjudge.judging.check import load_sheet_rulebook
from satjudge.judging.judge import resolutions as all_resolutions
from satjudge.notation.bundled_cases import read_collection
from satjudge.notation.sheets import Sheet
from satjudge.proofs.certificates.lrat_proofs import trim_proof
from satjudge.proofs.verify.lrat import check_proof, read_formula
from satjudge.search.formulas.clauses import TRUE, Formula
from satjudge.search.formulas.file_formats import Clause, make_clauses
from satjudge.search.lines.line import read_line
from satjudge.search.lines.prove import iter_sieges
from satjudge.search.open_orders.encoding import UnknownOrders
from satjudge.search.open_orders.same_power import KnownPowers
from satjudge.search.open_orders.universe import Spot
from satjudge.world.board import Phase


@dataclass(slots=True)
class Cost:
    """Sizes, bytes, and seconds: solved without a proof, with one, trimmed and checked. Sums of several formulas."""

    formulas: int = 0
    variables: int = 0
    clauses: int = 0
    plain: float = 0
    logged: float = 0
    written: int = 0
    trimming: float = 0
    kept: int = 0
    steps: int = 0
    checking: float = 0

    def add(self, other: Cost) -> None:
        for field in fields(self):
            setattr(self, field.name, getattr(self, field.name) + getattr(other, field.name))

    def row(self, name: str) -> str:
        """A row of the table in Markdown; the ratio is of solving, trimming and checking to solving alone."""
        whole = self.logged + self.trimming + self.checking
        return (
            f"| {name} | {self.formulas} | {self.variables:,} | {self.clauses:,} | {self.plain:.2f} | {self.logged:.2f} | "
            f"{self.written:,} | {self.trimming:.2f} | {self.kept:,} | {self.steps:,} | {self.checking:.2f} | "
            f"{self.logged / self.plain:.2f} | {whole / self.plain:.2f} |"
        )


def solved(clauses: Sequence[Clause], *, proof: bool) -> tuple[bool, float, list[bytes]]:
    """Whether the clauses can hold, the seconds to find out, and the lines of the proof that they cannot."""
    with TemporaryFile() as file, Cadical195() as solver:
        if proof:
            solver.configure({"lrat": 1, "binary": 0})
            solver.prfile, solver.prfp = file, pysolvers.cadical195_tracepr(solver.cadical, file)
        began = process_time()
        for clause in clauses:
            solver.add_clause(clause)
        satisfiable = solver.solve()
        seconds = process_time() - began
        if proof:
            pysolvers.flushpr(solver.prfp)
        file.seek(0)
        return satisfiable, seconds, file.read().splitlines()


def cost(size: int, clauses: Sequence[Clause], place: Path | None = None) -> Cost | None:
    """What the proof costs; None if there is none. Formula and proof are written to files of this name, if there is one."""
    satisfiable, plain, _ = solved(clauses, proof=False)
    if satisfiable:
        return None
    _, logged, lines = solved(clauses, proof=True)
    began = process_time()
    proof = [*trim_proof(len(clauses), lines)]
    trimming, began = process_time() - began, process_time()
    steps = check_proof(clauses, proof, max_variable=size)
    checking = process_time() - began
    written, kept = (sum(map(len, some)) + len(some) for some in (lines, proof))
    if place:
        formula = (f"p cnf {size} {len(clauses)}", *(" ".join(map(str, (*clause, 0))) for clause in clauses))
        for ending, some in ((".cnf", formula), (".lrat", proof)):
            place.with_name(place.name + ending).write_text("".join(f"{line}\n" for line in some), encoding="ascii")
    return Cost(1, size, len(clauses), plain, logged, written, trimming, kept, steps, checking)


Places = Callable[[str], Path | None]
"""Where the formula of this name is to be written."""


def files(paths: Iterable[str], place: Places) -> Iterator[tuple[str, Cost | None]]:
    for path in paths:
        with open(path, encoding="utf-8") as file:
            size, clauses = read_formula(file)
        yield Path(path).stem, cost(size, clauses, place(Path(path).stem))


def lines(paths: Iterable[str], place: Places) -> Iterator[tuple[str, Cost | None]]:
    """One row for each line: no more enemies than there may be, for each province that they cannot enter."""
    for sheet in read_collection("lines"):
        if not sheet.notes.get("finding"):
            continue  # an attack on a line
        line, total = read_line(sheet, load_rulebook("datc-3")), Cost()
        for siege in filter(None, iter_sieges(line)):
            formula = siege.formula
            formula.require(-formula.at_least(line.enemies + 1, siege.unknown))
            clauses = make_clauses(formula)
            total.add(cost(clauses.size, clauses.clauses, place(f"{sheet.identity}-{siege.target}")) or Cost())
        yield sheet.identity, total if total.formulas else None


def resolutions(paths: Iterable[str], place: Places) -> Iterator[tuple[str, Cost | None]]:
    """One row for each case: the equations hold, and none of the resolutions is the one that is looked for."""
    for sheet in read_collection("datc-3.2"):
        if sheet.phase is Phase.MOVEMENT:
            yield sheet.identity, _resolutions_of(sheet, place)


def _resolutions_of(sheet: Sheet, place: Places) -> Cost | None:
    found = all_resolutions(sheet.board, sheet.orders_by_power(), rulebook=load_sheet_rulebook(sheet))
    situation = found.situation
    stands = {Spot(unit.kind, unit.location): TRUE for unit in situation.board.units}
    formula = Formula()
    orders = UnknownOrders(
        formula,
        situation,
        guards=[TRUE] * len(situation.decisions),
        written_orders=[decision.order for decision in situation.order_decisions],
        stands=stands,
        powers=KnownPowers(formula, stands, {unit.province: unit.power for unit in situation.board.units}),
        unsupportable={place.province: TRUE for place in situation.places.values() if not place.supportable},
    )
    encoding = orders.encode_resolution()
    for values in found:
        formula.require(*(-encoding.move(move) if values[move.index] else encoding.move(move) for move in situation.moves))
    clauses = make_clauses(formula)
    return cost(clauses.size, clauses.clauses, place(sheet.identity))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("files", "lines", "resolutions"))
    parser.add_argument("paths", nargs="*")
    parser.add_argument("--write", type=Path, metavar="DIR")
    arguments = parser.parse_args()
    folder: Path | None = arguments.write
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
    total = Cost()
    for name, found in {"files": files, "lines": lines, "resolutions": resolutions}[arguments.what](
        arguments.paths, lambda name: folder and folder / name
    ):
        print(found.row(name) if found else f"| {name} | satisfiable |", flush=True)
        total.add(found or Cost())
    print(total.row("all"))


if __name__ == "__main__":
    main()
