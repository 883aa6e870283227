"""Proves that lines which move hold: against any enemy orders, the line reaches a position for which it has orders.

    finding = examine_moving_line(line)
    finding.holds, finding.positions     # a proof, and the positions that the line may reach
    finding.attack, finding.becomes      # or enemy orders in one of these positions, and their effect on the line

The line has orders for some positions. It needs no orders for a position that it reaches by successful moves without a loss:
units that arrived hold, and their supporters support them in place. For each position, a formula asks whether enemies can enter
a protected province or force a position without orders. Positions forced without a loss are added, and the question is
repeated. If no more are found, the line never leaves this set of positions, so looking one turn ahead is enough.

As for lines that do not move, few enemy orders matter (docs/background/lines.md has the proof): moves to provinces of the line,
supports for these and for moves of the line, and attacks on enemies who may retreat to provinces that the line leaves.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, product
from typing import TypeAlias

from satjudge.base.errors import InputError
from satjudge.base.values import replace
from satjudge.judging.equations.situation import MoveDecision, SupportDecision
from satjudge.judging.legality import make_docket
from satjudge.search.formulas.clauses import FALSE, TRUE, Formula, Literal
from satjudge.search.formulas.cpsat import Solver
from satjudge.search.goals.outcomes import is_retreat_barred
from satjudge.search.lines.line import Line
from satjudge.search.lines.prove import Attack, Candidate, LineFinding, Size
from satjudge.search.open_orders.encoding import make_known_powers
from satjudge.search.open_orders.proposal import complete_order, find_accepted, find_minimal_subset
from satjudge.search.open_orders.rulings import require_circular_movement
from satjudge.search.open_orders.same_power import join_by_key, require_one_per_key
from satjudge.search.open_orders.universe import Spot
from satjudge.world.board import Board, Season, Unit
from satjudge.world.geography import Location, Power, ProvinceCode, UnitKind, province_of
from satjudge.world.orders import Hold, Move, MovementOrder, Named, SupportHold, SupportMove
from satjudge.world.rules.rulebook import ConvoyIntent

MOST_POSITIONS = 500
"""The largest number of positions that a line may reach; with more, the proof is given up."""

Placement: TypeAlias = frozenset[Unit]
Key: TypeAlias = tuple[Season | None, Placement]
"""The season, if it matters, and the units with their places, which together identify a position."""


@dataclass(frozen=True, slots=True)
class ReachedPosition:
    """A position that a line may reach; `after` lists the moves that led to it, if the sheet contains no orders for it."""

    line: Line
    name: str
    after: tuple[MovementOrder, ...] = ()


@dataclass(frozen=True, slots=True)
class MovingFinding(LineFinding):
    """What was found about a moving line: whether it holds, and the positions that it may reach.

    `attack` is against the position `attacked`, and `becomes` is its result. Without an attack, the line holds.
    """

    positions: tuple[ReachedPosition, ...] = ()
    attacked: ReachedPosition | None = None
    becomes: str = ""


def get_season(line: Line) -> Season | None:
    """Return the season of the line's position; None if the position is for any season."""
    return line.board.turn.season if line.board.turn else None


def make_key(line: Line) -> Key:
    """Return the season and the units of a position, which together identify it."""
    return get_season(line), frozenset(line.board.units)


def can_follow(line: Line, next_line: Line) -> bool:
    """Return whether the season of the line `next_line` can come after that of `line`, whatever their units."""
    now, then = get_season(line), get_season(next_line)
    return then is None or (now is not None and then is not now)


