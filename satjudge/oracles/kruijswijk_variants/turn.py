"""Reads the orders of a turn on maps with special rules, finds the legal ones and matches them.

Source: Lucas B. Kruijswijk, DATC 2.4: chapter 4 with the preferences of its author, and chapters 7 to 10. The rules that all
maps share are in `datc_turn`. `decisions` and `cores` resolve the orders.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from satjudge.oracles import datc_turn
from satjudge.oracles.datc_turn import Entry, Given, MoveOrder, Order
from satjudge.world.board import Board, Unit
from satjudge.world.geography import Canal, Power, ProvinceCode, UnitKind, province_of
from satjudge.world.orders import Move, Permission


class Turn(datc_turn.Turn):
    """The given orders, and the order that each unit follows."""

    superfluous_convoys = True

    def __init__(self, board: Board, orders: Mapping[Power, Sequence[Given]]) -> None:
        super().__init__(board, orders)
        self.trains = [move for move in self.moves if move.stages]
        for canal in board.map.canals:
            self._permit_passage(canal)

    # -------- which orders are followed

    def _choose_orders(self) -> None:
        """Remove from the entries a unit's legal orders if they differ (4.D.3 c), and railroad moves if several units have one.

        If two units are ordered to use the railroad, neither does (chapter 7, additional assumptions; 7.B.33).
        """
        contents: dict[Unit, set[tuple[object, ...]]] = {}
        for _, order in self._iter_legal_orders():
            contents.setdefault(order.unit, set()).add(order.comparison_key())
        for entry, order in self._iter_legal_orders():
            if len(contents[order.unit]) > 1:
                entry.order = None
        trains = [entry for entry, order in self._iter_legal_orders() if isinstance(order, MoveOrder) and order.stages]
        if len({entry.unit for entry in trains}) > 1:
            for entry in trains:
                entry.order = None

    # -------- convoys, borders and canals of moves

    def _prepare_move(self, move: MoveOrder) -> None:
        super()._prepare_move(move)
        move.difficult = not move.convoyed and self.ways.is_difficult(move.unit, move.province)

    def _is_convoyed(self, move: MoveOrder, intended: bool) -> bool:
        """Return whether a move goes by convoy; if no route is ordered, it goes by land where possible (4.A.3, choice d)."""
        direct = move.province in self.ways.list_provinces(move.unit)
        return not move.canal and (not direct or (intended and bool(move.chains)))

    def _permit_passage(self, canal: Canal) -> None:
        """Set `permitted` for the move that may pass a canal (7.C.3-5), and clear `permits` of contradictory permissions."""
        keeper = self.board.unit_at.get(canal.keeper)
        passing = [move for move in self.moves if move.canal == canal]
        given = [(entry, entry.permits) for entries in self.entries.values() for entry in entries if entry.permits]
        given = [(entry, permission) for entry, permission in given if permission.canal == canal.name]
        fleets = {permission.unit.province for _, permission in given}
        if len(fleets) == 1:
            matching_moves = [move for move in passing if move.unit.province in fleets]
        else:
            matching_moves = [move for move in passing if keeper and move.unit.power == keeper.power]
            for entry, _ in given:
                entry.permits = None
        if len(matching_moves) == 1:
            matching_moves[0].permitted = True

    def find_head_to_head(self, move: MoveOrder) -> MoveOrder | None:
        """Return the move in the opposite direction, or None if there is none or either uses a convoy or a canal (7.C.6).

        A train counts as a move to its first province (7, assumptions; 7.B.26 to 7.B.29).
        """
        opposing = self.order_at.get(find_first_province(move))
        if not isinstance(opposing, MoveOrder) or find_first_province(opposing) != move.unit.province:
            return None
        if move.convoyed or opposing.convoyed or move.canal or opposing.canal:
            return None
        return opposing

    # -------- legality (4.E.1, choice d: orders that can be valid in the current situation)

    def _read_order(self, power: Power, order: Given) -> Entry:
        if not isinstance(order, Permission):
            return super()._read_order(power, order)
        return Entry(None, None, order if self._is_legal_permission(power, order) else None)

    def _make_legal_move(self, unit: Unit, order: Move) -> Order | None:
        """Return a move, possibly by railroad or through a canal, if it is legal, else None."""
        if order.railroad:
            stages = self.ways.list_stages(unit, province_of(order.destination), order.railroad)
            return MoveOrder(unit, stages[-1], stages=stages) if stages and not order.via_convoy else None
        canal = self.ways.find_canal(unit, order.destination)
        if canal and not order.via_convoy:
            return MoveOrder(unit, order.destination, canal=canal)
        destinations = self.ways.list_destinations(unit, order.destination)
        if len(destinations) != 1 or (order.via_convoy and unit.kind is UnitKind.FLEET):
            return None
        return MoveOrder(unit, destinations[0], order.via_convoy)

    def _is_legal_permission(self, power: Power, order: Permission) -> bool:
        """Return whether the power's unit holds the canal of a permission, and the permitted fleet could pass it."""
        canal = next((canal for canal in self.board.map.canals if canal.name == order.canal), None)
        fleet = self.board.unit_at.get(order.unit.province)
        keeper = self.board.unit_at.get(canal.keeper) if canal else None
        if canal is None or fleet is None or keeper is None or keeper.power != power:
            return False
        return self.ways.find_canal(fleet, order.destination) == canal


def find_first_province(move: MoveOrder) -> ProvinceCode:
    """Return a move's destination, or the first province that a train (move by railroad) enters."""
    return move.stages[0] if move.stages else move.province
