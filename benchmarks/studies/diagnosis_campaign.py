"""Counts how often the diagnosis names a known mistake of an engine, or two, for docs/papers/diagnosis.md.

    python benchmarks/studies/diagnosis_campaign.py [--kind oracle|statement|direct|pairs] [--only NAME] [--every N] [--seconds
    60]

The engines are those of tests/helpers/seeded_engines.py. Seconds are those of the processor in satjudge's own process. After
so many it tells at which engine it stopped; --from goes on there.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections import Counter
from dataclasses import replace
from pathlib import Path
from time import monotonic, process_time

from satjudge.bulk.random_boards.boards import Flavour
from satjudge.engines.conformance.faults import FAULTS
from satjudge.engines.conformance.hypotheses import Hypothesis
from satjudge.engines.documents.conformance import Diagnosis
from satjudge.engines.kit.parts import list_evidence_positions
from satjudge.engines.positions import Fuzz

sys.path.append(str(Path(__file__).resolve().parents[2] / "tests"))
from helpers.seeded_engines import Seed, diagnosed, right, seeds

BOARDS = 300


def main() -> None:
    arguments = ArgumentParser(description=__doc__)
    arguments.add_argument("--kind")
    arguments.add_argument("--only")
    arguments.add_argument("--from", dest="first", type=int, default=0)
    arguments.add_argument("--every", type=int, default=1)
    arguments.add_argument("--seconds", type=float, default=1e9)
    chosen = arguments.parse_args()
    until = monotonic() + chosen.seconds
    engines = [seed for seed in seeds() if chosen.kind in (None, seed.kind) and chosen.only in (None, seed.name)]
    counted: Counter[tuple[str, str]] = Counter()
    longest = 0.0
    for number in range(chosen.first, len(engines), chosen.every):
        if monotonic() > until:
            print(f"stopped; go on with --from {number}")
            break
        seed, began = engines[number], process_time()
        told = diagnosed(seed)
        verdict = verdict_on(seed, told)
        counted[seed.kind, verdict] += 1
        longest = max(longest, seconds := process_time() - began)
        print(f"{verdict:5} {seconds:5.1f} s  {seed.kind}: {seed.name}: {told.says[:300]}", flush=True)
        if verdict not in ("right", "same"):
            print(
                f"        expected {', '.join(seed.expected)}; left {[one.question for one in told.unexplained][:6]}",
                flush=True,
            )
    print(
        ", ".join(f"{kind} {verdict}: {count}" for (kind, verdict), count in sorted(counted.items())),
        f"; {longest:.1f} s at most",
    )


def verdict_on(seed: Seed, told: Diagnosis) -> str:
    """Whether the mistake was named; `same` if what was named instead gives the same answers.

    It is `open` if something is left: answers that are unexplained, or questions to which the engine gives none.
    """
    if right(seed, told):
        return "right"
    if told.unexplained:
        return "open"
    if seed.kind == "statement" and _same(seed, told):
        return "same"
    return "open" if any(cause.kind == "failure" for cause in told.causes) else "wrong"


def _same(seed: Seed, told: Diagnosis) -> bool:
    """Whether the engine answers as it is said to, on all questions of the kit and on random boards, wherever it answers."""
    named = tuple(cause.name for cause in told.causes if cause.name in FAULTS)
    positions = [
        *list_evidence_positions(),
        *(Fuzz(18, BOARDS, tuple(Flavour)).get_position(number) for number in range(BOARDS)),
    ]
    supposed = Hypothesis(told.rules, tuple(told.settings), named).list_answers(positions)
    played = replace(Hypothesis.from_settings(seed.rules, seed.settings), faults=seed.expected).list_answers(positions)
    return all(one is None or one == other for one, other in zip(played, supposed, strict=True))


if __name__ == "__main__":
    main()
