"""Makes the document of the findings of `satjudge search`, and order sheets that `satjudge check` can run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, count

from msgspec import UNSET, UnsetType

from satjudge.base.words import number_of
from satjudge.judging.position import Position
from satjudge.notation.documents import Document, JudgedDocument, document_origin
from satjudge.notation.sheets import Expectations
from satjudge.notation.write import make_order_lines, sheet_text
from satjudge.search.enumeration import Total
from satjudge.search.goals.counts import find_vacuous_parts
from satjudge.search.goals.differences import RulebookDifference
from satjudge.search.goals.goal import Goal, list_hints, list_search_cases
from satjudge.search.goals.judged_position import Judged
from satjudge.search.open_orders.proposal import Proposal
from satjudge.search.search import Objective, Round, Search, Status, measure_proposal
from satjudge.search.second_opinion import Proof, SecondOpinion, WrittenFormula
from satjudge.world.board import by_power
from satjudge.world.geography import Map, Power
from satjudge.world.orders import MovementOrder
from satjudge.world.rules import Rulebook, load_rulebook, nearest_preset

Results = Mapping[Power, Sequence[str]]
"""The verdicts on each power's orders."""


class FoundCore(Document):
    """A core of an answer: its name in the literature, and its shape."""

    name: str
    shape: str


class Answer(Document, kw_only=True):
    """A position that meets the goal, as the judge sees it; `results_under` is set if the goal compares rulebooks."""

    units: Mapping[Power, Sequence[str]]
    orders: Mapping[Power, Sequence[str]]
    results: Results | None
    results_under: Mapping[str, Results | None] | UnsetType = UNSET
    resolutions: int
    cores: list[FoundCore]
    fleets: int | UnsetType = UNSET
    """The number of fleets, if fleets were minimised."""
    size: int | UnsetType = UNSET
    """The number of units, if nothing was minimised."""

    def judge_position(self, rulebook: Rulebook, game_map: Map) -> Judged:
        """Judge the position again under a rulebook, for details that the document does not contain."""
        position = Position.of(self.orders, units=self.units, map=game_map)
        orders = chain.from_iterable(position.orders.values())
        given = {order.unit.province: order for order in orders if isinstance(order, MovementOrder)}
        return Judged(Proposal(position.board, given, {}), rulebook)

    @property
    def goal_rulebooks(self) -> list[Rulebook]:
        """The rulebooks that the goal compares; empty if it compares none."""
        return [*map(load_rulebook, self.results_under or ())]


class SearchDocument(JudgedDocument, kw_only=True):
    """The result of a search: how it ended, its restrictions, every answer, and the questions that were asked on the way.

    `bound`: the proved lower bound on the minimised number. `complete`: there are no other answers.
    """

    seed: int
    seconds: float
    goal: str
    status: str
    stopped_by: str | UnsetType = UNSET
    """The reason why the search was stopped, if it was."""
    minimise: str | None
    value: int | None
    bound: int | None
    complete: bool
    restrictions: list[str]
    remarks: list[str]
    answers: list[Answer]
    rounds: list[Round]
    second_opinions: list[SecondOpinion]
    proofs: list[Proof]
    totals: list[Total] | UnsetType = UNSET
    """The number of answers by the number of units, if all were counted."""

    @property
    def headline(self) -> str:
        """The sentence that says how the search ended."""
        objective = (self.minimise or "units")[:-1]
        best = None if self.value is None else number_of(self.value, objective)
        match self.status:
            case Status.MINIMAL:
                return f"{best}: proved minimal."
            case Status.FOUND:
                return "Found."
            case Status.NONE:
                return "There is none: proved."
        if self.minimise is None:
            return f"{self.stopped_by}; {'there may be more' if self.answers else 'nothing was proved'}."
        so_far = f"best so far {best}" if self.answers else "none found so far"
        return f"{self.stopped_by}: {so_far}, bound {self.bound} (fewer are proved not to be enough)."


class Formulas(JudgedDocument, kw_only=True):
    """The questions of a search, written for other solvers; a board can only meet the goal if it satisfies one of them."""

    goal: str
    restrictions: list[str]
    formulas: list[WrittenFormula]


def make_formulas_document(search: Search, formulas: Sequence[WrittenFormula]) -> Formulas:
    """Return the document that describes the formulas written for a search."""
    origin = document_origin(search.universe.rulebook)
    return Formulas(**origin, goal=str(search.goal), restrictions=list_restrictions(search), formulas=list(formulas))


