"""The kernel without any runtime: put into C by wasm2c, with the host of adapters/c, it answers as `satjudge batch` does."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from helpers.kit_lines import kit_lines

from satjudge.apps.cli import run
from satjudge.bulk.batch import Settings, answer_line

HOST = Path(__file__).resolve().parents[2] / "adapters" / "c" / "lines.c"
RUNTIME = Path("/usr/include/wasm-rt.h")
"""What wasm2c's C needs, as Debian's package wabt brings it."""


@pytest.mark.slow
@pytest.mark.skipif(not (shutil.which("wasm2c") and shutil.which("cc") and RUNTIME.exists()), reason="wasm2c is not here")
@pytest.mark.parametrize("rules", ["datc-3", "1982"])
def test_c_answers_as_python_does(rules: str, tmp_path: Path) -> None:
    tables, code = tmp_path / "standard.tables", tmp_path / "kernel.wasm"
    assert run(["kernel", "--rules", rules, "-o", str(tables), "--code", str(code)]) == 0
    function = tables.read_bytes().split(b'"answer_line":"', 1)[1].split(b'"', 1)[0].decode()
    subprocess.run(["wasm2c", code, "-n", "kernel", "-o", "kernel.c"], cwd=tmp_path, check=True)
    parts = [
        "-O1",
        f"-DANSWER=Z_kernelZ_{function}",
        "-I.",
        "-o",
        "lines",
        str(HOST),
        "kernel.c",
        "-lwasm-rt-impl",
        "-lz",
        "-lm",
    ]
    subprocess.run(["cc", *parts], cwd=tmp_path, check=True)

    lines = kit_lines()
    done = subprocess.run(["./lines", tables], cwd=tmp_path, input=b"\n".join(lines) + b"\n", capture_output=True, check=True)
    answers = done.stdout.splitlines()
    assert len(answers) == len(lines)
    answered = [(line, answer) for line, answer in zip(lines, answers, strict=True) if b'"refused"' not in answer]
    assert len(answered) > len(lines) * 4 // 5
    assert all(answer == answer_line(line, Settings(rules=rules)) for line, answer in answered)
