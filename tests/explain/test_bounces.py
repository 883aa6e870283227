"""What is said in plain words of moves that bounce."""

from __future__ import annotations

from satjudge import Board, judge, load_map, parse_unit
from satjudge.explain.bounces import describe_bounce
from satjudge.explain.phases import explanations

UNITS = {
    "GERMANY": ["A MUN"],
    "FRANCE": ["A PAR", "A MAR"],
    "ITALY": ["A VEN"],
    "AUSTRIA": ["A TYR"],
    "RUSSIA": ["A BER", "A WAR"],
    "TURKEY": ["A GAL"],
}
ORDERS = {
    "GERMANY": ["A MUN - BUR"],
    "FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR"],
    "ITALY": ["A VEN - TYR"],
    "AUSTRIA": ["A TYR - VEN"],
    "RUSSIA": ["A BER - PRU", "A WAR - GAL"],
    "TURKEY": ["A GAL H"],
}


def test_a_bounce_is_told_in_plain_words() -> None:
    game_map = load_map("standard")
    board = Board(tuple(parse_unit(unit, power, game_map) for power, units in UNITS.items() for unit in units))
    told = {one.order: describe_bounce(one) for one in explanations(judge(board, ORDERS))}
    assert told == {
        "A MUN - BUR": "Bounces: A PAR - BUR goes there too, and is stronger (1 against 2).",
        "A PAR - BUR": "",
        "A MAR S A PAR - BUR": "",
        "A VEN - TYR": "Bounces: A TYR - VEN comes the other way, and is as strong (1 against 1).",
        "A TYR - VEN": "Bounces: A VEN - TYR comes the other way, and is as strong (1 against 1).",
        "A BER - PRU": "",
        "A WAR - GAL": "Bounces: the unit in GAL is as strong (1 against 1).",
        "A GAL H": "",
    }
