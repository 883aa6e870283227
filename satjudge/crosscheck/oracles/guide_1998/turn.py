"""What the guide's procedure knows of the orders at each of its steps."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from enum import Enum, auto

from satjudge.board import Board, Unit
from satjudge.geography import Location, Power, ProvinceCode, province_of


class Status(Enum):
    """What has become of an order so far."""

    IN_FORCE = auto()
    ILLEGAL = auto()
    INCONSISTENT = auto()
    """Cancelled in Step 1 or 3 because the other unit is not ordered so (a move: because no complete chain is)."""
    CANCELLED = auto()
    CUT = auto()
    CONFOUNDED = auto()
    """A convoy order that a circle of subversion goes through (Steps 12 and 13)."""
    ADVANCED = auto()


@dataclass(eq=False, slots=True)
class GuideOrder:
    """What a unit is ordered to do."""

    unit: Unit
    status: Status = field(default=Status.IN_FORCE, init=False)

    @property
    def space(self) -> ProvinceCode:
        """The space that the unit stood in before the moves."""
        return self.unit.province

    @property
    def power(self) -> Power:
        """Whose unit it is."""
        return self.unit.power

    @property
    def in_force(self) -> bool:
        """Whether the order has neither been cancelled nor carried out."""
        return self.status is Status.IN_FORCE

    def says(self) -> tuple[object, ...]:
        """What the order orders, to tell whether another one says the same."""
        return (type(self), *(getattr(self, entry.name) for entry in fields(self) if entry.init))


class GuideHold(GuideOrder):
    """The unit holds."""

    __slots__ = ()


@dataclass(eq=False, slots=True)
class GuideMove(GuideOrder):
    """The unit moves, directly or by convoy. "Move" and "attack" mean the same (VII)."""

    destination: Location
    by_convoy: bool

    @property
    def target(self) -> ProvinceCode:
        """The space attacked."""
        return province_of(self.destination)


@dataclass(eq=False, slots=True)
class GuideSupport(GuideOrder):
    """The unit supports another one: to hold if the target is where that one stands, else to move."""

    supported: ProvinceCode
    target: ProvinceCode

    @property
    def to_hold(self) -> bool:
        """Whether it is a support to hold."""
        return self.supported == self.target


@dataclass(eq=False, slots=True)
class GuideConvoy(GuideOrder):
    """The fleet convoys an army."""

    army: ProvinceCode
    target: ProvinceCode


class Prospect(Enum):
    """The adjectives of Step 10."""

    FUTILE = auto()
    INDOMITABLE = auto()
    CONFUSED = auto()


@dataclass(eq=False, slots=True)
class ConvoyEntry:
    """One line of the GM's convoy list (Step 2)."""

    move: GuideMove
    fleets: list[GuideConvoy]
    prospect: Prospect | None = None
    subverted_by: dict[ConvoyEntry, GuideSupport] = field(default_factory=dict)
    """The convoys that subvert it, each with the vulnerable supporter through which it does."""


@dataclass(eq=False, slots=True)
class Battle:
    """A head-to-head battle (Step 15)."""

    stronger: GuideMove
    weaker: GuideMove
    balanced: bool


@dataclass(eq=False)
class Turn:
    """The orders of one movement phase, one for every unit on the board, and the lists that the GM keeps."""

    board: Board
    order_at: dict[ProvinceCode, GuideOrder]
    convoys: dict[ProvinceCode, ConvoyEntry] = field(default_factory=dict)
    """The GM's convoy list, by the space the convoyed army starts from."""
    dislodged: dict[ProvinceCode, GuideMove] = field(default_factory=dict)
    """The dislodged units, by the space they stood in, with the attack that did it."""
    standoffs: set[ProvinceCode] = field(default_factory=set)
    """The noted sites of a standoff."""

    @property
    def supports(self) -> list[GuideSupport]:
        """The supports in force."""
        return [order for order in self.order_at.values() if isinstance(order, GuideSupport) and order.in_force]

    @property
    def attacks(self) -> list[GuideMove]:
        """The attacks that are as yet neither resolved nor cancelled."""
        return [order for order in self.order_at.values() if isinstance(order, GuideMove) and order.in_force]

    def attacks_on(self, space: ProvinceCode) -> list[GuideMove]:
        """The attacks against a space."""
        return [attack for attack in self.attacks if attack.target == space]

    def occupant(self, space: ProvinceCode) -> GuideOrder | None:
        """The unit in a space that has neither moved out of it nor been dislodged."""
        order = self.order_at.get(space)
        return None if order is None or order.status is Status.ADVANCED or space in self.dislodged else order

    def attack_strength(self, attack: GuideMove, against: Power | None = None, without: GuideSupport | None = None) -> int:
        """One for the attacker, one for each support to its move; not for those by a power that it goes against."""
        return 1 + sum(
            support.supported == attack.space
            and support.target == attack.target
            and support.power != against
            and support is not without
            for support in self.supports
        )

    def defence_strength(self, defender: GuideOrder, without: GuideSupport | None = None) -> int:
        """One for the defender, one for each support to hold. A unit ordered to move holds without support."""
        if isinstance(defender, GuideMove):
            return 1
        return 1 + sum(
            support.to_hold and support.target == defender.space and support is not without for support in self.supports
        )

    def strongest(self, space: ProvinceCode, without: GuideSupport | None = None) -> GuideMove | None:
        """The single strongest attack against a space (Step 19); None if there is none, or if several tie."""
        strength = {attack: self.attack_strength(attack, without=without) for attack in self.attacks_on(space)}
        best = [attack for attack in strength if strength[attack] == max(strength.values())]
        return best[0] if len(best) == 1 else None

    def winner(self, space: ProvinceCode, without: GuideSupport | None = None) -> GuideMove | None:
        """The attack that advances into a space, as Step 19 has it."""
        attack, defender = self.strongest(space, without), self.occupant(space)
        if attack is None or defender is None:
            return attack
        if attack.power == defender.power:
            return None  # "No attacker may dislodge a countryman."
        strength = self.attack_strength(attack, against=defender.power, without=without)
        return attack if strength > self.defence_strength(defender, without) else None

    def resolve(self, space: ProvinceCode) -> None:
        """Resolve the set of attacks against a space "per the standard instructions given in Step 19"."""
        winner, defender = self.winner(space), self.occupant(space)
        self.cancel(attack for attack in self.attacks_on(space) if attack is not winner)
        if winner is None:
            if defender is None:
                self.standoffs.add(space)
            return
        winner.status = Status.ADVANCED
        if defender is not None:
            self.dislodged[space] = winner
            if isinstance(defender, GuideSupport) and defender.in_force:
                defender.status = Status.CUT  # "No dislodged unit can ever give support"

    def stand_off(self, space: ProvinceCode) -> None:
        """Cancel all attacks against an occupied space."""
        self.cancel(self.attacks_on(space))

    @staticmethod
    def cancel(orders: Iterable[GuideOrder], status: Status = Status.CANCELLED) -> None:
        """Cancel orders; each of their units counts "strictly as a holding unit" from now on (Step 3)."""
        for order in orders:
            order.status = status