def examine_moving_line(line: Line, *, cheapest: bool = False, on_step: Callable[[], None] = lambda: None) -> MovingFinding:
    """Prove that a moving line holds, or find an attack that breaks it; if `cheapest`, one with the fewest orders.

    `on_step` is called for each attack that is found. Raises `InputError` for a line with too many positions.
    """
    _check_convoys(line)
    size, found = Size(), list(_list_positions(line))
    known = {make_key(one.line): one.line for one in found}
    best: tuple[ReachedPosition, Attack, str] | None = None
    for one in found:  # the list grows during the loop
        question = ReplyFormula(one.line)
        size.add_question(question.formula, len(question.unknown))
        most = line.enemies if best is None else len(best[1].orders) - 1
        while (attack := question.find_attack(known.values(), most, cheapest=cheapest)) is not None:
            on_step()
            becomes = judge_attack(attack, known.values())
            if isinstance(becomes, BreakReason):
                if not cheapest:
                    attack = _trim_attack(attack, known)
                    becomes = judge_attack(attack, known.values())
                best = (one, attack, str(becomes))
                break
            assert isinstance(becomes, Line)
            if len(found) == MOST_POSITIONS:
                raise InputError(f"the line can reach more than {MOST_POSITIONS} positions")
            known[make_key(becomes)] = becomes
            moved = tuple(order for place, order in one.line.orders.items() if place in attack.outcome.successful_moves)
            found.append(ReachedPosition(becomes, str(len(found) + 1), moved))
        if best and not cheapest:
            break
    if best is None:
        return MovingFinding(line, None, size, tuple(found))
    return MovingFinding(line, best[1], size, tuple(found), best[0], best[2])


def _check_convoys(line: Line) -> None:
    """Raise `InputError` if the rulebook lets enemies convoy armies of the line that go by land (4.A.3)."""
    if line.rulebook.convoy_intent not in (ConvoyIntent.OWN_OR_VIA, ConvoyIntent.EXPLICIT):
        raise InputError(
            f"under {line.rulebook.name}, enemies may convoy an army that could go by land, which is not supported here",
            suggestion="add --set 4.A.3=own-or-via",
        )


def _list_positions(line: Line) -> Iterator[ReachedPosition]:
    """Yield the positions that the sheet states; raises `InputError` for a repeated one or a move to where an enemy can be."""
    seen: dict[Key, str] = {}
    for number, position in enumerate((line, *line.then), 1):
        first_number = seen.setdefault(make_key(position), str(number))
        if first_number != str(number):
            raise InputError(f"positions {first_number} and {number} have the same units and season")
        free = position.protected_provinces.union(position.board.unit_at)
        for order in position.orders.values():
            if isinstance(order, Move) and province_of(order.destination) not in free:
                hint = f"{province_of(order.destination)} must be protected, not an outpost"
                raise InputError(f"{order} goes to a province that enemies may occupy, which is not supported", suggestion=hint)
        yield ReachedPosition(position, str(number))


# Possible enemy orders


