"""Gives engines one known mistake each, or two, and counts how often the diagnosis names it.

    python benchmarks/diagnosis_campaign.py [--kind oracle|statement|direct|pairs] [--only NAME] [--every N] [--seconds 60]

The engines are those of tests/seeded_engines.py. Seconds are those of the processor in satjudge's own process. After so many
it tells at which engine it stopped; --from goes on there.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections import Counter
from pathlib import Path
from time import monotonic, process_time

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests"))
from seeded_engines import diagnosed, right, seeds


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
        verdict = "right" if right(seed, told) else "open" if told.unexplained else "wrong"
        counted[seed.kind, verdict] += 1
        longest = max(longest, seconds := process_time() - began)
        print(f"{verdict:5} {seconds:5.1f} s  {seed.kind}: {seed.name}: {told.says[:300]}", flush=True)
        if verdict != "right":
            print(
                f"        expected {', '.join(seed.expected)}; left {[one.question for one in told.unexplained][:6]}",
                flush=True,
            )
    print(
        ", ".join(f"{kind} {verdict}: {count}" for (kind, verdict), count in sorted(counted.items())),
        f"; {longest:.1f} s at most",
    )


if __name__ == "__main__":
    main()
