"""Reads goals about the outcome as literals: `occupied:PAR=FRANCE`, `dislodged:PAR`, `some(dislodged:UNIT)`, joined.

The goals are those of docs/reference/goals.md.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from satjudge.base.errors import InputError
from satjudge.proofs.verify.second_encoder import FALSE, Encoded, Literal
from satjudge.world.board import Board, Unit
from satjudge.world.geography import Location, Map, Power, ProvinceCode, province_of
from satjudge.world.orders import Move

if TYPE_CHECKING:
    from satjudge.proofs.verify.searches import OpenFormula

Wish: TypeAlias = Callable[["OpenFormula", Encoded], Literal]
_WORD = re.compile(r"[()]|[^\s()]+")


@dataclass
class WishParser:
    """Reads a wish: atoms with `and`, `or`, `not` and parentheses.

    Raises `InputError` for anything else.

    Whose units stand where is known of a board only.
    """

    text: str
    map: Map
    board: Board | None = None

    def __post_init__(self) -> None:
        self.words = _WORD.findall(self.text)

    def whole(self) -> Wish:
        """Read the whole text as a wish."""
        try:
            found = self._any()
        except RecursionError:
            raise InputError("the goal is nested too deeply") from None
        if self.words:
            raise self._unknown(self.words[0])
        return found

    def _unknown(self, word: str) -> InputError:
        return InputError(f"“{word}” in “{self.text}” is nothing that a certificate can speak of")

    def _next(self, word: str) -> bool:
        """Take the next word if it is this one, and tell whether it was."""
        if self.words[:1] != [word]:
            return False
        self.words.pop(0)
        return True

    def _any(self) -> Wish:
        parts = [self._all()]
        while self._next("or"):
            parts.append(self._all())
        return lambda question, found: question.cnf.any_of(part(question, found) for part in parts)

    def _all(self) -> Wish:
        parts = [self._one()]
        while self._next("and"):
            parts.append(self._one())
        return lambda question, found: question.cnf.all_of(part(question, found) for part in parts)

    def _one(self) -> Wish:
        if self._next("not"):
            denied = self._one()
            return lambda question, found: -denied(question, found)
        if self.words[:4] == ["some", "(", "dislodged:UNIT", ")"]:
            del self.words[:4]
            return lambda question, found: question.cnf.any_of(
                question.dislodged(found, province) for province in question.boards.occupied
            )
        if self._next("("):
            inner = self._any()
            if not self._next(")"):
                raise InputError(f"a parenthesis is not closed in “{self.text}”")
            return inner
        return self._atom(self.words.pop(0) if self.words else "")

    def _atom(self, word: str) -> Wish:
        name, _, argument = word.partition(":")
        place, equals, power = argument.partition("=")
        if province_of(place) not in self.map.provinces or place not in self.map.locations:
            raise self._unknown(word)
        if name == "dislodged" and not equals:
            return lambda question, found: question.dislodged(found, place)
        if name != "occupied":
            raise self._unknown(word)
        if not equals and place in self.map.provinces:
            return lambda question, found: self._is_occupied(question, found, place)
        powers = {power} if equals else {unit.power for unit in self._units()}
        if not self.board or not powers <= {*self.map.powers, *(unit.power for unit in self._units())}:
            raise self._unknown(word)
        return lambda question, found: self._stands(question, found, place, frozenset(powers))

    def _units(self) -> Sequence[Unit]:
        return self.board.units if self.board else ()

    @staticmethod
    def _is_occupied(question: OpenFormula, found: Encoded, province: ProvinceCode) -> Literal:
        """Return the literal that a unit stands in a province after the moves; dislodged ones do not count."""
        stays = question.cnf.all_of((question.boards.occupied.get(province, FALSE), -question.left(found, province)))
        return question.cnf.any_of((question.entered(found, province), stays))

    def _stands(self, question: OpenFormula, found: Encoded, place: Location, powers: frozenset[Power]) -> Literal:
        """Return the literal that a unit of some powers stands in a place after the moves; dislodged ones do not count."""
        province, units = province_of(place), {unit.province: unit for unit in self._units()}
        arrive = []
        for move in found.equations.moves_to[province]:
            assert isinstance(move.order, Move)
            if units[move.province].power in powers and place in (province, move.order.destination):
                arrive.append(found.moves[move])
        there = units.get(province)
        if there and there.power in powers and place in (province, there.location):
            arrive.append(question.cnf.all_of((-question.left(found, province), -question.entered(found, province))))
        return question.cnf.any_of(arrive)
