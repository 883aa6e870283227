"""Judges the games with which godip tests its variants, phase by phase, and tells what comes out otherwise.

    python benchmarks/studies/godip_games.py GODIP            # a checkout of github.com/zond/godip

Its games are those of vDiplomacy and others, each phase with positions and orders. Movement and retreats need the map alone, so
variants whose other rules satjudge does not have are judged too. A phase is judged from the positions in the text, so one
difference is told once. Exit status 1 after any.

In November 2026 there were 958 phases, and twelve otherwise, all in games that godip played at random: ten removals of civil
disorder, for which godip counts as the guide does (4.D.8=guide; datc-3 counts from owned centres); a neutral army that is
rebuilt (Western World 901); and an army that borders on its destination, whose own fleet is ordered to convoy it there from a
sea that does not touch it: such an order is illegal (4.E.1, 6.G.19), so the army goes by land here, and nowhere there.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from satjudge.base.errors import InputError, SatjudgeError
from satjudge.files.maps import map_stated
from satjudge.files.maps.godip import BareMap, read_without_rules
from satjudge.judging.judge import judge_phase
from satjudge.judging.outcome import Outcome
from satjudge.world.board import Board, Phase, Unit
from satjudge.world.geography import UnitKind, province_of
from satjudge.world.rules import Rulebook, load_rulebook
from satjudge.world.rules.rulebook import options

_PHASE = re.compile(r"PHASE (?P<name>\d+ \S+) (?P<kind>\S+)")
_STANDS = re.compile(r"(?P<power>.+): (?P<what>army|fleet|supply)(?P<lost>/dislodged)? (?P<place>\S+)")
_BUILDS = {"": "", "BuildAnywhere": "builds_anywhere", "BuildAnyHomeCenter": "builds_in_any_home"}
"""The rules of building by the parsers of the variants."""
_KINDS = {"Movement": Phase.MOVEMENT, "Retreat": Phase.RETREAT, "Adjustment": Phase.ADJUSTMENT}


@dataclass
class Told:
    """A phase as the text tells it."""

    name: str
    phase: Phase
    units: set[Unit] = field(default_factory=set)
    dislodged: set[Unit] = field(default_factory=set)
    centers: dict[str, str] = field(default_factory=dict)
    orders: list[str] = field(default_factory=list)


class Reader:
    """Reads games of one variant."""

    def __init__(self, bare: BareMap, builds: str) -> None:
        self.bare, self.map = bare, map_stated({**bare.tables, **({builds: True} if builds else {})}, "godip")

    def phases(self, path: Path) -> list[Told]:
        """The phases of a game, in order."""
        found: list[Told] = []
        for line in map(str.strip, path.read_text(encoding="utf-8").splitlines()):
            if begun := _PHASE.fullmatch(line):
                found.append(Told(begun[0], _KINDS[begun["kind"]]))
            elif stands := _STANDS.fullmatch(line):
                self._stand(found[-1], stands)
            elif line not in ("POSITIONS", "ORDERS", ""):
                found[-1].orders.append(line)
        for phase in found:  # one text has a fleet twice, with its coast and without
            on_coasts = {province_of(unit.location) for unit in phase.units if "/" in unit.location}
            phase.units = {unit for unit in phase.units if unit.location not in on_coasts}
        return found

    def _stand(self, phase: Told, stands: re.Match[str]) -> None:
        power, place = self.bare.powers[stands["power"]], self.bare.place(stands["place"])
        if stands["what"] == "supply":
            phase.centers[place] = power
        else:
            army = stands["what"] == "army"
            unit = Unit(power, UnitKind.ARMY if army else UnitKind.FLEET, province_of(place) if army else place)
            (phase.dislodged if stands["lost"] else phase.units).add(unit)

    def board(self, phase: Told) -> Board:
        """The position of a phase."""
        return Board(tuple(phase.units), centers=phase.centers, phase=phase.phase, map=self.map)

    def orders(self, phase: Told) -> dict[str, list[str]]:
        """The orders of a phase by power, as satjudge reads them."""
        ordered = phase.dislodged if phase.phase is Phase.RETREAT else phase.units
        at = {province_of(unit.location): unit for unit in ordered}
        standing = {province_of(unit.location): unit for unit in phase.units}
        found: dict[str, list[str]] = {}
        for words in map(str.split, phase.orders):
            if phase.phase is Phase.RETREAT and province_of(self.bare.place(words[words[0] == "remove"])) not in at:
                continue  # of a unit that could not retreat, which godip takes off before
            power, text = self._order(words, phase, at, standing)
            found.setdefault(power, []).append(text)
        return found

    def _order(self, words: list[str], phase: Told, at: dict[str, Unit], standing: dict[str, Unit]) -> tuple[str, str]:
        if words[0] == "build":
            kind, place = words[-2][0], self.bare.place(words[-1])
            return phase.centers[province_of(place)], f"Build {kind} {place}"
        if words[0] == "remove":
            words = [words[1], "disband"]
        unit = at[province_of(self.bare.place(words[0]))]
        match words[1:]:
            case ["hold"]:
                return unit.power, f"{unit} H"
            case ["disband"]:
                return unit.power, f"Remove {unit}" if phase.phase is Phase.ADJUSTMENT else f"{unit} D"
            case ["move", to]:
                return unit.power, f"{unit} - {self._to(unit, to)}"
            case ["move", to, "via", "convoy"]:
                return unit.power, f"{unit} - {self._to(unit, to)} VIA"
            case ["support", whom]:
                return unit.power, f"{unit} S {self._named(whom, standing)}"
            case ["support", whom, "move", to]:
                return unit.power, f"{unit} S {self._named(whom, standing)} - {self.bare.place(to)}"
            case ["convoy", whom, "move", to]:
                return unit.power, f"{unit} C {self._named(whom, standing)} - {self.bare.place(to)}"
        raise ValueError(" ".join(words))

    def _to(self, unit: Unit, text: str) -> str:
        place = self.bare.place(text)
        return province_of(place) if unit.kind is UnitKind.ARMY else place

    def _named(self, text: str, standing: dict[str, Unit]) -> str:
        place = self.bare.place(text)
        return str(standing.get(province_of(place), f"A {place}"))


def main() -> None:
    """Judges the games of each variant that has any."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("godip", type=Path)
    parser.add_argument("--rules", default="datc-3", help="the rulebook  [default: datc-3]")
    given = parser.parse_args()
    count = different = 0
    for folder in sorted(path.parent for path in given.godip.glob("variants/**/games/info.txt")):
        variant = folder.parent
        try:
            source = variant / f"{variant.name}.go"
            builds = re.search(r"Parser: +\w*\.?(BuildAny\w+)Parser", source.read_text(encoding="utf-8"))
            reader = Reader(read_without_rules(source), _BUILDS[builds[1] if builds else ""])
        except InputError as error:
            print(f"{variant.name}: refused: {error}")
            continue
        for path in sorted(folder.glob("game_*.txt"), key=lambda path: (len(path.name), path.name)):
            phases = reader.phases(path)
            found = list(differences(reader, phases, given.rules))
            count, different = count + len(phases), different + len(found)
            print(f"{variant.name} {path.stem}: {len(phases)} phases, {len(found)} otherwise", flush=True)
            for line in found:
                print(f"    {line}")
    print(f"{count} phases, {different} otherwise")
    sys.exit(1 if different else 0)


