"""Writes DATC 2.4, chapter 7.B, as clauses, based only on the text: a train is an army that moves along a railroad.

A train enters the provinces on its way one after the other. PASS of a province is true if the train gets there: past an army
of its own power that stays, or into a province that is empty or whose unit leaves, if no unit keeps it out. It ends in the
last of these where no unit stays. It attacks no unit and cuts no support, but prevents others from moving where it tries to go.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

from satjudge.proofs.verify.second_encoder.candidates import Candidate
from satjudge.proofs.verify.second_encoder.cnf import FALSE, TRUE, Literal
from satjudge.proofs.verify.second_encoder.datc_5b import Equations, Strength
from satjudge.world.geography import ProvinceCode, Railroad
from satjudge.world.orders import Move


class TrainEquations(Equations):
    """The equations of a board with trains; `closed` are the centres on a railroad that another power owns."""

    def __init__(self, *stated: Any, closed: Iterable[ProvinceCode] = ()) -> None:  # noqa: ANN401
        super().__init__(*stated)
        self.closed = frozenset(closed)
        self.passes = {
            (train, province): self.cnf.add_input(f"{self.label}PASS {train.order} {province}")
            for train in self.trains
            for province in self.list_way(train)[:-1]
        }
        for train in self.trains:
            self.passes[train, train.destination] = self.moves[train]
            for place, province in enumerate(self.list_way(train)[:-1]):
                self.cnf.require_equal(self.passes[train, province], self.make_pass_equation(train, place))

    @cached_property
    def trains(self) -> Sequence[Candidate]:
        """The candidate moves by railroad (trains)."""
        return [move for move in self.moves if is_train(move)]

    def list_way(self, train: Candidate) -> Sequence[ProvinceCode]:
        """List the provinces on the way of a train (move by railroad), without its origin, ending with its destination."""
        assert isinstance(train.order, Move)
        (railroad,) = (railroad for railroad in self.map.railroads if railroad.name == train.order.railroad)
        assert isinstance(railroad, Railroad)
        return railroad.way(train.province, train.destination)

    def make_pass_equation(self, train: Candidate, index: int) -> Literal:
        """Return the literal that is true if a train (move by railroad) gets to the province at this index of its way.

        There it passes a unit of its own power, unless they meet in a head-to-head battle (7.B.26), or finds no unit (errata,
        9.23) and is not kept out.
        """
        province = self.list_way(train)[index]
        enters = self.cnf.all_of((self.is_vacant(train, province), self.is_let_in(train, province)))
        met = self.cnf.any_of(self.is_met(move, train) for move in self.moves_from[province])
        passed = (self.has_staying_own_unit(train, province), -met)
        through = FALSE if province == train.destination else self.cnf.all_of(passed)
        return self.cnf.all_of((self.tries_to_enter(train, index), self.cnf.any_of((through, enters))))

    def tries_to_enter(self, train: Candidate, index: int) -> Literal:
        """Return the literal that is true if a train (move by railroad) tries to enter the province at this index of its way.

        A train stops at a centre to recapture it (7.B.18, errata, 9.241), unless an army of its power holds it (7.B.20 to
        7.B.22) or the train begins there (7.B.19).
        """
        if index == 0:
            return train.given
        before = self.list_way(train)[index - 1]
        goes_on = self.has_staying_own_unit(train, before) if before in self.closed else TRUE
        return self.cnf.all_of((self.passes[train, before], goes_on))

    def has_staying_own_unit(self, train: Candidate, province: ProvinceCode) -> Literal:
        """Return the literal that is true if a unit of the train's power stays in a province, so the train may pass."""
        own = self.cnf.all_of((self.is_occupied(province), self.same_power(train.province, province)))
        leaves = (self.leaves(move) for move in self.moves_from[province])
        dislodges = (self.moves[move] for move in self.moves_to[province] if not is_train(move))
        return self.cnf.all_of((own, -self.cnf.any_of((*leaves, *dislodges))))

    def is_vacant(self, train: Candidate, province: ProvinceCode) -> Literal:
        """Return the literal that is true if a province is empty or its unit moves out (errata, 9.23).

        A unit that meets the train in a head-to-head battle does not count as moving out.
        """
        leaves = (self.cnf.all_of((self.leaves(move), -self.is_met(move, train))) for move in self.moves_from[province])
        return self.cnf.any_of((-self.is_occupied(province), *leaves))

    def is_let_in(self, train: Candidate, province: ProvinceCode) -> Literal:
        """Return the literal that is true if no other move keeps a train (move by railroad) out of a province.

        A move keeps the train out if it is stronger than all others (7.B.6 to 7.B.8) and no weaker than the train, which has
        support only at its destination (7.B.15).
        """
        own = self.make_strength((TRUE,), self.list_supports(train) if province == train.destination else ())
        rivals = [origin for origin in self.list_origins(province) if origin != train.province]
        keeping_out = []
        for origin in rivals:
            rival = self.make_strength_from(province, origin)
            others = self.make_greatest(self.make_strength_from(province, other) for other in rivals if other != origin)
            keeping_out.append(self.cnf.all_of((self.exceeds(rival, others), -self.exceeds(own, rival))))
        return -self.cnf.any_of(keeping_out)

    def is_met(self, move: Candidate, train: Candidate) -> Literal:
        """Return the literal that is true if a move meets the train head to head, from the first province on its way."""
        return self.is_head_to_head(train, move) if move in self.list_opposing(train) else FALSE

    def make_train_prevent(self, train: Candidate, province: ProvinceCode) -> Strength:
        """Return a train's PREVENT strength in a province on its way: 0 where it passes an army of its own power (7.B.9)."""
        place = self.list_way(train).index(province)
        conditions = [self.tries_to_enter(train, place)]
        if province != train.destination:
            conditions.append(-self.has_staying_own_unit(train, province))
        conditions.extend(-self.cnf.all_of((self.is_met(move, train), self.moves[move])) for move in self.list_opposing(train))
        return self.make_strength(conditions, self.list_supports(train) if province == train.destination else ())

    # Differences from DATC 5.B for moves.

    def move_equation(self, move: Candidate) -> Literal:
        """Return the literal that is true if a train (move by railroad) reaches its destination; other moves follow 5.B.1."""
        return self.make_pass_equation(move, len(self.list_way(move)) - 1) if is_train(move) else super().move_equation(move)

    def leaves(self, move: Candidate) -> Literal:
        """Return the literal that is true if a unit leaves: a train, if it gets to a province on its way where none stays."""
        if not is_train(move):
            return super().leaves(move)
        *on_the_way, _ = self.list_way(move)
        ends = (self.cnf.all_of((self.passes[move, place], -self.has_staying_own_unit(move, place))) for place in on_the_way)
        return self.cnf.any_of((self.moves[move], *ends))

    def list_opposing(self, move: Candidate) -> list[Candidate]:
        """List the moves in the opposite direction; for a train, those from the first province on its way to its origin."""
        if is_train(move):
            first = self.list_way(move)[0]
            return [other for other in self.moves_from[first] if other.destination == move.province and not is_train(other)]
        usual = [other for other in super().list_opposing(move) if not is_train(other)]
        trains = (train for train in self.moves_from[move.destination] if is_train(train))
        return [*usual, *(train for train in trains if self.list_way(train)[0] == move.province)]

    def list_origins(self, destination: ProvinceCode) -> list[ProvinceCode]:
        """List the origins of moves to a province, including those of trains (moves by railroad) that pass it."""
        found = {train.province for train in self.trains if destination in self.list_way(train)}
        return sorted(found.union(super().list_origins(destination)))

    def make_strength_from(self, destination: ProvinceCode, origin: ProvinceCode) -> Strength:
        """Return the PREVENT strength of the move from `origin` to `destination`, or of a train (from there) that passes it."""
        trains = [train for train in self.trains if train.province == origin and destination in self.list_way(train)]
        usual = [move for move in self.moves_to[destination] if move.province == origin and not is_train(move)]
        return self.make_greatest(
            [*map(self.prevent, usual), *(self.make_train_prevent(train, destination) for train in trains)]
        )

    def defend(self, move: Candidate) -> Strength:
        """Return the DEFEND strength of a move; a train over several provinces gets no support (“additional assumptions”)."""
        if is_train(move) and len(self.list_way(move)) > 1:
            return self.make_strength((move.given,), ())
        return super().defend(move)

    def is_foreign_attack(self, move: Candidate) -> Literal:
        """Return the literal that is true if a move attacks a foreign unit; false for trains: these “can not cut support”."""
        return FALSE if is_train(move) else super().is_foreign_attack(move)

    def is_convoyed(self, move: Candidate) -> Literal:
        """Return the literal that is true if a move goes by convoy, which a train (move by railroad) never does."""
        return FALSE if is_train(move) else super().is_convoyed(move)


def is_train(move: Candidate) -> bool:
    """Return whether a move goes by railroad."""
    return isinstance(move.order, Move) and bool(move.order.railroad)
