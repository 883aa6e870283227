"""Prints the results of adapters/diagnose.sh as Markdown: `python shared/told.py OUT`."""

import json
import sys
from pathlib import Path
from typing import Any, TypeAlias

Found: TypeAlias = dict[str, Any]
"""What a command wrote with `--json`."""


def read(path: Path) -> Found | None:
    """A document; None if the command ended before it wrote one."""
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    return json.loads(text) if text.strip() else None


def parts(name: str, found: Found) -> str:
    """Part by part how many questions were answered otherwise, of those that were answered."""
    cells = (f"{len(part['findings'])} of {part['asked'] - part['skipped']}" for part in found["parts"])
    return f"| {name} | {' | '.join(cells)} |"


def diagnosis(name: str, found: Found) -> list[str]:
    """What explains the answers, if that was asked for."""
    if (said := found.get("diagnosis")) is None:
        return []
    settings = f" with {', '.join(said['settings'])}" if said["settings"] else ""
    causes = [f"- {cause['says']}: {cause['explains']} answers" for cause in said["causes"] if cause["kind"] != "setting"]
    return ["", f"**{name}** plays {said['rules']}{settings}; {len(said['unexplained'])} answers are unexplained.", "", *causes]


def campaign(name: str, found: Found) -> str:
    """Format the number of random boards that differ, and the findings: families if there are any, or else shapes."""
    groups = found.get("families") or found["findings"]
    numbers = (found["boards"], found["skipped"], found["unresolved"], found["agreed"], found["differing"], len(groups))
    return f"| {name} | {' | '.join(f'{number:,}' for number in numbers)} |"


def main() -> None:
    """A table of the kit, the diagnoses, a table of the campaigns."""
    out = Path(sys.argv[1])
    names = [path.stem for path in sorted(out.glob("*.json")) if ".crosscheck" not in path.name]
    kits = {name: found for name in names if (found := read(out / f"{name}.json"))}
    if not kits:
        sys.exit(f"no engine was asked: {out} has no answers")
    titles = [part["part"] for part in next(iter(kits.values()))["parts"]]
    print(f"| engine | {' | '.join(titles)} |\n|---|{'---|' * len(titles)}")
    for name, found in kits.items():
        print(parts(name, found))
    for name, found in kits.items():
        print(*diagnosis(name, found), sep="\n", end="\n" if found.get("diagnosis") else "")
    campaigns = {name: found for name in names if (found := read(out / f"{name}.crosscheck.json"))}
    if campaigns:
        print("\n| engine | boards | skipped | no answer by the rulebook | agree | differ | findings |\n" + "|---" * 7 + "|")
    for name, found in campaigns.items():
        print(campaign(name, found))


if __name__ == "__main__":
    main()