class ReplyFormula:
    """The formula of enemy orders that break a line in one position, or force it into a position without orders."""

    def __init__(self, line: Line) -> None:
        self.line = line
        self.formula = Formula()
        self.candidates = list_replies(line)
        self.unknown = [self.formula.add_variable(f"{unit} {order}") for unit, order in self.candidates]
        given = list(zip(self.candidates, self.unknown, strict=True))
        self.stands = join_by_key(self.formula, ((Spot(unit.kind, unit.location), guard) for (unit, _), guard in given))
        ours = [((unit, line.orders[unit.province]), TRUE) for unit in line.board.units]
        units = {Spot(unit.kind, unit.location): TRUE for unit in line.board.units} | self.stands
        powers = {unit.province: unit.power for unit in line.board.units}
        self.orders = make_known_powers(line.board, (*ours, *given), line.rulebook, self.formula, units=units, powers=powers)
        self.encoding = self.orders.encode_resolution()
        require_circular_movement(self.encoding)
        require_one_per_key(self.formula, ((unit.province, guard) for (unit, _), guard in given))
        self._limit_enemies(given)
        self._require_supported_moves()
        self.astray = self.formula.add_variable("a position without orders")
        self.asked: set[Key] = set()
        self.formula.require(self.astray, *self._iter_losses())
        self.solver = Solver(self.formula, workers=1)

    def _limit_enemies(self, order_literals: list[tuple[Candidate, Literal]]) -> None:
        """Require that no more enemies have orders than the line's limits, on fleets and on certain units, allow."""
        line, formula = self.line, self.formula
        if line.fleets is not None:
            fleets = [guard for (unit, _), guard in order_literals if unit.kind is UnitKind.FLEET]
            formula.require(-formula.at_least(line.fleets + 1, fleets))
        for limit in line.limits:
            guards = [guard for (unit, _), guard in order_literals if (unit.kind, unit.location) in limit.units]
            formula.require(-formula.at_least(limit.most + 1, guards))

    def _require_supported_moves(self) -> None:
        """Require, for each enemy support, that the supported move is ordered, since the support does nothing otherwise."""
        guards = self.orders.guards
        for decision in self.orders.situation.decisions:
            if isinstance(decision, SupportDecision) and not decision.supports_hold and guards[decision.index] != TRUE:
                self.formula.require(-guards[decision.index], *(guards[move.index] for move in decision.matches))

    def _iter_moves_into(self, province: ProvinceCode) -> Iterator[MoveDecision]:
        place = self.orders.situation.places.get(province)
        yield from place.moves_in if place else ()

    def _iter_losses(self) -> Iterator[Literal]:
        """Yield literals, each of which holds if an enemy enters, or may retreat to, a certain protected province."""
        for province in sorted(self.line.protected_provinces):
            for move in self._iter_moves_into(province):
                if move.origin.province not in self.line.board.unit_at:
                    yield self.encoding.move(move)
            yield self._is_open_to_enemies(province)

    def _is_open_to_enemies(self, province: ProvinceCode) -> Literal:
        """Return the literal that holds if some enemy is dislodged and may retreat to the province."""
        encoding = self.encoding
        return encoding.any_of(
            encoding.all_of((stands, encoding.dislodged(spot.province), -is_retreat_barred(encoding, spot.province, province)))
            for spot, stands in self.stands.items()
            if province in map(province_of, self.line.board.map.exits(*spot))
        )

    def find_attack(self, known_positions: Iterable[Line], max_enemies: int, *, cheapest: bool) -> Attack | None:
        """Find orders of at most `max_enemies` enemies (`cheapest`: the fewest) that break the line or force a new position."""
        for other in known_positions:
            if make_key(other) not in self.asked:
                self.asked.add(make_key(other))
                if can_follow(self.line, other):
                    self.formula.require(-self.astray, -self._can_reach(other))
        minimise = self.unknown if cheapest else ()
        positions = list(known_positions)

        def propose() -> frozenset[Literal] | None:
            answer = self.solver.decide(at_most=(self.unknown, max_enemies), minimise=minimise)
            if answer.values is None and not answer.exhausted:
                raise RuntimeError("the solver gave up on a position of the line")
            return None if answer.values is None else frozenset(filter(answer.holds, self.unknown))

        def objection(chosen: frozenset[Literal]) -> frozenset[Literal] | None:
            return chosen if judge_attack(self._read_attack(chosen), positions) is None else None

        def forbid(chosen: frozenset[Literal]) -> None:
            self.formula.require(*(-guard if guard in chosen else guard for guard in self.unknown))

        chosen = find_accepted(propose, objection, forbid)
        return None if chosen is None else self._read_attack(chosen)

    def _read_attack(self, chosen: frozenset[Literal]) -> Attack:
        """Make the attack from the literals of the chosen orders, with its units named in full."""
        given = [entry for entry, guard in zip(self.candidates, self.unknown, strict=True) if guard in chosen]
        board = replace(self.line.board, units=(*self.line.board.units, *(unit for unit, _ in given)))
        return Attack(self.line, {unit: complete_order(order, board, self.line.rulebook) for unit, order in given})

    # Next positions

    def _can_reach(self, next_line: Line) -> Literal:
        """Return the literal that holds if the line can reach the position `next_line`, also by retreats and builds."""
        wanted = {Spot(unit.kind, unit.location): unit.power for unit in next_line.board.units}
        ways = (self._make_way(wanted, dict(fates)) for fates in self._iter_fates(wanted))
        return self.encoding.any_of(ways)

    def _iter_fates(self, targets: Mapping[Spot, Power]) -> Iterator[tuple[tuple[Unit, Fate], ...]]:
        """Yield each combination of fates (stays, lost, retreats somewhere) of units in outposts that fits `targets`."""
        outside = [unit for unit in self.line.board.units if unit.province in self.line.outposts]
        choices: list[list[tuple[Unit, Fate]]] = [
            [(unit, fate) for fate in (STAYS, LOST, *list_retreats(self.line, unit)) if self._is_wanted(unit, fate, targets)]
            for unit in outside
        ]
        yield from product(*choices)

    def _is_wanted(self, unit: Unit, fate: Fate, targets: Mapping[Spot, Power]) -> bool:
        return fate in (STAYS, LOST) or targets.get(Spot(unit.kind, fate)) == unit.power

    def _make_way(self, targets: Mapping[Spot, Power], fates: Mapping[Unit, Fate]) -> Literal:
        """Return the literal that holds if these fates are possible and each of `targets` is then in place or can be built."""
        encoding, line = self.encoding, self.line
        whither = [fate for fate in fates.values() if fate not in (STAYS, LOST)]
        if len(set(map(province_of, whither))) < len(whither):
            return FALSE
        parts = list[Literal]()
        for unit, fate in fates.items():
            lost = encoding.dislodged(unit.province)
            parts.append(-lost if fate is STAYS else lost)
            if fate not in (STAYS, LOST):
                parts += [
                    -is_retreat_barred(encoding, unit.province, province_of(fate)),
                    -self._is_open_to_enemies(province_of(fate)),
                ]
        left = len(line.board.units) - sum(fate is LOST for fate in fates.values())
        builds = len(targets) - left
        if builds < 0 or (builds and builds > count_builds(line, left)):
            return FALSE
        retreated = {Spot(unit.kind, fate): unit.power for unit, fate in fates.items() if fate not in (STAYS, LOST)}
        standing = {spot: self._is_standing(spot, power) for spot, power in targets.items() if retreated.get(spot) != power}
        missing = [literal for spot, literal in standing.items() if not self._can_be_built(spot, targets[spot])]
        return encoding.all_of((*parts, *missing, self.formula.at_least(left - len(retreated), standing.values())))

    def _can_be_built(self, spot: Spot, power: Power) -> bool:
        return spot.province in find_build_sites(self.line, power)

    def _is_standing(self, spot: Spot, power: Power) -> Literal:
        """Return the literal that holds if a unit of the line, of this kind and power, stands at the spot after the moves."""
        encoding = self.encoding
        arrive = (
            encoding.move(move)
            for move in self._iter_moves_into(spot.province)
            if (unit := self.line.board.unit_at.get(move.origin.province))
            if (unit.kind, unit.power, move.order.destination) == (spot.kind, power, spot.location)
        )
        guard = self.line.board.unit_at.get(spot.province)
        is_same = guard is not None and (guard.kind, guard.power, guard.location) == (spot.kind, power, spot.location)
        stays = encoding.all_of((encoding.stays(spot.province), -encoding.dislodged(spot.province))) if is_same else FALSE
        return encoding.any_of((stays, *arrive))


