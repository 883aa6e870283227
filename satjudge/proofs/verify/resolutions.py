"""Verifies certificates of resolutions: a position has exactly the listed resolutions, and these verdicts.

A resolution that is proved to be the only one is the outcome. If there are several, or none, the rulebook's backup rule
decides. In that case an oracle judges: a separate judge for one rulebook, written from the texts (satjudge/oracles). If the
resolution and an oracle both give verdicts, both are checked.
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
"""The verdicts, by the order's text."""
Oracle: TypeAlias = Callable[[Board, Mapping[str, Sequence[Any]]], Answer]
ORACLES: Mapping[str, tuple[Oracle, bool]] = {
    "datc-3": (kruijswijk_guess.judge, False),
    "datc-2": (kruijswijk_variants.judge, True),
    "guide-1998": (guide_1998.judge, False),
}
"""The oracle of each rulebook, and whether it knows maps with rules of their own."""


def iter_verdicts(position: ParsedPosition, resolutions: Sequence[Resolution]) -> Iterator[tuple[str, Verdicts]]:
    """Yield each available set of verdicts, with its source in words: the only resolution, or an oracle.

    `resolutions` must contain all consistent ones. If trains move, a resolution is not enough, since it does not state how far
    they get.
    """
    if len(resolutions) == 1 and not any(isinstance(order, Move) and order.railroad for order in position.by_province.values()):
        yield "the one resolution", derive_verdicts(position, resolutions[0])
    if oracle := _find_oracle(position):
        try:
            answer = oracle(position.board, _collect_orders(position))
        except Exception:  # each oracle has its own exceptions if it has no answer
            return
        words = {
            str(order): hide_retreats(word)
            for power, orders in position.orders.items()
            for order, word in zip(orders, answer.verdicts[power], strict=False)
        }
        yield "an oracle", words


def hide_retreats(verdict: str) -> str:
    """Return the verdict with `dislodged` in place of `destroyed`, which would imply that the unit cannot retreat."""
    return verdict.replace("destroyed", "dislodged")


def check_verdicts(position: ParsedPosition, resolutions: Sequence[Resolution], verdicts: Verdicts | None) -> str:
    """Check that orders are legal, and verdicts if claimed; return in words how many were judged and by what, or none claimed.

    Raises `InputError` if they are wrong, if nothing judges them, or if an oracle finds an order illegal that should count.
    """
    found = [*iter_verdicts(position, resolutions)]
    for who, stated in found:
        if illegal := next((order for order, verdict in stated.items() if verdict.startswith(OrderResult.ILLEGAL)), None):
            raise InputError(f"{illegal}: this order is illegal according to {who}")
    if verdicts is None:
        return "none are claimed"
    if not found:
        raise InputError("the claimed verdicts cannot be checked")
    for who, stated in found:
        if verdicts.keys() != stated.keys():
            raise InputError("the claim must have exactly one verdict for each order of the position")
        for order, verdict in verdicts.items():
            if stated[order] != verdict:
                raise InputError(f"{order}: “{verdict}”, but {who} says “{stated[order]}”")
    return f"{number_of(len(verdicts), 'order')}, judged by {' and by '.join(who for who, _ in found)}"


def derive_verdicts(position: ParsedPosition, resolution: Resolution) -> Verdicts:
    """Return the verdict on each order in a resolution, by the order's text."""
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
    """Return the oracle for the position's rulebook and map; None without one, or if units are listed as unsupportable."""
    if position.position.unsupportable:  # oracles cannot take this as input
        return None
    settings = position.rulebook.settings()
    for name, (oracle, every_map) in ORACLES.items():
        if load_rulebook(name).settings() == settings and (every_map or not position.board.map.own_rules):
            return oracle
    return None


def _collect_orders(position: ParsedPosition) -> Mapping[str, Sequence[Any]]:
    """Return the orders of each power, followed by the permissions that it gives for a canal that it holds."""
    orders_by_power: dict[str, list[Any]] = {power: [*orders] for power, orders in position.orders.items()}
    keepers = {canal.name: canal.keeper for canal in position.board.map.canals}
    for permission in position.permissions:
        if unit := position.board.unit_at.get(keepers[permission.canal]):
            orders_by_power.setdefault(unit.power, []).append(permission)
    return orders_by_power


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
        """The lines of text with the position, the orders that succeed in each resolution, and the final verdicts."""
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
        """Check that the position can be read and is possible; return its numbers of units and orders in words."""
        position = self.position
        units, orders = number_of(len(position.board.units), "unit"), number_of(len(position.by_province), "order")
        more = (
            *([number_of(len(position.permissions), "permission")] if position.permissions else ()),
            *([f"{number_of(len(position.unsupportable), 'unit')} that cannot be supported"] if position.unsupportable else ()),
        )
        return ", ".join((units, orders, *more, f"rulebook {position.rulebook.name}"))

    def _check_resolutions(self) -> str:
        """Check that each listed resolution satisfies the equations and none is listed twice; return their number in words."""
        literals = self.position.literals
        resolutions = self.stated.resolutions
        for number, resolution in enumerate(resolutions, 1):
            if resolution.succeeds.keys() != literals.keys():
                raise InputError(f"resolution {number} must have exactly one result for each order of the position")
            if problem := self.position.find_problem(resolution.succeeds):
                raise InputError(f"resolution {number} is not consistent: {problem}")
        if len({tuple(sorted(one.succeeds.items())) for one in resolutions}) < len(resolutions):
            raise InputError("a resolution is listed twice")
        return f"{len(resolutions)} listed, each satisfies the equations"

    @cached_property
    def formula(self) -> NamedClauses:
        """The clauses for a resolution other than the listed ones."""
        return self.position.encode_further_resolution(self.stated.resolutions)

    def _check_formula_clauses(self) -> str:
        """Check the step's clauses against newly made ones; return the numbers of variables and clauses in words."""
        formula = self.check_formula(0, self.formula)
        return f"{number_of(formula.size, 'variable')}, {number_of(len(formula.clauses), 'clause')}"

    def _check_completeness(self) -> str:
        """Check the proof that no other resolution exists; return a sentence with its number of steps."""
        return f"there is no other resolution: proved in {number_of(self.check_proof(0, self.formula.clauses), 'step')}"

    def _check_verdicts(self) -> str:
        """Check the claimed verdicts against every available source; return a sentence that names the sources."""
        return check_verdicts(self.position, self.stated.resolutions, self.stated.verdicts)
