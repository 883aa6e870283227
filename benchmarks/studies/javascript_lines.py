"""Compares the npm package with `satjudge batch` byte for byte, on lines of drawn boards, in Node or in Chromium.

    python benchmarks/studies/javascript_lines.py --lines 1000000 --state javascript.jsonl
    python benchmarks/studies/javascript_lines.py --lines 100000 --host chromium

Lines are those of `drawn_lines`, and the retreats and adjustments that follow some of them. What the package refuses is
counted and not compared. A run that was interrupted goes on where it stopped, with the same `--state`. Exit status 1 after a
difference.
"""

from __future__ import annotations

import argparse
import atexit
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from random import Random

import msgspec

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from campaign import whole_number
from drawn_lines import requests
from mutated_lines import further

from release.js import package
from satjudge.bulk.batch import Answering, Settings
from satjudge.bulk.chunked_runs import Count, run_count
from satjudge.bulk.tallies import add_by_name

CHUNK = 20_000
SHOWN = 5


@dataclass
class Compared:
    """What came of some lines."""

    boards: int = 0
    """Lines."""
    refused: int = 0
    different: list[str] = field(default_factory=list)

    def add(self, other: Compared) -> None:
        """Count the other's lines too."""
        add_by_name(vars(self), vars(other))


@cache
def _folder() -> Path:
    """Write the package into a folder that is there as long as the process is."""
    kept = tempfile.TemporaryDirectory()
    atexit.register(kept.cleanup)
    folder = Path(kept.name) / "satjudge"
    package(folder)
    return folder


def by_node(lines: Sequence[bytes]) -> list[bytes]:
    """Have Node answer lines."""
    command = ["node", str(_folder() / "lines.js")]
    return subprocess.run(command, input=b"\n".join(lines), capture_output=True, check=True).stdout.splitlines()


@cache
def _page() -> Callable[[list[str]], list[str]]:
    """Open a page in Chromium that loads the package."""
    sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))
    from contextlib import ExitStack

    from helpers.browsing import chromium
    from helpers.exploring import file_server
    from selenium.webdriver.support.wait import WebDriverWait

    kept = ExitStack()
    atexit.register(kept.close)
    text = """<title>waiting</title><script type="module">
        import { load } from "./index.js";
        const judge = await load();
        window.answered = (line) => {
            try { return judge.answer(line); } catch (error) { return `{"refused":${error.name}}`; }
        };
        document.title = "ready";
    </script>"""
    (_folder() / "page.html").write_text(text, encoding="utf-8")
    server = kept.enter_context(file_server(_folder()))
    browser = kept.enter_context(chromium(Path(kept.enter_context(tempfile.TemporaryDirectory()))))
    browser.get(f"{server.address}/page.html")
    WebDriverWait(browser, 60).until(lambda _: browser.title == "ready")
    return lambda lines: browser.execute_script("return arguments[0].map(window.answered)", lines)


def by_chromium(lines: Sequence[bytes]) -> list[bytes]:
    """Have a page in Chromium answer lines."""
    answer = _page()
    parts = (lines[first : first + 1_000] for first in range(0, len(lines), 1_000))
    return [text.encode() for part in parts for text in answer([line.decode() for line in part])]


HOSTS = {"node": by_node, "chromium": by_chromium}


def compare(seed: int, host: str, numbers: range) -> Compared:
    """Compare the answers to these lines."""
    lines = [
        msgspec.json.encode({"id": one.id, "units": one.units, "orders": one.orders})
        for _, one in requests(seed, (numbers.start, numbers.stop))
    ]
    settings = Settings()
    for at in range(0, len(lines), 10):  # in place of some moves the phases that follow them
        later = [*further(Random(f"{seed}:later {numbers.start + at}"), lines[at], settings)]
        for place, line in enumerate(later, at + 1):
            lines[place] = line
    theirs = HOSTS[host](lines)
    found = Compared(len(lines))
    for line, answer, ours in zip(lines, theirs, Answering(settings).lines(lines), strict=True):
        if b'"refused"' in answer:
            found.refused += 1
        elif answer != ours:
            found.different.append(f"{line!r}\n{host} {answer!r}\nbatch {ours!r}")
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Run it; the exit status."""
    parser = argparse.ArgumentParser(description="the npm package beside satjudge batch")
    parser.add_argument("--lines", type=whole_number, default=20_000, metavar="N", help="how many (20,000)")
    parser.add_argument("--host", choices=sorted(HOSTS), default="node", help="who runs the package (node)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="what they are drawn from (1)")
    parser.add_argument("--state", type=Path, metavar="FILE", help="keep what is done there, and go on from it")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures")
    chosen = parser.parse_args(arguments)
    described = {"seed": chosen.seed, "host": chosen.host}
    total = Compared()

    def progress(lines: int) -> None:
        if total.boards % max(CHUNK, chosen.lines // 100) < lines:
            print(f"{total.boards:,} lines, {len(total.different)} differences", file=sys.stderr, flush=True)

    count = Count("javascript", described, Compared, partial(compare, chosen.seed, chosen.host))
    run_count(count, chosen.lines, state_path=chosen.state, chunk=CHUNK, into=total, on_progress=progress)
    for difference in total.different[:SHOWN]:
        print(difference)
    told = {**vars(total), **described, "different": len(total.different)}
    if chosen.json:
        chosen.json.write_text(json.dumps(told, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    print(json.dumps(told, sort_keys=True))
    return int(bool(total.different))


if __name__ == "__main__":
    sys.exit(main())
