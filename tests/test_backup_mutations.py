"""Each clause of the backup rules for trains and canals (DATC 2.4, 7), broken once: some case of chapter 7 must notice.

As in `test_mutations`, a mutation is a piece of `satjudge/backup.py` and what it is changed into.
"""

from __future__ import annotations

import types
from pathlib import Path

import pytest
from test_mutations import killed_by

from satjudge import backup
from satjudge.conformance.mutations import replaced
from satjudge.notation.sheets import Sheet
from satjudge.notation.shipped import shipped_sheets
from satjudge.solve import result

MUTATIONS: dict[str, tuple[str, str]] = {
    "circular movement without trains, 7.B.17": ("isinstance(decision, MoveDecision | ReachDecision | PassDecision)", "isinstance(decision, MoveDecision)"),
    "circular movement though that is no resolution, 7.B.24": ("if any(_is_circle(core, moves, values) for values in resolutions) else None", "if True else None"),
    "circular movement though it is no circle, 7.B.25": ("return any(_closes({**onward, train.origin: place}) for place in ends)", "return any(ends)"),
    "circular movement though a move fails": ("    if not all(holds[move.index] for move in moves):\n        return False\n", ""),
    "no rule for trains by themselves, 7.B.24": ("if trains or canals:", "if canals:"),
    "no rule for canals by themselves, 7.C.8": ("if trains or canals:", "if trains:"),
    "a convoy beside a canal is left alone, 7.C.13": ("if convoys and rulebook.paradox in _BACKUP_RULES:", "if False:"),
    "a canal beside a convoy is left alone": ("if canals:", "if canals and not convoys:"),
    "the canal is open, 7.C.12": ("settled |= _all(canals, False)", "settled |= _all(canals, True)"),
    "all moves through the canal's core fail, 7.C.12": ("settled |= _all(canals, False)", "settled |= _all([d for d in core if isinstance(d, MoveDecision)], False)"),
    "the last stage of a train fails without bouncing, 7.B.24": ("({reaching.index: True} if reaching in trains else {})", "({reaching.index: False} if reaching in trains else {})"),
    "the last stage of a train succeeds, 7.B.31": ("{passing.index: False} |", "{passing.index: True} |"),
    "a supported last stage succeeds where its PASS is in no core": ("return {passing.index: False} |", "return ({passing.index: False} if passing in trains else {}) |"),
    "the first stage of a train fails, not the last, 7.B.24": ("if one.place in met][-1:]", "if one.place in met][:1]"),
    "a stage fails whether it meets another unit or not": ("[one for one in stages if one.place in met][-1:] or stages[-1:]", "stages[-1:]"),
    "a unit is met only where it goes, 7.B.31": ("for place in (move.origin, move.destination)}", "for place in (move.destination,)}"),
    "a unit is met only where it stands, 7.B.24": ("for place in (move.origin, move.destination)}", "for place in (move.origin,)}"),
    "the first of all stages fails where none meets another unit": ("or stages[-1:]", "or stages[:1]"),
}  # fmt: skip

SURVIVORS = {
    "circular movement though a move fails": "of a circle that is no paradox all moves succeed in one resolution and fail in the"
    " other; a circle that bounces itself has none (7.B.31), and then no resolution is asked",
    "the first of all stages fails where none meets another unit": "a train that nobody of the core meets depends on it by way of"
    " a convoy or a canal only, at the other end of the map: Kruijswijk's paradox (7.D.2), which the document leaves open",
}
"""What no case notices, with the reason. A rule that settles nothing is not tried: the judge would not come to an end."""

SOURCE = Path(backup.__file__).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def sheets() -> list[Sheet]:
    found = [*shipped_sheets("datc-2.4"), *shipped_sheets("promoted")]
    return [sheet for sheet in found if sheet.identity.startswith(("2.4/7.", "variant.7."))]


@pytest.fixture
def mutate(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The backup rules with a change in them."""
    mutant = types.ModuleType("mutant")
    mutant.__dict__["__name__"] = backup.__name__  # where its dataclasses look for their types
    exec(compile(replaced(SOURCE, *MUTATIONS[request.param]), "mutant", "exec"), mutant.__dict__)
    monkeypatch.setattr(result, "rule_on", mutant.rule_on)


@pytest.mark.parametrize("mutate", MUTATIONS, indirect=True, ids=str)
@pytest.mark.usefixtures("mutate")
def test_some_case_notices(sheets: list[Sheet], request: pytest.FixtureRequest) -> None:
    name = request.node.callspec.params["mutate"]
    killer = killed_by(sheets)
    assert (killer is None) == (name in SURVIVORS), f"{name}: killed by {killer}"


def test_unbroken_rules_pass(sheets: list[Sheet]) -> None:
    assert killed_by(sheets) is None
