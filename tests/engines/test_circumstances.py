"""Faults and circumstances, each on a board where it changes the answer, and on one like it where it does not."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

import pytest

from satjudge.engines.conformance.hypotheses import Hypothesis
from satjudge.engines.positions import AskedPosition, parse_position

Orders = Mapping[str, Sequence[str]]


def moves(orders: Orders) -> AskedPosition:
    """Make a movement phase of orders: each unit stands where its first order says."""
    units = {power: list(dict.fromkeys(" ".join(order.split()[:2]) for order in given)) for power, given in orders.items()}
    return parse_position(json.dumps({"units": units, "orders": orders}).encode())


def adjusting(centers: str, units: str, *orders: str, power: str = "GERMANY") -> AskedPosition:
    """Make an adjustment phase of a power."""
    told = {
        "phase": "adjustment", "units": {power: units.split(", ") if units else []},
        "centers": {power: centers.split()}, "orders": {power: orders},
    }  # fmt: skip
    return parse_position(json.dumps(told).encode())


def retreating(*several: str) -> AskedPosition:
    """Make a retreat phase of units that all go to Burgundy: `FRANCE A PAR`."""
    told = [one.split(" ", 1) for one in several]
    lost = {power: {unit: ["BUR"] for owner, unit in told if owner == power} for power, _ in told}
    orders = {power: [f"{unit} R BUR" for owner, unit in told if owner == power] for power, _ in told}
    return parse_position(json.dumps({"phase": "retreat", "units": {}, "dislodged": lost, "orders": orders}).encode())


def retreat_of(unit: str, places: str, order: str, *others: str) -> AskedPosition:
    """Make a retreat phase of a French unit that may go to some places, beside units of Germany."""
    lost = {"FRANCE": {unit: places.split()}}
    return read(phase="retreat", units={"GERMANY": others}, dislodged=lost, orders={"FRANCE": [f"{unit} {order}"]})


def read(**told: object) -> AskedPosition:
    """Make a position of what a batch line says."""
    return parse_position(json.dumps(told).encode())


def over_the_gulf(*attack: str) -> AskedPosition:
    """Make a position in which an army goes from Spain to Tunis over one fleet or over two, and Italy attacks."""
    fleets = ["F WES C A SPA - TUN", "F LYO C A SPA - TUN", "F TYS C A SPA - TUN"]
    return moves({"FRANCE": ["A SPA - TUN", *fleets], "ITALY": attack})


TO_BURGUNDY = {"FRANCE": {"A PAR": ["BUR"]}, "GERMANY": {"A MUN": ["BUR"]}}
TO_BELGIUM: Orders = {"ENGLAND": ["A LON - BEL", "F ENG C A LON - BEL", "F NTH C A LON - BEL"]}
THIRD_PARTY: Orders = {"GERMANY": ["A MUN - BUR"], "ITALY": ["A MAR - BUR", "A GAS S A MAR - BUR"]}
ACROSS: Orders = {"FRANCE": ["A BRE - BEL", "F ENG C A BRE - BEL"]}
MET: Orders = {
    "FRANCE": ["A BUR - MUN", "A KIE S A BUR - MUN"], "AUSTRIA": ["A TYR - MUN", "A BOH S A TYR - MUN"],
    "GERMANY": ["A MUN - BUR", "A RUH S A MUN - BUR", "A BEL S A MUN - BUR"],
}  # fmt: skip
NORTH_SEA: Orders = {
    "ENGLAND": ["A LON - BEL", "F NTH C A LON - BEL"], "RUSSIA": ["F NWY - NTH", "F SKA S F NWY - NTH"],
}  # fmt: skip
AGAINST_MUNICH: Orders = {"GERMANY": ["A MUN S A RUH - BUR", "A RUH - BUR", "A BOH - MUN", "A SIL S A BOH - MUN"]}
DRIVEN_OUT: Orders = {"ITALY": ["A MAR - BUR", "A GAS S A MAR - BUR"], "GERMANY": ["A RUH - MUN"]}
IN_BELGIUM: Orders = {"FRANCE": ["A BEL H", "A PIC S A BEL"]}
OF_GERMANY = {"GERMANY": ["KIE", "BER", "MUN"]}
TWO_BUILDS = {"GERMANY": ["A KIE B", "A BER B"]}
DISRUPTED: Orders = {"ENGLAND": ["A LON - BEL", "F NTH C A LON - BEL"], "FRANCE": ["F ENG - LON"]}
UNWANTED = "another unit of the power of the supporting unit goes to where the support is directed at"
BACK_TO_BACK: Orders = {
    "FRANCE": ["A BUR H", "A PAR S A BUR", "A MAR S A BUR"],
    "AUSTRIA": ["A TYR - MUN", "A BOH S A TYR - MUN"],
}
ON_ONES_OWN = {"GERMANY": ["A MUN - BUR", "A RUH S A MUN - BUR"]}
OUT_OF_BURGUNDY: Orders = {"GERMANY": ["A BUR H"], "FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR"]}
NEXT_DOOR = "if the order names a province beside the destination"
ROUTED = {"GERMANY": ["A MUN - BUR", "A RUH S A MUN - BUR"], "FRANCE": ["A BUR H"]}
"""An attack on Burgundy."""
TO_PORTUGAL = ("A LON - POR", "F ENG C A LON - POR", "F MAO C A LON - POR")
OVER_THE_CHANNEL: Orders = {"FRANCE": ["A BRE - WAL VIA", "F ENG C A BRE - WAL"]}
FROM_PARIS: Orders = {"FRANCE": ["A PAR - BUR", "A GAS S A PAR - BUR"]}
CUT_IN_BATTLE = moves({**FROM_PARIS, "GERMANY": ["A BUR - PAR"], "ITALY": ["A SPA - GAS"]})
CUT_AT_REST = moves({**FROM_PARIS, "GERMANY": ["A BUR H"], "ITALY": ["A SPA - GAS"]})
INTO_PARIS: Orders = {"GERMANY": ["A BUR H", "A MUN S A BUR"], "ENGLAND": ["A PIC - PAR", "A BRE S A PIC - PAR"]}
NO_RETREAT = retreat_of("A PAR", "PIC", "R MOS")
FLEET_IN_BREST = adjusting("BRE PAR", "F BRE", "F BRE B", power="FRANCE")
ONE_DECLINED = adjusting("BRE PAR", "", "WAIVE", "A PAR B", "F BRE B", power="FRANCE")
NONE_DECLINED = adjusting("PAR BRE MAR", "A PIC", "A PAR B", "F BRE B", "A MAR B", power="FRANCE")
TWO_ARMIES = adjusting("BRE PAR", "", "A BRE B", "A BRE B", power="FRANCE")
NEAR_FLEET = adjusting("BRE", "A RUH, F BRE", power="FRANCE")
AT_HOME = adjusting("PAR VEN", "A TYR, A RUH, A BUR", power="FRANCE")
CASES: list[tuple[str, AskedPosition, AskedPosition]] = [
    (
        "a support of a move to another place counts as well, 6.D.28",
        moves({"GERMANY": ["A MUN - BOH", "A VIE S A MUN - TYR"], "RUSSIA": ["A BOH H"]}),
        moves({"GERMANY": ["A MUN H", "A VIE S A MUN - TYR"], "RUSSIA": ["A BOH H"]}),
    ),
    (
        f"a convoy order to another place convoys as well, {NEXT_DOOR}",
        moves({"ENGLAND": ["A LON - BEL", "F NTH C A LON - HOL"]}),
        moves({"ENGLAND": ["A LON - BEL", "F NTH C A LON - NWY"]}),
    ),
    (
        "a convoy order matches no army, if the moving unit is not of the power of the convoying fleet",
        moves({"ENGLAND": ["A LON - BEL"], "FRANCE": ["F NTH C A LON - BEL"]}),
        moves({"ENGLAND": ["A LON - BEL", "F NTH C A LON - BEL"]}),
    ),
    (
        "a convoy order matches no army, if the moving unit is not convoyed",
        moves({"ENGLAND": ["A BEL - HOL"], "FRANCE": ["F NTH C A BEL - HOL"]}),
        moves({"ENGLAND": ["A BEL - HOL", "F NTH C A BEL - HOL"]}),
    ),
    (
        "a support order matches no move, if the moving unit is a fleet",
        moves({"FRANCE": ["F BRE - ENG", "F MAO S F BRE - ENG"], "ENGLAND": ["F ENG H"]}),
        moves({"FRANCE": ["A PAR - BUR", "A GAS S A PAR - BUR"], "ENGLAND": ["A BUR H"]}),
    ),
    (
        "a fleet may retreat over land to a coast",
        moves({"FRANCE": ["A NAP - ROM", "A TUS S A NAP - ROM"], "ITALY": ["F ROM H"]}),
        moves({"FRANCE": ["A NAP - ROM", "A TUS S A NAP - ROM"], "ITALY": ["A ROM H"]}),
    ),
    (
        "an army supports where it could be convoyed, 6.A.10",
        moves({"ENGLAND": ["A STP - NWY", "A LON S A STP - NWY", "F NTH H"]}),
        moves({"ENGLAND": ["A STP - NWY", "A LON S A STP - NWY", "F ENG H"]}),
    ),
    (
        "a legal order does not count, if the order is for a province that is not adjacent",
        moves({"ENGLAND": ["A LON - BEL", "F NTH C A LON - BEL"]}),
        moves({"ENGLAND": ["A BEL - HOL"]}),
    ),
    (
        "MOVE although the attacked unit is as strong, if the moving unit has support",
        moves({**ROUTED, "ITALY": ["A PAR S A BUR"]}),
        moves({"GERMANY": ["A MUN - BUR"], "FRANCE": ["A BUR H"]}),
    ),
    (
        "MOVE although the attacked unit is as strong",
        moves({"GERMANY": ["A MUN - BUR"], "FRANCE": ["A BUR - MUN"]}),
        moves({"GERMANY": ["A MUN - BUR"], "FRANCE": ["A PAR - PIC"]}),
    ),
    (
        "PREVENT by a unit that any attack dislodged, if the other unit is not convoyed",
        moves({"FRANCE": ["A PIC - BUR"], "ENGLAND": ["A BEL - PIC", "F ENG S A BEL - PIC"], "GERMANY": ["A MUN - BUR"]}),
        moves(
            {
                "FRANCE": ["A PIC - BUR"],
                "GERMANY": ["A MUN - BUR"],
                "ENGLAND": ["A LON - PIC", "F ENG C A LON - PIC", "A BEL S A LON - PIC"],
            }
        ),
    ),
    (
        "HOLD one too little, if the unit there supports or convoys a foreign unit",
        moves({"FRANCE": ["F MAO - ENG"], "ENGLAND": ["F ENG C A LON - BRE"], "ITALY": ["A LON - BRE"]}),
        moves({"FRANCE": ["F MAO - ENG"], "ENGLAND": ["F ENG C A LON - BRE", "A LON - BRE"]}),
    ),
    (
        "a unit may retreat to where units bounced, by place, if the unit goes to a goal of an own unit",
        moves({**ROUTED, "FRANCE": ["A BUR H", "A MAR - GAS"], "ITALY": ["A SPA - GAS"]}),
        moves({**ROUTED, "TURKEY": ["A MAR - GAS"], "ITALY": ["A SPA - GAS"]}),
    ),
    (
        "a unit may retreat to where units bounced, by place, if the unit goes to a goal of foreign units alone",
        moves({**ROUTED, "TURKEY": ["A MAR - GAS"], "ITALY": ["A SPA - GAS"]}),
        moves({**ROUTED, "FRANCE": ["A BUR H", "A MAR - GAS"], "ITALY": ["A SPA - GAS"]}),
    ),
    (
        "a unit may retreat to where units bounced, by place, if the unit goes to where a move is supported",
        moves(
            {
                **ROUTED,
                "TURKEY": ["A MAR - GAS", "A PAR S A MAR - GAS"],
                "ITALY": ["A SPA - GAS", "F BRE S A SPA - GAS"],
            }
        ),
        moves({**ROUTED, "TURKEY": ["A MAR - GAS"], "ITALY": ["A SPA - GAS"]}),
    ),
    (
        "a support that names no coast does not count, 4.B.4, if the supported unit could reach several coasts there",
        moves({"FRANCE": ["F MAO - SPA/NC", "F POR S F MAO - SPA"], "ITALY": ["A SPA H"]}),
        moves({"FRANCE": ["F GAS - SPA/NC", "F POR S F GAS - SPA"], "ITALY": ["A SPA H"]}),
    ),
    (
        "PATH by no route over some fleets, if the convoying fleet is on every route",
        moves({"ENGLAND": ["A LON - BEL", "F NTH C A LON - BEL"]}),
        moves({"ENGLAND": ["A LON - BEL", "F NTH C A LON - BEL", "F ENG C A LON - BEL"]}),
    ),
    (
        "PATH by no route over some fleets, if the convoying fleet does not border on where the army goes to",
        moves({"ENGLAND": ["A LON - SPA", "F ENG C A LON - SPA", "F MAO C A LON - SPA"]}),
        moves({"ENGLAND": ["A LON - BRE", "F ENG C A LON - BRE"]}),
    ),
    (
        "two units retreat to one province, 6.H.7, if those that retreat to the same province are foreign units alone",
        retreating("FRANCE A PAR", "GERMANY A MUN"),
        retreating("FRANCE A PAR", "FRANCE A GAS"),
    ),
    (
        "a build that names no kind is of an army, 4.C.3",
        adjusting("KIE BER", "A MUN", "KIE B"),
        adjusting("KIE BER", "A MUN", "F KIE B"),
    ),
    (
        "a build that names no kind is of a fleet on a coast, 4.C.3",
        adjusting("KIE BER", "A RUH", "KIE B"),
        adjusting("MUN BER", "A RUH", "MUN B"),
    ),
    (
        "units are built in every centre that is owned, 6.I.6, if the unit is a fleet",
        adjusting("KIE HOL", "A RUH", "F HOL B"),
        adjusting("KIE HOL", "A RUH", "A HOL B"),
    ),
    (
        "units are built in home centres of others' that are owned, 6.I.6, if the unit is an army",
        adjusting("KIE PAR", "A RUH", "A PAR B"),
        adjusting("KIE HOL", "A RUH", "A HOL B"),
    ),
    (
        "units are built in home centres that are lost, 6.I.5",
        adjusting("KIE HOL", "A RUH", "A BER B"),
        adjusting("KIE HOL", "A RUH", "A HOL B"),
    ),
    (
        "more is built than there are centres for, 4.D.4, if the power has no unit in its home centres",
        adjusting("KIE BER", "A RUH", "A KIE B", "A BER B"),
        adjusting("KIE BER MUN", "A RUH, A MUN", "A KIE B", "A BER B"),
    ),
    (
        "civil disorder takes some units first, 4.D.8, if the unit is an army",
        adjusting("KIE", "A KIE, F HEL"),
        adjusting("KIE", "F KIE, F HEL"),
    ),
    (
        "civil disorder takes some units last, 4.D.8, if the unit is a fleet",
        adjusting("KIE", "A KIE, F HEL"),
        adjusting("KIE", "A KIE, A MUN"),
    ),
    (
        "civil disorder counts for all by land alone, 4.D.8, if the unit is a fleet",
        adjusting("KIE", "F HEL, A BUR"),
        adjusting("KIE", "A HOL, A BUR"),
    ),
    (
        "civil disorder counts over seas and coasts alone, 4.D.8, if the unit is an army",
        adjusting("KIE", "A MUN, F NTH"),
        adjusting("KIE", "A HOL, F NTH"),
    ),
    (
        "one unit more is built than there are centres for",
        adjusting("KIE BER", "A MUN, A RUH", "A KIE B"),
        adjusting("KIE BER MUN", "A RUH", "A KIE B"),
    ),
    (
        "a unit without an order retreats to the first place",
        read(phase="retreat", units={}, dislodged=TO_BURGUNDY, orders={"GERMANY": ["A MUN R BUR"]}),
        read(phase="retreat", units={}, dislodged=TO_BURGUNDY, orders={"GERMANY": ["A MUN R BUR"], "FRANCE": ["A PAR R BUR"]}),
    ),
    (
        "any coast but its own named for the unit that is ordered makes an order illegal, 4.B.5 and 4.B.6",
        read(units={"FRANCE": ["A SPA"]}, orders={"FRANCE": ["A SPA/SC - POR"]}),
        read(units={"FRANCE": ["A SPA"]}, orders={"FRANCE": ["A SPA - POR"]}),
    ),
    (
        "a convoy over some fleets is not found, if the convoying fleet is not of the power of the convoyed army",
        moves({"ENGLAND": ["A LON - BEL"], "FRANCE": ["F NTH C A LON - BEL"]}),
        moves({"ENGLAND": ["A LON - BEL", "F NTH C A LON - BEL"]}),
    ),
    (
        "PATH by a shortest route alone",
        over_the_gulf("F MAO - WES", "F NAF S F MAO - WES"),
        over_the_gulf("F MAR - LYO", "F PIE S F MAR - LYO"),
    ),
    (
        "PATH by one shortest route alone",
        moves({**TO_BELGIUM, "GERMANY": ["F BRE - ENG", "F MAO S F BRE - ENG"]}),
        moves({**TO_BELGIUM, "GERMANY": ["F DEN - NTH", "F NWY S F DEN - NTH"]}),
    ),
    (
        "PREVENT as ATTACK",
        moves({**THIRD_PARTY, "FRANCE": ["A BUR H", "A PAR S A MUN - BUR"]}),
        moves({**THIRD_PARTY, "AUSTRIA": ["A RUH S A MUN - BUR"], "FRANCE": ["A BUR H"]}),
    ),
    (
        "DEFEND as ATTACK",
        moves({"GERMANY": ["A MUN - BUR", "A RUH S A MUN - BUR", "A TYR S A BUR - MUN"], "FRANCE": ["A BUR - MUN"]}),
        moves({"GERMANY": ["A MUN - BUR", "A RUH S A MUN - BUR"], "FRANCE": ["A BUR - MUN"], "ITALY": ["A TYR S A BUR - MUN"]}),
    ),
    (
        "a support in place of a unit that is ordered to move is told, but does not count",
        moves({"GERMANY": ["A MUN - BUR", "A RUH S A MUN"], "FRANCE": ["A BUR H"]}),
        moves({"GERMANY": ["A MUN H", "A RUH S A MUN"], "FRANCE": ["A BUR - MUN"]}),
    ),
    (
        "SUPPORT never given, if the supporting unit does not name the coast where the supported unit stands",
        moves({"FRANCE": ["F SPA/SC H", "F WES S F SPA"]}),
        moves({"FRANCE": ["F SPA/SC H", "F WES S F SPA/SC"]}),
    ),
    (
        "ATTACK without a support, if the supporting unit could not itself go to the coast where the supported unit goes",
        moves({"FRANCE": ["F MAO - SPA/NC", "F WES S F MAO - SPA"], "ITALY": ["A SPA H"]}),
        moves({"FRANCE": ["F MAO - SPA/SC", "F WES S F MAO - SPA"], "ITALY": ["A SPA H"]}),
    ),
    (
        "SUPPORT never cut by a convoyed army, if the support is for the hold of, or against, a convoying fleet",
        moves({**ACROSS, "GERMANY": ["F BEL S F NTH", "F NTH C A YOR - NWY"], "RUSSIA": ["A YOR - NWY"]}),
        moves({**ACROSS, "GERMANY": ["F BEL S F NTH", "F NTH H"]}),
    ),
    (
        "a unit may not retreat to a place, if the unit goes to where an army was that is ordered to go by convoy",
        moves({**OUT_OF_BURGUNDY, "ENGLAND": ["A BEL - HOL", "F NTH C A BEL - HOL"]}),
        moves({**OUT_OF_BURGUNDY, "ENGLAND": ["A BEL - HOL"]}),
    ),
    (
        "convoyed by a foreign fleet's order, if the moving unit has a route",
        moves({"FRANCE": ["A PIC - BEL", "F BRE - ENG", "F MAO S F BRE - ENG"], "ENGLAND": ["F ENG C A PIC - BEL"]}),
        moves({"FRANCE": ["A PIC - BEL", "F BRE - ENG", "F MAO S F BRE - ENG"], "ENGLAND": ["F ENG H", "F NTH C A PIC - BEL"]}),
    ),
    (
        "PREVENT nothing against a stronger unit that is met",
        moves({**MET, "ITALY": ["A PAR - BUR", "A GAS S A PAR - BUR", "A MAR S A PAR - BUR"]}),
        moves(MET),
    ),
    (
        "CONVOY broken by a stronger attack that bounces",
        moves({**NORTH_SEA, "GERMANY": ["F DEN - NTH", "F HEL S F DEN - NTH"]}),
        moves({**NORTH_SEA, "GERMANY": ["F DEN - NTH"]}),
    ),
    (
        "SUPPORT lost to a stronger attack that bounces",
        moves({**AGAINST_MUNICH, "FRANCE": ["A BUR - MUN", "A TYR S A BUR - MUN"]}),
        moves({**AGAINST_MUNICH, "FRANCE": ["A BUR - MUN"]}),
    ),
    (
        "a fleet in a strait convoys, 6.F.1",
        moves({"TURKEY": ["A BUL - ANK", "F CON C A BUL - ANK"]}),
        moves({"ITALY": ["A ALB - BUL", "F GRE C A ALB - BUL"]}),
    ),
    (
        "Szykman's rule: the convoys of the core work, and its supports are cut",
        moves({"FRANCE": ["A BRE - LON", "F ENG C A BRE - LON"], "ENGLAND": ["F WAL - ENG", "F LON S F WAL - ENG"]}),
        moves({"FRANCE": ["A BRE - LON", "F ENG C A BRE - LON"], "ENGLAND": ["F WAL - ENG", "F LON H"]}),
    ),
    (
        "an order that matches is told as invalid, if the convoyed army has no route",
        moves({"ENGLAND": ["A LON - SPA", "F ENG C A LON - SPA"], "FRANCE": ["F MAO H"]}),
        moves({"ENGLAND": ["A LON - SPA", "F ENG C A LON - SPA"], "FRANCE": ["F MAO C A LON - SPA"]}),
    ),
    (
        "an invalid order is told as one that fails or holds good",
        moves({"ENGLAND": ["A LON H", "F NTH C A LON - NWY"]}),
        moves({"ENGLAND": ["A LON - NWY", "F NTH C A LON - NWY"]}),
    ),
    (
        "units that are too many stay if nobody removes them, 4.D.8, if the power gives no orders",
        adjusting("KIE", "A KIE, A MUN"),
        adjusting("KIE", "A KIE, A MUN", "A KIE B"),
    ),
    (
        "a unit may retreat to where units bounced, by place, if the unit goes to where it was ordered to move",
        moves({**DRIVEN_OUT, "FRANCE": ["A BUR - MUN"]}),
        moves({**DRIVEN_OUT, "FRANCE": ["A BUR H"], "AUSTRIA": ["A TYR - MUN"]}),
    ),
    (
        "ATTACK as if every unit left, if the attacked unit has no legal order",
        read(units={"GERMANY": ["A MUN", "A RUH", "A BUR"]}, orders=ON_ONES_OWN),
        read(units={"GERMANY": ["A MUN", "A RUH", "A BUR"]}, orders={"GERMANY": [*ON_ONES_OWN["GERMANY"], "A BUR H"]}),
    ),
    (
        "MOVE against a rival as if that had no support",
        moves({"GERMANY": ["A MUN - BUR", "A RUH S A MUN - BUR"], "FRANCE": ["A PAR - BUR", "A PIC S A PAR - BUR"]}),
        moves({"GERMANY": ["A MUN - BUR"], "FRANCE": ["A PAR - BUR", "A PIC S A PAR - BUR"]}),
    ),
    (
        "MOVE against a unit in place as if that had no support, if the moving unit is convoyed",
        moves({"ENGLAND": ["A LON - BEL", "F NTH C A LON - BEL", "F ENG S A LON - BEL"], **IN_BELGIUM}),
        moves({"GERMANY": ["A RUH - BEL", "A HOL S A RUH - BEL"], **IN_BELGIUM}),
    ),
    (
        "an order to disband a dislodged unit is illegal, if the unit may retreat nowhere",
        read(phase="retreat", units={}, dislodged={"FRANCE": {"A PAR": []}}, orders={"FRANCE": ["A PAR D"]}),
        read(phase="retreat", units={}, dislodged={"FRANCE": {"A PAR": ["BUR"]}}, orders={"FRANCE": ["A PAR D"]}),
    ),
    (
        "a legal order does not count, if the unit supports where it could reach one coast at most",
        moves({"FRANCE": ["F WES S F MAO - SPA/SC", "F MAO - SPA/SC"], "ITALY": ["A SPA H"]}),
        moves({"FRANCE": ["F POR S F MAO - SPA/SC", "F MAO - SPA/SC"], "ITALY": ["A SPA H"]}),
    ),
    (
        "a unit that may be built is not, if the power has built several units before",
        adjusting("KIE BER MUN", "", "A KIE B", "A BER B", "A MUN B"),
        adjusting("KIE BER MUN", "", "A KIE B", "A BER B"),
    ),
    (
        "Szykman's rule: the convoys of the core work, and all else in it fails",
        moves({"FRANCE": ["A BRE - LON", "F ENG C A BRE - LON"], "ENGLAND": ["F WAL - ENG", "F LON S F WAL - ENG"]}),
        moves({"FRANCE": ["A BRE - LON", "F ENG C A BRE - LON"], "ENGLAND": ["F WAL - ENG", "F LON H"]}),
    ),
    (
        "a fleet's move without a coast goes to the first of two, 4.B.1",
        moves({"FRANCE": ["F POR - SPA/EC"]}),
        moves({"FRANCE": ["F POR - SPA/SC"]}),
    ),
    (
        "some centres of a power do not count, if a foreign unit stands in the centre",
        read(phase="adjustment", units={"GERMANY": ["A RUH"], "FRANCE": ["A MUN"]}, centers=OF_GERMANY, orders=TWO_BUILDS),
        read(phase="adjustment", units={"GERMANY": ["A RUH"], "FRANCE": ["A TYR"]}, centers=OF_GERMANY, orders=TWO_BUILDS),
    ),
    (
        "two units are built in a season at most",
        adjusting("KIE BER MUN", "", "A KIE B", "A BER B", "A MUN B"),
        adjusting("KIE BER MUN", "", "A KIE B", "A BER B"),
    ),
    (
        "a fleet's move by convoy goes by sea, 4.E.1.via",
        moves({"FRANCE": ["F POR - MAO VIA"]}),
        read(phase="retreat", units={}, dislodged={"FRANCE": {"F POR": ["MAO"]}}, orders={"FRANCE": ["F POR R MAO VIA"]}),
    ),
    (
        "a retreat by convoy is a retreat, 4.E.1.via",
        read(phase="retreat", units={}, dislodged={"FRANCE": {"F POR": ["MAO"]}}, orders={"FRANCE": ["F POR R MAO VIA"]}),
        moves({"FRANCE": ["F POR - MAO VIA"]}),
    ),
    (
        "MOVE against a unit in place without a support, if the moving unit is of the power of the supporting unit",
        moves({"GERMANY": ["A RUH - BEL", "A HOL S A RUH - BEL", "A BUR S A BEL"], "FRANCE": ["A BEL H"]}),
        moves({"GERMANY": ["A RUH - BEL", "A HOL S A RUH - BEL"], "FRANCE": ["A BEL H", "A BUR S A BEL"]}),
    ),
    (
        "MOVE against a rival without a support, if the moving unit is of the power of the supporting unit",
        moves({"GERMANY": ["A RUH - BEL", "A HOL S A RUH - BEL", "A BUR S A PIC - BEL"], "FRANCE": ["A PIC - BEL"]}),
        moves({"GERMANY": ["A RUH - BEL", "A HOL S A RUH - BEL"], "FRANCE": ["A PIC - BEL", "A BUR S A PIC - BEL"]}),
    ),
    (
        "HOLD nothing of an army whose convoy is disrupted",
        moves({**DISRUPTED, "RUSSIA": ["F NWY - NTH", "F SKA S F NWY - NTH"]}),
        moves({**DISRUPTED, "RUSSIA": ["F NWY - NTH"]}),
    ),
    (
        "a fleet's retreat to a coast that is not open goes to the other one, 4.B.3",
        read(phase="retreat", units={}, dislodged={"FRANCE": {"F POR": ["SPA/NC"]}}, orders={"FRANCE": ["F POR R SPA/SC"]}),
        read(phase="retreat", units={}, dislodged={"FRANCE": {"F POR": ["SPA/NC"]}}, orders={"FRANCE": ["F POR R SPA/NC"]}),
    ),
    (
        "a fleet supports over land, 6.A.10, if the unit supports in place",
        moves({"ITALY": ["F ROM S A VEN", "A VEN H"]}),
        moves({"ITALY": ["F ROM S A TYR - VEN", "A TYR - VEN"]}),
    ),
    (
        f"SUPPORT never given, if {UNWANTED} and the supporting unit supports or convoys a foreign unit",
        moves({**ROUTED, "ITALY": ["A MAR S A MUN - BUR", "A GAS - BUR"]}),
        moves({**ROUTED, "ITALY": ["A MAR S A MUN - BUR", "A GAS - PAR"]}),
    ),
    (
        "a build is declined though none is left, 4.D.7",
        adjusting("KIE BER", "A RUH", "A KIE B", "WAIVE"),
        adjusting("KIE BER", "A RUH, A MUN", "WAIVE"),
    ),
    (
        "HOLD helped by supports to leave, if the supporting unit is of the power of the supported unit",
        moves({**BACK_TO_BACK, "GERMANY": ["A MUN - BUR", "A RUH S A MUN - BUR"]}),
        moves({**BACK_TO_BACK, "GERMANY": ["A MUN - BUR"], "ENGLAND": ["A RUH S A MUN - BUR"]}),
    ),
    (
        "units are built where one stands, 6.I.3, if a unit of the other kind stands where is built",
        adjusting("BRE PAR", "A BRE", "F BRE B", power="FRANCE"),
        FLEET_IN_BREST,
    ),
    (
        "units are built where one stands, 6.I.3, if a fleet stands on another coast than the one where is built",
        adjusting("STP MOS", "F STP/SC", "F STP/NC B", power="RUSSIA"),
        FLEET_IN_BREST,
    ),
    (
        "two units are built in one centre, 6.I.7, if a unit of the other kind is built there, too",
        adjusting("BRE PAR", "", "A BRE B", "F BRE B", power="FRANCE"),
        TWO_ARMIES,
    ),
    (
        "two units are built in one centre, 6.I.7, if an army was built there before",
        adjusting("BRE PAR", "", "A BRE B", "F BRE B", power="FRANCE"),
        adjusting("BRE PAR", "", "F BRE B", "A BRE B", power="FRANCE"),
    ),
    ("civil disorder takes fleets before armies at any distance, 4.D.8", NEAR_FLEET, FLEET_IN_BREST),
    (
        "civil disorder heeds no distances, 4.D.8, if the power of the unit has a supply centre",
        NEAR_FLEET,
        read(phase="adjustment", units={"FRANCE": ["A PIC", "F NTH"]}, centers={"GERMANY": ["KIE"]}, orders={}),
    ),
    ("a unit that is built uses up no build", ONE_DECLINED, TWO_ARMIES),
    ("a build that is declined can be made after all, if the power has units to build", ONE_DECLINED, NONE_DECLINED),
    (  # which is not true yet when the first order is carried out
        "more units are built than there are centres for, if the power has declined a build before",
        ONE_DECLINED,
        NONE_DECLINED,
    ),
    (
        "no coast named for the unit that is removed makes an order illegal, 4.B.5",
        adjusting("PAR", "F SPA/NC, A PAR", "F SPA D", power="FRANCE"),
        adjusting("PAR", "F SPA/NC, A PAR", "F SPA/NC D", power="FRANCE"),
    ),
    (
        "a fleet's retreat without a coast goes to the first of two, 4.B.1",
        retreat_of("F POR", "SPA/NC SPA/SC", "R SPA"),
        NO_RETREAT,
    ),
    (
        "a unit retreats to where it may not go, 6.H.5, if the unit goes to a province that it borders on",
        retreat_of("A PAR", "PIC", "R BUR", "A BUR"),
        NO_RETREAT,
    ),
    (
        "a legal retreat is illegal, if the unit goes to a province with several coasts",
        retreat_of("A MAR", "SPA", "R SPA"),
        NO_RETREAT,
    ),
    (
        "CONVOY broken by an attack with support",
        moves(
            {
                **OVER_THE_CHANNEL,
                "ENGLAND": ["F IRI - ENG", "F WAL S F IRI - ENG"],
                "GERMANY": ["F LON S F ENG", "F BEL S F ENG"],
            }
        ),
        moves({**OVER_THE_CHANNEL, "ENGLAND": ["F IRI - ENG"]}),
    ),
    (
        "PATH never by convoy, if the moving unit needs more than two fleets",
        moves({"ENGLAND": ["A LON - TUN", "F ENG C A LON - TUN", "F MAO C A LON - TUN", "F WES C A LON - TUN"]}),
        moves({"ENGLAND": TO_PORTUGAL}),
    ),
    (
        "CONVOY never, if the convoyed army is convoyed by a foreign fleet",
        moves({"ENGLAND": TO_PORTUGAL[:2], "FRANCE": TO_PORTUGAL[2:]}),
        moves({"ENGLAND": TO_PORTUGAL}),
    ),
    (
        "a move support for any order, if the supported unit has no move that counts",
        moves({"FRANCE": ["A PAR - RUM", "A BUR S A PAR - PIC"]}),
        moves({"FRANCE": ["A PAR - GAS", "A BUR S A PAR - PIC"]}),
    ),
    ("SUPPORT of a move never cut, if the supported unit meets a unit that comes the other way", CUT_IN_BATTLE, CUT_AT_REST),
    (
        "a support of a move counts in no strength, if the moving unit is not of the kind of the supporting unit",
        moves({"FRANCE": ["A PIC - BEL", "F ENG S A PIC - BEL"], "GERMANY": ["A BEL H"]}),
        moves({"FRANCE": ["F PIC - BEL", "F ENG S F PIC - BEL"], "GERMANY": ["A BEL H"]}),
    ),
    (
        "a move support helps a unit in place that does not move",
        moves({"FRANCE": ["A PAR H", "A GAS S A PAR - BUR"], **INTO_PARIS}),
        CUT_AT_REST,
    ),
    ("HOLD helped by supports to leave", moves({**FROM_PARIS, **INTO_PARIS}), CUT_IN_BATTLE),
    (
        "SUPPORT cut by the first attack alone",
        moves({**FROM_PARIS, "GERMANY": ["A BUR - GAS"], "ITALY": ["A SPA - GAS"]}),
        CUT_IN_BATTLE,
    ),
    (
        "SUPPORT cut by the power of the supported unit, not of the supporting one",
        moves({"FRANCE": ["A GAS S A PAR - BUR"], "ENGLAND": ["A PAR - BUR", "A SPA - GAS"], "GERMANY": ["A BUR H"]}),
        CUT_AT_REST,
    ),
    (
        "a fleet is built on the first coast where none is named, 4.B.7",
        adjusting("STP", "", "F STP B", power="RUSSIA"),
        adjusting("STP", "", "F STP/SC B", power="RUSSIA"),
    ),
    (
        "MOVE whatever a rival does, if both units go to different coasts of one province",
        moves({"FRANCE": ["F MAR - SPA/SC"], "ENGLAND": ["F GAS - SPA/NC"]}),
        moves({"FRANCE": ["F MAR - SPA/SC"], "ENGLAND": ["F WES - SPA/SC"]}),
    ),
    (
        "civil disorder counts from home centres that are owned, 4.D.8, if the power has a home centre",
        AT_HOME,
        adjusting("VEN", "A TYR, A RUH", power="FRANCE"),
    ),
    (
        "civil disorder takes one unit too few, 4.D.8, if the power has no supply centre",
        read(phase="adjustment", units={"FRANCE": ["A RUH"]}, centers={"GERMANY": ["BER"]}, orders={"FRANCE": []}),
        AT_HOME,
    ),
]


@pytest.mark.parametrize(("fault", "told", "not_told"), CASES, ids=[fault for fault, *_ in CASES])
def test_a_fault_shows_on_one_board_and_not_on_another(fault: str, told: AskedPosition, not_told: AskedPosition) -> None:
    usual, said = (Hypothesis("datc-3", (), faults).list_answers([told, not_told]) for faults in ((), (fault,)))
    assert None not in said
    assert [one != other for one, other in zip(usual, said, strict=True)] == [True, False]
