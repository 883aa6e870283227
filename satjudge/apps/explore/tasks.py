"""Defines the long tasks of the page: `search`, `prove`, `lines` and `guarantee`, each run as a command in its own process.

A task is checked as strictly as a question, and becomes options with checked values. It cannot name a file or a Python module;
its command receives the position on standard input.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Annotated, Any, Literal, Union

import msgspec
from msgspec import UNSET, Meta

from satjudge.apps.explore.wire import Rules, WirePosition, format_sheet
from satjudge.base.errors import RequestError
from satjudge.notation.bundled_cases import find_bundled_case, read_collection
from satjudge.notation.documents import Cases
from satjudge.notation.messages.reader import read_partial_orders
from satjudge.notation.write import find_unit_text, group_orders
from satjudge.search.task import GuaranteeTask, LinesTask, LineTask, SearchTask, Task, Words
from satjudge.world.board import by_power
from satjudge.world.geography import Map, Power, load_map, shipped_maps
from satjudge.world.orders import Order

SHOWN = 100
"""The maximum number of cards that the page shows."""

OfPower = Mapping[Power, Sequence[str]]


# ---- findings ----


class Card(msgspec.Struct):
    """A finding that the page can open: a position with orders."""

    title: str
    about: Sequence[str]
    position: WirePosition
    sheet: str


class TaskFindings(msgspec.Struct):
    """The findings of a task: the answer in a sentence, notes such as its restrictions, and positions that show it."""

    headline: str
    notes: list[str]
    cards: list[Card]


def _list_verdicts(orders: OfPower, results: OfPower | None) -> list[str]:
    if results is None:
        return ["the rulebook has no answer"]
    pairs = (pair for power, texts in orders.items() for pair in zip(texts, results.get(power, ()), strict=False))
    return [f"{order}: {result}" for order, result in pairs]


def _load_shipped_map(name: str) -> Map:
    """Load a shipped map by name; raise `RequestError` for any other name."""
    if name not in shipped_maps():
        hint = "the commands `satjudge search`, `prove`, `lines` and `guarantee` accept others with --map FILE"
        raise RequestError(f"the page can search only on included maps, not on {name!r:.40}", suggestion=hint)
    return load_map(name)


# ---- tasks ----


class PageTask(msgspec.Struct, tag_field="task", forbid_unknown_fields=True, kw_only=True):
    """A command to run: its options (`asks`), and the page's current position, sheet and rulebook."""

    asks: Task
    position: WirePosition
    sheet: str = ""
    rules: Rules = Rules()
    seconds: Annotated[float, Meta(ge=0.1, le=3600)] = 60
    """The maximum time of the task in seconds."""

    def iter_arguments(self) -> Iterator[str]:
        """Yield the arguments of `satjudge`: the command and its options; raise `InputError` for a task that is not allowed."""
        self.rules.load_rulebook()  # a check that opens no file
        _load_shipped_map(self.position.map)
        yield from (str(self.__struct_config__.tag), "--json", f"--rules={self.rules.name}")
        yield from (f"--set={setting}" for setting in self.rules.settings)
        if self.asks.keeps_time:
            yield f"--timeout={self.seconds}"
        yield from self.asks.iter_options()
        yield from self._iter_goal_arguments()

    def _iter_goal_arguments(self) -> Iterator[str]:
        """Yield the arguments for the command's input and goal."""
        raise NotImplementedError

    def format_input(self) -> bytes:
        """Return the command's standard input: a batch line with the position, or nothing; raise `InputError`."""
        raise NotImplementedError

    def read_findings(self, document: bytes) -> TaskFindings:
        """Return the findings in the JSON document (`document`) that the command wrote."""
        raise NotImplementedError

    def _read_orders(self) -> dict[Power, list[Order]]:
        """Return the orders on the sheet; raise `InputError` for the first one that cannot be read."""
        sheet_orders = read_partial_orders(self.sheet, self.position.make_board())
        for error in sheet_orders.errors:
            raise error
        return sheet_orders.by_power

    def _format_line(self, orders: Mapping[Power, Iterable[Order]], only_power: Power | None = None) -> bytes:
        """Return a batch line with the position and these orders; with `only_power`, just that power's units and orders."""
        board = self.position.make_board()
        return msgspec.json.encode(
            {
                "map": board.map.name,
                "phase": str(board.phase),
                "units": {power: of for power, of in by_power(board.units).items() if only_power in (None, power)},
                "orders": {power: [str(order) for order in of] for power, of in orders.items() if only_power in (None, power)},
                **({"season": str(board.turn.season)} if board.turn and board.map.closed else {}),
            }
        )

    def _make_card(self, title: str, notes: Sequence[str], units: OfPower, orders: OfPower) -> Card:
        position = WirePosition(
            {power: list(texts) for power, texts in units.items()}, self.position.map, centers=self.position.centers
        )
        return Card(title, notes, position, format_sheet(orders))

    def _make_line_card(self, title: str, notes: Sequence[str], power: Power, order_texts: Sequence[str]) -> Card:
        """Make a card for a line of units, all of `power`, from its orders."""
        return self._make_card(title, notes, {power: [find_unit_text(order) for order in order_texts]}, {power: order_texts})