def list_replies(line: Line) -> list[Candidate]:
    """List every enemy order that may affect the line, each as a pair of unit and order."""
    first, *others = (power for power in line.board.map.powers if power not in {unit.power for unit in line.board.units})
    second = next((power for power in others if power not in (line.out or ())), None)
    where = line.protected_provinces.union(line.board.unit_at)
    ours = [(unit, order) for unit in line.board.units if isinstance(order := line.orders[unit.province], Move)]
    left = {unit.province for unit, _ in ours} - {province_of(order.destination) for _, order in ours}
    ways = chain.from_iterable(list_retreats(line, unit) for unit in line.board.units if unit.province in line.outposts)
    refuge = left.union(map(province_of, ways))
    driven = {
        province_of(place) for kind, place in line.enemy_units if refuge.intersection(_find_destinations(line, kind, place))
    }
    driven = driven if second is not None and line.enemies > 2 else set()
    found: dict[Candidate, None] = {}
    for kind, place in line.enemy_units:
        unit = Unit(first, kind, place)
        if unit.province in driven or unit.province in refuge:
            found[unit, Hold(unit.named)] = None
        for target in sorted((where | refuge).intersection(_find_destinations(line, kind, place))):
            found[unit, _make_move(line, unit, target)] = None
            for own, order in ours:
                if province_of(order.destination) == target:
                    found[unit, SupportMove(unit.named, own.named, order.destination)] = None
    for target in sorted(where | refuge):
        found |= dict.fromkeys(_iter_supports(line, first, target, lambda mover, helper: bool(driven) or mover < helper))
    for target in sorted(driven):
        assert second is not None
        for kind, place in line.enemy_units:
            if target in _find_destinations(line, kind, place):
                unit = Unit(second, kind, place)
                found[unit, _make_move(line, unit, target)] = None
        found |= dict.fromkeys(_iter_supports(line, second, target, lambda mover, helper: mover < helper))
    return list(found)


