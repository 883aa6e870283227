"""Holds the beginnings of programs that talk as engines do: they read questions as JSON lines, and answer."""

READS = "import sys, json, os, time\nfor line in sys.stdin:\n    asked = json.loads(line)\n    "
ANSWERS = "print(json.dumps(dict(id=asked['id'], units=asked['units'])), flush=True)"
