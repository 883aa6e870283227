"""Each conjunct and exemption of each equation, broken once: some case must notice.

A mutation is a piece of `equations/statement.py` and what it is changed into. What no case notices would be listed in
`SURVIVORS` with the reason; a mutation that is killed may not be listed there.
"""

from __future__ import annotations

import re
import types
from collections.abc import Iterator
from pathlib import Path

import pytest

from satjudge.check import check
from satjudge.equations import statement
from satjudge.errors import SatjudgeError
from satjudge.notation.sheets import Sheet, shipped_sheets
from satjudge.rules import load_rulebook
from satjudge.solve import Engine

MUTATIONS: dict[str, tuple[str, str] | tuple[tuple[str, str], ...]] = {
    "MOVE without PATH": ("(L.path(m), L.exceeds(strength, opposition(~L, m)))", "(L.exceeds(strength, opposition(~L, m)),)"),
    "MOVE without what opposes it": ("(L.path(m), L.exceeds(strength, opposition(~L, m)))", "(L.path(m),)"),
    "MOVE without rivals": ("if rival is not m),", "if False),"),
    "SUPPORT given without the supported order": ("return L.all_of((matched(L, s), L.none_of", "return L.all_of((L.constant(True), L.none_of"),
    "SUPPORT given by a dislodged unit": ("L.none_of(chain(dislodging, cutting))", "L.none_of(cutting)"),
    "SUPPORT never cut": ("L.none_of(chain(dislodging, cutting))", "L.none_of(dislodging)"),
    "SUPPORT cut without PATH": ("(~L).path(m) for m in s.place.moves_in", "(~L).chosen(m) for m in s.place.moves_in"),
    "SUPPORT cut by its own power": ("if m.power != s.power and m.origin", "if m.origin"),
    "SUPPORT cut from where it is directed at": ("m.power != s.power and m.origin is not s.directed_at", "m.power != s.power"),
    "a unit ordered to move supported in place": ("L.occupied(s.supported), stays)", "L.occupied(s.supported))"),
    "a move support for any order": ("L.any_of(L.chosen(m) for m in s.matches)", "L.constant(True)"),
    "CONVOY by a dislodged fleet": ("L.none_of((~L).move(m) for m in c.place.moves_in)", "L.constant(True)"),
    "convoyed only where land fails": ("if not m.by_land or m.order.via_convoy:", "if not m.by_land:"),
    "convoyed only where it says so": ("for c in m.convoys if c.power == m.power)", "for c in m.convoys if False)"),
    "convoyed by a foreign fleet's order": ("for c in m.convoys if c.power == m.power)", "for c in m.convoys)"),
    "head-to-head although convoyed": ("L.none_of(((~L).convoyed(m), (~L).convoyed(other)))", "L.constant(True)"),
    "head-to-head although the other is convoyed": ("L.none_of(((~L).convoyed(m), (~L).convoyed(other)))", "L.none_of(((~L).convoyed(m),))"),
    "head-to-head although this one is convoyed": ("L.none_of(((~L).convoyed(m), (~L).convoyed(other)))", "L.none_of(((~L).convoyed(other),))"),
    "PATH without a route": ("L.any_of(chain((by_land,), by_sea))", "L.constant(True)"),
    "PATH through one fleet of a route": ("(L.all_of(L.convoy(c) for c in route) for route", "(L.any_of(L.convoy(c) for c in route) for route"),
    "PATH only if every route is free": ("L.any_of(chain((by_land,), by_sea))", "L.any_of((by_land, L.all_of(chain((L.constant(bool(m.routes)),), by_sea))))"),
    "PATH by land although convoyed": ("L.any_of(chain((by_land,), by_sea))", "L.any_of(chain((L.constant(m.by_land),), by_sea))"),
    "HOLD of a place that was left": ("stays = L.all_of((L.occupied(p), L.none_of((~L).move(m) for m in p.moves_out)))", "stays = L.occupied(p)"),
    "HOLD of an empty place": ("stays = L.all_of((L.occupied(p), ", "stays = L.all_of((L.constant(True), "),
    "HOLD without supports": ("L.total(1, (L.support(s) for s in p.hold_supports))", "L.total(1, ())"),
    "ATTACK of a unit that never leaves": ("L.choose(vacated, moving_in, dislodging)", "dislodging"),
    "ATTACK as if every unit left": ("L.choose(vacated, moving_in, dislodging)", "moving_in"),
    "ATTACK as if head-to-head did not matter": ("L.all_of((L.move(other), meets_not(L, m, other)))", "L.move(other)"),
    "ATTACK on a unit of one's own power": ("L.choose(L.none_of(((~L).owned(target, m.power),)), L.total(1, foreign), L.zero())", "L.total(1, foreign)"),
    "ATTACK helped by the unit's own power": ("L.all_of((L.support(s), L.none_of(((~L).owned(target, s.power),))))", "L.support(s)"),
    "ATTACK without supports": ("moving_in = L.total(1, (L.support(s) for s in m.supports))", "moving_in = L.total(1, ())"),
    "ATTACK without foreign supports": ("L.total(1, foreign), L.zero())", "L.total(1, ()), L.zero())"),
    "ATTACK without PATH": ("return L.choose(L.path(m), L.choose(vacated", "return L.choose(L.constant(True), L.choose(vacated"),
    "MOVE and ATTACK without PATH": (  # two changes, since each makes the other superfluous
        ("(L.path(m), L.exceeds(strength, opposition(~L, m)))", "(L.exceeds(strength, opposition(~L, m)),)"),
        ("return L.choose(L.path(m), L.choose(vacated", "return L.choose(L.constant(True), L.choose(vacated"),
    ),
    "PREVENT without PATH": ("L.all_of((L.path(m), L.none_of(lost)))", "L.none_of(lost)"),
    "PREVENT by the loser of a head-to-head battle": ("L.all_of((L.path(m), L.none_of(lost)))", "L.path(m)"),
    "PREVENT lost although not head-to-head": ("(~L).all_of(((~L).head_to_head(m, other), (~L).move(other)))", "(~L).move(other)"),
    "PREVENT without supports": ("L.none_of(lost))), L.total(1, (L.support(s) for s in m.supports))", "L.none_of(lost))), L.total(1, ())"),
    "DEFEND without supports": ('gives them."""\n    return L.total(1, (L.support(s) for s in m.supports))', 'gives them."""\n    return L.total(1, ())'),
    "DEFEND counts as HOLD": ("strength = L.choose(L.head_to_head(m, other), L.defend(other), strength)", "pass"),
}  # fmt: skip

