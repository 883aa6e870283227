"""Puts the npm package together: `python -m release.js FOLDER` writes adapters/js with the kernel and its tables inside."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from satjudge.bulk.tables.reading import ENDING, read_table_file
from satjudge.bulk.tables.writing import write_one_file
from satjudge.bulk.wasm.loading import CODE
from satjudge.world.rules import DEFAULT_RULES

ROOT = Path(__file__).resolve().parents[1]
KERNEL = ROOT / "models" / "kernel"
TABLES = f"standard.{DEFAULT_RULES}{ENDING}"


def package(folder: Path) -> int:
    """Write the package into a folder, and return the number of its bytes."""
    shutil.copytree(ROOT / "adapters" / "js", folder, dirs_exist_ok=True)
    data = folder / "data"
    data.mkdir(exist_ok=True)
    shutil.copyfile(KERNEL / CODE, data / CODE)
    (data / TABLES).write_bytes(
        write_one_file(read_table_file(KERNEL / TABLES))
    )  # two files, which bundlers find by their names
    shutil.copyfile(ROOT / "LICENSE", folder / "LICENSE")
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


if __name__ == "__main__":
    print(f"{sys.argv[1]}: {package(Path(sys.argv[1])):,} bytes")
