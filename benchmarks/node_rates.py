"""What the npm package answers in Node: a phase, a first answer in a fresh process, and the size of the package.

Each phase is a real position. The package is built first, and runs as its users run it.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
from measuring import Effort, Figure, number, spread
from real_positions import real_cases

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

SECTION = "npm package in Node"
SCRIPT = """
const began = performance.now();
const {load} = await import(process.argv[2]);
const judge = await load();
const lines = (await import('node:fs')).readFileSync(0, 'utf8').trim().split('\\n');
judge.answer(lines[0]);
const first = performance.now() - began;
const positions = lines.map(line => JSON.parse(line));
const timed = work => {
  for (let turn = 0; turn < 20; turn++) for (const one of work.of) work.go(one);  // until it is compiled
  const start = process.cpuUsage().user;
  for (let turn = 0; turn < 10; turn++) for (const one of work.of) work.go(one);
  return (process.cpuUsage().user - start) / 10 / work.of.length;
};
const line = timed({of: lines, go: one => judge.answer(one)});
const object = timed({of: positions, go: one => judge.judge(one)});
console.log(JSON.stringify({first, line, object}));
"""
"""Prints milliseconds to the first answer, and microseconds of processor time for a phase."""


def node(effort: Effort) -> Iterator[Figure]:
    """All of it; nothing without Node."""
    if not shutil.which("node"):
        print("left out: the npm package (Node is not installed)", file=sys.stderr)
        return
    from release.js import package

    name, cases = real_cases(effort.seed, 4 * effort.boards)
    asked = b"\n".join(msgspec.json.encode({"units": case.units, "orders": case.orders}) for case in cases)
    with TemporaryDirectory() as folder:
        size = package(Path(folder) / "npm")
        script = Path(folder) / "ask.mjs"
        script.write_text(SCRIPT, encoding="utf-8")
        command = ["node", str(script), str(Path(folder) / "npm" / "index.js")]
        told = [
            json.loads(subprocess.run(command, input=asked, capture_output=True, check=True).stdout)
            for _ in range(max(effort.processes, effort.rounds))
        ]
    note = f"{len(cases)} {name}"
    yield Figure(SECTION, "a phase, from line to line", "µs", spread(one["line"] for one in told), 15, note=note)
    yield Figure(SECTION, "a phase, from object to object", "µs", spread(one["object"] for one in told), note=note)
    yield Figure(SECTION, "first answer in a fresh process", "ms", spread(one["first"] for one in told), 80)
    yield number(SECTION, "package", "kB", size / 1000, note="with the kernel and its tables, at most 600 kB")
