"""What judges by several rulebooks learn from each other: each must know just what it would have learnt alone."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import Any

import pytest
from test_bulk_options import choices

from satjudge.board import Unit
from satjudge.bulk import SharedAnswers, Vocabulary
from satjudge.bulk.asking import OURS, THEIRS, Asking
from satjudge.geography import Terrain, UnitKind, load_map
from satjudge.orders import Convoy, Hold, Move, MovementOrder, Named, SupportMove
from satjudge.rules import Rulebook, load_preset, load_rulebook, preset_names

EVERY = 200
"""Of so many orders one is asked about."""
Question = tuple[str, tuple[Any, ...]]


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return Vocabulary(load_map())


@pytest.fixture(scope="module")
def questions(vocabulary: Vocabulary) -> list[Question]:
    """About orders that are legal or not, some that match each other, and routes."""
    random = Random(1)
    found = list[Question]()
    movement = [order for order in vocabulary.orders if isinstance(order, MovementOrder)]
    moves = [(unit(order.unit), order) for order in movement if isinstance(order, Move)]
    for order in movement[::EVERY]:
        me, other = unit(order.unit), unit(random.choice(vocabulary.units), random.choice((OURS, THEIRS)))
        found += [("legality", ((me, other), order, supposed)) for supposed in (True, False)]
        if not isinstance(order, Hold):
            found.append(("decision", (me, order)))
        if isinstance(order, SupportMove | Convoy):
            helped = order.supported if isinstance(order, SupportMove) else order.convoyed
            matching = [(one, move) for one, move in moves if move.unit == helped]
            found += [("link", ((me, order), move)) for move in random.sample(matching, 3)]
    coasts = [code for code, province in vocabulary.map.provinces.items() if province.terrain is Terrain.COAST]
    for _ in range(60):
        army, destination = Unit(OURS, UnitKind.ARMY, random.choice(coasts)), random.choice(coasts)
        fleets = [Unit(OURS, UnitKind.FLEET, sea) for sea in sorted(vocabulary.map.convoying) if random.randrange(3)]
        convoys = [(fleet, Convoy(fleet.named, army.named, destination)) for fleet in fleets]
        found.append(("routes", (((army, Move(army.named, destination, via_convoy=True)), *convoys),)))
    return found


def unit(named: Named, power: str = OURS) -> Unit:
    assert named.kind
    return Unit(power, named.kind, named.location)


def answered(asking: Asking, questions: list[Question]) -> list[object]:
    """All answers; of a decision what compiled code reads of it."""
    read = ("order", "by_land", "might_be_convoyed", "difficult", "supports_hold")
    found: list[object] = []
    for kind, given in questions:
        answer = asking.legality(*given[:-1], supposed=given[-1]) if kind == "legality" else getattr(asking, kind)(*given)
        found.append([getattr(answer, name, None) for name in read] if kind == "decision" else answer)
    return found


def test_answers_are_those_of_each_rulebook(vocabulary: Vocabulary, questions: list[Question]) -> None:
    answers = SharedAnswers(vocabulary.map)
    rulebooks = [*map(load_rulebook, preset_names()), *(load_preset(f"{base} with {choice}") for base, choice in choices())]
    for rulebook in rulebooks:
        alone, beside = (Asking(vocabulary.map, rulebook, share) for share in (None, answers))
        assert answered(alone, questions) == answered(beside, questions), rulebook


def test_rulebooks_learn_from_each_other(vocabulary: Vocabulary, questions: list[Question]) -> None:
    answers, counts = SharedAnswers(vocabulary.map), [0]
    for name in ("datc-3", "2025ee", "2023", "1982"):
        answered(Asking(vocabulary.map, load_rulebook(name), answers), questions)
        counts.append(answers.count)
    first, *others = (after - before for before, after in pairwise(counts))
    assert others[0] == 0  # these two differ in nothing that is read of orders
    assert max(others) < 0.75 * first


def test_too_many_answers_are_forgotten(
    vocabulary: Vocabulary, questions: list[Question], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("satjudge.bulk.asking._KEPT", 100)
    answers = SharedAnswers(vocabulary.map)
    alone, beside = (Asking(vocabulary.map, load_rulebook(), share) for share in (None, answers))
    assert answered(alone, questions) == answered(beside, questions)
    assert 0 < answers.count <= 100


def test_answers_are_about_one_map(vocabulary: Vocabulary) -> None:
    with pytest.raises(ValueError, match="answers about the map standard are none about chaos"):
        Asking(load_map("chaos"), load_rulebook(), SharedAnswers(vocabulary.map))


def test_nothing_is_kept_by_a_rulebook_of_which_it_is_noted_what_is_read(vocabulary: Vocabulary) -> None:
    def ask(rulebook: Rulebook) -> None:
        hash(rulebook)

    with pytest.raises(TypeError, match="unhashable"):
        SharedAnswers(vocabulary.map).find(("who", UnitKind.ARMY, OURS), load_rulebook(), ask)
