"""Compares the kernel in its sandbox, the plain path and the engine `full` on drawn boards under all presets.

    python benchmarks/studies/differential.py plain --boards 10000000 --state plain.jsonl
    python benchmarks/studies/differential.py compiled --boards 10000000 --plain plain.jsonl --json differential.json

Boards come in blocks (`drawn`), each under one rulebook, the presets in turn. The first command has the plain path judge
them, and keeps a digest of its answers for each block: verdicts, fates, retreats, units, orders in full, contested provinces,
numbers of resolutions, rulings with their cores. In one block of eleven it also has `full` enumerate each board that has not
just one resolution and a tenth of the others; the sets of resolutions must be those of `staged`.

The second command has the kernel judge the same boards, as far as the plain path has come; it must give the same digests. A
block that differs is judged once more, board by board. So a changed kernel is compared again without the plain path's time. A
run that was interrupted goes on where it stopped, with the same `--state`. Exit status 1 after a difference.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any

import numpy
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from campaign import whole_number

from satjudge.bulk.chunked_runs import Count, StateFile, run_count
from satjudge.bulk.judge import Judge, Outcomes, RowPosition
from satjudge.bulk.kernel.memory import NONE, Numbers
from satjudge.bulk.random_boards.boards import MIX, SIZES, random_board
from satjudge.bulk.tallies import add_by_name
from satjudge.bulk.vocabulary import Vocabulary
from satjudge.judging.judge import resolutions
from satjudge.judging.solve import Engine
from satjudge.world.rules import load_preset, preset_names

BLOCK = 2_000
"""The boards of a block."""
VARIANTS = 40
"""A board that is drawn with planted convoys, paradoxes and circles, and variants of it."""
REPLACED = (0.08, 0.2, 0.4)
"""The shares of orders that a variant replaces by others: one of these."""
ANY_ORDER, NO_ORDER, OTHER_POWER, GONE = 0.2, 0.05, 0.08, 0.03
"""The shares of replaced orders that are any of the unit's, or none; of units of another power, and of units taken off."""
TENTH = 10
SHOWN = 5
Boards = tuple[Numbers, Numbers, Numbers]


@dataclass
class Plain:
    """What the plain path said of some boards."""

    boards: int = 0
    with_cores: int = 0
    """Boards with no resolution, or with several."""
    unresolved: int = 0
    rulings: int = 0
    by_full: int = 0
    digests: dict[str, str] = field(default_factory=dict)
    """The digest of all answers on a block, by the number of its first board."""
    different: list[str] = field(default_factory=list)

    def add(self, other: Plain) -> None:
        """Count the other's boards too."""
        add_by_name(vars(self), vars(other))


@dataclass
class Compiled:
    """What came of having the kernel judge some boards."""

    boards: int = 0
    left: dict[str, int] = field(default_factory=dict)
    """Boards that the kernel leaves to the plain path, by rulebook."""
    cores: int = 0
    rulings: int = 0
    different: list[str] = field(default_factory=list)

    def add(self, other: Compiled) -> None:
        """Count the other's boards too."""
        add_by_name(vars(self), vars(other))


# ---- boards ----


@cache
def vocabulary() -> Vocabulary:
    """Return the vocabulary of all judges, that of the standard map."""
    return Vocabulary()


