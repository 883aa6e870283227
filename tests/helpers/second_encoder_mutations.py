"""The second encoder's equations, each broken in one place, with a case that shows it.

One thing can be left out unnoticed: that who lost a head-to-head battle leaves nothing open (5.B.8). The loser's ATTACK is at
most its DEFEND; the winner's ATTACK exceeded that, and is at most the winner's DEFEND. So the loser fails all the same.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from satjudge.proofs.verify.second_encoder import FALSE, TRUE, Candidate, Equations, Literal, Strength
from satjudge.proofs.verify.second_encoder.routes import Route, _is_adjacent, iter_simple_routes
from satjudge.world.geography import Map
from satjudge.world.orders import Move


@dataclass(frozen=True)
class Mutation:
    """What is broken, the method that stands in for the right one, and the case and rulebook that show it.

    The case is one of the DATC, 3.2 or 2.4, or of `POSITIONS`.
    """

    breaks: str
    method: str
    wrong: Callable[..., Any]
    case: str
    rules: str = "datc-3"


def _constant(value: Literal | list[Literal]) -> Callable[..., Any]:
    return lambda *_: value


def _attack_of_anybody(made: Equations, move: Candidate) -> Strength:
    return made.make_strength((move.given, made.path(move)), made.list_supports(move))


def _attack_with_all_supports(made: Equations, move: Candidate) -> Strength:
    enemy = made.cnf.any_of((made.is_vacated_for(move), -made.same_power(move.province, move.destination)))
    return made.make_strength((move.given, made.path(move), enemy), made.list_supports(move))


def _prevent_of_the_beaten(made: Equations, move: Candidate) -> Strength:
    return made.make_strength((move.given, made.path(move)), made.list_supports(move))


def _hold_without_supports(made: Equations, province: str) -> Strength:
    stays = (made.is_occupied(province), *(-made.moves[move] for move in made.moves_from[province]))
    return [made.cnf.all_of(stays)]


def _hold_though_it_moves(made: Equations, province: str) -> Strength:
    return made.make_strength((made.is_occupied(province),), made.hold_supports[province])


def _hold_only_of_holders(made: Equations, province: str) -> Strength:
    return made.make_strength((made.is_occupied(province), -made.is_ordered_to_move(province)), made.hold_supports[province])


def _uncut(made: Equations, support: Candidate) -> Literal:
    return made.cnf.all_of((support.given, made.is_matched(support)))


def _only_dislodged(made: Equations, support: Candidate) -> Literal:
    stands = (-made.moves[move] for move in made.moves_to[support.province])
    return made.cnf.all_of((support.given, made.is_matched(support), *stands))


def _cut_by_every_attack(made: Equations, support: Candidate) -> Literal:
    attacks = (made.cnf.all_of((move.given, made.path(move))) for move in made.moves_to[support.province])
    return made.cnf.all_of((support.given, made.is_matched(support), *(-attack for attack in attacks)))


def _not_dislodged_by_what_it_attacks(made: Equations, support: Candidate) -> Literal:
    cuts = [
        made.cnf.all_of(
            (
                move.given,
                made.path(move),
                -made.same_power(support.province, move.province),
                -made.is_from_support_target(move, support),
            )
        )
        for move in made.moves_to[support.province]
    ]
    return made.cnf.all_of((support.given, made.is_matched(support), *(-cut for cut in cuts)))


def _meets_convoys(made: Equations, move: Candidate, other: Candidate) -> Literal:
    return made.cnf.all_of((move.given, other.given))


def _every_route_must_stand(made: Equations, move: Candidate) -> Literal:
    return made.has_no_failed_route(move, made.list_routes(move))


def _one_route_suffices(made: Equations, move: Candidate) -> Literal:
    return made.cnf.any_of(made.is_successful(move, route) for route in made.list_routes(move))


def _ordered_route(made: Equations, move: Candidate) -> Literal:
    return made.cnf.any_of(made.is_ordered(move, route) for route in made.list_routes(move))


def _prevent_of_who_lost_to_a_convoy(made: Equations, move: Candidate) -> Strength:
    beaten = (made.cnf.all_of((made.is_head_to_head(move, other), made.moves[other])) for other in made.list_opposing(move))
    return made.make_strength((move.given, made.path(move), *(-one for one in beaten)), made.list_supports(move))


def _only_empty(made: Equations, move: Candidate) -> Literal:
    return -made.is_occupied(move.destination)


def _says_so(made: Equations, move: Candidate) -> Literal:
    assert isinstance(move.order, Move)
    return TRUE if move.order.via_convoy else FALSE


def _any_fleet_orders_it(made: Equations, move: Candidate) -> Literal:
    return made.cnf.any_of((_says_so(made, move), *(fleet.given for fleet in made.list_convoys(move))))


def _of_any_origin(made: Equations, fleet: Candidate) -> Literal:
    """Some army goes by convoy to where the fleet would convoy another one."""
    armies = (made.cnf.all_of((move.given, made.is_convoyed(move))) for move in made.moves_to[fleet.destination])
    return made.cnf.all_of((fleet.given, made.cnf.any_of(armies)))


def is_proper(game_map: Map, origin: str, destination: str, route: Route) -> bool:
    """Return whether a route is proper (DATC 3.2, 4.E.1).

    “In a proper route the convoy will never jump to a province that could be reached from an earlier node in the chain.”
    """
    if any(province in game_map.shores[origin] for province in route[1:]):
        return False
    if any(province in game_map.shores[destination] for province in route[:-1]):
        return False
    return not any(
        _is_adjacent(game_map, earlier, later) for place, later in enumerate(route) for earlier in route[: max(0, place - 1)]
    )


def _proper_routes(made: Equations, move: Candidate) -> list[Route]:
    fleets = {fleet.province for fleet in made.list_convoys(move)}
    routes = iter_simple_routes(made.map, move.province, move.destination, fleets)
    return [route for route in routes if is_proper(made.map, move.province, move.destination, route)]


def _from_it_too(made: Equations, move: Candidate, last: str) -> Literal:
    routes = (made.is_successful(move, route) for route in made.list_routes(move) if route[-1] == last)
    return made.cnf.all_of((made.is_convoyed(move), made.cnf.any_of(routes)))


def _from_the_sea(made: Equations, move: Candidate, support: Candidate) -> Literal:
    return -made.is_convoyed(move) if made.find_support_target(support) == move.province else FALSE


def _attack_without_border(made: Equations, move: Candidate) -> Literal:
    return made.cnf.all_of((_any_attack(made, move), -made.is_over_difficult_border(move)))


def _battles_everywhere(made: Equations, move: Candidate, other: Candidate) -> Literal:
    return made.cnf.all_of((move.given, other.given, -made.is_convoyed(move), -made.is_convoyed(other)))


def _prevent_of_the_undislodged(made: Equations, move: Candidate) -> Strength:
    beaten = (made.cnf.all_of((-made.moves[move], made.moves[other])) for other in made.list_opposing(move))
    return made.make_strength((move.given, made.path(move), *(-one for one in beaten)), made.list_supports(move))


def _own_unit_there(made: Equations, move: Candidate) -> Literal:
    return made.cnf.any_of((_says_so(made, move), made.same_power(move.province, move.destination)))


def _any_attack(made: Equations, move: Candidate) -> Literal:
    return made.cnf.all_of((move.given, made.path(move), -made.same_power(move.province, move.destination)))


def _given(made: Equations, candidate: Candidate) -> Literal:
    return candidate.given


def _of_one(made: Equations, move: Candidate) -> Strength:
    return [move.given]


_BRANNAN = "datc-3 with 4.A.4.2=last-fleet"

POSITIONS = {
    "another army": {
        "ENGLAND": ["A TUS - NAP", "F TYS C A TUS - NAP", "A TUN H", "F ION C A TUN - NAP"],
        "ITALY": ["F NAP S F AEG - ION", "F AEG - ION"],
    },
    "landing elsewhere": {
        "ENGLAND": ["A LON - BEL", "F NTH C A LON - BEL", "A PIC H"],
        "FRANCE": ["A BEL S A BUR - PIC", "A BUR - PIC"],
    },
    "said path": {
        "ENGLAND": ["A LON - ENG - BEL", "F ENG C A LON - BEL", "F NTH C A LON - BEL"],
        "FRANCE": ["F MAO - ENG", "F BRE S F MAO - ENG"],
    },
    "own unit leaves": {
        "ENGLAND": ["A LON - WAL", "A WAL - LVP"],
        "FRANCE": ["F ENG C A LON - WAL"],
        "GERMANY": ["F MAO - ENG", "F BRE S F MAO - ENG"],
    },
    "roundabout": {
        "FRANCE": ["A TUN - TUS", "F TYS C A TUN - TUS", "F LYO C A TUN - TUS"],
        "ITALY": ["F MAR - LYO", "F PIE S F MAR - LYO"],
    },
}  # fmt: skip
"""Positions that the DATC has not, as orders: every unit has one."""

MUTATIONS = [
    Mutation("MOVE: rivals do not matter", "make_strongest_rival", _constant([]), "6.A.11"),
    Mutation("MOVE: HOLD and DEFEND need only be reached", "exceeds", lambda made, one, other: one[0], "6.A.10"),
    Mutation("MOVE: no battle is head-to-head", "is_head_to_head", _constant(FALSE), "6.B.13"),
    Mutation("MOVE: convoyed armies are in head-to-head battles", "is_head_to_head", _meets_convoys, "6.C.6"),
    Mutation("SUPPORT: nothing cuts it", "support", _uncut, "6.D.2"),
    Mutation("SUPPORT: only dislodgement cuts it", "support", _only_dislodged, "6.D.3"),
    Mutation("SUPPORT: what it attacks does not dislodge it", "support", _not_dislodged_by_what_it_attacks, "6.D.17"),
    Mutation("SUPPORT: its own power's attack cuts it", "support", _cut_by_every_attack, "6.D.20"),
    Mutation("SUPPORT: what it attacks cuts it", "is_from_support_target", _constant(FALSE), "6.D.15"),
    Mutation("SUPPORT: it need not match", "is_matched", _constant(TRUE), "6.D.9"),
    Mutation("SUPPORT: a unit that moves is supported to hold", "is_ordered_to_move", _constant(FALSE), "6.D.7"),
    Mutation("CONVOY: dislodgement does not disrupt it", "convoy", _given, "6.F.6"),
    Mutation("PATH: there always is one", "path", _constant(TRUE), "6.F.7"),
    Mutation("PATH: no convoy has one", "convoy_path", _constant(FALSE), "6.F.2"),
    Mutation("PATH: a convoy that is ordered has one", "convoy_path", _ordered_route, "6.F.8"),
    Mutation("PATH: every ordered route must stand", "convoy_path", _every_route_must_stand, "6.F.9"),
    Mutation("PATH 1971: one route suffices", "convoy_path", _one_route_suffices, "6.F.10", "1971"),
    Mutation("PATH guide: foreign fleets count", "is_own_route", _constant(FALSE), "6.F.10", "guide-1998"),
    Mutation("HOLD: supports do not count", "hold", _hold_without_supports, "6.D.1"),
    Mutation("HOLD: it stays though the unit leaves", "hold", _hold_though_it_moves, "6.C.1"),
    Mutation("HOLD: none of a unit that fails to move", "hold", _hold_only_of_holders, "6.D.13"),
    Mutation("PREVENT: none", "prevent", _constant([]), "6.A.12"),
    Mutation("PREVENT: supports do not count", "prevent", _of_one, "6.B.8"),
    Mutation("PREVENT: without PATH too", "prevent", lambda made, move: made.defend(move), "6.F.8"),
    Mutation("PREVENT: of who lost a head-to-head battle too", "prevent", _prevent_of_the_beaten, "6.E.1"),
    Mutation("DEFEND: supports do not count", "defend", _of_one, "6.E.6"),
    Mutation("DEFEND: none", "defend", _constant([]), "6.E.3"),
    Mutation("ATTACK: on a unit of the same power", "attack", _attack_of_anybody, "6.D.10"),
    Mutation("ATTACK: with support of the power attacked", "attack", _attack_with_all_supports, "6.E.7"),
    Mutation("ATTACK: supports do not count", "attack", _of_one, "6.B.9"),
    Mutation("ATTACK: a unit that leaves is in the way", "is_vacated_for", _only_empty, "6.C.2"),
    Mutation("4.A.2: the 1971 rule protects nothing", "is_protected_1971", _constant(FALSE), "6.F.14", "1971"),
    Mutation("4.A.2: the 1982 rule protects nothing", "is_protected_1982", _constant(FALSE), "6.F.20", "1982"),
    Mutation("4.A.2: the 2000 rule protects nothing", "is_protected_2000", _constant(FALSE), "6.F.17", "2000"),
    Mutation("4.A.2: the 1971 rule protects every support", "is_protected_1971", _constant(TRUE), "6.F.21", "1971"),
    Mutation("4.A.2: the 1982 rule protects every support", "is_protected_1982", _constant(TRUE), "landing elsewhere", "1982"),
    Mutation("4.A.2: the 2000 rule protects every support", "is_protected_2000", _constant(TRUE), "6.F.19", "2000"),
    Mutation("4.A.2: the 2000 rule is that of 1971", "is_protected_2000", Equations.is_protected_1971, "6.F.19", "2000"),
    Mutation("4.A.2: the 1982 rule takes any convoy's fleet", "is_convoying_fleet", _of_any_origin, "another army", "1982"),
    Mutation("4.E.1.convoy: 1971 knows only proper routes", "list_routes", _proper_routes, "roundabout", "1971"),
    Mutation("4.E.1.convoy: guide knows only proper routes", "list_routes", _proper_routes, "roundabout", "guide-1998"),
    Mutation("4.A.3: an army that could go by land does", "intends_convoy", _constant(FALSE), "6.G.1"),
    Mutation("4.A.3: only who says so goes by convoy", "intends_convoy", _says_so, "6.G.6"),
    Mutation("4.A.3: any fleet kidnaps", "intends_convoy", _any_fleet_orders_it, "6.G.2"),
    Mutation("4.A.3: no army goes by land after all", "falls_back_to_land", _constant(FALSE), "6.G.8", "2000"),
    Mutation("4.A.3: an army goes by land after all", "falls_back_to_land", _constant(TRUE), "6.G.5"),
    Mutation("4.A.4.5: a convoyed attack does not come from the sea", "is_from_support_target",
             lambda made, move, support: TRUE if getattr(support.order, "destination", "") == move.province else FALSE,
             "6.G.13", "guide-1998"),
    Mutation("4.A.7: who lost to a convoyed army bounces nobody", "prevent", _prevent_of_the_undislodged, "6.G.10"),
    Mutation("4.A.3: an own unit in the way is enough", "intends_convoy", _own_unit_there, "own unit leaves", "1982"),
    Mutation("4.A.7: who lost to a convoyed army still bounces", "prevent", _prevent_of_who_lost_to_a_convoy, "6.G.10", "2000"),
    Mutation("4.A.4.2: the attack comes from the army's province", "comes_from_fleet", _constant(FALSE), "6.F.14", _BRANNAN),
    Mutation("4.A.4.5: a convoyed attack comes from the sea", "is_from_support_target", _from_the_sea, "6.G.13"),
    Mutation("4.A.4.2: no other last fleet cuts", "comes_from_fleet", _from_it_too, "6.F.19", _BRANNAN),
    Mutation("4.A.6: a stated path is not followed", "list_routes", _proper_routes, "said path", "datc-3 with 4.A.6=allowed"),
    Mutation("2.4, 10: no border is difficult", "is_over_difficult_border", _constant(FALSE), "2.4/10.C", "datc-2"),
    Mutation("2.4, 10: an army without support attacks over it", "is_foreign_attack", _any_attack, "2.4/10.A", "datc-2"),
    Mutation("2.4, 10: no army attacks over it", "is_foreign_attack", _attack_without_border, "2.4/10.B", "datc-2"),
    Mutation("2.4, 7.C: battles through a canal", "is_head_to_head", _battles_everywhere, "2.4/7.C.6", "datc-2"),
    Mutation("2.4, 7.C: a canal is open to all", "is_open_for", _constant(TRUE), "2.4/7.C.1", "datc-2"),
    Mutation("2.4, 7.C: a canal is open to nobody", "is_open_for", _constant(FALSE), "2.4/7.C.3", "datc-2"),
    Mutation("2.4, 7.C: a permission does not matter", "is_permitted", _constant(FALSE), "2.4/7.C.2", "datc-2"),
    Mutation("5.B.8: the defender's support does not help past rivals", "make_attack_on_rivals",
             lambda made, move: made.attack(move), "6.E.7", "guide-1998"),
]  # fmt: skip
