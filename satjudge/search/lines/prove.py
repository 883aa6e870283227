"""Proves that lines hold, or finds attacks that break them; also finds redundant units, and units that repair a line.

    finding = examine_line(line)
    finding.holds, finding.attack        # a proof that the line holds, or an attack that breaks it

A siege is a formula that asks whether enemies can enter one province of a line. Suppose some enemy orders bring a unit into a
protected province. Then a unit also gets in if every other enemy either supports its move or moves to a province whose unit
supports the defence. No enemy needs a convoy, because the last fleet of the route could go there itself. So the formula can
leave out all other orders. docs/background/lines.md has the proof.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from satjudge.base.values import brief
from satjudge.judging.equations.situation import SupportDecision
from satjudge.judging.judge import judge
from satjudge.judging.outcome import Outcome
from satjudge.search.formulas.clauses import FALSE, TRUE, Formula, Literal
from satjudge.search.formulas.cpsat import Answer, Solver
from satjudge.search.lines.line import Line, list_all_units
from satjudge.search.open_orders.encoding import Choice, Encoding, make_known_powers
from satjudge.search.open_orders.proposal import complete_order, find_accepted, find_minimal_subset
from satjudge.search.open_orders.same_power import join_by_key, require_one_per_key
from satjudge.search.open_orders.universe import Spot
from satjudge.world.board import Board, Unit, group_pairs
from satjudge.world.geography import Power, ProvinceCode, UnitKind, province_of
from satjudge.world.orders import Hold, Move, MovementOrder, Named, SupportHold, SupportMove

Candidate = tuple[Unit, MovementOrder]


@dataclass(frozen=True)
class Attack:
    """An attack on a line: the enemy units with their orders, and the outcome."""

    line: Line
    orders: Mapping[Unit, MovementOrder]

    __repr__ = brief

    @cached_property
    def board(self) -> Board:
        """The board with the line and its enemies."""
        return replace(self.line.board, units=(*self.line.board.units, *self.orders))

    @cached_property
    def by_power(self) -> dict[Power, list[MovementOrder]]:
        """The orders by power: those of the line's units, then those of the enemies."""
        ours = self.line.orders
        return group_pairs((unit.power, self.orders.get(unit) or ours[unit.province]) for unit in self.board.units)

    @cached_property
    def outcome(self) -> Outcome:
        """The judge's outcome for the orders of the line and its enemies."""
        return judge(self.board, self.by_power, rulebook=self.line.rulebook)

    @cached_property
    def entered_provinces(self) -> tuple[ProvinceCode, ...]:
        """The protected provinces that an enemy moves into."""
        arrived = (move for origin, move in self.outcome.successful_moves.items() if origin not in self.line.board.unit_at)
        return tuple(
            sorted(move.destination.province for move in arrived if move.destination.province in self.line.protected_provinces)
        )

    def trim_enemies(self) -> Attack:
        """Return this attack without the enemies that are not needed to enter a protected province."""

        def keep_enemies(units: Iterable[Unit]) -> Attack:
            return Attack(self.line, {unit: self.orders[unit] for unit in units})

        return keep_enemies(find_minimal_subset(self.orders, lambda units: bool(keep_enemies(units).entered_provinces)))

    def reinforce_line(self, line: Line) -> Attack:
        """Return this attack on a larger line, from which only those units are removed whose presence would stop it."""
        standing = self.line.board.unit_at.keys()

        def remove_units(units: Iterable[Unit]) -> Attack:
            removed = {unit.province for unit in units}
            return Attack(line.keep_units(line.board.unit_at.keys() - removed), self.orders)

        missing = [unit for unit in line.board.units if unit.province not in standing]
        return remove_units(find_minimal_subset(missing, lambda units: bool(remove_units(units).entered_provinces)))


