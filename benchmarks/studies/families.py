"""Compares the families of a campaign's findings with their causes, for docs/guides/crosscheck.md.

python benchmarks/studies/families.py --boards 3000 diplomacy                     # an oracle, whose known differences are not
known python benchmarks/studies/families.py --boards 3000 broken_engine:ring_broken     # with PYTHONPATH=tests: one cause
python benchmarks/studies/families.py --boards 1000 --faults 3 --engines 10       # engines with three faults drawn at random
python benchmarks/studies/families.py --serve "DEFEND without supports"           # such an engine, on its standard streams
"""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from time import perf_counter

from satjudge.engines.campaign import make_campaign, tally_boards
from satjudge.engines.conformance.hypotheses import answer_position, parse_hypothesis
from satjudge.engines.conformance.switchable_judge import make_faulty_judge
from satjudge.engines.families import TRIES, group_findings
from satjudge.engines.findings import collect_findings
from satjudge.engines.kit.parts import load_stored_questions
from satjudge.engines.known_differences import read_shipped_differences
from satjudge.engines.positions import Fuzz, parse_position
from satjudge.judging.solve import Engine
from satjudge.world.rules import load_rulebook

ALLOWED = 3
"""The number of families allowed beyond one for each cause."""


def serve(faults: Sequence[str]) -> None:
    """Answer batch lines as an engine with these faults."""
    with make_faulty_judge(faults) as judge:
        for line in sys.stdin:
            position = parse_position(line.encode())
            said = answer_position(position, load_rulebook(), judge.judge)
            told = {"results": said.verdicts, "dislodged": said.dislodged, "units": said.units} if said else {"error": "none"}
            print(json.dumps({"id": json.loads(line)["id"], **told}), flush=True)


def drawn(random: Random, number: int) -> list[str]:
    """Find the faults that positions detect under the default rulebook."""
    usual = sorted({name for question in load_stored_questions("clauses") if question.is_usual for name in question.tells})
    return random.sample(usual, number)


def tried(against: str, boards: int, shrunk: int, causes: int, *, seed: int = 1, told: str = "") -> bool:
    """Compare boards, and print a line of the table; whether there are no more families than allowed."""
    began = perf_counter()
    campaign = make_campaign(against, Fuzz(seed, boards), engine=Engine.STAGED)
    campaign = replace(campaign, known=())
    tally = tally_boards(campaign, range(boards))
    found = collect_findings(campaign, tally, limit=shrunk)
    grouped = group_findings(campaign, tally, found.unexplained, TRIES)
    seconds = perf_counter() - began
    numbers = (len(tally.differing), len(found.unexplained), causes, len(grouped))
    print(f"| {told or against} | {' | '.join(f'{number:,}' for number in numbers)} | {seconds:.0f} s |", flush=True)
    for family in grouped:
        told_as = " or ".join((family.cause, *family.or_else))
        print(f"    {len(family.boards):4} {'=' if family.by_hypothesis else '~'} {told_as}")
    return len(grouped) <= causes + ALLOWED


def main() -> None:
    """Try the named engines, or engines with faults."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("against", nargs="*", help="oracles, programs or module:function")
    parser.add_argument("--boards", type=int, default=1000)
    parser.add_argument("--shrink", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--faults", type=int, default=0, help="engines with so many faults")
    parser.add_argument("--engines", type=int, default=5)
    parser.add_argument("--causes", type=int, default=0, help="of what is named; else what is known of it, or 1")
    parser.add_argument("--serve", metavar="FAULT + FAULT")
    asked = parser.parse_args()
    if asked.serve:
        parse_hypothesis(asked.serve, load_rulebook())
        serve(asked.serve.split(" + "))
        return
    print("| engine | boards that differ | shapes | causes | families | time |\n|---|---|---|---|---|---|")
    good = []
    for against in asked.against:
        causes = asked.causes or len(read_shipped_differences(against)) or 1
        good.append(tried(against, asked.boards, asked.shrink, causes, seed=asked.seed))
    random = Random(asked.seed)
    for _ in range(asked.engines if asked.faults else 0):
        faults = drawn(random, asked.faults)
        command = shlex.join([sys.executable, __file__, "--serve", " + ".join(faults)])
        good.append(tried(command, asked.boards, asked.shrink, len(faults), seed=asked.seed, told=" + ".join(faults)))
    print(f"{sum(good)} of {len(good)} engines have no more families than causes and {ALLOWED}")


if __name__ == "__main__":
    main()