class Search(PageTask, tag="search"):
    """A search for a position with a property."""

    asks: SearchTask
    start: Literal["empty", "units", "orders"] = "empty"
    """The units on the board at the start: none, the current units, or the current units with their orders."""

    def _iter_goal_arguments(self) -> Iterator[str]:
        yield "--board=-" if self.start != "empty" else f"--map={_load_shipped_map(self.position.map).name}"
        yield from ("--", self._check_goal())

    def _check_goal(self) -> str:
        """Return the goal; raise `RequestError` if it names a file or a user's module, or if too many answers are requested."""
        if self.asks.count > SHOWN:
            raise RequestError(f"the page shows at most {SHOWN} answers")
        goal = _check_no_files(self.asks.goal)
        from satjudge.search.goals.registry import parse_goal

        parse_goal(goal, _load_shipped_map(self.position.map))
        return goal

    def format_input(self) -> bytes:
        """Return a batch line with the current units, and their orders if `start` says so; nothing for an empty board."""
        if self.start == "empty":
            return b""
        return self._format_line(self._read_orders() if self.start == "orders" else {})

    def read_findings(self, document: bytes) -> TaskFindings:
        """Return the findings in the document of `satjudge search`, with a card for each answer."""
        from satjudge.search.documents.search import SearchDocument

        decoded = msgspec.json.decode(document, type=SearchDocument)
        cards = []
        for number, answer in enumerate(decoded.answers, 1):
            cores = ", ".join(core.name for core in answer.cores)
            about = [f"consistent resolutions: {answer.resolutions}", *_list_verdicts(answer.orders, answer.results)]
            if answer.results_under is not UNSET:
                for name, results in answer.results_under.items():
                    about += [f"by {name}: {one}" for one in _list_verdicts(answer.orders, results)]
            title = f"Answer {number}: {cores}" if cores else f"Answer {number}"
            cards.append(self._make_card(title, about, answer.units, answer.orders))
        return TaskFindings(decoded.headline, [*decoded.remarks, *decoded.restrictions], cards)


class Prove(PageTask, tag="prove"):
    """A proof that a line holds, or an attack that breaks it."""

    asks: LineTask = LineTask()
    line: Words | None = None
    """The name of a shipped line; without it, the current units are the line."""
    whose: str | None = None
    """The power whose current units are the line; without it, the units of all powers are."""

    def _iter_goal_arguments(self) -> Iterator[str]:
        yield from ("--", f"line:{find_bundled_case(self.line, 'line').identity}" if self.line else "-")

    def format_input(self) -> bytes:
        """Return a batch line with the units of the line and their orders; nothing for a shipped line."""
        return b"" if self.line else self._format_line(self._read_orders(), self.whose)

    def read_findings(self, document: bytes) -> TaskFindings:
        """Return the findings of `satjudge prove`, with cards for the attack and a smaller or repaired line, if any."""
        from satjudge.search.documents.proofs import ProveCase

        (case,) = msgspec.json.decode(document, type=Cases[ProveCase]).cases
        line_power = self.whose or next(iter(self._get_line_units()), "")
        cards = []
        if case.attack:
            verdicts = _list_verdicts(case.all_orders, case.attack.results)
            cards.append(self._make_card("The attack", verdicts, case.attack.units, case.all_orders))
        parts = {"The smallest part that holds": case.smallest, "The line, repaired": case.repaired}
        for title, line in parts.items():
            if line:
                added = [f"added: {order}" for order in line if order not in case.line]
                cards.append(self._make_line_card(title, added, line_power, line))
        notes = [*case.question, *case.remarks]
        if case.redundant is not UNSET:
            notes.append(
                f"holds without any one of: {', '.join(case.redundant)}" if case.redundant else "needs each of its units"
            )
        if case.repaired is None:
            notes.append("no additional units can make it hold")
        return TaskFindings(case.headline, notes, cards)

    def _get_line_units(self) -> OfPower:
        """Return the units of the shipped line, or else all units of the position (whatever `whose` is), by power."""
        return by_power(find_bundled_case(self.line, "line").board.units) if self.line else self.position.units