def encode_line(
    line: Line,
    orders: Iterable[Choice],
    formula: Formula,
    unit_literals: Mapping[Spot, Literal],
    own_choices: Iterable[Choice] | None = None,
) -> Encoding:
    """Encode the resolution of a line and other orders with literals; `unit_literals` are for units that may join the line.

    `own_choices` are orders that the line may have instead of its own. `unit_literals` contains a literal for each unit that
    may be added to the line. Because no unit of the line moves, the line's powers do not matter. All other units are foreign to
    it and to each other.
    """
    units = {Spot(unit.kind, unit.location): TRUE for unit in line.board.units} | dict(unit_literals)
    if own_choices is None:
        own_choices = [((unit, line.orders[unit.province]), TRUE) for unit in line.board.units]
    powers = {spot.province: line.board.units[0].power for spot in units} if line.board.units else {}
    return make_known_powers(
        line.board, (*own_choices, *orders), line.rulebook, formula, units=units, powers=powers
    ).encode_resolution()


class Siege:
    """The formula whose assignments are the attacks that bring an enemy into the province `target`."""

    def __init__(self, line: Line, target: ProvinceCode) -> None:
        self.line = line
        self.target = target
        self.formula = Formula()
        self.candidates = list_threats(line, target)
        self.unknown = [self.formula.add_variable(str(order)) for _, order in self.candidates]
        self.encoding = encode_line(line, zip(self.candidates, self.unknown, strict=True), self.formula, {})
        self._add_requirements()

    def _add_requirements(self) -> None:
        """Require at most one order in each province, the move of each support, the line's limits, and an entry."""
        given = list(zip(self.candidates, self.unknown, strict=True))
        require_one_per_key(self.formula, ((unit.province, guard) for (unit, _), guard in given))
        if self.line.fleets is not None:
            fleets = [guard for (unit, _), guard in given if unit.kind is UnitKind.FLEET]
            self.formula.require(-self.formula.at_least(self.line.fleets + 1, fleets))
        for limit in self.line.limits:
            limit_guards = [guard for (unit, _), guard in given if (unit.kind, unit.location) in limit.units]
            self.formula.require(-self.formula.at_least(limit.most + 1, limit_guards))
        guards = self.encoding.orders.guards
        for decision in self.encoding.orders.situation.decisions:
            if isinstance(decision, SupportDecision) and not decision.supports_hold:
                self.formula.require(-guards[decision.index], *(guards[move.index] for move in decision.matches))
        self.formula.require(self.encoding.is_entered(self.target))

    def find_attack(self, max_enemies: int, *, cheapest: bool = False) -> Attack | None:
        """Find an attack with at most `max_enemies` enemies, with the fewest if `cheapest`; None if there is none."""
        solver, minimise = Solver(self.formula, workers=1), self.unknown if cheapest else ()

        def propose() -> frozenset[Literal] | None:
            answer = solver.decide(at_most=(self.unknown, max_enemies), minimise=minimise)
            if answer.values is None and not answer.exhausted:
                raise RuntimeError(f"the solver gave up on {self.target}")
            return None if answer.values is None else frozenset(filter(answer.holds, self.unknown))

        def forbid(chosen: frozenset[Literal]) -> None:
            self.formula.require(*(-guard for guard in chosen))

        chosen = find_accepted(propose, lambda chosen: None if self._read_attack(chosen).entered_provinces else chosen, forbid)
        return None if chosen is None else self._read_attack(chosen)

    def _read_attack(self, chosen: frozenset[Literal]) -> Attack:
        given = [entry for entry, guard in zip(self.candidates, self.unknown, strict=True) if guard in chosen]
        board = Board((*self.line.board.units, *(unit for unit, _ in given)), map=self.line.board.map)
        return Attack(self.line, {unit: complete_order(order, board, self.line.rulebook) for unit, order in given})


# Orders that enemies need