SURVIVORS = {
    "MOVE without PATH": "ATTACK is 0 without a path and never exceeds anything; see 'MOVE and ATTACK without PATH'",
    "ATTACK without PATH": "MOVE asks for the path as well; see 'MOVE and ATTACK without PATH'",
    "ATTACK as if head-to-head did not matter": "two moves that meet cannot both succeed: each would have to exceed the"
    " other's DEFEND, which is at least its ATTACK; so the unit that leaves head-to-head has won against this attack",
}

_SOURCE = Path(statement.__file__).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def sheets() -> list[Sheet]:
    return [*shipped_sheets(), *shipped_sheets("promoted")]


@pytest.fixture
def mutate(request: pytest.FixtureRequest) -> Iterator[None]:
    change = MUTATIONS[request.param]
    source = _SOURCE
    for old, new in change if isinstance(change[0], tuple) else (change,):
        source = _replaced(source, old, new)
    mutant = types.ModuleType("mutant")
    exec(compile(source, "mutant", "exec"), mutant.__dict__)
    kept = {name: getattr(statement, name) for name in vars(mutant) if isinstance(getattr(mutant, name), types.FunctionType)}
    for name in kept:
        setattr(statement, name, getattr(mutant, name))
    yield
    for name, function in kept.items():
        setattr(statement, name, function)


def _replaced(source: str, old: str, new: str) -> str:
    """The source with one piece changed, whatever its line breaks."""
    pattern = r"\s+".join(re.escape(word) for word in old.split())
    changed, count = re.subn(pattern, lambda _: new, source, count=1)
    assert count == 1, f"the statement has changed: {old!r} is not in it; change the mutation too"
    return changed


def _killed_by(sheets: list[Sheet]) -> str | None:
    rulebook = load_rulebook()
    for sheet in sheets:
        try:
            if not check(sheet, rulebook, Engine.STAGED).passed:
                return sheet.identity
        except (SatjudgeError, AssertionError):
            return sheet.identity
    return None


@pytest.mark.parametrize("mutate", MUTATIONS, indirect=True, ids=str)
@pytest.mark.usefixtures("mutate")
def test_some_case_notices(sheets: list[Sheet], request: pytest.FixtureRequest) -> None:
    name = request.node.callspec.params["mutate"]
    killer = _killed_by(sheets)
    assert (killer is None) == (name in SURVIVORS), f"{name}: killed by {killer}"


def test_unbroken_equations_pass(sheets: list[Sheet]) -> None:
    assert _killed_by(sheets) is None
