"""Puts the npm package together: `python -m release.js FOLDER` writes adapters/js with the kernel and its tables inside."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from satjudge.bulk.wasm.ready import CODE
from satjudge.bulk.wasm.tables import ENDING, read_tables
from satjudge.world.rules import DEFAULT_RULES

ROOT = Path(__file__).resolve().parents[1]
KERNEL = ROOT / "models" / "kernel"
TABLES = f"standard.{DEFAULT_RULES}{ENDING}"


def package(folder: Path) -> int:
    """Write the package into a folder, and return the number of its bytes."""
    shutil.copytree(ROOT / "adapters" / "js", folder, dirs_exist_ok=True)
    data = folder / "data"
    data.mkdir(exist_ok=True)
    for name in (CODE, TABLES, *_parts()):
        shutil.copyfile(KERNEL / name, data / name)
    shutil.copyfile(ROOT / "LICENSE", folder / "LICENSE")
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _parts() -> list[str]:
    """List the files in which parts of the tables stand."""
    tables = read_tables((KERNEL / TABLES).read_bytes(), lambda name: (KERNEL / name).read_bytes())
    return [part.file for part in tables.header.parts if part.file]


if __name__ == "__main__":
    print(f"{sys.argv[1]}: {package(Path(sys.argv[1])):,} bytes")
