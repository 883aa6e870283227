"""Asks the package `diplomacy`, in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

PLAYER = Path(__file__).with_name("play_games.py")


def package(request: dict[str, Any]) -> dict[str, Any]:
    """What the package says, in a process of its own."""
    done = subprocess.run(
        [sys.executable, PLAYER], input=json.dumps(request), capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer
