"""Verifies certificates of resolutions: a position has exactly those listed, with these verdicts.

A resolution that is proved to be the only one is the outcome. If there are several, or none, the rulebook's backup rule
decides: then an oracle judges, which was written from the texts (satjudge/oracles) and plays by one rulebook. If both can
judge, both do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, TypeAlias

from satjudge.base.errors import InputError
from satjudge.base.words import number_of
from satjudge.oracles import guide_1998, kruijswijk_guess, kruijswijk_variants
from satjudge.oracles.oracle import Answer, format_verdict
from satjudge.proofs.verify.certificate import LEGALITY, CertificateFile, NamedClauses, Resolution, ResolutionsClaim
from satjudge.proofs.verify.checks import Verification
from satjudge.proofs.verify.positions import ParsedPosition
from satjudge.proofs.verify.second_encoder import TRUE
from satjudge.world.board import Board
from satjudge.world.orders import Hold, Move
from satjudge.world.rules import load_rulebook
from satjudge.world.verdicts import OrderResult

Verdicts: TypeAlias = Mapping[str, str]
"""The verdicts by order."""
Oracle: TypeAlias = Callable[[Board, Mapping[str, Sequence[Any]]], Answer]
ORACLES: Mapping[str, tuple[Oracle, bool]] = {
    "datc-3": (kruijswijk_guess.judge, False),
    "datc-2": (kruijswijk_variants.judge, True),
    "guide-1998": (guide_1998.judge, False),
}
"""The oracle of each rulebook, and whether it knows maps with rules of their own."""


def iter_verdicts(position: ParsedPosition, resolutions: Sequence[Resolution]) -> Iterator[tuple[str, Verdicts]]:
    """Yield, with its source in words, each available set of verdicts: from the only resolution, and from an oracle.

    `resolutions` must be all consistent ones.

    If trains move, a resolution does not suffice: it does not say how far they get.
    """
    if len(resolutions) == 1 and not any(isinstance(order, Move) and order.railroad for order in position.by_province.values()):
        yield "the one resolution", derive_verdicts(position, resolutions[0])
    if oracle := _find_oracle(position):
        try:
            answer = oracle(position.board, _collect_orders(position))
        except Exception:  # oracles have their own exceptions for no answer
            return
        words = {
            str(order): hide_retreats(word)
            for power, orders in position.orders.items()
            for order, word in zip(orders, answer.verdicts[power], strict=False)
        }
        yield "an oracle", words


def hide_retreats(verdict: str) -> str:
    """Return the verdict with `dislodged` instead of `destroyed`, so that it says nothing about retreats."""
    return verdict.replace("destroyed", "dislodged")


def check_verdicts(position: ParsedPosition, resolutions: Sequence[Resolution], verdicts: Verdicts | None) -> str:
    """Raise `InputError` unless the claimed verdicts are right; return a sentence on who judged how many orders.

    Raises `InputError` if they are wrong, if nothing judges them, or if an oracle finds an order illegal that should count.
    """
    found = [*iter_verdicts(position, resolutions)]
    for who, said in found:
        if illegal := next((order for order, verdict in said.items() if verdict.startswith(OrderResult.ILLEGAL)), None):
            raise InputError(f"{illegal}: {who} says that it does not count")
    if verdicts is None:
        return "none are claimed"
    if not found:
        raise InputError("the claimed verdicts cannot be checked")
    for who, said in found:
        if verdicts.keys() != said.keys():
            raise InputError("the verdicts are not one for each order of the position")
        for order, verdict in verdicts.items():
            if said[order] != verdict:
                raise InputError(f"{order}: “{verdict}”, but {who} says “{said[order]}”")
    return f"{number_of(len(verdicts), 'order')}, judged by {' and by '.join(who for who, _ in found)}"


def derive_verdicts(position: ParsedPosition, resolution: Resolution) -> Verdicts:
    """Return the verdict of each order in a resolution, by the order's text."""
    _, encoded = position.second_encoding
    entered = {move.destination for move in encoded.moves if resolution.succeeds[str(move.order)]}
    words = {str(order): "stands" for order in position.by_province.values() if isinstance(order, Hold)}
    left = set()
    for kind, good, bad in (
        (encoded.moves, "succeeds", "fails"),
        (encoded.supports, "given", "cut"),
        (encoded.convoys, "available", "disrupted"),
    ):
        for candidate in kind:
            order = str(candidate.order)
            succeeds = resolution.succeeds[order]
            words[order] = (good if succeeds else bad) if encoded.equations.is_valid(candidate) == TRUE else "invalid"
            if succeeds and candidate in encoded.moves:
                left.add(candidate.province)
    return {
        str(order): format_verdict(words[str(order)], [province] if province in entered - left else None)
        for province, order in position.by_province.items()
    }