def make_search_document(
    search: Search,
    seconds: float = 0,
    second_opinions: Sequence[SecondOpinion] = (),
    proofs: Sequence[Proof] = (),
    totals: Sequence[Total] | None = None,
) -> SearchDocument:
    """Return the document of a search that took `seconds`; give `totals` if all answers were counted."""
    return SearchDocument(
        **document_origin(search.universe.rulebook),
        seed=search.seed,
        seconds=round(seconds, 2),
        goal=str(search.goal),
        status=str(search.status),
        stopped_by=search.stopped_by if search.status is Status.STOPPED else UNSET,
        minimise=str(search.objective) if search.objective else None,
        value=search.value,
        bound=search.bound if search.objective else None,
        complete=search.complete,
        restrictions=list_restrictions(search),
        remarks=[*_iter_total_texts(totals or (), search), *_iter_remarks(search)],
        answers=[_make_answer(judged, search) for judged in search.answers],
        rounds=search.rounds,
        second_opinions=[*second_opinions],
        proofs=[*proofs],
        totals=UNSET if totals is None else list(totals),
    )


def _iter_total_texts(totals: Sequence[Total], search: Search) -> Iterator[str]:
    """Yield a sentence for each number of units: how many boards meet the goal, and how many kinds there are."""
    for total in totals:
        least = "" if search.complete else "at least "
        units, boards = number_of(total.units, "unit"), number_of(total.boards, "board")
        yield f"{units}: {least}{boards} with orders, {least}{total.unlike:,} different."


def _make_answer(judged: Judged, search: Search) -> Answer:
    proposal, objective = judged.proposal, search.objective
    compared = {name: judged.judge_under(book).results for name, book in map_compared_rulebooks(search.goal).items()}
    return Answer(
        units=by_power(proposal.board.units),
        orders={power: [str(order) for order in given] for power, given in proposal.orders.items()},
        results=judged.results,
        results_under=compared or UNSET,
        resolutions=judged.resolutions.count,
        cores=[FoundCore(core.name, core.shape) for core in judged.cores],
        fleets=measure_proposal(proposal, objective) if objective is Objective.FLEETS else UNSET,
        size=len(proposal.board.units) if objective is None else UNSET,
    )


def list_restrictions(search: Search) -> list[str]:
    """Return phrases for the restrictions under which the search was made and its proofs hold."""
    universe = search.universe
    if not list_search_cases(search.goal, universe.rulebook, universe.map):
        maps = "map without rules of its own" if list_search_cases(search.goal, universe.rulebook) else "map"
        return [f"every board on every {maps}, since no question was needed"]
    everywhere = len(universe.provinces) == len(universe.map.provinces)
    texts = ["the whole map" if everywhere else f"units and moves in {' '.join(sorted(universe.provinces))} only"]
    if universe.units:
        texts.append(f"the {number_of(len(universe.units), 'unit')} of the board {_describe_free_units(search)}")
    if universe.orders:
        texts.append(f"{number_of(len(universe.orders), 'order')} given")
    texts.append("free units of any powers" if universe.spots else "powers as given")
    texts.append(f"convoys over at most {number_of(universe.longest_route, 'fleet')}")
    if search.most_units is not None:
        texts.append(f"at most {number_of(search.most_units, 'unit')}")
    names = [rulebook.name for rulebook in universe.rulebooks]
    both = len(names) == 2 and all(isinstance(atom, RulebookDifference) and atom.legal for atom in search.goal.iter_atoms())
    legal = f"orders legal under {' and '.join(names)}" if both else f"orders legal under {' or '.join(names)}"
    return [*texts, legal if len(names) > 1 else f"legal orders under {names[0]}"]


def _describe_free_units(search: Search) -> str:
    """Return a phrase, such as `and no others`, on how many free units may join those of the board."""
    universe = search.universe
    rooms = len({spot.province for spot in universe.spots})
    if not rooms:
        return "and no others"
    if search.most_units is None:
        return "and further free units"
    joining = min(rooms, search.most_units - len(universe.units))
    return f"and at most {number_of(joining, 'free unit')} beside them" if joining else "and no room for free units beside them"