def list_threats(line: Line, target: ProvinceCode) -> list[Candidate]:
    """List the enemy orders that may help to bring a unit into the target, each as a pair of unit and order."""
    attackers = [*_iter_entries(line, target)]
    if not attackers:
        return []
    given = line.orders.items()
    supporters = [place for place, order in given if isinstance(order, SupportHold) and order.supported.province == target]
    cutters = (cut for province in supporters for cut in _iter_entries(line, province))
    return [*dict.fromkeys((*attackers, *cutters)), *_iter_supports(target, attackers)]


def _iter_entries(line: Line, target: ProvinceCode) -> Iterator[Candidate]:
    """Yield the enemy moves into a province, each only to one coast, since the coast does not matter.

    All enemies are of one power: their orders do not affect each other, so the power does not matter.
    """
    ours = {unit.power for unit in line.board.units}
    enemy = next(power for power in line.board.map.powers if power not in ours)
    for kind, place in line.enemy_units:
        ways = [way for way in line.board.map.exits(kind, place) if province_of(way) == target]
        if ways:
            unit = Unit(enemy, kind, place)
            yield unit, Move(unit.named, min(ways))


def _iter_supports(target: ProvinceCode, attackers: list[Candidate]) -> Iterator[Candidate]:
    """Yield the enemies' supports of moves into the target, which name the supported unit only by its province.

    A unit that can support a move could also make it, so of two units, only the alphabetically later one supports the other.
    """
    origins = sorted({unit.province for unit, _ in attackers})
    for unit, _ in attackers:
        for origin in origins:
            if origin < unit.province:
                yield unit, SupportMove(unit.named, Named(None, origin), target)


@dataclass(slots=True)
class Size:
    """The number of questions to the solver, one for each province that an enemy can reach, and their total size."""

    questions: int = 0
    orders: int = 0
    variables: int = 0
    clauses: int = 0

    def add_question(self, formula: Formula, orders: int) -> None:
        """Add a question with this formula and this number of possible orders to the totals."""
        self.questions += 1
        self.orders += orders
        self.variables += formula.size
        self.clauses += len(formula.clauses) + len(formula.counts)


@dataclass(frozen=True, slots=True)
class LineFinding:
    """What was found about a line: the attack that breaks it, or None if it is proved to hold."""

    line: Line
    attack: Attack | None
    size: Size

    __repr__ = brief

    @property
    def holds(self) -> bool:
        """True if it is proved that no attack breaks the line."""
        return self.attack is None


def examine_line(line: Line, *, cheapest: bool = False, on_province: Callable[[], None] = lambda: None) -> LineFinding:
    """Prove that a stalemate line holds, or find an attack that breaks it; if `cheapest`, one with the fewest enemies.

    Even without `cheapest`, the attack has no unnecessary enemies. `on_province` is called for each protected province. For
    lines that move, use `satjudge.search.lines.moving_lines`.
    """
    assert not line.is_moving
    size = Size()
    best: Attack | None = None
    for siege in iter_sieges(line):
        on_province()
        if siege is not None and (best is None or cheapest):
            size.add_question(siege.formula, len(siege.unknown))
            most = line.enemies if best is None else len(best.orders) - 1
            best = siege.find_attack(most, cheapest=cheapest) or best
    return LineFinding(line, best if best is None or cheapest else best.trim_enemies(), size)


def iter_sieges(line: Line) -> Iterator[Siege | None]:
    """Yield the siege of each protected province, in alphabetical order; None instead if no enemy can reach the province."""
    for target in sorted(line.protected_provinces):
        siege = Siege(line, target)
        yield siege if siege.candidates else None


def iter_attacks(line: Line) -> Iterator[Attack]:
    """Yield one attack, without unnecessary enemies, for each protected province that enemies can enter."""
    for siege in iter_sieges(line):
        attack = siege.find_attack(line.enemies) if siege else None
        if attack is not None:
            yield attack.trim_enemies()


