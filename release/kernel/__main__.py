"""Compiles the kernel as WebAssembly (`make kernel`): models/kernel, with the checksums of what it was made from."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import msgspec

from release.kernel.kernel_text import find_choices, print_kernel
from satjudge.bulk.tables.learner import write_table_file
from satjudge.bulk.tables.order_facts import OrderFacts
from satjudge.bulk.tables.reading import ENDING
from satjudge.bulk.tables.writing import split_shared_parts
from satjudge.bulk.vocabulary import Vocabulary
from satjudge.bulk.wasm.loading import (
    CODE,
    KERNEL_SOURCES,
    MANIFEST,
    TABLE_SOURCES,
    Entry,
    Manifest,
    list_rulebooks,
    sum_sources,
    table_file_name,
)
from satjudge.world.rules import load_preset

FOLDER = Path(__file__).resolve().parents[2] / "models" / "kernel"
FLAGS = (
    "--target=wasm32", "-std=c11", "-O3", "-ffreestanding", "-nostdlib",
    "-fwrapv",  # numbers wrap around
    "-fno-delete-null-pointer-checks",  # the memory is an array that begins at 0
    "-mbulk-memory", "-Wall", "-Werror", "-Wno-parentheses-equality", "-Wno-unused",
    "-Wl,--no-entry", "-Wl,--strip-all",
)  # fmt: skip


def compile_text(text: str) -> bytes:
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
    kernel = print_kernel()
    for name in list_rulebooks():
        tables = write_table_file(OrderFacts(Vocabulary(), load_preset(name)), kernel.digest, kernel.functions[name])
        data, parts = split_shared_parts(tables)
        (FOLDER / table_file_name(name)).write_bytes(data)
        for part, deflated in parts.items():
            (FOLDER / part).write_bytes(deflated)


def _write_code() -> None:
    """Compile the kernel, unless it is that of the same C already, for which no clang is needed."""
    kernel = print_kernel()
    try:
        code, stated = (FOLDER / CODE).read_bytes(), msgspec.json.decode((FOLDER / MANIFEST).read_bytes())
    except (OSError, msgspec.DecodeError):
        code, stated = b"", {}
    if stated.get("printed") == kernel.digest and stated.get("compiled") == hashlib.sha256(code).hexdigest():
        version = stated["compiler"]
    else:
        if not (shutil.which("clang") and shutil.which("wasm-ld")):
            sys.exit("The kernel needs clang and lld: apt-get install clang lld")
        version = subprocess.run(["clang", "--version"], check=True, capture_output=True, text=True).stdout.splitlines()[0]
        code = compile_text(kernel.text)
    checksums = sum_sources(KERNEL_SOURCES), sum_sources(TABLE_SOURCES)
    entries = {name: Entry(find_choices(load_preset(name)), functions) for name, functions in kernel.functions.items()}
    manifest = Manifest(kernel.digest, hashlib.sha256(code).hexdigest(), version, *checksums, entries)
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / CODE).write_bytes(code)
    (FOLDER / MANIFEST).write_bytes(msgspec.json.format(msgspec.json.encode(manifest), indent=1) + b"\n")
    print(f"{CODE}: {len(code):,} bytes, of C {kernel.digest[:16]}, by {manifest.compiler}")


if __name__ == "__main__":
    _write_code()
    _write_tables()