def _find_destinations(line: Line, kind: UnitKind, place: Location) -> set[ProvinceCode]:
    return set(map(province_of, line.board.map.exits(kind, place)))


def _make_move(line: Line, unit: Unit, target: ProvinceCode) -> Move:
    """Return the move of a unit to a province: to its first coast, if it has several, since the coast does not matter."""
    ways = (way for way in line.board.map.exits(unit.kind, unit.location) if province_of(way) == target)
    return Move(unit.named, min(ways))


def _iter_supports(
    line: Line, power: Power, target: ProvinceCode, is_allowed: Callable[[ProvinceCode, ProvinceCode], bool]
) -> Iterator[Candidate]:
    """Yield a power's supports of enemy moves into `target` if `is_allowed(mover, supporter)` holds of the provinces."""
    able = [Unit(power, kind, place) for kind, place in line.enemy_units if target in _find_destinations(line, kind, place)]
    for unit in able:
        for origin in sorted({other.province for other in able} - {unit.province}):
            if is_allowed(origin, unit.province):
                yield unit, SupportMove(unit.named, Named(None, origin), target)


# Results of attacks

STAYS, LOST = "stays", "lost"
Fate: TypeAlias = str
"""The fate of a unit: `STAYS`, `LOST` (dislodged without a retreat), or the location to which it retreats."""


@dataclass(frozen=True, slots=True)
class BreakReason:
    """The reason why a line does not hold."""

    text: str

    def __str__(self) -> str:
        return self.text


def list_retreats(line: Line, unit: Unit) -> list[Location]:
    """List the adjacent places in protected provinces or outposts of the line, to which the unit might retreat."""
    exits = line.board.map.exits(unit.kind, unit.location)
    return sorted(way for way in exits if province_of(way) in line.protected_provinces | line.outposts)


def find_build_sites(line: Line, power: Power) -> frozenset[ProvinceCode]:
    """Return the line's protected centres in which a power may build after this turn; none unless in Fall, or if not stated."""
    if get_season(line) is not Season.FALL or line.centers is None:
        return frozenset()
    game_map = line.board.map
    return line.centers & line.protected_provinces & game_map.build_centers(power)


def count_builds(line: Line, units: int) -> int:
    """Return how many units the line may build after this turn if it has `units` left; 0 unless in Fall with stated centres."""
    owned = len(line.centers & line.protected_provinces) if line.centers is not None and get_season(line) is Season.FALL else 0
    return max(0, owned - units)


