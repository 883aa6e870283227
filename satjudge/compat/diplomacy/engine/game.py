"""Defines the package's `Game`; satjudge decides which orders are legal and adjudicates them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Self

from satjudge.compat.diplomacy.engine.map import Map
from satjudge.compat.diplomacy.engine.message import GLOBAL, OBSERVER, Message
from satjudge.compat.diplomacy.engine.power import Power
from satjudge.compat.diplomacy.engine.renderer import Renderer
from satjudge.compat.diplomacy.utils import strings
from satjudge.compat.diplomacy.utils.common import generate_token, timestamp_microseconds
from satjudge.compat.diplomacy.utils.constants import DEFAULT_GAME_RULES
from satjudge.compat.diplomacy.utils.exceptions import DiplomacyException, GamePhaseException, MapPowerException
from satjudge.compat.diplomacy.utils.game_phase_data import GamePhaseData
from satjudge.compat.diplomacy.utils.order_results import DISBAND, DISLODGED, OrderResult
from satjudge.compat.diplomacy.utils.sorted_dict import SortedDict
from satjudge.compat.orders import WAIVE, read_order
from satjudge.compat.positions import COMPLETED, choose_rulebook, make_board
from satjudge.compat.refusals import StrictAttributes
from satjudge.compat.results import find_route_fleets, format_results, get_ordered_unit, list_combats
from satjudge.game.stored_game import find_next_board, find_victors
from satjudge.judging.judge import judge_phase, warm_up_caches
from satjudge.judging.legal_orders import PhaseOrders
from satjudge.world.board import Board, Phase, Unit
from satjudge.world.geography import UnitKind, province_of
from satjudge.world.rules import Rulebook
from satjudge.world.seasons import adjustments_due, build_sites

VOID = "VOID "
_NO_EFFECT = (
    *DEFAULT_GAME_RULES, "NO_DEADLINE", "CD_DUMMIES", "ALWAYS_WAIT", "CIVIL_DISORDER", "PUBLIC_PRESS", "NO_OBSERVATIONS",
    "MULTIPLE_POWERS_PER_PLAYER", "REAL_TIME", "START_MASTER",
)  # fmt: skip
"""The package's rules that games accept, but that have no effect on a game in one process."""
_REFUSED = ("BUILD_ANY", "DONT_SKIP_PHASES", "HOLD_WIN", "NO_CHECK", "PROXY", "SHARED_VICTORY")
"""The package's rules that would change how a game is played, and that the drop-in does not support."""
_SOLITAIRE = ("NO_DEADLINE", "CD_DUMMIES", "ALWAYS_WAIT")
"""The rules that `SOLITAIRE` adds as well."""


