"""Makes the kit's part `products` (datc_cases/kit/products.jsonl): orders of every kind, each with every mistake and repetition.

    python benchmarks/studies/conformance_products.py

The questions are products: what is ordered, times how it is named (a wrong letter, a wrong coast, a coast that there is not, no
coast), times how often it is ordered (twice, after an illegal order, too often). Of these a set cover is kept: the smallest
questions first, each if it tells a fault that none before tells in the same circumstances. Questions that the part has keep
their names, as expected differences (`--expect`) name them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import msgspec

from satjudge.base.resources import data_directory, write_atomically
from satjudge.engines.conformance.faults import FAULTS, is_conditional, name_conditional_fault
from satjudge.engines.conformance.hypotheses import Hypothesis, iter_further_parts, list_changed_positions
from satjudge.engines.conformance.switchable_judge import get_switchable_judge, list_circumstances
from satjudge.engines.kit.parts import KitQuestion, read_question
from satjudge.engines.positions import AskedPosition, parse_position

FILE = data_directory() / "datc_cases" / "kit" / "products.jsonl"
RULES = Hypothesis("datc-3")
Orders = Mapping[str, Sequence[str]]

MOVEMENT: Sequence[tuple[Orders, Mapping[str, str]]] = (
    # each order with the ways in which it is written wrong
    ({"FRANCE": ["A PAR - BUR"], "GERMANY": ["A MUN - BUR"]}, {"A PAR -": "F PAR -", "- BUR": "- BUR/NC", "A PAR - ": "PAR - "}),
    ({"FRANCE": ["A PAR S A MAR - BUR", "A MAR - BUR"], "GERMANY": ["A BUR H"]}, {"S A MAR": "S MAR", "A PAR S": "PAR S"}),
    ({"FRANCE": ["A GAS - SPA"], "ITALY": ["F LYO - SPA/SC"]}, {"- SPA\"": "- SPA/NC\"", "F LYO": "A LYO"}),
    ({"FRANCE": ["F MAO - SPA/NC"]}, {"SPA/NC": "SPA", "F MAO": "A MAO"}),
    ({"FRANCE": ["F POR - SPA/NC"]}, {"SPA/NC": "SPA/EC"}),
    ({"ITALY": ["F LYO - SPA/SC"]}, {"SPA/SC": "SPA", "F LYO": "F LYO"}),
    ({"ITALY": ["F LYO - SPA/SC"], "FRANCE": ["A MAR - SPA"]}, {"SPA/SC": "SPA/NC"}),
    ({"FRANCE": ["F SPA/SC - LYO"], "ITALY": ["F TUS - LYO"]}, {"F SPA/SC -": "F SPA/NC -", "F SPA/SC - ": "F SPA - "}),
    ({"FRANCE": ["A PAR S A MAR - BUR", "A MAR - BUR"], "GERMANY": ["A BUR H"]}, {"S A MAR": "S F MAR", "A PAR S": "F PAR S", "- BUR\",": "- BUR/NC\","}),
    ({"FRANCE": ["F MAO S F LYO - SPA/SC", "F LYO - SPA/SC"], "ITALY": ["F SPA/SC H"]}, {"- SPA/SC\",": "- SPA\",", "LYO - SPA/SC\",": "LYO - SPA/NC\",", "S F LYO": "S A LYO"}),
    ({"FRANCE": ["A GAS S A MAR - SPA", "A MAR - SPA"], "ITALY": ["F SPA/SC H"]}, {"S A MAR - SPA\"": "S A MAR - SPA/NC\"", "\"A MAR - SPA\"": "\"A MAR - SPA/NC\""}),
    ({"FRANCE": ["F MAR S F SPA/NC - POR", "F SPA/NC - MAO"], "ITALY": ["F MAO H"]}, {"F SPA/NC - POR": "F SPA/NC - MAO"}),
    ({"FRANCE": ["F GAS S F SPA/NC - MAO", "F SPA/NC - MAO"], "ENGLAND": ["F MAO H"]}, {"S F SPA/NC": "S F SPA/SC"}),
    ({"FRANCE": ["F POR S F SPA/NC - MAO", "F SPA/NC - MAO"], "ENGLAND": ["F MAO H"]}, {"S F SPA/NC": "S F SPA/SC", "S F SPA/NC - ": "S F SPA - "}),
    ({"FRANCE": ["F LYO S F SPA/NC", "F SPA/NC H"], "GERMANY": ["A MAR - SPA", "A GAS S A MAR - SPA"]}, {"S F SPA/NC": "S F SPA/SC", "S F SPA/NC\",": "S A SPA\","}),
    ({"FRANCE": ["A BUR S A PAR", "A PAR H"], "GERMANY": ["A PIC - PAR", "A GAS S A PIC - PAR"]}, {"S A PAR\"": "S F PAR\"", "A BUR S": "F BUR S"}),
    ({"ENGLAND": ["F NTH C A LON - NWY", "A LON - NWY"]}, {"C A LON": "C F LON", "F NTH C": "A NTH C", "- NWY\",": "- NWY/NC\","}),
    ({"ENGLAND": ["F NTH C A LON - NWY", "A LON - NWY"]}, {"- NWY\"]": "- NWY/SC\"]", "A LON - NWY\"]": "F LON - NWY\"]"}),
    ({"FRANCE": ["A PAR - RUM", "A PAR - BUR"], "GERMANY": ["A BUR H"]}, {"A PAR - BUR": "A PAR - PIC", "A PAR - RUM": "A PAR - GAS"}),
    ({"FRANCE": ["A PAR - PIC", "A PAR - GAS"]}, {"PIC": "RUM", "A PAR - PIC": "A PAR H"}),
    ({"FRANCE": ["A PAR S A MAR - RUM", "A PAR - GAS", "A MAR H"]}, {"A PAR S A MAR - RUM": "A PAR S A MAR", "A PAR - GAS": "A PAR H"}),
    ({"FRANCE": ["A PAR - RUM"], "GERMANY": ["A BUR - PAR", "A PIC S A BUR - PAR"], "ITALY": ["A GAS S A PAR"]}, {"RUM": "PAR"}),
    ({"TURKEY": ["F CON - BUL/SC"]}, {"BUL/SC": "BUL"}),
    # fleets without their letter, and convoys to elsewhere
    ({"FRANCE": ["F MAO - POR"]}, {"F MAO -": "MAO -"}),
    ({"FRANCE": ["F MAO S F GAS - SPA/NC", "F GAS - SPA/NC"], "ITALY": ["A SPA H"]}, {"F MAO S": "MAO S", "S F GAS": "S GAS"}),
    ({"ENGLAND": ["A LON - NWY", "F NTH C A LON - BEL"]}, {}),
    ({"FRANCE": ["A PAR - BUR"], "GERMANY": ["A MUN - BUR"]}, {"A PAR -": "A PAR/NC -"}),
    ({"FRANCE": ["A PAR S A MAR - BUR", "A MAR - BUR"], "GERMANY": ["A BUR H"]}, {"S A MAR": "S A MAR/NC"}),
    # ways of several fleets
    ({"FRANCE": ["A SPA - TUN", "F WES C A SPA - TUN", "F LYO C A SPA - TUN", "F TYS C A SPA - TUN"], "ITALY": ["F MAO - WES", "F NAF S F MAO - WES"]}, {}),
    ({"FRANCE": ["A GAS - MAR", "F MAO C A GAS - MAR", "F WES H", "F LYO H"]}, {"F WES H": "F WES C A GAS - MAR"}),
    ({"ENGLAND": ["A LON - TUN", "F ENG C A LON - TUN", "F MAO C A LON - TUN", "F WES C A LON - TUN"]}, {"LON - TUN\", \"F ENG": "LON H\", \"F ENG"}),
    ({"ENGLAND": ["A LON - POR", "F ENG C A LON - POR", "F MAO C A LON - POR"]}, {}),
    # what stands in the way of a retreat
    ({"FRANCE": ["A BUR H"], "GERMANY": ["A MUN - BUR", "A RUH S A MUN - BUR"], "ITALY": ["A SPA - GAS", "A BRE - GAS", "A MAR - GAS"]}, {}),
    ({"FRANCE": ["A BUR H", "A BRE - GAS"], "GERMANY": ["A MUN - BUR", "A RUH S A MUN - BUR"], "ITALY": ["A SPA - GAS"]}, {"A BRE - GAS": "A BRE H"}),
    ({"FRANCE": ["F MAO H"], "ENGLAND": ["F ENG - MAO", "F IRI S F ENG - MAO"], "ITALY": ["F TUN - WES"], "TURKEY": ["F TYS - WES"]}, {"F TYS - WES": "F TYS H"}),
    ({"FRANCE": ["F MAO H"], "ENGLAND": ["F ENG - MAO", "F IRI S F ENG - MAO"], "ITALY": ["A PAR - GAS"], "TURKEY": ["A MAR - GAS"]}, {}),
    ({"FRANCE": ["F MAO H", "F TUN - WES"], "ENGLAND": ["F ENG - MAO", "F IRI S F ENG - MAO"], "ITALY": ["F TYS - WES"]}, {}),
    ({"FRANCE": ["A BUR H"], "GERMANY": ["A MUN - BUR", "A RUH S A MUN - BUR"], "ITALY": ["A PIC - PAR"], "ENGLAND": ["A BRE - PAR"]}, {}),
    # several attacks on a supporting unit, and whose they are
    ({"FRANCE": ["A GAS S A PAR - BUR", "A PAR - BUR", "A MAR - GAS"], "GERMANY": ["A BUR - GAS"], "ITALY": ["A SPA - GAS"]}, {"A MAR - GAS": "A MAR H", "A BUR - GAS": "A BUR H"}),
    ({"FRANCE": ["A GAS S A PAR - BUR", "A PAR - BUR", "A MAR - GAS"], "GERMANY": ["A BUR - GAS"], "ITALY": ["A BRE - GAS"]}, {"A MAR - GAS": "A MAR H", "A BUR - GAS": "A BUR H"}),
    ({"FRANCE": ["A GAS S A PAR - BUR"], "ENGLAND": ["A PAR - BUR", "A SPA - GAS"], "GERMANY": ["A BUR H"]}, {}),
    ({"FRANCE": ["A GAS S A PAR - BUR", "A SPA - GAS"], "ENGLAND": ["A PAR - BUR"], "GERMANY": ["A BUR H"]}, {}),
    ({"FRANCE": ["A PAR - BUR", "A GAS S A PAR - BUR"], "GERMANY": ["A BUR - PAR"], "ITALY": ["A SPA - GAS"]}, {}),
    # supports of the other kind, and for units that stay
    ({"FRANCE": ["A PIC - BEL", "F ENG S A PIC - BEL"], "GERMANY": ["A BEL H"]}, {}),
    ({"FRANCE": ["F PIC - BEL", "A BUR S F PIC - BEL"], "GERMANY": ["A BEL H"]}, {}),
    ({"ENGLAND": ["A LON - BEL", "F NTH C A LON - BEL", "F ENG S A LON - BEL"], "GERMANY": ["A BEL H"]}, {}),
    ({"FRANCE": ["A PIC - BEL", "F ENG S A PIC - BEL"], "GERMANY": ["A RUH - BEL"]}, {}),
    ({"FRANCE": ["A PAR H", "A GAS S A PAR - BUR"], "ENGLAND": ["A PIC - PAR", "A BRE S A PIC - PAR"]}, {"\"FRANCE\": [\"A PAR H\", ": "\"GERMANY\": [\"A PAR H\"], \"FRANCE\": ["}),
    ({"FRANCE": ["F MAR - SPA/SC"], "ENGLAND": ["F GAS - SPA/NC"]}, {}),
    # a unit whose supported move fails is attacked
    ({"FRANCE": ["A PAR - BUR", "A GAS S A PAR - BUR"], "GERMANY": ["A BUR H", "A MUN S A BUR"], "ENGLAND": ["A PIC - PAR", "A BRE S A PIC - PAR"]}, {}),
    ({"FRANCE": ["F MAO - ENG", "F IRI S F MAO - ENG"], "ENGLAND": ["F ENG H", "F LON S F ENG"], "ITALY": ["F WES - MAO", "F POR S F WES - MAO"]}, {}),
)  # fmt: skip
Retreating = tuple[Mapping[str, Mapping[str, Sequence[str]]], Orders, Mapping[str, str]]
RETREATS: Sequence[Retreating] = (
    ({"FRANCE": {"F MAO": ["SPA/NC", "BRE"]}}, {"FRANCE": ["F MAO R SPA/NC"]}, {"SPA/NC": "SPA", "F MAO": "A MAO", "SPA/NC\"": "SPA/SC\""}),
    ({"ITALY": {"F LYO": ["SPA/SC", "TUS"]}}, {"ITALY": ["F LYO R SPA/SC"]}, {"SPA/SC": "SPA", "SPA/SC\"": "SPA/NC\"", "F LYO": "A LYO"}),
    ({"FRANCE": {"F POR": ["SPA/NC", "SPA/SC"]}}, {"FRANCE": ["F POR R SPA/NC"]}, {"SPA/NC": "SPA", "R SPA/NC": "R SPA/EC"}),
    ({"FRANCE": {"F SPA/NC": ["GAS", "POR"]}}, {"FRANCE": ["F SPA/NC R POR"]}, {"F SPA/NC": "F SPA/SC", "F SPA/NC R": "F SPA R", "POR": "LYO"}),
    ({"FRANCE": {"A PAR": ["BUR", "PIC"]}}, {"FRANCE": ["A PAR R BUR"]}, {"BUR": "BUR/NC", "A PAR": "F PAR", "A PAR R": "PAR R"}),
    ({"FRANCE": {"A PAR": ["BUR", "PIC"]}}, {"FRANCE": ["A PAR R BUR", "A PAR R PIC"]}, {"PIC\"]": "RUM\"]", "R BUR": "R RUM", "R PIC": "R BUR"}),
    ({"FRANCE": {"A PAR": ["BUR", "PIC"]}}, {"FRANCE": ["A PAR R BUR", "A PAR D"]}, {"\"A PAR R BUR\", \"A PAR D\"": "\"A PAR D\", \"A PAR R BUR\""}),
    ({"FRANCE": {"A PAR": ["BUR"]}, "GERMANY": {"A MUN": ["BUR"]}}, {"FRANCE": ["A PAR R BUR"], "GERMANY": ["A MUN R BUR"]}, {"A MUN R BUR": "A MUN D"}),
    ({"FRANCE": {"A PAR": ["BUR", "PIC"], "A MAR": ["BUR"]}}, {"FRANCE": ["A PAR R BUR", "A MAR R BUR"]}, {"A PAR R BUR": "A PAR R PIC"}),
    ({"FRANCE": {"A PAR": ["PIC"]}, "GERMANY": {"A MUN": ["BUR"]}}, {"FRANCE": ["A PAR R BUR"], "GERMANY": ["A MUN R BUR"]}, {}),
    ({"FRANCE": {"F MAR": ["SPA/SC"]}, "GERMANY": {"A GAS": ["SPA"]}}, {"FRANCE": ["F MAR R SPA/SC"], "GERMANY": ["A GAS R SPA"]}, {"FRANCE": "ITALY"}),
    ({"FRANCE": {"F MAR": ["SPA/SC"]}, "GERMANY": {"F GAS": ["SPA/NC"]}}, {"FRANCE": ["F MAR R SPA/SC"], "GERMANY": ["F GAS R SPA/NC"]}, {}),
    ({"FRANCE": {"A PAR": ["BUR"]}, "GERMANY": {"A MUN": ["BUR"]}, "ITALY": {"A MAR": ["BUR"]}}, {"FRANCE": ["A PAR R BUR"], "GERMANY": ["A MUN R BUR"], "ITALY": ["A MAR R BUR"]}, {}),
    ({"FRANCE": {"F MAR": ["SPA/SC"], "A GAS": ["SPA"]}}, {"FRANCE": ["F MAR R SPA/SC", "A GAS R SPA"]}, {}),
    ({"FRANCE": {"F MAR": ["SPA/SC"], "F GAS": ["SPA/NC"]}}, {"FRANCE": ["F MAR R SPA/SC", "F GAS R SPA/NC"]}, {}),
    ({"TURKEY": {"F CON": ["BUL/EC", "BUL/SC"]}}, {"TURKEY": ["F CON R BUL/SC"]}, {"BUL/SC": "BUL"}),
    ({"FRANCE": {"A MAR": ["SPA", "PIE"]}}, {"FRANCE": ["A MAR R SPA"]}, {"A MAR R SPA": "A MAR R PIE"}),
    ({"FRANCE": {"F MAR": ["SPA/SC", "PIE"]}}, {"FRANCE": ["F MAR R PIE"]}, {}),
    ({"FRANCE": {"A PAR": ["BUR", "PIC"]}}, {"FRANCE": ["A PAR R BUR"]}, {"A PAR": "A PAR/NC"}),
    ({"FRANCE": {"F POR": ["SPA/NC"]}}, {"FRANCE": ["F POR R SPA/SC"]}, {}),
)  # fmt: skip
Adjusting = tuple[Orders, Mapping[str, Sequence[str]], Orders, Mapping[str, str]]
ADJUSTMENTS: Sequence[Adjusting] = (
    ({}, {"FRANCE": ["PAR", "BRE", "MAR"]}, {"FRANCE": ["B F BRE", "B A PAR"]}, {"F BRE": "F BRE/NC", "A PAR": "A PAR/NC", "B A PAR": "B F PAR"}),
    ({}, {"FRANCE": ["PAR"]}, {"FRANCE": ["B A BUR", "B A PAR"]}, {"BUR": "MUN", "B A BUR": "B A PAR"}),
    ({}, {"FRANCE": ["PAR", "BRE"]}, {"FRANCE": ["B F PAR", "B A PAR", "B F BRE"]}, {"B F PAR": "B A MAR"}),
    ({"FRANCE": ["A PIC"]}, {"FRANCE": ["PAR", "BRE", "MAR"]}, {"FRANCE": ["B A PAR", "B F BRE", "B A MAR"]}, {"B A PAR": "B A MUN", "B A MAR": "B A PAR"}),
    ({}, {"FRANCE": ["PAR", "BRE", "MAR"]}, {"FRANCE": ["B A PAR", "B A PAR"]}, {}),
    ({}, {"RUSSIA": ["STP", "MOS"]}, {"RUSSIA": ["B F STP/NC"]}, {"STP/NC": "STP", "F STP/NC": "F STP/WC", "B F STP/NC": "B A STP/NC"}),
    ({}, {"FRANCE": ["PAR", "MUN"]}, {"FRANCE": ["B A MUN"]}, {"MUN": "PAR"}),
    ({}, {"FRANCE": ["PAR", "MUN"], "GERMANY": ["MAR", "BER"]}, {"FRANCE": ["B A MAR", "B A PAR"]}, {}),
    ({"FRANCE": ["A PAR", "F MAO"]}, {"FRANCE": ["PAR"]}, {"FRANCE": ["A PAR D"]}, {"A PAR": "F PAR", "A PAR D": "F MAO D", "A PAR D\"": "A BUR D\""}),
    ({"FRANCE": ["F SPA/NC", "A PAR"]}, {"FRANCE": ["PAR"]}, {"FRANCE": ["F SPA/NC D"]}, {"SPA/NC": "SPA/SC", "F SPA/NC": "F SPA", "F SPA/NC D": "A SPA D", "F SPA/NC D\"": "SPA/NC D\""}),
    ({"FRANCE": ["A PAR", "F MAO", "A RUH"]}, {"FRANCE": ["PAR"]}, {"FRANCE": ["A PAR D"]}, {"A PAR D": "F PAR D", "A PAR": "PAR"}),
    ({"FRANCE": ["A PAR", "F MAO", "A RUH"]}, {"FRANCE": ["PAR", "BRE"]}, {"FRANCE": ["A PAR D", "A RUH D"]}, {"\"A PAR D\"": "\"A PAR D\", \"A PAR D\""}),
    ({"FRANCE": ["A PAR", "F MAO", "A RUH"], "GERMANY": ["A MUN"]}, {"FRANCE": ["PAR"], "GERMANY": ["MUN"]}, {"FRANCE": ["A MUN D", "A PAR D"]}, {"A MUN D": "A KIE D"}),
    ({"FRANCE": ["A RUH", "F NTH", "A BUR"]}, {"FRANCE": ["PAR"]}, {"FRANCE": []}, {"RUH": "MUN", "NTH": "HEL"}),
    ({"FRANCE": ["F SPA/SC", "F LYO"]}, {"FRANCE": ["MAR"]}, {"FRANCE": []}, {}),
    ({"FRANCE": ["A PAR", "F MAO"]}, {"FRANCE": ["PAR"]}, {"FRANCE": ["A PAR D"]}, {"A PAR D": "A PAR/NC D"}),
    # who stands where is built, and whose centre it is
    ({"FRANCE": ["A BRE"]}, {"FRANCE": ["BRE", "PAR"]}, {"FRANCE": ["B F BRE"]}, {"F BRE": "A BRE"}),
    ({"FRANCE": ["F BRE"]}, {"FRANCE": ["BRE", "PAR"]}, {"FRANCE": ["B A BRE"]}, {"A BRE": "F BRE"}),
    ({"GERMANY": ["A BRE"]}, {"FRANCE": ["BRE", "PAR"], "GERMANY": ["MUN"]}, {"FRANCE": ["B F BRE"]}, {"F BRE": "A BRE"}),
    ({"GERMANY": ["F BRE"]}, {"FRANCE": ["BRE", "PAR"], "GERMANY": ["MUN"]}, {"FRANCE": ["B A BRE"]}, {"A BRE": "F BRE"}),
    ({"RUSSIA": ["F STP/SC"]}, {"RUSSIA": ["STP", "MOS"]}, {"RUSSIA": ["B F STP/NC"]}, {"F STP/NC": "A STP"}),
    ({}, {"FRANCE": ["PAR"], "GERMANY": ["BRE"]}, {"FRANCE": ["B F BRE"]}, {"F BRE": "A BRE"}),
    ({}, {"FRANCE": ["PAR"]}, {"FRANCE": ["B F BRE"]}, {"F BRE": "A BRE"}),
    ({}, {"FRANCE": ["SPA", "PAR"]}, {"FRANCE": ["B F SPA/NC"]}, {"F SPA/NC": "A SPA"}),
    ({}, {"FRANCE": ["LON", "PAR"]}, {"FRANCE": ["B F LON"]}, {"F LON": "A LON"}),
    # several builds, and declined ones
    ({}, {"FRANCE": ["PAR", "BRE"]}, {"FRANCE": ["B A BRE", "B F BRE"]}, {"B A BRE": "B F BRE"}),
    ({"FRANCE": ["A PIC"]}, {"FRANCE": ["PAR", "BRE", "MAR"]}, {"FRANCE": ["B A BRE", "B F BRE", "B A PAR"]}, {"B A BRE": "B F BRE"}),
    ({}, {"RUSSIA": ["STP", "MOS"]}, {"RUSSIA": ["B F STP/NC", "B F STP/SC"]}, {"B F STP/SC": "B A STP"}),
    ({"FRANCE": ["A PIC", "A GAS"]}, {"FRANCE": ["PAR", "BRE", "MAR"]}, {"FRANCE": ["B F BRE", "B A MAR"]}, {"\"B F BRE\", \"B A MAR\"": "\"B A MAR\", \"B F BRE\"", "B A MAR": "B F MAR", "B F BRE": "B A BRE"}),
    ({}, {"FRANCE": ["PAR", "BRE", "MAR"]}, {"FRANCE": ["WAIVE", "B A PAR", "B F BRE", "B A MAR"]}, {"B F BRE": "WAIVE", "\"WAIVE\", \"B A PAR\", \"B F BRE\", \"B A MAR\"": "\"WAIVE\", \"B A PAR\", \"B F BRE\""}),
    ({}, {"FRANCE": ["PAR", "BRE"]}, {"FRANCE": ["B A PAR", "WAIVE", "WAIVE"]}, {"B A PAR": "B A BUR"}),
    # what is removed
    ({"FRANCE": ["A RUH", "F NTH", "A BUR"]}, {"GERMANY": ["BER"]}, {"FRANCE": []}, {"[]": "[\"A BUR D\"]"}),
    ({"FRANCE": ["A RUH", "F NTH", "A BUR"]}, {"GERMANY": ["BER"], "FRANCE": ["SPA"]}, {"FRANCE": []}, {}),
    ({"FRANCE": ["A PAR", "F MAO", "A RUH"]}, {"FRANCE": ["PAR"]}, {"FRANCE": ["A KIE D"]}, {"A KIE D": "A KIE D\", \"A PAR D", "A KIE": "A PAR"}),
    ({"FRANCE": ["A PAR", "F BRE", "A MAR"]}, {"FRANCE": ["PAR"]}, {"FRANCE": ["F BRE D"]}, {"F BRE D": "A PAR D"}),
    # a build that is not possible, and another one
    ({"FRANCE": ["A BRE"]}, {"FRANCE": ["BRE", "PAR"]}, {"FRANCE": ["B F BRE", "B A PAR"]}, {"B F BRE": "B A BRE"}),
    ({"GERMANY": ["A BRE"]}, {"FRANCE": ["BRE"], "GERMANY": ["MUN"]}, {"FRANCE": ["B F BRE"]}, {}),
    ({"GERMANY": ["A BRE"], "FRANCE": ["A SPA"]}, {"FRANCE": ["BRE", "PAR"], "GERMANY": ["MUN"]}, {"FRANCE": ["B F BRE", "B A PAR"]}, {}),
    ({}, {"FRANCE": ["PAR"], "GERMANY": ["BRE"]}, {"FRANCE": ["B F BRE", "B A PAR"]}, {}),
    ({"FRANCE": ["A PIC"]}, {"FRANCE": ["PAR", "SPA"]}, {"FRANCE": ["B F SPA/NC", "B A PAR"]}, {"B F SPA/NC": "B A SPA"}),
    # civil disorder: few units, and centres at home and elsewhere
    ({"FRANCE": ["A RUH"]}, {"GERMANY": ["BER"]}, {"FRANCE": []}, {}),
    ({"FRANCE": ["A RUH", "F NTH"]}, {"GERMANY": ["BER"]}, {"FRANCE": []}, {"[]": "[\"A RUH D\"]"}),
    ({"FRANCE": ["A TYR", "A RUH", "A BUR"]}, {"FRANCE": ["PAR", "VEN"]}, {"FRANCE": []}, {}),
    ({"FRANCE": ["A TYR", "A RUH"]}, {"FRANCE": ["VEN"]}, {"FRANCE": []}, {}),
    ({"FRANCE": ["F ADR", "F NTH"]}, {"FRANCE": ["VEN"], "GERMANY": ["PAR"]}, {"FRANCE": []}, {}),
)  # fmt: skip


def candidates() -> Iterator[KitQuestion]:
    """Every product, as it should be and with each mistake."""
    for number, (orders, mistakes) in enumerate(MOVEMENT):
        there = {power: sorted({_unit(order) for order in given}) for power, given in orders.items()}
        yield from _varied({"id": f"movement {number}", "units": there}, orders, mistakes)
    for number, (lost, orders, mistakes) in enumerate(RETREATS):
        yield from _varied({"id": f"retreat {number}", "phase": "retreat", "dislodged": lost, "units": {}}, orders, mistakes)
    for number, (units, centers, orders, mistakes) in enumerate(ADJUSTMENTS):
        line = {"id": f"adjustment {number}", "phase": "adjustment", "units": units, "centers": centers}
        yield from _varied(line, orders, mistakes)


def _unit(order: str) -> str:
    return " ".join(order.split()[:2])


def _varied(line: Mapping[str, object], orders: Orders, mistakes: Mapping[str, str]) -> Iterator[KitQuestion]:
    written = msgspec.json.encode(orders).decode().replace(",", ", ")
    for text in (written, *(written.replace(old, new, 1) for old, new in mistakes.items())):
        yield read_question(msgspec.json.encode({**line, "orders": msgspec.json.decode(text)}))


def told(position: AskedPosition) -> set[str]:
    """Return the settings and faults that a position detects, and the faults in each circumstance that is true on it."""
    (usual,) = RULES.list_answers([position])
    judge, found = get_switchable_judge(), set[str]()
    for part in iter_further_parts(RULES):
        if list_changed_positions(RULES.rules, part, [position]):
            found.add(part)
            if part not in FAULTS or not judge.can_switch_on((part,)):
                continue
            with judge.lock:
                judge.switch_on((name_conditional_fault(part, ["nowhere"]),))
                judge.answer_position(position, RULES.rulebook)
                for alike in _told_apart(judge.get_uses(part)):
                    judge.switch_on((name_conditional_fault(part, alike[:1]),))
                    if judge.answer_position(position, RULES.rulebook) != usual:
                        found |= {name_conditional_fault(part, [one]) for one in alike}
    return found


def _told_apart(uses: Iterable[int]) -> Iterable[list[str]]:
    """Group circumstances that are true at the same uses of a rule, so that a fault applies alike in each."""
    true_at: dict[str, list[int]] = {}
    for use in sorted(uses):
        for one in list_circumstances(use):
            true_at.setdefault(one, []).append(use)
    groups: dict[tuple[int, ...], list[str]] = {}
    for one, where in sorted(true_at.items()):
        groups.setdefault(tuple(where), []).append(one)
    return groups.values()


def main() -> None:
    had = [*map(read_question, FILE.read_bytes().splitlines())]
    drawn = sorted(candidates(), key=lambda one: (str(one.board.phase), len(one.board.units), len(one.question_line)))
    known, kept, keys = set[str](), list[KitQuestion](), set[str]()
    for number, question in enumerate(questions := [*had, *drawn]):
        position = parse_position(question.question_line)
        new = told(position) - known
        if position.key in keys or not (new or number < len(had)):
            continue
        keys.add(position.key)
        known |= new
        tells = tuple(sorted(one for one in new if not is_conditional(one)))
        kept.append(replace(question, name=f"product {len(kept) + 1}", tells=tells))
    write_atomically(FILE, b"".join(question.answered_line + b"\n" for question in kept))
    faults = {one for one in known if not is_conditional(one)}
    print(
        f"{len(kept)} of {len(questions)} questions tell {len(faults)} settings and faults, and {len(known) - len(faults)} conditions"
    )


if __name__ == "__main__":
    main()