class Lines(PageTask, tag="lines"):
    """A search for the lines with the fewest units that protect given provinces."""

    asks: LinesTask

    def _iter_goal_arguments(self) -> Iterator[str]:
        if self.asks.count > SHOWN or self.asks.everything:
            raise RequestError(f"the page shows at most {SHOWN} lines")
        yield from (f"--map={_load_shipped_map(self.position.map).name}", "--", self.asks.goal)

    def format_input(self) -> bytes:
        """Return nothing, because the current units do not matter."""
        return b""

    def read_findings(self, document: bytes) -> TaskFindings:
        """Return the findings in the document of `satjudge lines`, with a card for each line."""
        from satjudge.search.documents.proofs import LinesDocument

        decoded = msgspec.json.decode(document, type=LinesDocument)
        cards = [
            self._make_line_card(f"Line {number}", line.description, decoded.power, line.orders)
            for number, line in enumerate(decoded.lines, 1)
        ]
        return TaskFindings(decoded.headline, decoded.restriction_texts, cards)


class Guarantee(PageTask, tag="guarantee"):
    """A search for orders that reach a goal no matter what the others order."""

    asks: GuaranteeTask

    def _iter_goal_arguments(self) -> Iterator[str]:
        _check_no_files(self.asks.assumed or "")
        yield from ("--", _check_no_files(self.asks.goal), "-")

    def format_input(self) -> bytes:
        """Return a batch line with the current units, without orders."""
        return self._format_line({})

    def read_findings(self, document: bytes) -> TaskFindings:
        """Return the findings of `satjudge guarantee`, with a card for the orders that reach the goal, or for each defeat."""
        from satjudge.search.documents.proofs import GuaranteeCase
        from satjudge.show.searches import format_wish_headline

        (case,) = msgspec.json.decode(document, type=Cases[GuaranteeCase]).cases
        board = self.position.make_board()
        units = by_power(board.units)
        if case.orders is not None:
            orders = group_orders(units, case.orders)
            card = self._make_card("The orders", case.orders or ["all units hold"], units, orders)
            return TaskFindings(format_wish_headline(case, board), case.remarks, [card])
        cards = []
        for number, defeat in enumerate(case.defeats[:SHOWN], 1):
            orders = defeat.all_orders(units)
            results = defeat.results if isinstance(defeat.results, Mapping) else None
            cards.append(self._make_card(f"Defeat {number}", _list_verdicts(orders, results), units, orders))
        more = [f"the first {SHOWN} replies are shown"] if len(case.defeats) > SHOWN else []
        return TaskFindings(format_wish_headline(case, board), [*case.remarks, *more], cards)


def _check_no_files(goal: str) -> str:
    """Return a goal unchanged; raise `RequestError` if it names a rulebook's file."""
    if ".toml" in goal:
        raise RequestError("the page cannot open files", suggestion="compare included rulebooks")
    return goal


_read: Callable[[bytes], PageTask] = msgspec.json.Decoder(Union[Search, Prove, Lines, Guarantee]).decode  # noqa: UP007


def read_task(text: bytes) -> PageTask:
    """Parse a task from JSON, or raise `InputError`."""
    try:
        return _read(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise RequestError(f"this is not a task: {error}") from None


@lru_cache(maxsize=1)
def list_task_choices() -> dict[str, Any]:
    """Return what tasks can choose from: the forms of `goals` and `wishes`, and the titles of shipped `lines` by name."""
    from satjudge.search.goals.registry import GOALS
    from satjudge.search.goals.wishes import FORMS

    return {
        "goals": [goal.form or goal.name for goal in GOALS],
        "wishes": list(FORMS.values()),
        "lines": {sheet.identity: sheet.title for sheet in read_collection("lines")},
    }