class Game(StrictAttributes):
    """A game on a map.

    The lists of its powers hold the position. You can set any attribute, and unknown arguments are ignored.

    `rulebook` is the rulebook of the game. None means the rulebook that is nearest to the package's rules.
    """

    rulebook: str | Rulebook | None = None

    def __init__(self, game_id: str | None = None, **kwargs: Any) -> None:  # noqa: ANN401  # the package's own arguments
        self.game_id = game_id or kwargs.get("game_id") or generate_token()
        self.map_name = kwargs.get("map_name") or "standard"
        self.map = Map(self.map_name)
        self.role = "server_type"
        self.rules: list[str] = []
        for rule in kwargs.get("rules", DEFAULT_GAME_RULES):
            self.add_rule(rule)
        self.status, self.note = strings.FORMING, ""
        self.outcome: list[str] = []
        self.error: list[str] = []
        self.victory = list(kwargs.get("victory") or self.map.victory or [len(self.map.scs) // 2 + 1])
        self.win = self.victory[-1]
        self.deadline = int(kwargs.get("deadline") or 0)
        self.phase, self.phase_type = self.map.phase, "M"
        self.timestamp_created = timestamp_microseconds()
        self.powers: dict[str, Power] = {name: Power(self, name) for name in self.map.powers}
        for name, power in self.powers.items():
            power.units, power.centers = list(self.map.units[name]), list(self.map.centers[name])
            power.homes, power.influence = list(self.map.homes[name]), [province_of(unit[2:]) for unit in power.units]
        self._clear_histories()
        warm_up_caches(self.board, choose_rulebook(self.rulebook))

    def _clear_histories(self) -> None:
        """Remove the data of all played phases, the current messages, and the facts about the previous phase."""
        self.messages: dict[int, Message] = SortedDict()
        self.message_history: SortedDict[str, dict[int, Message]] = SortedDict()
        self.order_history: SortedDict[str, dict[str, list[str]]] = SortedDict()
        self.result_history: SortedDict[str, dict[str, list[OrderResult]]] = SortedDict()
        self.state_history: SortedDict[str, dict[str, Any]] = SortedDict()
        self.result: dict[str, list[OrderResult]] = {}
        self.ordered_units: dict[str, list[str]] = {}
        self.dislodged: dict[str, str] = {}
        """The attacker's origin for each dislodged unit."""
        self.lost: dict[str, str] = {}
        """The former owners of the centres that changed hands in the previous phase."""
        self.command: dict[str, str] = {}
        """Each unit's action in the previous phase: `{"A PAR": "- BUR"}`."""
        self.combat: dict[str, dict[int, list[list[Any]]]] = {}
        """The units that stayed in or moved to each province in the last movement phase, by strength."""
        self.popped: list[str] = []
        """The units disbanded in the previous phase, including those without a retreat."""
        self._lost_units: list[str] = []
        """The units that were dislodged in the previous phase and had no retreat."""
        self._history: dict[str, GamePhaseData] = {}
        self._cached_orders: tuple[object, PhaseOrders] | None = None

    def __getattr__(self, name: str) -> bool:  # type: ignore[override]
        """Return whether the game has the rule or the status in the attribute's name: `no_press`, `is_game_active`."""
        rule, status = name.upper(), name.removeprefix("is_game_")
        if rule not in _NO_EFFECT and (status == name or status not in strings.ALL_GAME_STATUSES):
            super().__getattr__(name)
        return rule in self.rules or status == self.status

    def __repr__(self) -> str:
        return f"<Game {self.game_id}: {self.get_current_phase()}>"

    def __str__(self) -> str:
        rules = (f"RULE {rule}" for rule in self.rules)
        return "\n".join([f"GAME {self.game_id}", f"PHASE {self.phase}", f"MAP {self.map_name}", *rules])

    def __getstate__(self) -> dict[str, Any]:
        """Return the attributes to copy or pickle, without cached facts about the position."""
        return self.__dict__ | {"_cached_orders": None}

    @property
    def _slots(self) -> list[str]:
        """The names of the game's attributes, which programs use to copy it although the package does not document this."""
        return list(self.__dict__)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None: ...

    def current_state(self) -> Self:
        """Return the game itself, for use in a `with` statement."""
        return self

    # ---- phase and status ----

    @property
    def current_short_phase(self) -> str:
        """The short name of the current phase, such as `"S1901M"`, or `"COMPLETED"` once the game is over."""
        return self.map.phase_abbr(self.phase, self.phase)

    phase_abbr = current_short_phase

    def get_current_phase(self) -> str:
        """Return the short name of the current phase: `"S1901M"`, or `"COMPLETED"` once the game is over."""
        return self.current_short_phase

    @property
    def is_game_done(self) -> bool:
        """True if the game is over; setting it to True ends the game without a winner."""
        return self.phase == COMPLETED

    @is_game_done.setter
    def is_game_done(self, done: bool) -> None:
        if done and not self.is_game_done:
            self._finish([])

    def set_status(self, status: str) -> None:
        """Set the status: `forming`, `active`, `paused`, `completed` or `canceled`; neither checks it nor changes the phase."""
        self.status = status

    def set_current_phase(self, new_phase: str) -> None:
        """Set the current phase by its short name (`S1901M`), without changing the position."""
        long = self.map.phase_long(new_phase, new_phase)
        self.phase, self.phase_type = long, long.split()[-1][0] if long != COMPLETED else "-"

    def add_rule(self, rule: str) -> None:
        """Add a rule of the package, with the rules that it implies; ignores unknown rules, and refuses unsupported ones.

        Raises `DiplomacyException` for a rule that cannot be played.
        """
        if rule in _REFUSED:
            hint = f"these are accepted and have no effect: {', '.join(_NO_EFFECT)}"
            raise DiplomacyException(f"satjudge's drop-in does not support the rule {rule}", suggestion=hint)
        if rule in _NO_EFFECT:
            implied = _SOLITAIRE if rule == "SOLITAIRE" else ()
            self.rules += [one for one in (*implied, rule) if one not in self.rules]

    def remove_rule(self, rule: str) -> None:
        """Remove a rule from the game if the game has it."""
        if rule in self.rules:
            self.rules.remove(rule)

    # ---- the position ----

    def _find_power(self, name: str) -> Power:
        found = self.powers.get(name) or self.powers.get(str(name).upper())
        if found is None:
            raise MapPowerException(f"there is no power {name!r:.60}", suggestion=f"there are {', '.join(self.powers)}")
        return found

    def get_power(self, power_name: str) -> Power | None:
        """Return the power with this name, or None if there is none."""
        return self.powers.get(power_name)

    def has_power(self, power_name: str) -> bool:
        """Return whether the game has a power with this name."""
        return power_name in self.powers

    def get_map_power_names(self) -> list[str]:
        """List the names of all powers."""
        return list(self.powers)

    def get_units(self, power_name: str | None = None) -> Any:  # noqa: ANN401  # a list, or lists by power
        """Return a power's units, or a dict of all powers' units if none is named; dislodged units begin with `*`."""
        if power_name is None:
            return {name: self.get_units(name) for name in self.powers}
        power = self._find_power(power_name)
        return [*power.units, *(f"*{unit}" for unit in power.retreats)]

    def get_centers(self, power_name: str | None = None) -> Any:  # noqa: ANN401  # a list, or lists by power
        """Return a power's supply centres, or a dict of all powers' centres if none is named."""
        if power_name is None:
            return {name: list(power.centers) for name, power in self.powers.items()}
        return list(self._find_power(power_name).centers)

    def clear_units(self, power_name: str | None = None) -> None:
        """Remove a power's units, also dislodged ones, and its influence, or those of every power if none is named."""
        for power in self._list_powers(power_name):
            power.clear_units()

    def clear_centers(self, power_name: str | None = None) -> None:
        """Remove all supply centres from a power, or from every power if none is named."""
        for power in self._list_powers(power_name):
            power.clear_centers()

    def _list_powers(self, power_name: str | None) -> list[Power]:
        return [self._find_power(power_name)] if power_name else list(self.powers.values())

    def set_units(self, power_name: str, units: str | Iterable[str], reset: bool = False) -> None:
        """Place a power's units, replacing others in their provinces (not if dislodged, `*`); `error` lists impossible ones.

        If `reset` is true, the power's other units are removed first. Impossible units are left out and listed in `error`.
        """
        power = self._find_power(power_name)
        if reset:
            power.clear_units()
        for text in [units] if isinstance(units, str) else units:
            unit = text.removeprefix("*")
            if not self.map.is_valid_unit(unit):
                self.error.append(f"INVALID UNIT: {text}")
            elif text != unit:
                power.retreats[unit] = []
            else:
                province = province_of(unit[2:])
                self._clear_province(province)
                power.units.append(unit)
                power.influence.append(province)

    def _clear_province(self, province: str) -> None:
        for power in self.powers.values():
            power.units = [unit for unit in power.units if province_of(unit[2:]) != province]
            power.influence = [one for one in power.influence if one != province]

    def _list_retreats(self, unit: str) -> list[str]:
        """List the unoccupied places next to a dislodged unit, which are its retreats if a saved state lists none."""
        occupied = {province_of(one[2:]) for power in self.powers.values() for one in power.units}
        around = self.map.world.exits(UnitKind(unit[0]), unit[2:])
        return sorted(place for place in around if province_of(place) not in occupied)

    def set_centers(self, power_name: str, centers: str | Iterable[str], reset: bool = False) -> None:
        """Give supply centres to a power, first removing all its others if `reset`; unknown ones are listed in `error`."""
        found_power = self._find_power(power_name)
        if reset:
            found_power.clear_centers()
        for center in [centers] if isinstance(centers, str) else list(centers):
            if center not in self.map.scs:
                self.error.append(f"INVALID CENTER: {center}")
                continue
            for power in self.powers.values():
                power.centers = [one for one in power.centers if one != center]
            found_power.centers.append(center)

    @property
    def board(self) -> Board:
        """The current position as satjudge's `Board`.

        Raises `InputError` for an impossible position.
        """
        return self._phase_orders.board

    @property
    def _phase_orders(self) -> PhaseOrders:
        """The possible orders in the current phase, cached until units, retreats, centres, homes, phase or rulebook change."""
        rules = choose_rulebook(self.rulebook)
        powers = self.powers.values()
        held = [(*power.units, "", *power.centers, "", *power.homes, *map(str, power.retreats.items())) for power in powers]
        seen = (self.phase, rules, held)
        if self._cached_orders is None or self._cached_orders[0] != seen:
            board = make_board(self.map.world, self.current_short_phase, list(powers), self.dislodged)
            self._cached_orders = seen, PhaseOrders(board, rules)
        return self._cached_orders[1]

    def _build_sites(self, power: Power) -> list[str]:
        """List where a power can build: its empty, owned homes, or other sites of the map. (Not documented in the package.)"""
        return build_sites(self.board, power.name)

    def _build_limit(self, power: Power, sites: Sequence[str] | None = None) -> int:
        """Return the number of `sites`, by default of those where a power can build. (Not documented in the package.)"""
        return len(self._build_sites(power) if sites is None else sites)

    def _occupant(self, site: str, any_coast: int = 0) -> str | None:
        """Return the undislodged unit in a province or on a coast (`any_coast`: or on another coast of it), or None."""
        standing = (unit for power in self.powers.values() for unit in power.units)
        return next((unit for unit in standing if site in (unit[2:], unit[2:5]) or (any_coast and site[:3] == unit[2:5])), None)

    def _abuts(self, unit_type: str, unit_loc: str, order_type: str, other_loc: str) -> int:
        """Return 1 if a unit can order another place, as `Map.abuts` does, else 0. (Not documented in the package.)"""
        return self.map.abuts(unit_type, unit_loc, order_type, other_loc)

    def _get_convoy_destinations(self, unit: str, start: str) -> list[str]:
        """List where the fleets on the board could convoy a unit of kind `unit` from `start`; [] for a fleet."""
        world, fleets = self.map.world, {one.province for one in self.board.units if one.kind is UnitKind.FLEET}
        goals = [end for end in world.shores if self.map.area_type(end) == "COAST" and end != start]
        return [end for end in goals if unit == UnitKind.ARMY and find_route_fleets(world, f"A {start} - {end}", fleets)]

    def _unit_owner(self, unit: str, coast_required: int = 1) -> Power | None:
        """Return the power that has an undislodged unit, or None; without `coast_required` the unit's coast may be omitted."""
        short = slice(None if coast_required else 5)
        return next((power for power in self.powers.values() for one in power.units if unit in (one, one[short])), None)

    def clear_cache(self) -> None:
        """Clear the cached possible orders; the game also replaces them by itself when the position changes."""
        self._cached_orders = None

    # ---- orders ----

    def get_orderable_locations(self, power_name: str | None = None) -> Any:  # noqa: ANN401  # a list, or lists by power
        """Return the province codes where a power can give an order, or a dict of these by power if none is named."""
        orderable = {} if self.is_game_done else self._phase_orders.orderable
        found = {name: sorted(province_of(subject.split()[-1]) for subject in orderable.get(name, ())) for name in self.powers}
        return found if power_name is None else found[self._find_power(power_name).name]

    def get_all_possible_orders(self) -> dict[str, list[str]]:
        """Return all powers' legal orders by place, [] for none; those for a coast are also under its province."""
        found: dict[str, list[str]] = {place: [] for place in self.map.loc_coasts}
        if self.is_game_done:
            return found
        now = self._phase_orders
        for names in now.orderable.values():
            for subject in names:
                orders, place = self._list_orders(now, subject), subject.split()[-1]
                for one in {place, province_of(place)}:
                    found[one] += orders
                if self.phase_type == "A" and place == subject:  # a centre to build in, with its coasts
                    for coast in self.map.loc_coasts[place][:-1]:
                        found[coast] += [order for order in orders if order in (f"F {coast} B", WAIVE)]
        return found

    def _list_orders(self, phase_orders: PhaseOrders, unit_or_center: str) -> Sequence[str]:
        """List the legal orders of a unit, or of a centre to build in; moves that need a convoy always have `VIA`."""
        orders = phase_orders.list_orders(unit_or_center)
        if self.phase_type != "M" or unit_or_center[0] != UnitKind.ARMY:
            return orders
        over_sea = {order.removesuffix(" VIA") for order in orders if order.endswith(" VIA")}
        over_sea -= {f"{unit_or_center} - {place}" for place in self.map.world.exits(UnitKind.ARMY, unit_or_center[2:])}
        return [order for order in orders if order not in over_sea] if over_sea else orders

    def set_orders(self, power_name: str, orders: str | Iterable[str], expand: bool = True, replace: bool = True) -> None:
        """Give orders to a power, each replacing an earlier order to the same unit; `error` lists illegal ones instead.

        If there are two builds, removals or retreats for the same place in one call, the first counts. `error` lists the
        omitted orders with their reasons. If `replace` is false, each unit keeps its first order. If `expand` is false, orders
        must be in full notation.
        """
        power, given = self._find_power(power_name), [orders] if isinstance(orders, str) else list(orders)
        power.order_is_set = max(power.order_is_set, 2 if given else 1)
        if self.is_game_done:
            return
        if self.phase_type != "M" and not any(given):
            power.adjust = []
        now, ordered_units = self._phase_orders, set[str]()
        for text in filter(str.strip, given):
            order, problem = read_order(self.map, now, power.name, text)
            if not expand and order != text:
                problem = problem or "UNREADABLE ORDER (it is not in full)"
            unit = get_ordered_unit(order)
            others = [one for one in power.adjust if get_ordered_unit(one) != unit]
            is_second = unit in power.orders or len(others) < len(power.adjust)
            if not problem and is_second and (not replace or unit in ordered_units):
                problem = "UNIT REORDERED"
            problem = problem or _find_second_build(order, others)
            if problem:
                self.error.append(f"{problem}: {text}")
            if not problem and self.phase_type == "M":
                power.orders[unit] = order[len(unit) + 1 :]
            elif not problem and order != WAIVE:  # builds that are not ordered are waived
                power.adjust = [*others, order]
                ordered_units.add(unit)  # of two orders in one call the first counts
            elif problem and self.phase_type != "M" and " " in text.strip():  # a single word has no result either
                power.adjust.append(VOID + (text if self.phase_type == "R" else order))
        if self.phase_type == "A" and any(given):
            due = adjustments_due(now.board).get(power.name, 0)
            adjust = [one for one in power.adjust if one != WAIVE]
            power.adjust = [*adjust, *[WAIVE] * (due - len(adjust))]

    def get_orders(self, power_name: str | None = None) -> Any:  # noqa: ANN401  # a list, or lists by power
        """Return the legal orders, except waives, that a power has given, or a dict of all powers' orders if none is named."""
        if power_name is None:
            return {name: self.get_orders(name) for name in self.powers}
        power = self._find_power(power_name)
        if self.phase_type == "M":
            return [f"{unit} {order}" for unit, order in power.orders.items()]
        return [order for order in power.adjust if not order.startswith((VOID, WAIVE))]

    @property
    def orders(self) -> dict[str, str]:
        """The orders of all powers in a movement phase, by unit: `{"A PAR": "- BUR"}`; {} in other phases."""
        return {unit: order for power in self.powers.values() for unit, order in power.orders.items()}

    def clear_orders(self, power_name: str | None = None) -> None:
        """Withdraw all orders of a power, or of every power if none is named."""
        for power in self._list_powers(power_name):
            power.clear_orders()

    def get_order_status(self, power_name: str | None = None, unit: str | None = None, loc: str | None = None) -> Any:  # noqa: ANN401
        """Return previous results: words of a unit, (unit, words) of a place, or words by unit of a power or of each power."""
        if unit is not None or loc is not None:
            found = next(
                (one for one in self.result if one == unit or (loc and province_of(one[2:]) == province_of(loc))), None
            )
            words = list(self.result.get(found or "", ()))
            return words if loc is None else (found or loc, words)
        units: dict[str, list[str]] = self.state_history.last_value()["units"] if self.state_history else {}
        standing = {name: [one.removeprefix("*") for one in units.get(name, ())] for name in self.powers}
        statuses = {name: {one: list(self.result.get(one, ())) for one in unit_names} for name, unit_names in standing.items()}
        return statuses if power_name is None else statuses[self._find_power(power_name).name]

    # ---- going on ----

    def process(self) -> GamePhaseData:
        """Adjudicate the orders, record the phase and return it, and go to the next that needs orders or end the game.

        Nothing changes once the game is over. Raises `InputError` for an impossible position.
        """
        if self.is_game_done:
            return self.get_phase_data()
        now, given, before = self._phase_orders, self.get_orders(), self.current_short_phase
        self.command = dict.fromkeys(map(str, now.board.units), "H") | self.orders
        outcome = judge_phase(now.board, given, rulebook=now.rules, lenient=True)
        adjusting = (one for power in self.powers.values() for one in power.adjust)
        void = (get_ordered_unit(one.removeprefix(VOID)) for one in adjusting if one.startswith((VOID, WAIVE)))
        words = format_results(outcome, given, void)
        if self.phase_type != "M":  # units that were dislodged without a retreat are listed again
            words |= {unit: [DISBAND] for unit in self._lost_units}
        played = GamePhaseData(before, self.get_state(), given, words, self.messages)
        self._record_phase(played)
        after = find_next_board(outcome)
        retreating = {str(lost.unit) for lost in after.dislodged}
        self._lost_units = [unit for unit, results in words.items() if results[-1:] == [DISLODGED] and unit not in retreating]
        self.popped = self._lost_units + [unit for unit, results in words.items() if DISBAND in results]
        winners = find_victors(now.board, after, self.win)
        self._take_board(after)
        if outcome.phase is Phase.MOVEMENT:  # with those that have no retreat
            self.combat = list_combats(self.command, words)
            self.dislodged = {str(lost.unit): lost.attacker.province for lost in outcome.dislodgements.values()}
        year, is_late = before[1:-1], before[0] == "F" and self.phase_type != "R"
        if winners or (is_late and int(year) == self.map.last_year):
            self.set_current_phase(f"W{year}A")
            self._finish(winners) if winners else self.draw()
        return played

    def _record_phase(self, played: GamePhaseData) -> None:
        """Add a phase to the histories, keep its results as the previous ones, and clear orders, errors and messages."""
        name = played.name
        self.state_history[name], self.order_history[name] = played.state, {p: list(o or ()) for p, o in played.orders.items()}
        self.result_history[name], self.message_history[name] = played.results, SortedDict(played.messages)
        self._history[name] = played
        self.result, self.messages, self.error = played.results, SortedDict(), []
        self.ordered_units = {
            power: [get_ordered_unit(order) for order in given or ()] for power, given in played.orders.items()
        }
        for power in self.powers.values():
            power.clear_orders()

    def _take_board(self, board: Board) -> None:
        """Set units, retreats, centres, influence and phase to a board's; note former owners and the attackers' origins."""
        self.dislodged = {str(lost.unit): lost.attacker_origin or "" for lost in board.dislodged}
        owners = {center: name for name, power in self.powers.items() for center in power.centers}
        self.lost = {center: owners[center] for center, owner in board.centers.items() if owners.get(center, owner) != owner}
        self._spread_influence(board)
        arrived: dict[str, list[Unit]] = {}
        for unit in board.units:
            arrived.setdefault(unit.power, []).append(unit)
        for name, power in self.powers.items():
            power.units = _merge_lists(power.units, [str(unit) for unit in arrived.get(name, ())])
            power.retreats = {str(lost.unit): list(lost.retreats) for lost in board.dislodged if lost.unit.power == name}
            power.centers = _merge_lists(power.centers, [center for center, owner in board.centers.items() if owner == name])
        self.set_current_phase(board.phase_name)

    def _spread_influence(self, board: Board) -> None:
        """Update each power's influence: the provinces that its units were the last to enter; builds change nothing."""
        moved = self.command.items() if self.phase_type == "M" else ()
        left = {unit for unit, order in moved if order[0] == "-" and not self.result[unit]}
        stood = {(name, unit) for name, power in self.powers.items() for unit in power.units if unit not in left}
        came = {unit.province: unit.power for unit in board.units if (unit.power, str(unit)) not in stood}
        for name, power in self.powers.items() if self.phase_type != "A" else ():
            remaining = [province for province in power.influence if came.get(province, name) == name]
            power.influence = _merge_lists(remaining, [*remaining, *(place for place, owner in came.items() if owner == name)])

    def _finish(self, winners: Sequence[str]) -> None:
        """End the game with these powers as winners (or partners in a draw); [] means that nobody won."""
        self.outcome = [self.current_short_phase, *winners]
        self.note = f"Victory by: {', '.join(winner[:3] for winner in winners)}" if winners else self.note
        self.phase, self.status = COMPLETED, strings.COMPLETED

    def draw(self, winners: Sequence[str] | None = None) -> tuple[GamePhaseData, GamePhaseData]:
        """Record the phase; end the game in a draw (default: of all powers with units); return the phase's and final data."""
        before = GamePhaseData(self.current_short_phase, self.get_state(), self.get_orders(), {}, self.messages)
        self._record_phase(before)
        self._finish(winners or [name for name, power in self.powers.items() if power.units])
        return before, self.get_phase_data()

    # ---- states and histories ----

    def get_state(self, make_copy: bool = True) -> dict[str, Any]:
        """Return the current position as a dict in the package's format; it is always a copy."""
        powers = self.powers.items()
        state: dict[str, Any] = {
            "timestamp": timestamp_microseconds(),
            "zobrist_hash": str(self.get_hash()),
            "note": self.note,
            "name": self.current_short_phase,
            "phase": self.current_short_phase,  # as AI_Diplomacy's copy of the package has it
            "units": self.get_units(),
            "retreats": {name: {unit: list(ways) for unit, ways in power.retreats.items()} for name, power in powers},
            "centers": self.get_centers(),
            "homes": {name: list(power.homes) for name, power in powers},
            "influence": {name: list(power.influence) for name, power in powers},
            "civil_disorder": {name: power.civil_disorder for name, power in powers},
        }
        return state | {"builds": self._list_builds()}

    def _list_builds(self) -> dict[str, dict[str, Any]]:
        due = adjustments_due(self.board) if self.phase_type == "A" and not self.is_game_done else {}
        sites = {name: self._build_sites(self.powers[name]) if due.get(name, 0) > 0 else [] for name in self.powers}
        return {name: {"count": due.get(name, 0), "homes": sites[name]} for name in self.powers}

    def get_hash(self) -> int:
        """Return a number that is the same for equal positions; it differs from the package's hash."""
        powers = self.powers.items()
        held = [(name, sorted(power.units), sorted(power.retreats), sorted(power.centers)) for name, power in powers]
        return int.from_bytes(hashlib.blake2b(json.dumps([self.phase, held]).encode(), digest_size=8).digest())

    rebuild_hash = get_hash

    def set_state(self, state: Mapping[str, Any], clear_history: bool = True) -> None:
        """Set the position from a dict of `get_state`, keeping what it omits; clear orders and (`clear_history`) histories."""
        if clear_history:
            self._clear_histories()
        for name, power in self.powers.items():
            units = state.get("units", {}).get(name)
            if units is not None:
                power.units = [unit for unit in units if not unit.startswith("*")]
                power.retreats = {unit.removeprefix("*"): [] for unit in units if unit.startswith("*")}
                power.influence = [province_of(unit[2:]) for unit in power.units]
            if name in state.get("retreats", {}):
                power.retreats = {unit: list(ways) for unit, ways in state["retreats"][name].items()}
            for key in ("centers", "homes", "influence"):
                if name in state.get(key, {}):
                    setattr(power, key, list(state[key][name]))
            power.civil_disorder = state.get("civil_disorder", {}).get(name, 0)
            power.clear_orders()
        for name, power in self.powers.items():
            if name not in state.get("retreats", {}):
                power.retreats = {unit: ways or self._list_retreats(unit) for unit, ways in power.retreats.items()}
        self.note = state.get("note", self.note)
        if "name" in state:
            self.set_current_phase(state["name"])

    def get_phase_data(self) -> GamePhaseData:
        """Return the data of the current phase; for a power that gave no orders, its orders are None."""
        orders = {name: self.get_orders(name) if power.order_is_set else None for name, power in self.powers.items()}
        return GamePhaseData(self.current_short_phase, self.get_state(), orders, {}, self.messages)

    def set_phase_data(self, phase_data: GamePhaseData | Sequence[GamePhaseData], clear_history: bool = True) -> None:
        """Set the game to the last of these phases, with its orders and messages, and add the earlier ones to its history."""
        *past, last = [phase_data] if isinstance(phase_data, GamePhaseData) else list(phase_data)
        if clear_history:
            self._clear_histories()
        self.extend_phase_history(past)
        self.set_state(last.state, clear_history=False)
        self.status = strings.COMPLETED if self.is_game_done else strings.ACTIVE
        for name, given in last.orders.items():
            if given is not None:
                self.set_orders(name, given)
        self.messages = SortedDict(last.messages)

    def extend_phase_history(self, game_phase_data: GamePhaseData | Iterable[GamePhaseData]) -> None:
        """Add the data of one or more phases to the history, and withdraw all current orders and messages."""
        for played in [game_phase_data] if isinstance(game_phase_data, GamePhaseData) else game_phase_data:
            self._record_phase(played)

    def get_phase_history(
        self, from_phase: str | int | None = None, to_phase: str | int | None = None, game_role: object = None
    ) -> list[GamePhaseData]:
        """List the data of the played phases from one to another (short names or indexes), inclusive; `game_role` is unused."""
        names = list(self._history)

        def number(phase: str | int | None, otherwise: int) -> int:
            if isinstance(phase, int):
                return phase if phase >= 0 else max(0, len(names) + phase)
            return otherwise if phase is None else names.index(phase)

        chosen = names[number(from_phase, 0) : number(to_phase, len(names)) + 1]
        return [self._history[name] for name in chosen]

    def get_phase_from_history(self, short_phase_name: str, game_role: object = None) -> GamePhaseData:
        """Return the data of a played phase by its short name, or raise `GamePhaseException`; `game_role` is ignored."""
        if short_phase_name not in self._history:
            hint = f"there are {', '.join(self._history) or 'none yet'}"
            raise GamePhaseException(f"the phase {short_phase_name!r:.40} was not played", suggestion=hint)
        return self._history[short_phase_name]

    # ---- messages and pictures ----

    def add_message(self, message: Message) -> int:
        """Store a message of the current phase, with the current time unless it has one, and return its time in microseconds.

        Raises `GamePhaseException` for a message of another phase.
        """
        if message.phase != self.current_short_phase:
            problem = f"the message belongs to {message.phase}, but the game is in {self.current_short_phase}"
            raise GamePhaseException(problem)
        if message.time_sent is None:
            message.time_sent = max(timestamp_microseconds(), max(self.messages, default=0) + 1)
        self.messages[message.time_sent] = message
        return message.time_sent

    @staticmethod
    def filter_messages(
        messages: Mapping[int, Message],
        game_role: str | Iterable[str],
        timestamp_from: int | None = None,
        timestamp_to: int | None = None,
    ) -> dict[int, Message]:
        """Return the messages, by time, that a role (or one of several) may read, between two times, both included."""
        roles = {game_role} if isinstance(game_role, str) else set(game_role)
        read_by = {GLOBAL, *roles, *([OBSERVER] if strings.OBSERVER_TYPE in roles else [])}
        return {
            time: message
            for time, message in messages.items()
            if (timestamp_from is None or timestamp_from <= time)
            and (timestamp_to is None or time <= timestamp_to)
            and (strings.OMNISCIENT_TYPE in roles or message.sender in roles or message.recipient in read_by)
        }

    def render(self, *options: Any, **named_options: Any) -> str:  # noqa: ANN401  # those of `Renderer.render`
        """Return a drawing of the position as an SVG document; the arguments are those of `Renderer.render`."""
        return Renderer(self).render(*options, **named_options)


def _merge_lists(before: Sequence[str], after: Iterable[str]) -> list[str]:
    """Return the entries of `before` that are also in `after`, followed by the new entries of `after`."""
    present = dict.fromkeys(after)
    return [*(one for one in before if one in present), *(one for one in present if one not in before)]


def _find_second_build(order: str, other_orders: Sequence[str]) -> str:
    """Return the package's error for a build in a province where another order already builds; "" for other orders."""
    built = [province_of(one.split()[1]) for one in other_orders if one.endswith(" B") and not one.startswith(VOID)]
    twice = order.endswith(" B") and province_of(order.split()[1]) in built
    return "MULTIPLE BUILDS IN SITE" if twice else ""
