"""Plays a game of three years with a typo, a paradox, a retreat, a removal and a missing order."""

from __future__ import annotations

from satjudge import Game

SCRIPT: dict[str, dict[str, list[str]]] = {
    "S1901M": {
        "AUSTRIA": ["A BUD - SER", "A VIE - BUD", "F TRI - ALB"],
        "ENGLAND": ["F LON - WAL", "F EDI - YOR", "A LVP - EDI"],
        "FRANCE": ["F BRE - ENG", "A PAR - PIC", "A MAR - SPA"],
        "GERMANY": ["A BER - KIE", "F KIE - DEN", "A MUN - RUH"],
        "ITALY": ["A VEN - TRI", "A ROM - VEN", "F NAP - ION"],
        "RUSSIA": ["A MOS - UKR", "A WAR - GAL", "F SEV - RUM", "F STP/SC - BOT"],
        "TURKEY": ["A CON - BUL"],
    },
    "F1901M": {
        "AUSTRIA": ["A SER H", "A BUD S A SER", "F ALB H"],
        "ENGLAND": ["F YOR - LON", "F WAL H", "A EDI - YOR"],
        "FRANCE": ["F ENG H", "A PIC H", "A SPA - POR"],
        "GERMANY": ["A RUH - HOL", "F DEN H", "A KIE - MUN"],
        "ITALY": ["A TRI - VIE", "A VEN - TRI", "F ION - TUN"],
        "RUSSIA": ["A GAL S A UKR - RUM", "A UKR - SEV", "F BOT - SWE", "F RUM H"],
        "TURKEY": ["A BUL H", "F ANK - CON"],
    },
    "W1901A": {
        "AUSTRIA": ["F ALB D"],
        "FRANCE": ["F BRE B"],
        "GERMANY": ["A BER B", "F KIE B"],
        "ITALY": ["A VEN B", "F NAP B", "A ROM B"],
        "RUSSIA": ["A MOS B", "F STP/NC B"],
        "TURKEY": ["WAIVE"],
    },
    "S1902M": {  # DATC 6.F.14, with Picardy for Brest: London's support is attacked over the fleet that it helps to dislodge
        "ENGLAND": ["F WAL - ENG", "F LON S F WAL - ENG"],
        "FRANCE": ["A PIC - LON VIA", "F ENG C A PIC - LON", "F BRE H"],
        "GERMANY": ["A MUN - TYR", "A HOL - BEL"],
        "ITALY": ["A TRI - BUD", "A VIE S A TRI - BUD"],
        "TURKEY": ["A BUL - SER"],
    },
    "S1902R": {
        "FRANCE": ["F ENG R IRI"],
    },
    "F1902M": {
        "FRANCE": ["F IRI - LVP", "A PIC - BEL"],
        "ITALY": ["A BUD - SER", "A VIE - TRI"],
        "TURKEY": ["A BUL S A BUD - SER", "A SMY - ARM"],
        "RUSSIA": ["A GAL - BUD"],
    },
}
"""A game of seven powers with a paradox, retreats, a removal and missing orders; phases that are not here get no orders."""


def scripted() -> Game:
    game = Game.new(name="scripted")
    while game.phase_name != "S1904M":
        for power, orders in SCRIPT.get(game.phase_name, {}).items():
            game.set_orders(power, orders)
        game.next()
    return game