def _find_oracle(position: ParsedPosition) -> Oracle | None:
    """Return the oracle with the position's rulebook and map, if there is one; None if there is none."""
    if position.position.unsupportable:  # oracles cannot take this as input
        return None
    settings = position.rulebook.settings()
    for name, (oracle, every_map) in ORACLES.items():
        if load_rulebook(name).settings() == settings and (every_map or not position.board.map.own_rules):
            return oracle
    return None


def _collect_orders(position: ParsedPosition) -> Mapping[str, Sequence[Any]]:
    """Return the orders of each power, followed by the permissions that it gives as the holder of a canal."""
    given: dict[str, list[Any]] = {power: [*orders] for power, orders in position.orders.items()}
    keepers = {canal.name: canal.keeper for canal in position.board.map.canals}
    for permission in position.permissions:
        if unit := position.board.unit_at.get(keepers[permission.canal]):
            given.setdefault(unit.power, []).append(permission)
    return given


# ---- the verification of a certificate ----


class ResolutionsVerification(Verification):
    """The checks of a certificate of resolutions."""

    steps = 1

    def __init__(self, package: CertificateFile, claim: ResolutionsClaim) -> None:
        super().__init__(package)
        self.stated = claim
        self.position = ParsedPosition(claim.position)

    @property
    def claim(self) -> str:
        """The claim of the certificate, in words."""
        if not self.stated.resolutions:
            return "the position has no consistent resolution"
        return f"the position has {number_of(len(self.stated.resolutions), 'consistent resolution')}, and no other"

    @property
    def subject(self) -> Sequence[str]:
        """The lines with the position, the orders' results in each resolution, and the final verdicts."""
        succeeding = ([order for order, holds in one.succeeds.items() if holds] for one in self.stated.resolutions)
        verdicts = self.stated.verdicts or {}
        return (
            *self.position.iter_lines(),
            *(f"resolution {n}: {', '.join(these) or 'nothing'} succeeds" for n, these in enumerate(succeeding, 1)),
            *([f"in the end: {'; '.join(f'{order}: {verdict}' for order, verdict in verdicts.items())}"] if verdicts else ()),
        )

    def list_checks(self) -> Sequence[tuple[str, Callable[[], str]]]:
        """Return the checks in order, each with its name and the function that runs it and returns its finding."""
        return (
            ("assumptions", lambda: self.check_assumptions(LEGALITY)),
            ("position", self._check_position),
            ("resolutions", self._check_resolutions),
            ("formula", self._check_formula_clauses),
            ("completeness", self._check_completeness),
            ("verdicts", self._check_verdicts),
        )

    def _check_position(self) -> str:
        """Check that the position can be read, and is possible; return its numbers of units and orders in words."""
        position = self.position
        units, orders = number_of(len(position.board.units), "unit"), number_of(len(position.by_province), "order")
        more = (
            *([number_of(len(position.permissions), "permission")] if position.permissions else ()),
            *([f"{number_of(len(position.unsupportable), 'unit')} not supportable"] if position.unsupportable else ()),
        )
        return ", ".join((units, orders, *more, f"rulebook {position.rulebook.name}"))

    def _check_resolutions(self) -> str:
        """Check that each listed resolution satisfies the equations and none is listed twice; return their number in words."""
        literals = self.position.literals
        listed = self.stated.resolutions
        for number, resolution in enumerate(listed, 1):
            if resolution.succeeds.keys() != literals.keys():
                raise InputError(f"resolution {number} is not about the orders of the position")
            if problem := self.position.find_problem(resolution.succeeds):
                raise InputError(f"resolution {number} is not consistent: {problem}")
        if len({tuple(sorted(one.succeeds.items())) for one in listed}) < len(listed):
            raise InputError("a resolution is listed twice")
        return f"{len(listed)} listed, each satisfies the equations"

    @cached_property
    def formula(self) -> NamedClauses:
        """The clauses of a further resolution."""
        return self.position.encode_further_resolution(self.stated.resolutions)

    def _check_formula_clauses(self) -> str:
        """Check that the step's clauses are the equations with the listed resolutions excluded; return their numbers."""
        formula = self.check_formula(0, self.formula)
        return f"{number_of(formula.size, 'variable')}, {number_of(len(formula.clauses), 'clause')}"

    def _check_completeness(self) -> str:
        """Check the proof that no other resolution exists; return its number of steps in a sentence."""
        return f"there is no other resolution: proved in {number_of(self.check_proof(0, self.formula.clauses), 'step')}"

    def _check_verdicts(self) -> str:
        """Check the claimed verdicts against every available source; return a sentence on who judged them."""
        return check_verdicts(self.position, self.stated.resolutions, self.stated.verdicts)