def judge_attack(attack: Attack, known_positions: Iterable[Line]) -> BreakReason | Line | None:
    """Judge an attack; return why the line breaks, its position if that is not among `known_positions`, or else None.

    The line also breaks if an enemy may retreat to a protected province, or if a unit is dislodged and no known position
    follows.
    """
    line, outcome = attack.line, attack.outcome
    if attack.entered_provinces:
        return BreakReason(f"an enemy enters {', '.join(attack.entered_provinces)}")
    ours = {unit.power for unit in line.board.units}
    driven = [lost for lost in outcome.dislodgements.values() if lost.unit.power not in ours]
    open_to_enemies = {province_of(way): lost.unit for lost in driven for way in lost.retreats}
    if inside := sorted(line.protected_provinces.intersection(open_to_enemies)):
        return BreakReason(f"{open_to_enemies[inside[0]]} is dislodged and may retreat to {inside[0]}")
    standing = frozenset(unit for unit in outcome.units if unit.power in ours)
    lost = {
        entry.unit: [way for way in entry.retreats if province_of(way) not in open_to_enemies]
        for entry in outcome.dislodgements.values()
        if entry.unit.power in ours
    }
    for other in known_positions:
        if can_follow(line, other) and _can_reach(line, frozenset(other.board.units), standing, lost):
            return None
    if not lost:
        return _derive_position(line, attack)
    units_text = ", ".join(f"{unit} is dislodged" for unit in lost)
    return BreakReason(f"{units_text}, and the line has no orders for any position that can follow")


def _can_reach(line: Line, targets: Placement, standing: Placement, retreats_by_unit: Mapping[Unit, list[Location]]) -> bool:
    """Return whether retreats and, after Fall, builds can turn the units in `standing` into exactly those in `targets`."""
    for ways in product(*([None, *ways] for ways in retreats_by_unit.values())):
        placed = [replace(unit, location=way) for unit, way in zip(retreats_by_unit, ways, strict=True) if way is not None]
        units = standing.union(placed)
        if len({unit.province for unit in units}) == len(standing) + len(placed) and units <= targets:
            new = targets - units
            if len(new) <= count_builds(line, len(units)) and all(
                unit.province in find_build_sites(line, unit.power) for unit in new
            ):
                return True
    return False


def _derive_position(line: Line, attack: Attack) -> Line:
    """Return the line in its position after an attack, with orders derived from the present ones."""
    moved = {
        origin: move.order.destination
        for origin, move in attack.outcome.successful_moves.items()
        if origin in line.board.unit_at
    }
    units = tuple(replace(unit, location=moved.get(unit.province, unit.location)) for unit in line.board.units)
    turn = line.board.turn and line.board.turn.next_turn
    board = replace(line.board, units=units, turn=turn)
    given = {unit: line.orders[before.province] for before, unit in zip(line.board.units, units, strict=True)}
    arrived = set(map(province_of, moved.values()))
    waiting = {place for place in board.unit_at.keys() - arrived if isinstance(line.orders.get(place), Move)}
    orders = {unit.province: _derive_order(order, unit, moved, board, waiting) for unit, order in given.items()}
    for unit in units:
        legal = make_docket(board, {unit.power: [orders[unit.province]]}, line.rulebook).orders
        orders[unit.province] = legal.get(unit.province, Hold(unit.named))
    return line.change_position(board, orders)


def _derive_order(
    order: MovementOrder,
    unit: Unit,
    destinations: Mapping[ProvinceCode, Location],
    board: Board,
    blocked_provinces: Collection[ProvinceCode],
) -> MovementOrder:
    """Return the next order: hold after a move, support whom it helped or a blocker not in `blocked_provinces`, or the same."""
    match order:
        case Move(_, destination):
            if order.unit.province in destinations:
                return Hold(unit.named)
            guard = board.unit_at.get(province_of(destination))
            return order if guard is None or guard.province in blocked_provinces else SupportHold(unit.named, guard.named)
        case SupportMove(_, supported, destination) if supported.province in destinations:
            return SupportHold(unit.named, board.unit_at[province_of(destination)].named)
    return order


def _trim_attack(attack: Attack, known_positions: Mapping[Key, Line]) -> Attack:
    """Return the attack without the enemy units that are not needed to break the line."""

    def keep_enemies(units: Iterable[Unit]) -> Attack:
        return Attack(attack.line, {unit: attack.orders[unit] for unit in units})

    return keep_enemies(
        find_minimal_subset(
            attack.orders, lambda units: isinstance(judge_attack(keep_enemies(units), known_positions.values()), BreakReason)
        )
    )
