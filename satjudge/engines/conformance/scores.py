"""Names the topic of each question, scores an engine on each topic, and draws up its badge."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from satjudge.base.errors import UnresolvedError
from satjudge.engines.documents.conformance import Badge, Conformance, TopicScore, format_share
from satjudge.judging.backup import CIRCULAR
from satjudge.judging.judge import judge_parsed_orders
from satjudge.judging.legality import make_docket
from satjudge.judging.outcome import Outcome
from satjudge.judging.solve import Engine
from satjudge.world.board import Board, Phase
from satjudge.world.geography import Location, Power, UnitKind, province_of
from satjudge.world.orders import Convoy, Move, MovementOrder, Order, SupportHold, SupportMove
from satjudge.world.rules import Rulebook

UNSETTLED = "unsettled"
"""The mark, in place of a backup rule, of a question that the rulebook has no answer to."""


@dataclass(frozen=True)
class _TopicQuestion:
    """A question, with all that its topic depends on."""

    board: Board
    orders: Mapping[Power, Sequence[Order]]
    rulebook: Rulebook

    @cached_property
    def movement_orders(self) -> list[MovementOrder]:
        return [order for orders in self.orders.values() for order in orders if isinstance(order, MovementOrder)]

    def has_orders(self, *kinds: type[MovementOrder]) -> bool:
        return any(isinstance(order, kinds) for order in self.movement_orders)

    @property
    def is_lone_move(self) -> bool:
        """Whether the question is a move of the only unit."""
        return len(self.board.units) == 1 and [type(order) for order in self.movement_orders] == [Move]

    @property
    def has_coasts(self) -> bool:
        """Whether a fleet is in, or ordered to, a province with several coasts."""
        places = {unit.location for unit in self.board.units if unit.kind is UnitKind.FLEET}
        places |= {
            place for order in self.movement_orders if order.unit.kind is UnitKind.FLEET for place in _list_unit_places(order)
        }
        return any(
            len(self.board.map.provinces[province_of(place)].locations) > 1 for place in places if self._is_on_map(place)
        )

    def _is_on_map(self, place: Location) -> bool:
        return province_of(place) in self.board.map.provinces

    @cached_property
    def is_legal(self) -> bool:
        entries = make_docket(self.board, self.orders, self.rulebook).entries
        return all(entry.reason is None for given in entries.values() for entry in given)

    @property
    def has_head_to_head(self) -> bool:
        """Whether two moves meet head to head."""
        moves = {
            (order.unit.province, province_of(order.destination)) for order in self.movement_orders if isinstance(order, Move)
        }
        return any((there, here) in moves for here, there in moves)

    @cached_property
    def backup_rules(self) -> frozenset[str]:
        """The backup rules that apply where the equations have no resolution or several."""
        if len(self.movement_orders) < 2:
            return frozenset()
        try:
            outcome = judge_parsed_orders(self.board, self.orders, self.rulebook, engine=Engine.STAGED)
        except UnresolvedError:
            return frozenset({UNSETTLED})
        assert isinstance(outcome, Outcome)
        return frozenset(ruling.rule for ruling in outcome.adjudication.rulings)


def _list_unit_places(order: MovementOrder) -> Iterable[Location]:
    """List the places of its own unit that an order names."""
    return (order.unit.location, order.destination) if isinstance(order, Move) else (order.unit.location,)


@dataclass(frozen=True)
class Topic:
    """A topic of questions."""

    name: str
    about: str
    fits: Callable[[_TopicQuestion], bool]


TOPICS = (
    Topic("variants", "maps with rules of their own", lambda asked: not asked.board.map.is_standard),
    Topic("retreats", "retreat phases", lambda asked: asked.board.phase is Phase.RETREAT),
    Topic("adjustments", "builds and removals", lambda asked: asked.board.phase is Phase.ADJUSTMENT),
    Topic("paradoxes", "orders that need a rule for paradoxes", lambda asked: bool(asked.backup_rules - {CIRCULAR})),
    Topic("circular movement", "units that move in a circle", lambda asked: CIRCULAR in asked.backup_rules),
    Topic(
        "no border", "a move of one unit alone to where it cannot go", lambda asked: asked.is_lone_move and not asked.is_legal
    ),
    Topic("coasts", "fleets in provinces with several coasts", lambda asked: asked.has_coasts),
    Topic("borders", "a move of one unit alone to where it can go", lambda asked: asked.is_lone_move),
    Topic("legality", "orders that cannot be carried out", lambda asked: not asked.is_legal),
    Topic("convoys", "armies that are convoyed", lambda asked: asked.has_orders(Convoy)),
    Topic("head-to-head battles", "two moves that meet", lambda asked: asked.has_head_to_head),
    Topic("supports", "supported moves and units", lambda asked: asked.has_orders(SupportHold, SupportMove)),
    Topic("moves", "all else", lambda asked: True),
)
"""All topics; a question is about the first that fits."""


def find_topic(board: Board, orders: Mapping[Power, Sequence[Order]], rulebook: Rulebook) -> str:
    """Name the topic of a question."""
    asked = _TopicQuestion(board, orders, rulebook)
    return next(topic.name for topic in TOPICS if topic.fits(asked))


def make_scores(counted: Mapping[str, tuple[int, int]]) -> list[TopicScore]:
    """Make the scores of topics from the numbers of compared questions and of right answers."""
    order = [topic.name for topic in reversed(TOPICS)]  # the simplest first
    return [TopicScore(topic, *counted[topic]) for topic in sorted(counted, key=order.index)]


# ---- the badge ----

_COLOURS = ((1.0, "brightgreen"), (0.95, "green"), (0.85, "yellow"), (0.7, "orange"), (0.0, "red"))
"""The colours of badges, each with its lowest score."""


def make_badge(found: Conformance) -> Badge:
    """Make the badge of an engine with its score, in the form that shields.io reads."""
    label, share = f"Diplomacy rules: {found.rulebook.name}", found.score
    if found.lost:
        return Badge(label, "engine lost", "red")
    if share is None:
        return Badge(label, "nothing compared", "lightgrey")
    colour = next(name for least, name in _COLOURS if share >= least)
    if colour == "brightgreen" and not found.digest:  # the boards of every run were not asked
        colour = "green"
    if found.contradicting and colour in ("brightgreen", "green"):
        colour = "yellow"
    return Badge(label, format_share(share), colour)