def _iter_remarks(search: Search) -> Iterator[str]:
    """Yield sentences on the result: whether there may be more answers, how it was proved, and why there may be none."""
    if search.count > 1 and search.answers:
        alike = f" with {_format_count(search.value, search.objective)}" if search.objective else ""
        more = f"there are no more{alike}" if search.complete else f"{search.stopped_by.lower()}, there may be more"
        found = f"{len(search.answers)} of {search.count}"
        yield f"{found}: {more}." if len(search.answers) < search.count else f"{found}{alike}; there may be more."
    if search.drawn and search.answers:
        yield "Drawn along the ring of the core, with a place for every unit, which is also a proof (docs/papers/cores.md)."
    elif search.drawn:
        yield "No board fits along the ring of the core: too few places or units, which is a proof (docs/papers/cores.md)."
    elif search.at_least:
        fewer = number_of(search.at_least, "unit")
        yield f"Fewer than {fewer} are impossible, by the number of units that the core needs (docs/papers/cores.md)."
    for atom in dict.fromkeys(atom for judged in search.answers for atom in find_vacuous_parts(search.goal, judged)):
        hint = "to ask for a unit, add: and some(unit:PROVINCE)"
        yield f"Note: {atom} is vacuously true of a board without units ({hint})."
    if search.status is Status.NONE:
        yield from (f"Note: {hint}." for hint in list_hints(search.goal, search.universe))


def _format_count(value: int | None, objective: Objective | None) -> str:
    return number_of(value or 0, str(objective)[:-1])


def map_compared_rulebooks(goal: Goal) -> dict[str, Rulebook]:
    """Return the rulebooks that a goal compares, by the names under which the user asked for them."""
    found: dict[str, Rulebook] = {}
    for atom in goal.iter_atoms():
        if isinstance(atom, RulebookDifference):
            found |= dict(zip(atom.names or (atom.one.name, atom.other.name), (atom.one, atom.other), strict=True))
    return found


def format_sheets(document: SearchDocument, game_map: Map, is_taken: Callable[[str], bool] = lambda _: False) -> dict[str, str]:
    """Return an order sheet for each answer, as texts by sheet name, with the judge's verdicts.

    Names for which `is_taken` is true are skipped. The verdicts under each rulebook that the goal compares form a separate
    block. A user's own rulebook is written as the nearest included one with the options that differ.
    """
    summary = f"{document.headline} Restrictions: {'; '.join(document.restrictions)}"
    names = (f"{_make_file_name(document.goal)}-{number}" for number in count(1))
    rulebook = document.rulebook.rulebook()
    rules, settings = nearest_preset(rulebook)
    written = {}
    for name, answer in zip((name for name in names if not is_taken(name)), document.answers, strict=False):
        judged = answer.judge_position(rulebook, game_map)
        expected = None if settings else judged.results
        under = [] if expected else [_make_expectations(judged, rules, settings)]
        for book in dict.fromkeys(answer.goal_rulebooks):
            if nearest_preset(book) != (rules, settings):
                under.append(_make_expectations(judged.judge_under(book), *nearest_preset(book), expected))
        written[name] = sheet_text(
            judged.proposal.board,
            judged.proposal.orders,
            identity=name,
            title=", ".join(core.name for core in answer.cores) or document.goal,
            rules=rules,
            notes={"source": [f"satjudge search {document.goal}"], "note": [summary, *_iter_notes(judged)]},
            expected=expected,
            under=under,
        )
    return written


def _make_expectations(judged: Judged, rules: str, settings: Sequence[str], expected: Results | None = None) -> Expectations:
    """Return the verdicts under a rulebook as expectations; with `expected`, only those that differ from these verdicts."""
    verdicts, orders = judged.results, judged.proposal.orders
    unchanged = make_order_lines(orders, expected) if expected else []
    differing = [line for line in make_order_lines(orders, verdicts) if line not in unchanged] if verdicts else []
    return Expectations((rules,), tuple(settings), unresolved=verdicts is None, orders=differing)


def _iter_notes(judged: Judged) -> Iterator[str]:
    yield f"consistent resolutions: {judged.resolutions.count}"
    for core in judged.cores:
        yield f"core {core.shape} ({core.name}): {'; '.join(map(str, core.core.decisions))}"


def _make_file_name(title: str) -> str:
    shapes = title.replace(":", "-").replace('"', "").replace("=", "-is-")
    return "".join(character if character.isalnum() or character == "-" else "-" for character in shapes).strip("-")[:60]