def drawn(seed: int, block: range) -> Boards:
    """Draw the boards of a block, as units, powers and orders: some by their rules of making, and variants of each."""
    random, chance = Random(f"{seed}:block {block.start}"), numpy.random.default_rng((seed, block.start))
    count = -(-len(block) // VARIANTS)
    units, powers, orders = (numpy.full((count, max(most for _, most in SIZES)), NONE, numpy.int32) for _ in range(3))
    numbers = vocabulary()
    for row in range(count):
        board, given = random_board(random, random.choice(MIX), random.choice(SIZES), illegal=random.choice((0.0, 0.0, 0.1)))
        ordered = {order.unit.province: numbers.order_numbers.get(order, NONE) for some in given.values() for order in some}
        for column, unit in enumerate(board.units):
            units[row, column] = numbers.unit_numbers[unit.named]
            powers[row, column] = numbers.powers.index(unit.power)
            orders[row, column] = ordered.get(unit.province, NONE)
    orders[:] = numpy.where(_of_their_units(units, orders), orders, NONE)
    return _varied(chance, units, powers, orders)


def _of_their_units(units: Numbers, orders: Numbers) -> NDArray[numpy.bool_]:
    """Find the orders for units that stand there."""
    first = numpy.array(vocabulary().first_order)
    return (orders >= first[units]) & (orders < first[units + 1])


def _varied(chance: numpy.random.Generator, units: Numbers, powers: Numbers, orders: Numbers) -> Boards:
    """Make variants of boards: some orders are replaced by others that such a unit is given, some units change their power."""
    first = numpy.array(vocabulary().first_order)
    known = orders[orders != NONE]
    pool = known[numpy.argsort(numpy.searchsorted(first, known, "right"), kind="stable")]
    owners = numpy.searchsorted(first, pool, "right") - 1
    begin, end = (numpy.searchsorted(owners, units, side) for side in ("left", "right"))
    shape = (len(units) * VARIANTS, units.shape[1])
    units, powers, orders = (numpy.repeat(array, VARIANTS, axis=0) for array in (units, powers, orders))
    begin, end = (numpy.repeat(array, VARIANTS, axis=0) for array in (begin, end))
    picked = begin + (chance.random(shape) * (end - begin)).astype(numpy.int64)
    others = numpy.where(end > begin, pool[numpy.minimum(picked, len(pool) - 1)], NONE)
    anything = first[units] + (chance.random(shape) * (first[units + 1] - first[units])).astype(numpy.int64)
    kind = chance.random(shape)
    others = numpy.where(kind < NO_ORDER, NONE, numpy.where(kind < NO_ORDER + ANY_ORDER, anything, others))
    varied = (numpy.arange(shape[0]) % VARIANTS != 0)[:, None] & (units != NONE)
    replaced = varied & (chance.random(shape) < chance.choice(REPLACED, shape[0])[:, None])
    orders = numpy.where(replaced, others, orders)
    powers = numpy.where(varied & (chance.random(shape) < OTHER_POWER), numpy.roll(powers, 1, axis=1), powers)
    gone = (varied & (chance.random(shape) < GONE)) | (powers == NONE)
    return tuple(numpy.where(gone, NONE, array).astype(numpy.int32) for array in (units, powers, orders))  # type: ignore[return-value]


def rules_of(block: range) -> str:
    """Return the rulebook of a block."""
    names = preset_names()
    return names[block.start // BLOCK % len(names)]


# ---- answers ----


def told(found: Outcomes) -> dict[str, NDArray[Any]]:
    """Bring what every path has to say alike in one form, by the name of each part; a row of each array is of one board."""
    boards = len(found.units)
    parts: dict[str, NDArray[Any]] = {
        name: getattr(found, name) for name in ("results", "fates", "attackers", "units", "orders", "contested", "resolutions")
    }
    parts["unresolved"] = found.unresolved
    retreats = numpy.zeros((*found.units.shape, found.retreats.shape[1]), numpy.bool_)
    retreats[found.dislodged[:, 0], found.dislodged[:, 1]] = found.retreats
    parts["retreats"] = retreats.reshape(boards, -1)
    rulings: list[list[tuple[int, str]]] = [[] for _ in range(boards)]
    for board, rule, _, columns in found.rulings.tolist():  # the plain path numbers them, the others their rounds
        rulings[board].append((columns, found.rules[rule]))
    parts["rulings"] = numpy.array([str(sorted(of_board)) for of_board in rulings])
    silent = found.unresolved  # nothing else is said of these
    for name, array in parts.items():
        if name != "unresolved":
            array[silent] = numpy.zeros(1, array.dtype)[0]
    return parts


def digest(found: Outcomes) -> str:
    """Compute the digest of all that is said of the boards of a block."""
    parts = told(found)
    rulings = "\n".join(parts.pop("rulings").tolist()).encode()
    whole = hashlib.sha256(rulings)
    for name, array in parts.items():
        packed = numpy.packbits(array) if array.dtype == numpy.bool_ else array.astype("<i8")
        whole.update(name.encode() + packed.tobytes())
    return whole.hexdigest()[:24]


# ---- the plain path ----


@cache
def plain_judge(name: str) -> Judge:
    """Make a judge of one rulebook that asks the plain path alone."""
    return Judge(vocabulary(), load_preset(name), plainly=True)


def judge_plainly(seed: int, block: range) -> Plain:
    """Have the plain path judge the boards of a block, and `full` enumerate some."""
    boards, name = drawn(seed, block), rules_of(block)
    found = plain_judge(name).judge(*boards)
    cores = (found.resolutions != 1) | found.unresolved
    said = Plain(len(block), int(cores.sum()), int(found.unresolved.sum()), len(found.rulings), digests={})
    if block.start // BLOCK % (TENTH + 1) == 0:  # which is not always the same rulebook
        asked = [board for board in range(len(block)) if cores[board] or board % TENTH == 0]
        said.by_full = len(asked)
        for board in asked:
            said.different += by_full(name, RowPosition.from_rows(vocabulary(), *(array[board] for array in boards)))
    said.digests[str(block.start)] = digest(found)
    return said


def by_full(name: str, position: RowPosition) -> Iterator[str]:
    """Compare the resolutions that `staged` and `full` find."""
    found = []
    for engine in (Engine.STAGED, Engine.FULL):
        listed = resolutions(position.board, position.orders, rulebook=name, engine=engine)
        decisions = listed.situation.order_decisions
        found.append({frozenset((d.province, values[d.index]) for d in decisions) for values in listed})
    if found[0] != found[1]:
        yield f"{name}, full: {position.board} {position.orders}\nstaged {found[0]}\nfull {found[1]}"


# ---- compiled code ----


@cache
def compiled_judge(name: str) -> Judge:
    """Make the judge by the kernel under a preset."""
    judge = Judge(vocabulary(), load_preset(name))
    if judge.obstacle:
        raise SystemExit(f"{name}: {judge.obstacle}")
    return judge


def judge_compiled(seed: int, plain: dict[str, str], block: range) -> Compiled:
    """Have the kernel judge the boards of a block."""
    boards, name = drawn(seed, block), rules_of(block)
    judge = compiled_judge(name)
    if judge.facts.too_large:
        judge.facts.clear()
    found = judge.judge(*boards)
    said = Compiled(len(block), {name: int(found.plainly.sum())}, len(found.cores), len(found.rulings))
    if digest(found) != plain[str(block.start)]:
        where, again = f"{name}, boards from {block.start}", plain_judge(name).judge(*boards)
        said.different += (f"{where}: {which}" for which in by_board(told(found), told(again)))
    return said


def by_board(ours: dict[str, NDArray[Any]], theirs: dict[str, NDArray[Any]]) -> Iterator[str]:
    """Name the boards of which the kernel says otherwise than the plain path; one line at least."""
    yield "another digest than that of the plain path"
    for name, array in ours.items():
        differing = (array != theirs[name]).reshape(len(array), -1).any(axis=1)
        yield from (f"board {board}, {name}: kernel and plain path differ" for board in numpy.flatnonzero(differing).tolist())


# ---- the command ----


def main(arguments: Sequence[str] | None = None) -> int:
    """Run it; the exit status."""
    parser = argparse.ArgumentParser(description="the kernel, the plain path and full under all presets")
    parser.add_argument("stage", choices=("plain", "compiled"), help="who judges")
    parser.add_argument("--boards", type=whole_number, default=16_000, metavar="N", help="how many (16,000), in whole blocks")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="what they are drawn from (1)")
    parser.add_argument("--plain", type=Path, metavar="FILE", help="the state of the plain path, to compare with")
    parser.add_argument("--state", type=Path, metavar="FILE", help="keep what is done there, and go on from it")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures")
    chosen = parser.parse_args(arguments)
    described = {"seed": chosen.seed, "presets": {name: load_preset(name).settings() for name in preset_names()}}
    plainly: Count[Any] = Count("plain path", described, Plain, partial(judge_plainly, chosen.seed))
    count, kept, boards = plainly, Plain(), -(-chosen.boards // BLOCK) * BLOCK
    if chosen.stage == "compiled":
        if not chosen.plain:
            parser.error("compiled code is compared with --plain FILE")
        kept = _kept(chosen.plain, plainly)
        boards = min(boards, kept.boards)
        count = Count("kernel", described, Compiled, partial(judge_compiled, chosen.seed, kept.digests))
    total = count.kind()

    def progress(some: int) -> None:
        if total.boards % max(BLOCK, boards // 1000 // BLOCK * BLOCK) < some:
            print(f"{total.boards:,} boards, {len(total.different)} differences", file=sys.stderr, flush=True)

    run_count(count, boards, state_path=chosen.state, chunk=BLOCK, into=total, on_progress=progress)
    for difference in total.different[:SHOWN]:
        print(difference)
    figures = {"seed": chosen.seed, **_figures(total), "plain": _figures(kept)}
    if chosen.json:
        chosen.json.write_text(json.dumps(figures, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    print(json.dumps(figures, sort_keys=True))
    return int(bool(total.different))


def _figures(found: Plain | Compiled) -> dict[str, Any]:
    """Return the counts of a run as plain data."""
    counts = {key: value for key, value in vars(found).items() if key != "digests"}
    return counts | {"different": len(found.different)}


def _kept(path: Path, plainly: Count[Plain]) -> Plain:
    """Read what the plain path, which may still be at work, has kept in a file."""
    copied = path.with_suffix(".read")
    copied.write_bytes(path.read_bytes())
    with StateFile(copied, plainly) as state:
        kept = state.tally
    copied.unlink()
    return kept


if __name__ == "__main__":
    sys.exit(main())