def examine_without_each(line: Line, on_unit: Callable[[], None] = lambda: None) -> Iterator[tuple[Unit, LineFinding]]:
    """Yield each unit of the line with the finding about the line without it, in which supports for it become holds."""
    for unit in line.board.units:
        yield unit, examine_line(line.keep_units(other.province for other in line.board.units if other != unit))
        on_unit()


def find_smallest_part(line: Line, on_try: Callable[[], None] = lambda: None) -> Line | None:
    """Return the line with the fewest of its units that still protect all its provinces; None if even all of them do not.

    Every attack on too few units shows that at least one of the units that would stop it is needed. The next try has the fewest
    units that meet all these demands, so the first success has the fewest units. An attack that breaks some units also breaks
    any part of them.
    """
    formula = Formula()
    keep = {unit.province: formula.add_variable(str(unit)) for unit in line.board.units}

    def build_line(answer: Answer) -> Line:
        return line.keep_units(province for province, literal in keep.items() if answer.holds(literal))

    def withstand(attack: Attack) -> None:
        standing = attack.reinforce_line(line).line.board.unit_at
        formula.require(*(literal for province, literal in keep.items() if province not in standing))

    return _find_fewest_units(formula, list(keep.values()), build_line, withstand, on_try)


def _find_fewest_units(
    formula: Formula,
    units: Sequence[Literal],
    build_line: Callable[[Answer], Line],
    exclude_attack: Callable[[Attack], None],
    on_try: Callable[[], None],
    then_minimise: Sequence[Literal] = (),
) -> Line | None:
    """Return the line with the fewest units that holds, among those that the formula allows; None if there is none.

    `build_line` makes a line from an assignment, `exclude_attack` adds clauses against an attack, and `on_try` is called before
    each try. Of several such lines, the result is one with the fewest true literals of `then_minimise`.
    """
    solver = Solver(formula, workers=1)

    def propose() -> Line | None:
        answer = solver.decide(minimise=units)
        if answer.values is None:
            return None
        if then_minimise:
            answer = solver.decide(at_most=(units, sum(map(answer.holds, units))), minimise=then_minimise)
        on_try()
        return build_line(answer)

    def learn(broken: list[Attack]) -> None:
        for attack in broken:
            exclude_attack(attack)

    return find_accepted(propose, lambda line: list(iter_attacks(line)) or None, learn)


# Repair


def repair_line(line: Line, on_try: Callable[[], None] = lambda: None, *, reorder: bool = False) -> Line | None:
    """Return the line with the fewest added units that make it hold (`reorder`: with changed orders); None if none do.

    The added units stand behind or next to the line, and hold or support. With `reorder`, the line's own orders may change as
    well; then the result has the fewest changed orders among the repairs with the fewest units. Each attack found so far is
    encoded with the unknown orders and units as literals, and must not succeed.
    """
    works = _RepairFormula(line, reorder=reorder)
    return _find_fewest_units(
        works.formula, list(works.standing.values()), works.build_line, works.exclude_attack, on_try, works.changed
    )


