"""Compiles the kernel as WebAssembly (`make kernel`): models/kernel, with the digests of what it was made from."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import msgspec

from satjudge.bulk.wasm.shipped import CODE, MANIFEST, Manifest
from satjudge.bulk.wasm.sources import printed, written_from

FOLDER = Path(__file__).resolve().parents[1] / "models" / "kernel"
FLAGS = (
    "--target=wasm32", "-std=c11", "-O2", "-ffreestanding", "-nostdlib",
    "-fwrapv",  # numbers wrap around, as numba has them
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


def main() -> None:
    """Write the kernel and its manifest."""
    if not (shutil.which("clang") and shutil.which("wasm-ld")):
        sys.exit("The kernel needs clang and lld: apt-get install clang lld")
    version = subprocess.run(["clang", "--version"], check=True, capture_output=True, text=True).stdout.splitlines()[0]
    text = printed()
    code = compiled(text.text)
    manifest = Manifest(text.digest, hashlib.sha256(code).hexdigest(), version, written_from(), text.entries, text.presets)
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / CODE).write_bytes(code)
    (FOLDER / MANIFEST).write_bytes(msgspec.json.format(msgspec.json.encode(manifest), indent=1) + b"\n")
    print(f"{CODE}: {len(code):,} bytes of C {text.digest[:16]}, by {version}")


if __name__ == "__main__":
    main()
