"""Compiles the kernel as WebAssembly (`make kernel`): models/kernel, with the digests of what it was made from."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import msgspec

from satjudge.bulk.known import Known
from satjudge.bulk.learnt import kept
from satjudge.bulk.table_facts import write_tables
from satjudge.bulk.table_file import with_shared_parts
from satjudge.bulk.vocabulary import Vocabulary
from satjudge.bulk.wasm.ready import CODE, MANIFEST, Manifest, rulebooks, table_file
from satjudge.bulk.wasm.shipped import shipped
from satjudge.bulk.wasm.sources import printed, written_from
from satjudge.bulk.wasm.tables import ENDING
from satjudge.world.rules import load_preset

FOLDER = Path(__file__).resolve().parents[1] / "models" / "kernel"
FLAGS = (
    "--target=wasm32", "-std=c11", "-O3", "-ffreestanding", "-nostdlib",
    "-fwrapv",  # numbers wrap around
    "-fno-delete-null-pointer-checks",  # the memory is an array that begins at 0
    "-mbulk-memory", "-Wall", "-Werror", "-Wno-parentheses-equality", "-Wno-unused",
    "-Wl,--no-entry", "-Wl,--strip-all",
)  # fmt: skip


def compiled(text: str) -> bytes:
    """Compile C with clang."""
    with tempfile.TemporaryDirectory() as folder:
        source, code = Path(folder) / "kernel.c", Path(folder) / CODE
        source.write_text(text, encoding="utf-8")
        subprocess.run(["clang", *FLAGS, "-o", str(code), str(source)], check=True)
        return code.read_bytes()


def _write_tables() -> None:
    """Write the table file of each rulebook on the standard map; what several of them hold stands in a file of its own."""
    for path in (*FOLDER.glob(f"*{ENDING}"), *FOLDER.glob("*.part")):
        path.unlink()  # nothing of it is to be taken over
    kept.cache_clear()
    text = printed()
    for name in rulebooks():
        functions = text.entries[text.presets[name]]
        data, parts = with_shared_parts(write_tables(Known(Vocabulary(), load_preset(name)), text.digest, functions))
        (FOLDER / table_file(name)).write_bytes(data)
        for part, deflated in parts.items():
            (FOLDER / part).write_bytes(deflated)


def _write_code() -> None:
    """Compile the kernel, unless it is that of the same C already, for which no clang is needed."""
    text, found = printed(), shipped()
    if found and found.manifest.printed == text.digest:
        manifest, code = msgspec.structs.replace(found.manifest, written_from=written_from()), found.code
    else:
        if not (shutil.which("clang") and shutil.which("wasm-ld")):
            sys.exit("The kernel needs clang and lld: apt-get install clang lld")
        version = subprocess.run(["clang", "--version"], check=True, capture_output=True, text=True).stdout.splitlines()[0]
        code = compiled(text.text)
        digest = hashlib.sha256(code).hexdigest()
        manifest = Manifest(text.digest, digest, version, written_from(), text.entries, text.presets)
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / CODE).write_bytes(code)
    (FOLDER / MANIFEST).write_bytes(msgspec.json.format(msgspec.json.encode(manifest), indent=1) + b"\n")
    print(f"{CODE}: {len(code):,} bytes, of C {text.digest[:16]}, by {manifest.compiler}")


if __name__ == "__main__":
    _write_code()
    _write_tables()