class _RepairFormula:
    """A formula of units with orders to add to a line, and of changes to its own orders."""

    def __init__(self, line: Line, *, reorder: bool) -> None:
        self.line = line
        self.formula = Formula()
        self.guards = {candidate: self.formula.add_variable(f"{candidate[1]}") for candidate in _iter_extra_units(line)}
        by_unit = [(Spot(unit.kind, unit.location), guard) for (unit, _), guard in self.guards.items()]
        by_province = [(spot.province, guard) for spot, guard in by_unit]
        self.stands, self.standing = join_by_key(self.formula, by_unit), join_by_key(self.formula, by_province)
        require_one_per_key(self.formula, by_province)
        self.ours = (
            self._add_own_orders() if reorder else {(unit, line.orders[unit.province]): TRUE for unit in line.board.units}
        )
        self.changed = [guard for (unit, order), guard in self.ours.items() if order != line.orders[unit.province]]
        for (_, order), guard in (self.guards | self.ours).items():
            if isinstance(order, SupportHold) and (place := order.supported.province) in self.standing:
                self.formula.require(-guard, self.standing[place])

    def _add_own_orders(self) -> dict[Candidate, Literal]:
        """Return a new literal for each possible order of each unit of the line; require exactly one order per unit."""
        ours: dict[Candidate, Literal] = {}
        line = self.line
        near = {*self.standing, *line.board.unit_at}
        for unit in line.board.units:
            own = line.orders[unit.province]
            others = (order for order in _iter_orders(unit, line, near) if not _is_equivalent(order, own))
            guards = {(unit, order): self.formula.add_variable(f"{order}") for order in (own, *others)}
            self.formula.require(*guards.values())
            self.formula.require_at_most_one(guards.values())
            ours |= guards
        return ours

    def build_line(self, answer: Answer) -> Line:
        """Return the line with the units and orders that the solver's assignment proposes."""
        orders = {unit.province: order for (unit, order), guard in self.ours.items() if answer.holds(guard)}
        chosen = dict(candidate for candidate, guard in self.guards.items() if answer.holds(guard))
        bare = replace(self.line, orders=orders).add_units(chosen)
        full = {
            unit.province: complete_order(bare.orders[unit.province], bare.board, bare.rulebook) for unit in bare.board.units
        }
        return replace(bare, orders=full)

    def exclude_attack(self, attack: Attack) -> None:
        """Require that the attack enters no protected province and none with an added unit, unless one replaces an attacker."""
        enemies = {unit.province for unit in attack.orders}
        ours = {province: literal for province, literal in self.standing.items() if province not in enemies}
        orders: list[Choice] = [(entry, TRUE) for entry in attack.orders.items()]
        orders += [(entry, guard) for entry, guard in self.guards.items() if entry[0].province in ours]
        more = {spot: literal for spot, literal in self.stands.items() if spot.province in ours}
        encoding = encode_line(self.line, orders, self.formula, more, self.ours.items())
        unbroken = [-encoding.is_entered(province) for province in self.line.protected_provinces]
        unprotected = (
            province for province in ours if province not in self.line.protected_provinces
        )  # no unit of the line stands there, or no enemy enters
        unbroken += [self.formula.any_of((-ours[province], -encoding.is_entered(province))) for province in unprotected]
        standing_enemies = (self.standing.get(province, FALSE) for province in enemies)
        self.formula.require(self.formula.all_of(unbroken), *standing_enemies)


def _is_equivalent(one: MovementOrder, other: MovementOrder) -> bool:
    """Return whether two orders of the same unit have the same meaning, even if one names the supported unit in full."""
    if isinstance(one, SupportHold) and isinstance(other, SupportHold):
        return one.supported.province == other.supported.province
    return isinstance(one, Hold) and isinstance(other, Hold)


def _iter_extra_units(line: Line) -> Iterator[Candidate]:
    """Yield each unit that could be added to a line, behind or next to it, with each order that it might have."""
    power = line.board.units[0].power
    game_map = line.board.map
    near = (
        line.protected_provinces.union(*(game_map.neighbours[code] for code in line.protected_provinces))
        - line.board.unit_at.keys()
    )
    for kind, place in list_all_units(game_map):
        if province_of(place) in near:
            unit = Unit(power, kind, place)
            for order in _iter_orders(unit, line, {*near, *line.board.unit_at}):
                yield unit, order


def _iter_orders(unit: Unit, line: Line, near: Collection[ProvinceCode]) -> Iterator[MovementOrder]:
    """Yield the orders that a unit of a line may have: to hold, or to support a unit in a province of `near` to hold."""
    yield Hold(unit.named)
    for target in sorted({province_of(way) for way in line.board.map.exits(unit.kind, unit.location)}):
        standing = line.board.unit_at.get(target)
        if target in near:
            yield SupportHold(unit.named, standing.named if standing else Named(None, target))
