"""Makes datc_cases/kit/signatures.json: which questions of the kit tell each setting and fault under each rulebook.

    python benchmarks/studies/diagnosis_table.py [--seconds 60]

What the file has already is kept, as far as questions and parts are still the same; --anew forgets it.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from time import monotonic

from satjudge.base.errors import RulebookError
from satjudge.base.resources import data_directory, write_atomically
from satjudge.engines.conformance.edits import ExclusiveFaultsError
from satjudge.engines.conformance.fitting import list_rulebook_hypotheses
from satjudge.engines.conformance.hypotheses import Hypothesis, iter_further_parts
from satjudge.engines.conformance.signatures import Signatures, format_table, list_evidence_positions, load_signatures, make_key
from satjudge.engines.positions import AskedPosition

FILE = data_directory() / "datc_cases" / "kit" / "signatures.json"


def main() -> None:
    arguments = ArgumentParser(description=__doc__)
    arguments.add_argument("--seconds", type=float, default=1e9)
    arguments.add_argument("--anew", action="store_true")
    chosen = arguments.parse_args()
    until = monotonic() + chosen.seconds
    known = Signatures((), {}) if chosen.anew else load_signatures()
    positions = {make_key(position): position for position in list_evidence_positions()}
    keys = [*(key for key in known.questions if key in positions), *(key for key in positions if key not in known.questions)]
    told: dict[str, dict[str, list[int]]] = {}
    for rulebook in sorted(list_rulebook_hypotheses(), key=lambda one: (one.rules != "datc-3", one)):
        told[rulebook.rules] = {}
        asked = _Asked(rulebook, [positions[key] for key in keys], keys, known)
        for part in iter_further_parts(rulebook):
            if monotonic() > until:
                write_atomically(FILE, format_table(told, keys))
                sys.exit(f"{rulebook.rules}, {part}: run it again to go on")
            told[rulebook.rules][part] = asked.telling(part)
        write_atomically(FILE, format_table(told, keys))


class _Asked:
    """What parts change under a rulebook."""

    def __init__(self, rulebook: Hypothesis, positions: list[AskedPosition], keys: list[str], known: Signatures) -> None:
        self.rulebook, self.positions, self.keys, self.known = rulebook, positions, keys, known
        self.usual = rulebook.list_answers(positions)

    def telling(self, part: str) -> list[int]:
        """The numbers of the questions that tell a part; those that the table has are not asked again."""
        before = self.known.told.get(self.rulebook.rules, {}).get(part)
        old = {*self.known.questions} if before is not None else set()
        kept = {self.known.questions[number] for number in before or ()}
        fresh = [number for number, key in enumerate(self.keys) if key not in old]
        found = {number for number, key in enumerate(self.keys) if key in kept}
        try:
            said = self.rulebook.with_part(part).list_answers([self.positions[number] for number in fresh]) if fresh else []
        except (RulebookError, ExclusiveFaultsError):
            return sorted(found)
        found |= {number for number, one in zip(fresh, said, strict=True) if one != self.usual[number]}
        return sorted(found)


if __name__ == "__main__":
    main()