def differences(reader: Reader, phases: list[Told], rules: str) -> Iterator[str]:
    """Tells what comes out otherwise, by phase, and which settings would give what the text says."""
    moved: Board | None = None
    for now, then in pairwise(phases):
        before = moved if now.phase is Phase.RETREAT and moved else reader.board(now)
        moved = None
        try:
            orders = reader.orders(now)
            after = _after(before, orders, load_rulebook(rules))
        except (InputError, ValueError) as error:
            yield f"{now.name}: cannot be judged: {error!r:.200}"
            continue
        moved = after if now.phase is Phase.MOVEMENT else None
        if not _agrees(after, then):
            ours, theirs = set(after.units) - then.units, then.units - set(after.units)
            told = [", ".join(sorted(f"{unit.power} {unit}" for unit in units)) or "none" for units in (ours, theirs)]
            by = " or ".join(_explained(before, orders, then, load_rulebook(rules))) or "no setting of one issue"
            yield f"{now.name}: ours {told[0]}; theirs {told[1]}; the text's by {by}"


def _after(before: Board, orders: dict[str, list[str]], rulebook: Rulebook) -> Board:
    """The position after a phase; after moves with the units that are dislodged."""
    outcome = judge_phase(before, orders, rulebook=rulebook, lenient=True)
    return outcome.retreat_board if isinstance(outcome, Outcome) else outcome.next_board


def _agrees(after: Board, then: Told) -> bool:
    """Whether a position is what the text says of the next phase; it passes over units that could not retreat."""
    lost = {one.unit for one in after.dislodged}
    told = then.dislodged if then.phase is Phase.RETREAT else {one.unit for one in after.dislodged if not one.retreats}
    return set(after.units) == then.units and told <= lost


def _explained(before: Board, orders: dict[str, list[str]], then: Told, rulebook: Rulebook) -> Iterator[str]:
    """Settings of one issue under which the text is right."""
    for option in options():
        for value in option.values:
            setting = f"{option.issue}={value}"
            try:
                if _agrees(_after(before, orders, rulebook.with_settings([setting])), then):
                    yield setting
            except SatjudgeError:
                continue


if __name__ == "__main__":
    main()
