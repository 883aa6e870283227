"""Tells what adapters/diagnose.sh found, as a table in Markdown: `python shared/told.py OUT`."""

import json
import sys
from pathlib import Path
from typing import Any


def row(path: Path) -> str:
    """What one engine answered, part by part: how many questions it was asked, and answered otherwise."""
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    parts = {part["part"]: part for part in found["parts"]}
    cells = [f"{len(part['findings'])} of {part['asked'] - part['skipped']}" for part in parts.values()]
    return f"| {path.stem} | {' | '.join(cells)} |"


def main() -> None:
    """A row for each engine, then the boards of the campaigns."""
    out = Path(sys.argv[1])
    documents = [path for path in sorted(out.glob("*.json")) if ".crosscheck" not in path.name and path.stat().st_size]
    if not documents:
        sys.exit(f"no engine was asked: {out} has no answers")
    names = [part["part"] for part in json.loads(documents[0].read_text(encoding="utf-8"))["parts"]]
    print(f"| engine | {' | '.join(names)} |\n|---|{'---|' * len(names)}")
    for path in documents:
        print(row(path))


if __name__ == "__main__":
    main()
